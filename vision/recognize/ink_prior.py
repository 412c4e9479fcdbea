"""The inks a deck is printed in: a rank has the ink of its suit, and the other cards in sight show which that is.

An index whose suit lies under another card may have that card's suit where its own should be; its rank still has the
ink of its own suit. Nothing is assumed about inks: the surest indices of the picture show which suit has which, so that
four colours, odd colours and ranks all in one ink need no rule of their own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.image.shrunk import Shrunk
from vision.recognize.index_crops import LEFT, SIDE, SPAN, TOP, cut
from vision.recognize.index_reader import JOKER_AT, RANKS, READ, SUITS, Readings

Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]

# Inks of one suit lie so far apart in a picture, as unit vectors: half of 2278 sure ones on drawn tables lay within
# 0.013 of their mean, nine in ten within 0.052, all but one in a hundred within 0.133.
SPREAD = 0.08
# Before a card of a suit is seen, it is thought to have the ink of the other suit of its colour, if the deck has two
# colours, or else another than that; and before one of that is seen, to have the ink in question with this chance. Such
# a thought is worth so many cards. So many decks have two colours, as far as is known before both of one are seen.
UNSEEN, WORTH, TWO = 0.3, 0.1, 0.8
# So often what is measured is no ink of its own, but of a card that lies close by: of 0 to 0.25 this was the
# likeliest on drawn tables.
ASTRAY = 0.1
# Share of the pixels in a rank's box that count as its ink, and the contrast to the paper at which ink shows, 0..1.
INKED, SHOWS = 0.12, 0.15
# Half sides of the box that a rank fills, in index units.
BOX = (0.4, 0.5)
MATE = [3, 2, 1, 0]  # spades and clubs, hearts and diamonds


def weighed(picture: Shrunk, readings: Readings) -> Readings:
    """The readings with each suit weighed by whether the rank has its ink."""
    if not len(readings):
        return readings
    ink, shows = inks(cut(picture, readings.frames))
    cards = readings.beliefs[:, :JOKER_AT].reshape(-1, SUITS, RANKS)
    suits = cards.sum(2)
    suit = np.where(shows & (suits.max(1) > READ), suits.argmax(1), -1)
    likely = np.where(shows[:, None], likelihoods(ink, suit, cards.sum(1).argmax(1)), 1.0)
    told = (suits * likely).sum(1)
    factor = likely * np.where(told > 0, suits.sum(1) / np.maximum(told, 1e-12), 1.0)[:, None]
    beliefs = readings.beliefs.copy()
    beliefs[:, :JOKER_AT] = (cards * factor[:, :, None]).reshape(-1, JOKER_AT)
    return Readings(readings.frames, beliefs)


def likelihoods(ink: Doubles, suit: NDArray[np.intp], rank: NDArray[np.intp]) -> Doubles:
    """How likely inks (n, 3) are for each suit, (n, 4), by the other inks whose `suit` (n,) is known; -1 where not.

    rank: (n,) that of each. The suit of a card is not told by other indices of its rank: those of the same suit are its
    own, and misread alike.
    """
    alike = np.exp(-(1 - np.clip(ink @ ink.T, -1, 1)) / SPREAD**2)
    of_suit = (suit[:, None] == np.arange(SUITS)).astype(np.float64)
    told_by = (rank[:, None] != rank).astype(np.float64)
    near, others = (alike * told_by) @ of_suit, told_by @ of_suit
    thought = ((near + UNSEEN * WORTH) / (others + WORTH))[:, MATE]
    two = two_colours(alike, of_suit, rank)[:, None]
    thought = two * thought + (1 - two) * UNSEEN * (1 - thought)
    return np.asarray((1 - ASTRAY) * (near + thought * WORTH) / (others + WORTH) + ASTRAY)


def two_colours(alike: Doubles, of_suit: Doubles, rank: NDArray[np.intp]) -> Doubles:
    """The chance (n,) that both suits of a colour have one ink, by how `alike` (n, n) those are whose suit (n, 4) is
    known, for each without the others of its `rank` (n,).
    """
    cards = (of_suit[:, :, None] * (rank[:, None] == np.arange(RANKS))[:, None]).reshape(len(rank), JOKER_AT)
    by_card = (cards.T @ alike @ cards).reshape(SUITS, RANKS, SUITS, RANKS)
    count, without = cards.sum(0).reshape(SUITS, RANKS), 1 - np.eye(RANKS)
    left = count @ without
    total, pairs = np.full(RANKS, TWO * WORTH), np.full(RANKS, WORTH)
    for one, other in ((0, 3), (1, 2)):
        both = left[one] * left[other]
        same = np.einsum("ar,ab,br->r", without, by_card[one, :, other], without)
        total, pairs = total + same / np.maximum(both, 1.0), pairs + (both > 0)
    return np.asarray((total / pairs)[rank])


def inks(windows: Bytes) -> tuple[Doubles, Flags]:
    """The inks of the ranks in windows (n, 48, 48, 3): the shares of red, green and blue that the paper loses there, as
    unit vectors (n, 3), and whether any shows (n,).
    """
    at = (np.arange(SIDE) + 0.5) * SPAN / SIDE
    columns, rows = np.flatnonzero(np.abs(at + LEFT) < BOX[0]), np.flatnonzero(np.abs(at + TOP) < BOX[1])
    box = windows[:, rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].reshape(len(windows), -1, 3)
    paper = np.maximum(np.percentile(box, 80, axis=1), 1.0)[:, None]
    lost = np.clip(1 - box / paper, 0, 1)
    depth = lost.max(2)
    deepest = np.argsort(-depth, axis=1)[:, : max(1, round(INKED * box.shape[1]))]
    mean = np.take_along_axis(lost, deepest[:, :, None], axis=1).mean(1)
    length = np.linalg.norm(mean, axis=1)
    return mean / np.maximum(length, 1e-9)[:, None], np.asarray(mean.max(1) > SHOWS)
