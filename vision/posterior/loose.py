"""What is told of cards that lie at no place of a layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.cards import FACE_DOWN, GONE, Card
from vision.posterior.spotted import ASKING, Spotted
from vision.reading import SeenCard


def lying(spotted: Sequence[Spotted], cards: Sequence[SeenCard]) -> tuple[tuple[Spotted, ...], tuple[SeenCard, ...]]:
    """Of finds without a layout those at which a card lies, numbered anew, with what was told of each. Of backs only
    sure ones: much on a table looks a little like one, and nobody wants to be asked about it.
    """
    kept = [(s, card) for s, card in zip(spotted, cards, strict=True) if _is_told(s, card)]
    names = [f"table {number}" for number in range(1, len(kept) + 1)]
    return (
        tuple(replace(s, place=name) for (s, _), name in zip(kept, names, strict=True)),
        tuple(replace(card, place=name) for (_, card), name in zip(kept, names, strict=True)),
    )


def _is_told(spotted: Spotted, card: SeenCard) -> bool:
    back = spotted.present * (1 - spotted.face)
    return card.card is not GONE and (card.card is not FACE_DOWN or back > ASKING.doubtful)


def strays(cards: tuple[SeenCard, ...]) -> tuple[SeenCard, ...]:
    """The cards beside a layout that show a face after all, numbered anew; of those that cannot be read only sure ones,
    for who asked for a layout wants to be asked about its cards.
    """
    faces = [card for card in cards if card.card not in (GONE, FACE_DOWN)]
    told = [card for card in faces if isinstance(card.card, Card) or card.probability > ASKING.doubtful]
    return tuple(replace(card, place=f"table {number}") for number, card in enumerate(told, start=1))
