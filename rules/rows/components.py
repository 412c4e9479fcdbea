"""Compiled: components of arrangements, each worked out once.

All that cards which have left their dealt places do can be undone. A *component* is the set of arrangements of a suit
that reach each other so, never with more than ``cap`` cards at the bottom of half rows. All its members are worth the
same, and a search needs to know only what can be done for good from any of them (see ``rules.rows.departures``).
"""

from __future__ import annotations

from typing import Final

from rules.compiled import compiled
from rules.rows.suits import BOTTOM, BURIED, DONE, IN_CELLAR, RANKS, Array, count_of, is_ready, next_rank, relocations

# Places in a row of ``records`` (int64), one for each component.
REP: Final = 0  # the member that stands for all: fewest at the bottom of rows, then the cellar free
LEAST: Final = 1  # how many it has at the bottom of rows
READY: Final = 2  # a member in which the next card of the foundation is playable, or -1
FIRST: Final = 3  # where its members begin in ``members``
COUNT: Final = 4
OPTION_FIRST: Final = 5
OPTION_COUNT: Final = 6  # -1 until they are worked out
RECORD_SIZE: Final = 7

# Places in the array ``tally`` (int64).
KEYS_USED: Final = 0
RECORDS_USED: Final = 1
MEMBERS_USED: Final = 2
OPTIONS_USED: Final = 3
CUT: Final = 4  # components too large to be listed in full
TALLY_SIZE: Final = 5

NO_ROOM: Final = -1
MOST_MEMBERS: Final = 1000
"""Members of a component at most: a larger one is cut, which ``tally[CUT]`` counts, and no loss is proven then."""
MOST_KIDS: Final = 64
"""Arrangements one move away at most, with room to spare."""


@compiled
def hashed(key: int) -> int:
    """A well mixed number for a key."""
    mixed = key * -7046029254386353131
    mixed = (mixed ^ (mixed >> 32)) * -4658895280553007687
    return mixed ^ (mixed >> 29)


@compiled
def find_slot(keys: Array, key: int) -> int:
    """The slot of ``key`` in an open-addressing table (0 is empty, key + 1 stored), or ~slot where it would go."""
    mask = keys.size - 1
    slot = hashed(key) & mask
    while True:
        stored = keys[slot]
        if stored == key + 1:
            return slot
        if stored == 0:
            return ~slot
        slot = (slot + 1) & mask


@compiled
def component_key(suit: int, code: int, cap: int, cellar: int, ranks: int) -> int:
    """Key of an arrangement; more room than there are cards to use it makes no difference."""
    in_play = 0
    for rank in range(ranks):
        field = (code >> (3 * rank)) & 7
        if field != BURIED and field != DONE:
            in_play += 1
    key: int = (((((code << 2) | suit) << 4) | min(cap, in_play)) << 1) | cellar
    return key


