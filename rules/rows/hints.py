"""Ranked hints of the row family. All cards lie open, so a hint is exact wherever the search gets to its end.

A direction or bases that are still open are chosen by searching every choice. Where it is not known whether the outer
columns have been reversed, only what holds either way is called proven.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from rules.catalogue import Game
from rules.family import Outcome, Verdict
from rules.hint_parts import Reason
from rules.rows.faults import refuse_foreign
from rules.rows.hint_records import WINS, RankedBy, RowHint, RowHints
from rules.rows.legality import cards_off, is_legal, legal_moves, outcome, play
from rules.rows.moves import RowMove
from rules.rows.position import RowPosition
from rules.rows.reasons import freed_cards, is_choice, reason_of
from rules.rows.search import Limits, RowSolution, solve

_FIRST_STATES: Final = 250
_MORE: Final = 8
_VERDICTS: Final[dict[Outcome, Verdict]] = {"won": "winnable", "lost": "lost", "open": "undecided"}


@dataclass(frozen=True, slots=True)
class RowBudget:
    """How long to think: seconds by ``clock``, or exactly ``states`` classes of positions for each move."""

    seconds: float = 0.25
    states: int | None = None
    clock: Callable[[], float] = time.perf_counter


FIRST_ANSWER: Final = RowBudget(seconds=0.15)
"""Short enough for an answer within 300 ms."""


def hints(
    position: RowPosition, game: Game, *, budget: RowBudget = FIRST_ANSWER, doubtful: Collection[str] = ()
) -> RowHints:
    """Every legal move, best first, of fills that differ in the empty half row alone one; none once the game is won.
    Raises PositionError where a card is not in the deck.

    ``doubtful``: places whose reading is in doubt; hints resting on them say so."""
    return _Adviser(position, game, doubtful).think(budget)


def improving_hints(
    position: RowPosition,
    game: Game,
    *,
    seconds: float,
    doubtful: Collection[str] = (),
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[RowHints]:
    """The first answer within 300 ms, then better ones, each after twice the time, until ``seconds`` are over or
    nothing is left to find out."""
    began = clock()
    adviser = _Adviser(position, game, doubtful)
    span = min(FIRST_ANSWER.seconds, seconds)
    while True:
        answer = adviser.think(RowBudget(seconds=span, clock=clock))
        yield answer
        left = seconds - (clock() - began)
        if left <= 0 or adviser.is_settled(answer):
            return
        span = min(2 * span, left)


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
        self._proven: dict[RowMove, _Found] = {}
        self._root: RowSolution | None = None

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
        return RowHints(listed, verdict, by[verdict], 0, (budget.clock() - began) * 1000)

    def is_settled(self, answer: RowHints) -> bool:
        """Whether more time would not change the answer."""
        rough = self._root is not None and self._root.cut_short
        return not rough and all(hint.certainty == "proven" for hint in answer.hints)

    def _verdict(self, found: list[_Found]) -> Verdict:
        if not self._moves:
            return _VERDICTS[outcome(self._position, self._game)]
        if self._root is not None and self._root.verdict != "undecided":
            return self._root.verdict
        verdicts = {each.verdict for each in found}
        return "winnable" if "winnable" in verdicts else "lost" if verdicts == {"lost"} else "undecided"

    def _think_root(self, budget: RowBudget, until: float) -> None:
        """The position itself: its winning line makes its first move a hint; its loss is that of every move."""
        if self._root is not None and self._root.verdict != "undecided" and not self._root.cut_short:
            return
        seconds = None if budget.states else 0.7 * max(0.0, until - budget.clock())
        limits = Limits(seconds, budget.states or Limits().states, clock=budget.clock)
        found = solve(self._worlds[0], self._game, limits, fewest=True)
        if self._root is not None and self._root.verdict != "undecided" and found.verdict == "undecided":
            return
        self._root = found
        if found.verdict == "winnable" and found.moves:
            first = found.moves[0]
            self._moves = tuple(first if _fill_key(move) == _fill_key(first) else move for move in self._moves)
            self._proven[first] = _Found("winnable", 0, True, found.moves)

    def _think_moves(self, budget: RowBudget, until: float) -> list[_Found]:
        """Every move searched, with more states in each round until the time is over."""
        states = budget.states or _FIRST_STATES
        found: dict[RowMove, _Found] = {}
        for move in self._moves:
            late = budget.states is None and budget.clock() >= until
            known = self._proven.get(move)
            left = None if budget.states else max(0.0, until - budget.clock())
            found[move] = known or (self._untried() if late else self._try(move, budget, states, left))
        while budget.states is None and budget.clock() < until:
            pending = [move for move in self._moves if not self._is_settled(found[move])]
            if not pending:
                break
            states *= _MORE
            for move in pending:
                left = max(0.0, until - budget.clock())
                found[move] = self._try(move, budget, states, left / len(pending))
        return [found[move] for move in self._moves]

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
            self._proven[move] = found
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
        return (
            not safe,
            share,
            found.cards_left,
            not is_choice(move),
            len(found.line),
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


def _fill_key(move: RowMove) -> object:
    """The same for fills that lead to tables alike: of one card, into whichever empty half row."""
    return (move.cards, move.places[0]) if move.kind == "fill" else move


def _one_of_each(moves: Iterable[RowMove]) -> tuple[RowMove, ...]:
    """The first of all moves with the same ``_fill_key``, in their order."""
    kept: dict[object, RowMove] = {}
    for move in moves:
        kept.setdefault(_fill_key(move), move)
    return tuple(kept.values())


def _worlds(position: RowPosition, game: Game) -> list[RowPosition]:
    """The positions that fit what is known of the outer columns: reversed or not, where that is not told."""
    if not game.row_options.shape.column or position.reversed is not None:
        return [position]
    return [replace(position, reversed=False), replace(position, reversed=True)]
