"""Whether a later look shows the same game at all: a deal laid afresh, or another table, is no pile of breaches."""

from __future__ import annotations

from typing import Final

from rules.cards import GONE, Card, Rank, Seen
from rules.catalogue import Game
from rules.rows.places import Stack, parse_place
from rules.rows.position import RowPosition
from rules.story import TableChange

FEW: Final = 8
"""Cards that may lie elsewhere than they lay, whatever their share: twice the moves looked for between two looks, so
that an ending with few cards left stays the same game."""
KEPT: Final = 1 / 3
"""Share of the cards that lie in the stack where they lay, for the same game; of a shuffled deck it is about one in
ten, and two whole half rows exchanged leave four in five."""


def table_change(before: RowPosition, after: RowPosition, game: Game) -> TableChange:
    """What the later look shows, where no legal moves lead to it.

    Counted are its cards off the middle by the stack they lay in. One that lay nowhere came back from a foundation,
    which no game allows, or is of another game; where the earlier look could not read a stack its cards count not."""
    lay: dict[Seen, Stack] = {}
    unread: set[Stack] = set()
    for stack, card in _off_the_middle(before):
        if isinstance(card, Card):
            lay[card] = stack
        else:
            unread.add(stack)
    kept = strange = 0
    for stack, card in _off_the_middle(after):
        if isinstance(card, Card) and before.cards_in(stack) is not None and not (card not in lay and stack in unread):
            kept += lay.get(card) == stack
            strange += lay.get(card) != stack
    if strange <= FEW or kept >= KEPT * (kept + strange):
        return "same"
    return "new-deal" if is_fresh(after, game) else "another-table"


def _off_the_middle(position: RowPosition) -> list[tuple[Stack, Seen]]:
    found = ((parse_place(place), card) for place, card in position.lying())
    return [(place[0], card) for place, card in found if place is not None and place[0].kind != "base"]


def is_fresh(position: RowPosition, game: Game) -> bool:
    """Whether a table lies as just dealt: rows and columns full, the bases alone in the middle, the cellar empty."""
    options, shape = game.row_options, game.row_options.shape
    if position.cellar not in (None, GONE) or position.reversed:
        return False
    counts = tuple(map(len, position.left)), tuple(map(len, position.right))
    if counts not in shape.laid or any(len(column) != shape.column for column in position.columns):
        return False
    if options.bases == "centre":
        return GONE not in position.bases
    tops = [card for card in position.bases if isinstance(card, Card)]
    ranks, suits = {card.rank for card in tops}, {card.suit for card in tops}
    aces = options.bases != "aces" or ranks <= {Rank.ACE}
    return GONE not in position.bases and len(suits) == len(tops) and len(ranks) <= 1 and aces
