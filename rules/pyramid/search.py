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
from rules.pyramid import core, glances, greedy, relaxed
from rules.pyramid.full import FullPosition
from rules.pyramid.moves import Move
from rules.pyramid.runs import MOST_ENTRIES, Run
from rules.pyramid.tables import Replay, Task, task_of
from rules.pyramid.workspace import Workspace

Array = np.ndarray[Any, Any]
Rows = tuple[tuple[Card | None, ...], ...]

_GLANCE_SLOTS = 1 << 15


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search gives up: seconds by ``clock`` (None: never), states looked at, entries of the visited set.

    Each entry costs 16 to 32 bytes: the default stays below half a gigabyte."""

    seconds: float | None = 60.0
    states: int = 1_000_000_000
    entries: int = MOST_ENTRIES
    clock: Callable[[], float] = time.perf_counter

    def is_over(self, began: float) -> bool:
        """Whether a search that began then has no time left."""
        return self.seconds is not None and self.clock() - began > self.seconds


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
        self._space = Workspace()
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
        run = Run(self._space, task, lambda: limits.is_over(began), limits.entries)
        left = int(core.cards_left(task.key, task.rules, task.shapes.left))
        bound = self.least_left(task)
        outcome = run.explore(1, 0, states=limits.states) if bound == 0 else core.EXHAUSTED
        lost = outcome == core.EXHAUSTED and not run.cut_short
        if outcome != core.FOUND and fewest:
            outcome = run.explore(left + 1, max(bound, int(lost)), states=limits.states - run.states)
            left = run.best
        won = run.best == 0
        line = run.line() if won or fewest else []
        if won:
            line = run.shorter_line(len(line), min(shorten, limits.states - run.states)) or line
        line, proven = self._shortest(run, line, limits) if won and shortest else (line, False)
        replay = Replay(start, task, self.game.options)
        moves = tuple(replay.name(code) for code in line)
        verdict: Verdict = "winnable" if won else ("lost" if lost else "undecided")
        exact = won or (fewest and (outcome == core.FOUND or (outcome == core.EXHAUSTED and not run.cut_short)))
        milliseconds = (limits.clock() - began) * 1000
        return Solution(verdict, moves, run.states, milliseconds, 0 if won else left, exact, proven)

    def _shortest(self, run: Run, line: list[int], limits: Limits) -> tuple[list[int], bool]:
        """The shortest line, none being longer than this one, and whether it is proven that there is no shorter one."""
        run.begin_shortest(len(line))
        code = run.seek_shortest(limits.states - run.states)
        return run.line() or line, code == core.EXHAUSTED

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
        table = self._space.table_for(task)
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
                self._space.kids,
                self._space.frames,
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
        table, shapes, memory = self._space.table_for(task), task.shapes, self._memory
        code = glances.GROW_OPEN
        while code == glances.GROW_OPEN and table.keys.size < MOST_OPEN:
            if task.rules[relaxed.UNLIMITED]:
                self.forget()
            code = glances.glance(
                key, counts, states, task.rules, table.ranks, task.worths, task.stock, shapes.free, shapes.after,
                shapes.left, table.keys, table.values, self._space.kids, self._space.frames, table.tally,
                memory.visited, memory.marks, memory.used, self._space.stack, self._space.moves,
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
        table, shapes, memory, size = self._space.table_for(task), task.shapes, self._memory, -1
        while size < 0:
            size = glances.glance_beyond(
                key, counts, states, self._told, task.rules, table.ranks, task.worths, task.stock, shapes.free,
                shapes.after, shapes.left, table.keys, table.values, self._space.kids, self._space.frames, table.tally,
                memory.visited, memory.marks, memory.used, self._space.stack, self._space.moves,
            )  # fmt: skip
            if size < 0 and table.keys.size >= MOST_OPEN:
                return np.zeros(0, np.int64)
            if size < 0:
                table.grow()
        return self._told[:size, 2].copy()

    def moves_from(self, task: Task, key: int, counts: int) -> list[tuple[int, int, int]]:
        """(next key, next counts, kind of move) of the moves worth trying from a state of a task."""
        shapes, moves = task.shapes, self._space.moves
        needs = task.worths[key >> (9 + task.rules[relaxed.STOCK_BITS])] + counts if not self.game.options.jokers else 0
        ranks = self._space.table_for(task).ranks
        size = core.write_moves(key, needs, task.rules, ranks, task.stock, shapes.free, shapes.after, moves)
        return [(int(k), counts - int(taken), int(move) >> 16) for k, taken, move in moves[:size]]

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
            key, 0, task.rules, task.ranks, task.stock, shapes.free, shapes.after, shapes.left, self._space.moves
        )


MOST_OPEN = 1 << 23
"""Slots of the open game's table at most; beyond it the bound is given up where it is not known."""
