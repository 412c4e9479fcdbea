"""Compiled depth-first search over the whole game, and a quick greedy player.

A state is one 64-bit key: shape of the pyramid, stock cards remaining (a bit each, in the order they are turned), how
far the stock has been turned, redeals left (with ``IDLE``: 1 once a card of the stock was played in this pass), whether
the card turned last is still held. The stock and the waste are one sequence: what lies before ``turned`` is the waste,
and since a redeal keeps the order it only sets ``turned`` to 0.
Search runs in slices, so that the caller can look at a clock and let the tables grow between them.
"""

from __future__ import annotations

from typing import Final

from rules.compiled import compiled_without_arrays
from rules.pyramid.relaxed import (
    ALL,
    DRAW,
    HELD,
    IDLE,
    JOKERS,
    KEEPING,
    OVERLAP,
    SHAPE_BITS,
    STOCK_BITS,
    STUCK,
    TOTAL,
    UNLIMITED,
    Array,
    find_slot,
    leave_together,
    open_value,
)

# What a slice of the search ended with.
EXHAUSTED: Final = 0
FOUND: Final = 1
PAUSED: Final = 2
GROW: Final = 3
GROW_OPEN: Final = 4
STACK_FULL: Final = 5

# Places in the array ``progress`` (int64).
TOP: Final = 0
USED: Final = 1
STATES: Final = 2
BEST: Final = 3
BEST_DEPTH: Final = 4
AIM: Final = 5
CUT_SHORT: Final = 6
LONGEST: Final = 7
PROGRESS_SIZE: Final = 8

# Moves: kind << 16 | first << 8 | second; a pyramid place is its number, a stock card STOCK_CARD plus its number.
PAIR: Final = 0
SINGLE: Final = 1
TURN: Final = 2
REDEAL: Final = 3
STOCK_CARD: Final = 64
NOTHING: Final = 255

LONGEST_LINE: Final = 4096
MOST_MOVES: Final = 256


@compiled_without_arrays
def top_before(mask: int, end: int) -> int:
    """The number of the last card remaining before ``end``, or -1."""
    number = end - 1
    while number >= 0 and (mask >> number) & 1 == 0:
        number -= 1
    return number


@compiled_without_arrays
def pack(shape: int, mask: int, turned: int, redeals: int, held: int, rules: Array) -> int:
    """The key of a state; ``turned`` counts up to the last card remaining in the waste."""
    key: int = (((shape << rules[STOCK_BITS]) | mask) << 9) | (turned << 3) | (redeals << 1) | held
    return key


@compiled_without_arrays
def without(mask: int, turned: int, held: int, card: int) -> tuple[int, int, int]:
    """Stock, ``turned`` and held after a card of the waste, or the held one, has left."""
    mask ^= 1 << card
    if held == 1 and card == turned - 1:
        held = 0
    return mask, top_before(mask, turned) + 1, held


@compiled_without_arrays
def stock_moves(
    shape: int, mask: int, turned: int, redeals: int, held: int, rules: Array, stock: Array, size: int, moves: Array
) -> int:
    """Writes the turn or the redeal, if there is one, at ``size``: (key, counts taken, move); returns the new size."""
    if mask >> turned != 0:
        reach = turned
        for _ in range(rules[DRAW]):
            if mask >> reach == 0:
                break
            while (mask >> reach) & 1 == 0:
                reach += 1
            reach += 1
        moves[size, 0] = pack(shape, mask, reach, redeals, rules[HELD], rules)
        moves[size, 1] = 0
        moves[size, 2] = (TURN << 16) | (NOTHING << 8) | NOTHING
        return size + 1
    endless = rules[UNLIMITED] == 1 and rules[IDLE] == 0
    if mask != 0 and (endless or redeals > 0):
        fewer = redeals if endless else redeals - 1
        moves[size, 0] = (((shape << rules[STOCK_BITS]) | mask) << 9) | (fewer << 1)
        moves[size, 1] = 0
        moves[size, 2] = (REDEAL << 16) | (NOTHING << 8) | NOTHING
        return size + 1
    return size


@compiled_without_arrays
def is_last(worth: int, total: int, needs: int) -> bool:
    """Whether a card in play is the only partner left for the cards it pairs with; False where ``needs`` is 0."""
    if needs == 0 or worth == 0 or worth >= total:
        return False
    remaining = (needs >> (3 * worth)) & 7
    return remaining == (2 if 2 * worth == total else 1)


