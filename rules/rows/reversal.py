"""Compiled: both outer columns of a table reversed together (Polish text "Ulubiony")."""

from __future__ import annotations

from typing import Final

from rules.compiled import compiled
from rules.rows.states import COLUMN, REFILL, VARIANT, VARIANTS, field_of, set_field, uncover
from rules.rows.suits import ANCHOR, BURIED, ON_HIGHER, ON_LOWER, RANKS, Array

MOST_IN_COLUMN: Final = 24


@compiled
def list_column(state: Array, column: int, rules: Array, row_kinds: Array, below: Array, row_of: Array,
                cards: Array) -> int:  # fmt: skip
    """Writes the cards of an outer column, the playable end first, as it lies; how many."""
    ranks = rules[RANKS]
    variant = state[VARIANT]
    anchor = -1
    for card in range(4 * ranks):
        row = row_of[variant, card]
        if row >= 0 and row_kinds[row, COLUMN] == column and field_of(state, card, rules) == ANCHOR:
            anchor = card
    if anchor < 0:
        return 0
    code = state[anchor // ranks]
    top = anchor % ranks
    first = anchor - top
    size = 0
    while True:
        lower, higher = (top + ranks - 1) % ranks, (top + 1) % ranks
        if (code >> (3 * lower)) & 7 == ON_HIGHER:
            top = lower
        elif (code >> (3 * higher)) & 7 == ON_LOWER:
            top = higher
        else:
            break
        cards[size] = first + top
        size += 1
    for i in range(size // 2):
        cards[i], cards[size - 1 - i] = cards[size - 1 - i], cards[i]
    card = anchor
    while card >= 0:
        cards[size] = card
        size += 1
        card = below[variant, card]
    return size


@compiled
def reverse_columns(
    state: Array,
    rules: Array,
    row_kinds: Array,
    below: Array,
    row_of: Array,
    inner: Array,
    spare: Array,
    columns: Array,
    progress: Array,
) -> bool:
    """Reverses both columns of a state as they lie, as a new variant where there is none such; False if there is no
    room for one. What had been built on them is buried with them."""
    variant = progress[VARIANTS]
    columns[variant, 1, :] = -1
    columns[variant, 2, :] = -1
    list_column(state, 1, rules, row_kinds, below, row_of, columns[variant, 1])
    list_column(state, 2, rules, row_kinds, below, row_of, columns[variant, 2])
    found = 0
    for known in range(1, variant):
        same = True
        for column in range(1, 3):
            for i in range(MOST_IN_COLUMN):
                if columns[known, column, i] != columns[variant, column, i]:
                    same = False
                    break
        if same:
            found = known
            break
    if found == 0:
        if variant + 1 >= columns.shape[0]:
            return False
        found = variant
        progress[VARIANTS] += 1
        below[found] = below[0]
        row_of[found] = row_of[0]
        inner[found] = inner[0]
        spare[found] = spare[0]
        for row in range(row_kinds.shape[0]):
            column = row_kinds[row, COLUMN]
            if column == 0:
                continue
            under = -1
            for i in range(MOST_IN_COLUMN):
                card = columns[found, column, i]
                if card < 0:
                    break
                for other in range(row_kinds.shape[0]):
                    if row_kinds[other, REFILL] == 1 and inner[found, other] == card:
                        inner[found, other] = -1
                        spare[found] += 1
                if under < 0:
                    inner[found, row] = card
                below[found, card] = under
                row_of[found, card] = row
                under = card
    state[VARIANT] = found
    for column in range(1, 3):
        last = -1
        for i in range(MOST_IN_COLUMN):
            if columns[found, column, i] < 0:
                break
            last = columns[found, column, i]
            set_field(state, last, BURIED, rules)
        if last >= 0:
            uncover(state, last, rules, row_kinds, below, row_of)
    return True
