"""Compiled: the winning line with the fewest detours, by a best-first search over single moves.

A state is that of ``rules.rows.states`` as it lies, with no card left that a foundation can take: such a card goes at
once, which makes no line longer, because whatever would have been laid on it can go to the foundation itself. Empty
half rows that may be filled are alike. States are taken by detours made and, counting double, those still needed at
least; what could only be as long as the best line known is not followed. So a search that runs out of states has proven
the best line, in whatever order they came. A state reached by fewer detours than before is taken again.
"""

from __future__ import annotations

from typing import Final

from rules.compiled import compiled, compiled_without_arrays
from rules.rows.components import hashed
from rules.rows.core import EXHAUSTED, PAUSED
from rules.rows.detours import least_detours
from rules.rows.reversal import reverse_columns
from rules.rows.states import (
    LOCKED,
    VARIANT,
    VIEW,
    baseless_places,
    free_rows,
    is_unlocked,
    leave_home,
)
from rules.rows.stepping import FULL, GROW_NODES
from rules.rows.suits import (
    ANCHOR,
    BOTTOM,
    BURIED,
    CELLAR,
    DONE,
    IN_CELLAR,
    RANKS,
    REVERSIBLE,
    Array,
    count_of,
    exposed_cards,
    landings,
    next_rank,
    targets_of,
    with_field,
)

# Places in a row of ``nodes`` (int64), after the arrangements of the four suits.
LYING: Final = 4  # the variant
PARENT: Final = 5
STEP_TAKEN: Final = 6  # card << 3 | where, or REVERSED
MADE: Final = 7  # detours made
NEEDED: Final = 8  # detours still needed at least
NODE_SIZE: Final = 9

REVERSED: Final = -1

# Places in a row of ``entries`` (int32), of states that wait; entry 0 is none.
NODE: Final = 0
MADE_THEN: Final = 1
NEXT: Final = 2
ENTRY_SIZE: Final = 3

# Places in the array ``progress`` (int64).
NODES: Final = 0
ENTRIES: Final = 1
FREED: Final = 2  # the first of the entries that are free again
LOWEST: Final = 3  # no head before this one has an entry
LIMIT: Final = 4  # only lines with fewer detours are of interest
BEST_NODE: Final = 5  # the win found, plus one
STATES: Final = 6
PROGRESS_SIZE: Final = 7

MOST_CHILDREN: Final = 256
"""Moves from a state at most, with room to spare."""
MOST_NEEDED: Final = 64
"""More than the detours that are ever needed at least, one a card."""
WEIGHT: Final = 2


@compiled_without_arrays
def play_off(state: Array, rules: Array, row_kinds: Array, below: Array, row_of: Array, inner: Array) -> None:
    """Brings every card to the foundations that they can take."""
    ranks = rules[RANKS]
    going = True
    while going:
        going = False
        for suit in range(4):
            rank = next_rank(state[suit], rules)
            if rank < 0:
                continue
            field = (state[suit] >> (3 * rank)) & 7
            if field == IN_CELLAR:
                ready = is_unlocked(state, rules, row_kinds, inner)
            else:
                ready = field != BURIED and (exposed_cards(state[suit], ranks) >> rank) & 1 == 1
            if ready:
                going = True
                state[suit] = with_field(state[suit], rank, DONE)
                if field == ANCHOR:
                    leave_home(state, suit * ranks + rank, rules, row_kinds, below, row_of)


@compiled_without_arrays
def find_state(state: Array, nodes: Array, slots: Array) -> int:
    """The slot of a state, or ~slot where it would go."""
    mask = slots.size - 1
    mixed = state[VARIANT]
    for suit in range(4):
        mixed = hashed(mixed ^ state[suit]) + suit
    slot = mixed & mask
    while slots[slot] != 0:
        node = slots[slot] - 1
        same = nodes[node, LYING] == state[VARIANT]
        for suit in range(4):
            same = same and nodes[node, suit] == state[suit]
        if same:
            return int(slot)
        slot = (slot + 1) & mask
    return int(~slot)


