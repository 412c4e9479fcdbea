"""Exact search for positions of which every card is known: verdict, a winning line, the fewest cards that can be left.

The clock is handed in; the compiled core runs in slices between looks at it. Memory is bounded by ``Limits.entries``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rules.cards import JOKER, Card
from rules.catalogue import Game
from rules.family import Verdict
from rules.pyramid import core, glances, greedy, relaxed, shortest
from rules.pyramid.full import FullPosition
from rules.pyramid.moves import Move
from rules.pyramid.tables import Replay, Shapes, Task, task_of

Array = np.ndarray[Any, Any]
Rows = tuple[tuple[Card | None, ...], ...]

_GLANCE_SLOTS = 1 << 15

SHORTEN_FIRST = 20_000
"""States well spent on a shorter line before the shortest is sought."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search gives up: seconds by ``clock`` (None: never), states looked at, entries of the visited set.

    Each entry costs 16 to 32 bytes: the default stays below half a gigabyte."""

    seconds: float | None = 60.0
    states: int = 1_000_000_000
    entries: int = 1 << 24
    clock: Callable[[], float] = time.perf_counter


@dataclass(frozen=True, slots=True)
class Solution:
    """What a search found. ``moves`` wins if winnable; where the fewest cards were sought it leaves ``cards_left``, the
    fewest a line found leaves, and the very fewest possible if ``cards_left_exact`` (with goal ``all`` every card
    counts, else those of the pyramid). ``shortest``: no line wins in fewer moves, as was proven."""

    verdict: Verdict
    moves: tuple[Move, ...]
    states: int
    milliseconds: float
    cards_left: int
    cards_left_exact: bool
    shortest: bool = False


def solve(
    start: FullPosition,
    game: Game,
    limits: Limits | None = None,
    *,
    fewest: bool = False,
    shorten: int = 0,
    shortest: bool = False,
) -> Solution:
    """Whether the position can be won under the game's rules, and how; ``fewest`` also seeks the best lost line.

    ``shorten``: how many more states to spend on shorter winning lines; ``shortest``: to search until none is shorter,
    as far as the limits allow, which ``Solution.shortest`` tells."""
    return Searcher(game).solve(start, limits, fewest=fewest, shorten=shorten, shortest=shortest)


def warm_up(game: Game) -> None:
    """Loads the compiled search (or compiles it, the first time on a machine) so that the first hint does not wait."""
    size = game.options.rows
    rows = (*((None,) * row for row in range(1, size)), (JOKER,) * size)
    searcher = Searcher(game)
    searcher.solve(FullPosition(rows, stock=(JOKER,)), fewest=True)
    searcher.solve(FullPosition(tuple((None,) * row for row in range(1, size + 1))), shortest=True)
    searcher.greedy_left(FullPosition(rows))
    task = task_of(FullPosition(rows), game.options)
    searcher.forget()
    searcher.glance(task, task.key, task.counts, 1)
    searcher.glance_beyond(task, task.key, task.counts, 1)
    searcher.moves_from(task, task.key, task.counts)
    core.rehash_values(np.zeros(1, np.int64), np.zeros(1, np.int16), np.zeros(2, np.int64), np.zeros(2, np.int16))


@dataclass(slots=True)
class _OpenTable:
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


@dataclass(slots=True)
class _Memory:
    """What glances have found out about one order of the stock; see ``glances``."""

    visited: Array = field(default_factory=lambda: np.zeros(_GLANCE_SLOTS, np.int64))
    marks: Array = field(default_factory=lambda: np.zeros(_GLANCE_SLOTS, np.int8))
    used: Array = field(default_factory=lambda: np.zeros(_GLANCE_SLOTS, np.int64))


class Searcher:
    """Solves positions of one game, one at a time, keeping what it learns about a pyramid for the next position.

    Not to be shared between threads."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._table: _OpenTable | None = None
        self._kids = np.empty((relaxed.OPEN_DEPTH, relaxed.OPEN_KIDS), np.int64)
        self._frames = np.empty((relaxed.OPEN_DEPTH, 4), np.int64)
        self._stack = np.empty((1 << 16, 3), np.int64)
        self._path = np.empty(core.LONGEST_LINE, np.int64)
        self._line = np.empty(core.LONGEST_LINE, np.int64)
        self._moves = np.empty((core.MOST_MOVES, 3), np.int64)
        self._progress = np.zeros(core.PROGRESS_SIZE, np.int64)
        self._memory = _Memory()
        self._told = np.zeros((core.MOST_MOVES, 3), np.int64)

    def solve(
        self,
        start: FullPosition,
        limits: Limits | None = None,
        *,
        fewest: bool = False,
        shorten: int = 0,
        shortest: bool = False,
    ) -> Solution:
        """As the function ``solve``."""
        limits = limits or Limits()
        began = limits.clock()
        task = task_of(start, self.game.options)
        run = _Run(self, task, limits, began)
        left = int(core.cards_left(task.key, task.rules, task.shapes.left))
        bound = self.least_left(task)
        outcome = run.explore(below=1, aim=0) if bound == 0 else core.EXHAUSTED
        lost = outcome == core.EXHAUSTED and not run.cut_short
        if outcome != core.FOUND and fewest:
            outcome = run.explore(below=left + 1, aim=max(bound, int(lost)))
            left = run.best
        won = run.best == 0
        line = run.shorter_line(shorten) if won else (run.line() if fewest else [])
        line, proven = run.shortest_line(line) if won and shortest else (line, False)
        replay = Replay(start, task, self.game.options)
        moves = tuple(replay.name(code) for code in line)
        verdict: Verdict = "winnable" if won else ("lost" if lost else "undecided")
        exact = won or (fewest and (outcome == core.FOUND or (outcome == core.EXHAUSTED and not run.cut_short)))
        milliseconds = (limits.clock() - began) * 1000
        return Solution(verdict, moves, run.states, milliseconds, 0 if won else left, exact, proven)

    def least_left(self, task: Task) -> int:
        """A bound: the fewest cards left if every stock card lay open. With unlimited passes, draw 1, turn_when
        ``always`` and goal ``pyramid`` it is exact, whatever the order of the stock."""
        return self._open_value(task, task.open_key)

    def open_bound(self, rows: Rows) -> Callable[[int, int], int]:
        """``least_left`` as a function of the cells of a pyramid still filled (bit 0 the apex) and of how many cards of
        each worth lie outside it (3 bits each), for many such states; KeyError for cells that cannot be left over."""
        task = task_of(FullPosition(rows), self.game.options)

        def bound(cells: int, counts: int) -> int:
            return self._open_value(task, counts << task.shapes.bits | task.shapes.number_of[cells])

        return bound

    def _open_value(self, task: Task, key: int) -> int:
        table = self.table_for(task)
        while True:
            value = relaxed.open_value(
                key,
                task.rules,
                table.ranks,
                task.shapes.free,
                task.shapes.after,
                task.shapes.left,
                table.keys,
                table.values,
                self._kids,
                self._frames,
                table.tally,
            )
            if value != relaxed.UNKNOWN:
                return int(value)
            if table.keys.size >= MOST_OPEN:
                return 0
            table.grow()

    def glance(self, task: Task, key: int, counts: int, states: int) -> Verdict:
        """The verdict on a state of a task, if so many states are enough for it; no line. What it finds out about the
        order of the stock is kept until ``forget``."""
        table, shapes, memory = self.table_for(task), task.shapes, self._memory
        code = glances.GROW_OPEN
        while code == glances.GROW_OPEN and table.keys.size < MOST_OPEN:
            if task.rules[relaxed.UNLIMITED]:
                self.forget()
            code = glances.glance(
                key, counts, states, task.rules, table.ranks, task.worths, task.stock, shapes.free, shapes.after,
                shapes.left, table.keys, table.values, self._kids, self._frames, table.tally,
                memory.visited, memory.marks, memory.used, self._stack, self._moves,
            )  # fmt: skip
            if code == glances.GROW_OPEN:
                table.grow()
        if code == glances.WON:
            return "winnable"
        return "lost" if code == glances.LOST else "undecided"

    def glance_beyond(self, task: Task, key: int, counts: int, states: int) -> Array:
        """What ``glance`` says (``glances.WON``, ``LOST``, ``OPEN``) of the state after each move from a state of a
        task with limited passes.
        """
        table, shapes, memory, size = self.table_for(task), task.shapes, self._memory, -1
        while size < 0:
            size = glances.glance_beyond(
                key, counts, states, self._told, task.rules, table.ranks, task.worths, task.stock, shapes.free,
                shapes.after, shapes.left, table.keys, table.values, self._kids, self._frames, table.tally,
                memory.visited, memory.marks, memory.used, self._stack, self._moves,
            )  # fmt: skip
            if size < 0 and table.keys.size >= MOST_OPEN:
                return np.zeros(0, np.int64)
            if size < 0:
                table.grow()
        return self._told[:size, 2].copy()

    def moves_from(self, task: Task, key: int, counts: int) -> list[tuple[int, int, int]]:
        """(next key, next counts, kind of move) of the moves worth trying from a state of a task."""
        shapes = task.shapes
        needs = task.worths[key >> (9 + task.rules[relaxed.STOCK_BITS])] + counts if not self.game.options.jokers else 0
        size = core.write_moves(
            key, needs, task.rules, self.table_for(task).ranks, task.stock, shapes.free, shapes.after, self._moves
        )
        return [(int(k), counts - int(taken), int(move) >> 16) for k, taken, move in self._moves[:size]]

    def forget(self) -> None:
        """To be called before ``glance`` is asked about another order of the stock, or another task."""
        glances.forget(self._memory.visited, self._memory.used)

    def greedy_left(self, start: FullPosition) -> int:
        """Cards left when a player who always removes what uncovers most gets stuck."""
        task = task_of(start, self.game.options)
        return self.greedy_left_of(task, task.key)

    def greedy_left_of(self, task: Task, key: int) -> int:
        """As ``greedy_left``, from a state of a task."""
        shapes = task.shapes
        return greedy.greedy_left(
            key, 0, task.rules, task.ranks, task.stock, shapes.free, shapes.after, shapes.left, self._moves
        )

    def table_for(self, task: Task) -> _OpenTable:
        """The open game's table for a task: the one at hand if it fits, else a new one."""
        if self._table is None or not self._table.fits(task):
            self._table = _OpenTable(task.ranks, task.shapes)
        return self._table


