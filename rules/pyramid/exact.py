"""Moves judged where every card is known: each solved, with more states in each round until the time is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.catalogue import Game
from rules.hint_parts import CERTAIN_LOSS, CERTAIN_WIN, UNKNOWN_WIN
from rules.pyramid.findings import Budget, Findings, Found
from rules.pyramid.full import FullPosition
from rules.pyramid.moves import Move
from rules.pyramid.search import Limits, Searcher, Solution
from rules.pyramid.shortening import Shortening
from rules.pyramid.workspace import Workspace
from rules.pyramid.worlds import played
from rules.shortest_lines import ShortestLines

_FEW_STATES = 2_000
_MOST_STATES = 1_000_000_000


class ExactJudge:
    """Judges the moves of one full position; what is decided is kept from one judgement to the next."""

    def __init__(self, world: FullPosition, moves: Sequence[Move], game: Game) -> None:
        self._world, self._moves, self._game = world, moves, game
        self._children = [played(world, move, game.options) or world for move in moves]
        self._searcher, self._space = Searcher(game), Workspace()
        self._solutions: list[Solution] = []
        self._shortest = ShortestLines(moves, self._begin)

    def judge(self, budget: Budget, until: float) -> Findings:
        """What the moves lead to, as far as can be told by the time ``until``."""
        solutions = self._rounds(budget, until)
        verdicts = {solution.verdict for solution in solutions}
        if verdicts == {"lost"}:
            fewest = tuple(self._fewest(number, budget, until) for number in range(len(self._moves)))
            return Findings(fewest, "lost", "cards-left")
        for move, solution in zip(self._moves, solutions, strict=True):
            if solution.verdict == "winnable":
                self._shortest.learn((move, *solution.moves))
        if budget.shortest:
            self._shortest.work(budget.states, lambda: budget.states is None and budget.clock() >= until)
        found = tuple(self._found(number, solution) for number, solution in enumerate(solutions))
        if any(entry.win == CERTAIN_WIN for entry in found):
            return Findings(found, "winnable", "shortest-line", lines_settled=self._shortest.settled)
        return Findings(found, "undecided", "cards-left")

    def _begin(self, first: Move | None, line: tuple[Move, ...]) -> Shortening:
        start = self._world if first is None else self._children[self._moves.index(first)]
        return Shortening(start, self._game, line, self._space)

    def _rounds(self, budget: Budget, until: float) -> list[Solution]:
        """The moves solved, with more states in each round; once one wins its line goes first, if that is wanted."""
        states = budget.states or _FEW_STATES
        if not self._solutions:
            limits = Limits(None, 2 * states)
            self._solutions = [self._searcher.solve(child, limits, shorten=states) for child in self._children]
        solutions = self._solutions
        verdicts = {solution.verdict for solution in solutions}
        if budget.states is None and "winnable" not in verdicts and "undecided" in verdicts:
            # One search of the whole position goes deeper than one for each move.
            limits = Limits(max(0.0, until - budget.clock()) / 2, clock=budget.clock)
            whole = self._searcher.solve(self._world, limits, shorten=_FEW_STATES)
            solutions = self._solutions = self._told_by(whole, solutions)
        while budget.states is None:
            pending = [i for i, solution in enumerate(solutions) if solution.verdict == "undecided"]
            left = until - budget.clock()
            won = any(solution.verdict == "winnable" for solution in solutions)
            if not pending or left <= 0 or (won and budget.shortest):
                break
            states *= 8
            for i in pending:
                limits = Limits(max(0.0, until - budget.clock()) / len(pending), states, clock=budget.clock)
                solutions[i] = self._searcher.solve(self._children[i], limits, shorten=_FEW_STATES)
        return solutions

    def _told_by(self, whole: Solution, solutions: list[Solution]) -> list[Solution]:
        """What a search of the whole position says of the moves: the first of its line wins, or none does."""
        if whole.verdict == "lost":
            return [replace(solution, verdict="lost", moves=()) for solution in solutions]
        return [
            replace(whole, moves=whole.moves[1:]) if whole.moves[:1] == (move,) else solution
            for move, solution in zip(self._moves, solutions, strict=True)
        ]

    def _found(self, number: int, solution: Solution) -> Found:
        line = self._shortest.of(self._moves[number])
        if line:
            return Found("proven", CERTAIN_WIN, 0, line, self._shortest.is_shortest(line))
        left = self._searcher.greedy_left(self._children[number])
        if solution.verdict == "lost":
            return Found("proven", CERTAIN_LOSS, left)
        return Found("bound", UNKNOWN_WIN, left)

    def _fewest(self, number: int, budget: Budget, until: float) -> Found:
        """How few cards a lost position can still leave; ``bound`` where the search for fewer was stopped."""
        seconds = None if budget.states else max(0.01, (until - budget.clock()) / len(self._moves))
        limits = Limits(seconds, budget.states or _MOST_STATES, clock=budget.clock)
        child = self._children[number]
        solution = self._searcher.solve(child, limits, fewest=True)
        left = min(solution.cards_left, self._searcher.greedy_left(child))
        line = (self._moves[number], *solution.moves) if left == solution.cards_left else ()
        return Found("proven" if solution.cards_left_exact else "bound", CERTAIN_LOSS, left, line)
