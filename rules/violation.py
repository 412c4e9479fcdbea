"""A broken rule as data: which one, at which places, with which cards. Sentences are made in the interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rules.cards import Seen, seen_code


@dataclass(frozen=True, slots=True)
class Violation:
    """``breach`` is a code of the contract (``covered``, ``wrong-total``, ``not-in-play`` …)."""

    breach: str
    places: tuple[str, ...] = ()
    cards: tuple[Seen, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As the contract prints it."""
        return {"breach": self.breach, "places": list(self.places), "cards": [seen_code(card) for card in self.cards]}

    def __str__(self) -> str:
        cards = " ".join(str(seen_code(card)) for card in self.cards)
        return f"{self.breach} at {', '.join(self.places)} ({cards})"
