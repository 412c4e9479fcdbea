"""The row family as records, scores, reviews and simulations use it. All cards are seen, so a view is the truth."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from rules.cards import Card, Seen
from rules.catalogue import Game
from rules.errors import NotNotedError, PositionError, RulesError
from rules.family import Outcome, Solved, Thought
from rules.rows import legality, notation
from rules.rows.dealing import random_deal
from rules.rows.faults import refuse_foreign
from rules.rows.moves import ROW_MOVE_KINDS, RowMove
from rules.rows.places import CELLAR, parse_place
from rules.rows.position import RowPosition
from rules.rows.search import Limits, solve, warm_up
from rules.rows.shortening import Shortening
from rules.violation import Violation

_DEAL, _POSITION = "deal", "position"
_STATES_A_SAMPLE: Final = 1_000
_STATES_FOR_SHORTEST: Final = 200_000
"""Some seconds at most."""
_GREEDY_ORDER: Final = ("foundation", "base", "direction", "build", "fill", "cellar", "reverse")


class RowFamily:
    """The acts of the row family; see ``rules.family.Family``."""

    def prepare(self, game: Game) -> None:
        """Loads the compiled search, or compiles it the first time."""
        warm_up()

    def deal(self, game: Game, rng: Random) -> RowPosition:
        """A truth shuffled by ``rng``."""
        return random_deal(game, rng)

    def show(self, truth: RowPosition, game: Game) -> RowPosition:
        """The deal, all of which is seen. Where the direction is chosen before the deal is finished nothing that helps
        to choose has been seen yet: it is up."""
        blind = game.row_options.direction_chosen == "before" and truth.direction is None
        return replace(truth, direction="up") if blind else truth

    def fill(self, move: RowMove, truth: RowPosition) -> RowMove:
        """The move: its cards are known."""
        return move

    def look(self, view: RowPosition, truth: RowPosition, game: Game) -> RowPosition:
        """The view: nothing is turned up."""
        return view

    def legal_moves(self, position: RowPosition, game: Game) -> Sequence[RowMove]:
        """Every legal move."""
        return legality.legal_moves(position, game)

    def violations(self, position: RowPosition, move: RowMove, game: Game) -> tuple[Violation, ...]:
        """Every rule the move breaks."""
        return legality.violations(position, move, game)

    def play(self, position: RowPosition, move: RowMove, game: Game) -> RowPosition:
        """The position after a legal move; raises IllegalMove."""
        return legality.play(position, move, game)

    def outcome(self, position: RowPosition, game: Game) -> Outcome:
        """Won, lost, or open."""
        return legality.outcome(position, game)

    def left_parts(self, position: RowPosition, game: Game) -> tuple[tuple[str, int], ...]:
        """Cards off the foundations, by where they lie; raises NotNotedError where a part of the table is not known,
        and PositionError where a card lies that is not in the deck."""
        refuse_foreign(position, game)
        options = game.row_options
        if (options.shape.column and len(position.columns) < 2) or (options.cellar and position.cellar is None):
            said = f"{game.id} has columns or a cellar that this position does not tell: name them"
            raise NotNotedError(said, "untold-parts", game=game.id)
        places = [place for place, _ in position.lying()]
        columns = sum(" column " in place for place in places)
        cellar, bases = places.count(CELLAR), sum(place.startswith("base ") for place in places)
        parts = {"rows": len(places) - columns - cellar - bases, "columns": columns, CELLAR: cellar}
        parts["centre"] = legality.cards_off(position, game) - sum(parts.values())
        return tuple((name, count) for name, count in parts.items() if count or name == "rows")

    def solve(
        self,
        truth: RowPosition,
        game: Game,
        seconds: float | None,
        *,
        fewest: bool = False,
        clock: Callable[[], float] = time.perf_counter,
    ) -> Solved[RowMove]:
        """Whether the truth can be won, in either direction and with some choice of bases where they are open."""
        found = solve(truth, game, Limits(seconds=seconds, clock=clock), fewest=fewest)
        return Solved(found.verdict, found.moves, found.cards_left, found.exact)

    def shorten(
        self,
        truth: RowPosition,
        game: Game,
        line: tuple[RowMove, ...],
        seconds: float,
        clock: Callable[[], float] = time.perf_counter,
    ) -> tuple[tuple[RowMove, ...], bool]:
        """The line made shorter until none is, or the time or a number of states is over; whether that is proven."""
        until = clock() + seconds
        search = Shortening(truth, game, len(line), line)
        search.work(_STATES_FOR_SHORTEST, lambda: clock() >= until)
        return search.line, search.proven

    def hint(self, view: RowPosition, game: Game, rng: Random, thought: Thought) -> tuple[RowMove, ...]:
        """The line that wins or leaves the fewest cards as far as the time allows to see; else the greedy move."""
        limits = Limits(seconds=thought.seconds, clock=thought.clock)
        if thought.samples is not None:
            limits = Limits(seconds=None, states=_STATES_A_SAMPLE * thought.samples)
        found = solve(view, game, limits, fewest=True)
        return found.moves or (self.greedy(view, self.legal_moves(view, game), game),)

    def greedy(self, view: RowPosition, moves: Sequence[RowMove], game: Game) -> RowMove:
        """To a foundation where that can be; else a card of the row that holds the fewest."""
        return min(moves, key=lambda move: (_GREEDY_ORDER.index(move.kind), _left_behind(view, move)))

    def move(self, kind: str, cards: tuple[Seen, ...], places: tuple[str, ...]) -> RowMove:
        """The move of those parts; raises PositionError for a kind the family does not have."""
        for known in ROW_MOVE_KINDS:
            if kind == known:
                return RowMove(known, cards, places)
        raise PositionError(f"{kind!r} is no move of the row family; they are {', '.join(ROW_MOVE_KINDS)}")

    def start_texts(self, start: RowPosition, game: Game) -> Mapping[str, str]:
        """``deal`` for a fresh deal with nothing chosen, else ``position``."""
        text = notation.deal_text(start, game)
        try:
            fresh = notation.parse_deal(text, game) == start
        except RulesError:
            fresh = False
        return {_DEAL: text} if fresh else {_POSITION: notation.position_text(start)}

    def parse_start(self, texts: Mapping[str, str], game: Game) -> RowPosition:
        """The position of those lines; raises PositionError or CardError."""
        if _DEAL in texts:
            return notation.parse_deal(texts[_DEAL], game)
        if _POSITION in texts:
            return notation.parse_position(texts[_POSITION])
        raise PositionError("a record says how the game began: deal or position", "no-start")

    def learn(self, start: RowPosition, moves: Sequence[RowMove], game: Game) -> RowPosition:
        """The start: every card was known."""
        return start

    def unseen(self, start: RowPosition) -> int:
        """Places whose card could not be read."""
        return sum(not isinstance(card, Card) for _, card in start.lying())

    def truths(self, start: RowPosition, game: Game, rng: Random, most: int) -> Iterator[RowPosition]:
        """The start itself, where every card is known."""
        if not self.unseen(start):
            yield start


def _left_behind(position: RowPosition, move: RowMove) -> int:
    """Cards left in the row from which a card is taken."""
    found = parse_place(move.places[0]) if move.places else None
    return len(position.cards_in(found[0]) or ()) if found else 0
