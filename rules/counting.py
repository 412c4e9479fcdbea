"""Which cards of the deck a table tells of, and which not yet: card counting, without a guess.

Every card of the deck is in exactly one of four groups. Where unseen cards may lie is told as the fewest and the most
that can be there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.looks import Position, known
from rules.pyramid.position import PyramidPosition, known_cards
from rules.rows.complete import all_seen
from rules.rows.foundations import depths, step
from rules.rows.legality import is_being_dealt
from rules.rows.position import RowPosition

Range = tuple[int, int]
"""The fewest and the most."""

_HIDDEN = (FACE_DOWN, UNREADABLE)


@dataclass(frozen=True, slots=True)
class Counted:
    """The cards of a deck by what is known of them.

    ``lying``: seen on the table now, face up and uppermost in their pile. ``piled``: seen before, now in the stock or
    deeper in the waste. ``gone``: off the table, or under the top of a foundation. ``unseen``: not yet seen. Of the
    unseen, ``face_down`` lie in the pyramid, ``unread`` lie to be seen but were not read, ``in_stock`` are in the stock
    (None in a game without one), and the ``elsewhere`` are in the waste or have gone unseen. ``stock``: cards in the
    stock, seen or not. ``stock_order`` and ``waste_order``: what is known of the order in which cards come, ``??`` for
    one not known: of the stock the one drawn first, of the waste the undermost. ``surplus``: cards that lie there more
    often than the deck has them, or that it has not.
    """

    lying: tuple[Card, ...]
    piled: tuple[Card, ...]
    gone: tuple[Card, ...]
    unseen: tuple[Card, ...]
    face_down: int = 0
    unread: int = 0
    in_stock: Range | None = None
    elsewhere: Range = (0, 0)
    stock: Range | None = None
    stock_order: tuple[Seen, ...] = ()
    waste_order: tuple[Seen, ...] = ()
    surplus: tuple[Card, ...] = ()


def count_cards(position: Position, game: Game, stock: Range | None = None) -> Counted:
    """The cards of the game's deck by what a position tells of them. ``stock``: the fewest and the most cards that the
    stock can hold, where more is known of that than the position tells."""
    position = known(position, game)
    if isinstance(position, RowPosition):
        return _in_rows(position, game)
    return _in_pyramid(position, game, stock)


def _split(deck: Iterable[Card], *groups: Iterable[Card]) -> tuple[list[tuple[Card, ...]], tuple[Card, ...]]:
    """The cards of each group as far as the deck still has them, then those left over; and the surplus."""
    left, surplus = Counter(deck), Counter[Card]()
    order = list(left)
    found: list[tuple[Card, ...]] = []
    for group in groups:
        wanted = Counter(group)
        taken = wanted & left
        surplus += wanted - taken
        left -= taken
        found.append(_in_order(taken, order))
    return [*found, _in_order(left, order)], _in_order(surplus, [*order, *surplus])


def _in_order(cards: Counter[Card], order: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(card for card in dict.fromkeys(order) for _ in range(cards[card]))


def _in_pyramid(position: PyramidPosition, game: Game, stock: Range | None) -> Counted:
    pyramid: list[Seen | None] = [card for row in position.rows for card in row]
    top = position.waste
    listed = position.waste_cards or ()
    order = position.stock_cards or ()
    gone = position.gone_cards or ()
    # What has gone is not on the foundation a second time.
    shown = [] if position.foundation in gone else [position.foundation]
    groups = (
        known_cards([*pyramid, position.turned, top]),
        known_cards([*order, *listed[:-1]]),
        known_cards([*gone, *shown]),
    )
    (lying, piled, left, unseen), surplus = _split(game.options.deck, *groups)
    face_down = pyramid.count(FACE_DOWN)
    unread = sum(seen in _HIDDEN for seen in (*pyramid, position.turned, top)) - face_down
    spare = max(0, len(unseen) - face_down - unread)
    gaps = game.options.pyramid_size - position.left_in_pyramid()
    taken = max(0, gaps - len(known_cards([*gone, *shown])))
    whole = _stock_range(position, game, max(0, spare - taken), stock)
    told = len(known_cards(order))
    in_stock = (min(spare, max(0, whole[0] - told)), min(spare, max(0, whole[1] - told)))
    return Counted(
        lying,
        piled,
        left,
        unseen,
        face_down,
        unread,
        in_stock,
        (spare - in_stock[1], spare - in_stock[0]),
        whole,
        order if any(isinstance(card, Card) for card in order) else (),
        listed,
        surplus,
    )


def _stock_range(position: PyramidPosition, game: Game, spare: int, stock: Range | None) -> Range:
    """The fewest and the most cards of the stock: no more than are unseen and need not have gone, nor than were dealt
    to it and have not been turned."""
    if position.stock_count is not None:
        return position.stock_count, position.stock_count
    if position.stock is False:
        return 0, 0
    turned = sum(seen not in (GONE, None) for seen in (position.waste, position.turned))
    most = min(spare, game.options.stock_size - turned)
    fewest = max(stock[0] if stock else 0, int(bool(position.stock)))
    return fewest, max(fewest, min(most, stock[1]) if stock else most)


def _in_rows(position: RowPosition, game: Game) -> Counted:
    """All cards of a row game lie open; under the top of a foundation lie those it was built of. Where every card that
    lies open is read and no foundation tells how high it is, the others can be nowhere else."""
    lying = [card for _, card in position.lying()]
    deck, heights = game.row_options.deck, depths(position, game)
    (seen, under, rest), surplus = _split(deck, known_cards(lying), _built(position, heights))
    unread = sum(card in _HIDDEN for card in lying)
    cellar_known = position.cellar is not None or not game.row_options.cellar
    if None in heights and cellar_known and all_seen(position, game) and not is_being_dealt(position, game):
        under, rest = (*under, *rest), ()
    return Counted(seen, (), under, rest, unread=unread, elsewhere=(max(0, len(rest) - unread),) * 2, surplus=surplus)


def _built(position: RowPosition, heights: Iterable[int | None]) -> list[Card]:
    """The cards under the tops of the foundations, as far as base, top and direction tell them."""
    found: list[Card] = []
    for base, height in zip(position.base_cards, heights, strict=True):
        if base is None or base.rank is None or height is None:
            continue
        rank = base.rank
        for _ in range(height - 1):
            found.append(Card(rank, base.suit))
            rank = step(rank, position.direction or "up")
    return found
