"""The hints of the pyramid family, and the codes of their reasons."""

from __future__ import annotations

from typing import Final

from rules import hint_records
from rules.hint_records import RankedBy
from rules.pyramid.moves import Move

__all__ = ("REASONS", "Hint", "Hints", "RankedBy")


class Hint(hint_records.Hint[Move]):
    """One move of the pyramid family with what is known of it."""

    __slots__ = ()


class Hints(hint_records.Hints[Move]):
    """Every legal move of a pyramid position, best first."""

    __slots__ = ()


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