@compiled_without_arrays
def drop_dead(key: int, rest: int, worths: int, rules: Array, stock: Array) -> tuple[int, int]:
    """The state without waste cards that can never be reached again, and what is left of ``rest`` (counts outside).

    In the last pass a waste card no partner is left for stays, and so does all that lies under it: no card but those
    of the pyramid (and with ``held`` those still to come) can be its partner. With ``laid`` each card that leaves the
    waste takes one of the pyramid with it, so of the cards of one worth, counted from the top, no more can leave than
    the pyramid has partners for.
    """
    held = key & 1
    turned = (key >> 3) & 63
    mask = (key >> 9) & ((1 << rules[STOCK_BITS]) - 1)
    partners = worths
    if rules[HELD] == 1:
        for card in range(turned - held, rules[STOCK_BITS]):
            if (mask >> card) & 1 == 1 and stock[card] < rules[TOTAL]:
                partners |= 1 << (3 * stock[card])
    card = top_before(mask, turned - held)
    while card >= 0:
        worth = stock[card]
        if worth < rules[TOTAL]:
            partner = 3 * (rules[TOTAL] - worth)
            if (partners >> partner) & 7 == 0:
                break
            if rules[HELD] == 0:
                partners -= 1 << partner
        card = top_before(mask, card)
    if card < 0:
        return key, rest
    for below in range(card + 1):
        if (mask >> below) & 1 == 1 and stock[below] < rules[TOTAL]:
            rest -= 1 << (3 * stock[below])
    mask = (mask >> (card + 1)) << (card + 1)
    shape = key >> (9 + rules[STOCK_BITS])
    return pack(shape, mask, top_before(mask, turned) + 1, (key >> 1) & 3, held, rules), rest


@compiled_without_arrays
def write_moves(
    key: int, needs: int, rules: Array, ranks: Array, stock: Array, free: Array, after: Array, moves: Array
) -> int:
    """Writes (next key, counts taken, move) for the moves worth trying, best last; returns how many.

    Turn or redeal first, then turned + waste, waste + pyramid, turned + pyramid, pairs of the pyramid. A free king
    leaves at once where that can never hurt: from the pyramid always, from the piles with draw 1 (unless ``KEEPING``:
    it costs a move that need not be made). ``needs`` packs how many cards of each worth remain anywhere, or is 0: a
    card of the pyramid whose last partner is in play leaves with it at once, since no line that wins does without that
    pair.
    """
    total = rules[TOTAL]
    held = key & 1
    redeals = (key >> 1) & 3
    turned = (key >> 3) & 63
    mask = (key >> 9) & ((1 << rules[STOCK_BITS]) - 1)
    shape = key >> (9 + rules[STOCK_BITS])
    width = free.shape[1]
    for i in range(width):
        place = free[shape, i]
        if place < 0:
            break
        if ranks[place] == total:
            moves[0, 0] = pack(after[shape, place], mask, turned, redeals, held, rules)
            moves[0, 1] = 0
            moves[0, 2] = (SINGLE << 16) | (place << 8) | NOTHING
            return 1
    # Where an idle pass ends the game each card of the stock that is played earns another pass.
    earned = 1 if rules[IDLE] == 1 else redeals
    piles_top = turned - 1
    piles_second = top_before(mask, piles_top) if held == 1 else -1
    size = stock_moves(shape, mask, turned, redeals, held, rules, stock, 0, moves)
    if piles_second >= 0 and leave_together(stock[piles_top], stock[piles_second], total):
        rest, reach, still = without(mask, turned, held, piles_top)
        rest, reach, still = without(rest, reach, still, piles_second)
        moves[size, 0] = pack(shape, rest, reach, earned, still, rules)
        moves[size, 1] = (1 << (3 * stock[piles_top])) + (1 << (3 * stock[piles_second]))
        moves[size, 2] = (PAIR << 16) | ((STOCK_CARD + piles_top) << 8) | (STOCK_CARD + piles_second)
        size += 1
    for which in range(2):
        card = piles_second if which == 0 else piles_top
        if card < 0:
            continue
        rest, reach, still = without(mask, turned, held, card)
        last = rules[DRAW] == 1 and rules[STUCK] == 0 and is_last(stock[card], total, needs)
        if stock[card] == total:
            at_once = rules[DRAW] == 1 and rules[KEEPING] == 0
            if at_once:
                size = 0
            moves[size, 0] = pack(shape, rest, reach, earned, still, rules)
            moves[size, 1] = 0
            moves[size, 2] = (SINGLE << 16) | ((STOCK_CARD + card) << 8) | NOTHING
            size += 1
            if at_once:
                return size
            continue
        for i in range(width):
            place = free[shape, i]
            if place < 0:
                break
            if leave_together(ranks[place], stock[card], total):
                if last:
                    size = 0
                moves[size, 0] = pack(after[shape, place], rest, reach, earned, still, rules)
                moves[size, 1] = 1 << (3 * stock[card])
                moves[size, 2] = (PAIR << 16) | (place << 8) | (STOCK_CARD + card)
                size += 1
                if last:
                    return size
    for i in range(width):
        place = free[shape, i]
        if place < 0:
            break
        beyond = after[shape, place]
        for j in range(width):
            other = free[beyond, j]
            if other < 0:
                break
            covered = after[shape, other] < 0
            if (covered and rules[OVERLAP] == 0) or (not covered and other < place):
                continue
            if leave_together(ranks[place], ranks[other], total):
                last = is_last(ranks[place], total, needs) or is_last(ranks[other], total, needs)
                if last:
                    size = 0
                moves[size, 0] = pack(after[beyond, other], mask, turned, redeals, held, rules)
                moves[size, 1] = 0
                moves[size, 2] = (PAIR << 16) | (place << 8) | other
                size += 1
                if last:
                    return size
    if rules[STUCK] == 1 and size > 1 and moves[0, 2] >> 16 >= TURN:
        for i in range(1, size):
            for j in range(3):
                moves[i - 1, j] = moves[i, j]
        size -= 1
    return size


