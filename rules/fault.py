"""A fault of a layout as data: what is wrong, where, with which cards. Sentences are made in the interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from rules.cards import Seen, seen_code

Stage = Literal["deal", "play"]
FaultKind = Literal[
    "duplicate-card",
    "missing-card",
    "foreign-card",
    "wrong-count",
    "misplaced",
    "should-be-face-down",
    "should-be-face-up",
    "wrong-apex",
    "wrong-base",
    "unreadable",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: what is wrong, where, and with which cards."""

    kind: FaultKind
    places: tuple[str, ...] = ()
    cards: tuple[Seen, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As the contract prints it."""
        return {"kind": self.kind, "places": list(self.places), "cards": [seen_code(card) for card in self.cards]}
