"""Exact search of the row family: verdict, a winning line, the fewest cards that can be left off the foundations.

All cards lie open, so every question has an exact answer. Both directions and every choice of bases that is still open
are searched side by side. The clock is handed in; memory is bounded by ``Limits.nodes`` for all of them together.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rules.catalogue import Game
from rules.family import Verdict
from rules.rows.board import Board
from rules.rows.explorer import MOST_NODES, Explorer, Step
from rules.rows.legality import cards_off
from rules.rows.lines import played, shortened
from rules.rows.moves import RowMove
from rules.rows.position import RowPosition
from rules.rows.tables import board_of, choices, named_line

_FIRST_SLICE: Final = 50
_LONGEST_SLICE: Final = 2_000


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search gives up: seconds by ``clock`` (None: never), classes of positions looked at in all, and kept.

    A class kept costs less than 300 bytes with all that belongs to it."""

    seconds: float | None = 60.0
    states: int = 1_000_000_000
    nodes: int = MOST_NODES
    clock: Callable[[], float] = time.perf_counter


@dataclass(frozen=True, slots=True)
class RowSolution:
    """What a search found. ``moves`` wins if winnable, beginning with the choices of direction and bases; where lost
    it leaves ``cards_left``, if it was asked for. ``cards_left`` is the fewest found, ``exact`` if fewer cannot be."""

    verdict: Verdict
    moves: tuple[RowMove, ...]
    states: int
    milliseconds: float
    cards_left: int
    exact: bool


def solve(
    start: RowPosition, game: Game, limits: Limits | None = None, *, fewest: bool = False, shorten: bool = True
) -> RowSolution:
    """Whether the position can be won, in either direction and with some choice of bases where they are open.

    ``fewest``: also the line that leaves the fewest cards where it is lost. ``shorten``: the line without needless
    moves, which is not proven to be the shortest. A position of which not every card is known is undecided."""
    limits = limits or Limits()
    began = limits.clock()
    trials = _trials(start, game, limits)
    _explore(trials, limits, began)
    best = max(trials, key=lambda trial: trial.explorer.most_done, default=None)
    won = best is not None and best.explorer.won
    lost = bool(trials) and all(trial.explorer.lost for trial in trials)
    moves = best.moves(game, shorten=shorten) if best is not None and (won or fewest) else ()
    left = cards_off(start, game) if best is None else 4 * best.board.ranks - best.explorer.most_done
    states = sum(trial.explorer.states for trial in trials)
    milliseconds = (limits.clock() - began) * 1000
    verdict: Verdict = "winnable" if won else "lost" if lost else "undecided"
    return RowSolution(verdict, moves, states, milliseconds, left, won or lost)


def warm_up() -> None:
    """Loads the compiled search (or compiles it, the first time on a machine) so that the first hint does not wait."""
    board = Board(3, (), (frozenset({0}),) * 4, 1, corner=False)
    Explorer(board).run()


@dataclass(frozen=True, slots=True)
class _Trial:
    """One choice of direction and bases, being searched."""

    chosen: tuple[RowMove, ...]
    position: RowPosition
    board: Board
    explorer: Explorer

    def moves(self, game: Game, *, shorten: bool) -> tuple[RowMove, ...]:
        """The choices, and the line found from them on."""
        line = self.explorer.line_to_best()
        steps: tuple[Step, ...] = shortened(self.board, line) if shorten else _as_played(self.board, line)
        return (*self.chosen, *named_line(self.position, steps, game))


def _as_played(board: Board, line: tuple[Step, ...]) -> tuple[Step, ...]:
    return tuple((each.card, each.where) for each in played(board, line) or ())


def _trials(start: RowPosition, game: Game, limits: Limits) -> list[_Trial]:
    """One trial for each choice still open; none where a card is not known."""
    found = [(moves, chosen, board_of(chosen, game)) for moves, chosen in choices(start, game)]
    share = limits.nodes // max(1, len(found))
    return [_Trial(moves, at, board, Explorer(board, share)) for moves, at, board in found if board is not None]


def _explore(trials: list[_Trial], limits: Limits, began: float) -> None:
    """Searches all trials in turn, in growing slices, until one wins, all are settled, or a limit is reached."""
    size = _FIRST_SLICE
    while True:
        for trial in trials:
            spent = sum(each.explorer.states for each in trials)
            late = limits.seconds is not None and limits.clock() - began > limits.seconds
            if late or spent >= limits.states or trial.explorer.won:
                return
            trial.explorer.run(min(size, limits.states - spent))
            if trial.explorer.won:
                return
        if all(trial.explorer.ended or trial.explorer.gave_up for trial in trials):
            return
        size = min(2 * size, _LONGEST_SLICE)
