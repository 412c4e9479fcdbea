"""What is left on the table, by the pile it lies in."""

from __future__ import annotations

from rules.cards import GONE
from rules.catalogue import Game
from rules.errors import NotNotedError
from rules.pyramid.complete import complete
from rules.pyramid.position import PyramidPosition

Parts = tuple[tuple[str, int], ...]


def left_parts(position: PyramidPosition, game: Game) -> Parts:
    """Cards left in the pyramid, read or not; where the goal is all cards, those in stock, waste and hand too.

    Raises NotNotedError where the goal is all cards and a pile's count is not known."""
    pyramid = (("pyramid", position.left_in_pyramid()),)
    return pyramid if game.options.goal == "pyramid" else pyramid + hand_parts(position, game)


def hand_parts(position: PyramidPosition, game: Game) -> Parts:
    """Cards left in hand: stock, waste and the card held; raises NotNotedError where a count is not known."""
    known = complete(position, game)
    if known.stock_count is None or known.waste_cards is None or known.turned is None:
        raise NotNotedError("say how many cards lie in the stock and on the waste", "untold-piles")
    held = int(known.turned is not GONE)
    return (("stock", known.stock_count), ("waste", len(known.waste_cards)), ("turned", held))
