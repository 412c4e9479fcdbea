"""Compiled best-first search of the row family over classes of positions (see ``rules.rows.states``).

It runs in slices, so that the caller can look at a clock and let the tables grow between them.
"""

from __future__ import annotations

from typing import Final

from rules.pyramid.compiled import compiled
from rules.rows.components import (
    AFTER,
    BASE,
    BEFORE,
    COUNT,
    FIRST,
    NO_ROOM,
    OPTION_COUNT,
    OPTION_FIRST,
    PUT,
    READY,
    REP,
    WHAT,
    find_component,
    list_options,
)
from rules.rows.frontier import add_state, load_state, score_of
from rules.rows.reversal import list_column, reverse_columns
from rules.rows.states import (
    BUILD,
    COLUMN,
    LOCKED,
    NODES,
    OPEN,
    STATES,
    TOP_SCORE,
    VARIANT,
    VIEW,
    WON,
    baseless_places,
    field_of,
    free_rows,
    leave_home,
    settle,
)
from rules.rows.suits import ANCHOR, BOTTOM, IN_CELLAR, RANKS, REVERSIBLE, Array, count_of

# Kinds of steps besides those of ``suits``.
LEND: Final = 3
REVERSE: Final = 4

# What a slice of the search ended with.
EXHAUSTED: Final = 0
FOUND: Final = 1
PAUSED: Final = 2
GROW_NODES: Final = 3
GROW_SUITS: Final = 4
FULL: Final = 5


@compiled
def offer(
    state: Array, number: int, taken: int, before: int, after: int,
    rules: Array, row_kinds: Array, below: Array, row_of: Array, inner: Array, spare: Array, closed: Array,
    keys: Array, values: Array, records: Array, members: Array, kids: Array, tally: Array, log: Array,
    nodes: Array, slots: Array, following: Array, heads: Array, progress: Array,
) -> int:  # fmt: skip
    """Settles a state reached by a step from node ``number`` and adds it; 0, NO_ROOM, or GROW_NODES."""
    if progress[NODES] >= nodes.shape[0]:
        return GROW_NODES
    if settle(
        state, rules, row_kinds, below, row_of, inner, spare, closed,
        keys, values, records, members, kids, tally, log, progress,
    ) == NO_ROOM:  # fmt: skip
        return NO_ROOM
    score = score_of(state, free_rows(state, rules, row_kinds, inner, spare), rules)
    add_state(state, number, taken, before, after, score, nodes, slots, following, heads, progress, rules)
    return 0


@compiled
def take_option(
    state: Array, suit: int, option: Array,
    rules: Array, row_kinds: Array, below: Array, row_of: Array,
) -> None:  # fmt: skip
    """The state right after an option of a suit; a dealt card that leaves uncovers what it lay on."""
    rank = option[WHAT] & 255
    state[suit] = option[AFTER]
    if (option[BEFORE] >> (3 * rank)) & 7 == ANCHOR:
        leave_home(state, suit * rules[RANKS] + rank, rules, row_kinds, below, row_of)


@compiled
def expand_reversals(
    number: int, state: Array, child: Array, cards: Array, free: int,
    rules: Array, row_kinds: Array, below: Array, row_of: Array, inner: Array, spare: Array, closed: Array,
    columns: Array, keys: Array, values: Array, records: Array, members: Array, kids: Array, tally: Array, log: Array,
    nodes: Array, slots: Array, following: Array, heads: Array, progress: Array,
) -> int:  # fmt: skip
    """Adds the states that reversing the outer columns leads to, with every arrangement of what is built on them."""
    ranks = rules[RANKS]
    holders = (-1, -1)
    longest = 0
    for column in range(1, 3):
        size = list_column(state, column, rules, row_kinds, below, row_of, cards)
        longest = max(longest, size)
        suit = -1
        for i in range(size):
            if field_of(state, cards[i], rules) == ANCHOR:
                suit = cards[i] // ranks
        holders = (suit, -1) if column == 1 else (holders[0], suit)
    if longest < 2:
        return 0
    buildable = False
    for row in range(row_kinds.shape[0]):
        buildable = buildable or (row_kinds[row, COLUMN] > 0 and row_kinds[row, BUILD] == 1)
    left, right = holders
    if not buildable:
        left, right = -1, -1
    if right == left:
        right = -1
    left_first, left_count = 0, 1
    right_first, right_count = 0, 1
    room = free
    for which in range(2):
        suit = left if which == 0 else right
        if suit < 0:
            continue
        own = count_of(state[suit], BOTTOM, ranks)
        room += own
        record = find_component(suit, state[suit], free + own, 0, rules, closed, keys, values, records, members, kids,
                                tally)  # fmt: skip
        if record < 0:
            return NO_ROOM
        if which == 0:
            left_first, left_count = records[record, FIRST], records[record, COUNT]
        else:
            right_first, right_count = records[record, FIRST], records[record, COUNT]
    for i in range(left_first, left_first + left_count):
        for j in range(right_first, right_first + right_count):
            child[:] = state
            used = 0
            if left >= 0:
                child[left] = members[i]
                used += count_of(members[i], BOTTOM, ranks)
            if right >= 0:
                child[right] = members[j]
                used += count_of(members[j], BOTTOM, ranks)
            if used > room:
                continue
            before, after = child[max(left, 0)], child[max(right, 0)]
            if not reverse_columns(child, rules, row_kinds, below, row_of, inner, spare, columns, progress):
                return FULL
            outcome = offer(
                child, number, (REVERSE << 16) | ((left + 1) << 8) | (right + 1), before, after,
                rules, row_kinds, below, row_of, inner, spare, closed,
                keys, values, records, members, kids, tally, log, nodes, slots, following, heads, progress,
            )  # fmt: skip
            if outcome != 0:
                return outcome
    return 0


