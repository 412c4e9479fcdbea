"""What the page shows of row games alone, as plain values for the template."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion_app.languages import Language
from companion_app.languages.phrases import stack_name
from companion_app.tables.table import Table
from rules.cards import Card
from rules.catalogue import Game
from rules.looks import known
from rules.rows.in_play import is_locked
from rules.rows.moves import DIRECTIONS
from rules.rows.places import CELLAR, SIDES, Stack, parse_place
from rules.rows.position import RowPosition

FIRST = {"foundation": "hint.to-foundation", "direction": "hint.choice", "base": "hint.choice", "reverse": "hint.turns"}
"""What to say first of a kind of move; of the others, that a card can move."""


def first_phrase(spoken: Language, move: Mapping[str, Any]) -> str:
    """Whether there is a move, and of what sort."""
    to_free_place = move["kind"] == "base" and len(move["places"]) > 1
    return spoken.say("hint.card-moves" if to_free_place else FIRST.get(move["kind"], "hint.card-moves"))


def marked_places(position: RowPosition, move: Mapping[str, Any]) -> tuple[str, ...]:
    """The places of a move to mark: where its card lies, and what lies now where it goes; none where no card moves."""
    if not move["cards"]:
        return ()
    first, *rest = move["places"]
    return (first, *(_card_there(position, place) for place in rest))


def _card_there(position: RowPosition, place: str) -> str:
    """The place of the card that lies at a place, or before it at the end of its line."""
    found = parse_place(place)
    if found is None:
        return place
    stack, index = found
    return stack.place(max(1, min(index, len(position.cards_in(stack) or ()))))


def look_at(spoken: Language, position: RowPosition, move: Mapping[str, Any]) -> tuple[tuple[str, ...], str]:
    """Where to look for a move: the places of the part of the table, and its name."""
    if move["kind"] == "direction":
        stacks = [Stack("base", None, row) for row in range(1, len(position.bases) + 1)]
    elif move["kind"] == "reverse":
        stacks = [Stack("column", side) for side in SIDES]
    else:
        found = parse_place(move["places"][0])
        stacks = [found[0]] if found else []
    places = [stack.place(index) for stack in stacks for index in range(1, len(position.cards_in(stack) or ()) + 1)]
    return tuple(places), "; ".join(dict.fromkeys(stack_name(spoken, stack) for stack in stacks))


def is_in_cellar(position: RowPosition, place: str, game: Game) -> bool:
    """Whether a place is the cellar, and its card locked in."""
    return place == CELLAR and bool(position.cards_in(Stack(CELLAR))) and is_locked(position, game)


def choices_view(spoken: Language, table: Table, position: RowPosition) -> dict[str, Any]:
    """What is known of the direction and of the columns, and which of it a person is to be asked for; what else was
    chosen."""
    told = known(position, table.game)
    assert isinstance(told, RowPosition)
    free = [spoken.place(f"base {row}") for row in told.free_centre or ()]
    said = [f"{spoken.say('rows.free')}: {', '.join(free)}"] if free else []
    return {
        "directions": [(way, spoken.say(f"rows.{way}"), way == told.direction) for way in DIRECTIONS],
        "known": told.direction is not None,
        "columns": any(told.columns),
        "reversed": {True: "yes", False: "no", None: ""}[told.reversed],
        "asked": _to_ask(told) if not table.is_won else "",
        "said": said,
    }


def _to_ask(position: RowPosition) -> str:
    """What is to be asked before a hint, as the key of its sentence; empty where nothing is."""
    if position.direction is None:
        return "hint.ask-direction"
    return "hint.ask-reversed" if any(position.columns) and position.reversed is None else ""


def features(spoken: Language, game: Game) -> list[str]:
    """What tells the row games apart: their bases, and whether there is a cellar."""
    options = game.row_options
    cellar = [spoken.say("rows.cellar" if options.cellar else "rows.no-cellar")] if options.shape.auxiliary else []
    return [spoken.say(f"rows.bases-{options.bases}"), *cellar]


def cards_moved(before: RowPosition, now: RowPosition, cards: Sequence[Any]) -> list[Card]:
    """Which of some cards lie elsewhere than before, or nowhere: those that can be put back."""
    lay, lie = ({card: place for place, card in one.lying()} for one in (before, now))
    return [card for card in cards if isinstance(card, Card) and card in lay and lie.get(card) != lay[card]]
