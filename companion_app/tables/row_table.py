"""What a person says of the cards in a half row or column: a line without holes, which grows and closes up."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, TypeVar

from companion_app.tables.table import Table
from rules.cards import GONE, UNREADABLE, Seen
from rules.looks import Position
from rules.rows.moves import Direction
from rules.rows.places import Stack, parse_place
from rules.rows.position import RowPosition
from vision.reading import TableReading

How = Literal["", "before", "after"]
"""Instead of the card at a place; or one that was missed: on its inner or upper side, or on its outer or lower one."""

_T = TypeVar("_T")
Renumber = Callable[[str], str | None]


def is_in_line(place: str) -> bool:
    """Whether a place is one of a half row or column."""
    found = parse_place(place)
    return found is not None and found[0].kind in ("half", "column")


def line_places(position: Position) -> set[str]:
    """Every place of the half rows and columns, and the one beyond the end of each."""
    if not isinstance(position, RowPosition):
        return set()
    lines = [stack for stack in position.stacks() if stack.kind in ("half", "column")]
    return {line.place(index) for line in lines for index in range(1, len(position.cards_in(line) or ()) + 2)}


def settled_in_line(table: Table, place: str, seen: Seen | None, how: How = "") -> Table:
    """The table with a person's word for a place in a line: None trusts the picture again, where a card is gone the
    others close up, and one that was missed makes them make room."""
    found = parse_place(place)
    if found is None:
        return table
    stack, index = found
    lies = place in {spot for spot, _ in _lying(table)}
    if seen is None:
        return table.changed(pins={spot: card for spot, card in table.pins.items() if spot != place})
    if seen is GONE:
        return _closed_up(table, stack, index) if lies else table.changed(pins={**table.pins, place: GONE})
    if how and lies:
        at = index + (how == "after")
        table = _opened_up(table, stack, at)
        place = stack.place(at)
    return table.changed(pins={**table.pins, place: seen})


def directed(table: Table, way: Direction | None) -> Table:
    """The table, and those before it, with what a person says of the direction, refereed anew: it is chosen once."""
    before = directed(table.before, way) if table.before else None
    return table.changed(direction=way, before=before).refereed()


def _lying(table: Table) -> list[tuple[str, Seen]]:
    seen = table.seen()
    return list(seen.lying()) if isinstance(seen, RowPosition) else []


def _closed_up(table: Table, stack: Stack, gone: int) -> Table:
    """Without the card at an index, counted from 1; those beyond it lie one nearer."""
    if isinstance(table.text, RowPosition):
        table = replace(table, text=table.text.with_seen({stack.place(gone): GONE}))
    return _renumbered(table, stack, lambda index: None if index == gone else index - (index > gone))


def _opened_up(table: Table, stack: Stack, at: int) -> Table:
    """With room for one more card at an index; that there and those beyond it lie one farther on."""
    if isinstance(table.text, RowPosition):
        cards = table.text.cards_in(stack) or ()
        table = replace(table, text=table.text.with_cards(stack, (*cards[: at - 1], UNREADABLE, *cards[at - 1 :])))
    return _renumbered(table, stack, lambda index: index + (index >= at))


def _renumbered(table: Table, stack: Stack, moved: Callable[[int], int | None]) -> Table:
    """The table with the cards of a line at other places of it, in what was read and what was settled."""

    def place_of(place: str) -> str | None:
        found = parse_place(place)
        if found is None or found[0] != stack:
            return place
        index = moved(found[1])
        return None if index is None else stack.place(index)

    reading = _moved_reading(table.reading, place_of) if table.reading else None
    return table.changed(
        reading=reading,
        pins=_moved(table.pins, place_of),
        hindsight=_moved(table.hindsight, place_of),
        edited=True,
    )


def _moved(places: Mapping[str, _T], place_of: Renumber) -> dict[str, _T]:
    return {there: what for place, what in places.items() if (there := place_of(place)) is not None}


def _moved_reading(reading: TableReading, place_of: Renumber) -> TableReading:
    def all_moved(places: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(there for place in places if (there := place_of(place)) is not None)

    cards = tuple(replace(card, place=there) for card in reading.cards if (there := place_of(card.place)) is not None)
    return replace(
        reading,
        places=_moved(reading.places, place_of),
        cards=cards,
        doubts=all_moved(reading.doubts),
        foreign=all_moved(reading.foreign),
    )