MOST_OPEN = 1 << 23
"""Slots of the open game's table at most; beyond it the bound is given up where it is not known."""

_SLICE = 20_000


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


class _Run:
    """One search under limits, in slices, its tables growing as they fill."""

    def __init__(self, searcher: Searcher, task: Task, limits: Limits, began: float) -> None:
        self._searcher, self._task, self._limits, self._began = searcher, task, limits, began
        self._progress = np.zeros(core.PROGRESS_SIZE, np.int64)
        self._stack = searcher._stack
        self.states = 0
        self.best = int(core.cards_left(task.key, task.rules, task.shapes.left))

    @property
    def cut_short(self) -> bool:
        """Whether some line was longer than the search follows."""
        return bool(self._progress[core.CUT_SHORT])

    def line(self) -> list[int]:
        """The codes of the best line found."""
        return [int(code) for code in self._searcher._line[: self._progress[core.BEST_DEPTH]]]

    def shorter_line(self, states: int) -> list[int]:
        """The line just found, made shorter as far as that many more states allow."""
        line = self.line()
        end = self.states + states
        while line and self.states < end:
            longest = len(line) - 1
            if self.explore(1, 0, longest, end - self.states) != core.FOUND:
                break
            line = self.line()
        return line

    def shortest_line(self, line: list[int]) -> tuple[list[int], bool]:
        """The shortest line, none being longer than this one, and whether it is proven that there is no shorter one."""
        self._progress[core.LONGEST] = len(line) - 1
        self._task.rules[relaxed.KEEPING] = 1
        code = self._search(self._shorter_slice, self._limits.states)
        self._task.rules[relaxed.KEEPING] = 0
        return (self.line() or line), code == core.EXHAUSTED

    def explore(self, below: int, aim: int, longest: int = core.LONGEST_LINE - 1, states: int | None = None) -> int:
        """Searches from the start for fewer cards left than ``below``, content with ``aim``; returns how it ended."""
        progress = self._progress
        progress[core.BEST], progress[core.AIM], progress[core.LONGEST] = below, aim, longest
        end = self._limits.states if states is None else min(self._limits.states, self.states + states)
        code = self._search(self._slice, end)
        if progress[core.BEST] < below:
            self.best = min(self.best, int(progress[core.BEST]))
        return code

    def _search(self, run_slice: Callable[[_Visited, int], int], end: int) -> int:
        """Slices from the start on, until so many states were looked at in all, the time is over or nothing is left."""
        progress, task = self._progress, self._task
        progress[core.TOP], progress[core.USED] = 1, 1
        progress[core.STATES] = progress[core.BEST_DEPTH] = progress[core.CUT_SHORT] = 0
        self._stack[0] = (task.key, task.counts, 0)
        visited = _Visited()
        visited.keys[~relaxed.find_slot(visited.keys, task.key)] = task.key + 1
        before, code = self.states, core.PAUSED
        while self.states < end and not self._late():
            code = run_slice(visited, end - self.states)
            self.states = before + int(progress[core.STATES])
            if code in (core.EXHAUSTED, core.FOUND, core.STACK_FULL):
                break
            if code == core.GROW and visited.keys.size >= self._limits.entries * 2:
                break
            if code == core.GROW:
                visited.grow()
            elif code == core.GROW_OPEN:
                self._searcher.table_for(task).grow()
        return code

    def _slice(self, visited: _Visited, states: int) -> int:
        task, searcher = self._task, self._searcher
        table = searcher.table_for(task)
        shapes = task.shapes
        quota = min(_SLICE, states)
        return core.explore(
            task.rules, table.ranks, task.worths, task.stock, shapes.free, shapes.after, shapes.left, visited.keys,
            table.keys, table.values, searcher._kids, searcher._frames, table.tally,
            self._stack, searcher._path, searcher._line, searcher._moves, self._progress, quota,
        )  # fmt: skip

    def _shorter_slice(self, visited: _Visited, states: int) -> int:
        task, searcher = self._task, self._searcher
        table, shapes = searcher.table_for(task), task.shapes
        return shortest.shorten(
            task.rules, table.ranks, task.worths, task.stock, shapes.free, shapes.after, shapes.left, visited.keys,
            visited.depths, table.keys, table.values, searcher._kids, searcher._frames, table.tally,
            self._stack, searcher._path, searcher._line, searcher._moves, self._progress, min(_SLICE, states),
        )  # fmt: skip

    def _late(self) -> bool:
        limits = self._limits
        return limits.seconds is not None and limits.clock() - self._began > limits.seconds
