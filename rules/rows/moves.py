"""Moves of the row family as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from rules.cards import Seen, parse_seen, seen_code, seen_text
from rules.errors import PositionError
from rules.rows.places import CELLAR, base_place

RowMoveKind = Literal["build", "foundation", "cellar", "fill", "reverse", "base", "direction"]
ROW_MOVE_KINDS: Final[tuple[RowMoveKind, ...]] = (
    "build",
    "foundation",
    "cellar",
    "fill",
    "reverse",
    "base",
    "direction",
)

Direction = Literal["up", "down"]
DIRECTIONS: Final[tuple[Direction, Direction]] = ("up", "down")


@dataclass(frozen=True, slots=True)
class RowMove:
    """One move; the codes and places of the contract.

    ``build``, ``fill``, ``foundation`` and ``cellar`` name one card, its place and where it lies afterwards. ``base``
    names a centre card and its place, where it is chosen as its suit's base, or a card that becomes the base of a free
    centre place, where it lay and that place. ``reverse`` names nothing. ``direction`` names no card, and as its only
    place ``up`` or ``down``.
    """

    kind: RowMoveKind
    cards: tuple[Seen, ...]
    places: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As the contract prints it."""
        return {"kind": self.kind, "cards": [seen_code(card) for card in self.cards], "places": list(self.places)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RowMove:
        """The inverse of ``to_json``; raises PositionError or CardError."""
        kind, cards, places = data.get("kind"), data.get("cards", []), data.get("places", [])
        if kind not in ROW_MOVE_KINDS or not isinstance(cards, list) or not isinstance(places, list):
            raise PositionError(f"{data!r} is no move of the row family")
        return cls(cast(RowMoveKind, kind), tuple(parse_seen(code) for code in cards), tuple(str(p) for p in places))

    def __str__(self) -> str:
        cards = (seen_text(card) for card in self.cards)
        return " ".join((self.kind, *(self.places if self.kind == "direction" else cards)))


def build(card: Seen, source: str, target: str) -> RowMove:
    """A card onto the playable card of another row; ``target`` is its place afterwards."""
    return RowMove("build", (card,), (source, target))


def fill(card: Seen, source: str, target: str) -> RowMove:
    """A card into an empty half row; ``target`` is its place afterwards."""
    return RowMove("fill", (card,), (source, target))


def foundation(card: Seen, source: str, row: int) -> RowMove:
    """A card to the foundation of base ``row``, counted from 1."""
    return RowMove("foundation", (card,), (source, base_place(row)))


def to_cellar(card: Seen, source: str) -> RowMove:
    """A card into the empty cellar."""
    return RowMove("cellar", (card,), (source, CELLAR))


def base_choice(card: Seen, row: int) -> RowMove:
    """A centre card chosen as the base of its suit."""
    return RowMove("base", (card,), (base_place(row),))


def new_base(card: Seen, source: str, row: int) -> RowMove:
    """A card laid at a free centre place as the base of its suit, which had none."""
    return RowMove("base", (card,), (source, base_place(row)))


def direction(chosen: Direction) -> RowMove:
    """The choice in which direction all four foundations are built."""
    return RowMove("direction", (), (chosen,))


REVERSE: Final = RowMove("reverse", (), ())
"""Both outer vertical rows reversed together, once a game: their upper ends become the playable ones."""
