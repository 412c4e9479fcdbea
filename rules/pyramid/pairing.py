"""Which cards make the total: the arithmetic every other rule of the family rests on."""

from __future__ import annotations

from rules.cards import Card
from rules.options import Options


def pairs_up(first: Card, second: Card, options: Options) -> bool:
    """Whether two cards may leave together: the total, or a joker and what is not itself the total."""
    if first.is_joker or second.is_joker:
        return options.total not in (first.worth, second.worth)
    return first.worth + second.worth == options.total


def leaves_alone(card: Card, options: Options) -> bool:
    """Whether a card equals the total: the king where it is 13."""
    return card.worth == options.total
