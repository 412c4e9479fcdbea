"""Finnish: kept games."""

MESSAGES = {
    "games.kept": "Pelisi",
    "games.go-on": "Jatka peliäsi",
    "games.looks.one": "{n} kuva",
    "games.looks.other": "{n} kuvaa",
    "games.delete": "Poista",
    "games.delete-sure": "Poista lopullisesti kuvineen",
    "games.save": "Tallenna peli",
    "games.save-record": "pöytäkirja tekstinä",
    "games.save-page": "sivu kuvineen",
    "change.undo": "Kumoa",
    "change.redo": "Tee uudelleen",
    "games.unkept": "Peli jatkuu, mutta sitä ei tallenneta: {why}",
    "error.store": "Tallennettuja pelejä ei voi käyttää ({why}).",
    "error.store-newer": "Tallennetut pelit on kirjoittanut uudempi cardtable; asenna se käyttääksesi niitä. Ne "
    "jätettiin ennalleen.",
    "error.store-damaged": "Tallennettujen pelien tiedosto on vioittunut ({why}). Se jätettiin ennalleen.",
    "error.store-locked": "Toinen ohjelma pitää tallennettujen pelien tiedostoa; sulje se ja yritä uudelleen.",
    "error.store-full": "Levy on täynnä: tee tilaa, niin seuraava muutos tallennetaan taas.",
    "error.store-read-only": "Tallennettujen pelien tiedostoa ei voi kirjoittaa: kansio on vain luettavissa.",
    "watch.gone": "Kamera katosi; sitä odotetaan.",
    "watch.bumped": "Kamera liikkui; pöytä etsitään uudelleen.",
    "watch.unread": "Tätä näkymää ei voitu lukea: {why}",
    "watch.kept": "Peli on tallennettu: {id}",
    "error.no-camera": "Kameraa {name} ei ole.",
    "error.camera-gone": "Kamera {name} katosi eikä palannut. Peli on tallennettu sellaisena kuin se oli.",
}
