"""How a deck was seen to be printed, to be known in the next picture of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.cards import Card, Rank, Suit

Doubles = NDArray[np.float64]

RANKS, SUITS = 30, 20
"""How many numbers tell of the print of a rank and of a suit (`vision.recognize.prints`)."""
_RANKS: Final = tuple(Rank)
_SUITS: Final = tuple(Suit)


@dataclass(frozen=True, slots=True)
class DeckPrints:
    """How a deck was seen to be printed: of each rank, (13, 1 + RANKS), and of each suit, (4, 1 + SUITS), how many of
    its cards were seen and the sum of their prints.
    """

    ranks: Doubles
    suits: Doubles

    @classmethod
    def of(cls, cards: Sequence[Card], rank: Doubles, suit: Doubles) -> DeckPrints:
        """Of cards the prints of which, (n, RANKS) and (n, SUITS), were seen."""
        known = cls(np.zeros((len(Rank), 1 + RANKS)), np.zeros((len(Suit), 1 + SUITS)))
        for card, of_rank, of_suit in zip(cards, rank, suit, strict=True):
            known.ranks[_RANKS.index(card.rank)] += [1.0, *of_rank]
            known.suits[_SUITS.index(card.suit)] += [1.0, *of_suit]
        return known

    def to_json(self) -> dict[str, list[list[float]]]:
        """As numbers, to a hundredth of what windows on one print differ by."""
        return {name: np.round(getattr(self, name), 2).tolist() for name in self.__slots__}

    @classmethod
    def from_json(cls, data: Mapping[str, list[list[float]]]) -> DeckPrints:
        """What was written so; raises KeyError, TypeError or ValueError where it was not."""
        return cls(
            np.array(data["ranks"], np.float64).reshape(NO_PRINTS.ranks.shape),
            np.array(data["suits"], np.float64).reshape(NO_PRINTS.suits.shape),
        )

    @property
    def some(self) -> bool:
        """Whether any card was seen."""
        return bool(self.suits[:, 0].any())

    def after(self, earlier: DeckPrints) -> DeckPrints:
        """With what earlier pictures of the same deck showed. However often a card is seen, there is one of each in a
        deck, and no more count.
        """
        both = ((self.ranks + earlier.ranks, len(Suit)), (self.suits + earlier.suits, len(Rank)))
        return DeckPrints(*(sums * np.minimum(1, most / np.maximum(sums[:, :1], 1e-9)) for sums, most in both))


NO_PRINTS: Final = DeckPrints.of((), np.zeros((0, RANKS)), np.zeros((0, SUITS)))
