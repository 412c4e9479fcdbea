"""How much of anything a text may tell: what is more is a slip or a trick, and is refused where it comes in."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from typing import Any, Final

from rules.errors import PositionError

MOST_CARDS: Final = 99
"""More than any deck has: how many too many is a fault of the layout, a number beyond this is a slip of the pen."""

MOST_PASSES: Final = 999
"""More than anybody goes through a stock."""

MOST_MOVES: Final = 10_000
"""More than any game that is played to its end."""

MOST_LINE: Final = 4_000
"""Characters of a line of a record or a deal: ten times the longest that any game needs."""


def check_line(line: str) -> None:
    """Raise PositionError for a line longer than any that tells something."""
    if len(line) > MOST_LINE:
        said = f"a line has at most {MOST_LINE} characters; this one has {len(line)}"
        raise PositionError(said, "long-line", most=MOST_LINE, given=len(line))


def check_counts(data: Mapping[str, Any]) -> None:
    """Raise PositionError where a position object tells of more cards, rows or passes than any game has."""
    for key, value in data.items():
        for listed in (value, *value) if isinstance(value, list) else ():
            if isinstance(listed, list) and len(listed) > MOST_CARDS:
                said = f"{key} lists more than {MOST_CARDS}"
                raise PositionError(said, "too-many", what=str(key)[:MOST_CARDS], most=MOST_CARDS)
    _check_number(data.get("stock"), 0, MOST_CARDS, "stock-value")
    _check_number(data.get("pass"), 1, MOST_PASSES, "pass-most")


def _check_number(value: object, least: int, most: int, code: str) -> None:
    if isinstance(value, int) and not isinstance(value, bool) and value > most:
        quoted = reprlib.repr(value)
        raise PositionError(f"a number from {least} to {most} is wanted, not {quoted}", code, value=quoted, most=most)
