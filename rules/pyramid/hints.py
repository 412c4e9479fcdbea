"""Ranked hints: exact where every card is known, by sampling what fits where it is not.

Nothing a player cannot know is used: unseen cards are sampled anew for each world. Two things are proven without
knowing the order of the stock: that a position is lost even if every card outside the pyramid lay open, and, with
unlimited passes and draw 1, that it can be won (each stock card can then be brought to the top of the waste).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from random import Random

from rules.cards import Card
from rules.catalogue import Game
from rules.errors import PositionError
from rules.family import Verdict
from rules.hint_parts import CERTAIN_LOSS, CERTAIN_WIN, UNKNOWN_WIN, Certainty, Reason, Win
from rules.layouts import parse_pyramid_place
from rules.pyramid.full import FullPosition, known_position, sample_full
from rules.pyramid.hint_records import Hint, Hints, RankedBy
from rules.pyramid.legality import covering, legal_moves, outcome, removals
from rules.pyramid.moves import Move
from rules.pyramid.orders import StockOrders, hidden_stock
from rules.pyramid.pairing import leaves_alone
from rules.pyramid.position import PyramidPosition
from rules.pyramid.reasons import freed_places, reason_of
from rules.pyramid.sampling import HOPELESS_AFTER, Tally, hopeless
from rules.pyramid.search import Limits, Searcher, Solution
from rules.pyramid.tables import task_of
from rules.pyramid.worlds import played, played_widely, widest_world


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to think: seconds by ``clock``, or exactly ``worlds`` samples (then the result depends on ``rng`` and
    ``states`` alone). ``states``: how many states one sampled world may take, None for a number that fits the time."""

    seconds: float = 0.25
    worlds: int | None = None
    states: int | None = None
    clock: Callable[[], float] = time.perf_counter


FIRST_ANSWER = Budget()
"""Short enough for an answer within 300 ms."""

_MOST_WORLDS = 400
_ORDER_STATES = 1_000
_FEW_STATES = 2_000
_MANY_STATES = 30_000
_MOST_STATES = 1_000_000_000


def hints(
    position: PyramidPosition,
    game: Game,
    *,
    rng: Random,
    budget: Budget = FIRST_ANSWER,
    doubtful: Collection[str] = (),
) -> Hints:
    """Every legal move, best first; none once the game is won.

    ``doubtful``: places whose reading is in doubt; hints resting on them say so."""
    return _Adviser(position, game, rng, doubtful).think(budget)


def improving_hints(
    position: PyramidPosition,
    game: Game,
    *,
    rng: Random,
    seconds: float,
    doubtful: Collection[str] = (),
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Hints]:
    """The first answer within 300 ms, then better ones, each after twice the time, until ``seconds`` are over or
    nothing is left to find out."""
    began = clock()
    adviser = _Adviser(position, game, rng, doubtful)
    span = min(FIRST_ANSWER.seconds, seconds)
    while True:
        answer = adviser.think(Budget(seconds=span, clock=clock))
        yield answer
        left = seconds - (clock() - began)
        if left <= 0 or all(hint.certainty == "proven" for hint in answer.hints):
            return
        span = min(2 * span, left)


def partners_of(position: PyramidPosition, game: Game, place: str) -> tuple[Move, ...]:
    """Every legal removal that takes the card at a place."""
    return tuple(move for move in removals(position, game) if place in move.places)


@dataclass(frozen=True, slots=True)
class _Found:
    """What is known of one move."""

    certainty: Certainty
    win: Win
    cards_left: float
    line: tuple[Move, ...] = ()


