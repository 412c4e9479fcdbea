"""What the hints of every family are made of: records only, sentences are made in the interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from rules.cards import Seen, seen_code
from rules.intervals import wilson

Certainty = Literal["proven", "sampled", "bound"]


@dataclass(frozen=True, slots=True)
class Win:
    """How likely a win is after a move, between 0 and 1, with its 95 % interval."""

    estimate: float
    low: float
    high: float

    @classmethod
    def of_counts(cls, won: float, open_: float, tried: int) -> Win:
        """Wilson's interval for ``won`` of ``tried``; the ``open_`` ones left undecided count as lost for the
        estimate and the low end, as won for the high end."""
        if tried == 0:
            return UNKNOWN_WIN
        return cls(min(1.0, won / tried), wilson(won, tried)[0], wilson(min(won + open_, tried), tried)[1])

    def to_json(self) -> dict[str, float]:
        """As the contract prints it."""
        return {"estimate": self.estimate, "low": self.low, "high": self.high}


CERTAIN_WIN: Final = Win(1.0, 1.0, 1.0)
CERTAIN_LOSS: Final = Win(0.0, 0.0, 0.0)
UNKNOWN_WIN: Final = Win(0.5, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is worth it: a code of the family's ``REASONS`` and the cards it speaks of."""

    code: str
    cards: tuple[Seen, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """``{"code", "cards"}``."""
        return {"code": self.code, "cards": [seen_code(card) for card in self.cards]}
