"""Compiled: how the cards of one suit lie, and what its loose cards can do among themselves.

A card lies on a card of its own suit, at the bottom of a half row, in the cellar or where it was dealt. So, as long as
no dealt card leaves its place, the cards of one suit bother those of another only by the empty half rows they take up.
An *arrangement* says for each card of a suit what it lies on: one int64, three bits a rank.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rules.compiled import compiled

Array = np.ndarray[Any, Any]

# What a card lies on.
BURIED: Final = 0  # where it was dealt, other dealt cards on it
ANCHOR: Final = 1  # where it was dealt, no dealt card on it
ON_HIGHER: Final = 2  # on the next higher card
ON_LOWER: Final = 3  # on the next lower card
BOTTOM: Final = 4  # at the bottom of a half row that may be filled when empty
DONE: Final = 5  # on its foundation
IN_CELLAR: Final = 6

# Places of the rules in the array ``rules`` (int64).
RANKS: Final = 0
CORNER: Final = 1  # whether the highest and the lowest rank are neighbours in rows
STEP: Final = 2  # direction of the foundations, 1 or -1
CELLAR: Final = 3  # whether there is a cellar
UNLOCKED: Final = 4  # whether it was unlocked before the first move
REVERSIBLE: Final = 5  # whether the outer columns may still be reversed
RULES_SIZE: Final = 6


@compiled
def with_field(code: int, rank: int, field: int) -> int:
    """The arrangement with another field for a rank."""
    result: int = (code & ~(7 << (3 * rank))) | (field << (3 * rank))
    return result


@compiled
def count_of(code: int, field: int, ranks: int) -> int:
    """How many cards have that field."""
    count = 0
    for rank in range(ranks):
        if (code >> (3 * rank)) & 7 == field:
            count += 1
    return count


@compiled
def next_rank(code: int, rules: Array) -> int:
    """The rank that the foundation wants next; -1 where it has no base or is complete."""
    ranks = rules[RANKS]
    for rank in range(ranks):
        before = (rank - rules[STEP]) % ranks
        if (code >> (3 * rank)) & 7 != DONE and (code >> (3 * before)) & 7 == DONE:
            return rank
    return -1


@compiled
def exposed_cards(code: int, ranks: int) -> int:
    """Ranks, a bit each, whose card lies in a row with nothing on it."""
    lying = 0
    covered = 0
    for rank in range(ranks):
        field = (code >> (3 * rank)) & 7
        if ANCHOR <= field <= BOTTOM:
            lying |= 1 << rank
            if field == ON_HIGHER:
                covered |= 1 << ((rank + 1) % ranks)
            elif field == ON_LOWER:
                covered |= 1 << ((rank + ranks - 1) % ranks)
    return lying & ~covered


@compiled
def targets_of(code: int, exposed: int, closed: int, ranks: int) -> int:
    """Those of the exposed cards that may be built on; a ``closed`` card may not where it was dealt."""
    for rank in range(ranks):
        if (closed >> rank) & 1 == 1 and (code >> (3 * rank)) & 7 == ANCHOR:
            exposed &= ~(1 << rank)
    return exposed


@compiled
def landings(code: int, rank: int, targets: int, bottoms: int, cap: int, free_cellar: bool, rules: Array,
             kids: Array, size: int) -> int:  # fmt: skip
    """Writes at ``size`` the arrangements in which the playable card lies elsewhere in its suit; the new size."""
    ranks = rules[RANKS]
    field = (code >> (3 * rank)) & 7
    if (rank + 1 < ranks or rules[CORNER] == 1) and field != ON_HIGHER and (targets >> ((rank + 1) % ranks)) & 1 == 1:
        kids[size] = with_field(code, rank, ON_HIGHER)
        size += 1
    if (rank > 0 or rules[CORNER] == 1) and field != ON_LOWER and (targets >> ((rank + ranks - 1) % ranks)) & 1 == 1:
        kids[size] = with_field(code, rank, ON_LOWER)
        size += 1
    if field != BOTTOM and bottoms < cap:
        kids[size] = with_field(code, rank, BOTTOM)
        size += 1
    if field != IN_CELLAR and free_cellar:
        kids[size] = with_field(code, rank, IN_CELLAR)
        size += 1
    return size


@compiled
def relocations(code: int, closed: int, cap: int, cellar: int, rules: Array, kids: Array) -> int:
    """Writes the arrangements one move of a loose card away; returns how many. ``cellar``: 1 where the cellar is
    unlocked and no other suit's."""
    ranks = rules[RANKS]
    exposed = exposed_cards(code, ranks)
    targets = targets_of(code, exposed, closed, ranks)
    bottoms = count_of(code, BOTTOM, ranks)
    free_cellar = cellar == 1 and count_of(code, IN_CELLAR, ranks) == 0
    size = 0
    for rank in range(ranks):
        field = (code >> (3 * rank)) & 7
        loose = (exposed >> rank) & 1 == 1 and field != ANCHOR
        if loose or (field == IN_CELLAR and cellar == 1):
            size = landings(code, rank, targets, bottoms, cap, free_cellar, rules, kids, size)
    return size


@compiled
def is_ready(code: int, wanted: int, cellar: int, ranks: int) -> bool:
    """Whether the card of the rank wanted is playable in an arrangement."""
    if wanted < 0:
        return False
    if (code >> (3 * wanted)) & 7 == IN_CELLAR:
        return cellar == 1
    return (exposed_cards(code, ranks) >> wanted) & 1 == 1
