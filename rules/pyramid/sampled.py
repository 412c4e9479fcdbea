"""Moves judged where cards are unseen, over samples of what may lie there.

First it is sought what can be proven whatever the unseen cards are, see ``endings`` and ``unaided``. Then each move is
solved in every sampled world. Where the order of the stock is all that is unseen, what follows a move is
set up once and each sample only shuffles the stock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from random import Random
from typing import Final

from rules.cards import GONE, Card
from rules.catalogue import Game
from rules.errors import PositionError
from rules.family import Verdict
from rules.hint_parts import CERTAIN_LOSS, CERTAIN_WIN, UNKNOWN_WIN, Win
from rules.pyramid.endings import Endings
from rules.pyramid.findings import Budget, Findings, Found
from rules.pyramid.full import FullPosition, sample_full
from rules.pyramid.hint_records import RankedBy
from rules.pyramid.legality import free_places
from rules.pyramid.moves import Move
from rules.pyramid.orders import Outlook, StockOrders, hidden_stock
from rules.pyramid.position import PyramidPosition
from rules.pyramid.sampling import HOPELESS_AFTER, Tally, hopeless
from rules.pyramid.search import Limits, Searcher
from rules.pyramid.shortening import Shortening
from rules.pyramid.tables import task_of
from rules.pyramid.unaided import Line, known_part, unaided_lines
from rules.pyramid.workspace import Workspace
from rules.pyramid.worlds import played, played_widely, widest_world
from rules.shortest_lines import ShortestLines

_MOST_WORLDS = 400
_ORDER_STATES = 2_000
_FEW_STATES = 2_000
_MANY_STATES = 30_000
_WORLDS_IF_PROVEN = 8

FEW_LEFT: Final = 12
"""Cards in the pyramid at most for it to be sought what can be proven whatever the unseen cards are: with more of them
hardly anything can."""
_TO_PROVE: Final = 0.4
"""Of the time, to prove something; what is not proven then is sampled in the rest."""
_SIGHTS: Final = 2_000
"""States of knowledge looked at where the work is fixed instead of the time."""


def work_within(endings: Endings, budget: Budget) -> None:
    """Lets it be proven what can be in a part of a budget."""
    until = budget.clock() + _TO_PROVE * budget.seconds
    asked = count(1)
    fixed = budget.worlds is not None or budget.states is not None
    endings.work(lambda: next(asked) <= _SIGHTS if fixed else budget.clock() < until)


class SamplingJudge:
    """Judges the moves of one position; what samples have shown is kept from one judgement to the next."""

    def __init__(self, position: PyramidPosition, moves: Sequence[Move], game: Game, rng: Random) -> None:
        self._position, self._moves, self._game, self._rng = position, moves, game, rng
        self._searcher = Searcher(game)
        hidden = hidden_stock(position, game)
        self._orders = StockOrders(hidden, moves, game, self._searcher) if hidden else None
        options, self._outlook = game.options, None
        self._tallies = [Tally() for _ in moves]
        self._worlds = 0
        self._none_fits = False
        passes = options.passes
        self._last_pass = passes == 1 or (passes is not None and position.pass_number == passes)
        if self._orders and options.draw == 1 and passes is not None and not self._last_pass:
            self._outlook = Outlook(self._orders, self._searcher)
        self._proofs: list[bool | None] = []
        free = free_places(position, game)
        piles = (position.stock, position.waste, GONE if options.turned == "laid" else position.turned)
        self._all_listed = None not in piles and all(isinstance(position.look(place), Card) for place in free)
        self._part = known_part(position, game)
        self._shortest, self._space = ShortestLines(moves, self._begin), Workspace()
        few = position.left_in_pyramid() <= FEW_LEFT
        self._endings = Endings(position, moves, game, self._searcher) if few else None

    def judge(self, budget: Budget, until: float) -> Findings:
        """What the moves lead to, as far as samples show by the time ``until``."""
        try:
            self._prove(budget)
            if budget.shortest:
                self._shortest.work(budget.states, lambda: budget.states is None and budget.clock() >= until)
            self._sample(budget, until)
        except PositionError:
            self._none_fits = True
            left = self._position.left_in_pyramid()
            return Findings((Found("bound", UNKNOWN_WIN, left),) * len(self._moves), "undecided", "order")
        by_left = self._orders is not None and True not in self._proofs and self._hopeless()
        scouting = self._orders is not None and not by_left and not self._game.ends_after_idle_pass
        found = tuple(self._found(number, by_left) for number in range(len(self._moves)))
        verdict: Verdict = "winnable" if True in self._proofs else ("lost" if self._is_lost() else "undecided")
        by_share = any(entry.win.estimate > 0 for entry in found) and not by_left
        ranked: RankedBy = "share-won" if by_share else "cards-left"
        settled = self._shortest.settled
        return Findings(found, verdict, ranked, by_left, scouting, self._worlds, lines_settled=settled)

    def _begin(self, first: Move | None, line: Line) -> Shortening:
        """The search among the cards that are known; it knows nothing of shorter lines with the help of others."""
        if self._part is None:
            raise ValueError("a line that needs nothing unseen rests on the part of the table that is known")
        world, once = self._part
        after = world if first is None else played(world, first, once.options)
        return Shortening(after or world, once, line, self._space)

    def _is_lost(self) -> bool:
        """Whether the position is proven to be lost: also by a move that cannot be listed, because its card is not
        read."""
        if self._endings is not None and self._endings.lost:
            return True
        return self._all_listed and all(proof is False for proof in self._proofs)

    @property
    def exhausted(self) -> bool:
        """Whether so many samples are judged that more would hardly tell anything new, or there are none."""
        return self._none_fits or self._worlds >= _MOST_WORLDS * 4

    def _prove(self, budget: Budget) -> None:
        """Settles ``_proofs``: for each move True if it wins, False if it loses, whatever the unseen cards are; None
        where that is not proven, in a part of the time."""
        if not self._proofs:
            lines = unaided_lines(self._part, self._moves)
            for line in filter(None, lines):
                self._shortest.learn(line)
            wide = self._prove_widely()
            self._proofs = [True if line else proof for line, proof in zip(lines, wide, strict=True)]
        told = None not in self._proofs and (True in self._proofs or self._all_listed)
        if self._endings is None or self._endings.settled or told:
            return
        work_within(self._endings, budget)
        self._proofs = [
            known if known is not None else proof
            for known, proof in zip(self._proofs, self._endings.proofs, strict=True)
        ]

    def _prove_widely(self) -> list[bool | None]:
        """What follows for each move if every card outside the pyramid lay open: if it loses then, it does."""
        options = self._game.options
        widest = widest_world(self._position, self._game)
        if widest is None or (options.goal == "all" and not widest[1]):
            return [None] * len(self._moves)
        world, exact = widest
        always = exact and (options.passes, options.draw, options.turn_when) == (None, 1, "always")
        always = always and options.goal == "pyramid" and not self._game.ends_after_idle_pass
        proofs: list[bool | None] = []
        for move in self._moves:
            child = replace(played_widely(world, move, options), pass_number=1)
            least = self._searcher.least_left(task_of(child, options))
            proofs.append(False if least else (True if always else None))
        return proofs

    def _sample(self, budget: Budget, until: float) -> None:
        """More worlds until the time is over, or as many as wanted; raises PositionError where none fits."""
        long = budget.seconds > 1
        states = budget.states or (_MANY_STATES if long else _FEW_STATES)
        if self._orders is not None and budget.states is None:
            states = _ORDER_STATES
        wanted = budget.worlds if budget.worlds is not None else _MOST_WORLDS
        if None not in self._proofs and True in self._proofs:
            wanted = min(wanted, _WORLDS_IF_PROVEN)
        first = self._worlds
        while self._worlds - first < wanted and not self.exhausted:
            if self._orders is not None:
                self._try_order(self._orders, states)
            else:
                self._try_world(states)
            if budget.worlds is None and budget.clock() >= until:
                break

    def _try_world(self, states: int) -> None:
        """One world that fits what is known, every move tried in it. A move this world does not allow (no card to
        turn) counts as the average of the others there, so that all are compared over the same worlds."""
        world = sample_full(self._position, self._game, self._rng)
        children = [played(world, move, self._game.options) for move in self._moves]
        results = [
            self._result(child, proof, states) for child, proof in zip(children, self._proofs, strict=True) if child
        ]
        self._worlds += 1
        if not results:
            return
        mean = tuple(sum(column) / len(results) for column in zip(*results, strict=True))
        waiting = iter(results)
        for tally, child in zip(self._tallies, children, strict=True):
            won, open_, left = next(waiting) if child else mean
            tally.add(won, open_, left)

    def _try_order(self, orders: StockOrders, states: int) -> None:
        """As ``_try_world``, where the order of the stock is all that is not known."""
        orders.shuffle(self._rng)
        self._worlds += 1
        if self._outlook is not None:
            known = self._outlook.look(states)
            for number, (tally, proof) in enumerate(zip(self._tallies, self._proofs, strict=True)):
                left = float(orders.greedy_left(number))
                tally.roll(left)
                verdict = "winnable" if proof else "lost" if proof is False else known.get(number)
                if verdict is not None:
                    won = verdict == "winnable"
                    tally.add(float(won), float(verdict == "undecided"), 0.0 if won else left)
            return
        asks = self._worlds <= HOPELESS_AFTER[self._last_pass] or not self._hopeless()
        for number, (tally, proof) in enumerate(zip(self._tallies, self._proofs, strict=True)):
            left = float(orders.greedy_left(number))
            tally.roll(left)
            if proof:
                tally.add(1.0, 0.0, 0.0)
            elif asks:
                verdict = "lost" if proof is False else orders.verdict(number, states)
                won = verdict == "winnable"
                tally.add(float(won), float(verdict == "undecided"), 0.0 if won else left)

    def _hopeless(self) -> bool:
        return hopeless(self._tallies, last_pass=self._last_pass)

    def _result(self, child: FullPosition, proof: bool | None, states: int) -> tuple[float, float, float]:
        """(won, undecided, cards left) of one move in one world."""
        if proof:
            return 1.0, 0.0, 0.0
        left = float(self._searcher.greedy_left(child))
        if proof is False:
            return 0.0, 0.0, left
        verdict = self._searcher.solve(child, Limits(None, states)).verdict
        return (1.0, 0.0, 0.0) if verdict == "winnable" else (0.0, float(verdict == "undecided"), left)

    def _found(self, number: int, by_left: bool) -> Found:
        """A proven loss is ``sampled`` all the same, with a win of 0 to 0: the cards left rest on the samples."""
        tally, proof = self._tallies[number], self._proofs[number]
        left = tally.left / tally.tried if tally.tried else float(self._position.left_in_pyramid())
        if by_left:
            left = tally.rolled_left / tally.rolled
        if proof:
            return Found("proven", CERTAIN_WIN, 0, self._shortest.of(self._moves[number]))
        if proof is False:
            return Found("proven", CERTAIN_LOSS, left)
        if not tally.tried:
            return Found("bound", UNKNOWN_WIN, left)
        share = self._outlook.share(number) if self._outlook is not None else None
        won = tally.won if share is None else share * tally.tried
        return Found("sampled", Win.of_counts(won, tally.open, tally.tried), left)
