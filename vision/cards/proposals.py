"""Cards of a layout from three witnesses: whole cards, printed indices, and outer corners, all seen on the
rectified table.

There every card is one unit wide and high, so a single corner tells where the card's middle lies. Proposals that
agree are one card.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards import card_frame, homography
from vision.cards.card_frame import USUAL
from vision.cards.homography import Plane
from vision.detect import outline_fit
from vision.detect.card_voting import CardFinds
from vision.detect.heatmaps import Corners
from vision.recognize.index_reader import Readings

Doubles = NDArray[np.float64]

# Weight of each witness, and what is needed to believe in a card: a whole card with a corner, one sure index, or two
# corners. What has less may still be part of a layout.
WHOLE, INDEX, CORNER = 0.8, 1.0, 0.7
NEEDED, HINTED = 0.95, 0.4
NEAR = 0.16  # in card sides: an index this close to where one stands on a card is that card's
FOUR = 0.2  # a deck with so large a share of indices in the upper right has four on each card
REACH = 0.17  # in card sides: proposals this close are one card (the closest rows lie a quarter of a card apart)
# A card turned by more than so many degrees against the layout is not of it, if so many of its corners and an index
# so close to its place (in half sides) say that it does lie so. Cards of a layout are laid within some 10 degrees.
ASKEW, OWN_CORNERS, OWN_INDEX = 20.0, 3, 0.2
TALL = 1.4  # a card is this much higher than wide


@dataclass(frozen=True, slots=True)
class Flat:
    """Cards on the rectified table: middles (n, 2) in card units, weight of their witnesses (n,), chance of face
    up (n,).
    """

    middle: Doubles
    weight: Doubles
    face: Doubles

    def __len__(self) -> int:
        return len(self.middle)

    def take(self, which: NDArray[np.intp]) -> Flat:
        """Some of them."""
        return Flat(self.middle[which], self.weight[which], self.face[which])


def propose(plane: Plane, cards: CardFinds, corners: Corners, readings: Readings) -> Flat:
    """Every card of the layout that its witnesses agree on; cards that plainly lie askew to it are none of it.

    A card of less than NEEDED weight may be none: only the rest of the layout can confirm it.
    """
    cards, corners, readings = _straight(plane, cards, corners, readings)
    parts = [_from_wholes(plane, cards), _from_corners(plane, corners)]
    first = _grouped(NEEDED, *(np.concatenate(column) for column in zip(*parts, strict=True)))
    parts.append(_from_indices(plane, readings, first))
    return _grouped(HINTED, *(np.concatenate(column) for column in zip(*parts, strict=True)))


def bodies(plane: Plane, cards: CardFinds, corners: Corners) -> Flat:
    """The cards that whole cards and outer corners speak for, whatever is printed on them; the lightest with HINTED."""
    parts = [_from_wholes(plane, cards), _from_corners(plane, corners)]
    return _grouped(HINTED, *(np.concatenate(column) for column in zip(*parts, strict=True)))


def _straight(
    plane: Plane, cards: CardFinds, corners: Corners, readings: Readings
) -> tuple[CardFinds, Corners, Readings]:
    """The witnesses less those of cards that lie askew: their corners and indices would make up others beside them."""
    if not len(cards) or not len(readings):
        return cards, corners, readings
    down = np.abs(plane.directions(cards.middle_xy, cards.down_xy)) * [1.0, TALL]
    turned = np.degrees(np.arctan2(down[:, 0], down[:, 1])) > ASKEW
    fits = card_frame.misfits(card_frame.axes_of_all(cards.quads()), readings.frames)[0]
    own = (fits < OWN_INDEX) & (readings.is_index() > 0.5)
    askew = turned & own.any(1) & (outline_fit.held(cards, corners) >= OWN_CORNERS)
    if not askew.any():
        return cards, corners, readings
    kept = ~outline_fit.standing(cards.take(askew), corners)
    return cards.take(~askew), corners.take(kept), readings.take(~own[askew].any(0))


def _from_wholes(plane: Plane, cards: CardFinds) -> tuple[Doubles, Doubles, Doubles]:
    middle = plane.flat(cards.middle_xy)
    right = np.abs(plane.directions(cards.middle_xy, cards.right_xy))
    down = np.abs(plane.directions(cards.middle_xy, cards.down_xy))
    # Half sides of 0.5 along, 0 across, if the find agrees with its neighbours.
    off = np.abs(right - [0.5, 0]).max(1) + np.abs(down - [0, 0.5]).max(1)
    return middle, WHOLE * np.exp(-((off / 0.45) ** 2)), cards.face.astype(np.float64)


def _from_corners(plane: Plane, corners: Corners) -> tuple[Doubles, Doubles, Doubles]:
    kind = homography.kinds(plane, corners)
    good = kind >= 0
    middle = plane.flat(corners.at_xy)[good] + homography.INWARD[kind[good]] / 2
    return middle.reshape(-1, 2), corners.heat[good].astype(np.float64) * CORNER, np.full(int(good.sum()), np.nan)


def _from_indices(plane: Plane, readings: Readings, cards: Flat) -> tuple[Doubles, Doubles, Doubles]:
    """The card under each index that was read, by where this deck's indices stand on the cards already found."""
    which = np.flatnonzero(readings.is_index() > 0.5)
    frames = readings.frames[which].astype(np.float64)
    at = plane.flat(frames[:, :, 2])
    down = plane.directions(frames[:, :, 2], frames[:, :, 1]) if len(which) else np.zeros((0, 2))
    along = down[:, 1] / np.maximum(np.linalg.norm(down, axis=1), 1e-9)
    sign = np.sign(along)[:, None]
    site = np.array(USUAL) / 2
    if len(cards) and len(which):
        gaps = sign[:, None] * (at[:, None] - cards.middle[None])
        near = np.linalg.norm(gaps - site, axis=2)
        hits = gaps[np.arange(len(at)), near.argmin(1)][near.min(1) < NEAR]
        if len(hits) >= 3:
            site = np.median(hits, axis=0)
    stands = np.tile(site, (len(at), 1))
    if len(cards) and len(which):
        # A card with four indices has one in its upper right as well: it stands on a card already found, in mirror.
        left, right = (np.linalg.norm(gaps - s, axis=2).min(1) for s in (site, site * [-1, 1]))
        mirrored = (left > NEAR) & (right < NEAR)
        if mirrored.mean() > FOUR:
            stands[mirrored, 0] *= -1
    upright = np.abs(along) > 0.8
    middle = at - sign * stands
    return middle[upright], INDEX * readings.is_index()[which][upright], np.ones(int(upright.sum()))


