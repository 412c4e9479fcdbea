"""Things that lie on cards and are no cards: a hand, a cup, a phone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import sites
from vision.areas import Area, depths, grown
from vision.find import Found
from vision.instances import STRIDE, WIDTHS
from vision.look import Look, Outline, share_near
from vision.outlines import heat

Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a patch is a thing; each set between clean drawn tables and those on which one lies
    (`models.measure.advice`), nearer to the latter, for advice that is not needed annoys.
    """

    unlike: float = 0.28  # what is darker than a card's own paper by such a share of its light is no paper
    over: float = 0.05  # share of such a patch at a card's edge
    hidden: float = 0.4  # share of a card in which the card map sees no card
    corners: float = 1.8  # heat of the corners of such a card: it must lie there
    thing: float = 0.1  # area in square card widths of a smooth patch that is no print
    depth: float = 0.065  # distance in card widths from its middle to its edge: half a finger
    deep: float = 0.2  # no pip is as thick as this, but the aces' of few decks
    thick: float = 0.26  # nor is a part of a picture as thick as this
    paper_around: float = 0.8  # a patch with so much paper around it is printed on the card
    seen_through: float = 0.12  # a colour of so much of the cloth, or of other backs, is theirs


LIMITS = Limits()
# Colours are alike that differ by less than this, of 255, in each channel.
_LIKE = 28
# Points of a card, in half sides from its middle, at which the card map is asked.
_GRID = np.array([(a, b) for a in np.linspace(-0.75, 0.75, 5) for b in np.linspace(-0.75, 0.75, 7)])


def covered(look: Look, found: Found) -> tuple[str, ...]:
    """Places of cards on which something lies that is no card: the card map sees none there, or a smooth patch of a
    colour that is neither paper nor cloth nor a back runs over the card's edge.
    """
    if not look.outlines:
        return ()
    patches = _patches(look)
    # An outline that leaves the picture is a guess.
    whole = [o for o in look.outlines if _within(look, o.quad)]
    bare = _bare(whole, found)
    return tuple(
        o.spotted.place
        for o, share in zip(whole, bare, strict=True)
        if share > LIMITS.hidden or sum(map(o.area.common, patches)) > LIMITS.thing / 2 * o.area.count
    )


def _bare(outlines: list[Outline], found: Found) -> Doubles:
    """Share of each card (n,) in which the card map sees none; 0 of cards wider than it knows at its scale, and where
    hardly a corner of the card shows: none may lie there.
    """
    if not outlines:
        return np.zeros(0)
    axes = np.array([sites.axes_of(o.spotted.quad_xy) for o in outlines])
    points = _GRID @ axes[:, :, :2].transpose(0, 2, 1) + axes[:, None, :, 2]
    share = (found.kinds.at(points.reshape(-1, 2))[:, 0] > 0.6).reshape(len(outlines), len(_GRID)).mean(1)
    known = [_width(o.spotted.quad_xy) * STRIDE <= WIDTHS[1] * found.kinds.cell[0] for o in outlines]
    there = heat(axes, found.corners) > LIMITS.corners
    return np.where(known & there, share, 0.0)


def _patches(look: Look) -> list[Area]:
    """The things that lie on the cards."""
    quads, cards = np.stack([o.quad for o in look.outlines]), np.zeros(look.size, np.uint8)
    for corners in grown(quads, 0.96):
        cv2.fillConvexPoly(cards, corners, 1)
    smooth = _smooth(look, cards)
    # A thing is deep somewhere: from there it is followed to its edges.
    deep = depths(smooth)
    peaks = (deep >= LIMITS.depth * look.width) & (deep >= cv2.dilate(deep, np.ones((3, 3), np.uint8)))
    starts = np.argwhere(peaks & (smooth > 0))
    parts = [part for part in _parts(smooth, starts) if part.count >= LIMITS.thing * look.width**2]
    if not parts:
        return []
    edges = _edges(look, quads)
    backs = [
        Area.of(corners, look.size)
        for o, corners in zip(look.outlines, grown(quads, 0.9), strict=True)
        if o.spotted.face <= 0.5
    ]
    return [
        part
        for part in parts
        if not _is_print(look, part, part.most(deep) / look.width, edges) and _is_strange(look, part, backs)
    ]


