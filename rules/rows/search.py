"""Exact search of the row family: verdict, a winning line, the fewest cards that can be left off the foundations.

All cards lie open, so every question has an exact answer. Both directions and every choice of bases that is still open
are searched side by side. The clock is handed in; memory is bounded by ``Limits.nodes`` for all of them together.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from rules.catalogue import Game
from rules.family import Verdict
from rules.rows import explorer, shortening
from rules.rows.explorer import MOST_NODES
from rules.rows.faults import refuse_foreign
from rules.rows.foundations import SUIT_SIZE
from rules.rows.legality import cards_off, is_legal, play
from rules.rows.moves import RowMove
from rules.rows.position import RowPosition
from rules.rows.shortening import Shortening
from rules.rows.tables import board_of, choices, named_line
from rules.rows.trial import Trial

_FIRST_SLICE: Final = 50
_LONGEST_SLICE: Final = 2_000
_SHORTEN: Final = 20_000
"""States well spent on a shorter line: some tenths of a second, and nearly always enough to prove it."""
_MOST_OF_A_SLICE: Final = 1_000
"""Entries after which a slice ends and the clock is looked at: some hundredths of a second. A single state may add
none, or as many as that."""


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
    it leaves ``cards_left``, if it was asked for. ``cards_left`` is the fewest found, ``exact`` if fewer cannot be.
    ``shortest``: the line wins, and it is proven that none wins in fewer moves."""

    verdict: Verdict
    moves: tuple[RowMove, ...]
    states: int
    milliseconds: float
    cards_left: int
    exact: bool
    shortest: bool = False


def solve(
    start: RowPosition,
    game: Game,
    limits: Limits | None = None,
    *,
    fewest: bool = False,
    shorten: bool = True,
    shortest: bool = False,
) -> RowSolution:
    """Whether the position can be won, in either direction and with some choice of bases where they are open.

    ``fewest``: also the line that leaves the fewest cards where it is lost. ``shorten``: the line without needless
    moves, of those that win the shortest if that is soon found; ``shortest``: to search until none is shorter, as far
    as the limits allow, which ``RowSolution.shortest`` tells. A position of which not every card is known is undecided.
    Where it is not known whether the outer columns are reversed, only what holds either way is told. Raises
    PositionError where a card lies that is not in the deck."""
    refuse_foreign(start, game)
    limits = limits or Limits()
    if game.row_options.shape.column and start.reversed is None:
        either = solve(replace(start, reversed=False), game, limits, fewest=fewest, shorten=shorten, shortest=shortest)
        return _either_way(either, replace(start, reversed=True), game)
    began = limits.clock()

    def late() -> bool:
        return limits.seconds is not None and limits.clock() - began > limits.seconds

    found = _trials(start, game, limits)
    _explore([each.trial for each in found], limits, late)
    best = max(found, key=lambda each: each.trial.most_done, default=None)
    won = any(each.trial.won for each in found)
    lost = bool(found) and all(each.trial.lost for each in found)
    states = sum(each.trial.states for each in found)
    moves: tuple[RowMove, ...] = ()
    proven = False
    if best is not None and won and (shorten or shortest):
        most = limits.states - states if shortest else min(_SHORTEN, limits.states)
        search = _shorter(best, start, game, limits.nodes)
        search.work(most, late)
        moves, proven, states = search.line, search.proven, states + search.states
    if best is not None and not moves and (won or fewest):
        moves = best.line(game, shorten=shorten and not proven, late=late)
    left = cards_off(start, game) if best is None else 4 * SUIT_SIZE - best.trial.most_done
    milliseconds = (limits.clock() - began) * 1000
    verdict: Verdict = "winnable" if won else "lost" if lost else "undecided"
    return RowSolution(verdict, moves, states, milliseconds, left, won or lost, proven)


def _shorter(won: _Chosen, start: RowPosition, game: Game, nodes: int) -> Shortening:
    """The search for lines shorter than the one that was found."""
    return Shortening(start, game, len(won.moves) + len(won.trial.line(shorten=False)), most_nodes=nodes)


def _either_way(found: RowSolution, turned: RowPosition, game: Game) -> RowSolution:
    """What a solution for columns not yet reversed tells where they may be: a loss, for who may still reverse can do
    all that one can who has; its line, if that can be played then as well."""
    position = turned
    for move in found.moves:
        if not is_legal(position, move, game):
            verdict: Verdict = "lost" if found.verdict == "lost" else "undecided"
            left = cards_off(turned, game)
            return replace(found, verdict=verdict, moves=(), cards_left=left, exact=False, shortest=False)
        position = play(position, move, game)
    return replace(found, exact=found.verdict == "winnable", shortest=False)


def warm_up() -> None:
    """Loads the compiled search (or compiles it, the first time on a machine) so that the first hint does not wait."""
    explorer.warm_up()
    shortening.warm_up()


@dataclass(frozen=True, slots=True)
class _Chosen:
    """One choice of direction and bases, the position after it, and its search."""

    moves: tuple[RowMove, ...]
    position: RowPosition
    trial: Trial

    def line(self, game: Game, *, shorten: bool, late: Callable[[], bool]) -> tuple[RowMove, ...]:
        """The choices, and the line found from them on."""
        return (*self.moves, *named_line(self.position, self.trial.line(shorten=shorten, late=late), game))


def _trials(start: RowPosition, game: Game, limits: Limits) -> list[_Chosen]:
    """One trial for each choice still open; none where a card is not known."""
    found = [(moves, chosen, board_of(chosen, game)) for moves, chosen in choices(start, game)]
    share = limits.nodes // max(1, len(found))
    return [_Chosen(moves, at, Trial(board, share)) for moves, at, board in found if board is not None]


def _explore(trials: list[Trial], limits: Limits, late: Callable[[], bool]) -> None:
    """Searches all trials in turn, in growing slices, until one wins, all are settled, or a limit is reached."""
    size, looked = _FIRST_SLICE, 0
    while not all(trial.settled for trial in trials):
        for trial in trials:
            spent = sum(each.states for each in trials)
            work = spent + sum(each.entries for each in trials)
            if spent >= limits.states or (work - looked >= _MOST_OF_A_SLICE and late()):
                return
            looked = work if work - looked >= _MOST_OF_A_SLICE else looked
            trial.run(min(size, limits.states - spent), _MOST_OF_A_SLICE)
            if trial.won:
                return
        size = min(2 * size, _LONGEST_SLICE)
