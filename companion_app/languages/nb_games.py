"""Norwegian (bokmål): kept games."""

MESSAGES = {
    "games.kept": "Spillene dine",
    "games.go-on": "Fortsett spillet ditt",
    "games.looks.one": "{n} bilde",
    "games.looks.other": "{n} bilder",
    "games.delete": "Slett",
    "games.delete-sure": "Slett for godt, med bildene",
    "games.save": "Lagre spillet",
    "games.save-record": "trekkliste som tekst",
    "games.save-page": "side med bilder",
    "change.undo": "Angre",
    "change.redo": "Gjør om",
    "games.unkept": "Spillet går videre, men blir ikke lagret: {why}",
    "error.store": "De lagrede spillene kan ikke brukes ({why}).",
    "error.store-newer": "De lagrede spillene er skrevet av en nyere cardtable; installer den for å bruke dem. De "
    "ble latt være som de er.",
    "error.store-damaged": "Filen med lagrede spill er skadet ({why}). Den ble latt være som den er.",
    "error.store-locked": "Et annet program holder filen med lagrede spill; lukk det og prøv igjen.",
    "error.store-full": "Disken er full: rydd plass, så lagres neste endring igjen.",
    "error.store-read-only": "Filen med lagrede spill kan ikke skrives: mappen er skrivebeskyttet.",
    "watch.gone": "Kameraet er borte; det ventes på.",
    "watch.bumped": "Kameraet ble flyttet; bordet blir funnet igjen.",
    "watch.unread": "Dette bildet kunne ikke leses: {why}",
    "watch.kept": "Spillet er lagret: {id}",
    "error.no-camera": "Det finnes ikke noe kamera {name}.",
    "error.camera-gone": "Kameraet {name} ble borte og kom ikke tilbake. Spillet er lagret slik det sto.",
}
