"""Compiled: the fewest cards that could be left if every stock card lay open all the time.

This *open* game ignores the order of the stock, its passes and ``turn_when``, so it never leaves more cards than the
game itself: a bound for every rule set. With unlimited passes and draw 1 each stock card can be brought to the top of
the waste, so there it is the game itself (goal ``pyramid``). Its state is the shape of the pyramid and how many cards
of each rank lie outside it: a few thousand states a deal, remembered in one hash table.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rules.compiled import compiled_without_arrays

Array = np.ndarray[Any, Any]

# Places of the rules in the array ``rules`` (int64).
TOTAL: Final = 0
DRAW: Final = 1
HELD: Final = 2
ALL: Final = 3
STUCK: Final = 4
OVERLAP: Final = 5
UNLIMITED: Final = 6
SHAPE_BITS: Final = 7
STOCK_BITS: Final = 8
JOKERS: Final = 9
KEEPING: Final = 10
IDLE: Final = 11
RULES_SIZE: Final = 12

OPEN_KIDS: Final = 512
OPEN_DEPTH: Final = 64
UNKNOWN: Final = -1


@compiled_without_arrays
def leave_together(first: int, second: int, total: int) -> bool:
    """Whether two worths leave together; 0 is the joker, which takes any card but one equal to the total."""
    if first == 0 or second == 0:
        return first != total and second != total
    return first + second == total


@compiled_without_arrays
def find_slot(keys: Array, key: int) -> int:
    """The slot of ``key`` in an open-addressing table (0 is empty, key + 1 stored), or ~slot where it would go."""
    mask = keys.size - 1
    mixed = key * -7046029254386353131
    mixed = (mixed ^ (mixed >> 32)) * -4658895280553007687
    slot = (mixed ^ (mixed >> 29)) & mask
    while True:
        stored = keys[slot]
        if stored == key + 1:
            return slot
        if stored == 0:
            return ~slot
        slot = (slot + 1) & mask


@compiled_without_arrays
def open_leaf(left: int, counts: int, rules: Array) -> int:
    """Cards left if nothing more leaves the pyramid; what lies outside leaves as well as it ever could."""
    if rules[ALL] == 0:
        return left
    jokers = counts & 7
    total = rules[TOTAL]
    single = 0
    for rank in range(1, total):
        count = (counts >> (3 * rank)) & 7
        if rules[HELD] == 0:
            single += count
            continue
        partner = total - rank
        if partner == rank:
            single += count & 1
        elif partner > rank:
            single += abs(count - ((counts >> (3 * partner)) & 7))
    if rules[HELD] == 0:
        return left + single + jokers
    return left + max(single - jokers, (single + jokers) & 1)


@compiled_without_arrays
def open_moves(shape: int, counts: int, rules: Array, ranks: Array, free: Array, after: Array, kids: Array) -> int:
    """Writes the keys reached by each removal into ``kids`` and returns how many; a king leaves at once."""
    total = rules[TOTAL]
    bits = rules[SHAPE_BITS]
    number = 0
    for i in range(free.shape[1]):
        place = free[shape, i]
        if place < 0:
            break
        if ranks[place] == total:
            kids[0] = (counts << bits) | after[shape, place]
            return 1
    for i in range(free.shape[1]):
        place = free[shape, i]
        if place < 0:
            break
        rank = ranks[place]
        beyond = after[shape, place]
        for j in range(i + 1, free.shape[1]):
            other = free[shape, j]
            if other < 0:
                break
            if leave_together(rank, ranks[other], total):
                kids[number] = (counts << bits) | after[beyond, other]
                number += 1
        if rules[OVERLAP] == 1:
            for j in range(free.shape[1]):
                under = free[beyond, j]
                if under < 0:
                    break
                if after[shape, under] < 0 and leave_together(rank, ranks[under], total):
                    kids[number] = (counts << bits) | after[beyond, under]
                    number += 1
        for partner in range(total):
            if ((counts >> (3 * partner)) & 7) > 0 and leave_together(rank, partner, total):
                kids[number] = ((counts - (1 << (3 * partner))) << bits) | beyond
                number += 1
    return number


@compiled_without_arrays
def open_value(
    key: int,
    rules: Array,
    ranks: Array,
    free: Array,
    after: Array,
    left: Array,
    keys: Array,
    values: Array,
    kids: Array,
    frames: Array,
    tally: Array,
) -> int:
    """The fewest cards left from ``key`` on in the open game, or UNKNOWN when the table has no room for the answer.

    ``frames`` (depth, 4): key, children, next child, best so far. ``tally[0]`` counts what the table holds.
    """
    slot = find_slot(keys, key)
    if slot >= 0:
        return int(values[slot])
    shape_mask = (1 << rules[SHAPE_BITS]) - 1
    room = keys.size - keys.size // 8
    depth = 0
    frames[0, 0] = key
    frames[0, 1] = UNKNOWN
    while True:
        at = frames[depth, 0]
        if frames[depth, 1] == UNKNOWN:
            shape = at & shape_mask
            counts = at >> rules[SHAPE_BITS]
            frames[depth, 1] = open_moves(shape, counts, rules, ranks, free, after, kids[depth])
            frames[depth, 2] = 0
            frames[depth, 3] = open_leaf(left[shape], counts, rules)
        deeper = False
        while frames[depth, 2] < frames[depth, 1] and frames[depth, 3] > 0:
            child = kids[depth, frames[depth, 2]]
            slot = find_slot(keys, child)
            if slot < 0:
                deeper = True
                break
            frames[depth, 3] = min(frames[depth, 3], values[slot])
            frames[depth, 2] += 1
        if deeper:
            depth += 1
            frames[depth, 0] = child
            frames[depth, 1] = UNKNOWN
            continue
        if tally[0] >= room:
            return UNKNOWN
        slot = ~find_slot(keys, at)
        keys[slot] = at + 1
        values[slot] = frames[depth, 3]
        tally[0] += 1
        if depth == 0:
            return int(frames[0, 3])
        depth -= 1
