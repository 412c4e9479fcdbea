"""Compiled: how many detours a win takes at least. A *detour* is a move that brings no card to a foundation.

Every card off the foundations needs one move to get there, so a line is as much longer than another as it has more
detours. A card needs one where it lies on an earlier card of its suit. Where all foundations wait for cards that lie
under others, these in turn for their own foundation, one card of each such circle has to leave its row for another
place. Circles that have no card in common are counted, after what is certain to move has left.
What is not certain helps the count in no way: cards of suits without a base leave as soon as they are uncovered, and
those of columns that may still be reversed lie as if each were alone.
"""

from __future__ import annotations

from typing import Final

from rules.compiled import compiled_without_arrays
from rules.rows.states import COLUMN, VARIANT
from rules.rows.suits import (
    ANCHOR,
    BOTTOM,
    DONE,
    IN_CELLAR,
    ON_HIGHER,
    ON_LOWER,
    RANKS,
    REVERSIBLE,
    STEP,
    Array,
    count_of,
    next_rank,
)

# Rows of the array ``cards`` (row, card number): where each lies, when its foundation wants it, whether it has left.
ROW: Final = 0
TURN: Final = 1
GONE: Final = 2
SIZE: Final = 3  # not of a card: how many lie in a row
CARD_ROWS: Final = 4

# Rows of the array ``suits`` (row, suit): the rank wanted (-1: no base), how many are still to come, what lies on top
# of the card wanted, and of which suit that is.
WANTED: Final = 0
LEFT: Final = 1
ABOVE: Final = 2
ITS_SUIT: Final = 3
LOWEST: Final = 4  # for one row: the earliest card of each suit so far
SUIT_ROWS: Final = 5

_NEVER: Final = 99


