"""Compiled: moves judged over the same orders of a stock that nobody has seen, until the best stands out.

In each order a move is judged twice. Once as if that order were known after the move: what could be won at best, and
too much wherever a decision has to be made before the cards that it rests on are seen. And once by the quick player of
``playouts``, who sees no more than a player would and learns on the way: too little, for he plays quickly, not well.
Once all but a few cards have been turned up the exact search takes his place.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from rules.compiled import compiled
from rules.pyramid.core import EXHAUSTED, FOUND
from rules.pyramid.glance import Cards, Room, quick_search
from rules.pyramid.playouts import Trace, learn, play_out, surely_lost
from rules.pyramid.relaxed import Array

UNDECIDED_WORTH: Final = 0.3
"""What an order counts for that the exact search leaves undecided: some of them can be won."""

_FAIR: Final = 16
"""Orders in which every move is tried before any is left out."""

_REACH: Final = 2.5
"""Standard errors by which a move must be behind the best to be left out."""

_SPREAD: Final = 0.2
"""Variance of the difference of two moves in one order, about: mostly both win or both lose."""


class Standings(NamedTuple):
    """For each move over the orders ``tried``: how many it ``won`` with the order known, how many of them were left
    ``undecided``, and how many the quick player ``played`` to a win."""

    tried: Array
    won: Array
    undecided: Array
    played: Array


@compiled
def worth(key: int, counts: int, states: int, cards: Cards, stock: Array, room: Room) -> float:
    """1 where the position is won in this order, 0 where it is lost, between them where that stays undecided."""
    if surely_lost(key, counts, cards, room):
        return 0.0
    code = quick_search(key, counts, states, cards, stock, room)
    if code == FOUND:
        return 1.0
    return 0.0 if code == EXHAUSTED else UNDECIDED_WORTH


@compiled
def leader(standings: Standings) -> int:
    """The move with the best mean of both judgements among those tried most often."""
    most = standings.tried.max()
    best = -1
    for i in range(standings.tried.size):
        if standings.tried[i] == most and (
            best < 0 or standings.won[i] + standings.played[i] > standings.won[best] + standings.played[best]
        ):
            best = i
    return best


@compiled
def in_race(number: int, best: int, standings: Standings) -> bool:
    """Whether a move may still turn out to be the best."""
    tried = standings.tried[number]
    if tried < standings.tried[best]:
        return False
    if tried < _FAIR or number == best:
        return True
    behind = standings.won[best] + standings.played[best] - standings.won[number] - standings.played[number]
    return bool(behind < _REACH * np.sqrt(_SPREAD * tried))


@compiled
def race(
    orders: int, states: int, room_open: int, seed: int, start: Array, roots: Array, hopeful: Array,
    cards: Cards, room: Room, standings: Standings, habits: Array, trace: Trace,
) -> int:  # fmt: skip
    """Judges the moves ``roots`` (key, counts taken) of ``start`` (key, counts) in so many more orders of the stock;
    returns in how many before the table of the open game held more than ``room_open``. Only ``hopeful`` moves (1) take
    part. ``states``: for each exact search."""
    np.random.seed(seed)
    stock = cards.stock.copy()
    for order in range(orders):
        if room.tally[0] > room_open:
            return order
        np.random.shuffle(stock[(start[0] >> 3) & 63 :])
        best = leader(standings)
        lively = np.zeros(hopeful.size, np.int64)
        for i in range(hopeful.size):
            if hopeful[i] == 1 and in_race(i, best, standings):
                lively[i] = 1
        for i in range(hopeful.size):
            if lively[i] == 0:
                continue
            child, rest = roots[i, 0], start[1] - roots[i, 1]
            known = worth(child, rest, states, cards, stock, room)
            played = 0.0
            if known > 0.0:
                expected = (standings.played[i] + 0.5) / (standings.tried[i] + 2.0)
                key, counts, decisions = play_out(child, rest, cards, stock, room, habits, trace)
                played = worth(key, counts, states, cards, stock, room)
                learn(habits, decisions, trace, played - expected)
            standings.tried[i] += 1
            standings.won[i] += known
            standings.played[i] += played
            if known == UNDECIDED_WORTH:
                standings.undecided[i] += 1
    return orders
