"""One deck: a card that surely lies in one place is hardly in another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.evidence import JOKER_AT

Doubles = NDArray[np.float64]

# How readily two of the same card are believed: people do mix decks, and such a fault must still be seen.
TWICE = 0.004
ROUNDS = 4


def one_deck(beliefs: Doubles) -> Doubles:
    """Beliefs (n, 54) of n places made to agree with one deck: each card's chance is lowered by its chances elsewhere.

    Jokers and `nothing` may occur any number of times.
    """
    start = beliefs.astype(np.float64)
    p = start.copy()
    for _ in range(ROUNDS):
        elsewhere = np.ones_like(p[:, :JOKER_AT])
        spare = np.clip(1 - p[:, :JOKER_AT], 0, 1)
        for i in range(len(p)):
            others = np.delete(spare, i, axis=0)
            elsewhere[i] = np.maximum(others.prod(0), TWICE)
        new = start.copy()
        new[:, :JOKER_AT] *= elsewhere
        total = new.sum(1, keepdims=True)
        p = (p + new / np.maximum(total, 1e-12)) / 2
    return p