@compiled_without_arrays
def reslot(nodes: Array, count: int, slots: Array) -> None:
    """Enters every node into an empty table of slots."""
    mask = slots.size - 1
    for node in range(count):
        mixed = nodes[node, LYING]
        for suit in range(4):
            mixed = hashed(mixed ^ nodes[node, suit]) + suit
        slot = mixed & mask
        while slots[slot] != 0:
            slot = (slot + 1) & mask
        slots[slot] = node + 1


@compiled_without_arrays
def put_in_line(node: int, nodes: Array, heads: Array, entries: Array, progress: Array) -> None:
    """A state waits to be taken."""
    entry = progress[FREED]
    if entry > 0:
        progress[FREED] = entries[entry, NEXT]
    else:
        progress[ENTRIES] += 1
        entry = progress[ENTRIES]
    needed = nodes[node, NEEDED]
    head = (nodes[node, MADE] + WEIGHT * needed) * MOST_NEEDED + needed
    entries[entry, NODE] = node
    entries[entry, MADE_THEN] = nodes[node, MADE]
    entries[entry, NEXT] = heads[head]
    heads[head] = entry
    progress[LOWEST] = min(progress[LOWEST], head)


@compiled_without_arrays
def take_first(nodes: Array, heads: Array, entries: Array, progress: Array) -> int:
    """The most promising of the states that wait, -1 if none is left that could lead to a better line."""
    while progress[LOWEST] < heads.size:
        entry = heads[progress[LOWEST]]
        if entry == 0:
            progress[LOWEST] += 1
            continue
        heads[progress[LOWEST]] = entries[entry, NEXT]
        entries[entry, NEXT] = progress[FREED]
        progress[FREED] = entry
        node = entries[entry, NODE]
        made = nodes[node, MADE]
        if made == entries[entry, MADE_THEN] and made + nodes[node, NEEDED] < progress[LIMIT]:
            return int(node)
    return -1


@compiled_without_arrays
def enter(
    child: Array, parent: int, step: int, made: int,
    rules: Array, row_kinds: Array, below: Array, row_of: Array, inner: Array,
    rows: Array, cards: Array, suits: Array,
    nodes: Array, slots: Array, heads: Array, entries: Array, progress: Array,
) -> None:  # fmt: skip
    """Enters the state that a step leads to, unless nothing better can come of it; a win becomes the best line."""
    play_off(child, rules, row_kinds, below, row_of, inner)
    slot = find_state(child, nodes, slots)
    if slot >= 0:
        node = slots[slot] - 1
        if nodes[node, MADE] <= made or made + nodes[node, NEEDED] >= progress[LIMIT]:
            return
    else:
        needed = least_detours(child, rules, row_kinds, below, row_of, rows, cards, suits)
        if made + needed >= progress[LIMIT]:
            return
        node = progress[NODES]
        progress[NODES] += 1
        slots[~slot] = node + 1
        for suit in range(4):
            nodes[node, suit] = child[suit]
        nodes[node, LYING] = child[VARIANT]
        nodes[node, NEEDED] = needed
    nodes[node, PARENT] = parent
    nodes[node, STEP_TAKEN] = step
    nodes[node, MADE] = made
    left = 4 * rules[RANKS]
    for suit in range(4):
        left -= count_of(child[suit], DONE, rules[RANKS])
    if left == 0:
        progress[LIMIT] = made
        progress[BEST_NODE] = node + 1
    else:
        put_in_line(node, nodes, heads, entries, progress)


