"""Moves of the pyramid family as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from rules.cards import Seen, parse_seen, seen_code, seen_text
from rules.errors import PositionError
from rules.layouts import STOCK, TURNED, WASTE

MoveKind = Literal["pair", "single", "turn", "redeal"]
MOVE_KINDS: tuple[MoveKind, ...] = ("pair", "single", "turn", "redeal")


@dataclass(frozen=True, slots=True)
class Move:
    """One move; the codes and places of the contract.

    ``pair`` and ``single`` name the cards that leave and their places. ``turn`` names the cards turned, first one first
    (``??`` where not known), and the places from and to. ``redeal`` names no card and the places ``waste``, ``stock``.
    """

    kind: MoveKind
    cards: tuple[Seen, ...]
    places: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As the contract prints it."""
        return {"kind": self.kind, "cards": [seen_code(card) for card in self.cards], "places": list(self.places)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Move:
        """The inverse of ``to_json``; raises PositionError or CardError."""
        kind, cards, places = data.get("kind"), data.get("cards", []), data.get("places", [])
        if kind not in MOVE_KINDS or not isinstance(cards, list) or not isinstance(places, list):
            raise PositionError(f"{data!r} is no move of the pyramid family")
        return cls(cast(MoveKind, kind), tuple(parse_seen(code) for code in cards), tuple(str(p) for p in places))

    def __str__(self) -> str:
        return " ".join((self.kind, *(seen_text(card) for card in self.cards)))


def pair(first: Seen, first_place: str, second: Seen, second_place: str) -> Move:
    """Two cards that leave together."""
    return Move("pair", (first, second), (first_place, second_place))


def single(card: Seen, place: str) -> Move:
    """A card that leaves alone."""
    return Move("single", (card,), (place,))


def turn(cards: tuple[Seen, ...], *, held: bool) -> Move:
    """Cards turned from the stock: held beside it, or laid on the waste."""
    return Move("turn", cards, (STOCK, TURNED if held else WASTE))


REDEAL: Move = Move("redeal", (), (WASTE, STOCK))
"""The waste turned over as one block to be the stock again, order kept."""
