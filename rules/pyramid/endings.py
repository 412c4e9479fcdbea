"""Endings proven without knowing the cards that nobody has seen.

A move *wins whatever they are* if after it there is a way to play that wins for certain: each decision rests on what
has been seen by then, and for every way the unseen cards may lie it ends with a win. That is more than a win in each of
these ways by a player who could look under the cards. A move *loses whatever they are* if no way that they may lie, and
no play, wins after it. Both are decided by looking through everything that can be known in the course of the game; a
search that is stopped has proven nothing.

Cards of the pyramid that lie face down, or were not read, may be any that are unseen, and are known once they are free.
Where the pass, or whether a card of the stock was played in it, is not known, a win is proven for the worst and a loss
for the best. With unlimited passes nothing new can come of a second redeal without a card seen or taken between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from rules.catalogue import Game
from rules.errors import PositionError
from rules.layouts import TURNED, WASTE, parse_pyramid_place
from rules.pyramid import sightings
from rules.pyramid.complete import complete
from rules.pyramid.idle import stock_played
from rules.pyramid.moves import Move
from rules.pyramid.position import PyramidPosition
from rules.pyramid.relevance import Relevance
from rules.pyramid.search import Searcher
from rules.pyramid.sight import NONE, Departed, Sight, sight_of
from rules.pyramid.sightings import Sightings, Ways

_MOST_KEPT: Final = 300_000
"""States remembered at most, about a kilobyte each at worst."""
_DEEPEST: Final = 240
"""Moves in a line at most: each costs three calls within each other."""
_FIRST_SHARE: Final = 300
_LONGER: Final = 4
"""States for each question at first, and how many times more when it is asked again."""


class _Stopped(Exception):  # noqa: N818 - no error: the work allowed is done
    """The search was stopped."""


class Endings:
    """What can be proven of the moves of one position; what is found out is kept from one question to the next."""

    def __init__(self, position: PyramidPosition, moves: Sequence[Move], game: Game, searcher: Searcher) -> None:
        self._moves, self._goal_all = moves, game.options.goal == "all"
        worst, best = _redeals(position, game)
        departed = Departed(position, game)
        start = sight_of(position, game, redeals=worst)
        self._possible = departed.allow(start)
        self._play = Sightings(game, departed)
        self._relevance = Relevance(position, game, searcher, departed)
        self._starts = {True: start, False: start._replace(redeals=best)}
        self._won: dict[Sight, bool] = {}
        self._can_win: dict[Sight, bool] = {}
        self._proofs: list[bool | None] = [None] * len(moves)
        self._lost: bool | None = None
        self._open: list[Callable[[], None]] = [self._ask_lost]
        self._open += [partial(self._ask, number, True) for number in range(len(moves))]
        self._open += [partial(self._ask, number, False) for number in range(len(moves))]
        self._share, self._left, self._depth = _FIRST_SHARE, 0, 0
        self._may_go_on: Callable[[], bool] = lambda: True

    @property
    def proofs(self) -> list[bool | None]:
        """For each move: True if it wins, False if it loses, whatever the unseen cards are; None: not proven."""
        return [False] * len(self._moves) if self._lost else list(self._proofs)

    @property
    def lost(self) -> bool:
        """Whether the position is proven to be lost, whatever the unseen cards are."""
        return self._lost is True

    @property
    def settled(self) -> bool:
        """Whether more work would prove no more."""
        told = True in self._proofs or self._lost is not None
        return not self._possible or not self._open or self.lost or (told and bool(self._moves) and self._all_told)

    @property
    def _all_told(self) -> bool:
        return None not in self._proofs

    def work(self, may_go_on: Callable[[], bool]) -> None:
        """Goes on for as long as ``may_go_on``, asked at each new state, says so: each question for a while, then those
        still open for longer."""
        self._may_go_on = may_go_on
        while not self.settled and may_go_on():
            waiting, self._open = self._open, []
            for question in waiting:
                self._left, self._depth = self._share, 0
                try:
                    question()
                except _Stopped:
                    self._open.append(question)
            self._share *= _LONGER

    def _ask_lost(self) -> None:
        self._lost = not any(map(self._winnable, self._play.settled(self._starts[False])))

    def _ask(self, number: int, winning: bool) -> None:
        if self._proofs[number] is not None or self._lost:
            return
        move, starts = self._moves[number], list(self._play.settled(self._starts[winning]))
        followed = [self._after(start, move) for start in starts]
        if winning and all(ways and self._all_won(ways) for ways in followed):
            self._proofs[number] = True
        if not winning and not any(self._winnable(now) for ways in followed for now in self._seen(ways)):
            self._proofs[number] = False

    def _after(self, start: Sight, move: Move) -> Ways:
        """What a move that is legal on what is known leads to from a start; nothing where that does not allow it."""
        if move.kind in ("turn", "redeal"):
            barred = self._play.stuck and self._play.can_remove(start)
            return () if barred else self._play.turns(start) if move.kind == "turn" else self._play.redeals(start)
        return (self._play.less(start, *map(_number_of, move.places)),)

    def _seen(self, ways: Ways) -> list[Sight]:
        return [self._relevance.less(now) for way in ways for now in self._play.settled(way)]

    def _all_won(self, ways: Ways) -> bool:
        return all(self._wins(self._relevance.less(now)) for way in ways for now in self._play.settled(way))

    def _wins(self, sight: Sight) -> bool:
        known = self._won.get(sight)
        if known is None:
            if self._is_won(sight):
                return True
            self._spend(self._won)
            self._depth += 1
            known = not self._relevance.hopeless(sight) and any(map(self._all_won, self._play.moves(sight)))
            self._depth -= 1
            self._won[sight] = known
        return known

    def _winnable(self, sight: Sight) -> bool:
        """Whether some way that the unseen cards may lie can be won."""
        known = self._can_win.get(sight)
        if known is None:
            if self._is_won(sight):
                return True
            self._spend(self._can_win)
            self._depth += 1
            known = not self._relevance.hopeless(sight) and any(
                self._winnable(self._relevance.less(now))
                for ways in self._play.moves(sight, guessing=True)
                for way in ways
                for now in self._play.settled(way)
            )
            self._depth -= 1
            self._can_win[sight] = known
        return known

    def _is_won(self, sight: Sight) -> bool:
        if any(token != NONE for token in sight.pyramid):
            return False
        return not self._goal_all or not (sight.stock or sight.waste or sight.held != NONE)

    def _spend(self, kept: dict[Sight, bool]) -> None:
        self._left -= 1
        if self._left < 0 or self._depth > _DEEPEST or len(kept) > _MOST_KEPT or not self._may_go_on():
            raise _Stopped


def _redeals(position: PyramidPosition, game: Game) -> tuple[int, int]:
    """How often the waste may be turned over at least and at most, as ``Sight`` counts it."""
    passes, number = game.options.passes, position.pass_number
    if passes is not None:
        return (0, passes - 1) if number is None else (max(0, passes - number),) * 2
    if not game.ends_after_idle_pass:
        return 1, 1
    played = stock_played(complete(position, game), game)
    return int(played is True), int(played is not False)


def _number_of(place: str) -> int:
    spot = parse_pyramid_place(place)
    if spot is not None:
        return (spot[0] - 1) * spot[0] // 2 + spot[1] - 1
    if place not in (WASTE, TURNED):
        raise PositionError(f"no card is taken from {place}")
    return sightings.WASTE if place == WASTE else sightings.HELD
