"""What a hint of the row family is: records only. Sentences are made in the interface, per language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from rules.family import Verdict
from rules.hint_parts import CERTAIN_LOSS, CERTAIN_WIN, UNKNOWN_WIN, Certainty, Reason, Win
from rules.rows.moves import RowMove

RankedBy = Literal["shortest-line", "cards-left", "order"]

REASONS: Final = (
    "only-way-that-wins",
    "wins-this-way",
    "fewest-this-way",
    "not-settled",
    "never-hurts",
    "unlocks-cellar",
    "frees-next",
    "empties-row",
    "frees",
    "other-ends",
    "makes-room",
)
"""Every reason code; ``frees`` and ``frees-next`` name cards. The first four are of choices: direction or base."""

WINS: Final[dict[Verdict, Win]] = {"winnable": CERTAIN_WIN, "lost": CERTAIN_LOSS, "undecided": UNKNOWN_WIN}


@dataclass(frozen=True, slots=True)
class RowHint:
    """One move with what is known of it. ``cards_left``: how many stay off the foundations, 0 where it wins.
    ``depends_on``: doubtful places it rests on. ``line``: after a proven win, every move to the end, this one first."""

    move: RowMove
    certainty: Certainty
    win: Win
    cards_left: int
    reason: Reason
    depends_on: tuple[str, ...] = ()
    line: tuple[RowMove, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As the contract prints it, with ``moves_to_win`` where a line is known."""
        return {
            "move": self.move.to_json(),
            "certainty": self.certainty,
            "win": self.win.to_json(),
            "cards_left": self.cards_left,
            "reason": self.reason.to_json(),
            "depends_on": list(self.depends_on),
            "moves_to_win": len(self.line) or None,
        }


@dataclass(frozen=True, slots=True)
class RowHints:
    """Every legal move, best first; ``ranked_by`` says what the order rests on."""

    hints: tuple[RowHint, ...]
    verdict: Verdict
    ranked_by: RankedBy
    milliseconds: float

    def to_json(self) -> dict[str, Any]:
        """The keys of the contract that come from here."""
        return {
            "hints": [hint.to_json() for hint in self.hints],
            "verdict": self.verdict,
            "ranked_by": self.ranked_by,
            "milliseconds": self.milliseconds,
        }
