"""What a move changes on the table. Whether it may be made is not asked here."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar, cast

from rules.cards import GONE, Card, Seen, Suit
from rules.catalogue import Game
from rules.rows.foundations import base_column, step
from rules.rows.moves import DIRECTIONS, Direction, RowMove
from rules.rows.places import Stack, parse_place
from rules.rows.position import Cards, RowPosition

T = TypeVar("T")


def after_move(position: RowPosition, move: RowMove, game: Game) -> RowPosition:
    """The position after a move whose places are there; what the move shows of what was not known is learnt."""
    if move.kind == "direction":
        return replace(position, direction=cast(Direction, move.places[0]))
    if move.kind == "reverse":
        return replace(position, reversed=True)
    if move.kind == "base" and len(move.places) == 1:
        return _after_choice(position, move, game)
    card = move.cards[0]
    known = replace(position, direction=_direction_shown(position, move))
    taken = _without(_with_way_learnt(known, move), move.places[0])
    return _with_card(taken, card, move, game)


def _after_choice(position: RowPosition, move: RowMove, game: Game) -> RowPosition:
    """A centre card is its suit's base; the other centre cards of that suit are free."""
    card = move.cards[0]
    row = _row_of(move.places[0])
    others = _others_undecided(position, card, row, game)
    free = tuple(sorted({*(position.free_centre or ()), *others}))
    return replace(position, base_cards=_put(position.base_cards, row, _face(card)), free_centre=free)


def _others_undecided(position: RowPosition, card: Seen, row: int, game: Game) -> list[int]:
    """The places of the other centre cards of a suit, where the one at ``row`` is now its base and none was before."""
    suit: Suit | None = card.suit if isinstance(card, Card) else None
    rows = () if suit is None else base_column(position, game).undecided.get(suit, ())
    return [other for other in rows if other != row and position.base_cards[other - 1] is None] if row in rows else []


def _row_of(place: str) -> int:
    found = parse_place(place)
    return found[0].row if found else 0


def _face(card: Seen) -> Card | None:
    return card if isinstance(card, Card) else None


def _direction_shown(position: RowPosition, move: RowMove) -> Direction | None:
    """The direction, also where this card on a foundation is the first to show it."""
    top = position.look(move.places[1]) if move.kind == "foundation" else None
    card = move.cards[0]
    if position.direction is not None or not isinstance(top, Card) or not isinstance(card, Card):
        return position.direction
    if top.rank is None or card.rank is None:
        return None
    ways = [way for way in DIRECTIONS if step(top.rank, way) == card.rank]
    return ways[0] if len(ways) == 1 else None


def _with_way_learnt(position: RowPosition, move: RowMove) -> RowPosition:
    """Columns played from the upper end have been reversed, those played from the lower end not yet."""
    if position.reversed is not None:
        return position
    for place, added in zip(move.places, (0, 1), strict=True):
        found = parse_place(place)
        if found is None or found[0].kind != "column":
            continue
        count = len(position.cards_in(found[0]) or ()) + added
        if count > 1 and found[1] in (1, count):
            return replace(position, reversed=found[1] == 1)
    return position


def _without(position: RowPosition, place: str) -> RowPosition:
    found = parse_place(place)
    cards = position.cards_in(found[0]) if found else None
    if found is None or cards is None:
        return position
    stack, index = found
    if stack.kind == "base":
        free = None if position.free_centre is None else tuple(row for row in position.free_centre if row != stack.row)
        return replace(position, bases=_put(position.bases, stack.row, GONE), free_centre=free)
    return _with_stack(position, stack, cards[: index - 1] + cards[index:])


def _with_card(position: RowPosition, card: Seen, move: RowMove, game: Game) -> RowPosition:
    found = parse_place(move.places[1])
    if found is None:
        return position
    stack, index = found
    if stack.kind == "cellar":
        return replace(position, cellar=card)
    if stack.kind != "base":
        cards = position.cards_in(stack) or ()
        return _with_stack(position, stack, (*cards[: index - 1], card, *cards[index - 1 :]))
    bases = _put(position.bases, stack.row, card)
    if move.kind == "base":
        return replace(position, bases=bases, base_cards=_put(position.base_cards, stack.row, _face(card)))
    # A card on one of several centre cards of its suit shows that this one is the base and the others are free.
    others = _others_undecided(position, card, stack.row, game)
    free = tuple(sorted({*(position.free_centre or ()), *others})) if others else position.free_centre
    return replace(position, bases=bases, free_centre=free)


def _with_stack(position: RowPosition, stack: Stack, cards: Cards) -> RowPosition:
    """The position with other cards in a half row, column or cellar."""
    if stack.kind == "cellar":
        return replace(position, cellar=cards[0] if cards else GONE)
    if stack.kind == "column":
        return replace(position, left_column=cards) if stack.side == "left" else replace(position, right_column=cards)
    rows = _put(position.half_rows(stack.side), stack.row, cards)
    return replace(position, left=rows) if stack.side == "left" else replace(position, right=rows)


def _put(values: tuple[T, ...], row: int, value: T) -> tuple[T, ...]:
    return (*values[: row - 1], value, *values[row:])
