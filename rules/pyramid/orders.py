"""Moves judged over orders of a stock that nobody has seen, all else being known: the compiled search without detours.

The cards of the stock are known, only their order is not. So the position is set up once, with the state after each
move, and each sampled order only writes the worths of the stock anew. What is found out about an order serves all
moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from rules.cards import FACE_DOWN, UNREADABLE, Card
from rules.catalogue import Game
from rules.family import Verdict
from rules.layouts import TURNED, WASTE
from rules.options import Options
from rules.pyramid import core, glances
from rules.pyramid.complete import complete
from rules.pyramid.full import FullPosition, unseen_cards
from rules.pyramid.idle import stock_played
from rules.pyramid.moves import Move
from rules.pyramid.position import PyramidPosition
from rules.pyramid.search import Searcher
from rules.pyramid.tables import Task, redeals_left, task_of
from rules.pyramid.worlds import played

Array = np.ndarray[Any, Any]

# Ways to the next turn that are looked at; after so many orders those this far behind the best are left alone.
MOST_BRANCHES = 10
FAIR, BEHIND = 24, 0.2


class StockOrders:
    """A position and its moves over orders of the stock. Not to be shared between threads."""

    def __init__(self, start: FullPosition, moves: Sequence[Move], game: Game, searcher: Searcher) -> None:
        self._searcher = searcher
        self._moves = moves
        self.task = task_of(start, game.options)
        self._worths = [card.worth for card in start.stock]
        self._states = [_state_after(start, move, self.task, game.options) for move in moves]

    def shuffle(self, rng: Random) -> None:
        """Another order of the stock."""
        rng.shuffle(self._worths)
        self.task.stock[len(self.task.stock) - len(self._worths) :] = self._worths
        self._searcher.forget()

    def next_worth(self) -> int:
        """The worth of the card that is turned next in the present order."""
        return self._worths[0]

    def branches(self, most: int) -> list[Branch]:
        """The ways to come to the next turn, for each move at most so many, those with few removals first; with draw
        1.
        """
        out: dict[int, Branch] = {}
        for first, (key, counts) in enumerate(self._states):
            if self._moves[first].kind == "turn":
                out.setdefault(key, Branch(key, counts)).first.add(first)
                continue
            ways, turns = {key: counts}, 0
            for key, counts in (queue := list(ways.items())):
                for child, rest, kind in self._searcher.moves_from(self.task, key, counts):
                    if kind == core.TURN and turns < most:
                        out.setdefault(child, Branch(child, rest)).first.add(first)
                        turns += 1
                    elif kind != core.TURN and child not in ways and len(ways) < most:
                        ways[child] = rest
                        queue.append((child, rest))
        return list(out.values())

    def verdict(self, number: int, states: int) -> Verdict:
        """Whether one move wins in the present order, if it were known; at most so many states are looked at."""
        return self._searcher.glance(self.task, *self._states[number], states)

    def greedy_left(self, number: int) -> int:
        """The cards left after one move by a player who always removes what uncovers most."""
        return self._searcher.greedy_left_of(self.task, self._states[number][0])


@dataclass(slots=True)
class Branch:
    """A turn of the stock with no or some removals before it: key and counts of the state that follows, the numbers of
    the moves that it can begin with, ``first``; and over ``tried`` orders, for each worth that may be turned, how many
    were ``won`` by each move after it, and by the ``best``.
    """

    key: int
    counts: int
    first: set[int] = field(default_factory=set)
    tried: int = 0
    won: dict[int, Array] = field(default_factory=dict)
    best: dict[int, int] = field(default_factory=dict)

    def add(self, worth: int, wins: Array) -> None:
        """One more order in which a card of this worth is turned, and whether it is won by each move after it."""
        before = self.won.get(worth)
        self.won[worth] = wins if before is None else before + wins
        self.best[worth] = int(self.won[worth].max(initial=0))
        self.tried += 1

    def share(self) -> float:
        """The share of orders won by a player who learns the turned card, and chooses by what it is."""
        return sum(self.best.values()) / max(self.tried, 1)


class Outlook:
    """Moves judged by how often a player wins who sees one more card before the next decision.

    Who chooses in every order by all of it, as if it were known, hopes for more than anyone can reach, and most where
    least is known. Here one choice is made for all orders in which the same card is turned next.
    """

    def __init__(self, orders: StockOrders, searcher: Searcher) -> None:
        self._orders, self._searcher = orders, searcher
        self._branches = orders.branches(MOST_BRANCHES)

    def look(self, states: int) -> dict[int, str]:
        """One more order, the present one: for each move judged what a player wins in it who knows it all."""
        known: dict[int, str] = {}
        task, best = self._orders.task, max((b.share() for b in self._branches), default=0.0)
        for branch in self._branches:
            if branch.tried >= FAIR and branch.share() < best - BEHIND:
                continue
            told = self._searcher.glance_beyond(task, branch.key, branch.counts, states)
            wins = (told == glances.WON).astype(np.int64)
            branch.add(self._orders.next_worth(), wins)
            verdict = "winnable" if wins.any() else "undecided" if (told == glances.OPEN).any() else "lost"
            for first in branch.first:
                known[first] = max(known.get(first, "lost"), verdict, key=_HOPE.index)
        return known

    def share(self, number: int) -> float | None:
        """The share of orders won with one move; None where nothing was judged of it."""
        return max((b.share() for b in self._branches if number in b.first and b.tried), default=None)


_HOPE = ("lost", "undecided", "winnable")


def _state_after(start: FullPosition, move: Move, task: Task, options: Options) -> tuple[int, int]:
    """Key and counts of the task's state after a move that is legal in its start."""
    child = played(start, move, options) or start
    faces = [card for row in child.rows for card in row]
    shape = task.shapes.number_of[sum(1 << place for place, card in enumerate(faces) if card is not None)]
    lying = len(start.waste) + (start.turned is not None)
    taken = [{WASTE: len(start.waste), TURNED: lying}[place] - 1 for place in move.places if place in (WASTE, TURNED)]
    mask, counts, reach = (1 << len(task.cards)) - 1, task.counts, len(child.waste) + (child.turned is not None)
    if move.kind in ("pair", "single"):
        mask -= sum(1 << number for number in taken)
        worths = [task.cards[number].worth for number in taken]
        counts -= sum(1 << 3 * worth for worth in worths if worth != options.total)
        reach = (mask & ((1 << lying) - 1)).bit_length()
    held = options.turned == "held" and child.turned is not None
    return int(core.pack(shape, mask, reach, redeals_left(child, options), int(held), task.rules)), counts


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
    played = stock_played(known, game)
    if game.ends_after_idle_pass and played is None:
        return None
    rows = tuple(tuple(card if isinstance(card, Card) else None for card in row) for row in known.rows)
    waste = tuple(card for card in known.waste_cards or () if isinstance(card, Card))
    turned = known.turned if isinstance(known.turned, Card) else None
    return FullPosition(rows, rest, waste, turned, number, played)
