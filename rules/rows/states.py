"""Compiled: classes of positions, and the one state that stands for each.

A *state* is an int64 array: the arrangements of the four suits (see ``rules.rows.suits``), the variant (0, or which
way the outer columns lie since they were reversed), and the view (the suit that may use the unlocked cellar, or
``LOCKED``).
Positions that reach each other by moves that can be undone form one class, and one state stands for it:

* A card that the foundations can take goes there at once. That never hurts: the card before it is on the foundation
  already, so the only card that could still be laid on it is the one after it, which could then go to the foundation
  itself. Whatever wins with the card on the table wins as well with it gone, each of its followers going to the
  foundation when it would have been laid on it or moved; rows, cellar and columns only hold fewer cards.
* Every suit is brought to the member of its component with fewest cards at the bottom of rows, the more rows that are
  free giving other suits a larger component, until nothing changes. No suit can ever go below its count: the first
  one to do so would have had no more room than it was given here. So each class has one such state, and from it each
  suit has as much room as in any position of the class.
* What can be done for good is looked for with the other suits there. Where it takes room away for ever, their
  components may fall into parts, and how they lie at that moment matters: then every part is tried that can be reached
  (it can if settling the position before the step leads back to the class, for all that can be undone).
* The unlocked cellar is lent to one suit at a time; a suit that can do without it hands it on, a step of its own.

What remains are steps for good (each dealt card leaves its place once), so the search ends, and an exhausted one
proves the loss. No verdict rests on a hash: states are compared in full.
"""

from __future__ import annotations

from typing import Final

from rules.compiled import compiled
from rules.rows.components import NO_ROOM, READY, REP, find_component
from rules.rows.suits import (
    ANCHOR,
    BOTTOM,
    CELLAR,
    CORNER,
    DONE,
    IN_CELLAR,
    ON_HIGHER,
    ON_LOWER,
    RANKS,
    UNLOCKED,
    Array,
    count_of,
    next_rank,
    with_field,
)

# Places of a state beyond the four arrangements, and its size.
VARIANT: Final = 4
VIEW: Final = 5
STATE_SIZE: Final = 6
LOCKED: Final = 4
"""The view while the cellar is locked, or where there is none."""

# Places in a row of ``row_kinds`` (int64), one for each row.
REFILL: Final = 0  # may be filled when empty
BUILD: Final = 1  # may be built on
UNLOCKS: Final = 2  # when gone, it unlocks the cellar
COLUMN: Final = 3  # 1 left, 2 right outer column, else 0
CENTRE: Final = 4  # a free card at a centre place
ROW_SIZE: Final = 5

# Places in the array ``progress`` (int64).
NODES: Final = 0
OPEN: Final = 1
STATES: Final = 2
WON: Final = 3
TOP_SCORE: Final = 4
VARIANTS: Final = 5
LOGGED: Final = 6
BEST: Final = 7  # most cards on the foundations in any state, and that state's number
BEST_NODE: Final = 8
PROGRESS_SIZE: Final = 9

# Events of the log that ``settle`` writes: (event, suit, arrangement before, after, cap, cellar).
MOVED: Final = 0
PLAYED: Final = 1
LOG_SIZE: Final = 6

MOST_LOGGED: Final = 4096
"""Events of one settling at most: each card is played once, and each playing is followed by few rearrangements."""