@compiled_without_arrays
def write_row(state: Array, card: int, at: int, rules: Array, below: Array, rows: Array) -> int:
    """Writes the row or pile in which a card is the uppermost of those where they were dealt, or the only or lowest
    one, the inner card first; its size."""
    ranks = rules[RANKS]
    code = state[card // ranks]
    field = (code >> (3 * (card % ranks))) & 7
    size = 0
    if field == ANCHOR:
        under = below[state[VARIANT], card]
        while under >= 0:
            size += 1
            under = below[state[VARIANT], under]
        under = below[state[VARIANT], card]
        for i in range(size - 1, -1, -1):
            rows[at, i] = under
            under = below[state[VARIANT], under]
    rows[at, size] = card
    size += 1
    top = card % ranks
    while field != IN_CELLAR:
        lower, higher = (top + ranks - 1) % ranks, (top + 1) % ranks
        if (code >> (3 * lower)) & 7 == ON_HIGHER:
            top = lower
        elif (code >> (3 * higher)) & 7 == ON_LOWER:
            top = higher
        else:
            break
        rows[at, size] = card - card % ranks + top
        size += 1
    return size


@compiled_without_arrays
def write_rows(
    state: Array, rules: Array, row_kinds: Array, below: Array, row_of: Array, rows: Array, cards: Array
) -> int:
    """Writes every row, column and pile off the foundations; how many."""
    ranks = rules[RANKS]
    turning = rules[REVERSIBLE] == 1 and state[VARIANT] == 0
    count = 0
    for card in range(4 * ranks):
        field = (state[card // ranks] >> (3 * (card % ranks))) & 7
        if field != ANCHOR and field != BOTTOM and field != IN_CELLAR:
            continue
        size = write_row(state, card, count, rules, below, rows)
        if turning and field == ANCHOR and row_kinds[row_of[state[VARIANT], card], COLUMN] > 0:
            for i in range(size - 1, -1, -1):
                rows[count + i, 0] = rows[count, i]
                cards[SIZE, count + i] = 1
            count += size
        else:
            cards[SIZE, count] = size
            count += 1
    for row in range(count):
        for i in range(cards[SIZE, row]):
            cards[ROW, rows[row, i]] = row
            cards[GONE, rows[row, i]] = 0
    return count


@compiled_without_arrays
def write_turns(state: Array, rules: Array, cards: Array, suits: Array) -> int:
    """Writes which card each foundation wants, and when it will want each other; the cards of suits without a base, a
    bit each."""
    ranks = rules[RANKS]
    free = 0
    for suit in range(4):
        done = count_of(state[suit], DONE, ranks)
        wanted = next_rank(state[suit], rules)
        suits[WANTED, suit] = wanted
        suits[LEFT, suit] = ranks - done if wanted >= 0 else 0
        if done == 0:
            free |= ((1 << ranks) - 1) << (suit * ranks)
        for i in range(suits[LEFT, suit]):
            cards[TURN, suit * ranks + (wanted + i * rules[STEP]) % ranks] = i
    return free


@compiled_without_arrays
def sure_to_move(count: int, free: int, rules: Array, rows: Array, cards: Array, suits: Array) -> int:
    """The cards that lie on an earlier one of their suit, a bit each."""
    found = 0
    for row in range(count):
        for suit in range(4):
            suits[LOWEST, suit] = _NEVER
        for i in range(cards[SIZE, row]):
            card = rows[row, i]
            suit = card // rules[RANKS]
            if (free >> card) & 1 == 1:
                continue
            if cards[TURN, card] > suits[LOWEST, suit]:
                found |= 1 << card
            else:
                suits[LOWEST, suit] = cards[TURN, card]
    return found


@compiled_without_arrays
def clear_end(row: int, moved: int, rows: Array, cards: Array) -> None:
    """Takes the cards ``moved`` (a bit each) from the end of a row."""
    while cards[SIZE, row] > 0 and (moved >> rows[row, cards[SIZE, row] - 1]) & 1 == 1:
        cards[SIZE, row] -= 1
        cards[GONE, rows[row, cards[SIZE, row]]] = 1


@compiled_without_arrays
def play_on(moved: int, rules: Array, rows: Array, cards: Array, suits: Array) -> None:
    """Brings all cards to the foundations that can get there, those ``moved`` from wherever they are."""
    ranks = rules[RANKS]
    going = True
    while going:
        going = False
        for suit in range(4):
            while suits[LEFT, suit] > 0:
                card = suit * ranks + suits[WANTED, suit]
                if cards[GONE, card] == 0:
                    row = cards[ROW, card]
                    if rows[row, cards[SIZE, row] - 1] != card:
                        break
                    cards[SIZE, row] -= 1
                    clear_end(row, moved, rows, cards)
                suits[LEFT, suit] -= 1
                suits[WANTED, suit] = (suits[WANTED, suit] + rules[STEP]) % ranks
                going = True


@compiled_without_arrays
def smallest_circle(rules: Array, rows: Array, cards: Array, suits: Array) -> int:
    """The cards, a bit each, of the smallest circle of cards that lie on those wanted; 0 where no card is wanted."""
    ranks = rules[RANKS]
    for suit in range(4):
        if suits[LEFT, suit] > 0:
            row = cards[ROW, suit * ranks + suits[WANTED, suit]]
            suits[ABOVE, suit] = rows[row, cards[SIZE, row] - 1]
            suits[ITS_SUIT, suit] = suits[ABOVE, suit] // ranks
    best, found = _NEVER, 0
    for suit in range(4):
        if suits[LEFT, suit] == 0:
            continue
        circle = 1 << suits[ABOVE, suit]
        at, length = suits[ITS_SUIT, suit], 1
        while at != suit and length <= 4:
            circle |= 1 << suits[ABOVE, at]
            at = suits[ITS_SUIT, at]
            length += 1
        if at == suit and length < best:
            best, found = length, circle
    return found


@compiled_without_arrays
def least_detours(
    state: Array, rules: Array, row_kinds: Array, below: Array, row_of: Array, rows: Array, cards: Array, suits: Array
) -> int:
    """No win from a state, with no card that a foundation can take, takes fewer detours."""
    count = write_rows(state, rules, row_kinds, below, row_of, rows, cards)
    moved = write_turns(state, rules, cards, suits)
    sure = sure_to_move(count, moved, rules, rows, cards, suits)
    moved |= sure
    least = 0
    while sure != 0:
        sure &= sure - 1
        least += 1
    for row in range(count):
        clear_end(row, moved, rows, cards)
    while True:
        play_on(moved, rules, rows, cards, suits)
        circle = smallest_circle(rules, rows, cards, suits)
        if circle == 0:
            return least
        least += 1
        moved |= circle
        for suit in range(4):
            if suits[LEFT, suit] > 0 and (circle >> suits[ABOVE, suit]) & 1 == 1:
                clear_end(cards[ROW, suits[ABOVE, suit]], moved, rows, cards)
