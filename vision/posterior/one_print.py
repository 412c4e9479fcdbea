"""One print: a deck prints a rank alike on all its cards, and a suit, so the cards of a table tell of each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.deck_prints import NO_PRINTS, DeckPrints
from vision.posterior.one_deck import one_deck
from vision.recognize import prints
from vision.recognize.index_reader import CARDS, JOKER_AT, RANKS, SUITS

Doubles = NDArray[np.float64]

# What a card is thought to be tells of the others, and they of it, so many times.
ROUNDS = 3
# So many cards of a suit at least are one witness: what fewer say is heard of each.
GROUP = 3.0


def likelier(
    chances: Doubles, rank: Doubles, suit: Doubles, printed: Doubles, known: DeckPrints = NO_PRINTS
) -> Doubles:
    """How much likelier each card is of each rank and of each suit by how the others are printed: log-odds (n, 52, 2).

    chances: (n, 53) of each card and the joker, as far as is known; rank, suit, printed: as in `Observed`; known: what
    earlier pictures showed of the deck.
    """
    of_rank, of_suit = prints.load()
    shape = (len(chances), SUITS, RANKS)
    rest = np.maximum(1 - chances.sum(1, keepdims=True), 0.0)
    shares = one_deck(np.column_stack([chances, rest]))[:, :JOKER_AT].reshape(shape)
    ranks = of_rank.likelier(rank, shares.sum(1), printed, np.array(known.ranks))
    suits = of_suit.likelier(suit, shares.sum(2), printed, np.array(known.suits))
    both = np.broadcast_to(ranks[:, None], shape), np.broadcast_to(suits[:, :, None], shape)
    return np.stack([one.reshape(len(chances), len(CARDS)) for one in both], axis=2)


def is_same(chances: Doubles, rank: Doubles, suit: Doubles, printed: Doubles, known: DeckPrints) -> bool:
    """Whether cards are likelier of the deck that earlier pictures showed than of any: it may be another one.

    chances: (n, 53) of each card and the joker by itself; the rest as for `likelier`.
    """
    shares = chances[:, :JOKER_AT].reshape(len(chances), SUITS, RANKS)
    of_rank, of_suit = prints.load()
    ranks = of_rank.likelier(rank, np.zeros_like(shares.sum(1)), printed, np.array(known.ranks))
    suits = of_suit.likelier(suit, np.zeros_like(shares.sum(2)), printed, np.array(known.suits))
    return bool((shares.sum(1) * ranks).sum() + (shares.sum(2) * suits).sum() > 0)


def astray(alone: Doubles, chances: Doubles) -> Doubles:
    """The chance (n,) that all cards of the suit of each are taken for another, or those of another for it.

    However many cards show a sign and an ink that are new to the nets, they are one witness: all are misread alike. So
    the mean of what they say counts, once. Of ranks there are too few cards each for that.

    alone, chances: (n, 52) of each card, by itself and by how all are printed.
    """
    shape = (len(chances), SUITS, RANKS)
    by_itself, of = alone.reshape(shape).sum(2), chances.reshape(shape).sum(2)
    count = of.sum(0)
    mean = of.T @ np.log(by_itself + 1e-6) / np.maximum(count, 1e-9)[:, None]
    other = np.where(count[:, None] < GROUP, 0.0, 1 / (1 + np.exp(np.diag(mean)[:, None] - mean)))
    np.fill_diagonal(other, 0.0)
    return np.asarray(of @ (1 - np.prod(1 - np.maximum(other, other.T), axis=1)))
