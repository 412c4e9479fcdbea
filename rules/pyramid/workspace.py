"""What the searches of one game share: arrays to work in, and the answers of the open game for one pyramid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rules.pyramid import core, relaxed
from rules.pyramid.tables import Shapes, Task

Array = np.ndarray[Any, Any]


@dataclass(slots=True)
class OpenTable:
    """Answers of the open game for one dealt pyramid; valid for every order of the cards outside it."""

    ranks: Array
    shapes: Shapes
    keys: Array = field(default_factory=lambda: np.zeros(1 << 13, np.int64))
    values: Array = field(default_factory=lambda: np.zeros(1 << 13, np.int16))
    tally: Array = field(default_factory=lambda: np.zeros(1, np.int64))

    def grow(self) -> None:
        """Four times the room."""
        keys, values = np.zeros(self.keys.size * 4, np.int64), np.zeros(self.keys.size * 4, np.int16)
        core.rehash_values(self.keys, self.values, keys, values)
        self.keys, self.values = keys, values

    def fits(self, task: Task) -> bool:
        """Whether its answers hold for a task: the same card at every place still filled."""
        if self.shapes is not task.shapes:
            return False
        return bool(np.array_equal(self.ranks[task.present], task.ranks[task.present]))


class Workspace:
    """Room for one search at a time, and what was learnt about a pyramid for the next one. Not to be shared between
    threads."""

    def __init__(self) -> None:
        self.kids = np.empty((relaxed.OPEN_DEPTH, relaxed.OPEN_KIDS), np.int64)
        self.frames = np.empty((relaxed.OPEN_DEPTH, 4), np.int64)
        self.stack = np.empty((1 << 16, 3), np.int64)
        self.path = np.empty(core.LONGEST_LINE, np.int64)
        self.line = np.empty(core.LONGEST_LINE, np.int64)
        self.moves = np.empty((core.MOST_MOVES, 3), np.int64)
        self._table: OpenTable | None = None

    def table_for(self, task: Task) -> OpenTable:
        """The open game's table for a task: the one at hand if it fits, else a new one."""
        if self._table is None or not self._table.fits(task):
            self._table = OpenTable(task.ranks, task.shapes)
        return self._table
