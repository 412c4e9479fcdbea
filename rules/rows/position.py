"""Positions of the row family.

``None`` means *not known*; a place known to be empty holds ``GONE``. The JSON form leaves out what is not known and
writes ``null`` for empty, as the contract says.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from rules.cards import GONE, UNREADABLE, Card, Seen, Unseen, parse_seen, seen_code
from rules.catalogue import Game
from rules.errors import PositionError
from rules.rows.moves import DIRECTIONS, Direction
from rules.rows.places import CELLAR, SIDES, Side, Stack, parse_place
from rules.rows.shapes import BASES

Cards = tuple[Seen, ...]
"""Cards of a half row from the centre outward, or of a column from the top; none of them ``GONE``."""

ROW_KEYS: Final = (
    "base",
    "base_cards",
    "left",
    "right",
    "left_column",
    "right_column",
    CELLAR,
    "direction",
    "reversed",
    "free_centre",
)


@dataclass(frozen=True, slots=True)
class RowPosition:
    """What is known of a table.

    ``bases``: the card on top at each place of the base column, from the top. ``base_cards``: what each foundation
    began with; None where not known, or where no foundation lies (yet). ``left``, ``right``: every half row from the
    top. ``left_column``, ``right_column``: None where the game has none, or not known. ``reversed``: whether both
    columns have been reversed. ``free_centre``: base places, from 1, whose card is a free one and no base; a place that
    is empty is not listed.
    """

    bases: Cards
    base_cards: tuple[Card | None, ...]
    left: tuple[Cards, ...]
    right: tuple[Cards, ...]
    left_column: Cards | None = None
    right_column: Cards | None = None
    cellar: Seen | None = None
    direction: Direction | None = None
    reversed: bool | None = None
    free_centre: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if len(self.bases) != BASES or len(self.base_cards) != BASES:
            said = f"the base column has {BASES} places, from the top: list each of them, null if empty"
            raise PositionError(said, "base-places", count=BASES)
        if len(self.left) != len(self.right):
            said = f"{len(self.left)} half rows on the left, but {len(self.right)} on the right"
            raise PositionError(said, "half-rows-differ", left=len(self.left), right=len(self.right))
        if any(GONE in cards for cards in (*self.left, *self.right, *self.columns)):
            raise PositionError("a row lists the cards that lie in it; an empty one is an empty list", "row-nulls")
        for row in self.free_centre or ():
            if not 1 <= row <= BASES:
                raise not_of_the_centre(row)
        if self.free_centre is not None:
            lying = tuple(sorted({row for row in self.free_centre if self.bases[row - 1] is not GONE}))
            object.__setattr__(self, "free_centre", lying)
        if any(self.base_cards[row - 1] is not None for row in self.free_centre or ()):
            said = "a place of free_centre has no foundation, so base_cards must be null there"
            raise PositionError(said, "free-centre-base")

    @property
    def columns(self) -> tuple[Cards, ...]:
        """The columns that are known, left before right."""
        return tuple(column for column in (self.left_column, self.right_column) if column is not None)

    @property
    def row_count(self) -> int:
        """Half rows a side."""
        return len(self.left)

    def cards_in(self, stack: Stack) -> Cards | None:
        """The cards of a stack: of a base the one on top, none where it is empty; None for one that is not there or
        not known."""
        if stack.kind == "half":
            rows = self.half_rows(stack.side)
            return rows[stack.row - 1] if stack.row <= len(rows) else None
        if stack.kind == "column":
            return self.left_column if stack.side == "left" else self.right_column
        if stack.kind == "base" and stack.row > BASES:
            return None
        single = self.cellar if stack.kind == "cellar" else self.bases[stack.row - 1]
        return None if single is None else () if single is GONE else (single,)

    def half_rows(self, side: Side | None) -> tuple[Cards, ...]:
        """The half rows of a side, from the top."""
        return self.left if side == "left" else self.right

    def stacks(self) -> Iterator[Stack]:
        """Every stack that is known: half rows left before right, columns, cellar, bases from the top."""
        for side in SIDES:
            for row in range(1, self.row_count + 1):
                yield Stack("half", side, row)
        for side in SIDES:
            if self.cards_in(Stack("column", side)) is not None:
                yield Stack("column", side)
        if self.cellar is not None:
            yield Stack("cellar")
        for row in range(1, BASES + 1):
            yield Stack("base", None, row)

    def look(self, place: str) -> Seen | None:
        """What lies at a place by its text, ``GONE`` where nothing does; None where not known, or no such place."""
        found = parse_place(place)
        cards = self.cards_in(found[0]) if found else None
        if found is None or cards is None:
            return None
        return cards[found[1] - 1] if found[1] <= len(cards) else GONE

    def lying(self) -> Iterator[tuple[str, Seen]]:
        """Every place where a card lies to be seen, with the card; bases by the card on top."""
        for stack in self.stacks():
            for index, card in enumerate(self.cards_in(stack) or (), start=1):
                yield stack.place(index), card

    def with_cards(self, stack: Stack, cards: Cards) -> RowPosition:
        """The position with other cards in a stack; what a foundation that shows another card began with is no longer
        known."""
        if stack.kind == "half":
            rows = list(self.half_rows(stack.side))
            rows[stack.row - 1] = cards
            return replace(self, left=tuple(rows)) if stack.side == "left" else replace(self, right=tuple(rows))
        if stack.kind == "column":
            return replace(self, left_column=cards) if stack.side == "left" else replace(self, right_column=cards)
        single = cards[0] if cards else GONE
        if stack.kind == CELLAR:
            return replace(self, cellar=single)
        at = stack.row - 1
        tops, begun = list(self.bases), list(self.base_cards)
        tops[at], begun[at] = single, begun[at] if tops[at] == single else None
        return replace(self, bases=tuple(tops), base_cards=tuple(begun))

    def with_seen(self, places: Mapping[str, Seen]) -> RowPosition:
        """The position with what lies at some places overridden: a line closes up where a card is gone, and grows by
        one that lies beyond its end. Places that it has not are left out."""
        position = self
        for place, seen in sorted(places.items(), key=lambda item: _depth(item[0]), reverse=True):
            found = parse_place(place)
            cards = position.cards_in(found[0]) if found and found[0].row <= self.row_count else None
            if found is None or cards is None:
                continue
            put = () if seen is GONE else (seen,)
            position = position.with_cards(found[0], (*cards[: found[1] - 1], *put, *cards[found[1] :]))
        return position

    def to_json(self) -> dict[str, Any]:
        """The position object of the contract: keys not known are absent."""
        data: dict[str, Any] = {"base": _codes(self.bases)}
        if any(self.base_cards):
            data["base_cards"] = [None if card is None else str(card) for card in self.base_cards]
        data["left"] = [_codes(row) for row in self.left]
        data["right"] = [_codes(row) for row in self.right]
        for name in ("left_column", "right_column"):
            column: Cards | None = getattr(self, name)
            if column is not None:
                data[name] = _codes(column)
        if self.cellar is not None:
            data[CELLAR] = seen_code(self.cellar)
        if self.direction is not None:
            data["direction"] = self.direction
        if self.reversed is not None:
            data["reversed"] = self.reversed
        if self.free_centre is not None:
            data["free_centre"] = list(self.free_centre)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RowPosition:
        """The position of an object as in the contract; other keys are ignored. Raises PositionError or CardError."""
        missing = [key for key in ("base", "left", "right") if key not in data]
        if missing:
            said = f"a position of the row family needs base, left and right; there is no {missing[0]}"
            raise PositionError(said, "row-keys", key=missing[0])
        return cls(
            bases=_cards_of(data["base"], "base"),
            base_cards=_base_cards_of(data.get("base_cards")),
            left=_rows_of(data["left"], "left"),
            right=_rows_of(data["right"], "right"),
            left_column=_column_of(data, "left_column"),
            right_column=_column_of(data, "right_column"),
            cellar=parse_seen(data[CELLAR]) if CELLAR in data else None,
            direction=_direction_of(data.get("direction")),
            reversed=_reversed_of(data.get("reversed")),
            free_centre=_places_of(data.get("free_centre")),
        )

    @classmethod
    def from_places(cls, game: Game, places: Mapping[str, Seen | bool | None]) -> RowPosition:
        """The position a picture shows. A base that was not seen counts as unreadable; what a place of a row or column
        lost, those beyond it close up to."""
        options = game.row_options
        stacks: dict[Stack, dict[int, Seen]] = {}
        for place, seen in places.items():
            found = parse_place(place)
            if found is not None and isinstance(seen, Card | Unseen):
                stacks.setdefault(found[0], {})[found[1]] = seen

        def cards(stack: Stack) -> Cards:
            return tuple(seen for _, seen in sorted(stacks.get(stack, {}).items()) if seen is not GONE)

        left, right = (
            tuple(cards(Stack("half", side, row)) for row in range(1, options.shape.rows + 1)) for side in SIDES
        )
        columns = [cards(Stack("column", side)) if options.shape.column else None for side in SIDES]
        cellar = stacks.get(Stack(CELLAR), {}).get(1)
        return cls(
            bases=tuple(stacks.get(Stack("base", None, row), {}).get(1, UNREADABLE) for row in range(1, BASES + 1)),
            base_cards=(None,) * BASES,
            left=left,
            right=right,
            left_column=columns[0],
            right_column=columns[1],
            cellar=cellar if options.cellar or cellar is not GONE else None,
        )


def _depth(place: str) -> int:
    found = parse_place(place)
    return found[1] if found else 0


def _codes(cards: Cards) -> list[str | None]:
    return [seen_code(card) for card in cards]


def _cards_of(value: object, key: str) -> Cards:
    if not isinstance(value, list):
        raise PositionError(f"{key} is a list of card codes, not {value!r}", "list-codes", key=key)
    return tuple(parse_seen(code) for code in value)


def _base_cards_of(value: object) -> tuple[Card | None, ...]:
    if value is None:
        return (None,) * BASES
    return tuple(card if isinstance(card, Card) else None for card in _cards_of(value, "base_cards"))


def _rows_of(value: object, key: str) -> tuple[Cards, ...]:
    """Rows of cards; an empty half row may be written as an empty list or as nulls."""
    if not isinstance(value, list):
        said = f"{key} is a list of half rows from the top, each a list of card codes"
        raise PositionError(said, "list-rows", key=key)
    return tuple(_without_gaps(_cards_of(row, key), key) for row in value)


def _column_of(data: Mapping[str, Any], key: str) -> Cards | None:
    if key not in data:
        return None
    return () if data[key] is None else _without_gaps(_cards_of(data[key], key), key)


def _without_gaps(cards: Cards, key: str) -> Cards:
    """The cards of a row; nulls count as places already empty, which lie at its ends."""
    if GONE not in cards:
        return cards
    lying = tuple(index for index, card in enumerate(cards) if card is not GONE)
    if lying and lying[-1] - lying[0] + 1 != len(lying):
        raise PositionError(f"{key} has an empty place between cards of one row", "row-gap", key=key)
    return tuple(card for card in cards if card is not GONE)


def _direction_of(value: object) -> Direction | None:
    if value is None:
        return None
    for direction in DIRECTIONS:
        if value == direction:
            return direction
    quoted = reprlib.repr(value)
    raise PositionError(f"direction is up or down, not {quoted}", "direction-value", value=quoted)


def _reversed_of(value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    quoted = reprlib.repr(value)
    raise PositionError(f"reversed is true or false, not {quoted}", "truth-value", key="reversed", value=quoted)


def _places_of(value: object) -> tuple[int, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list) or any(isinstance(row, bool) or not isinstance(row, int) for row in value):
        raise not_of_the_centre(value)
    return tuple(value)


def not_of_the_centre(value: object) -> PositionError:
    """What is wrong where `free_centre` is told otherwise than by places of the base column."""
    quoted = reprlib.repr(value)
    said = f"free_centre names places 1 to {BASES} of the base column, not {quoted}"
    return PositionError(said, "free-centre", most=BASES, value=quoted)