class _Adviser:
    """Thinks about one position; what samples have shown is kept from one thought to the next."""

    def __init__(self, position: PyramidPosition, game: Game, rng: Random, doubtful: Collection[str]) -> None:
        self._position, self._game, self._rng, self._doubtful = position, game, rng, frozenset(doubtful)
        self._moves = () if outcome(position, game) == "won" else legal_moves(position, game)
        self._searcher = Searcher(game)
        self._known = known_position(position, game)
        hidden = hidden_stock(position, game) if self._known is None and self._moves else None
        self._orders = StockOrders(hidden, self._moves, game, self._searcher) if hidden else None
        self._tallies = [Tally() for _ in self._moves]
        self._worlds = 0
        self._all_lost = False
        passes = game.options.passes
        self._last_pass = passes == 1 or (passes is not None and position.pass_number == passes)
        self._by_cards_left = False
        self._scouting = False

    def think(self, budget: Budget) -> Hints:
        began = budget.clock()
        until = began + budget.seconds
        by_order: RankedBy = "order"
        found: list[_Found]
        if not self._moves:
            found, verdict, ranked = [], self._verdict_without_moves(), by_order
        elif self._known is not None:
            found, verdict, ranked = self._exact(self._known, budget, until)
        else:
            try:
                found, verdict, ranked = self._sampled(budget, until)
            except PositionError:
                found = [_Found("bound", UNKNOWN_WIN, self._position.left_in_pyramid())] * len(self._moves)
                verdict, ranked = "undecided", by_order
        pairs = sorted(zip(self._moves, found, strict=True), key=self._rank)
        listed = tuple(self._hint(move, known) for move, known in pairs)
        return Hints(listed, verdict, ranked, self._worlds, (budget.clock() - began) * 1000)

    def _verdict_without_moves(self) -> Verdict:
        ends: dict[str, Verdict] = {"won": "winnable", "lost": "lost"}
        return ends.get(outcome(self._position, self._game), "undecided")

    def _rank(self, entry: tuple[Move, _Found]) -> tuple[float, ...]:
        move, found = entry
        removes = move.kind in ("pair", "single")
        share = found.win.estimate if found.certainty != "bound" and not self._by_cards_left else 0.0
        return (
            move.kind == "redeal" and self._position.stock is None,
            not (self._is_safe(move) and (found.certainty != "proven" or share == 1.0)),
            -share,
            found.certainty == "proven" and share == 0.0 and not self._all_lost,
            # Among equals a turn shows a card and keeps all pairs that need not be taken now.
            removes and self._scouting,
            len(found.line) if share == 1.0 else 0,
            found.cards_left,
            not removes,
            -len(freed_places(self._position, move)),
        )

    def _is_safe(self, move: Move) -> bool:
        """A free king may leave at once: from the pyramid always, from the piles with draw 1."""
        card = move.cards[0] if move.kind == "single" else None
        if not isinstance(card, Card) or not leaves_alone(card, self._game.options):
            return False
        return self._game.options.draw == 1 or parse_pyramid_place(move.places[0]) is not None

    def _exact(self, world: FullPosition, budget: Budget, until: float) -> tuple[list[_Found], Verdict, RankedBy]:
        """Every child solved, with more states in each round until the time is over."""
        children = [played(world, move, self._game.options) or world for move in self._moves]
        solutions = self._rounds(world, children, budget, until)
        verdicts = {solution.verdict for solution in solutions}
        self._all_lost = verdicts == {"lost"}
        if self._all_lost:
            found = [
                self._fewest(move, child, budget, until, len(children))
                for move, child in zip(self._moves, children, strict=True)
            ]
            return found, "lost", "cards-left"
        found = [
            self._exact_found(move, child, solution)
            for move, child, solution in zip(self._moves, children, solutions, strict=True)
        ]
        winnable = "winnable" in verdicts
        return found, "winnable" if winnable else "undecided", "shortest-line" if winnable else "cards-left"

    def _rounds(
        self, world: FullPosition, children: list[FullPosition], budget: Budget, until: float
    ) -> list[Solution]:
        states = budget.states or _FEW_STATES
        solutions = [self._searcher.solve(child, Limits(None, 2 * states), shorten=states) for child in children]
        verdicts = {solution.verdict for solution in solutions}
        if budget.states is None and "winnable" not in verdicts and "undecided" in verdicts:
            # One search of the whole position goes deeper than one for each move.
            limits = Limits(max(0.0, until - budget.clock()) / 2, clock=budget.clock)
            solutions = self._told_by(self._searcher.solve(world, limits, shorten=_FEW_STATES), solutions)
        while budget.states is None:
            pending = [i for i, solution in enumerate(solutions) if solution.verdict == "undecided"]
            left = until - budget.clock()
            if not pending or left <= 0:
                break
            states *= 8
            for i in pending:
                limits = Limits(max(0.0, until - budget.clock()) / len(pending), states, clock=budget.clock)
                solutions[i] = self._searcher.solve(children[i], limits, shorten=_FEW_STATES)
        return solutions

    def _told_by(self, whole: Solution, solutions: list[Solution]) -> list[Solution]:
        """What a search of the whole position says of the moves: the first of its line wins, or none does."""
        if whole.verdict == "lost":
            return [replace(solution, verdict="lost", moves=()) for solution in solutions]
        return [
            replace(whole, moves=whole.moves[1:]) if whole.moves[:1] == (move,) else solution
            for move, solution in zip(self._moves, solutions, strict=True)
        ]

    def _exact_found(self, move: Move, child: FullPosition, solution: Solution) -> _Found:
        if solution.verdict == "winnable":
            return _Found("proven", CERTAIN_WIN, 0, (move, *solution.moves))
        left = self._searcher.greedy_left(child)
        if solution.verdict == "lost":
            return _Found("proven", CERTAIN_LOSS, left)
        return _Found("bound", UNKNOWN_WIN, left)

    def _fewest(self, move: Move, child: FullPosition, budget: Budget, until: float, shares: int) -> _Found:
        """How few cards a lost position can still leave; ``bound`` where the search for fewer was stopped."""
        seconds = None if budget.states else max(0.01, (until - budget.clock()) / shares)
        limits = Limits(seconds, budget.states or _MOST_STATES, clock=budget.clock)
        solution = self._searcher.solve(child, limits, fewest=True)
        left = min(solution.cards_left, self._searcher.greedy_left(child))
        line = (move, *solution.moves) if left == solution.cards_left else ()
        return _Found("proven" if solution.cards_left_exact else "bound", CERTAIN_LOSS, left, line)

    def _sampled(self, budget: Budget, until: float) -> tuple[list[_Found], Verdict, RankedBy]:
        proofs = self._proofs()
        states = budget.states or (_FEW_STATES if budget.seconds <= 1 else _MANY_STATES)
        if self._orders is not None and budget.states is None:
            states = _ORDER_STATES if budget.seconds <= 1 else _FEW_STATES
        wanted = budget.worlds if budget.worlds is not None else _MOST_WORLDS
        first = self._worlds
        while self._worlds - first < wanted and self._worlds < _MOST_WORLDS * 4:
            self._try_world(proofs, states)
            if budget.worlds is None and budget.clock() >= until:
                break
        self._by_cards_left = self._orders is not None and True not in proofs and self._hopeless()
        self._scouting = self._orders is not None and not self._by_cards_left and not self._game.ends_after_idle_pass
        found = [self._sampled_found(*entry) for entry in zip(self._tallies, proofs, strict=True)]
        self._all_lost = all(proof is False for proof in proofs)
        verdict: Verdict = "winnable" if True in proofs else ("lost" if self._all_lost else "undecided")
        by_share = any(entry.win.estimate > 0 for entry in found) and not self._by_cards_left
        ranked: RankedBy = "share-won" if by_share else "cards-left"
        return found, verdict, ranked

    def _try_world(self, proofs: list[bool | None], states: int) -> None:
        """One world that fits what is known, every move tried in it. A move this world does not allow (no card to
        turn) counts as the average of the others there, so that all are compared over the same worlds."""
        if self._orders is not None:
            self._try_order(self._orders, proofs, states)
            return
        world = sample_full(self._position, self._game, self._rng)
        children = [played(world, move, self._game.options) for move in self._moves]
        results = [self._result(child, proof, states) for child, proof in zip(children, proofs, strict=True) if child]
        self._worlds += 1
        if not results:
            return
        mean = tuple(sum(column) / len(results) for column in zip(*results, strict=True))
        waiting = iter(results)
        for tally, child in zip(self._tallies, children, strict=True):
            won, open_, left = next(waiting) if child else mean
            tally.add(won, open_, left)

    def _try_order(self, orders: StockOrders, proofs: list[bool | None], states: int) -> None:
        """As ``_try_world``, where the order of the stock is all that is not known."""
        orders.shuffle(self._rng)
        self._worlds += 1
        asks = self._worlds <= HOPELESS_AFTER[self._last_pass] or not self._hopeless()
        for number, (tally, proof) in enumerate(zip(self._tallies, proofs, strict=True)):
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

    def _sampled_found(self, tally: Tally, proof: bool | None) -> _Found:
        """A proven loss is ``sampled`` all the same, with a win of 0 to 0: the cards left rest on the samples."""
        left = tally.left / tally.tried if tally.tried else float(self._position.left_in_pyramid())
        if self._by_cards_left:
            left = tally.rolled_left / tally.rolled
        if proof:
            return _Found("proven", CERTAIN_WIN, 0)
        if not tally.tried:
            return _Found("bound", UNKNOWN_WIN if proof is None else CERTAIN_LOSS, left)
        win = CERTAIN_LOSS if proof is False else Win.of_counts(tally.won, tally.open, tally.tried)
        return _Found("sampled", win, left)

    def _proofs(self) -> list[bool | None]:
        """For each move: True if it wins, False if it loses, whatever the order of the cards outside the pyramid."""
        options = self._game.options
        widest = widest_world(self._position, self._game)
        if widest is None or options.goal == "all":
            return [None] * len(self._moves)
        world, exact = widest
        always = exact and options.passes is None and options.draw == 1 and options.turn_when == "always"
        proofs: list[bool | None] = []
        for move in self._moves:
            child = replace(played_widely(world, move, options), pass_number=1)
            least = self._searcher.least_left(task_of(child, options))
            proofs.append(False if least else (True if always else None))
        return proofs

    def _hint(self, move: Move, found: _Found) -> Hint:
        reason: Reason = reason_of(self._position, move, self._game, self._moves)
        rests_on = set(move.places)
        for place in move.places:
            rests_on |= self._near(place)
        if found.certainty == "proven":
            rests_on |= self._doubtful
        depends = tuple(sorted(rests_on & self._doubtful))
        return Hint(move, found.certainty, found.win, round(found.cards_left, 2), reason, depends, found.line)

    def _near(self, place: str) -> set[str]:
        """The places whose being empty lets the card at ``place`` be taken."""
        spot = parse_pyramid_place(place)
        if spot is None or spot[0] >= self._position.row_count:
            return set()
        row, column = spot
        return {f"pyramid {row + 1} {column}", f"pyramid {row + 1} {column + 1}", *covering(self._position, place)}
