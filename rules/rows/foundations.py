"""The base column: which place holds the foundation of which suit, how high each is, and what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.cards import GONE, Card, Rank, Suit
from rules.catalogue import Game
from rules.rows.moves import Direction
from rules.rows.position import RowPosition

SUIT_SIZE: Final = len(Rank)
"""Cards of one suit, and so of one complete foundation."""


@dataclass(frozen=True, slots=True)
class Column:
    """The places of the base column, counted from 1, by what they hold.

    ``foundations``: the place of each suit's foundation. ``undecided``: suits of which several cards lie here, none of
    them chosen as the base yet. ``free``: places of free cards. ``empty``: places that hold nothing.
    """

    foundations: dict[Suit, int]
    undecided: dict[Suit, tuple[int, ...]]
    free: tuple[int, ...]
    empty: tuple[int, ...]


def base_column(position: RowPosition, game: Game) -> Column:
    """What each place of the base column holds, as far as that can be told."""
    by_suit: dict[Suit, list[int]] = {}
    for row, (top, base) in enumerate(zip(position.bases, position.base_cards, strict=True), start=1):
        # A foundation stays that of its base, whatever has been laid on it against the rules.
        card = top if base is None or base.is_joker else base
        if isinstance(top, Card) and isinstance(card, Card) and card.suit and row not in (position.free_centre or ()):
            by_suit.setdefault(card.suit, []).append(row)
    empty = tuple(row for row, card in enumerate(position.bases, start=1) if card is GONE)
    if game.row_options.bases != "centre":
        return Column({suit: rows[0] for suit, rows in by_suit.items()}, {}, (), empty)
    foundations, undecided = dict[Suit, int](), dict[Suit, tuple[int, ...]]()
    free = list(position.free_centre or ())
    for suit, rows in by_suit.items():
        chosen = [row for row in rows if position.base_cards[row - 1] is not None] or rows
        if len(chosen) == 1:
            foundations[suit] = chosen[0]
            free += [row for row in rows if row != chosen[0]]
        else:
            undecided[suit] = tuple(rows)
    return Column(foundations, undecided, tuple(sorted(free)), empty)


def step(rank: Rank, direction: Direction) -> Rank:
    """The rank that follows in a direction, round the corner from king to ace and back."""
    return Rank((rank - 1 + (1 if direction == "up" else -1)) % SUIT_SIZE + 1)


def height(base: Rank, top: Rank, direction: Direction) -> int:
    """Cards of a foundation that began with ``base`` and shows ``top``."""
    return ((top - base) if direction == "up" else (base - top)) % SUIT_SIZE + 1


def depths(position: RowPosition, game: Game) -> tuple[int | None, ...]:
    """Cards on the foundation of each place of the base column: 0 where there is none, None where not known."""
    column = base_column(position, game)
    found: list[int | None] = [None if any(row in rows for rows in column.undecided.values()) else 0 for row in _PLACES]
    for row in column.foundations.values():
        base, top = position.base_cards[row - 1], position.bases[row - 1]
        if base is None or base.rank is None or not isinstance(top, Card) or top.rank is None:
            found[row - 1] = None
        elif position.direction is None:
            found[row - 1] = 1 if base == top else None
        else:
            found[row - 1] = height(base.rank, top.rank, position.direction)
    for row, card in enumerate(position.bases, start=1):
        if not isinstance(card, Card) and card is not GONE:
            found[row - 1] = None
    return tuple(found)


_PLACES: Final = range(1, 5)
