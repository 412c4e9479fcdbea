"""What is told of cards that lie at no place of a layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rules.cards import FACE_DOWN, GONE
from vision.posterior.spotted import Spotted
from vision.reading import SeenCard

MAY_LIE: Final = 0.45
"""Without a layout a card that lies there with more than this chance is told of, if only to be asked about."""


def lying(spotted: Sequence[Spotted], cards: Sequence[SeenCard]) -> tuple[tuple[Spotted, ...], tuple[SeenCard, ...]]:
    """Of finds without a layout those at which a card may lie, numbered anew, with what was told of each: where one is
    nearly as likely as none it is asked about.
    """
    likely = [(s, _as_card(card) if s.present > MAY_LIE else card) for s, card in zip(spotted, cards, strict=True)]
    kept = [(s, card) for s, card in likely if card.card is not GONE]
    names = [f"table {number}" for number in range(1, len(kept) + 1)]
    return (
        tuple(replace(s, place=name) for (s, _), name in zip(kept, names, strict=True)),
        tuple(replace(card, place=name) for (_, card), name in zip(kept, names, strict=True)),
    )


def strays(cards: tuple[SeenCard, ...]) -> tuple[SeenCard, ...]:
    """The cards beside a layout that show a face after all, numbered anew."""
    faces = (card for card in cards if card.card not in (GONE, FACE_DOWN))
    return tuple(replace(card, place=f"table {number}") for number, card in enumerate(faces, start=1))


def _as_card(card: SeenCard) -> SeenCard:
    """The likeliest card where nothing is the likeliest."""
    others = [(seen, chance) for seen, chance in card.alternatives if seen is not GONE]
    if card.card is not GONE or not others:
        return card
    return replace(card, card=others[0][0], probability=others[0][1], doubtful=True)