def _grouped(needed: float, middle: Doubles, weight: Doubles, face: Doubles) -> Flat:
    """Cards where witnesses of at least this weight in all agree; what lies nowhere or weighs nothing is none."""
    counts = np.isfinite(middle).all(1) & (weight > 0)
    middle, weight, face = middle[counts], weight[counts], face[counts]
    if not len(middle):
        return Flat(np.zeros((0, 2)), np.zeros(0), np.zeros(0))
    apart = middle[None] - middle[:, None]
    near = np.exp(-(apart**2).sum(2) / (2 * (REACH / 2) ** 2))
    close = np.asarray((np.abs(apart) < REACH).all(2))
    left = np.ones(len(middle), bool)
    weighed = near * weight
    support, seen = weighed.sum(1), np.where(np.isnan(face), 0.0, weight)
    face = np.nan_to_num(face)
    found = []
    while left.any():
        seed = int(support.argmax())
        mine = np.flatnonzero(close[seed] & left)
        total = float(weight[mine].sum())
        if total >= needed:
            w, known = weighed[seed, mine], float(seen[mine].sum())
            up = float(face[mine] @ seen[mine]) / known if known else np.nan
            found.append((*(w @ middle[mine]) / max(float(w.sum()), 1e-9), total, up))
        left[mine] = False
        support -= weighed[:, mine].sum(1)
        support[mine] = -np.inf
    table = np.array(found).reshape(-1, 4)
    return Flat(table[:, :2], table[:, 2], table[:, 3])
