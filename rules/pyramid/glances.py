"""Compiled: whether a state wins, for many states of one order of the stock that are asked about one after another.

What is found out about a state is kept, so that the moves of a position, which mostly lead into the same states, share
it; and a question given up for its number of states leaves behind what it has shown to be lost.
"""

from __future__ import annotations

from typing import Final

from rules.compiled import compiled_without_arrays
from rules.pyramid.core import MOST_MOVES, cards_left, drop_dead, write_moves
from rules.pyramid.relaxed import ALL, JOKERS, SHAPE_BITS, STOCK_BITS, UNLIMITED, Array, find_slot, open_value

# What is known of a state, and what a question ends with; OPEN also: not decided by as many states as were allowed.
LOST: Final = 1
WON: Final = 2
OPEN: Final = 3
ON_PATH: Final = 4
GROW_OPEN: Final = 5


@compiled_without_arrays
def forget(visited: Array, used: Array) -> None:
    """Empties the memory: ``used[0]`` counts the slots in use, which follow it."""
    for i in range(1, used[0] + 1):
        visited[used[i]] = 0
    used[0] = 0


@compiled_without_arrays
def glance(
    key: int,
    counts: int,
    most: int,
    rules: Array,
    ranks: Array,
    worths: Array,
    stock: Array,
    free: Array,
    after: Array,
    left: Array,
    keys: Array,
    values: Array,
    kids: Array,
    frames: Array,
    tally: Array,
    visited: Array,
    marks: Array,
    used: Array,
    stack: Array,
    moves: Array,
) -> int:
    """WON, LOST, or OPEN after ``most`` states or once the memory is full; GROW_OPEN where the table of the open game
    is: then it is to be asked again.

    ``visited`` holds the keys, ``marks`` at the same slots what is known of them. ``stack`` (key, counts outside the
    pyramid, slot): a state with its slot is on the path, and those above it are what it leads to. A state is LOST once
    all of these are; with unlimited passes a path can close to a ring, so there ``forget`` goes before each question.
    """
    shape_at = 9 + rules[STOCK_BITS]
    dropping = rules[ALL] == 0 and rules[JOKERS] == 0 and rules[UNLIMITED] == 0
    stack[0, 0], stack[0, 1], stack[0, 2] = key, counts, -1
    top, seen, ending = 1, 0, LOST
    while top > 0:
        slot = stack[top - 1, 2]
        if slot >= 0:
            marks[slot] = LOST
            top -= 1
            continue
        key, rest = stack[top - 1, 0], stack[top - 1, 1]
        shape = key >> shape_at
        if cards_left(key, rules, left) == 0:
            ending = WON
            break
        if dropping and (key >> 1) & 3 == 0:
            key, rest = drop_dead(key, rest, worths[shape], rules, stock)
        if tally[0] > keys.size // 2:
            ending = GROW_OPEN
            break
        slot = find_slot(visited, key)
        if slot < 0:
            slot = ~slot
            visited[slot] = key + 1
            used[0] += 1
            used[used[0]] = slot
            bound = open_value(
                (rest << rules[SHAPE_BITS]) | shape, rules, ranks, free, after, left, keys, values, kids, frames, tally
            )
            marks[slot] = LOST if bound > 0 else OPEN
        if marks[slot] == WON:
            ending = WON
            break
        if marks[slot] != OPEN:
            top -= 1
            continue
        if seen >= most or used[0] > visited.size // 2 or top > stack.shape[0] - MOST_MOVES:
            ending = OPEN
            break
        seen += 1
        marks[slot] = ON_PATH
        stack[top - 1, 2] = slot
        needs = worths[shape] + rest if rules[JOKERS] == 0 else 0
        size = write_moves(key, needs, rules, ranks, stock, free, after, moves)
        for i in range(size):
            stack[top, 0], stack[top, 1], stack[top, 2] = moves[i, 0], rest - moves[i, 1], -1
            top += 1
    for i in range(top):
        if stack[i, 2] >= 0:
            marks[stack[i, 2]] = WON if ending == WON else OPEN
    return ending


@compiled_without_arrays
def glance_beyond(key: int, counts: int, most: int, told: Array, *tables: Array) -> int:
    """Writes to ``told`` (key, counts, what ``glance`` says) of the state after each move from ``key``, in the order in
    which the moves are written; returns how many, or -1 where the table of the open game is to grow first.

    ``tables``: all that ``glance`` takes after ``most``, in its order.
    """
    rules, ranks, worths, stock, free, after, left = tables[:7]
    moves = tables[16]
    if cards_left(key, rules, left) == 0:
        told[0, 2] = WON
        return 1
    needs = worths[key >> (9 + rules[STOCK_BITS])] + counts if rules[JOKERS] == 0 else 0
    size = write_moves(key, needs, rules, ranks, stock, free, after, moves)
    for i in range(size):
        told[i, 0], told[i, 1] = moves[i, 0], counts - moves[i, 1]
    for i in range(size):
        told[i, 2] = glance(told[i, 0], told[i, 1], most, *tables)
        if told[i, 2] == GROW_OPEN:
            return -1
    return size
