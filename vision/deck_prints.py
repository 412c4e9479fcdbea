"""How a deck was seen to be printed, to be known in the next picture of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rules.cards import Card, Rank, Suit

# Plain numbers: commands that read no picture know of readings too, and shall not wait for numpy.
Sums = tuple[tuple[float, ...], ...]

RANKS, SUITS = 30, 20
"""How many numbers tell of the print of a rank and of a suit (`vision.recognize.prints`)."""
_RANKS: Final = tuple(Rank)
_SUITS: Final = tuple(Suit)


@dataclass(frozen=True, slots=True)
class DeckPrints:
    """How a deck was seen to be printed: of each rank, (13, 1 + RANKS), and of each suit, (4, 1 + SUITS), how many of
    its cards were seen and the sum of their prints.
    """

    ranks: Sums
    suits: Sums

    @classmethod
    def of(cls, cards: Sequence[Card], rank: Iterable[Iterable[float]], suit: Iterable[Iterable[float]]) -> DeckPrints:
        """Of cards the prints of which, (n, RANKS) and (n, SUITS), were seen."""
        ranks, suits = ([[0.0] * (1 + size) for _ in of] for of, size in ((_RANKS, RANKS), (_SUITS, SUITS)))
        for card, *prints in zip(cards, rank, suit, strict=True):
            sums = ranks[_RANKS.index(card.rank)], suits[_SUITS.index(card.suit)]
            for own, seen in zip(sums, prints, strict=True):
                own[:] = [total + float(more) for total, more in zip(own, (1.0, *seen), strict=True)]
        return cls(tuple(map(tuple, ranks)), tuple(map(tuple, suits)))

    def to_json(self) -> dict[str, list[list[float]]]:
        """As numbers, to a hundredth of what windows on one print differ by."""
        return {name: [[round(value, 2) for value in row] for row in getattr(self, name)] for name in self.__slots__}

    @classmethod
    def from_json(cls, data: Mapping[str, list[list[float]]]) -> DeckPrints:
        """What was written so; raises KeyError, TypeError or ValueError where it was not."""
        kept = cls(*(tuple(tuple(float(value) for value in row) for row in data[name]) for name in cls.__slots__))
        shapes = [[len(row) for row in sums] for sums in (kept.ranks, kept.suits)]
        if shapes != [[1 + RANKS] * len(_RANKS), [1 + SUITS] * len(_SUITS)]:
            raise ValueError("no prints of a deck")
        return kept

    @property
    def some(self) -> bool:
        """Whether any card was seen."""
        return any(row[0] for row in self.suits)

    def after(self, earlier: DeckPrints) -> DeckPrints:
        """With what earlier pictures of the same deck showed. However often a card is seen, there is one of each in a
        deck, and no more count.
        """
        return DeckPrints(
            _together(self.ranks, earlier.ranks, len(_SUITS)), _together(self.suits, earlier.suits, len(_RANKS))
        )


def _together(now: Sums, earlier: Sums, most: int) -> Sums:
    """Both sums, each scaled down to so many cards at most."""
    both = [[a + b for a, b in zip(one, other, strict=True)] for one, other in zip(now, earlier, strict=True)]
    return tuple(tuple(value * min(1.0, most / max(row[0], 1e-9)) for value in row) for row in both)


NO_PRINTS: Final = DeckPrints.of((), (), ())
