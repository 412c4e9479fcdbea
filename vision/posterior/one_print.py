"""One print: a deck prints a rank alike on all its cards, and a suit, so the cards of a table tell of each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.posterior.one_deck import one_deck
from vision.recognize import prints
from vision.recognize.index_reader import CARDS, JOKER_AT

Doubles = NDArray[np.float64]

# What a card is thought to be tells of the others, and they of it, so many times.
ROUNDS = 3
SUITS = 4


def likelier(chances: Doubles, rank: Doubles, suit: Doubles, printed: Doubles) -> Doubles:
    """How much likelier each card is of each rank and of each suit by how the others are printed: log-odds (n, 52, 2).

    chances: (n, 53) of each card and the joker, as far as is known; rank, suit, printed: as in `Observed`.
    """
    of_rank, of_suit = prints.load()
    shape = (len(chances), SUITS, len(CARDS) // SUITS)
    rest = np.maximum(1 - chances.sum(1, keepdims=True), 0.0)
    known = one_deck(np.column_stack([chances, rest]))[:, :JOKER_AT].reshape(shape)
    ranks = of_rank.likelier(rank, known.sum(1), printed)
    suits = of_suit.likelier(suit, known.sum(2), printed)
    both = np.broadcast_to(ranks[:, None], shape), np.broadcast_to(suits[:, :, None], shape)
    return np.stack([one.reshape(len(chances), len(CARDS)) for one in both], axis=2)