def _edges(look: Look, quads: Doubles) -> Bytes:
    """1 along the edges of cards (n, 4, 2), inside them, else 0, (h, w)."""
    out = np.zeros(look.size, np.uint8)
    for outer, inner in zip(grown(quads, 0.96), grown(quads, 0.86), strict=True):
        card = Area.of(outer, look.size)
        if card.mask.size:
            cv2.fillConvexPoly(card.mask, inner - (card.left, card.top), 0)
            out[card.slices] |= card.mask
    return out


def _smooth(look: Look, cards: Bytes) -> Bytes:
    """1 where on the `cards` (h, w) there is no paper, nor anything that changes from pixel to pixel; else 0."""
    out = np.zeros(look.size, np.uint8)
    side = max(3, int(look.width * 0.03) | 1)
    left, top, width, height = cv2.boundingRect(cards)
    # What lies around the cards changes the mean at their edges.
    area = Area(left, top, np.asarray(cards[top : top + height, left : left + width])).padded(side // 2, look.size)
    light, part = float(look.paper.max()), look.small[area.slices]
    if not part.size:
        return out
    mean = cv2.boxFilter(part, cv2.CV_32F, (side, side))
    variance = cv2.subtract(cv2.sqrBoxFilter(part, cv2.CV_32F, (side, side)), cv2.multiply(mean, mean))
    paper = cv2.inRange(mean, look.paper - LIMITS.unlike * light, np.full(3, np.inf))
    even = cv2.inRange(variance, np.full(3, -np.inf), np.full(3, max(7.0, 0.05 * light) ** 2))
    out[area.slices] = cv2.bitwise_and(area.mask, cv2.subtract(even, paper))
    return out


def _parts(flags: Bytes, starts: NDArray[np.intp]) -> Iterator[Area]:
    """The connected parts of `flags` (h, w), 0 or 1, in which one of the `starts` (row, column) lies; emptied after
    that.
    """
    for row, column in starts:
        if flags[row, column]:
            _, _, _, (left, top, width, height) = cv2.floodFill(flags, None, (int(column), int(row)), 2, flags=4)
            cut = flags[top : top + height, left : left + width]
            mask = (cut == 2).astype(np.uint8)
            cut[mask > 0] = 0
            yield Area(left, top, mask)


def _is_print(look: Look, patch: Area, depth: float, edges: Bytes) -> bool:
    """Whether a patch is a part of what is printed on a card: a picture stays inside the card's edge, a pip on paper
    is thin.
    """
    if _is_pip(look, patch):
        return depth < LIMITS.deep
    return bool(patch.pixels(edges).mean() < LIMITS.over) and depth < LIMITS.thick


def _is_strange(look: Look, patch: Area, backs: list[Area]) -> bool:
    """Whether a patch has the colour neither of the cloth nor of a back.

    Backs are as smooth as things: a patch on one is judged by the others, and not at all where there are none.
    """
    colour = np.median(patch.pixels(look.small), 0)
    others = [back for back in backs if back.common(patch) <= 0.2 * patch.count]
    if backs and not others:
        return False
    seen = (*((look.small[back.slices], back.mask) for back in others), (look.small, look.cloth))
    return all(share_near(image, mask, colour, _LIKE) < LIMITS.seen_through for image, mask in seen)


def _is_pip(look: Look, patch: Area) -> bool:
    """Whether paper lies all around a patch: then it is printed on the card."""
    near, wide = (2 * int(look.width * reach) + 3 for reach in (0.03, 0.06))
    around = patch.padded(wide // 2, look.size)
    ring = cv2.dilate(around.mask, np.ones((wide, wide), np.uint8)) - cv2.dilate(
        around.mask, np.ones((near, near), np.uint8)
    )
    colours = look.small[around.slices][ring > 0]
    if not len(colours):
        return False
    dark = (look.paper - colours).max(1, initial=-255.0)
    return float((dark < LIMITS.unlike * look.paper.max()).mean()) > LIMITS.paper_around


def _width(quad: Doubles) -> float:
    return float(np.linalg.norm(quad[1] - quad[0]))


def _within(look: Look, quad: Doubles) -> bool:
    height, width = look.small.shape[:2]
    return bool((quad > 0).all() and (quad[:, 0] < width).all() and (quad[:, 1] < height).all())
