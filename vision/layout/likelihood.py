"""One likelihood of a layout, whatever its shape: how much likelier its cards lie so in it than anywhere on the table.

Cards lie on its places, few elsewhere but on piles, and none is missing where others lie on it. The weights are fitted
to drawn tables, some of them laid so and others not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.posterior import place_model

Doubles = NDArray[np.float64]

# Chance of another layout, or number of rows, from which on it is told of: what is surer is not asked about.
ALSO = 0.04
NEARLY = float(np.log(1 / ALSO - 1))
# A placing whose log-odds are so much worse than the best one's is no rival: it is right once in 60 000 times.
RIVAL = 11.0


@dataclass(frozen=True, slots=True)
class Explained:
    """What a placing makes of the cards on a table, each counted by the chance that there is one.

    cards, strays, piles: how many lie on its places, how many nowhere, and how many where piles may lie. bare: (m,) for
    the places that hold a card, though none was found there, the chance that the table shows. lines: how many lines
    were laid out freely, each beginning and going on where it fits best.
    """

    cards: float
    strays: float
    piles: float
    bare: Doubles
    lines: int


def features(of: Explained) -> Doubles:
    """What the log-odds are linear in, in the order of `place_model.LAYOUT_FEATURES`."""
    return np.array([1.0, of.cards, of.strays, of.piles, len(of.bare), of.bare.sum(), of.lines], np.float64)


def odds(of: Explained) -> float:
    """The log-odds that the cards lie in a layout as placed, against cards that lie anywhere."""
    return float(features(of) @ place_model.load().layout)


def best(cards: float) -> float:
    """The most that these log-odds can be of cards, counted by the chance that there is each, on any layout of lines,
    which are two at least.
    """
    return odds(Explained(cards, 0.0, 0.0, np.zeros(0), 2))
