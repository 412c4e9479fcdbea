"""The shapes of table of the row family, as data: how many cards lie in each half row and column of a fresh deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

LayoutId = Literal["rows-5-4", "rows-6", "rows-columns"]

BASES: Final = 4
"""Places of the base column, one for each suit."""


@dataclass(frozen=True, slots=True)
class RowShape:
    """One shape. ``left`` and ``right``: cards in each half row, from the top. ``auxiliary``: whether the last half row
    of each side is an auxiliary one. ``column``: cards in each of the two outer vertical rows, 0 where there are none.
    ``also``: other cards a half row, (left, right), in which the same game may lie.
    """

    id: LayoutId
    left: tuple[int, ...]
    right: tuple[int, ...]
    auxiliary: bool = False
    column: int = 0
    also: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()

    @property
    def rows(self) -> int:
        """Half rows a side."""
        return len(self.left)

    @property
    def laid(self) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
        """Every way in which the half rows of a fresh deal may lie, (left, right), the usual one first."""
        return ((self.left, self.right), *self.also)

    def is_auxiliary(self, row: int) -> bool:
        """Whether half row ``row``, counted from 1 at the top, is an auxiliary one."""
        return self.auxiliary and row == self.rows


_FIVES: Final = (5, 5, 5, 5, 4)

SHAPES: Final[Mapping[LayoutId, RowShape]] = MappingProxyType(
    {
        "rows-5-4": RowShape("rows-5-4", _FIVES, _FIVES, auxiliary=True),
        "rows-6": RowShape("rows-6", (6, 6, 6, 6), (6, 6, 6, 6)),
        # The Polish text leaves open where the two rows of four lie: one a side at the bottom, or left rows 3 and 4.
        "rows-columns": RowShape(
            "rows-columns", (5, 5, 5, 4), (5, 5, 5, 4), column=5, also=(((5, 5, 4, 4), (5, 5, 5, 5)),)
        ),
    }
)