@compiled
def expand(
    number: int, state: Array, child: Array, cards: Array,
    rules: Array, row_kinds: Array, below: Array, row_of: Array, inner: Array, spare: Array, closed: Array,
    columns: Array, keys: Array, values: Array, records: Array, members: Array, options: Array,
    kids: Array, kids_after: Array, tally: Array, log: Array,
    nodes: Array, slots: Array, following: Array, heads: Array, progress: Array,
) -> int:  # fmt: skip
    """Adds every state that one step leads to from a node; 0, or NO_ROOM, GROW_NODES, FULL for the table too small."""
    load_state(nodes, number, state)
    ranks = rules[RANKS]
    free = free_rows(state, rules, row_kinds, inner, spare)
    cellar_used = False
    for suit in range(4):
        cellar_used = cellar_used or count_of(state[suit], IN_CELLAR, ranks) > 0
    places = baseless_places(state, rules, row_kinds, inner)
    for suit in range(4):
        cap = free + count_of(state[suit], BOTTOM, ranks)
        cellar = 1 if state[VIEW] == suit else 0
        record = find_component(suit, state[suit], cap, cellar, rules, closed, keys, values, records, members, kids,
                                tally)  # fmt: skip
        if record < 0:
            return NO_ROOM
        if records[record, OPTION_COUNT] < 0 and list_options(
            record, suit, cap, cellar, rules, closed, keys, values, records, members, options, kids, kids_after, tally
        ) == NO_ROOM:  # fmt: skip
            return NO_ROOM
        first = records[record, OPTION_FIRST]
        for i in range(first, first + records[record, OPTION_COUNT]):
            kind = options[i, WHAT] >> 8
            if (kind == PUT and (cellar_used or state[VIEW] != LOCKED)) or (kind == BASE and places <= 0):
                continue
            child[:] = state
            take_option(child, suit, options[i], rules, row_kinds, below, row_of)
            taken = (kind << 16) | (suit << 8) | (options[i, WHAT] & 255)
            outcome = offer(
                child, number, taken, options[i, BEFORE], options[i, AFTER],
                rules, row_kinds, below, row_of, inner, spare, closed,
                keys, values, records, members, kids, tally, log, nodes, slots, following, heads, progress,
            )  # fmt: skip
            if outcome != 0:
                return outcome
        if cellar == 1:
            first = records[record, FIRST]
            for i in range(first, first + records[record, COUNT]):
                code = members[i]
                if count_of(code, IN_CELLAR, ranks) > 0:
                    continue
                alone = find_component(suit, code, cap, 0, rules, closed, keys, values, records, members, kids, tally)
                if alone < 0:
                    return NO_ROOM
                if records[alone, REP] != code and records[alone, READY] != code:
                    continue
                for other in range(4):
                    if other == suit:
                        continue
                    child[:] = state
                    child[suit] = code
                    child[VIEW] = other
                    outcome = offer(
                        child, number, (LEND << 16) | (suit << 8) | other, code, code,
                        rules, row_kinds, below, row_of, inner, spare, closed,
                        keys, values, records, members, kids, tally, log, nodes, slots, following, heads, progress,
                    )  # fmt: skip
                    if outcome != 0:
                        return outcome
    if rules[REVERSIBLE] == 0 or state[VARIANT] > 0:
        return 0
    return expand_reversals(
        number, state, child, cards, free, rules, row_kinds, below, row_of, inner, spare, closed, columns,
        keys, values, records, members, kids, tally, log, nodes, slots, following, heads, progress,
    )  # fmt: skip


@compiled
def explore(
    state: Array, child: Array, cards: Array,
    rules: Array, row_kinds: Array, below: Array, row_of: Array, inner: Array, spare: Array, closed: Array,
    columns: Array, keys: Array, values: Array, records: Array, members: Array, options: Array,
    kids: Array, kids_after: Array, tally: Array, log: Array,
    nodes: Array, slots: Array, following: Array, heads: Array, progress: Array, quota: int,
) -> int:  # fmt: skip
    """Expands the most promising open states, at most ``quota`` of them; says how it ended.

    Where a table is too small the state is opened again: its children already added are known then."""
    while progress[WON] == 0:
        if progress[OPEN] == 0:
            return EXHAUSTED
        if quota <= 0:
            return PAUSED
        while heads[progress[TOP_SCORE]] == 0:
            progress[TOP_SCORE] -= 1
        score = progress[TOP_SCORE]
        number = heads[score] - 1
        heads[score] = following[number]
        progress[OPEN] -= 1
        quota -= 1
        progress[STATES] += 1
        code = expand(
            number, state, child, cards, rules, row_kinds, below, row_of, inner, spare, closed, columns,
            keys, values, records, members, options, kids, kids_after, tally, log,
            nodes, slots, following, heads, progress,
        )  # fmt: skip
        if progress[WON] == 0 and code != 0:
            following[number] = heads[score]
            heads[score] = number + 1
            progress[TOP_SCORE] = max(progress[TOP_SCORE], score)
            progress[OPEN] += 1
            return GROW_SUITS if code == NO_ROOM else code
    return FOUND
