"""A table of the row family as the search sees it: numbered cards in rows, and the arrays that the compiled core reads.

Cards are numbered suit * ranks + rank, ranks from 0. The number of ranks, of rows and their lengths are free, so that
cut-down games can be searched like the real ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rules.rows import reversal, states, suits
from rules.rows.suits import Array

NO_CARD = -1


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One row, its cards from the inner to the playable end.

    ``refill``: may be filled again when empty, which no row may be that is not built on. ``build``: may be built on.
    ``unlocks``: the cellar may be left once it is gone. ``column``: 1 for the left, 2 for the right outer column, else
    0. ``centre``: a free card at a base place.
    """

    cards: tuple[int, ...]
    refill: bool = True
    build: bool = True
    unlocks: bool = False
    column: int = 0
    centre: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """What a search starts from. ``done``: cards on the foundations of each suit (their ranks), the base among them; a
    suit with none is still without a base. ``cellar``: the card in it, ``NO_CARD`` if empty, None where there is none.
    ``reversible``: the outer columns may still be reversed. ``step``: 1 if the foundations are built up, -1 if down.
    """

    ranks: int
    rows: tuple[BoardRow, ...]
    done: tuple[frozenset[int], ...]
    step: int
    corner: bool
    cellar: int | None = None
    reversible: bool = False

    @property
    def cards_done(self) -> int:
        """How many cards are on the foundations."""
        return sum(map(len, self.done))


@dataclass(frozen=True, slots=True)
class Task:
    """The arrays of ``rules.rows.states`` for one board."""

    state: Array
    rules: Array
    row_kinds: Array
    below: Array
    row_of: Array
    inner: Array
    spare: Array
    closed: Array
    columns: Array


def task_of(board: Board, variants: int) -> Task:
    """The arrays for a board, with room for that many ways in which the columns may lie."""
    count = len(board.rows)
    rules = np.zeros(suits.RULES_SIZE, np.int64)
    rules[suits.RANKS], rules[suits.CORNER], rules[suits.STEP] = board.ranks, board.corner, board.step
    rules[suits.CELLAR], rules[suits.REVERSIBLE] = board.cellar is not None, board.reversible
    rules[suits.UNLOCKED] = any(row.unlocks and not row.cards for row in board.rows)
    row_kinds = np.zeros((count, states.ROW_SIZE), np.int64)
    below = np.full((variants, 4 * board.ranks), NO_CARD, np.int64)
    row_of = np.full((variants, 4 * board.ranks), NO_CARD, np.int64)
    inner = np.full((variants, count), NO_CARD, np.int64)
    spare = np.zeros(variants, np.int64)
    closed = np.zeros(4, np.int64)
    state = np.zeros(states.STATE_SIZE, np.int64)
    state[states.VIEW] = states.LOCKED
    for suit, ranks in enumerate(board.done):
        for rank in ranks:
            states.set_field(state, suit * board.ranks + rank, suits.DONE, rules)
    if board.cellar is not None and board.cellar != NO_CARD:
        states.set_field(state, board.cellar, suits.IN_CELLAR, rules)
    for number, row in enumerate(board.rows):
        row_kinds[number] = row.refill, row.build, row.unlocks, row.column, row.centre
        spare[0] += row.refill and not row.cards
        for i, card in enumerate(row.cards):
            row_of[0, card] = number
            below[0, card] = row.cards[i - 1] if i else NO_CARD
            if not row.build:
                closed[card // board.ranks] |= 1 << (card % board.ranks)
        if row.cards:
            inner[0, number] = row.cards[0]
    for row in board.rows:
        if row.cards:
            states.uncover(state, row.cards[-1], rules, row_kinds, below, row_of)
    columns = np.full((variants, 3, reversal.MOST_IN_COLUMN), NO_CARD, np.int64)
    return Task(state, rules, row_kinds, below, row_of, inner, spare, closed, columns)
