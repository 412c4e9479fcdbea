"""Compiled: steps for good from one class of positions to another, in every way that makes a difference."""

from __future__ import annotations

from typing import Final

from rules.compiled import compiled
from rules.rows.components import CUT, NO_ROOM, list_parts
from rules.rows.frontier import add_state, same_state, score_of
from rules.rows.reversal import reverse_columns
from rules.rows.states import NODES, VIEW, free_rows, leave_home, rows_to_fill, settle
from rules.rows.suits import ANCHOR, BOTTOM, RANKS, Array, count_of

# Kinds of steps besides those of ``rules.rows.departures``.
LEND: Final = 3
REVERSE: Final = 4

# Tables without room for more; the search ends a slice with these.
GROW_NODES: Final = 3
FULL: Final = 5

PARTS: Final = 60
"""Parts of a component at most; then come their number and the room within which they hold together."""
MOST_ITEMS: Final = 4096


@compiled
def step_on(
    state: Array, taken: int, after: int,
    rules: Array, row_kinds: Array, below: Array, row_of: Array, inner: Array, spare: Array, columns: Array,
    progress: Array,
) -> bool:  # fmt: skip
    """Takes a step from the arrangements right before it; False where there is no room for one more variant."""
    kind, suit, rank = taken >> 16, (taken >> 8) & 255, taken & 255
    if kind == REVERSE:
        return bool(
            reverse_columns(state, rules, row_kinds, below, row_of, inner, spare, columns, progress)
        )  # fmt: skip
    if kind == LEND:
        state[VIEW] = rank
        return True
    dealt = (state[suit] >> (3 * rank)) & 7 == ANCHOR
    state[suit] = after
    if dealt:
        leave_home(state, suit * rules[RANKS] + rank, rules, row_kinds, below, row_of)
    return True


@compiled
def offer(
    number: int, before: Array, taken: int, after: int, sure: bool, child: Array,
    rules: Array, row_kinds: Array, below: Array, row_of: Array, inner: Array, spare: Array, closed: Array,
    columns: Array, keys: Array, values: Array, records: Array, members: Array, kids: Array, tally: Array, log: Array,
    nodes: Array, slots: Array, following: Array, heads: Array, progress: Array,
) -> int:  # fmt: skip
    """Takes a step from the arrangements ``before`` and adds the state it leads to; 0, or what has no room.

    Unless they are ``sure`` to be of the class of node ``number``, nothing is done where they are not."""
    if progress[NODES] >= nodes.shape[0]:
        return GROW_NODES
    if not sure:
        child[:] = before
        if settle(
            child, rules, row_kinds, below, row_of, inner, spare, closed,
            keys, values, records, members, kids, tally, log, progress,
        ) == NO_ROOM:  # fmt: skip
            return NO_ROOM
        if not same_state(nodes, number, child):
            return 0
    child[:] = before
    if not step_on(child, taken, after, rules, row_kinds, below, row_of, inner, spare, columns, progress):
        return FULL
    if settle(
        child, rules, row_kinds, below, row_of, inner, spare, closed,
        keys, values, records, members, kids, tally, log, progress,
    ) == NO_ROOM:  # fmt: skip
        return NO_ROOM
    score = score_of(child, free_rows(child, rules, row_kinds, inner, spare), rules)
    add_state(child, number, taken, after, before, score, nodes, slots, following, heads, progress, rules)
    return 0


@compiled
def spread(
    number: int, state: Array, before: Array, frozen: int, used: int, taken: int, after: int, child: Array,
    items: Array, parts: Array,
    rules: Array, row_kinds: Array, below: Array, row_of: Array, inner: Array, spare: Array, closed: Array,
    columns: Array, keys: Array, values: Array, records: Array, members: Array, kids: Array, tally: Array, log: Array,
    nodes: Array, slots: Array, following: Array, heads: Array, progress: Array,
) -> int:  # fmt: skip
    """Offers a step with the suits that are not ``frozen`` (a bit each) lying in every way that makes a difference.

    The frozen ones take up ``used`` rows. ``items`` holds for each suit what stands for a part of its component, and
    the room within which that part holds together; with less room it falls into smaller ones."""
    ranks = rules[RANKS]
    rows = rows_to_fill(state, rules, row_kinds, inner, spare)
    free = free_rows(state, rules, row_kinds, inner, spare)
    for suit in range(4):
        items[0, suit] = state[suit]
        items[0, 4 + suit] = free + count_of(state[suit], BOTTOM, ranks)
    size = 1
    while size > 0:
        size -= 1
        left = rows - used
        for suit in range(4):
            before[suit] = before[suit] if (frozen >> suit) & 1 == 1 else items[size, suit]
            if (frozen >> suit) & 1 == 0:
                left -= count_of(before[suit], BOTTOM, ranks)
        if left < 0:
            continue
        whole = True
        for suit in range(4):
            parts[suit, 0] = before[suit]
            parts[suit, PARTS] = 1
            parts[suit, PARTS + 1] = items[size, 4 + suit]
            room = left + count_of(before[suit], BOTTOM, ranks)
            if (frozen >> suit) & 1 == 1 or room >= items[size, 4 + suit]:
                continue
            whole = False
            count = list_parts(
                suit, before[suit], (items[size, 4 + suit], room), 1 if state[VIEW] == suit else 0,
                rules, closed, keys, values, records, members, kids, tally, parts[suit, :PARTS],
            )  # fmt: skip
            if count < 0:
                return NO_ROOM
            parts[suit, PARTS] = count
            parts[suit, PARTS + 1] = room
        if whole:
            same = True
            for suit in range(4):
                same = same and ((frozen >> suit) & 1 == 1 or before[suit] == state[suit])
            if same:
                continue
            outcome = offer(
                number, before, taken, after, False, child, rules, row_kinds, below, row_of, inner, spare, closed,
                columns, keys, values, records, members, kids, tally, log, nodes, slots, following, heads, progress,
            )  # fmt: skip
            if outcome != 0:
                return outcome
            continue
        total = parts[0, PARTS] * parts[1, PARTS] * parts[2, PARTS] * parts[3, PARTS]
        if size + total > items.shape[0]:
            tally[CUT] += 1
            continue
        for choice in range(total):
            rest = choice
            for suit in range(4):
                items[size, suit] = parts[suit, rest % parts[suit, PARTS]]
                items[size, 4 + suit] = parts[suit, PARTS + 1]
                rest //= parts[suit, PARTS]
            size += 1
    return 0


@compiled
def falls_apart(
    state: Array, frozen: int, free: int, parts: Array,
    rules: Array, closed: Array, keys: Array, values: Array, records: Array, members: Array, kids: Array, tally: Array,
) -> int:  # fmt: skip
    """Whether the component of a suit that is not frozen falls into parts with less room: 1, 0, or NO_ROOM."""
    for suit in range(4):
        if (frozen >> suit) & 1 == 1:
            continue
        own = count_of(state[suit], BOTTOM, rules[RANKS])
        for less in range(1, free + 1):
            count = list_parts(
                suit, state[suit], (free + own, free + own - less), 1 if state[VIEW] == suit else 0,
                rules, closed, keys, values, records, members, kids, tally, parts[suit, :PARTS],
            )  # fmt: skip
            if count != 1:
                return NO_ROOM if count < 0 else 1
    return 0
