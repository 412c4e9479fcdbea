"""Deals of the row family: how a shuffled deck comes to lie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from rules.cards import GONE, Card, Rank
from rules.catalogue import Game
from rules.refusals import wrong_deal
from rules.rows.foundations import base_column
from rules.rows.options import RowOptions
from rules.rows.position import Cards, RowPosition
from rules.rows.shapes import BASES


def random_deal(game: Game, rng: Random) -> RowPosition:
    """A deal shuffled by ``rng``, the direction not chosen yet."""
    cards = list(game.row_options.deck)
    rng.shuffle(cards)
    return deal_cards(cards, game)


def deal_cards(cards: Sequence[Card], game: Game) -> RowPosition:
    """The deal of a shuffled deck: row by row, from left to right, then the columns from the top.

    Base cards go to the base column as they come, those of the right rank among the first five of nowy-domator too;
    the next card takes the place. Raises PositionError where the cards are not one deck."""
    options = game.row_options
    if sorted(map(str, cards)) != sorted(map(str, options.deck)):
        raise wrong_deal(game)
    bases = _bases(cards, options)
    rest = iter([card for card in cards if card not in bases])
    left, right, centre = list[Cards](), list[Cards](), list[Card]()
    for row, (left_count, right_count) in enumerate(zip(options.shape.left, options.shape.right, strict=True)):
        # From left to right the outer card of the left half row comes first, that of the right one last.
        left.append(_next(rest, left_count)[::-1])
        if options.bases == "centre" and row < BASES:
            centre += [next(rest)]
        right.append(_next(rest, right_count))
    columns = [_next(rest, options.shape.column) for _ in range(2)]
    laid = RowPosition(
        bases=tuple(bases or centre),
        base_cards=(None,) * BASES,
        left=tuple(left),
        right=tuple(right),
        left_column=columns[0] if options.shape.column else None,
        right_column=columns[1] if options.shape.column else None,
    )
    return fresh(laid, game)


def fresh(laid: RowPosition, game: Game) -> RowPosition:
    """The cards laid as a deal just finished: cellar empty, nothing chosen or reversed. In piwnica the only centre
    card of a suit is its base."""
    options = game.row_options
    position = replace(
        laid,
        base_cards=(None,) * BASES,
        cellar=GONE if options.cellar else None,
        direction=None,
        reversed=False if options.shape.column else None,
        free_centre=() if options.bases == "centre" else None,
    )
    settled = base_column(position, game).foundations.values()
    tops = enumerate(position.bases, start=1)
    bases = tuple(card if row in settled and isinstance(card, Card) else None for row, card in tops)
    return replace(position, base_cards=bases)


def _bases(cards: Sequence[Card], options: RowOptions) -> list[Card]:
    """The cards of the base column in the order they come, the one that fixes their rank first; none in piwnica."""
    if options.bases == "centre":
        return []
    if options.bases == "aces":
        return [card for card in cards if card.rank == Rank.ACE]
    fixing = cards[options.rank_card - 1]
    return [fixing, *(card for card in cards if card.rank == fixing.rank and card != fixing)]


def _next(cards: Iterator[Card], count: int) -> Cards:
    return tuple(next(cards) for _ in range(count))
