"""Things that lie on cards and are no cards: a hand, a cup, a phone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.advice.scene import Look, Outline
from vision.advice.smooth_regions import SETTINGS, Patch, Patches, patches
from vision.detect import card_voting
from vision.detect.multiscale import Found
from vision.detect.outline_fit import heat
from vision.image.masks import Area, grown
from vision.nets import session
from vision.nets.session import ModelError
from vision.recognize import card_frame

Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Limits:
    """When something lies on a card; set between clean drawn tables and those on which a thing lies
    (`models.measure.advice`), nearer to the latter, for advice that is not needed annoys.
    """

    bare: float = 0.6  # where the card map is so sure, there is no card:
    hidden: float = 0.4  # on this share of one
    corners: float = 1.8  # heat of the corners of such a card: it must lie there
    least: float = 0.08  # share of a card that a patch hides at least for it to be looked at, or the card to be named
    fills: float = 0.55  # share of a card that a back of one colour covers at least, as far as it shows,
    even: float = 0.9  # and the share of its convex hull
    thing: float = 0.6  # a patch whose traits weigh more than this is a thing
    hand: float = 2.2  # area of a hand beyond the cards, in square card widths,
    most: float = 6.0  # and the most that is told apart
    near: float = 0.03  # a ring around a patch reaches from so far outside it, in card widths,
    wide: float = 0.07  # to so far
    apart: float = 0.1  # and so far from it another patch of its colour lies elsewhere
    edges: tuple[float, float] = (0.96, 0.86)  # the edges of a card lie between its outline grown so many times
    faint: tuple[float, float] = (0.02, 0.05)  # shares and areas as small as that are all alike
    points: int = 100  # of a patch at which the card map is asked, about


LIMITS = Limits()
# Points of a card, in half sides from its middle, at which the card map is asked.
_GRID = np.array([(a, b) for a in np.linspace(-0.75, 0.75, 5) for b in np.linspace(-0.75, 0.75, 7)])


@dataclass(frozen=True, slots=True)
class Traits:
    """What tells a thing from print, cloth and backs.

    Of the shares each is 0..1; the outline is the one that the patch hides most of.
    """

    hides: float  # logarithm of the share of the outline that the patch hides
    twins: float  # logarithm of the area of smooth patches of its colour elsewhere on cards, in areas of its own
    beyond: float  # share of its colour around it beyond the cards: a thing goes on there, print does not
    solid: float  # share of its convex hull that it fills
    edge: float  # share of it that lies along the edges of cards
    face: float  # chance that the card of the outline lies face up
    cloth: float  # share of cloth in a ring around it
    cards: float  # share of cards in that ring
    parts: float  # 1 where it is of several parts, as a hand is, else 0
    ghost: float  # chance that no card shows there, times what the outline's corners lack: no card may lie there
    uneven: float  # standard deviation of its light, of 255
    reach: float  # area it goes on for beyond the cards, over that of a hand, in square card widths

    def weighed(self, weights: Doubles) -> float:
        """Their sum, each times its weight, and the first weight by itself."""
        return float(weights[0] + weights[1:] @ self.values())

    def values(self) -> Doubles:
        """All of them (12,), in their order."""
        return np.array([getattr(self, name) for name in self.__slots__], np.float64)


@lru_cache(maxsize=1)
def load() -> Doubles:
    """The weights (13,) in ``models/things.json``, the first by itself, then those of the traits in their order; raises
    ModelError where they are missing, changed, or of other traits.
    """
    kept = session.weights("things")["thing"]
    if list(kept) != ["one", *Traits.__slots__]:
        raise ModelError("model 'things' cannot be loaded: its weights are of other traits")
    return np.array(list(kept.values()), np.float64)


def covered(look: Look, found: Found) -> tuple[str, ...]:
    """Places of cards on which something lies that is no card: the card map sees none there, or a smooth patch that
    has the traits of a thing hides a part of them.
    """
    if not look.outlines:
        return ()
    things = [patch.area for patch, traits in traits_of(look, found) if traits.weighed(load()) > LIMITS.thing]
    # An outline that leaves the picture is a guess.
    bare = [
        _within(look, o.quad) and share > LIMITS.hidden
        for o, share in zip(look.outlines, _bare(look.outlines, found), strict=True)
    ]
    return tuple(
        o.spotted.place
        for o, nothing in zip(look.outlines, bare, strict=True)
        if nothing or sum(map(o.area.common, things)) > LIMITS.least * o.area.count
    )


def _bare(outlines: tuple[Outline, ...], found: Found) -> Doubles:
    """Share of each card (n,) in which the card map sees none; 0 of cards wider than it knows at its scale, and where
    hardly a corner of the card shows: none may lie there.
    """
    axes = np.array([card_frame.axes_of(o.spotted.quad_xy) for o in outlines])
    points = _GRID @ axes[:, :, :2].transpose(0, 2, 1) + axes[:, None, :, 2]
    share = (found.kinds.at(points.reshape(-1, 2))[:, 0] > LIMITS.bare).reshape(len(outlines), len(_GRID)).mean(1)
    known = [
        _width(o.spotted.quad_xy) * card_voting.STRIDE <= card_voting.SETTINGS.widths[1] * found.kinds.cell[0]
        for o in outlines
    ]
    there = heat(axes, found.corners) > LIMITS.corners
    return np.where(known & there, share, 0.0)


def traits_of(look: Look, found: Found) -> list[tuple[Patch, Traits]]:
    """The patches that hide enough of a card to be worth a look, with their traits."""
    seen, shares, out = patches(look), [max(1, o.area.count) for o in look.outlines], []
    tested = [
        (patch, [o.area.common(patch.area) / n for o, n in zip(look.outlines, shares, strict=True)])
        for patch in seen.each
    ]
    backs = sum(o.spotted.face < 0.5 for o in look.outlines)
    tested = [
        (patch, hides)
        for patch, hides in tested
        if max(hides) >= LIMITS.least
        and not (backs == 1 and _is_back(look.outlines[int(np.argmax(hides))], patch, hides))
    ]
    if not tested:
        return []
    edges = _edges(look)
    corners = heat(np.array([card_frame.axes_of(o.spotted.quad_xy) for o in look.outlines]), found.corners)
    for patch, hides in tested:
        n = int(np.argmax(hides))
        around = _Around.of(look, patch, seen)
        none = _none(look, patch, found)
        out.append(
            (
                patch,
                Traits(
                    float(np.log(hides[n] + LIMITS.faint[0])),
                    float(np.log(_twins(look, patch, seen) + LIMITS.faint[1])),
                    around.beyond,
                    _solid(patch.area),
                    float(patch.area.pixels(edges).mean()),
                    float(look.outlines[n].spotted.face),
                    around.cloth,
                    around.cards,
                    float(patch.parts > 1),
                    none * max(2.0 - float(corners[n]), 0.0),
                    float(patch.area.pixels(look.small).std(0).mean()),
                    _reach(look, patch, seen) if around.beyond > 0 else 0.0,
                ),
            )
        )
    return out


def _is_back(outline: Outline, patch: Patch, hides: list[float]) -> bool:
    """Whether a patch that fills the only card taken for one face down is its back: backs of one colour are made."""
    return outline.spotted.face < 0.5 and max(hides) > LIMITS.fills and _solid(patch.area) > LIMITS.even


@dataclass(frozen=True, slots=True)
class _Around:
    """The ring around a patch: shares of cloth and of cards in it, and that of the patch's colour beyond the cards."""

    cloth: float
    cards: float
    beyond: float

    @classmethod
    def of(cls, look: Look, patch: Patch, seen: Patches) -> _Around:
        near, wide = (
            patch.area.dilated(2 * int(look.width * reach) + more, look.size)
            for reach, more in ((LIMITS.near, 3), (LIMITS.wide, 5))
        )
        ring: Bytes = wide.mask.copy()
        top, left = near.top - wide.top, near.left - wide.left
        ring[top:, left:][: near.mask.shape[0], : near.mask.shape[1]][near.mask > 0] = 0
        count = cv2.countNonZero(ring)
        if not count:
            return cls(0.0, 1.0, 0.0)
        cards, cloth = (cv2.countNonZero(ring & flags[wide.slices]) for flags in (seen.cards, look.cloth))
        free = ring & (1 - seen.cards[wide.slices])
        alike = _near(look.small[wide.slices], patch.colour)
        beyond = cv2.countNonZero(cv2.bitwise_and(alike, alike, mask=free)) / max(1, cv2.countNonZero(free))
        return cls(cloth / count, cards / count, beyond)


