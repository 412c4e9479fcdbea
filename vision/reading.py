"""What a picture tells: the records that leave this package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from rules.cards import Seen
from vision.deck_prints import NO_PRINTS, DeckPrints

Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card (or a place where one could be) as it was read.

    probability: calibrated chance that `card` is right. doubtful: to be asked, not guessed.
    alternatives: the best three readings with their chances. quad_xy: pixels of the upright picture, clockwise from
    the card's upper left. foreign: unreadable because it is of no deck.
    """

    place: str
    card: Seen
    probability: float
    doubtful: bool
    alternatives: tuple[tuple[Seen, float], ...]
    quad_xy: Quad
    foreign: bool = False


@dataclass(frozen=True, slots=True)
class Advice:
    """What would make the picture read better: a code, and the places it concerns."""

    code: str
    places: tuple[str, ...] = ()


def is_covered(advice: Iterable[Advice]) -> bool:
    """Whether something that is no card lies over a card."""
    return any(each.code == "covered" for each in advice)


@dataclass(frozen=True, slots=True)
class TableReading:
    """Everything read from one picture of `width` × `height` pixels (upright).

    layout: id of the layout found, None for a spread; also: others of which the same cards may be left. places: what
    lies at each of their places (the stock as a truth value); a place that cannot be told is absent. doubts: places to
    ask about, empty-looking ones included. milliseconds: total (from the file's bytes), decode, find, read, arrange.
    foreign: unreadable places where a face shows well and plainly is none of a deck's. deck: the taught deck whose
    profile read it. empty: for each place looked at and told empty the best three readings with their chances. prints:
    how the cards are printed that were told surely.
    """

    width: int
    height: int
    layout: str | None
    cards: tuple[SeenCard, ...]
    places: Mapping[str, Seen | bool]
    doubts: tuple[str, ...]
    advice: tuple[Advice, ...]
    milliseconds: Mapping[str, float]
    foreign: tuple[str, ...] = ()
    deck: str | None = None
    also: tuple[str, ...] = ()
    empty: Mapping[str, tuple[tuple[Seen, float], ...]] = field(default_factory=dict)
    prints: DeckPrints = field(default=NO_PRINTS, compare=False)

    @property
    def is_blurred(self) -> bool:
        """Whether the picture is shaken or out of focus."""
        return any(advice.code == "sharper" for advice in self.advice)

    @property
    def is_poor(self) -> bool:
        """Whether a third of a layout is in doubt."""
        return self.layout is not None and len(self.doubts) * 3 > len(self.places)

    def enlarged(self, factor: float, width: int, height: int) -> TableReading:
        """The same in the pixels of a picture so much larger, of `width` × `height`."""
        return self._moved(lambda x, y: (x * factor, y * factor), width, height)

    def turned_back(self) -> TableReading:
        """The same in the pixels of the picture that was turned by a quarter, counterclockwise, before it was read."""
        return self._moved(lambda x, y: (self.height - y, x), self.height, self.width)

    def _moved(self, move: Callable[[float, float], tuple[float, float]], width: int, height: int) -> TableReading:
        quads = [tuple(move(x, y) for x, y in card.quad_xy) for card in self.cards]
        cards = tuple(replace(card, quad_xy=cast(Quad, at)) for card, at in zip(self.cards, quads, strict=True))
        return replace(self, width=width, height=height, cards=cards)
