"""The pyramid family as records, scores, reviews and simulations use it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from rules.cards import FACE_DOWN, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.errors import PositionError
from rules.family import Outcome, Solved, Thought
from rules.layouts import parse_pyramid_place, pyramid_place
from rules.pyramid import left, legality, notation, unknown
from rules.pyramid.findings import Budget
from rules.pyramid.full import known_position, random_deal
from rules.pyramid.hints import hints, is_safe
from rules.pyramid.moves import MOVE_KINDS, Move
from rules.pyramid.position import PyramidPosition
from rules.pyramid.reasons import freed_places
from rules.pyramid.search import Limits, Searcher, warm_up
from rules.pyramid.shortening import Shortening
from rules.pyramid.workspace import Workspace
from rules.violation import Violation


class PyramidFamily:
    """The acts of the pyramid family; see ``rules.family.Family``."""

    def prepare(self, game: Game) -> None:
        """Loads the compiled search, or compiles it the first time."""
        warm_up(game)

    def deal(self, game: Game, rng: Random) -> PyramidPosition:
        """A truth shuffled by ``rng``."""
        return notation.fresh(random_deal(game, rng))

    def show(self, truth: PyramidPosition, game: Game) -> PyramidPosition:
        """The order of the stock is hidden, and where covered cards lie face down, so are they."""
        hidden = replace(truth, stock_cards=None, stock_count=len(truth.stock_cards or ()))
        if game.options.face == "up":
            return hidden
        rows = tuple(
            tuple(FACE_DOWN if legality.covering(truth, pyramid_place(r, c)) else card for c, card in enumerate(row, 1))
            for r, row in enumerate(truth.rows, 1)
        )
        return replace(hidden, rows=rows)

    def fill(self, move: Move, truth: PyramidPosition) -> Move:
        """A turn with the cards it turns, another move with those unseen ones that are known to lie there."""
        if move.kind == "turn":
            lying: Iterable[Seen | None] = truth.stock_cards or move.cards
        else:
            lying = (truth.look(place) for place in move.places)
        pairs = zip(move.cards, lying, strict=False)
        cards = (there if card is FACE_DOWN and isinstance(there, Card) else card for card, there in pairs)
        return replace(move, cards=tuple(cards))

    def look(self, view: PyramidPosition, truth: PyramidPosition, game: Game) -> PyramidPosition:
        """Free cards that lay face down are turned up."""
        down = [
            spot
            for place in legality.free_places(view, game)
            if (spot := parse_pyramid_place(place)) and view.at(*spot) is FACE_DOWN
        ]
        if not down:
            return view
        rows = tuple(
            tuple(truth.at(r, c) if (r, c) in down else card for c, card in enumerate(row, 1))
            for r, row in enumerate(view.rows, 1)
        )
        return replace(view, rows=rows)

    def legal_moves(self, position: PyramidPosition, game: Game) -> Sequence[Move]:
        """Every legal move on what is known."""
        return legality.legal_moves(position, game)

    def violations(self, position: PyramidPosition, move: Move, game: Game) -> tuple[Violation, ...]:
        """Every rule the move breaks."""
        return legality.violations(position, move, game)

    def play(self, position: PyramidPosition, move: Move, game: Game) -> PyramidPosition:
        """The position after a legal move; raises IllegalMove."""
        return legality.play(position, move, game)

    def outcome(self, position: PyramidPosition, game: Game) -> Outcome:
        """Won, lost, or open."""
        return legality.outcome(position, game)

    def left_parts(self, position: PyramidPosition, game: Game) -> tuple[tuple[str, int], ...]:
        """Cards of the pyramid, or all of them where the goal is all, by pile; raises NotNotedError."""
        return left.left_parts(position, game)

    def solve(
        self,
        truth: PyramidPosition,
        game: Game,
        seconds: float | None,
        *,
        fewest: bool = False,
        clock: Callable[[], float] = time.perf_counter,
    ) -> Solved[Move]:
        """Whether the truth can be won; raises PositionError where a card is not known."""
        full = known_position(truth, game)
        if full is None:
            raise PositionError("only a position of which every card is known can be solved")
        shorten = _STATES_TO_SHORTEN if fewest else 0
        found = Searcher(game).solve(full, Limits(seconds=seconds, clock=clock), fewest=fewest, shorten=shorten)
        return Solved(found.verdict, found.moves, found.cards_left, found.cards_left_exact)

    def shorten(
        self,
        truth: PyramidPosition,
        game: Game,
        line: tuple[Move, ...],
        seconds: float,
        clock: Callable[[], float] = time.perf_counter,
    ) -> tuple[tuple[Move, ...], bool]:
        """The line made shorter until none is, or the time or a number of states is over; whether that is proven."""
        full, until = known_position(truth, game), clock() + seconds
        if full is None:
            return line, False
        search = Shortening(full, game, line, Workspace())
        search.work(_STATES_FOR_SHORTEST, lambda: clock() >= until)
        return search.line, search.proven

    def hint(self, view: PyramidPosition, game: Game, rng: Random, thought: Thought) -> tuple[Move, ...]:
        """The best hint; with the whole line where it is proven to win."""
        legal = legality.legal_moves(view, game)
        if len(legal) == 1:
            return tuple(legal)
        safe = [move for move in legal if view.stock_cards is None and is_safe(move, game)]
        if safe:
            return (safe[0],)
        budget = Budget(seconds=_SHARE_OF_TIME * thought.seconds, worlds=thought.samples, clock=thought.clock)
        if thought.samples is not None:
            budget = replace(budget, states=_STATES_A_SAMPLE)
        best = hints(view, game, rng=rng, budget=budget).hints[0]
        return best.line or (best.move,)

    def greedy(self, view: PyramidPosition, moves: Sequence[Move], game: Game) -> Move:
        """The removal that uncovers most, the one with more cards of the pyramid among equals; else a turn."""
        removals = [move for move in moves if move.kind in ("pair", "single")]
        return max(removals, key=lambda move: _uncovered(view, move)) if removals else moves[0]

    def move(self, kind: str, cards: tuple[Seen, ...], places: tuple[str, ...]) -> Move:
        """The move of those parts; raises PositionError for a kind the family does not have."""
        if kind not in MOVE_KINDS:
            raise PositionError(f"{kind!r} is no move of the pyramid family; they are {', '.join(MOVE_KINDS)}")
        return Move(kind, cards, places)

    def start_texts(self, start: PyramidPosition, game: Game) -> Mapping[str, str]:
        """``deal`` for a fresh deal, ``??`` where a card is not known; else ``position``."""
        return notation.start_texts(start, game)

    def parse_start(self, texts: Mapping[str, str], game: Game) -> PyramidPosition:
        """The position of those lines; raises PositionError or CardError."""
        return notation.parse_start(texts, game)

    def learn(self, start: PyramidPosition, moves: Sequence[Move], game: Game) -> PyramidPosition:
        """The start with every card that the moves made known later."""
        return unknown.learn(start, moves, game)

    def unseen(self, start: PyramidPosition) -> int:
        """Places of pyramid, stock, waste and hand whose card is not known."""
        piles = (*(start.stock_cards or ()), *(start.waste_cards or ()), start.turned)
        return sum(card in (FACE_DOWN, UNREADABLE) for row in (*start.rows, piles) for card in row)

    def truths(self, start: PyramidPosition, game: Game, rng: Random, most: int) -> Iterator[PyramidPosition]:
        """Every truth that fits the start, or ``most`` of them where there are more."""
        return unknown.truths(start, game, rng, most)


_STATES_A_SAMPLE = 1_000
_STATES_TO_SHORTEN = 20_000
_STATES_FOR_SHORTEST = 1_000_000
"""Some seconds at most."""
_SHARE_OF_TIME = 0.85
"""Of the time for a hint; the last sample begun may take the rest."""


def _uncovered(view: PyramidPosition, move: Move) -> tuple[int, int]:
    in_pyramid = sum(parse_pyramid_place(place) is not None for place in move.places)
    return len(freed_places(view, move)), in_pyramid
