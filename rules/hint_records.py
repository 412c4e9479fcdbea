"""What a hint is, for every family: records only. Sentences are made in the interface, per language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Literal

from rules.family import M, Verdict
from rules.hint_parts import CERTAIN_WIN, Certainty, Reason, Win

RankedBy = Literal["shortest-line", "share-won", "cards-left", "order"]


@dataclass(frozen=True, slots=True)
class Hint(Generic[M]):
    """One move with what is known of it. ``cards_left``: how many are left at the end, 0 where it wins (an average
    over samples where ``sampled``). ``depends_on``: doubtful places it rests on. ``line``: the moves of the best line
    found, this one first, where one is known: to a win, or in a lost game to the fewest cards; else empty.
    ``shortest``: the line wins, and it is proven that none, whatever it begins with, wins in fewer moves."""

    move: M
    certainty: Certainty
    win: Win
    cards_left: float
    reason: Reason
    depends_on: tuple[str, ...] = ()
    line: tuple[M, ...] = ()
    shortest: bool = False

    @property
    def wins(self) -> bool:
        """Whether a line that wins for certain is known."""
        return self.win == CERTAIN_WIN and bool(self.line)

    def to_json(self) -> dict[str, Any]:
        """As the contract prints it, with ``moves_to_win`` and ``shortest`` where a line that wins is known."""
        return {
            "move": self.move.to_json(),
            "certainty": self.certainty,
            "win": self.win.to_json(),
            "cards_left": self.cards_left,
            "reason": self.reason.to_json(),
            "depends_on": list(self.depends_on),
            "moves_to_win": len(self.line) if self.wins else None,
            "shortest": self.shortest if self.wins else None,
        }


@dataclass(frozen=True, slots=True)
class Hints(Generic[M]):
    """Every legal move, best first; ``ranked_by`` says what the order rests on, ``worlds`` how many samples.
    ``settled``: more time would not change the best of them, nor what is said of it."""

    hints: tuple[Hint[M], ...]
    verdict: Verdict
    ranked_by: RankedBy
    worlds: int
    milliseconds: float
    settled: bool = False

    def to_json(self) -> dict[str, Any]:
        """The keys of the contract that come from here."""
        return {
            "hints": [hint.to_json() for hint in self.hints],
            "verdict": self.verdict,
            "ranked_by": self.ranked_by,
            "worlds": self.worlds,
            "milliseconds": self.milliseconds,
        }
