"""The hints of the row family, the codes of their reasons, and the chances that verdicts are."""

from __future__ import annotations

from typing import Final

from rules.family import Verdict
from rules.hint_parts import CERTAIN_LOSS, CERTAIN_WIN, UNKNOWN_WIN, Win
from rules.hint_records import Hint, Hints, RankedBy
from rules.rows.moves import RowMove

__all__ = ("REASONS", "WINS", "RankedBy", "RowHint", "RowHints")


class RowHint(Hint[RowMove]):
    """One move of the row family with what is known of it; ``line`` only after a proven win."""

    __slots__ = ()


class RowHints(Hints[RowMove]):
    """Every legal move of a row position, best first."""

    __slots__ = ()


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
