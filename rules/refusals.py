"""Errors that several modules raise: what is wrong is said in one way wherever it is found."""

from __future__ import annotations

from rules.catalogue import Game
from rules.errors import PositionError


def wrong_rows(game: Game, given: int) -> PositionError:
    """A pyramid has other rows than its game."""
    rows = game.options.rows
    said = f"{game.id} has {rows} rows, the position has {given}"
    return PositionError(said, "row-count", game=game.id, rows=rows, given=given)


def wrong_deal(game: Game) -> PositionError:
    """A deal holds other cards than the deck of its game."""
    count = len(game.rules.deck)
    said = f"a deal of {game.id} holds the {count} cards of its deck, each once"
    return PositionError(said, "deal-cards", game=game.id, count=count)
