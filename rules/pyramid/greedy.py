"""Compiled: a quick player that always removes what uncovers most, to guess how far a position still goes."""

from __future__ import annotations

from rules.compiled import compiled_without_arrays
from rules.pyramid.core import REDEAL, SINGLE, cards_left, write_moves
from rules.pyramid.relaxed import STOCK_BITS, Array


@compiled_without_arrays
def greedy_left(
    key: int, needs: int, rules: Array, ranks: Array, stock: Array, free: Array, after: Array, left: Array, moves: Array
) -> int:
    """Cards left when the greedy player is stuck, or has gone a whole pass without removing anything.

    ``needs`` as in ``write_moves``: 0, since nothing is forced on a player who may lose."""
    idle = 0
    while idle < 2:
        size = write_moves(key, needs, rules, ranks, stock, free, after, moves)
        if size == 0:
            break
        chosen = -1
        best = -1
        for i in range(size):
            if moves[i, 2] >> 16 > SINGLE:
                continue
            shape = moves[i, 0] >> (9 + rules[STOCK_BITS])
            worth = 64 - 4 * left[shape]
            for j in range(free.shape[1]):
                if free[shape, j] < 0:
                    break
                worth += 1
            worth += 256
            if worth > best:
                best = worth
                chosen = i
        if chosen >= 0:
            idle = 0
        else:
            chosen = 0
            if moves[0, 2] >> 16 == REDEAL:
                idle += 1
        key = moves[chosen, 0]
    return cards_left(key, rules, left)