@compiled
def field_of(state: Array, card: int, rules: Array) -> int:
    """What a card, numbered suit * ranks + rank, lies on."""
    result: int = (state[card // rules[RANKS]] >> (3 * (card % rules[RANKS]))) & 7
    return result


@compiled
def set_field(state: Array, card: int, field: int, rules: Array) -> None:
    """Changes what a card lies on."""
    suit = card // rules[RANKS]
    state[suit] = with_field(state[suit], card % rules[RANKS], field)


@compiled
def rows_to_fill(state: Array, rules: Array, row_kinds: Array, inner: Array, spare: Array) -> int:
    """Half rows that may be filled and hold no dealt card in its place."""
    variant = state[VARIANT]
    count = spare[variant]
    for row in range(row_kinds.shape[0]):
        card = inner[variant, row]
        if row_kinds[row, REFILL] == 1 and card >= 0 and field_of(state, card, rules) > ANCHOR:
            count += 1
    return int(count)


@compiled
def free_rows(state: Array, rules: Array, row_kinds: Array, inner: Array, spare: Array) -> int:
    """Empty half rows that may be filled."""
    free = rows_to_fill(state, rules, row_kinds, inner, spare)
    for suit in range(4):
        free -= count_of(state[suit], BOTTOM, rules[RANKS])
    return free


@compiled
def is_unlocked(state: Array, rules: Array, row_kinds: Array, inner: Array) -> bool:
    """Whether the cellar may be left."""
    if rules[CELLAR] == 0:
        return False
    if rules[UNLOCKED] == 1:
        return True
    for row in range(row_kinds.shape[0]):
        card = inner[state[VARIANT], row]
        if row_kinds[row, UNLOCKS] == 1 and card >= 0 and field_of(state, card, rules) > ANCHOR:
            return True
    return False


@compiled
def uncover(state: Array, card: int, rules: Array, row_kinds: Array, below: Array, row_of: Array) -> None:
    """No dealt card lies on ``card`` any more.

    On a neighbour of its suit, or alone in a row that may be filled again, it lies as if it had been moved there."""
    ranks = rules[RANKS]
    variant = state[VARIANT]
    row = row_of[variant, card]
    while True:
        under = below[variant, card]
        set_field(state, card, ANCHOR, rules)
        if under < 0:
            if row_kinds[row, REFILL] == 1:
                set_field(state, card, BOTTOM, rules)
            return
        if row_kinds[row, BUILD] == 0 or under // ranks != card // ranks:
            return
        gap = under - card
        if gap == 1 or (rules[CORNER] == 1 and gap == 1 - ranks):
            set_field(state, card, ON_HIGHER, rules)
        elif gap == -1 or (rules[CORNER] == 1 and gap == ranks - 1):
            set_field(state, card, ON_LOWER, rules)
        else:
            return
        card = under


@compiled
def leave_home(state: Array, card: int, rules: Array, row_kinds: Array, below: Array, row_of: Array) -> None:
    """A dealt card has left its place: what lay under it is uncovered."""
    under = below[state[VARIANT], card]
    if under >= 0:
        uncover(state, under, rules, row_kinds, below, row_of)


@compiled
def baseless_places(state: Array, rules: Array, row_kinds: Array, inner: Array) -> int:
    """Empty centre places: suits that have no base are as many as places with a free card or none."""
    places = 0
    for suit in range(4):
        if count_of(state[suit], DONE, rules[RANKS]) == 0:
            places += 1
    for row in range(row_kinds.shape[0]):
        card = inner[state[VARIANT], row]
        if row_kinds[row, CENTRE] == 1 and field_of(state, card, rules) == ANCHOR:
            places -= 1
    return places


@compiled
def settle(
    state: Array,
    rules: Array,
    row_kinds: Array,
    below: Array,
    row_of: Array,
    inner: Array,
    spare: Array,
    closed: Array,
    keys: Array,
    values: Array,
    records: Array,
    members: Array,
    kids: Array,
    tally: Array,
    log: Array,
    progress: Array,
) -> int:
    """Brings a state to the one that stands for its class, writing how into ``log``; 0, or NO_ROOM."""
    ranks = rules[RANKS]
    progress[LOGGED] = 0
    free = free_rows(state, rules, row_kinds, inner, spare)
    suit = 0
    unchanged = 0
    while unchanged < 4:
        if state[VIEW] == LOCKED and is_unlocked(state, rules, row_kinds, inner):
            state[VIEW] = 0
            for other in range(4):
                if count_of(state[other], IN_CELLAR, ranks) > 0:
                    state[VIEW] = other
            unchanged = 0
        code = state[suit]
        bottoms = count_of(code, BOTTOM, ranks)
        cellar = 1 if state[VIEW] == suit else 0
        record = find_component(
            suit, code, free + bottoms, cellar, rules, closed, keys, values, records, members, kids, tally
        )
        if record < 0:
            return NO_ROOM
        ready = records[record, READY]
        goal = ready if ready >= 0 else records[record, REP]
        if goal != code:
            at = progress[LOGGED]
            log[at, 0], log[at, 1], log[at, 2] = MOVED, suit, code
            log[at, 3], log[at, 4], log[at, 5] = goal, free + bottoms, cellar
            progress[LOGGED] += 1
            state[suit] = goal
        if ready >= 0:
            rank = next_rank(ready, rules)
            dealt = (ready >> (3 * rank)) & 7 == ANCHOR
            state[suit] = with_field(ready, rank, DONE)
            at = progress[LOGGED]
            log[at, 0], log[at, 1], log[at, 2] = PLAYED, suit, ready
            log[at, 3], log[at, 4], log[at, 5] = state[suit], rank, 0
            progress[LOGGED] += 1
            if dealt:
                leave_home(state, suit * ranks + rank, rules, row_kinds, below, row_of)
            free = free_rows(state, rules, row_kinds, inner, spare)
            unchanged = 0
            continue
        gained = bottoms - count_of(goal, BOTTOM, ranks)
        if gained > 0:
            free += gained
            unchanged = 0
        unchanged += 1
        suit = (suit + 1) & 3
    return 0
