"""What a hint is: records only. Sentences are made in the interface, per language."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, Final, Literal

from rules.cards import Seen, seen_code
from rules.pyramid.moves import Move
from rules.pyramid.search import Verdict

Certainty = Literal["proven", "sampled", "bound"]
RankedBy = Literal["shortest-line", "share-won", "cards-left", "order"]

REASONS: Final = (
    "clears-pyramid",
    "king-alone",
    "only-partner-left",
    "frees",
    "clears-waste",
    "removes-two",
    "scout-stock",
    "keeps-partners",
    "new-pass",
    "nothing-else",
)
"""Every reason code; ``frees`` and ``only-partner-left`` name cards."""

_Z_95: Final = 1.959964


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
        return cls(min(1.0, won / tried), _wilson(won, tried)[0], _wilson(min(won + open_, tried), tried)[1])


def _wilson(won: float, tried: int) -> tuple[float, float]:
    share, square = min(1.0, won / tried), _Z_95 * _Z_95
    middle = (share + square / (2 * tried)) / (1 + square / tried)
    reach = _Z_95 / (1 + square / tried) * sqrt(share * (1 - share) / tried + square / (4 * tried * tried))
    return (middle - reach if won else 0.0), (middle + reach if won < tried else 1.0)


CERTAIN_WIN: Final = Win(1.0, 1.0, 1.0)
CERTAIN_LOSS: Final = Win(0.0, 0.0, 0.0)
UNKNOWN_WIN: Final = Win(0.5, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is worth it: a code of ``REASONS`` and the cards it speaks of."""

    code: str
    cards: tuple[Seen, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """``{"code", "cards"}``."""
        return {"code": self.code, "cards": [seen_code(card) for card in self.cards]}


@dataclass(frozen=True, slots=True)
class Hint:
    """One move with what is known of it. ``cards_left``: how many are left at the end, 0 where it wins (an average
    over samples where ``sampled``). ``depends_on``: doubtful places it rests on. ``line``: where every card is known,
    the moves of the best line found, this one first: to a win, or in a lost game to the fewest cards; else empty."""

    move: Move
    certainty: Certainty
    win: Win
    cards_left: float
    reason: Reason
    depends_on: tuple[str, ...] = ()
    line: tuple[Move, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As the contract prints it, with ``moves_to_win`` where a line is known."""
        return {
            "move": self.move.to_json(),
            "certainty": self.certainty,
            "win": {"estimate": self.win.estimate, "low": self.win.low, "high": self.win.high},
            "cards_left": self.cards_left,
            "reason": self.reason.to_json(),
            "depends_on": list(self.depends_on),
            "moves_to_win": len(self.line) if self.win == CERTAIN_WIN and self.line else None,
        }


@dataclass(frozen=True, slots=True)
class Hints:
    """Every legal move, best first; ``ranked_by`` says what the order rests on, ``worlds`` how many samples."""

    hints: tuple[Hint, ...]
    verdict: Verdict
    ranked_by: RankedBy
    worlds: int
    milliseconds: float

    def to_json(self) -> dict[str, Any]:
        """The keys of the contract that come from here."""
        return {
            "hints": [hint.to_json() for hint in self.hints],
            "verdict": self.verdict,
            "ranked_by": self.ranked_by,
            "worlds": self.worlds,
            "milliseconds": self.milliseconds,
        }
