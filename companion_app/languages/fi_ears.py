"""Finnish: pictures tried otherwise, layouts pointed out, speech and keys."""

MESSAGES = {
    "corners.title": "Asetelma on muualla",
    "corners.show": "Näytä, missä asetelma on",
    "corners.numbers": "Numeroina",
    "corners.how": (
        "Napauta kuvasta näiden korttien keskikohtaa tässä järjestyksessä, tai vedä renkaat niihin; "
        "nuolinäppäimet siirtävät rengasta, Shift-näppäimen kanssa enemmän. Suunnilleen riittää, ja tyhjä paikka "
        "kelpaa siinä, missä sen kortti oli."
    ),
    "corners.layout": "Mitä on asetettu",
    "corners.pyramid": "Pyramidi, rivejä {rows}",
    "corners.apply": "Lue siitä",
    "corners.now": "Nyt: {what}",
    "corners.at": "{what}: vaakasuunnassa {across} %, pystysuunnassa {down} %",
    "corners.pyramid.1": "Ylin kortti",
    "corners.pyramid.2": "Alimman rivin ensimmäinen kortti",
    "corners.pyramid.3": "Alimman rivin viimeinen kortti",
    "corners.rows.1": "Ensimmäinen pohjakortti, ylhäällä",
    "corners.rows.2": "Neljäs pohjakortti",
    "corners.rows.3": "Uloin kortti vasemmalla",
    "corners.rows.4": "Uloin kortti oikealla",
    "refused.title": "Tätä kuvaa ei voitu lukea",
    "refused.as": "Kokeile toisena pelinä",
    "refused.try": "Kokeile uudelleen",
    "refused.another": "Ota toinen kuva",
    "refused.back": "Takaisin peliin",
    "refused.otherwise": "Kokeile tätä kuvaa toisin",
    "refused.picture": "Kuva, jota ei voitu lukea",
    "refused.kept": "Kuva säilyy muistissa puoli tuntia, eikä sitä tallenneta levylle.",
    "error.no-refused": "Kuva ei ole enää tallessa. Valitse se uudelleen.",
    "error.no-corners": "Tämä pöytä on asetettu toisin kuin osoitettiin, tai siitä ei ole kuvaa.",
    "error.pyramid-in-line": (
        "Kolme korttia ovat liian suorassa linjassa. Osoita ylintä korttia ja alimman rivin molempia päitä."
    ),
    "error.rows-in-line": (
        "Uloimpien korttien on oltava pohjakorttien eri puolilla. Osoita ensimmäistä ja neljättä pohjakorttia, "
        "sitten kummankin puolen uloimpaa korttia."
    ),
    "keys.title": "Puhe ja näppäimet",
    "keys.all": "Kaikki näppäimet",
    "keys.switch": "Käytä yhden näppäimen komentoja",
    "keys.h": "Lisää vihjettä",
    "keys.g": "Vähemmän vihjettä",
    "keys.r": "Sano uudelleen",
    "keys.s": "Lopeta puhe",
    "keys.u": "Kumoa",
    "keys.y": "Tee uudelleen",
    "keys.n": "Seuraava kuva",
    "keys.w": "Katso pöytää tai lopeta katsominen",
    "keys.help": "Näytä nämä näppäimet",
    "keys.escape": "Esc sulkee avatun ja lopettaa puheen.",
    "speech.title": "Puhe",
    "speech.switch": "Lue vihjeet ja siirrot ääneen",
    "speech.begun": "Vihjeet ja siirrot luetaan ääneen.",
    "speech.none": (
        "Tässä selaimessa ei ole omaa ääntä tälle kielelle ({language}): kaikki näkyy, mutta mitään ei lueta ääneen."
    ),
    "speech.repeat": "Sano uudelleen",
    "speech.stop": "Lopeta puhe",
}
