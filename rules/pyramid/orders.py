"""Moves judged over orders of a stock that nobody has seen, all else being known: the compiled search without detours.

The cards of the stock are known, only their order is not. So what follows each move is set up once, and each sampled
order only writes the worths of the stock anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rules.cards import FACE_DOWN, UNREADABLE, Card
from rules.catalogue import Game
from rules.family import Verdict
from rules.pyramid.complete import complete
from rules.pyramid.full import FullPosition, unseen_cards
from rules.pyramid.moves import Move
from rules.pyramid.position import PyramidPosition
from rules.pyramid.search import Searcher
from rules.pyramid.tables import Task, task_of
from rules.pyramid.worlds import played


class StockOrders:
    """A position and its moves over orders of the stock. Not to be shared between threads."""

    def __init__(self, start: FullPosition, moves: Sequence[Move], game: Game, searcher: Searcher) -> None:
        self._searcher = searcher
        self._worths = [card.worth for card in start.stock]
        children = [played(start, move, game.options) or start for move in moves]
        self._tasks: list[Task] = [task_of(child, game.options) for child in children]
        self._can_win = [searcher.least_left(task) == 0 for task in self._tasks]

    def shuffle(self, rng: Random) -> None:
        """Another order of the stock."""
        rng.shuffle(self._worths)
        for task in self._tasks:
            task.stock[len(task.stock) - len(self._worths) :] = self._worths

    def verdict(self, number: int, states: int) -> Verdict:
        """Whether one move wins in the present order, if it were known; at most so many states are looked at."""
        return self._searcher.glance(self._tasks[number], states) if self._can_win[number] else "lost"

    def greedy_left(self, number: int) -> int:
        """The cards left after one move by a player who always removes what uncovers most."""
        return self._searcher.greedy_left_of(self._tasks[number])


def hidden_stock(position: PyramidPosition, game: Game) -> FullPosition | None:
    """The position with the cards of its stock in any order, where that order is all that is not known; else None."""
    known = complete(position, game)
    lists = (*known.rows, known.waste_cards or (), (known.turned,), known.gone_cards or ())
    unread = any(card in (FACE_DOWN, UNREADABLE, None) for cards in lists for card in cards)
    if unread or None in (known.waste_cards, known.gone_cards, known.stock_count):
        return None
    if known.stock_cards is not None and any(card is not FACE_DOWN for card in known.stock_cards):
        return None
    rest, number = unseen_cards(known, game), known.pass_number or (1 if game.options.passes is None else None)
    if number is None or len(rest) != known.stock_count:
        return None
    rows = tuple(tuple(card if isinstance(card, Card) else None for card in row) for row in known.rows)
    waste = tuple(card for card in known.waste_cards or () if isinstance(card, Card))
    turned = known.turned if isinstance(known.turned, Card) else None
    return FullPosition(rows, rest, waste, turned, number)
