"""Norwegian (bokmål): pictures tried otherwise, layouts pointed out, speech and keys."""

MESSAGES = {
    "corners.title": "Oppsettet ligger et annet sted",
    "corners.show": "Vis hvor oppsettet ligger",
    "corners.numbers": "Som tall",
    "corners.how": (
        "Trykk midt på tre kort i bildet, i denne rekkefølgen, eller dra ringene dit; piltastene flytter en ring,"
        " med Shift lenger. Omtrent er nok, og en tom plass teller der kortet lå."
    ),
    "corners.1": "Det øverste kortet",
    "corners.2": "Første kort i nederste rad",
    "corners.3": "Siste kort i nederste rad",
    "corners.layout": "Hva som er lagt",
    "corners.pyramid": "Pyramide, {rows} rader",
    "corners.apply": "Les det der",
    "corners.now": "Nå: {what}",
    "corners.at": "{what}: {across} % bortover, {down} % nedover",
    "refused.title": "Dette bildet kunne ikke leses",
    "refused.as": "Prøv det som et annet spill",
    "refused.try": "Prøv igjen",
    "refused.another": "Ta et annet bilde",
    "refused.back": "Tilbake til spillet",
    "refused.otherwise": "Prøv dette bildet på en annen måte",
    "refused.picture": "Bildet som ikke kunne leses",
    "refused.kept": "Bildet ligger i minnet i en halvtime, og ikke på noen disk.",
    "error.no-refused": "Bildet er ikke tatt vare på lenger. Velg det på nytt.",
    "error.no-corners": "I dette oppsettet kan ingen ytterkort pekes ut.",
    "error.corners-in-line": (
        "De tre kortene ligger nesten på linje. Pek på det øverste kortet og på begge endene av nederste rad."
    ),
}
