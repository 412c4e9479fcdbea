"""Moves judged while the stock shows its order for the first time and the next pass is the last.

Whoever supposes that the order is known after the next move believes that what is not taken now can always be made up
for. So a move is judged as well by games of a quick player who does not know the order; the truth lies between.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from rules.catalogue import Game
from rules.layouts import TURNED, WASTE, parse_pyramid_place
from rules.pyramid.full import FullPosition
from rules.pyramid.moves import Move
from rules.pyramid.playouts import HABITS, MOST_CHOICES, MOST_DECISIONS, Trace
from rules.pyramid.race import UNDECIDED_WORTH, Standings, race
from rules.pyramid.relaxed import HELD, STOCK_BITS, TOTAL
from rules.pyramid.search import Searcher
from rules.pyramid.tables import Task, task_of


def suits_first_pass(game: Game, pass_number: int) -> bool:
    """Whether the next pass is the last and the top of the waste alone is in play. With more passes to come moves are
    judged well as if the order were known after them; for other rules it has not been measured which judges better."""
    options = game.options
    usual = (options.turned, options.draw, options.goal, options.jokers) == ("laid", 1, "pyramid", 0)
    return usual and options.passes is not None and options.passes - pass_number == 1


class FirstPass:
    """A position, its moves, and what orders of the stock have shown of them. Not to be shared between threads.

    ``hopeful``: for each move whether it need be tried at all."""

    def __init__(
        self, start: FullPosition, moves: Sequence[Move], hopeful: Sequence[bool], game: Game, searcher: Searcher
    ) -> None:
        self._searcher = searcher
        self._task = task_of(start, game.options)
        self._start = np.array([self._task.key, self._task.counts], np.int64)
        self._roots = np.array([coded(self._task, move) for move in moves], np.int64)
        self._hopeful = np.array(hopeful, np.int64)
        self._standings = Standings(*(np.zeros(len(moves)) for _ in Standings._fields))
        self._habits = np.zeros(HABITS)
        choices = MOST_CHOICES * MOST_DECISIONS
        self._trace = Trace(
            np.empty((choices, 2), np.int64), np.empty(choices), np.empty((MOST_DECISIONS, 3), np.int64)
        )

    def race(self, orders: int, states: int, rng: Random) -> None:
        """So many more orders, each exact search looking at so many states; moves far behind are left out."""
        tried, full = 0, False
        while tried < orders:
            room = self._searcher.room(self._task)
            tried += race(
                orders - tried, states, room.keys.size if full else room.keys.size // 2, rng.getrandbits(31),
                self._start, self._roots, self._hopeful, self._task.arrays, room, self._standings, self._habits,
                self._trace,
            )  # fmt: skip
            full = tried < orders and not self._searcher.widen(self._task)

    def counts(self, number: int) -> tuple[int, float, float]:
        """In how many orders one move was tried, in how many it won, and how many were left undecided: the mean of
        both judgements, one too hopeful, one not hopeful enough."""
        standings = self._standings
        won = (standings.won[number] + standings.played[number]) / 2 - UNDECIDED_WORTH * standings.undecided[number]
        return int(standings.tried[number]), max(0.0, float(won)), float(standings.undecided[number])


def coded(task: Task, move: Move) -> tuple[int, int]:
    """The key after a turn or a removal at the start of a task, and the worths it takes from outside the pyramid."""
    bits, key = int(task.rules[STOCK_BITS]), task.key
    if move.kind == "turn":
        return (key & ~1) + (1 << 3) | int(task.rules[HELD]), 0
    held, lying, redeals = key & 1, key >> 3 & 63, key >> 1 & 3
    shape, mask, taken = key >> 9 + bits, (1 << bits) - 1, 0
    spots = [spot for place in move.places if (spot := parse_pyramid_place(place)) is not None]
    # The row below first: with ``overlap`` one card of a pair may cover the other.
    for row, column in sorted(spots, reverse=True):
        shape = int(task.shapes.after[shape, row * (row - 1) // 2 + column - 1])
    for place, card in ((TURNED, lying - 1), (WASTE, lying - 1 - held)):
        if place in move.places:
            mask ^= 1 << card
            worth = int(task.stock[card])
            taken += 0 if worth == task.rules[TOTAL] else 1 << 3 * worth
    lying = (mask & (1 << lying) - 1).bit_length()
    still = int(held and TURNED not in move.places)
    return ((shape << bits | mask) << 9) | lying << 3 | redeals << 1 | still, taken
