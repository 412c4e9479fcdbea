"""The bodies of cards, whatever is printed on them: what whole cards and outer corners say on the rectified table.

There every card of a layout is one unit wide and high, so a single corner tells where the card's middle lies. Witnesses
that agree are of one card.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.cards import homography
from vision.cards.homography import Plane
from vision.detect import outline_fit
from vision.detect.card_voting import CardFinds
from vision.detect.heatmaps import Corners
from vision.detect.multiscale import Found
from vision.recognize import card_frame
from vision.recognize.index_reader import NONE, Readings

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settings:
    """What witnesses weigh, and when they are of one card or of none. Set by judgement, tried on drawn tables."""

    weight: float = 0.75  # of a whole card found as the others lie, and of a corner as hot as can be
    needed: float = 0.95  # a body is plain with a whole card and a corner, or with two corners;
    hinted: float = 0.4  # with less it may be one
    reach: float = 0.17  # in card sides: so near they are of one card, or a card of a row (the closest lie 0.2 apart)
    tilt: float = 0.45  # a whole card counts 1/e where its sides are so far off, in card sides
    # A card turned by more than so many degrees against the layout is not of it, if so many of its corners and an index
    # so close to its place (in half sides) say that it does lie so. Cards of a layout are laid within some 10 degrees.
    askew: float = 20.0
    index: float = 0.2


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Bodies:
    """Where cards may lie on the rectified table: middles (n, 2) in card units, and weight of their witnesses (n,)."""

    middle: Doubles
    weight: Doubles

    def __len__(self) -> int:
        return len(self.middle)

    def take(self, which: NDArray[np.intp]) -> Bodies:
        """Some of them."""
        return Bodies(self.middle[which], self.weight[which])


def bodies(plane: Plane, cards: CardFinds, corners: Corners) -> Bodies:
    """The cards that whole cards and outer corners speak for, the lightest with `SETTINGS.hinted`."""
    parts = [_from_wholes(plane, cards), _from_corners(plane, corners)]
    return _grouped(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def straight(plane: Plane, found: Found, readings: Readings) -> tuple[Found, Readings]:
    """What is witness of a card of the layout: without the cards that plainly lie askew to it and their corners, which
    would make up others beside them; what was read on these is no index.
    """
    cards = found.cards
    if not len(cards) or not len(readings):
        return found, readings
    down = np.abs(plane.directions(cards.middle_xy, cards.down_xy)) * [1.0, card_frame.TALL]
    turned = np.degrees(np.arctan2(down[:, 0], down[:, 1])) > SETTINGS.askew
    fits = card_frame.misfits(card_frame.axes_of_all(cards.quads()), readings.frames)[0]
    own = (fits < SETTINGS.index) & (readings.is_index() > 0.5)
    askew = turned & own.any(1) & (outline_fit.held(cards, found.corners) >= homography.SETTINGS.sharp)
    if not askew.any():
        return found, readings
    kept = ~outline_fit.standing(cards.take(askew), found.corners)
    beliefs = readings.beliefs.copy()
    beliefs[own[askew].any(0)] = np.eye(NONE + 1)[NONE]
    return replace(found, cards=cards.take(~askew), corners=found.corners.take(kept)), replace(
        readings, beliefs=beliefs
    )


def _from_wholes(plane: Plane, cards: CardFinds) -> tuple[Doubles, Doubles]:
    middle = plane.flat(cards.middle_xy)
    right = np.abs(plane.directions(cards.middle_xy, cards.right_xy))
    down = np.abs(plane.directions(cards.middle_xy, cards.down_xy))
    # Half sides of 0.5 along, 0 across, if the find agrees with its neighbours.
    off = np.abs(right - [0.5, 0]).max(1) + np.abs(down - [0, 0.5]).max(1)
    return middle, SETTINGS.weight * np.exp(-((off / SETTINGS.tilt) ** 2))


def _from_corners(plane: Plane, corners: Corners) -> tuple[Doubles, Doubles]:
    kind = homography.kinds(plane, corners)
    good = kind >= 0
    middle = plane.flat(corners.at_xy)[good] + homography.INWARD[kind[good]] / 2
    return middle.reshape(-1, 2), corners.heat[good].astype(np.float64) * SETTINGS.weight


def _grouped(middle: Doubles, weight: Doubles) -> Bodies:
    """Bodies where witnesses agree; what lies nowhere or weighs nothing is none."""
    counts = np.isfinite(middle).all(1) & (weight > 0)
    middle, weight = middle[counts], weight[counts]
    if not len(middle):
        return Bodies(np.zeros((0, 2)), np.zeros(0))
    across, down = (np.abs(v - v[:, None]) for v in middle.T)
    near = np.exp(-(across**2 + down**2) / (2 * (SETTINGS.reach / 2) ** 2))
    close = np.maximum(across, down) < SETTINGS.reach
    left = np.ones(len(middle), bool)
    weighed = near * weight
    support, found = weighed.sum(1), []
    while left.any():
        seed = int(support.argmax())
        mine = np.flatnonzero(close[seed] & left)
        total, w = float(weight[mine].sum()), weighed[seed, mine]
        if total >= SETTINGS.hinted:
            found.append((*(w @ middle[mine]) / max(float(w.sum()), 1e-9), total))
        left[mine] = False
        support -= weighed[:, mine].sum(1)
        support[mine] = -np.inf
    table = np.array(found).reshape(-1, 3)
    return Bodies(table[:, :2], table[:, 2])