def _twins(look: Look, patch: Patch, seen: Patches) -> float:
    """Area of what is as smooth and of the patch's colour elsewhere on the cards, in areas of the patch."""
    alike: Bytes = np.asarray(cv2.bitwise_and(_near(look.small, patch.colour), seen.smooth), np.uint8)
    own = patch.area.dilated(2 * int(look.width * LIMITS.apart) + 3, look.size)
    alike[own.slices][own.mask > 0] = 0
    return cv2.countNonZero(alike) / patch.area.count


def _reach(look: Look, patch: Patch, seen: Patches) -> float:
    """Area beyond the cards, over that of a hand, that the patch's colour goes on for from its middle."""
    alike = np.pad(_near(look.small, patch.colour) // 255, 1)
    alike = np.asarray(cv2.morphologyEx(alike, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    start = patch.start[0] + 1, patch.start[1] + 1
    if not alike[start[1], start[0]]:
        return 0.0
    cv2.floodFill(alike, None, start, 2, flags=4)
    filled = np.asarray(cv2.inRange(alike[1:-1, 1:-1], 2.0, 2.0), np.uint8)
    beyond = cv2.countNonZero(filled & (1 - seen.cards))
    return float(np.clip(beyond / look.width**2, LIMITS.hand, LIMITS.most)) - LIMITS.hand


def _none(look: Look, patch: Patch, found: Found) -> float:
    """Chance that no card shows on the patch, by the card map."""
    y, x = np.nonzero(patch.area.mask)
    step = max(1, len(x) // LIMITS.points)
    at = np.column_stack([x[::step] + patch.area.left + 0.5, y[::step] + patch.area.top + 0.5])
    return float(found.kinds.at(at / look.scale)[:, 0].mean())


def _solid(area: Area) -> float:
    hull = cv2.convexHull(cv2.findNonZero(area.mask))
    return area.count / (cv2.contourArea(hull) + 0.5 * cv2.arcLength(hull, True) + 1.0)


def _near(image: Bytes, colour: Doubles) -> Bytes:
    """255 where an image (h, w, 3) is of a colour, else 0."""
    return np.asarray(
        cv2.inRange(image, np.floor(colour - SETTINGS.like) + 1, np.ceil(colour + SETTINGS.like) - 1), np.uint8
    )


def _edges(look: Look) -> Bytes:
    """1 along the edges of the cards, inside them, else 0, (h, w)."""
    out = np.zeros(look.size, np.uint8)
    quads = np.stack([o.quad for o in look.outlines])
    for outer, inner in zip(*(grown(quads, share) for share in LIMITS.edges), strict=True):
        card = Area.of(outer, look.size)
        if card.mask.size:
            cv2.fillConvexPoly(card.mask, inner - (card.left, card.top), 0)
            out[card.slices] |= card.mask
    return out


def _width(quad: Doubles) -> float:
    return float(np.linalg.norm(quad[1] - quad[0]))


def _within(look: Look, quad: Doubles) -> bool:
    height, width = look.small.shape[:2]
    return bool((quad > 0).all() and (quad[:, 0] < width).all() and (quad[:, 1] < height).all())
