"""One deck: a card that surely lies in one place is hardly in another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.recognize.index_reader import JOKER_AT

Doubles = NDArray[np.float64]

# How readily two of the same card are believed: people do mix decks, and such a fault must still be seen.
TWICE = 0.004
# The same without a layout, where another corner of a card may be taken for a card of its own.
SEEN_TWICE = 0.1
ROUNDS = 4


def one_deck(beliefs: Doubles, twice: float = TWICE) -> Doubles:
    """Beliefs (n, 54) of n places made to agree with one deck: each card's chance is lowered by its chances elsewhere,
    at most to `twice` of it.

    Jokers and `nothing` may occur any number of times.
    """
    start = beliefs.astype(np.float64)
    p = start.copy()
    for _ in range(ROUNDS):
        spare = np.clip(1 - p[:, :JOKER_AT], 0, 1)
        # What comes before each place times what comes after it: a product over all could not be divided by nought.
        edge = np.ones((1, JOKER_AT))
        before = np.cumprod(np.concatenate([edge, spare[:-1]]), axis=0)
        after = np.cumprod(np.concatenate([edge, spare[:0:-1]]), axis=0)[::-1]
        elsewhere = np.maximum(before * after, twice)
        new = start.copy()
        new[:, :JOKER_AT] *= elsewhere
        total = new.sum(1, keepdims=True)
        p = (p + new / np.maximum(total, 1e-12)) / 2
    return p