@compiled
def find_component(
    suit: int,
    code: int,
    cap: int,
    cellar: int,
    rules: Array,
    closed: Array,
    keys: Array,
    values: Array,
    records: Array,
    members: Array,
    kids: Array,
    tally: Array,
) -> int:
    """The record of the component of an arrangement, worked out if it is new; NO_ROOM if a table has no room for it."""
    slot = find_slot(keys, component_key(suit, code, cap, cellar, rules[RANKS]))
    if slot >= 0:
        return int(values[slot])
    if (
        tally[KEYS_USED] + MOST_MEMBERS + MOST_KIDS > keys.size - keys.size // 4
        or tally[MEMBERS_USED] + MOST_MEMBERS + MOST_KIDS > members.size
        or tally[RECORDS_USED] >= records.shape[0]
    ):
        return NO_ROOM
    ranks = rules[RANKS]
    record = tally[RECORDS_USED]
    tally[RECORDS_USED] += 1
    first = tally[MEMBERS_USED]
    end = first + 1
    members[first] = code
    slot = ~slot
    keys[slot] = component_key(suit, code, cap, cellar, ranks) + 1
    values[slot] = record
    tally[KEYS_USED] += 1
    wanted = next_rank(code, rules)
    ready = -1
    best = code
    weight = 1 << 62
    at = first
    while at < end:
        code = members[at]
        at += 1
        heavy = (count_of(code, BOTTOM, ranks) << 1) | (1 if count_of(code, IN_CELLAR, ranks) > 0 else 0)
        if heavy < weight or (heavy == weight and code < best):
            weight = heavy
            best = code
        if ready < 0 and is_ready(code, wanted, cellar, ranks):
            ready = code
        if end - first > MOST_MEMBERS:
            tally[CUT] += 1
            break
        size = relocations(code, closed[suit], cap, cellar, rules, kids)
        for i in range(size):
            key = component_key(suit, kids[i], cap, cellar, ranks)
            slot = find_slot(keys, key)
            if slot < 0:
                slot = ~slot
                keys[slot] = key + 1
                values[slot] = record
                tally[KEYS_USED] += 1
                members[end] = kids[i]
                end += 1
    tally[MEMBERS_USED] = end
    records[record, REP] = best
    records[record, LEAST] = weight >> 1
    records[record, READY] = ready
    records[record, FIRST] = first
    records[record, COUNT] = end - first
    records[record, OPTION_COUNT] = -1
    return int(record)


@compiled
def list_parts(
    suit: int,
    code: int,
    caps: tuple[int, int],
    cellar: int,
    rules: Array,
    closed: Array,
    keys: Array,
    values: Array,
    records: Array,
    members: Array,
    kids: Array,
    tally: Array,
    parts: Array,
) -> int:
    """Writes what stands for each part into which a component falls when there is less room (``caps``: before, after);
    how many, or NO_ROOM."""
    record = find_component(suit, code, caps[0], cellar, rules, closed, keys, values, records, members, kids, tally)
    if record < 0:
        return NO_ROOM
    count = 0
    first = records[record, FIRST]
    for at in range(first, first + records[record, COUNT]):
        member = members[at]
        if count_of(member, BOTTOM, rules[RANKS]) > caps[1]:
            continue
        part = find_component(suit, member, caps[1], cellar, rules, closed, keys, values, records, members, kids, tally)
        if part < 0:
            return NO_ROOM
        known = False
        for i in range(count):
            known = known or parts[i] == records[part, REP]
        if known:
            continue
        if count >= parts.size:
            tally[CUT] += 1
            break
        parts[count] = records[part, REP]
        count += 1
    return count


@compiled
def path_between(
    suit: int,
    start: int,
    goal: int,
    cap: int,
    cellar: int,
    rules: Array,
    closed: Array,
    keys: Array,
    found: Array,
    parents: Array,
    kids: Array,
) -> int:
    """The shortest way from one arrangement to another of its component, by breadth first.

    Writes the arrangements visited into ``found`` with the number of the one before into ``parents``; returns the
    number of the goal, or -1. ``keys`` is an empty table of its own.
    """
    found[0] = start
    parents[0] = -1
    keys[~find_slot(keys, start)] = start + 1
    end = 1
    at = 0
    while at < end:
        code = found[at]
        if code == goal:
            return at
        size = relocations(code, closed[suit], cap, cellar, rules, kids)
        for i in range(size):
            slot = find_slot(keys, kids[i])
            if slot < 0 and end < found.size:
                keys[~slot] = kids[i] + 1
                found[end] = kids[i]
                parents[end] = at
                end += 1
        at += 1
    return -1


@compiled
def rehash(keys: Array, values: Array, new_keys: Array, new_values: Array) -> None:
    """Copies keys and values of a table into a larger empty one."""
    for i in range(keys.size):
        if keys[i] != 0:
            slot = ~find_slot(new_keys, keys[i] - 1)
            new_keys[slot] = keys[i]
            new_values[slot] = values[i]
