"""One search of a full position in slices, its tables growing as they fill, until it ends or is to stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from rules.pyramid import core, relaxed, shortest
from rules.pyramid.tables import Task
from rules.pyramid.workspace import Workspace

Array = np.ndarray[Any, Any]

MOST_ENTRIES: Final = 1 << 24
"""Entries of a visited set at most, where nothing else is said."""

_SLICE: Final = 20_000


@dataclass(slots=True)
class _Visited:
    """The states seen, and where that matters by how many moves each was reached."""

    keys: Array = field(default_factory=lambda: np.zeros(1 << 13, np.int64))
    depths: Array = field(default_factory=lambda: np.zeros(1 << 13, np.int16))

    def grow(self) -> None:
        """Four times the room."""
        keys, depths = np.zeros(self.keys.size * 4, np.int64), np.zeros(self.keys.size * 4, np.int16)
        core.rehash_values(self.keys, self.depths, keys, depths)
        self.keys, self.depths = keys, depths


class Run:
    """A search from the start of a task. ``late`` is asked between slices whether to stop, and may be set anew for
    another stretch of the same search."""

    def __init__(self, space: Workspace, task: Task, late: Callable[[], bool], entries: int = MOST_ENTRIES) -> None:
        self._space, self._task, self._entries = space, task, entries
        self.late = late
        self._progress = np.zeros(core.PROGRESS_SIZE, np.int64)
        self._visited = _Visited()
        self._before = self.states = 0
        self.best = int(core.cards_left(task.key, task.rules, task.shapes.left))

    @property
    def cut_short(self) -> bool:
        """Whether some line was longer than the search follows."""
        return bool(self._progress[core.CUT_SHORT])

    def line(self) -> list[int]:
        """The codes of the best line found."""
        return [int(code) for code in self._space.line[: self._progress[core.BEST_DEPTH]]]

    def shorter_line(self, length: int, states: int) -> list[int]:
        """A winning line of fewer moves than ``length``, the shortest found by looking at so many more states; empty
        where none was found."""
        line: list[int] = []
        end = self.states + states
        while length > 0 and self.states < end and self.explore(1, 0, length - 1, end - self.states) == core.FOUND:
            line = self.line()
            length = len(line)
        return line

    def explore(self, below: int, aim: int, longest: int = core.LONGEST_LINE - 1, states: int | None = None) -> int:
        """Searches from the start for fewer cards left than ``below``, content with ``aim``, by looking at so many
        more states at most; returns how it ended."""
        progress = self._progress
        progress[core.BEST], progress[core.AIM], progress[core.LONGEST] = below, aim, longest
        self._begin()
        code = self._go_on(self._slice, states)
        if progress[core.BEST] < below:
            self.best = min(self.best, int(progress[core.BEST]))
        return code

    def begin_shortest(self, length: int) -> None:
        """Begins the search for the shortest of all lines that win in fewer moves than ``length``."""
        self._progress[core.LONGEST] = length - 1
        self._task.rules[relaxed.KEEPING] = 1
        self._begin()

    def seek_shortest(self, states: int | None = None) -> int:
        """Goes on with that search, for so many more states at most. ``core.EXHAUSTED``: ``line`` is the shortest or,
        where it is empty, none is shorter than the length told."""
        return self._go_on(self._shorter_slice, states)

    def _begin(self) -> None:
        progress, task = self._progress, self._task
        progress[core.TOP], progress[core.USED] = 1, 1
        progress[core.STATES] = progress[core.BEST_DEPTH] = progress[core.CUT_SHORT] = 0
        self._space.stack[0] = (task.key, task.counts, 0)
        visited = self._visited = _Visited()
        visited.keys[~relaxed.find_slot(visited.keys, task.key)] = task.key + 1
        self._before = self.states

    def _go_on(self, run_slice: Callable[[int], int], states: int | None) -> int:
        """Slices, until so many more states were looked at, it is late, nothing is left or there is no more room."""
        code, first = core.PAUSED, self.states
        while (states is None or self.states - first < states) and not self.late():
            left = _SLICE if states is None else min(_SLICE, states - (self.states - first))
            code = run_slice(left)
            self.states = self._before + int(self._progress[core.STATES])
            if code in (core.EXHAUSTED, core.FOUND, core.STACK_FULL):
                break
            if code == core.GROW and self._visited.keys.size >= self._entries * 2:
                break
            if code == core.GROW:
                self._visited.grow()
            elif code == core.GROW_OPEN:
                self._space.table_for(self._task).grow()
            code = core.PAUSED
        return code

    def _slice(self, quota: int) -> int:
        task, space = self._task, self._space
        table, shapes = space.table_for(task), task.shapes
        return core.explore(
            task.rules, table.ranks, task.worths, task.stock, shapes.free, shapes.after, shapes.left,
            self._visited.keys, table.keys, table.values, space.kids, space.frames, table.tally,
            space.stack, space.path, space.line, space.moves, self._progress, quota,
        )  # fmt: skip

    def _shorter_slice(self, quota: int) -> int:
        task, space = self._task, self._space
        table, shapes = space.table_for(task), task.shapes
        return shortest.shorten(
            task.rules, table.ranks, task.worths, task.stock, shapes.free, shapes.after, shapes.left,
            self._visited.keys, self._visited.depths, table.keys, table.values, space.kids, space.frames, table.tally,
            space.stack, space.path, space.line, space.moves, self._progress, quota,
        )  # fmt: skip
