"""Compiled: the shortest winning line, by a depth-first search that follows no line which could only be longer.

A state is looked at again where it is reached by fewer moves than before, so a search that ends has proven its line.
"""

from __future__ import annotations

from rules.compiled import compiled_without_arrays
from rules.pyramid.core import (
    BEST_DEPTH,
    EXHAUSTED,
    GROW,
    GROW_OPEN,
    LONGEST,
    MOST_MOVES,
    PAUSED,
    STACK_FULL,
    STATES,
    TOP,
    USED,
    cards_left,
    drop_dead,
    write_moves,
)
from rules.pyramid.relaxed import (
    ALL,
    DRAW,
    JOKERS,
    SHAPE_BITS,
    STOCK_BITS,
    TOTAL,
    UNLIMITED,
    Array,
    find_slot,
    open_value,
)


@compiled_without_arrays
def least_moves(key: int, worths: Array, rules: Array, stock: Array, left: Array) -> int:
    """No line wins in fewer moves: of two worths that pair the cards of the more frequent one leave one by one, and
    where the pyramid and the cards turned have too few partners for them, others have to be turned first.
    """
    if rules[ALL] == 1 or rules[JOKERS] > 0:
        return (cards_left(key, rules, left) + 1) // 2
    total = rules[TOTAL]
    turned = (key >> 3) & 63
    mask = (key >> 9) & ((1 << rules[STOCK_BITS]) - 1)
    counts = worths[key >> (9 + rules[STOCK_BITS])]
    removals, turns = 0, 0
    for worth in range(1, total + 1):
        mine = (counts >> (3 * worth)) & 7
        partner = total - worth
        if worth == total:
            removals += mine
            continue
        theirs = (counts >> (3 * partner)) & 7
        if partner == worth:
            removals += (mine + 1) // 2
            lacking = mine & 1
        else:
            if mine < theirs:
                continue
            if mine == theirs:
                removals += mine if worth < partner else 0
                continue
            removals += mine
            lacking = mine - theirs
        for card in range(turned):
            if (mask >> card) & 1 == 1 and stock[card] == partner:
                lacking -= 1
        waiting = 0
        card = turned
        while lacking > 0 and card < rules[STOCK_BITS]:
            if (mask >> card) & 1 == 1:
                waiting += 1
                if stock[card] == partner:
                    lacking -= 1
            card += 1
        turns = max(turns, (waiting + rules[DRAW] - 1) // rules[DRAW])
    return removals + turns


@compiled_without_arrays
def shorten(
    rules: Array,
    ranks: Array,
    worths: Array,
    stock: Array,
    free: Array,
    after: Array,
    left: Array,
    visited: Array,
    depths: Array,
    keys: Array,
    values: Array,
    kids: Array,
    frames: Array,
    tally: Array,
    stack: Array,
    path: Array,
    line: Array,
    moves: Array,
    progress: Array,
    quota: int,
) -> int:
    """As ``core.explore``, for wins in at most ``progress[LONGEST]`` moves: each one found lowers that below its own
    length. EXHAUSTED: the last one found is the shortest. ``depths``: by how many moves each state was reached.
    """
    shape_at = 9 + rules[STOCK_BITS]
    dropping = rules[ALL] == 0 and rules[JOKERS] == 0 and rules[UNLIMITED] == 0
    while progress[TOP] > 0:
        if quota <= 0:
            return PAUSED
        if progress[USED] > visited.size // 2 - MOST_MOVES:
            return GROW
        if tally[0] > keys.size // 2:
            return GROW_OPEN
        if progress[TOP] > stack.shape[0] - MOST_MOVES:
            return STACK_FULL
        progress[TOP] -= 1
        key = stack[progress[TOP], 0]
        counts = stack[progress[TOP], 1]
        depth = stack[progress[TOP], 2] >> 32
        slot = find_slot(visited, key)
        if depths[slot] < depth or depth + least_moves(key, worths, rules, stock, left) > progress[LONGEST]:
            continue
        if depth > 0:
            path[depth - 1] = stack[progress[TOP], 2] & 0xFFFFFFFF
        quota -= 1
        progress[STATES] += 1
        if cards_left(key, rules, left) == 0:
            progress[BEST_DEPTH] = depth
            progress[LONGEST] = depth - 1
            for i in range(depth):
                line[i] = path[i]
            continue
        needs = worths[key >> shape_at] + counts if rules[JOKERS] == 0 else 0
        size = write_moves(key, needs, rules, ranks, stock, free, after, moves)
        for i in range(size):
            child = moves[i, 0]
            rest = counts - moves[i, 1]
            if dropping and (child >> 1) & 3 == 0:
                child, rest = drop_dead(child, rest, worths[child >> shape_at], rules, stock)
            slot = find_slot(visited, child)
            if slot >= 0:
                if depths[slot] <= depth + 1:
                    continue
            else:
                slot = ~slot
                visited[slot] = child + 1
                progress[USED] += 1
                bound = open_value(
                    (rest << rules[SHAPE_BITS]) | (child >> shape_at),
                    rules, ranks, free, after, left, keys, values, kids, frames, tally,
                )  # fmt: skip
                if bound > 0:
                    depths[slot] = -1
                    continue
            depths[slot] = depth + 1
            stack[progress[TOP], 0] = child
            stack[progress[TOP], 1] = rest
            stack[progress[TOP], 2] = ((depth + 1) << 32) | moves[i, 2]
            progress[TOP] += 1
    return EXHAUSTED
