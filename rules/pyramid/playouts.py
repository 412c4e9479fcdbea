"""Compiled: a quick player of the pass in which the stock shows its order, who learns habits from game to game.

It decides by what a player could know: the cards laid open so far, and which cards (not in which order) are still to
come. Each choice is drawn by weight: a removal weighs more the more it uncovers, turning weighs nothing, and the
*habits* of this deal are added. A habit belongs to a pair of places, or to a place whose card leaves with one of the
stock. It grows when a game with that choice went better than expected and shrinks when it went worse (adaptive
playouts, by the gradient of the choice's probability).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from rules.compiled import compiled
from rules.pyramid.core import TURN, write_moves
from rules.pyramid.glance import Cards, Room
from rules.pyramid.relaxed import SHAPE_BITS, STOCK_BITS, Array, open_value

PLACES: Final = 64
"""Room for the places of a pyramid in the number of a habit; the last one stands for the stock."""

HABITS: Final = PLACES * PLACES

MOST_CHOICES: Final = 64
MOST_DECISIONS: Final = 512

REMOVAL_WEIGHT: Final = 3.0
"""Of a removal before habits, and of each place it frees (as a logarithm). Tried: 1.5 and 3, alike."""

GAIN: Final = 1.0
"""How much a habit changes with a game. Tried: 0, 1 and 2.5; 1 won most of 60 deals."""

FEW_UNSEEN: Final = 3
"""With so few cards unseen their order is taken as known. Tried: none, 3 and 7; 3 won most of 80 deals."""


class Trace(NamedTuple):
    """What was decided in a game: ``choices`` (n, 2) habit or -1 and number of the move, ``shares`` (n,) their
    probabilities, ``decisions`` (d, 3) first choice, the one after the last, the one taken."""

    choices: Array
    shares: Array
    decisions: Array


@compiled
def count_bits(bits: int) -> int:
    """How many bits are set."""
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count


@compiled
def unseen_of(key: int, rules: Array) -> int:
    """How many cards are still to be turned."""
    turned = (key >> 3) & 63
    return count_bits(((key >> 9) & ((1 << rules[STOCK_BITS]) - 1)) >> turned)


@compiled
def free_count(shape: int, free: Array) -> int:
    """How many cards of the pyramid are free."""
    count = 0
    while count < free.shape[1] and free[shape, count] >= 0:
        count += 1
    return count


@compiled
def surely_lost(key: int, counts: int, cards: Cards, room: Room) -> bool:
    """Whether the position is lost even if every card outside the pyramid lay open."""
    shape = key >> (9 + cards.rules[STOCK_BITS])
    bound = open_value(
        (counts << cards.rules[SHAPE_BITS]) | shape,
        cards.rules, cards.ranks, cards.free, cards.after, cards.left,
        room.keys, room.values, room.kids, room.frames, room.tally,
    )  # fmt: skip
    return bound > 0


@compiled
def weigh(key: int, counts: int, size: int, used: int, cards: Cards, room: Room, habits: Array, trace: Trace) -> int:
    """Writes the choices among the moves at hand and their weights from ``used`` on; returns the end. Removals after
    which the game is surely lost are none."""
    shape_at = 9 + cards.rules[STOCK_BITS]
    shape = key >> shape_at
    before = free_count(shape, cards.free)
    for number in range(size):
        if used == trace.shares.size:
            break
        code = room.moves[number, 2]
        habit, weight = -1, 0.0
        if code >> 16 < TURN:
            if surely_lost(room.moves[number, 0], counts - room.moves[number, 1], cards, room):
                continue
            beyond = room.moves[number, 0] >> shape_at
            removed = cards.left[shape] - cards.left[beyond]
            freed = free_count(beyond, cards.free) - (before - removed)
            if removed > 0:
                partner = code & 255 if removed == 2 else PLACES - 1
                habit = ((code >> 8) & 255) * PLACES + partner
                weight = habits[habit]
            weight += REMOVAL_WEIGHT * (1 + freed)
        trace.choices[used, 0], trace.choices[used, 1] = habit, number
        trace.shares[used] = weight
        used += 1
    return used


@compiled
def draw(start: int, end: int, trace: Trace) -> int:
    """One of the choices, drawn by weight; the weights become probabilities."""
    shares = trace.shares[start:end]
    shares -= shares.max()
    for i in range(shares.size):
        shares[i] = np.exp(shares[i])
    shares /= shares.sum()
    point = np.random.random()
    for i in range(shares.size - 1):
        point -= shares[i]
        if point < 0:
            return start + i
    return end - 1


@compiled
def play_out(
    key: int, counts: int, cards: Cards, stock: Array, room: Room, habits: Array, trace: Trace
) -> tuple[int, int, int]:
    """Plays on until few cards are unseen or the game is surely lost: (key, counts, number of decisions)."""
    shape_at = 9 + cards.rules[STOCK_BITS]
    decisions = used = 0
    while unseen_of(key, cards.rules) > FEW_UNSEEN and cards.left[key >> shape_at] > 0:
        needs = cards.worths[key >> shape_at] + counts
        size = write_moves(key, needs, cards.rules, cards.ranks, stock, cards.free, cards.after, room.moves)
        number = 0
        if size > 1:
            end = weigh(key, counts, size, used, cards, room, habits, trace)
            if end == used or decisions == MOST_DECISIONS:
                break
            taken = draw(used, end, trace)
            number = trace.choices[taken, 1]
            trace.decisions[decisions, 0], trace.decisions[decisions, 1] = used, end
            trace.decisions[decisions, 2] = taken
            decisions += 1
            used = end
        key, counts = room.moves[number, 0], counts - room.moves[number, 1]
    return key, counts, decisions


@compiled
def learn(habits: Array, decisions: int, trace: Trace, surplus: float) -> None:
    """Habits after a game that went better by ``surplus`` than expected."""
    for number in range(decisions):
        for i in range(trace.decisions[number, 0], trace.decisions[number, 1]):
            habit = trace.choices[i, 0]
            if habit >= 0:
                chosen = 1.0 if i == trace.decisions[number, 2] else 0.0
                habits[habit] += GAIN * surplus * (chosen - trace.shares[i])
