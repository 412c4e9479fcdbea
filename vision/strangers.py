"""Cards of no deck among the cards: a trump, a visiting card. They lie face up, and are none of the 52."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import evidence, sites
from vision.desk import Spotted
from vision.evidence import NONE
from vision.find import Found
from vision.net import Net
from vision.spread import closer, outline
from vision.windows import Shrunk

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sureness:
    """When a card is called foreign rather than not read; strict, for a deck's own card called foreign is an insult."""

    strange: float = 0.5  # chance that it is of no deck, by its index and its whole face
    face: float = 0.5  # less of a chance that its face shows, and it is a back
    width: float = 70.0  # card widths in pixels below which too little of it shows
    shared: float = 0.1  # share of a loose card that may lie under others: what is more in sight is a card by itself
    outline: float = 1.8  # heat of its four corners, one each at best
    plain: float = 2.6  # the same of a card that lies there for sure, foreign or not


SURENESS = Sureness()


def unclaimed(picture: Shrunk, found: Found, taken: Sequence[Spotted], card: Net | None) -> list[Spotted]:
    """The cards found face up on which nothing was read and over which no card read lies, that are of no deck or lie
    there for sure: one that nobody can read is not passed over.

    card: the net that looks at whole cards, where it knows the deck.
    """
    bare, heat = [], []
    nothing = evidence.combined(np.zeros((0, evidence.SIZE)))
    for quad, face in zip(found.cards.quads(), found.cards.face, strict=True):
        axes = sites.axes_of(quad)
        area = max(abs(float(cv2.contourArea(quad))), 1e-6)
        lies = [cv2.intersectConvexConvex(quad, s.quad_xy.astype(np.float32))[0] / area for s in taken]
        around = outline(axes, found.corners)
        if face > 0.5 and max(lies, default=0.0) < SURENESS.shared and around > SURENESS.outline:
            bare.append(Spotted("", 0.95, float(face), nothing, sites.corners_of(axes)))
            heat.append(around)
    looked = closer(picture, bare, card) if card is not None else bare
    return [
        s
        for s, look, around in zip(bare, looked, heat, strict=True)
        if around > SURENESS.plain or (card is not None and is_foreign(look))
    ]


def is_foreign(s: Spotted) -> bool:
    """Whether a card that was looked at as a whole is of no deck."""
    axes = sites.axes_of(s.quad_xy)
    wide = 2 * min(float(np.linalg.norm(axes[:, 0])), float(np.linalg.norm(axes[:, 1])))
    strange = s.present > 0.5 and s.face > SURENESS.face and float(s.belief[NONE]) > SURENESS.strange
    return strange and wide >= SURENESS.width
