"""A deal that goes on between two looks: cards come to the table, and no move was made."""

from __future__ import annotations

from dataclasses import replace

from rules.cards import GONE, Card
from rules.catalogue import Game
from rules.rows.legality import is_being_dealt
from rules.rows.places import Stack
from rules.rows.position import RowPosition


def dealt_on(before: RowPosition, after: RowPosition, game: Game) -> RowPosition:
    """The earlier look with the cards that the later one shows besides, where its deal was not finished and every card
    stayed where it was; else the earlier look.

    Polish text: cards of the rank of the bases that were dealt to a row before it was fixed go to the base column."""
    if not is_being_dealt(before, game) or not all(_stayed(before, after, stack) for stack in before.stacks()):
        return before
    return replace(
        after,
        base_cards=before.base_cards,
        left_column=before.left_column if after.left_column is None else after.left_column,
        right_column=before.right_column if after.right_column is None else after.right_column,
        cellar=before.cellar if after.cellar is None else after.cellar,
        direction=before.direction,
        reversed=before.reversed,
        free_centre=before.free_centre,
    )


def _stayed(before: RowPosition, after: RowPosition, stack: Stack) -> bool:
    """Whether the cards of a stack lie there in the same order, but those that went to empty places of the bases."""
    there = after.cards_in(stack)
    if there is None:
        return True
    bases = [card for old, card in zip(before.bases, after.bases, strict=True) if old is GONE]
    here = [card for card in before.cards_in(stack) or () if card in there or card not in bases]
    known = all(isinstance(card, Card) for card in here)
    return known and [card for card in there if card in here] == here
