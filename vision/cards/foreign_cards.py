"""Cards of no deck among the cards: a trump, a visiting card. They lie face up, and are none of the 52."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vision.cards.loose_cards import outline
from vision.detect.multiscale import Found
from vision.posterior.observation import Query, none_read
from vision.recognize import card_frame


@dataclass(frozen=True, slots=True)
class Settings:
    """When a find on which nothing was read is a card by itself."""

    shared: float = 0.1  # share of it that may lie under others: what is more in sight is a card by itself
    outline: float = 1.8  # heat of its four corners, one each at best


SETTINGS = Settings()


def unclaimed(found: Found, taken: Sequence[Query]) -> list[Query]:
    """The cards found face up on which nothing was read and over which no card read lies: one that nobody can read is
    not passed over.
    """
    bare = []
    for quad, face in zip(found.cards.quads(), found.cards.face, strict=True):
        axes = card_frame.axes_of(quad)
        lies = [card_frame.shared(quad, card_frame.corners_of(query.axes)) for query in taken]
        if face > 0.5 and max(lies, default=0.0) < SETTINGS.shared and outline(axes, found.corners) > SETTINGS.outline:
            bare.append(Query("", axes, none_read(), (), kind="loose"))
    return bare
