"""From a position of the row family to a board of the search, and from the steps of a line back to moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from rules.cards import Card, Rank, Suit
from rules.catalogue import Game
from rules.rows import suits
from rules.rows.board import NO_CARD, Board, BoardRow
from rules.rows.explorer import REVERSAL, Step
from rules.rows.foundations import SUIT_SIZE, base_column
from rules.rows.in_play import may_be_filled, takes_builds
from rules.rows.legality import is_legal, play
from rules.rows.moves import (
    DIRECTIONS,
    REVERSE,
    RowMove,
    base_choice,
    build,
    direction,
    fill,
    foundation,
    new_base,
    to_cellar,
)
from rules.rows.places import Stack
from rules.rows.position import RowPosition

_SUITS: tuple[Suit, ...] = tuple(Suit)


def number_of(card: Card) -> int:
    """The number of a card on a board."""
    if card.suit is None:
        raise ValueError("there is no joker in the row family")
    return _SUITS.index(card.suit) * SUIT_SIZE + card.worth - 1


def card_of(number: int) -> Card:
    """The card of a number."""
    suit, rank = divmod(number, SUIT_SIZE)
    return Card(Rank(rank + 1), _SUITS[suit])


def choices(position: RowPosition, game: Game) -> Iterator[tuple[tuple[RowMove, ...], RowPosition]]:
    """Every way to make the choices that are still open (direction, bases of suits with several centre cards), and the
    position after it; none while the deal is not finished and the direction still open."""
    ways = (position.direction,) if position.direction else DIRECTIONS
    if position.direction is None and not all(is_legal(position, direction(way), game) for way in ways):
        return
    for way in ways:
        first = () if position.direction else (direction(way),)
        undecided = base_column(position, game).undecided
        for rows in product(*undecided.values()):
            moves = (*first, *(base_choice(position.bases[row - 1], row) for row in rows))
            chosen = position
            for move in moves:
                chosen = play(chosen, move, game)
            yield moves, chosen


def board_of(position: RowPosition, game: Game) -> Board | None:
    """The board of a position in which every choice is made; None where a card is not known, or where the cards that
    lie nowhere else cannot be those on the foundations. ``reversed`` must be known where there are columns."""
    lying = [card for place, card in position.lying() if not place.startswith("base ")]
    column = base_column(position, game)
    lying += [position.bases[row - 1] for row in column.free]
    cards = [card for card in lying if isinstance(card, Card)]
    options = game.row_options
    columns_known = not options.shape.column or len(position.columns) == 2
    if len(cards) != len(lying) or len(set(cards)) != len(cards) or column.undecided or not columns_known:
        return None
    step = -1 if position.direction == "down" else 1
    off = {number_of(card) for card in cards}
    done = tuple(
        frozenset(rank for rank in range(SUIT_SIZE) if suit * SUIT_SIZE + rank not in off) for suit in range(4)
    )
    for suit, ranks in zip(_SUITS, done, strict=True):
        row = column.foundations.get(suit)
        top = None if row is None else position.bases[row - 1]
        if bool(ranks) != isinstance(top, Card):
            return None
        if isinstance(top, Card) and not (top.suit == suit and _is_run(top, ranks, step)):
            return None
    free = [Stack("base", None, row) for row in column.free]
    rows = [_row_of(stack, position, game) for stack in (*row_stacks(position), *free)]
    cellar = None
    if options.cellar:
        cellar = number_of(position.cellar) if isinstance(position.cellar, Card) else NO_CARD
    reversible = bool(options.shape.column) and not position.reversed
    return Board(SUIT_SIZE, tuple(rows), done, step, options.round_the_corner, cellar, reversible)


def row_stacks(position: RowPosition) -> list[Stack]:
    """The half rows and columns."""
    return [stack for stack in position.stacks() if stack.kind in ("half", "column")]


def _is_run(top: Card, ranks: frozenset[int], step: int) -> bool:
    return ranks == {(top.worth - 1 - i * step) % SUIT_SIZE for i in range(len(ranks))}


def _row_of(stack: Stack, position: RowPosition, game: Game) -> BoardRow:
    options = game.row_options
    cards = tuple(number_of(card) for card in position.cards_in(stack) or () if isinstance(card, Card))
    if stack.kind == "base":
        return BoardRow(cards, refill=False, build=False, centre=True)
    refill, built_on = may_be_filled(stack, options), takes_builds(stack, options)
    if stack.kind == "column":
        side = 1 if stack.side == "left" else 2
        return BoardRow(cards[::-1] if position.reversed else cards, refill, built_on, column=side)
    return BoardRow(cards, refill, built_on, unlocks=options.shape.is_auxiliary(stack.row))


def named_line(position: RowPosition, steps: Sequence[Step], game: Game) -> tuple[RowMove, ...]:
    """The moves of steps from a position on; raises IllegalMove if the rules do not allow one."""
    moves: list[RowMove] = []
    for step in steps:
        move = _named(position, step, game)
        position = play(position, move, game)
        moves.append(move)
    return tuple(moves)


def _named(position: RowPosition, step: Step, game: Game) -> RowMove:
    if step == REVERSAL:
        return REVERSE
    card, where = card_of(step[0]), step[1]
    column = base_column(position, game)
    source = next(place for place, lying in position.lying() if lying == card)
    if where == suits.DONE:
        row = column.foundations.get(card.suit) if card.suit else None
        return new_base(card, source, column.empty[0]) if row is None else foundation(card, source, row)
    if where == suits.IN_CELLAR:
        return to_cellar(card, source)
    if where == suits.BOTTOM:
        empty = (s for s in row_stacks(position) if not position.cards_in(s) and may_be_filled(s, game.row_options))
        return fill(card, source, next(empty).place(1))
    rank = (step[0] % SUIT_SIZE + (1 if where == suits.ON_HIGHER else -1)) % SUIT_SIZE
    under = card_of(step[0] // SUIT_SIZE * SUIT_SIZE + rank)
    for stack in row_stacks(position):
        cards = position.cards_in(stack) or ()
        upper = stack.kind == "column" and bool(position.reversed)
        if cards and cards[0 if upper else -1] == under:
            return build(card, source, stack.place(1 if upper else len(cards) + 1))
    raise ValueError(f"{under} is not in play")
