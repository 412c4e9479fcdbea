"""What follows from what is known: a fresh deal's stock, and the one pile that must hold the rest of the deck."""

from __future__ import annotations

from dataclasses import replace

from rules.cards import FACE_DOWN, GONE
from rules.catalogue import Game
from rules.pyramid.position import PyramidPosition


def complete(position: PyramidPosition, game: Game) -> PyramidPosition:
    """The position with what follows filled in.

    Where no card is missing from the pyramid and foundation, waste and hand show none, the cards have just been dealt:
    the whole rest of the deck is the stock. Where only one pile's count is open, it holds what the others leave."""
    options = game.options
    if options.turned == "laid" and position.turned is None:
        position = replace(position, turned=GONE)
    if position.pass_number is None and options.passes == 1:
        position = replace(position, pass_number=1)
    gaps = options.pyramid_size - position.left_in_pyramid()
    if gaps == 0 and position.gone_cards is None and position.foundation is GONE:
        position = replace(position, gone_cards=())
    if gaps == 0 and position.gone_cards == () and position.waste is GONE and position.turned in (GONE, None):
        position = replace(position, turned=GONE)
    return _fill_last_pile(position, game)


def _fill_last_pile(position: PyramidPosition, game: Game) -> PyramidPosition:
    if position.turned is None:
        return position
    rest = len(game.options.deck) - position.left_in_pyramid() - (position.turned is not GONE)
    waste, gone = position.waste_cards, position.gone_cards
    counts = (position.stock_count, None if waste is None else len(waste), None if gone is None else len(gone))
    rest -= sum(count for count in counts if count is not None)
    if sum(count is None for count in counts) != 1 or rest < 0:
        return position
    if position.stock_count is None:
        return (
            position
            if position.stock is not None and position.stock != (rest > 0)
            else replace(position, stock=None, stock_count=rest)
        )
    if waste is None:
        fits = position.waste is None or (position.waste is not GONE) == (rest > 0)
        return replace(position, waste_cards=(FACE_DOWN,) * rest) if fits else position
    return replace(position, gone_cards=(FACE_DOWN,) * rest)
