"""Compiled: the states found so far, each once, and the open ones by promise.

States are entered in a hash table and compared in full, so that no verdict rests on a hash.
"""

from __future__ import annotations

from typing import Final

from rules.compiled import compiled
from rules.rows.components import hashed
from rules.rows.states import BEST, BEST_NODE, NODES, OPEN, TOP_SCORE, VARIANT, VIEW, WON
from rules.rows.suits import BURIED, DONE, IN_CELLAR, RANKS, Array, count_of

# Places in a row of ``nodes`` (int64).
META: Final = 4
PARENT: Final = 5
STEP_TAKEN: Final = 6  # kind << 16 | suit << 8 | rank
STEP_AFTER: Final = 7  # arrangement of that suit right after it
STEP_BEFORE: Final = 8  # arrangements of the four suits right before it
NODE_SIZE: Final = 12

MOST_SCORE: Final = 1023


@compiled
def score_of(state: Array, free: int, rules: Array) -> int:
    """How promising a state is."""
    ranks = rules[RANKS]
    score = 100 + 6 * min(free, 6)
    for suit in range(4):
        code = state[suit]
        for rank in range(ranks):
            field = (code >> (3 * rank)) & 7
            if field == DONE:
                score += 8
            elif field == IN_CELLAR:
                score -= 8
            elif field != BURIED:
                score += 4
    return max(0, min(MOST_SCORE, score))


@compiled
def same_state(nodes: Array, number: int, state: Array) -> bool:
    """Whether a node holds that state."""
    for suit in range(4):
        if nodes[number, suit] != state[suit]:
            return False
    same: bool = nodes[number, META] == (state[VARIANT] << 3) | state[VIEW]
    return same


@compiled
def add_state(
    state: Array,
    parent: int,
    taken: int,
    after: int,
    before: Array,
    score: int,
    nodes: Array,
    slots: Array,
    following: Array,
    heads: Array,
    progress: Array,
    rules: Array,
) -> None:
    """Puts a settled state among the open ones, unless it is known."""
    mask = slots.size - 1
    mixed = (state[VARIANT] << 3) | state[VIEW]
    for suit in range(4):
        mixed = hashed(mixed ^ state[suit]) + suit
    slot = mixed & mask
    while slots[slot] != 0:
        if same_state(nodes, slots[slot] - 1, state):
            return
        slot = (slot + 1) & mask
    number = progress[NODES]
    progress[NODES] += 1
    slots[slot] = number + 1
    done = 0
    for suit in range(4):
        nodes[number, suit] = state[suit]
        nodes[number, STEP_BEFORE + suit] = before[suit]
        done += count_of(state[suit], DONE, rules[RANKS])
    nodes[number, META] = (state[VARIANT] << 3) | state[VIEW]
    nodes[number, PARENT] = parent
    nodes[number, STEP_TAKEN] = taken
    nodes[number, STEP_AFTER] = after
    if done > progress[BEST]:
        progress[BEST] = done
        progress[BEST_NODE] = number
    if done == 4 * rules[RANKS]:
        progress[WON] = number + 1
    following[number] = heads[score]
    heads[score] = number + 1
    progress[TOP_SCORE] = max(progress[TOP_SCORE], score)
    progress[OPEN] += 1


@compiled
def load_state(nodes: Array, number: int, state: Array) -> None:
    """The state of a node."""
    for suit in range(4):
        state[suit] = nodes[number, suit]
    state[VARIANT] = nodes[number, META] >> 3
    state[VIEW] = nodes[number, META] & 7


@compiled
def reslot(nodes: Array, count: int, slots: Array) -> None:
    """Enters every node into an empty table of slots."""
    mask = slots.size - 1
    for number in range(count):
        mixed = nodes[number, META]
        for suit in range(4):
            mixed = hashed(mixed ^ nodes[number, suit]) + suit
        slot = mixed & mask
        while slots[slot] != 0:
            slot = (slot + 1) & mask
        slots[slot] = number + 1
