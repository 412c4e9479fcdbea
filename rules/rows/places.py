"""The places of the row family as texts, and the stacks that they are places of.

A *stack* is what a card can leave or join: a half row, an outer vertical row (column), the cellar, a base. The inner
card of a half row and the uppermost card of a column come first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

Side = Literal["left", "right"]
SIDES: Final[tuple[Side, Side]] = ("left", "right")
CELLAR: Final = "cellar"

StackKind = Literal["half", "column", "cellar", "base"]


@dataclass(frozen=True, slots=True)
class Stack:
    """One stack. ``row`` counts from 1 at the top for half rows and bases, else 0; ``side`` is None in the middle."""

    kind: StackKind
    side: Side | None = None
    row: int = 0

    def place(self, index: int) -> str:
        """The place of its card ``index``, counted from 1 (half row: from the centre outward; column: from the top)."""
        return _place(self, index)


@lru_cache(maxsize=512)
def _place(stack: Stack, index: int) -> str:
    if stack.kind == "half":
        return f"{stack.side} {stack.row} {index}"
    if stack.kind == "column":
        return f"{stack.side} column {index}"
    return CELLAR if stack.kind == "cellar" else base_place(stack.row)


def base_place(row: int) -> str:
    """``base R``, from the top, counted from 1."""
    return f"base {row}"


@lru_cache(maxsize=512)
def parse_place(place: str) -> tuple[Stack, int] | None:
    """The stack of a place and the card's index in it, from 1; None for a text that is no place of the family."""
    words = place.split()
    if words == [CELLAR]:
        return Stack("cellar"), 1
    if len(words) == 2 and words[0] == "base" and _counts(words[1:]):
        return Stack("base", None, int(words[1])), 1
    if len(words) != 3 or words[0] not in SIDES:
        return None
    side: Side = "left" if words[0] == "left" else "right"
    if words[1] == "column" and _counts(words[2:]):
        return Stack("column", side), int(words[2])
    return (Stack("half", side, int(words[1])), int(words[2])) if _counts(words[1:]) else None


def _counts(words: list[str]) -> bool:
    return all(word.isdecimal() and int(word) > 0 for word in words)
