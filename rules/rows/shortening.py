"""The search for the shortest winning line of a row game, to be gone on with as long as wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from rules.catalogue import Game
from rules.rows import components, core, detours, shortest, states, stepping, suits
from rules.rows.board import NO_CARD, Board, BoardRow, task_of
from rules.rows.explorer import MOST_NODES, MOST_VARIANTS, REVERSAL, Step
from rules.rows.legality import cards_off
from rules.rows.lines import Table
from rules.rows.moves import RowMove
from rules.rows.position import RowPosition
from rules.rows.suits import Array
from rules.rows.tables import board_of, choices, named_line
from rules.shortest_lines import Late

SLICE: Final = 500
"""States between looks at the clock: some milliseconds."""


class Detours:
    """The search of one board for the line with the fewest detours, as long as these are fewer than ``limit``. A state
    that is kept costs about a hundred bytes."""

    def __init__(self, board: Board, limit: int, most_nodes: int = MOST_NODES) -> None:
        self.board = board
        self._most_nodes = most_nodes
        self._task = task = task_of(board, MOST_VARIANTS if board.reversible else 1)
        self._state, self._child = task.state.copy(), task.state.copy()
        self._kids = np.zeros(components.MOST_KIDS, np.int64)
        self._turned = np.zeros(states.PROGRESS_SIZE, np.int64)
        self._turned[states.VARIANTS] = 1
        cards = 4 * board.ranks
        self._rows, self._suits = np.zeros((cards, cards), np.int64), np.zeros((detours.SUIT_ROWS, 4), np.int64)
        self._cards = np.zeros((detours.CARD_ROWS, cards), np.int64)
        self._nodes, self._slots = np.zeros((1 << 12, shortest.NODE_SIZE), np.int64), np.zeros(1 << 13, np.int32)
        self._entries = np.zeros((1 << 12, shortest.ENTRY_SIZE), np.int32)
        self._heads = np.zeros((max(0, limit) + 2 * shortest.MOST_NEEDED) * shortest.MOST_NEEDED, np.int32)
        self._progress = np.zeros(shortest.PROGRESS_SIZE, np.int64)
        self._progress[shortest.LIMIT] = limit
        self.proven = self.gave_up = False
        """Whether no line has fewer detours than the best, or than the limit where none is found; whether there is no
        room to go on."""
        shortest.enter(
            self._child, -1, shortest.REVERSED, 0,
            task.rules, task.row_kinds, task.below, task.row_of, task.inner, self._rows, self._cards, self._suits,
            self._nodes, self._slots, self._heads, self._entries, self._progress,
        )  # fmt: skip

    @property
    def best(self) -> int | None:
        """The detours of the best line found, None where none is."""
        node = int(self._progress[shortest.BEST_NODE]) - 1
        return None if node < 0 else int(self._nodes[node, shortest.MADE])

    @property
    def states(self) -> int:
        """States looked at so far."""
        return int(self._progress[shortest.STATES])

    @property
    def ended(self) -> bool:
        """Whether going on is of no use."""
        return self.proven or self.gave_up

    def lower(self, limit: int) -> None:
        """Only lines with fewer detours than these are of interest from now on."""
        self._progress[shortest.LIMIT] = min(int(self._progress[shortest.LIMIT]), limit)

    def run(self, states: int) -> None:
        """Looks at that many more states, or fewer if that ends it."""
        end = self.states + states
        while self.states < end and not self.ended:
            task = self._task
            code = shortest.seek(
                end - self.states, self._state, self._child, self._kids,
                task.rules, task.row_kinds, task.below, task.row_of, task.inner, task.spare, task.closed, task.columns,
                self._turned, self._rows, self._cards, self._suits,
                self._nodes, self._slots, self._heads, self._entries, self._progress,
            )  # fmt: skip
            self.proven = code == core.EXHAUSTED
            self.gave_up = code == stepping.FULL or (code == stepping.GROW_NODES and not self.grow())

    def grow(self) -> bool:
        """More room for what is full; False if there may be none."""
        if self._progress[shortest.ENTRIES] + shortest.MOST_CHILDREN > self._entries.shape[0]:
            self._entries = _enlarged(self._entries, 2 * self._entries.shape[0])
        if self._progress[shortest.NODES] + shortest.MOST_CHILDREN > self._nodes.shape[0]:
            size = 2 * self._nodes.shape[0]
            if size > self._most_nodes:
                return False
            self._nodes, self._slots = _enlarged(self._nodes, size), np.zeros(2 * size, np.int32)
            shortest.reslot(self._nodes, int(self._progress[shortest.NODES]), self._slots)
        return True

    def line(self) -> tuple[Step, ...]:
        """The steps of the best line found, every card that a foundation can take going there at once."""
        chain: list[Step] = []
        node = int(self._progress[shortest.BEST_NODE]) - 1
        while node > 0:
            step = int(self._nodes[node, shortest.STEP_TAKEN])
            chain.append(REVERSAL if step == shortest.REVERSED else (step >> 3, step & 7))
            node = int(self._nodes[node, shortest.PARENT])
        table = Table(self.board)
        steps = list(_played_off(table))
        for taken in reversed(chain):
            if table.play(taken) is None:
                raise ValueError(f"the search took a step that cannot be played: {taken}")
            steps += [taken, *_played_off(table)]
        return tuple(steps)


def _played_off(table: Table) -> Iterator[Step]:
    """Brings every card to the foundations that they can take; the steps."""
    going = True
    while going:
        going = False
        for card in table.wanted():
            if table.play((card, suits.DONE)) is not None:
                going = True
                yield card, suits.DONE


class Shortening:
    """The search from one position, over every choice of direction and bases that is open; see
    ``rules.shortest_lines.LineSearch``. ``length``: that of a line known, ``line`` if it is told too."""

    def __init__(
        self,
        start: RowPosition,
        game: Game,
        length: int,
        line: tuple[RowMove, ...] = (),
        most_nodes: int = MOST_NODES,
    ) -> None:
        self._game = game
        self.length, self.line = length, line
        ways = [(moves, chosen, board_of(chosen, game)) for moves, chosen in choices(start, game)]
        share = most_nodes // max(1, len(ways))
        self._ways = [
            _Way(moves, chosen, least := len(moves) + cards_off(chosen, game), Detours(board, length - least, share))
            for moves, chosen, board in ways
            if board is not None
        ]
        self._is_whole = len(self._ways) == len(ways)
        self.states = 0
        """States looked at so far."""
        self.proven = False
        """Whether no line is shorter than ``length``."""
        self.ended = not self._ways
        """Whether going on is of no use: proven, or no room left."""

    def work(self, states: int | None, late: Late) -> None:
        """Goes on until it is ``late``, for so many more states at most (None: as many as there are); the ways to
        choose by turns."""
        end = None if states is None else self.states + states
        best: _Way | None = None
        while not self.ended and not late() and (end is None or self.states < end):
            for way in self._ways:
                way.search.lower(self.length - way.least)
                way.search.run(SLICE if end is None else max(0, min(SLICE, end - self.states)))
                self.states = sum(each.search.states for each in self._ways)
                found = way.search.best
                if found is not None and way.least + found < self.length:
                    self.length, best = way.least + found, way
            self.ended = all(way.search.ended for way in self._ways)
        if best is not None:
            self.line = (*best.moves, *named_line(best.position, best.search.line(), self._game))
            self.length = len(self.line)
        if self.ended and self._ways:
            self.proven = self._is_whole and all(way.search.proven for way in self._ways)
            # What was kept of states is of no use any more.
            self._ways = []


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to make the open choices: the moves that do, the position after them, the fewest moves that a win takes
    with them, and its search."""

    moves: tuple[RowMove, ...]
    position: RowPosition
    least: int
    search: Detours


def _enlarged(old: Array, size: int) -> Array:
    new = np.zeros((size, *old.shape[1:]), old.dtype)
    new[: old.shape[0]] = old
    return new


def warm_up() -> None:
    """Calls every compiled function that a search may call, so that all are compiled, or loaded, beforehand."""
    rows = tuple(BoardRow((suit * 3 + 1, suit * 3 + 2), column=suit if suit in (1, 2) else 0) for suit in range(4))
    board = Board(3, rows, (frozenset({0}),) * 4, -1, corner=False, cellar=NO_CARD, reversible=True)
    search = Detours(board, 99)
    search.run(1)
    shortest.reslot(np.zeros((1, shortest.NODE_SIZE), np.int64), 0, np.zeros(2, np.int32))
