"""Which cards go with a card, and where each of them is as far as its player can know."""

from __future__ import annotations

from typing import Any

from companion_app.terminal.attempts import places_of
from rules.cards import Card
from rules.catalogue import Game
from rules.looks import free_places
from rules.pyramid.pairing import leaves_alone, pairs_up
from rules.pyramid.position import PyramidPosition
from rules.rows.in_play import next_to
from rules.rows.position import RowPosition

IN_PLAY, COVERED, IN_STOCK, IN_WASTE, GONE, UNSEEN = "in-play", "covered", "stock", "waste", "gone", "unseen"


def partners(view: Any, game: Game, card: Card) -> list[dict[str, Any]]:
    """Each other card of the deck that can leave with a card, or in a row game lie beside it: its code, its place where
    it is to be seen, and `where`: in-play, covered, stock, waste, gone, unseen."""
    rest = list(dict.fromkeys(game.rules.deck))
    if isinstance(view, RowPosition):
        fitting = [other for other in rest if next_to(card, other, game.row_options)]
    elif leaves_alone(card, game.options):
        fitting = []
    else:
        fitting = [other for other in rest if pairs_up(card, other, game.options) and (other != card or card.is_joker)]
    return [_whereabouts(view, game, other) for other in fitting]


def _whereabouts(view: Any, game: Game, card: Card) -> dict[str, Any]:
    places, free = places_of(view, card), free_places(view, game)
    place = next((place for place in places if place in free), places[0] if places else None)
    if isinstance(view, RowPosition) and (place is None or place.startswith("base ")) and place not in free:
        # What is not to be seen in a row game lies under others of its foundation.
        where = GONE
    elif place is not None:
        where = IN_PLAY if place in free else COVERED
    else:
        where = _hidden(view, card)
    return {"card": str(card), "where": where, "place": place}


def _hidden(view: PyramidPosition, card: Card) -> str:
    piles = ((IN_STOCK, view.stock_cards), (IN_WASTE, view.waste_cards), (GONE, view.gone_cards))
    return next((name for name, cards in piles if cards and card in cards), UNSEEN)
