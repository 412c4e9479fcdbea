"""Positions of the pyramid family, with everything that may not be known.

``None`` always means *not known*; a place known to be empty holds ``GONE``. The JSON form leaves out what is not known
and writes ``null`` for empty, as the contract says.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from rules.bounds import MOST_CARDS
from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen, Unseen, parse_seen, seen_code
from rules.catalogue import Game
from rules.errors import PositionError
from rules.layouts import FOUNDATION, PILES, STOCK, TURNED, WASTE, parse_pyramid_place, pyramid_place

Cards = tuple[Seen, ...]
"""Cards of a pile: faces, or ``FACE_DOWN`` for one that is there but not known."""

KEYS: Final = (
    "pyramid",
    "stock",
    "turned",
    "waste",
    "foundation",
    "stock_cards",
    "waste_cards",
    "gone_cards",
    "pass",
    "stock_played",
)


@dataclass(frozen=True, slots=True)
class PyramidPosition:
    """What is known of a table.

    ``rows``: from the apex, as the player sees them. ``stock``: whether it holds cards; ``stock_count``: how many.
    ``stock_cards``: first one drawn first. ``waste_cards``: bottom to top. ``gone_cards``: all that left the game.
    ``pass_number``: from 1. ``stock_played``: whether a card of the stock has been played in this pass, which matters
    where an idle pass ends the game. Piles listed and their counts and tops agree: what follows from a list is filled
    in.
    """

    rows: tuple[Cards, ...]
    stock: bool | None = None
    stock_count: int | None = None
    turned: Seen | None = None
    waste: Seen | None = None
    foundation: Seen | None = None
    stock_cards: Cards | None = None
    waste_cards: Cards | None = None
    gone_cards: Cards | None = None
    pass_number: int | None = None
    stock_played: bool | None = None

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, start=1):
            if len(row) != number:
                said = f"row {number} of a pyramid has {number} places, not {len(row)}"
                raise PositionError(said, "row-length", row=number, places=len(row))
        if self.pass_number is not None and self.pass_number < 1:
            raise PositionError("passes are counted from 1", "pass-value", value=self.pass_number)
        self._fill_from_lists()

    def _fill_from_lists(self) -> None:
        for name, cards in (("stock", self.stock_cards), ("waste", self.waste_cards), ("gone", self.gone_cards)):
            if cards is not None and any(card in (GONE, UNREADABLE) for card in cards):
                said = f"{name}_cards lists cards, with ?? for one that is not known"
                raise PositionError(said, "list-known", key=f"{name}_cards")
        self._fill_stock()
        self._fill_top("waste", "waste_cards")
        if self.gone_cards is not None and not self.gone_cards and self.foundation is None:
            object.__setattr__(self, "foundation", GONE)

    def _fill_stock(self) -> None:
        count = self.stock_count
        if self.stock_cards is not None:
            if count not in (None, len(self.stock_cards)):
                said = f"the stock has {count} cards, but stock_cards lists {len(self.stock_cards)}"
                raise PositionError(said, "stock-lists", count=count, listed=len(self.stock_cards))
            count = len(self.stock_cards)
        elif self.stock is False and count is None:
            count = 0
        if count is None:
            return
        if count < 0 or self.stock not in (None, count > 0):
            said = f"stock is {self.stock}, but its count is {count}"
            raise PositionError(said, "stock-truth", count=count)
        object.__setattr__(self, "stock", count > 0)
        object.__setattr__(self, "stock_count", count)
        if count == 0:
            object.__setattr__(self, "stock_cards", ())

    def _fill_top(self, top_name: str, list_name: str) -> None:
        top: Seen | None = getattr(self, top_name)
        cards: Cards | None = getattr(self, list_name)
        if cards is None:
            if top is GONE:
                object.__setattr__(self, list_name, ())
            return
        listed: Seen = cards[-1] if cards else GONE
        if top is None or (top is FACE_DOWN and isinstance(listed, Card)):
            top = listed
        elif listed is FACE_DOWN and isinstance(top, Card):
            object.__setattr__(self, list_name, (*cards[:-1], top))
        elif top not in (listed, UNREADABLE):
            said = f"{top_name} and the last of {list_name} are not the same card"
            raise PositionError(said, "top-differs", top=top_name, listed=list_name)
        object.__setattr__(self, top_name, top)

    @property
    def row_count(self) -> int:
        """Rows of the pyramid."""
        return len(self.rows)

    def at(self, row: int, column: int) -> Seen:
        """What lies at a place of the pyramid, both counted from 1."""
        return self.rows[row - 1][column - 1]

    def look(self, place: str) -> Seen | None:
        """What lies at a place by its text; None where not known. The stock shows a back, or nothing."""
        spot = parse_pyramid_place(place)
        if spot is not None:
            return self.at(*spot) if spot[0] <= self.row_count else None
        if place == STOCK:
            return None if self.stock is None else (FACE_DOWN if self.stock else GONE)
        if place not in PILES:
            return None
        return cast("Seen | None", getattr(self, place))

    def with_seen(self, places: Mapping[str, Seen]) -> PyramidPosition:
        """The position with what lies at some places overridden; what was listed of a changed pile is no longer
        known."""
        rows = [list(row) for row in self.rows]
        changes: dict[str, Any] = {}
        for place, seen in places.items():
            spot = parse_pyramid_place(place)
            if spot is not None:
                rows[spot[0] - 1][spot[1] - 1] = seen
            else:
                changes[place] = seen is not GONE if place == STOCK else seen
        if STOCK in changes:
            changes |= {"stock_count": None, "stock_cards": None}
        if WASTE in changes:
            changes["waste_cards"] = None
        return replace(self, rows=tuple(tuple(row) for row in rows), **changes)

    def left_in_pyramid(self) -> int:
        """Cards still lying in the pyramid, read or not."""
        return sum(card is not GONE for row in self.rows for card in row)

    def to_json(self) -> dict[str, Any]:
        """The position object of the contract: keys not known are absent."""
        data: dict[str, Any] = {"pyramid": [[seen_code(card) for card in row] for row in self.rows]}
        if self.stock is not None:
            data[STOCK] = self.stock_count if self.stock_count else self.stock
        for name in (TURNED, WASTE, FOUNDATION):
            value: Seen | None = getattr(self, name)
            if value is not None:
                data[name] = seen_code(value)
        for name in ("stock_cards", "waste_cards", "gone_cards"):
            cards: Cards | None = getattr(self, name)
            if cards is not None:
                data[name] = [seen_code(card) for card in cards]
        if self.pass_number is not None:
            data["pass"] = self.pass_number
        if self.stock_played is not None:
            data["stock_played"] = self.stock_played
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PyramidPosition:
        """The position of an object as in the contract; other keys are ignored. Raises PositionError or CardError."""
        pyramid = data.get("pyramid")
        if not isinstance(pyramid, list) or not all(isinstance(row, list) for row in pyramid):
            said = "a position of the pyramid family needs 'pyramid': a list of rows from the apex"
            raise PositionError(said, "no-pyramid")
        # An absent key is not known, a null is an empty stock.
        stock = False if STOCK in data and data[STOCK] is None else data.get(STOCK)
        return cls(
            rows=tuple(tuple(parse_seen(code) for code in row) for row in pyramid),
            stock=_stock_of(stock),
            stock_count=_count_of(stock),
            turned=parse_seen(data[TURNED]) if TURNED in data else None,
            waste=parse_seen(data[WASTE]) if WASTE in data else None,
            foundation=parse_seen(data[FOUNDATION]) if FOUNDATION in data else None,
            stock_cards=_list_of(data, "stock_cards"),
            waste_cards=_list_of(data, "waste_cards"),
            gone_cards=_list_of(data, "gone_cards"),
            pass_number=_pass_of(data.get("pass")),
            stock_played=_truth_of(data.get("stock_played")),
        )

    @classmethod
    def from_places(cls, game: Game, places: Mapping[str, Seen | bool | None]) -> PyramidPosition:
        """The position a picture shows. A pyramid place that was not seen counts as unreadable, a pile as not known."""
        stock = places.get(STOCK)
        return cls(
            rows=tuple(
                tuple(_seen_at(places, pyramid_place(row, column)) or UNREADABLE for column in range(1, row + 1))
                for row in range(1, game.options.rows + 1)
            ),
            stock=stock if isinstance(stock, bool) or stock is None else stock is not GONE,
            turned=_seen_at(places, TURNED),
            waste=_seen_at(places, WASTE),
            foundation=_seen_at(places, FOUNDATION),
        )


def known_cards(cards: Iterable[Seen | None]) -> list[Card]:
    """The faces among what is seen, in order."""
    return [card for card in cards if isinstance(card, Card)]


def _seen_at(places: Mapping[str, Seen | bool | None], place: str) -> Seen | None:
    seen = places.get(place)
    return seen if isinstance(seen, Card | Unseen) else None


def _stock_of(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _count_of(value: object) -> int | None:
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    quoted = reprlib.repr(value)
    raise PositionError(f"stock is true, false or a count, not {quoted}", "stock-value", value=quoted, most=MOST_CARDS)


def _pass_of(value: object) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    quoted = reprlib.repr(value)
    raise PositionError(f"pass is a number from 1, not {quoted}", "pass-value", value=quoted)


def _truth_of(value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    quoted = reprlib.repr(value)
    raise PositionError(f"stock_played is true or false, not {quoted}", "truth-value", key="stock_played", value=quoted)


def _list_of(data: Mapping[str, Any], key: str) -> Cards | None:
    cards = data.get(key)
    if cards is None:
        return None
    if not isinstance(cards, list):
        raise PositionError(f"{key} is a list of card codes", "list-codes", key=key)
    return tuple(parse_seen(code) for code in cards)
