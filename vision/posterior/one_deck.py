"""One deck: a card that surely lies in one place is hardly in another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.recognize.index_reader import CARDS, JOKER_AT

Doubles = NDArray[np.float64]

# How readily two of the same card are believed: people do mix decks, and such a fault must still be seen.
TWICE = 0.004
# The same without a layout, where another corner of a card may be taken for a card of its own.
SEEN_TWICE = 0.1
# Where cards come twice that are read as surely as this, so many of them, of so many ranks and suits, two decks are
# mixed: a sign that is misread makes cards of one suit or one rank come twice.
SURE, MIXED, RANKS, SUITS = 0.99, 4, 3, 3
# Then a card may lie in two places as well as in one.
TWO_DECKS = 1.0
# Word goes around so often, three steps from place to place: more often it comes back to who said it, and what two
# places waver between would grow sure (of 400 small decks counted out the nearest).
ROUNDS = 3


def one_deck(beliefs: Doubles, twice: float = TWICE) -> Doubles:
    """Beliefs (n, 54) of n places made to agree with one deck: each card's chance is lowered by its chances elsewhere,
    at most to `twice` of it.

    Jokers and `nothing` may occur any number of times. Places and cards tell each other what the others leave open,
    round by round: the sum-product algorithm, by which a card that two places claim counts once for each and not again
    for what it did to the other.
    """
    start = beliefs.astype(np.float64)
    cards = start[:, :JOKER_AT]
    total = start.sum(1, keepdims=True)
    free = np.ones_like(cards)
    for _ in range(ROUNDS):
        claims = cards * free
        # How likely each place is to be each card against all else, by what the other cards leave to it.
        rest = total - cards.sum(1, keepdims=True) + claims.sum(1, keepdims=True) - claims
        odds = cards / np.maximum(rest, 1e-12)
        others = odds.sum(0, keepdims=True) - odds
        free = (1 + twice * others) / (1 + others)
    agreed = start.copy()
    agreed[:, :JOKER_AT] *= free
    return np.asarray(agreed / np.maximum(agreed.sum(1, keepdims=True), 1e-12))


def of_two(beliefs: Doubles) -> NDArray[np.bool_]:
    """Which of n places show a card that another one shows as surely, (n,), where two decks are mixed; else none."""
    sure = beliefs[:, :JOKER_AT] > SURE
    twice = sure.sum(0) > 1
    cards = [CARDS[n] for n in np.flatnonzero(twice)]
    many = len(cards) >= MIXED and len({c.rank for c in cards}) >= RANKS and len({c.suit for c in cards}) >= SUITS
    return np.asarray((sure & twice).any(1) & many)
