"""How few moves any win takes, whatever the cards are that nobody has seen."""

from __future__ import annotations

from collections import Counter

from rules.catalogue import Game
from rules.pyramid.position import PyramidPosition, known_cards


def least_removals(position: PyramidPosition, game: Game) -> int:
    """No line wins in fewer moves: of two worths that pair the cards of the more frequent one leave one by one, and a
    joker takes any card with it. Only the cards known to lie in the pyramid count."""
    total = game.options.total
    worths = Counter(card.worth for card in known_cards(card for row in position.rows for card in row))
    if game.options.jokers:
        return (worths.total() + 1) // 2
    pairs = ((worth, total - worth) for worth in range(1, (total + 1) // 2))
    alone, half = worths[total], worths[total // 2] if total % 2 == 0 else 0
    return alone + (half + 1) // 2 + sum(max(worths[one], worths[other]) for one, other in pairs)
