"""What follows from what is seen: all cards lie face up, so those that are not seen lie within the foundations."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from rules.cards import GONE, Card, Rank, Seen, Suit
from rules.catalogue import Game
from rules.rows.foundations import SUIT_SIZE, base_column, step
from rules.rows.moves import DIRECTIONS, Direction
from rules.rows.position import RowPosition

Fit = tuple[Direction | None, dict[int, Rank]]
"""A direction (None where no foundation has grown) and the rank with which the foundation of each place began."""


def complete(position: RowPosition, game: Game) -> RowPosition:
    """The position with what follows filled in: base cards, the direction where only one explains which cards lie on
    the foundations, the cellar where no card is left for it. The deal alone does not say that a direction is chosen.

    Where the cards seen contradict each other nothing is filled in."""
    if any(isinstance(card, Card) and card.is_joker for _, card in position.lying()):
        return position
    position = _with_aces(position, game)
    if not all_seen(position, game):
        return position
    empty = replace(position, cellar=GONE) if position.cellar is None and game.row_options.cellar else position
    found = [told for way in _choices(empty, game) if (told := _inferred(way, game)) is not None]
    return found[0] if len(found) == 1 else position


def _choices(position: RowPosition, game: Game) -> list[RowPosition]:
    """The position under every choice of bases that a look alone does not tell, where it is not known."""
    undecided = base_column(position, game).undecided
    if position.free_centre is not None or not undecided:
        return [position]
    found: list[RowPosition] = []
    for chosen in product(*undecided.values()):
        free = tuple(sorted({row for rows in undecided.values() for row in rows} - set(chosen)))
        found.append(replace(position, free_centre=free))
    return found


def _with_aces(position: RowPosition, game: Game) -> RowPosition:
    """The base cards that the game itself or another base card tells."""
    options = game.row_options
    known = next((card.rank for card in position.base_cards if card is not None), None)
    rank = Rank.ACE if options.bases == "aces" else known if options.bases == "rank" else None
    if rank is None:
        return position
    tops = (top if isinstance(top, Card) else None for top in position.bases)
    bases = tuple(
        base or (None if top is None else Card(rank, top.suit))
        for base, top in zip(position.base_cards, tops, strict=True)
    )
    return replace(position, base_cards=bases)


def all_seen(position: RowPosition, game: Game) -> bool:
    """Whether every card that lies off the foundations is read, each once."""
    options = game.row_options
    if options.shape.column and (position.left_column is None or position.right_column is None):
        return False
    lying = [card for _, card in position.lying()]
    return all(isinstance(card, Card) for card in lying) and len(set(lying)) == len(lying)


def _inferred(position: RowPosition, game: Game) -> RowPosition | None:
    """The position with direction and base cards, None where nothing explains the cards that are not seen."""
    column = base_column(position, game)
    if column.undecided:
        return position
    elsewhere: set[Seen] = {card for place, card in position.lying() if not place.startswith("base ")}
    elsewhere |= {position.bases[row - 1] for row in column.free}
    fits = [fit for fit in _fits(position, column.foundations, elsewhere) if _same_rank(fit, game)]
    if not fits:
        return None
    ways = {way for way, _ in fits}
    bases = list(position.base_cards)
    for suit, row in column.foundations.items():
        ranks = {began[row] for _, began in fits}
        if len(ranks) == 1:
            bases[row - 1] = Card(ranks.pop(), suit)
    chosen = position.direction or (ways.pop() if len(ways) == 1 else None)
    return replace(position, base_cards=tuple(bases), direction=chosen)


def _fits(position: RowPosition, foundations: dict[Suit, int], elsewhere: set[Seen]) -> list[Fit]:
    """Every direction, with the base ranks, that puts just the cards not seen elsewhere on the foundations."""
    hidden = {
        suit: SUIT_SIZE - sum(isinstance(card, Card) and card.suit == suit for card in elsewhere) for suit in Suit
    }
    if any(hidden[suit] for suit in Suit if suit not in foundations):
        return []
    grown = any(hidden[suit] > 1 for suit in foundations)
    found: list[Fit] = []
    for way in (position.direction,) if position.direction else DIRECTIONS if grown else (None,):
        began = {row: _base_rank(position, row, hidden[suit], way) for suit, row in foundations.items()}
        ranks = {row: rank for row, rank in began.items() if rank is not None}
        if len(ranks) == len(began) and all(
            _is_run(position, suit, row, (hidden[suit], way), elsewhere) for suit, row in foundations.items()
        ):
            found.append((way, ranks))
    return found


def _base_rank(position: RowPosition, row: int, count: int, way: Direction | None) -> Rank | None:
    """With which rank a foundation of that many cards began, None where that is not what is known of it."""
    top, base = position.bases[row - 1], position.base_cards[row - 1]
    if not isinstance(top, Card) or top.rank is None or not 1 <= count <= SUIT_SIZE:
        return None
    rank = top.rank
    for _ in range(count - 1):
        rank = step(rank, "down" if way == "up" else "up")
    return rank if base is None or base.rank == rank else None


def _is_run(
    position: RowPosition, suit: Suit, row: int, run: tuple[int, Direction | None], elsewhere: set[Seen]
) -> bool:
    """Whether none of the cards that the foundation would hold is seen elsewhere."""
    count, way = run
    top = position.bases[row - 1]
    rank = top.rank if isinstance(top, Card) else None
    for _ in range(count):
        if rank is None or Card(rank, suit) in elsewhere:
            return False
        rank = step(rank, "down" if way == "up" else "up")
    return True


def _same_rank(fit: Fit, game: Game) -> bool:
    """All bases have one rank, but in piwnica."""
    return game.row_options.bases == "centre" or len(set(fit[1].values())) <= 1
