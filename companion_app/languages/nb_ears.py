"""Norwegian (bokmål): pictures tried otherwise, layouts pointed out, speech and keys."""

MESSAGES = {
    "corners.title": "Oppsettet ligger et annet sted",
    "corners.show": "Vis hvor oppsettet ligger",
    "corners.numbers": "Som tall",
    "corners.how": (
        "Trykk midt på disse kortene i bildet, i denne rekkefølgen, eller dra ringene dit; piltastene flytter en "
        "ring, med Shift lenger. Omtrent er nok, og en tom plass teller der kortet lå."
    ),
    "corners.layout": "Hva som er lagt",
    "corners.pyramid": "Pyramide, {rows} rader",
    "corners.apply": "Les det der",
    "corners.now": "Nå: {what}",
    "corners.at": "{what}: {across} % bortover, {down} % nedover",
    "corners.pyramid.1": "Det øverste kortet",
    "corners.pyramid.2": "Første kort i nederste rad",
    "corners.pyramid.3": "Siste kort i nederste rad",
    "corners.rows.1": "Det første grunnkortet, øverst",
    "corners.rows.2": "Det fjerde grunnkortet",
    "corners.rows.3": "Det ytterste kortet til venstre",
    "corners.rows.4": "Det ytterste kortet til høyre",
    "refused.title": "Dette bildet kunne ikke leses",
    "refused.as": "Prøv det som et annet spill",
    "refused.try": "Prøv igjen",
    "refused.another": "Ta et annet bilde",
    "refused.back": "Tilbake til spillet",
    "refused.otherwise": "Prøv dette bildet på en annen måte",
    "refused.picture": "Bildet som ikke kunne leses",
    "refused.kept": "Bildet ligger i minnet i en halvtime, og ikke på noen disk.",
    "error.no-refused": "Bildet er ikke tatt vare på lenger. Velg det på nytt.",
    "error.no-corners": "Dette bordet er lagt på en annen måte enn det ble pekt på, eller har ikke noe bilde.",
    "error.pyramid-in-line": (
        "De tre kortene ligger nesten på linje. Pek på det øverste kortet og på begge endene av nederste rad."
    ),
    "error.rows-in-line": (
        "De ytterste kortene må ligge på hver sin side av grunnkortene. Pek på det første og det fjerde "
        "grunnkortet, så på det ytterste kortet på hver side."
    ),
    "keys.title": "Tale og taster",
    "keys.all": "Alle taster",
    "keys.switch": "Bruk enkelttaster",
    "keys.h": "Mer av hintet",
    "keys.g": "Mindre av hintet",
    "keys.r": "Si det igjen",
    "keys.s": "Slutt å snakke",
    "keys.u": "Angre",
    "keys.y": "Gjør om",
    "keys.n": "Neste bilde",
    "keys.w": "Følg med på bordet, eller slutt",
    "keys.help": "Vis disse tastene",
    "keys.escape": "Escape lukker det som er åpent, og stopper talen.",
    "speech.title": "Tale",
    "speech.switch": "Les hint og trekk høyt",
    "speech.begun": "Hint og trekk leses høyt.",
    "speech.none": "Denne nettleseren har ingen egen stemme for {language}: alt vises, men ingenting leses høyt.",
    "speech.repeat": "Si det igjen",
    "speech.stop": "Slutt å snakke",
}
