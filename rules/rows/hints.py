"""Ranked hints of the row family. All cards lie open, so a hint is exact wherever the search gets to its end.

A direction or bases that are still open are chosen by searching every choice. Where it is not known whether the outer
columns have been reversed, only what holds either way is called proven.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from rules.catalogue import Game
from rules.family import Outcome, Verdict
from rules.hint_parts import CERTAIN_WIN, Reason
from rules.rows.faults import refuse_foreign
from rules.rows.hint_records import WINS, RankedBy, RowHint, RowHints
from rules.rows.legality import cards_off, is_legal, legal_moves, outcome, play
from rules.rows.moves import RowMove
from rules.rows.position import RowPosition
from rules.rows.reasons import freed_cards, is_choice, reason_of
from rules.rows.search import Limits, RowSolution, solve
from rules.rows.shortening import Shortening
from rules.shortest_lines import ShortestLines

_FIRST_STATES: Final = 250
_MORE: Final = 8
_VERDICTS: Final[dict[Outcome, Verdict]] = {"won": "winnable", "lost": "lost", "open": "undecided"}


@dataclass(frozen=True, slots=True)
class RowBudget:
    """How long to think: seconds by ``clock``, or exactly ``states`` classes of positions for each move.
    ``shortest``: whether lines that win are made shorter, once there is one, until none is."""

    seconds: float = 0.25
    states: int | None = None
    clock: Callable[[], float] = time.perf_counter
    shortest: bool = False


FIRST_ANSWER: Final = RowBudget(seconds=0.15)
"""Short enough for an answer within 300 ms."""


def hints(
    position: RowPosition, game: Game, *, budget: RowBudget = FIRST_ANSWER, doubtful: Collection[str] = ()
) -> RowHints:
    """Every legal move, best first, of fills that differ in the empty half row alone one; none once the game is won.
    Raises PositionError where a card is not in the deck.

    ``doubtful``: places whose reading is in doubt; hints resting on them say so."""
    began = budget.clock()
    adviser = _Adviser(position, game, doubtful)
    answer = adviser.think(budget)
    left = budget.seconds - (budget.clock() - began)
    if budget.shortest and budget.states is None and answer.settled and answer.verdict == "winnable" and left > 0:
        # What time the shortest line has left goes to the moves not decided yet.
        answer = adviser.think(replace(budget, seconds=left, shortest=False))
    return replace(answer, milliseconds=(budget.clock() - began) * 1000)


def improving_hints(
    position: RowPosition,
    game: Game,
    *,
    seconds: float,
    doubtful: Collection[str] = (),
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[RowHints]:
    """The first answer within 300 ms, then better ones, each after twice the time, until ``seconds`` are over or
    nothing is left to find out: of a win, that no line is shorter."""
    began = clock()
    adviser = _Adviser(position, game, doubtful)
    span = min(FIRST_ANSWER.seconds, seconds)
    budget = RowBudget(seconds=span, clock=clock)
    while True:
        answer = adviser.think(budget)
        yield answer
        left = seconds - (clock() - began)
        if left <= 0 or answer.settled:
            return
        span = min(2 * span, left)
        budget = RowBudget(seconds=span, clock=clock, shortest=True)


@dataclass(frozen=True, slots=True)
class _Found:
    """What is known of one move. ``exact``: no line leaves fewer cards than ``cards_left``."""

    verdict: Verdict
    cards_left: int
    exact: bool
    line: tuple[RowMove, ...] = ()


class _Adviser:
    """Thinks about one position; what is proven is kept from one thought to the next."""

    def __init__(self, position: RowPosition, game: Game, doubtful: Collection[str]) -> None:
        refuse_foreign(position, game)
        self._position, self._game, self._doubtful = position, game, frozenset(doubtful)
        self._moves = () if outcome(position, game) == "won" else _one_of_each(legal_moves(position, game))
        self._worlds = _worlds(position, game)
        self._proven: dict[object, _Found] = {}
        self._root: RowSolution | None = None
        self._shortest = ShortestLines(self._moves, self._begin, _alike)

    def think(self, budget: RowBudget) -> RowHints:
        began = budget.clock()
        until = began + budget.seconds
        if len(self._worlds) == 1:
            self._think_root(budget, until)
        found = self._think_moves(budget, until) if self._moves else []
        pairs = sorted(zip(self._moves, found, strict=True), key=self._rank)
        verdict = self._verdict(found)
        listed = tuple(self._hint(move, known, found) for move, known in pairs)
        by: dict[Verdict, RankedBy] = {"winnable": "shortest-line", "lost": "cards-left", "undecided": "order"}
        spent = (budget.clock() - began) * 1000
        return RowHints(listed, verdict, by[verdict], 0, spent, self._is_settled_by(listed))

    def _is_settled_by(self, listed: tuple[RowHint, ...]) -> bool:
        if listed and listed[0].certainty == "proven" and listed[0].win == CERTAIN_WIN:
            return self._shortest.settled or not listed[0].line
        return all(hint.certainty == "proven" for hint in listed)

    def _begin(self, first: RowMove | None, line: tuple[RowMove, ...]) -> Shortening:
        start = self._worlds[0] if first is None else play(self._worlds[0], first, self._game)
        return Shortening(start, self._game, len(line), line)

    def _verdict(self, found: list[_Found]) -> Verdict:
        if not self._moves:
            return _VERDICTS[outcome(self._position, self._game)]
        if self._root is not None and self._root.verdict != "undecided":
            return self._root.verdict
        verdicts = {each.verdict for each in found}
        return "winnable" if "winnable" in verdicts else "lost" if verdicts == {"lost"} else "undecided"

    def _think_root(self, budget: RowBudget, until: float) -> None:
        """The position itself: its winning line makes its first move a hint; its loss is that of every move."""
        if self._root is not None and self._root.verdict != "undecided":
            return
        seconds = None if budget.states else 0.7 * max(0.0, until - budget.clock())
        limits = Limits(seconds, budget.states or Limits().states, clock=budget.clock)
        self._root = found = solve(self._worlds[0], self._game, limits, fewest=True)
        if found.verdict == "winnable" and found.moves:
            self._proven[_alike(found.moves[0])] = _Found("winnable", 0, True, found.moves)
            self._shortest.learn(found.moves)
            if found.shortest:
                self._shortest.tell(found.moves)

    def _think_moves(self, budget: RowBudget, until: float) -> list[_Found]:
        """Every move searched; then the lines that win made shorter, if that is wanted, else the moves not decided
        searched with more states in each round until the time is over."""
        states = budget.states or _FIRST_STATES
        found: dict[RowMove, _Found] = {}
        for move in self._moves:
            late = budget.states is None and budget.clock() >= until
            known = self._proven.get(_alike(move))
            left = None if budget.states else max(0.0, until - budget.clock())
            found[move] = known or (self._untried() if late else self._try(move, budget, states, left))
        if budget.shortest:
            self._shortest.work(budget.states, lambda: budget.states is None and budget.clock() >= until)
        while budget.states is None and budget.clock() < until and not (budget.shortest and self._is_won(found)):
            pending = [move for move in self._moves if not self._is_settled(found[move])]
            if not pending:
                break
            states *= _MORE
            for move in pending:
                left = max(0.0, until - budget.clock())
                found[move] = self._try(move, budget, states, left / len(pending))
        return self._with_lines([found[move] for move in self._moves])

    def _is_won(self, found: Mapping[RowMove, _Found]) -> bool:
        """Whether a line that wins is known."""
        return any(self._shortest.of(move) for move in found)

    def _with_lines(self, found: list[_Found]) -> list[_Found]:
        """What was found, with the shortest lines known; of moves alike the one with which the line begins is
        listed."""
        lines = [self._shortest.of(move) for move in self._moves]
        self._moves = tuple(line[0] if line else move for line, move in zip(lines, self._moves, strict=True))
        return [_Found("winnable", 0, True, line) if line else each for each, line in zip(found, lines, strict=True)]

    def _untried(self) -> _Found:
        """What is known of a move that there was no time for: it is lost if the position is."""
        lost = self._root is not None and self._root.verdict == "lost"
        return _Found("lost" if lost else "undecided", self._left(), False)

    def _is_settled(self, found: _Found) -> bool:
        return found.verdict == "winnable" or (found.verdict == "lost" and found.exact)

    def _try(self, move: RowMove, budget: RowBudget, states: int, seconds: float | None) -> _Found:
        """The position after a move, in each world that fits what is known; they share the ``seconds``."""
        share = None if seconds is None else seconds / len(self._worlds)
        limits = Limits(share, states, clock=budget.clock)
        results = [
            solve(play(world, move, self._game), self._game, limits, shorten=False)
            for world in self._worlds
            if is_legal(world, move, self._game)
        ]
        found = self._combined(move, results)
        if self._is_settled(found):
            self._proven[_alike(move)] = found
        if found.line:
            self._shortest.learn(found.line)
        return found

    def _combined(self, move: RowMove, results: list[RowSolution]) -> _Found:
        """What holds in every world; nothing is proven of a move that is legal only in some of them."""
        verdicts = {result.verdict for result in results}
        if len(verdicts) != 1 or len(results) < len(self._worlds):
            return _Found("undecided", max((each.cards_left for each in results), default=self._left()), False)
        result = max(results, key=lambda each: each.cards_left)
        verdict, exact = result.verdict, all(each.exact for each in results)
        if verdict == "undecided" and self._root is not None and self._root.verdict == "lost":
            verdict = "lost"
        line = (move, *result.moves) if verdict == "winnable" and len(results) == 1 else ()
        return _Found(verdict, result.cards_left, exact, line)

    def _left(self) -> int:
        return cards_off(self._position, self._game)

    def _rank(self, entry: tuple[RowMove, _Found]) -> tuple[float, ...]:
        move, found = entry
        share = {"winnable": 0, "undecided": 1, "lost": 2}[found.verdict]
        safe = move.kind == "foundation" and self._position.direction is not None and share < 2
        wins = found.verdict == "winnable"
        return (
            not wins,
            wins and not found.line,
            len(found.line) if wins else 0,
            not safe,
            share,
            found.cards_left,
            not is_choice(move),
            -len(freed_cards(self._position, move, self._game)),
        )

    def _hint(self, move: RowMove, found: _Found, all_found: list[_Found]) -> RowHint:
        proven = found.verdict != "undecided" and (found.verdict == "winnable" or found.exact)
        rests_on = self._doubtful if proven else self._doubtful & set(move.places)
        reason = self._choice_reason(move, found, all_found) if is_choice(move) else None
        return RowHint(
            move,
            "proven" if proven else "bound",
            WINS[found.verdict],
            found.cards_left,
            reason or reason_of(self._position, move, self._game),
            tuple(sorted(rests_on)),
            found.line,
            found.verdict == "winnable" and self._shortest.is_shortest(found.line),
        )

    def _choice_reason(self, move: RowMove, found: _Found, all_found: list[_Found]) -> Reason:
        """Why to choose so, compared with the other choices of its kind."""
        others = [
            other
            for rival, other in zip(self._moves, all_found, strict=True)
            if is_choice(rival) and rival.kind == move.kind and rival != move
        ]
        if found.verdict != "winnable":
            return Reason("fewest-this-way" if found.verdict == "lost" else "not-settled")
        alone = bool(others) and all(other.verdict == "lost" for other in others)
        return Reason("only-way-that-wins" if alone else "wins-this-way")


def _alike(move: RowMove) -> object:
    """The same for fills that lead to tables alike: of one card, into whichever empty half row."""
    return (move.cards, move.places[0]) if move.kind == "fill" else move


def _one_of_each(moves: Iterable[RowMove]) -> tuple[RowMove, ...]:
    """The first of all moves with the same ``_alike``, in their order."""
    kept: dict[object, RowMove] = {}
    for move in moves:
        kept.setdefault(_alike(move), move)
    return tuple(kept.values())


def _worlds(position: RowPosition, game: Game) -> list[RowPosition]:
    """The positions that fit what is known of the outer columns: reversed or not, where that is not told."""
    if not game.row_options.shape.column or position.reversed is not None:
        return [position]
    return [replace(position, reversed=False), replace(position, reversed=True)]
