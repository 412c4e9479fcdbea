"""Sampling which unseen cards have left the game: they left in pairs or alone, as the rules let them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

from rules.cards import GONE, Card, Unseen
from rules.options import Options
from rules.pyramid.pairing import pairs_up
from rules.pyramid.position import PyramidPosition, known_cards


@dataclass(frozen=True, slots=True)
class GoneBounds:
    """How many of the unseen cards have gone: ``exact`` where known, else at most ``at_most``."""

    exact: int | None
    at_most: int


def sample_gone(
    position: PyramidPosition, options: Options, unseen: list[Card], bounds: GoneBounds, rng: Random
) -> list[Card]:
    """Some of ``unseen`` (shuffled) that could have gone given the gaps in the pyramid and what is known to have gone.

    Where no choice of pairs and single cards has the right size (the table lacks cards), any cards are taken.
    """
    known = known_cards(position.gone_cards if position.gone_cards is not None else [position.foundation])
    forced = _forced_partners(known, options, unseen) if position.gone_cards is None else []
    pool = list((Counter(unseen) - Counter(forced)).elements())
    rng.shuffle(pool)
    pairs, singles = _random_removals(pool, options, rng)
    gaps = sum(card is GONE for row in position.rows for card in row)
    base = len(forced)
    if position.gone_cards is not None:
        exact = sum(isinstance(card, Unseen) for card in position.gone_cards)
        bounds = GoneBounds(min(exact, bounds.at_most), bounds.at_most)
    low = max(0, gaps - len(known) - base)
    most_pairs = gaps if options.turned == "laid" else len(pairs)
    choices = [
        (p, s)
        for p in range(min(len(pairs), most_pairs) + 1)
        for s in range(len(singles) + 1)
        if (2 * p + s + base == bounds.exact if bounds.exact is not None else low <= 2 * p + s <= bounds.at_most - base)
    ]
    if not choices:
        wanted = bounds.exact if bounds.exact is not None else min(bounds.at_most, max(low + base, 0))
        return (forced + pool)[:wanted]
    size = rng.choice(sorted({2 * p + s for p, s in choices}))
    p, s = rng.choice([choice for choice in choices if 2 * choice[0] + choice[1] == size])
    return forced + [card for removed in rng.sample(pairs, p) for card in removed] + rng.sample(singles, s)


def _forced_partners(known: list[Card], options: Options, unseen: list[Card]) -> list[Card]:
    """The card that must have left with the one on top of the foundation, where only one rank can be its partner."""
    forced: list[Card] = []
    for card in known:
        if card.is_joker or card.worth == options.total or options.jokers:
            continue
        forced += [other for other in unseen if pairs_up(card, other, options)][:1]
    return forced


def _random_removals(pool: list[Card], options: Options, rng: Random) -> tuple[list[tuple[Card, Card]], list[Card]]:
    """The pool matched at random into pairs, and its cards that leave alone; what finds no partner is left out."""
    pairs: list[tuple[Card, Card]] = []
    waiting: list[Card] = []
    singles = [card for card in pool if card.worth == options.total]
    jokers = [card for card in pool if card.is_joker]
    for card in pool:
        if card.is_joker or card.worth == options.total:
            continue
        partner = next((other for other in waiting if other.worth + card.worth == options.total), None)
        if partner is None:
            waiting.append(card)
        else:
            waiting.remove(partner)
            pairs.append((partner, card))
    for joker in jokers:
        if waiting:
            pairs.append((joker, waiting.pop(rng.randrange(len(waiting)))))
    return pairs, singles
