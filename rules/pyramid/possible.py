"""Whether a position can be at all: no card twice, none of another deck, no more cards than there are."""

from __future__ import annotations

from rules.cards import GONE, seen_text
from rules.catalogue import Game
from rules.errors import PositionError
from rules.fault import Fault
from rules.pyramid.faults import layout_faults
from rules.pyramid.position import PyramidPosition
from rules.refusals import wrong_rows


def require_possible(position: PyramidPosition, game: Game) -> None:
    """Raises PositionError naming every card that lies there twice or is not of the game's deck, with its places; where
    there are more cards than the deck has, how many."""
    if position.row_count != game.options.rows:
        raise wrong_rows(game, position.row_count)
    wrong = [_told(fault, game) for fault in layout_faults(position, game) if fault.cards]
    lying, deck_size = _lying(position), len(game.options.deck)
    if lying > deck_size and not any(wrong):
        text = f"{lying} cards are told of, the deck of {game.id} has {deck_size}"
        raise PositionError(text, "too-many-cards", count=lying, most=deck_size)
    if any(wrong):
        raise PositionError("; ".join(text for text in wrong if text))


def _told(fault: Fault, game: Game) -> str:
    """What is wrong with the cards of a fault; empty for one that does not keep the position from being."""
    card, places = seen_text(fault.cards[0]), " and ".join(fault.places)
    if fault.kind == "foreign-card":
        return f"{card} ({places}) is no card of the deck of {game.id}"
    if fault.kind == "duplicate-card":
        return f"{card} lies there {len(fault.places)} times ({places}), the deck of {game.id} has it once"
    if fault.kind == "wrong-count":
        return f"{card} lies there {len(fault.places)} times, the deck of {game.id} has it {game.options.jokers} times"
    return ""


def _lying(position: PyramidPosition) -> int:
    """How many cards lie there or have gone, as far as that is told."""
    stock = position.stock_count if position.stock_count is not None else int(bool(position.stock))
    waste = len(position.waste_cards) if position.waste_cards is not None else position.waste not in (None, GONE)
    gone = len(position.gone_cards) if position.gone_cards is not None else position.foundation not in (None, GONE)
    return position.left_in_pyramid() + stock + waste + gone + (position.turned not in (None, GONE))