@compiled_without_arrays
def cards_left(key: int, rules: Array, left: Array) -> int:
    """Cards still to be removed: those of the pyramid, or with goal ``all`` every card."""
    result = left[key >> (9 + rules[STOCK_BITS])]
    if rules[ALL] == 1:
        mask = (key >> 9) & ((1 << rules[STOCK_BITS]) - 1)
        while mask != 0:
            mask &= mask - 1
            result += 1
    return int(result)


@compiled_without_arrays
def explore(
    rules: Array,
    ranks: Array,
    worths: Array,
    stock: Array,
    free: Array,
    after: Array,
    left: Array,
    visited: Array,
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
    """Searches on from ``stack`` (key, counts outside the pyramid, depth << 32 | move) for at most ``quota`` states.

    Looks for a state with fewer cards left than ``progress[BEST]``; each one found lowers it and copies the moves to
    ``line``. Ends with FOUND once no more than ``progress[AIM]`` are left, EXHAUSTED when nothing better is reachable;
    lines longer than ``progress[LONGEST]`` are not followed, which ``progress[CUT_SHORT]`` tells.
    """
    shape_at = 9 + rules[STOCK_BITS]
    winning = progress[BEST] == 1 and rules[JOKERS] == 0
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
        if depth > 0:
            path[depth - 1] = stack[progress[TOP], 2] & 0xFFFFFFFF
        quota -= 1
        progress[STATES] += 1
        remaining = cards_left(key, rules, left)
        if remaining < progress[BEST]:
            progress[BEST] = remaining
            progress[BEST_DEPTH] = depth
            for i in range(depth):
                line[i] = path[i]
            if remaining <= progress[AIM]:
                return FOUND
        if depth + max(1, (remaining + 1) // 2) > progress[LONGEST]:
            progress[CUT_SHORT] = 1
            continue
        needs = worths[key >> shape_at] + counts if winning else 0
        size = write_moves(key, needs, rules, ranks, stock, free, after, moves)
        for i in range(size):
            child = moves[i, 0]
            rest = counts - moves[i, 1]
            if dropping and (child >> 1) & 3 == 0:
                child, rest = drop_dead(child, rest, worths[child >> shape_at], rules, stock)
            slot = find_slot(visited, child)
            if slot >= 0:
                continue
            visited[~slot] = child + 1
            progress[USED] += 1
            bound = open_value(
                (rest << rules[SHAPE_BITS]) | (child >> shape_at),
                rules, ranks, free, after, left, keys, values, kids, frames, tally,
            )  # fmt: skip
            if bound >= progress[BEST]:
                continue
            stack[progress[TOP], 0] = child
            stack[progress[TOP], 1] = rest
            stack[progress[TOP], 2] = ((depth + 1) << 32) | moves[i, 2]
            progress[TOP] += 1
    return EXHAUSTED


@compiled_without_arrays
def rehash_values(old: Array, old_values: Array, new: Array, new_values: Array) -> int:
    """Copies keys and values of a table into a larger empty one; returns how many."""
    count = 0
    for i in range(old.size):
        if old[i] != 0:
            slot = ~find_slot(new, old[i] - 1)
            new[slot] = old[i]
            new_values[slot] = old_values[i]
            count += 1
    return count
