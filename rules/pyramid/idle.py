"""Whether the present pass is idle: in some games a full pass in which no stock card was played ends the game."""

from __future__ import annotations

from rules.cards import GONE
from rules.catalogue import Game
from rules.pyramid.position import PyramidPosition


def stock_played(position: PyramidPosition, game: Game) -> bool | None:
    """Whether a card of the stock has been played in the present pass; None where that is not known, or where an idle
    pass does not end the game. Before the first turn of a game none has been."""
    if not game.ends_after_idle_pass or position.stock_played is not None:
        return position.stock_played if game.ends_after_idle_pass else None
    nothing_turned = position.waste is GONE and position.turned in (GONE, None)
    return False if nothing_turned and position.stock_count == game.options.stock_size else None


def is_idle(position: PyramidPosition, game: Game) -> bool:
    """Whether it is known that no card of the stock has been played in the present pass, in a game that this ends."""
    return stock_played(position, game) is False
