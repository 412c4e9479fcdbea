"""Compiled best-first search of the row family over classes of positions (see ``rules.rows.states``).

It runs in slices, so that the caller can look at a clock and let the tables grow between them.
"""

from __future__ import annotations

from typing import Final

from rules.compiled import compiled
from rules.rows.components import (
    COUNT,
    FIRST,
    KEYS_USED,
    LEAST,
    NO_ROOM,
    OPTION_COUNT,
    OPTION_FIRST,
    REP,
    find_component,
)
from rules.rows.departures import AFTER, BASE, BEFORE, PUT, REACHED, REPEATED, WHAT, list_options
from rules.rows.frontier import load_state
from rules.rows.reversal import list_column
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
    rows_to_fill,
)
from rules.rows.stepping import LEND, REVERSE, falls_apart, offer, spread
from rules.rows.suits import ANCHOR, BOTTOM, IN_CELLAR, RANKS, REVERSIBLE, Array, count_of

# What a slice of the search ended with, besides ``GROW_NODES`` and ``FULL``.
EXHAUSTED: Final = 0
FOUND: Final = 1
PAUSED: Final = 2
GROW_SUITS: Final = 4


@compiled
def expand_reversals(
    number: int, state: Array, child: Array, before: Array, cards: Array, free: int, items: Array, parts: Array,
    rules: Array, row_kinds: Array, below: Array, row_of: Array, inner: Array, spare: Array, closed: Array,
    columns: Array, keys: Array, values: Array, records: Array, members: Array, kids: Array, tally: Array, log: Array,
    nodes: Array, slots: Array, following: Array, heads: Array, progress: Array,
) -> int:  # fmt: skip
    """Adds the states that reversing the outer columns leads to, with every arrangement of what is built on them."""
    ranks = rules[RANKS]
    left, right, longest = -1, -1, 0
    for column in range(1, 3):
        size = list_column(state, column, rules, row_kinds, below, row_of, cards)
        longest = max(longest, size)
        for i in range(size):
            if field_of(state, cards[i], rules) == ANCHOR:
                left, right = (cards[i] // ranks, right) if column == 1 else (left, cards[i] // ranks)
    if longest < 2:
        return 0
    built_on = False
    for row in range(row_kinds.shape[0]):
        built_on = built_on or (row_kinds[row, COLUMN] > 0 and row_kinds[row, BUILD] == 1)
    taken = REVERSE << 16
    if not built_on:
        before[:] = state
        return offer(
            number, before, taken, 0, True, child, rules, row_kinds, below, row_of, inner, spare, closed, columns,
            keys, values, records, members, kids, tally, log, nodes, slots, following, heads, progress,
        )  # fmt: skip
    right = -1 if right == left else right
    firsts, counts, frozen = (0, 0), (1, 1), 0
    for which in range(2):
        suit = left if which == 0 else right
        if suit < 0:
            continue
        frozen |= 1 << suit
        record = find_component(suit, state[suit], free + count_of(state[suit], BOTTOM, ranks), 0, rules, closed, keys,
                                values, records, members, kids, tally)  # fmt: skip
        if record < 0:
            return NO_ROOM
        first, count = records[record, FIRST], records[record, COUNT]
        firsts = (first, firsts[1]) if which == 0 else (firsts[0], first)
        counts = (count, counts[1]) if which == 0 else (counts[0], count)
    apart = falls_apart(state, frozen, free, parts, rules, closed, keys, values, records, members, kids, tally)
    if apart < 0:
        return NO_ROOM
    rows = rows_to_fill(state, rules, row_kinds, inner, spare)
    for i in range(firsts[0], firsts[0] + counts[0]):
        for j in range(firsts[1], firsts[1] + counts[1]):
            before[:] = state
            if left >= 0:
                before[left] = members[i]
            if right >= 0:
                before[right] = members[j]
            used, all_used = 0, 0
            for suit in range(4):
                all_used += count_of(before[suit], BOTTOM, ranks)
                if (frozen >> suit) & 1 == 1:
                    used += count_of(before[suit], BOTTOM, ranks)
            if all_used > rows:
                continue
            outcome = offer(
                number, before, taken, 0, False, child, rules, row_kinds, below, row_of, inner, spare, closed,
                columns, keys, values, records, members, kids, tally, log, nodes, slots, following, heads, progress,
            )  # fmt: skip
            if outcome == 0 and apart == 1:
                outcome = spread(
                    number, state, before, frozen, used, taken, 0, child, items, parts,
                    rules, row_kinds, below, row_of, inner, spare, closed, columns,
                    keys, values, records, members, kids, tally, log, nodes, slots, following, heads, progress,
                )  # fmt: skip
            if outcome != 0:
                return outcome
    return 0


@compiled
def expand(
    number: int, state: Array, child: Array, before: Array, cards: Array, items: Array, parts: Array,
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
        own = count_of(state[suit], BOTTOM, ranks)
        cap = free + own
        cellar = 1 if state[VIEW] == suit else 0
        record = find_component(suit, state[suit], cap, cellar, rules, closed, keys, values, records, members, kids,
                                tally)  # fmt: skip
        if record < 0:
            return NO_ROOM
        apart = falls_apart(state, 1 << suit, free, parts, rules, closed, keys, values, records, members, kids, tally)
        if apart < 0:
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
            needs = count_of(options[i, REACHED], BOTTOM, ranks)
            if needs <= own and options[i, REPEATED] == 1:
                continue
            taken = (kind << 16) | (suit << 8) | (options[i, WHAT] & 255)
            before[:] = state
            before[suit] = options[i, BEFORE]
            outcome = 0
            if options[i, REPEATED] == 0:
                outcome = offer(
                    number, before, taken, options[i, AFTER], True, child,
                    rules, row_kinds, below, row_of, inner, spare, closed, columns,
                    keys, values, records, members, kids, tally, log, nodes, slots, following, heads, progress,
                )  # fmt: skip
            if outcome == 0 and needs > own and apart == 1:
                used = max(count_of(options[i, BEFORE], BOTTOM, ranks), count_of(options[i, AFTER], BOTTOM, ranks))
                outcome = spread(
                    number, state, before, 1 << suit, used, taken, options[i, AFTER], child, items, parts,
                    rules, row_kinds, below, row_of, inner, spare, closed, columns,
                    keys, values, records, members, kids, tally, log, nodes, slots, following, heads, progress,
                )  # fmt: skip
            if outcome != 0:
                return outcome
        if cellar == 0:
            continue
        first = records[record, FIRST]
        for i in range(first, first + records[record, COUNT]):
            code = members[i]
            if count_of(code, IN_CELLAR, ranks) > 0:
                continue
            alone = find_component(suit, code, cap, 0, rules, closed, keys, values, records, members, kids, tally)
            if alone < 0:
                return NO_ROOM
            needs = records[alone, LEAST]
            if records[alone, REP] != code and not (needs > own and apart == 1):
                continue
            for other in range(4):
                if other == suit:
                    continue
                before[:] = state
                before[suit] = code
                taken = (LEND << 16) | (suit << 8) | other
                outcome = offer(
                    number, before, taken, code, True, child,
                    rules, row_kinds, below, row_of, inner, spare, closed, columns,
                    keys, values, records, members, kids, tally, log, nodes, slots, following, heads, progress,
                )  # fmt: skip
                if outcome == 0 and needs > own and apart == 1:
                    outcome = spread(
                        number, state, before, 1 << suit, count_of(code, BOTTOM, ranks), taken, code, child, items,
                        parts, rules, row_kinds, below, row_of, inner, spare, closed, columns,
                        keys, values, records, members, kids, tally, log, nodes, slots, following, heads, progress,
                    )  # fmt: skip
                if outcome != 0:
                    return outcome
    if rules[REVERSIBLE] == 0 or state[VARIANT] > 0:
        return 0
    return expand_reversals(
        number, state, child, before, cards, free, items, parts, rules, row_kinds, below, row_of, inner, spare, closed,
        columns, keys, values, records, members, kids, tally, log, nodes, slots, following, heads, progress,
    )  # fmt: skip


@compiled
def explore(
    state: Array, child: Array, before: Array, cards: Array, items: Array, parts: Array,
    rules: Array, row_kinds: Array, below: Array, row_of: Array, inner: Array, spare: Array, closed: Array,
    columns: Array, keys: Array, values: Array, records: Array, members: Array, options: Array,
    kids: Array, kids_after: Array, tally: Array, log: Array,
    nodes: Array, slots: Array, following: Array, heads: Array, progress: Array, quota: int, most_entries: int,
) -> int:  # fmt: skip
    """Expands the most promising open states, at most ``quota`` of them, and none once there are more arrangements and
    nodes together than ``most_entries``; says how it ended.

    Where a table is too small the state is opened again: its children already added are known then."""
    while progress[WON] == 0:
        if progress[OPEN] == 0:
            return EXHAUSTED
        if quota <= 0 or tally[KEYS_USED] + progress[NODES] > most_entries:
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
            number, state, child, before, cards, items, parts,
            rules, row_kinds, below, row_of, inner, spare, closed, columns,
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
