"""What is told of places in the end: what they were taken for and can hardly be, and how their cards are printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.cards import FACE_DOWN, UNREADABLE, Card
from rules.layouts import FOUNDATION, STOCK, TURNED, WASTE
from vision.deck_prints import DeckPrints
from vision.posterior.observation import Observed
from vision.posterior.spotted import Spotted
from vision.reading import SeenCard
from vision.recognize.index_reader import CARDS

PILES = (WASTE, FOUNDATION)  # they show a card, or are empty


def shown_prints(seen: Observed, cards: Sequence[SeenCard]) -> DeckPrints:
    """How the cards are printed that are told surely."""
    told = [n for n, card in enumerate(cards) if card.card in CARDS and not card.doubtful and seen.printed[n]]
    named = [card for card in (cards[n].card for n in told) if isinstance(card, Card)]
    return DeckPrints.of(named, seen.rank_print[told], seen.suit_print[told])


def as_pile(card: SeenCard) -> SeenCard:
    """What seemed to be turned up on the stock and is a back is the stock; what cannot be read there is more likely its
    back as well, and asked about as that; so is a back where by the rules a pile lies face up.
    """
    if card.place in PILES and card.card is FACE_DOWN:
        return replace(card, doubtful=True)
    if card.place == TURNED and card.card is FACE_DOWN:
        return replace(card, place=STOCK)
    if card.place != TURNED or card.card is not UNREADABLE:
        return card
    return SeenCard(STOCK, FACE_DOWN, 1 - card.probability, True, card.alternatives, card.quad_xy)


def as_foreign(card: SeenCard, s: Spotted) -> SeenCard:
    """A card of no deck is named as such, whatever the place was taken for; it is still asked about. What seems one
    turned up on the stock is more likely its back, a picture.
    """
    if not s.is_foreign or card.place == STOCK:
        return card
    return replace(card, place=s.place, card=UNREADABLE, probability=s.present, doubtful=True, foreign=True)
