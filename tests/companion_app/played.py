"""Games played on a desk that keeps them: won, lost, left, begun anew, and a whole game from its deal."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from companion_app.desk.desk import Desk
from companion_app.hints.preparing import Preparation
from companion_app.languages import language
from companion_app.library.store import Store
from companion_app.settings import Settings
from companion_app.tables.table import Table, Way
from rules.cards import seen_text
from rules.catalogue import Game, find_game
from rules.families import family_of
from rules.looks import Position, lying
from tests.companion_app.fakes import FakeEyes, picture_bytes, reading
from vision.reading import TableReading

ENGLISH = language("en")
GAME = "relaxed-pyramid"
BARE = ("--", "-- --", "-- -- --", "-- -- -- --", "-- -- -- -- --", "-- -- -- -- -- --", "-- -- -- -- -- -- --")


def last_cards(*rows: str, stock: bool = True, waste: str | None = "4C") -> TableReading:
    """A reading near the end of a game: the cards of the uppermost rows."""
    found = reading((*rows, *BARE[len(rows) :]), {"waste": waste, "foundation": "9H"})
    return found if stock else without_stock(found)


def without_stock(found: TableReading) -> TableReading:
    """A reading of a table whose stock is gone through."""
    cards = tuple(card for card in found.cards if card.place != "stock")
    return replace(found, cards=cards, places={**found.places, "stock": False})


WON = (last_cards("KS"), last_cards())
"""A king alone, and what stays when it leaves."""
LOST = (last_cards("2H", "KD --", stock=False), last_cards("2H", stock=False))
"""A last king leaves, and a two stays for which there is no jack."""


def desk_of(folder: Path, *seen: TableReading, **settings: object) -> Desk:
    """A desk that keeps games in a folder, and thinks about hints for a moment only."""
    chosen = Settings(page_hint_seconds=0.05, **settings)  # type: ignore[arg-type]
    return Desk(FakeEyes(*seen), chosen, Preparation(), store=Store(folder))


def play(desk: Desk, looks: int, game: str = GAME, way: Way = "play", step: int = 0) -> Table:
    """A game of so many pictures, with a hint at the first of them if a step is given."""
    table = desk.open_picture(picture_bytes(), "one.jpg", game, ENGLISH, way=way)
    if step:
        desk.hint(table, step, "", ENGLISH)
        desk.hint(table, 0, "", ENGLISH)
    for _ in range(looks - 1):
        table = desk.next_picture(table, picture_bytes(), "next.jpg", ENGLISH)
    return table


def seen_at(position: Position) -> TableReading:
    """What a reader sees of a position of a pyramid game."""
    codes = {place: seen_text(seen) for place, seen in lying(position)}
    heights = range(1, 1 + len(position.to_json()["pyramid"]))
    rows = tuple(" ".join(codes.get(f"pyramid {r} {c}", "--") for c in range(1, r + 1)) for r in heights)
    piles = {pile: None if (code := codes.get(pile, "--")) == "--" else code for pile in ("waste", "foundation")}
    found = reading(rows, piles)
    return found if position.to_json()["stock"] else without_stock(found)


def greedy_looks(game: Game, seed: int, most: int = 200) -> Sequence[TableReading]:
    """What a reader sees of a game from its deal, played by who takes what uncovers most, to its end."""
    family, rng = family_of(game), Random(seed)
    truth = family.deal(game, rng)
    seen = [seen_at(truth)]
    while len(seen) < most and family.outcome(truth, game) == "open":
        move = family.greedy(truth, family.legal_moves(truth, game), game)
        truth = family.play(truth, move, game)
        seen.append(seen_at(truth))
    return seen


def small_game(seed: int) -> tuple[Game, Sequence[TableReading]]:
    """A game of three rows with cards up to six and three passes, played greedily from its deal to its end."""
    rules = find_game("easy-pyramid").with_rules(SMALL)
    return rules, greedy_looks(rules, seed)


SMALL = {"passes": "3", "rows": "3", "total": "6"}
