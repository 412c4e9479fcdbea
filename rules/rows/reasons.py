"""Why a move of the row family is worth making, as data."""

from __future__ import annotations

from rules.cards import Card, Seen
from rules.catalogue import Game
from rules.hint_parts import Reason
from rules.rows.effects import after_move
from rules.rows.foundations import base_column, step
from rules.rows.in_play import is_locked, playable
from rules.rows.moves import RowMove
from rules.rows.places import parse_place
from rules.rows.position import RowPosition


def is_choice(move: RowMove) -> bool:
    """Whether a move only chooses: the direction, or which centre card is a base."""
    return move.kind == "direction" or (move.kind == "base" and len(move.places) == 1)


def reason_of(position: RowPosition, move: RowMove, game: Game) -> Reason:
    """The strongest reason for a move that is no choice, from what it changes on the table."""
    if move.kind == "reverse":
        return Reason("other-ends")
    if move.kind == "foundation" and position.direction is not None:
        return Reason("never-hurts")
    after = after_move(position, move, game)
    if game.row_options.cellar and is_locked(position, game) and not is_locked(after, game):
        return Reason("unlocks-cellar")
    freed = freed_cards(position, move, game)
    wanted = tuple(card for card in freed if _is_next(after, card, game))
    if wanted:
        return Reason("frees-next", wanted)
    if _empties_row(position, move):
        return Reason("empties-row")
    return Reason("frees", freed) if freed else Reason("makes-room")


def freed_cards(position: RowPosition, move: RowMove, game: Game) -> tuple[Seen, ...]:
    """Cards that are in play after a move and were not before."""
    before = {source.card for source in playable(position, game)}
    after = playable(after_move(position, move, game), game)
    return tuple(source.card for source in after if source.card not in before and source.card not in move.cards)


def _is_next(position: RowPosition, card: Seen, game: Game) -> bool:
    """Whether a foundation wants just this card, in the direction chosen."""
    if not isinstance(card, Card) or card.suit is None or position.direction is None:
        return False
    row = base_column(position, game).foundations.get(card.suit)
    top = None if row is None else position.bases[row - 1]
    return isinstance(top, Card) and top.rank is not None and step(top.rank, position.direction) == card.rank


def _empties_row(position: RowPosition, move: RowMove) -> bool:
    """Whether the last card of a half row or column leaves it for anything but another empty row."""
    found = parse_place(move.places[0]) if move.kind != "fill" else None
    return found is not None and found[0].kind != "base" and len(position.cards_in(found[0]) or ()) == 1
