"""What the cards of a base column tell: the foundations of one game all began with one rank and go one way round, and
the cards under those on top lie nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.cards.candidates import Candidates
from vision.layout import one_line
from vision.recognize.index_reader import CARDS, RANKS, SUITS

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Foundations:
    """How much likelier each card (suit, rank) is on top of a foundation than anywhere, and how many cards read nowhere
    lie under it then, for each rank that it may have begun with and both ways round, (13, 2, 4, 13).
    """

    on_top: Doubles
    under: Doubles

    def odds(self, belief: Doubles) -> float:
        """Log-odds of cards (m, 54) in the base column, against any cards."""
        return float(np.log(np.mean([weight for weight, _ in self._explained(belief)]))) if len(belief) else 0.0

    def hidden(self, belief: Doubles) -> tuple[float, float]:
        """How many cards that were read nowhere are expected to lie under the cards (m, 54) of the base column, and the
        chance that this can be told: the foundations began with one rank.
        """
        ways = self._explained(belief) if len(belief) else [(1.0, None)]
        known = sum(weight for weight, under in ways if under is not None)
        expected = sum(weight * under for weight, under in ways if under is not None) / max(known, 1e-12)
        return expected, known / sum(weight for weight, _ in ways)

    def _explained(self, belief: Doubles) -> list[tuple[float, float | None]]:
        """How the cards of the base column came there: how likely each way is, and how many cards that were read
        nowhere lie under them then, None where that is not known.
        """
        named = belief[:, : len(CARDS)]
        cards = (named + (1 - named.sum(1, keepdims=True)) / len(CARDS)).reshape(-1, SUITS, RANKS)
        each = np.einsum("rdst,nst->rdn", self.on_top, cards)
        below = np.einsum("rdst,nst->rdn", self.on_top * self.under, cards) / np.maximum(each, 1e-12)
        one, own = each.prod(2), each.mean(0).prod(1).mean()
        begun = (RANKS * cards.sum(1)).prod(0).mean()
        # Foundations that all began with one rank, on them cards missing from the table; cards of one rank, just laid;
        # foundations each of which began with a rank of its own; and any cards: all as likely.
        return [
            (one.mean(), float((one * below.sum(2)).sum() / max(one.sum(), 1e-12))),
            (begun, 0.0),
            (own, None),
            (1.0, None),
        ]


def foundations(cards: Candidates) -> Foundations:
    """What foundations may show on a table with these candidates."""
    gone = np.prod(1 - cards.belief[:, : len(CARDS)], axis=0).reshape(SUITS, RANKS)
    astray = one_line.SETTINGS.skipped
    share = float(np.clip(gone.mean(), astray, 1 - astray))
    by_chance = gone * share + (1 - gone) * (1 - share)
    under = np.log((gone + (1 - gone) * astray) / by_chance)
    beside = np.log((gone * astray + (1 - gone) * (1 - astray)) / by_chance)
    # So many cards lie under the one on top, were the missing ones dealt out to the foundations by chance.
    end = 1 / (1 + float(gone.sum()) / SUITS)
    depth = np.log(end) + np.arange(RANKS) * np.log(max(1 - end, 1e-3)) + np.log(RANKS)
    out, hidden = np.empty((2, RANKS, 2, SUITS, RANKS))
    for first, way in product(range(RANKS), (0, 1)):
        round_it = (first + np.arange(RANKS) * (1 if way else -1)) % RANKS
        below = np.cumsum(under[:, round_it], axis=1) - under[:, round_it]
        above = beside.sum(1, keepdims=True) - np.cumsum(beside[:, round_it], axis=1)
        out[first, way][:, round_it] = np.exp(depth + below + above)
        hidden[first, way][:, round_it] = np.cumsum(gone[:, round_it], axis=1) - gone[:, round_it]
    return Foundations(out, hidden)
