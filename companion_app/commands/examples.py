"""Examples for the help of each command: what one would type first, and what is worth knowing next."""

EXAMPLES = {
    "games": ("cardtable games --lang fi", "cardtable games pyramid --sheet --out pyramid.html"),
    "play": (
        "cardtable play --game relaxed-pyramid",
        'echo "hint 4" | cardtable play --game arcydzielo --seed 7 --json',
    ),
    "read": (
        "cardtable read table.jpg",
        "cardtable read --game none spread.jpg",
        "cardtable read photographs --recursive --out cards.csv",
    ),
    "check": (
        "cardtable check --game pyramid --stage deal table.jpg",
        "cardtable check --game king-tut --json photographs",
    ),
    "hint": (
        "cardtable hint --game pyramid table.jpg",
        "cardtable read --json table.jpg | cardtable hint --game easy-pyramid --seconds 5 -",
    ),
    "referee": ("cardtable referee --game pyramid before.jpg after.jpg",),
    "follow": (
        "cardtable follow --game piwnica 1.jpg 2.jpg 3.jpg",
        "cardtable follow --game pyramid game.mp4 --json",
    ),
    "watch": ("cardtable watch --game pyramid --camera 0",),
    "score": (
        "cardtable score --game pyramid table.jpg",
        "cardtable score --game pyramid --scheme points game.txt",
    ),
    "review": ("cardtable review game.txt",),
    "stats": ("cardtable stats", "cardtable stats --json"),
    "simulate": (
        "cardtable simulate --game easy-pyramid --deals 200 --policy greedy",
        "cardtable simulate --game ulubiony --deals 1000 --scheduler tcp://10.0.0.2:8786",
    ),
    "solve": (
        "cardtable solve --game relaxed-pyramid deals.txt",
        "cardtable solve --game piwnica --limit-seconds 10 --json - < deals.txt",
    ),
    "serve": ("cardtable serve", "cardtable serve --lan --https"),
    "report": ("cardtable report table.jpg --out report.zip",),
    "decks": ("cardtable decks", "cardtable decks teach grandmother all-cards.jpg"),
    "decks teach": (
        "cardtable decks teach grandmother all-cards.jpg",
        'cardtable decks teach grandmother some.jpg --order "5H 6H 7H"',
    ),
    "decks forget": ("cardtable decks forget grandmother",),
    "models verify": ("cardtable models verify",),
    "settings show": ("cardtable settings show", "CARDTABLE_LANGUAGE=fi cardtable settings show --json"),
}


def examples(command: str) -> str:
    """What stands below the help of a command."""
    return "\n\n".join(("For example:", *EXAMPLES[command]))
