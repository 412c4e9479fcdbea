"""Drives the compiled search over one board: tables that grow within a bound, slices between looks at a clock, lines.

A line is a tuple of steps (card, where), ``where`` being a field of ``rules.rows.suits`` (on the next higher card, on
the next lower, bottom of an empty row, foundation or new base, cellar), or ``REVERSAL``.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from rules.rows import components, core, departures, frontier, reversal, states, stepping, suits
from rules.rows.board import NO_CARD, Board, BoardRow, task_of
from rules.rows.suits import Array

Step = tuple[int, int]

REVERSAL: Final[Step] = (-1, -1)
MOST_VARIANTS: Final = 1024
"""Ways in which the outer columns may lie once reversed; only where they may be built on are there so many."""
MOST_NODES: Final = 1 << 21
"""States kept at most; with all that belongs to them a search stays below 600 MB."""
MOST_ON_A_PATH: Final = 1 << 20
"""Arrangements looked at for the way from one to another."""
_MOST_KEYS: Final = 1 << 23
_MOST_OPTIONS: Final = 1 << 21
_SLICE: Final = 200
ANY: Final = 1 << 62
"""No limit."""


class Explorer:
    """The search of one board, to be continued as long as wanted. Not to be shared between threads."""

    def __init__(self, board: Board, most_nodes: int = MOST_NODES) -> None:
        self.board = board
        self._most_nodes = most_nodes
        self._task = task = task_of(board, MOST_VARIANTS if board.reversible else 1)
        self._state, self._child = task.state.copy(), task.state.copy()
        self._before, self._cards = task.state.copy(), np.zeros(reversal.MOST_IN_COLUMN, np.int64)
        self._items, self._parts = (
            np.zeros((stepping.MOST_ITEMS, 8), np.int64),
            np.zeros((4, stepping.PARTS + 2), np.int64),
        )
        self._keys, self._values = np.zeros(1 << 15, np.int64), np.zeros(1 << 15, np.int32)
        self._records = np.zeros((1 << 12, components.RECORD_SIZE), np.int64)
        self._members = np.zeros(1 << 14, np.int64)
        self._options = np.zeros((1 << 13, departures.OPTION_SIZE), np.int64)
        self._kids, self._kids_after = (
            np.zeros(components.MOST_KIDS, np.int64),
            np.zeros(components.MOST_KIDS, np.int64),
        )
        self._tally = np.zeros(components.TALLY_SIZE, np.int64)
        self._log = np.zeros((states.MOST_LOGGED, states.LOG_SIZE), np.int64)
        self._nodes = np.zeros((1 << 14, frontier.NODE_SIZE), np.int64)
        self._slots = np.zeros(1 << 15, np.int32)
        self._following = np.zeros(1 << 14, np.int32)
        self._heads = np.zeros(frontier.MOST_SCORE + 1, np.int32)
        self._progress = np.zeros(states.PROGRESS_SIZE, np.int64)
        self._progress[states.VARIANTS] = 1
        self.ended = False
        """Whether the search has settled it."""
        self.won = False
        self.gave_up = False
        """Whether going on is of no use although nothing is settled: no room, or a component too large."""
        self._add_root()

    @property
    def states(self) -> int:
        """States expanded so far."""
        return int(self._progress[states.STATES])

    @property
    def lost(self) -> bool:
        """Whether the loss is proven."""
        return self.ended and not self.won

    @property
    def most_done(self) -> int:
        """Most cards on the foundations in any state found."""
        return int(self._progress[states.BEST])

    @property
    def entries(self) -> int:
        """Arrangements and states kept so far: what the time that a search takes goes by."""
        return int(self._tally[components.KEYS_USED] + self._progress[states.NODES])

    def run(self, states: int = _SLICE, entries: int = ANY) -> None:
        """Expands that many more states, or fewer if that settles it or once so many more entries are kept: one state
        may add one, or thousands."""
        most = min(ANY, self.entries + entries)
        while states > 0 and not (self.ended or self.gave_up):
            before = self.states
            code = self._explore(states, most)
            states -= self.states - before
            if code == core.FOUND:
                self.ended = self.won = True
            elif code == core.EXHAUSTED:
                complete = self._tally[components.CUT] == 0
                self.ended, self.gave_up = complete, not complete
            elif code == core.PAUSED:
                return
            elif code == stepping.FULL or not (
                self._grow_nodes() if code == stepping.GROW_NODES else self._grow_suits()
            ):
                self.gave_up = True

    def line_to_best(self) -> tuple[Step, ...]:
        """Every step to the state found with most cards on the foundations (the win, once there is one). Some only
        make room as the search does it: the line is not the shortest."""
        number = int(self._progress[states.BEST_NODE])
        chain: list[int] = []
        while number > 0:
            chain.append(number)
            number = int(self._nodes[number, frontier.PARENT])
        state = self._task.state.copy()
        steps = self._settling(state)
        for node in reversed(chain):
            steps += self._step_to(state, self._nodes[node])
        return tuple(steps)

    def _step_to(self, state: Array, node: Array) -> list[Step]:
        """The steps from a state to the one of its child node; ``state`` becomes that one."""
        taken, after = int(node[frontier.STEP_TAKEN]), int(node[frontier.STEP_AFTER])
        steps = self._rearranging(state, node[frontier.STEP_BEFORE : frontier.STEP_BEFORE + 4])
        task, kind, rank = self._task, taken >> 16, taken & 255
        stepping.step_on(
            state, taken, after, task.rules, task.row_kinds, task.below, task.row_of, task.inner, task.spare,
            task.columns, self._progress,
        )  # fmt: skip
        if kind == stepping.REVERSE:
            steps.append(REVERSAL)
        elif kind != stepping.LEND:
            steps.append(((taken >> 8 & 255) * self.board.ranks + rank, (after >> (3 * rank)) & 7))
        return [*steps, *self._settling(state)]

    def _settling(self, state: Array, *, backwards: bool = False) -> list[Step]:
        """Settles a state; the steps that do so, or that undo it (of one in which no card can be played off). The
        search has settled it before, so every table has room."""
        self._settle(state)
        events = self._log[: self._progress[states.LOGGED]].tolist()
        steps: list[Step] = []
        for event, suit, before, after, cap, cellar in events[::-1] if backwards else events:
            if event == states.PLAYED:
                steps.append((suit * self.board.ranks + cap, suits.DONE))
            else:
                steps += self._path(suit, (after, before) if backwards else (before, after), cap, cellar)
        return steps

    def _rearranging(self, state: Array, goal: Array) -> list[Step]:
        """The steps that bring a state to the arrangements right before a step, suit by suit where there is room; else
        what settles those, done backwards. ``state`` becomes that one.

        The former goes first: where a component is too large to be seen whole, more may be played off when the goal is
        settled than was played off in the state, and that cannot be done backwards."""
        task, ranks = self._task, self.board.ranks
        steps: list[Step] = []
        here = state.copy()
        moved = True
        while moved:
            moved = False
            for suit in (suit for suit in range(4) if here[suit] != goal[suit]):
                free = states.free_rows(here, task.rules, task.row_kinds, task.inner, task.spare)
                room = int(free) + int(suits.count_of(here[suit], suits.BOTTOM, ranks))
                cellar = int(here[states.VIEW] == suit)
                path = self._path_found(suit, (int(here[suit]), int(goal[suit])), room, cellar)
                if path is not None:
                    here[suit], moved = goal[suit], True
                    steps += path
        state[:4] = goal
        return steps if np.array_equal(here[:4], goal) else self._settling(state.copy(), backwards=True)

    def _path(self, suit: int, ends: tuple[int, int], cap: int, cellar: int) -> list[Step]:
        """The steps from one arrangement to another of its component."""
        path = self._path_found(suit, ends, cap, cellar)
        if path is None:
            raise ValueError("no way leads from one arrangement to the other")
        return path

    def _path_found(self, suit: int, ends: tuple[int, int], cap: int, cellar: int) -> list[Step] | None:
        """As ``_path``; None where no way leads there, or too many arrangements lie on it."""
        if ends[0] == ends[1]:
            return []
        size, number, every_one = 1 << 12, -1, False
        while number < 0:
            size *= 4
            if every_one or size > MOST_ON_A_PATH:
                return None
            found, parents = np.zeros(size, np.int64), np.zeros(size, np.int64)
            number = components.path_between(suit, *ends, cap, cellar, self._task.rules, self._task.closed,
                                        np.zeros(2 * size, np.int64), found, parents, self._kids)  # fmt: skip
            every_one = found[-1] == 0
        steps: list[Step] = []
        while parents[number] >= 0:
            steps.append(self._difference(suit, int(found[parents[number]]), int(found[number])))
            number = int(parents[number])
        return steps[::-1]

    def _difference(self, suit: int, before: int, after: int) -> Step:
        """The one card that two neighbouring arrangements put elsewhere, and where."""
        rank = ((before ^ after).bit_length() - 1) // 3
        return suit * self.board.ranks + rank, (after >> (3 * rank)) & 7

    def _explore(self, states: int, most_entries: int) -> int:
        task = self._task
        return int(core.explore(
            self._state, self._child, self._before, self._cards, self._items, self._parts,
            task.rules, task.row_kinds, task.below, task.row_of, task.inner, task.spare, task.closed,
            task.columns, self._keys, self._values, self._records, self._members, self._options,
            self._kids, self._kids_after, self._tally, self._log,
            self._nodes, self._slots, self._following, self._heads, self._progress, states,
            most_entries,
        ))  # fmt: skip

    def _add_root(self) -> None:
        while self._settle(self._child) == components.NO_ROOM:
            self._grow_suits()
            self._child[:] = self._task.state
        task = self._task
        free = states.free_rows(self._child, task.rules, task.row_kinds, task.inner, task.spare)
        score = frontier.score_of(self._child, free, task.rules)
        frontier.add_state(
            self._child, -1, 0, 0, self._child, score,
            self._nodes, self._slots, self._following, self._heads, self._progress, task.rules,
        )  # fmt: skip

    def _settle(self, state: Array) -> int:
        task = self._task
        return int(states.settle(
            state, task.rules, task.row_kinds, task.below, task.row_of, task.inner, task.spare, task.closed,
            self._keys, self._values, self._records, self._members, self._kids, self._tally, self._log, self._progress,
        ))  # fmt: skip

    def _grow_nodes(self) -> bool:
        size = self._nodes.shape[0] * 4
        if size > self._most_nodes:
            return False
        self._nodes = _enlarged(self._nodes, size)
        self._following = _enlarged(self._following, size)
        self._slots = np.zeros(size * 2, np.int32)
        frontier.reslot(self._nodes, int(self._progress[states.NODES]), self._slots)
        return True

    def _grow_suits(self) -> bool:
        """Four times the room in that table of components that was full; False if it may not grow."""
        tally = self._tally
        margin = components.MOST_MEMBERS + components.MOST_KIDS
        if tally[components.KEYS_USED] + margin > self._keys.size - self._keys.size // 4:
            if self._keys.size >= _MOST_KEYS:
                return False
            keys, values = np.zeros(self._keys.size * 4, np.int64), np.zeros(self._keys.size * 4, np.int32)
            components.rehash(self._keys, self._values, keys, values)
            self._keys, self._values = keys, values
        elif tally[components.MEMBERS_USED] + margin > self._members.size:
            self._members = _enlarged(self._members, self._members.size * 4)
        elif tally[components.RECORDS_USED] >= self._records.shape[0]:
            self._records = _enlarged(self._records, self._records.shape[0] * 4)
        elif self._options.shape[0] < _MOST_OPTIONS:
            self._options = _enlarged(self._options, self._options.shape[0] * 4)
        else:
            return False
        return True


def _enlarged(old: Array, size: int) -> Array:
    new = np.zeros((size, *old.shape[1:]), old.dtype)
    new[: old.shape[0]] = old
    return new


def warm_up() -> None:
    """Calls every compiled function that a search may call, so that all are compiled, or loaded, beforehand."""
    rows = tuple(BoardRow((suit * 3 + 1, suit * 3 + 2), column=suit if suit in (1, 2) else 0) for suit in range(4))
    explorer = Explorer(Board(3, rows, (frozenset({0}),) * 4, -1, corner=False, cellar=NO_CARD, reversible=True))
    explorer.run()
    explorer.line_to_best()
    explorer._grow_nodes()
    size = 2 * explorer._keys.size
    components.rehash(explorer._keys, explorer._values, np.zeros(size, np.int64), np.zeros(size, np.int32))
    task = explorer._task
    stepping.step_on(
        task.state, stepping.LEND << 16, 0, task.rules, task.row_kinds, task.below, task.row_of, task.inner, task.spare,
        task.columns, explorer._progress,
    )  # fmt: skip
    components.path_between(
        0, 0, 0, 0, 0, task.rules, task.closed, np.zeros(2, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64),
        explorer._kids,
    )  # fmt: skip