@compiled_without_arrays
def write_places(
    state: Array, suit: int, rank: int, free: int, unlocked: bool, emptied: bool, places: int,
    rules: Array, closed: Array, kids: Array,
) -> int:  # fmt: skip
    """Writes the arrangements of a suit after each move of one of its cards; how many. ``free``: rows that may be
    filled, ``emptied``: the cellar is empty, ``places``: for bases."""
    ranks = rules[RANKS]
    code = state[suit]
    exposed = exposed_cards(code, ranks)
    field = (code >> (3 * rank)) & 7
    if (exposed >> rank) & 1 == 0 and not (field == IN_CELLAR and unlocked):
        return 0
    targets = targets_of(code, exposed, closed[suit], ranks)
    bottoms = count_of(code, BOTTOM, ranks)
    size = landings(code, rank, targets, bottoms, bottoms + free, emptied, rules, kids, 0)
    if places > 0 and count_of(code, DONE, ranks) == 0:
        kids[size] = with_field(code, rank, DONE)
        size += 1
    return int(size)


@compiled
def branch(
    node: int, state: Array, child: Array, kids: Array,
    rules: Array, row_kinds: Array, below: Array, row_of: Array, inner: Array, spare: Array, closed: Array,
    columns: Array, turned: Array, rows: Array, cards: Array, suits: Array,
    nodes: Array, slots: Array, heads: Array, entries: Array, progress: Array,
) -> bool:  # fmt: skip
    """Enters what every move from a node leads to; False where there is no room for one more way columns can lie."""
    ranks, made = rules[RANKS], nodes[node, MADE]
    emptied = rules[CELLAR] == 1
    for suit in range(4):
        state[suit] = nodes[node, suit]
        emptied = emptied and count_of(state[suit], IN_CELLAR, ranks) == 0
    state[VARIANT], state[VIEW] = nodes[node, LYING], LOCKED
    unlocked = is_unlocked(state, rules, row_kinds, inner)
    free = free_rows(state, rules, row_kinds, inner, spare)
    places = baseless_places(state, rules, row_kinds, inner)
    for card in range(4 * ranks + 1):
        suit, rank = card // ranks, card % ranks
        if suit < 4:
            size = write_places(state, suit, rank, free, unlocked, emptied, places, rules, closed, kids)
        else:
            size = 1 if rules[REVERSIBLE] == 1 and state[VARIANT] == 0 else 0
        for i in range(size):
            for at in range(state.size):
                child[at] = state[at]
            step, cost = REVERSED, 1
            if suit == 4:
                if not reverse_columns(child, rules, row_kinds, below, row_of, inner, spare, columns, turned):
                    return False
            else:
                child[suit] = kids[i]
                if (state[suit] >> (3 * rank)) & 7 == ANCHOR:
                    leave_home(child, card, rules, row_kinds, below, row_of)
                where = (kids[i] >> (3 * rank)) & 7
                step, cost = (card << 3) | where, 0 if where == DONE else 1
            enter(
                child, node, step, made + cost,
                rules, row_kinds, below, row_of, inner, rows, cards, suits, nodes, slots, heads, entries, progress,
            )  # fmt: skip
    return True


@compiled
def seek(
    quota: int, state: Array, child: Array, kids: Array,
    rules: Array, row_kinds: Array, below: Array, row_of: Array, inner: Array, spare: Array, closed: Array,
    columns: Array, turned: Array, rows: Array, cards: Array, suits: Array,
    nodes: Array, slots: Array, heads: Array, entries: Array, progress: Array,
) -> int:  # fmt: skip
    """Goes on for at most ``quota`` states. EXHAUSTED: no line has fewer than ``progress[LIMIT]`` detours; PAUSED, or
    what has no room."""
    while quota > 0:
        if progress[NODES] + MOST_CHILDREN > nodes.shape[0] or progress[ENTRIES] + MOST_CHILDREN > entries.shape[0]:
            return GROW_NODES
        node = take_first(nodes, heads, entries, progress)
        if node < 0:
            return EXHAUSTED
        quota -= 1
        progress[STATES] += 1
        if not branch(
            node, state, child, kids, rules, row_kinds, below, row_of, inner, spare, closed, columns, turned,
            rows, cards, suits, nodes, slots, heads, entries, progress,
        ):  # fmt: skip
            return FULL
    return PAUSED
