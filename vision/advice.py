"""What would make a picture read better, in the player's terms: light, distance, focus, cloth, things on the cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import sites, windows
from vision.desk import Spotted
from vision.evidence import Readings
from vision.find import Found
from vision.instances import STRIDE, WIDTHS
from vision.reading import Advice
from vision.windows import Shrunk

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Limits:
    """When to say what; each set between clean drawn tables and those with that one fault (`models.measure.advice`),
    nearer to the faults, for advice that is not needed annoys.
    """

    small: float = 9.0  # rank heights in pixels below which even people guess
    narrow: float = 52.0  # card widths in pixels at which most decks' ranks are smaller than that
    dark: float = 110.0  # of 255: paper darker than this is lit too little
    soft: float = 5.65  # width of printed edges, in sixteenths of a rank's height
    softer: float = 8.0  # the same where ranks are small, and a pixel is a large part of them
    burnt: float = 247.0  # of 255, in the darkest channel: nothing shows there any more
    spot: tuple[float, float] = (0.14, 0.32)  # radius of such a spot in card widths, on dim paper and on bright
    paper: tuple[float, float] = (232.0, 243.0)  # of 255: dim and bright paper
    alike: float = 0.15  # a cloth nearer than this to the paper, as a share of its light, is like it
    cloth: float = 0.5  # share of the cloth around the cards that is like them
    unlike: float = 0.28  # what is darker than a card's own paper by such a share of its light is no paper
    over: float = 0.05  # share of such a patch at a card's edge
    hidden: float = 0.4  # share of a card in which the card map sees no card
    thing: float = 0.1  # area in square card widths of a smooth patch that is no print
    depth: float = 0.1  # distance in card widths from its middle to its edge: prints are thinner
    deep: float = 0.2  # no pip is as thick as this, but the aces' of few decks
    thick: float = 0.26  # nor is a part of a picture as thick as this
    paper_around: float = 0.8  # a patch with so much paper around it is printed on the card
    seen_through: float = 0.12  # a colour of so much of the cloth, or of other backs, is theirs


LIMITS = Limits()
# Every advice there is.
CODES = ("outside", "dark", "closer", "sharper", "glare", "cloth", "covered")
# Longest side of the copy of the picture in which light and colours are looked at: fine print does not matter there.
LONGEST = 800
# Indices looked at for sharpness and paper: enough for a median.
MOST = 24


@dataclass(frozen=True, slots=True)
class Look:
    """What the advice rests on, with all cards in pixels of a small copy (h, w, 3) of the picture.

    paper: its colour (3,), 0..255. width: of a card. outlines: corners (4, 2) of every place where a card shows.
    """

    small: Bytes
    paper: Doubles
    width: float
    outlines: tuple[tuple[Spotted, Doubles], ...]
    others: tuple[Doubles, ...]


def advise(
    picture: Shrunk, found: Found, readings: Readings, spotted: Sequence[Spotted], outside: tuple[str, ...] = ()
) -> tuple[Advice, ...]:
    """Everything that would help, most helpful first; nothing where the picture is fine."""
    frames = _frames(found, readings)
    cut = windows.cut(picture, frames)
    height = float(np.median(windows.heights(frames))) if len(frames) else 0.0
    look = _look(picture, found, cut, spotted)
    far = is_far(found, height)
    out = [Advice("outside", outside)] if outside else []
    if len(cut) and float(look.paper.max()) < LIMITS.dark:
        out.append(Advice("dark"))
    if far:
        out.append(Advice("closer"))
    if len(cut) and softness(cut) > (LIMITS.softer if far else LIMITS.soft):
        out.append(Advice("sharper"))
    glare = glared(look)
    if glare:
        out.append(Advice("glare", _named(glare)))
    if len(cut) and look.outlines and cloth_share(look) > LIMITS.cloth:
        out.append(Advice("cloth"))
    hidden = covered(look, found) if len(cut) and not any(a.code in ("dark", "sharper", "closer") for a in out) else ()
    if hidden:
        out.append(Advice("covered", _named(hidden)))
    return tuple(out)


def _named(places: tuple[str, ...]) -> tuple[str, ...]:
    """Places that have a name; cards beside a layout have none yet."""
    return tuple(dict.fromkeys(place for place in places if place))


def _frames(found: Found, readings: Readings) -> Floats:
    """Frames (n, 2, 3) of the surest indices; where hardly any was read, of what looked most like some."""
    sure = np.flatnonzero(readings.is_index() > 0.5)
    if len(sure) >= 3:
        return readings.frames[sure[np.argsort(-readings.is_index()[sure])[:MOST]]]
    return found.frames[np.argsort(-found.heat)[:MOST]][: int((found.heat > 0.4).sum())]


def _look(picture: Shrunk, found: Found, cut: Bytes, spotted: Sequence[Spotted]) -> Look:
    level = 0
    while max(picture.level(level).shape[:2]) > LONGEST and len(picture.levels) > level:
        level += 1
    small = picture.level(level)
    scale = small.shape[1] / picture.levels[0].shape[1]
    outlines = tuple((s, s.quad_xy * scale) for s in spotted if s.present > 0.5)
    others = tuple(quad.astype(np.float64) * scale for quad in found.cards.quads())
    width = float(np.median([np.linalg.norm(q[1] - q[0]) for _, q in outlines])) if outlines else 0.0
    whites = np.percentile(cut.reshape(len(cut), -1, 3), 80, axis=1) if len(cut) else np.full((1, 3), 255.0)
    return Look(small, np.asarray(np.median(whites, 0), np.float64), width, outlines, others)


def is_far(found: Found, height: float) -> bool:
    """Whether the cards are too small in the picture; height: of the printed ranks, 0 where none was seen."""
    narrow = len(found.cards) > 0 and float(np.median(found.cards.widths())) < LIMITS.narrow
    return 0 < height < LIMITS.small or (narrow and height < LIMITS.small * 1.3)


def softness(cut: Bytes) -> float:
    """Width of printed edges in windows (n, 48, 48, 3), in window pixels: light and dark by the steepest slope.

    The direction with the gentlest slopes counts: a shaken picture is sharp along the shake. 0 where nothing shows.
    """
    found = []
    # In the darkest channel coloured inks stand out as far as black.
    for window in cut.min(3).astype(np.float32):
        x = cv2.GaussianBlur(window, (3, 3), 0)[4:-4, 4:-4]
        range_ = float(np.percentile(x, 90) - np.percentile(x, 4))
        if range_ < 12:
            continue
        across, down = (x[1:-1, 2:] - x[1:-1, :-2]) / 2, (x[2:, 1:-1] - x[:-2, 1:-1]) / 2
        slopes = [np.abs(across * c + down * s) for c, s in ((1, 0), (0, 1), (0.7071, 0.7071), (0.7071, -0.7071))]
        found.append(range_ / max(min(float(np.percentile(slope, 98.5)) for slope in slopes), 1e-3))
    return float(np.median(found)) if found else 0.0


def glared(look: Look) -> tuple[str, ...]:
    """Places on which light is mirrored so strongly that nothing shows in a spot there."""
    burnt = (look.small.min(2) >= LIMITS.burnt).astype(np.uint8)
    if not burnt.any():
        return ()
    far = cv2.distanceTransform(burnt, cv2.DIST_L2, 3)
    bright = float(np.clip((look.paper.min() - LIMITS.paper[0]) / (LIMITS.paper[1] - LIMITS.paper[0]), 0, 1))
    least = LIMITS.spot[0] + bright * (LIMITS.spot[1] - LIMITS.spot[0])
    return tuple(
        s.place for s, quad in look.outlines if float(far[_inside(look, quad)].max(initial=0)) > least * look.width
    )


def cloth_share(look: Look) -> float:
    """Share of the cloth around the cards that is hardly another colour than their paper; 0 where no cloth shows."""
    cloth = look.small[_cloth(look)].astype(np.float64)
    if not len(cloth):
        return 0.0
    return float((np.abs(cloth - look.paper).max(1) < LIMITS.alike * look.paper.max()).mean())


def _cloth(look: Look) -> Flags:
    """Where around the cards no card lies, (h, w)."""
    cards = np.zeros(look.small.shape[:2], np.uint8)
    for quad in (*(quad for _, quad in look.outlines), *look.others):
        cv2.fillConvexPoly(cards, np.round(_grown(quad, 1.12)).astype(np.int32), 1)
    reach = 2 * round(look.width * 0.7) + 3
    return np.asarray((cards == 0) & (cv2.dilate(cards, np.ones((reach, reach), np.uint8)) > 0))


def covered(look: Look, found: Found) -> tuple[str, ...]:
    """Places of cards on which something lies that is no card: the card map sees none there, or a smooth patch of a
    colour that is neither paper nor cloth nor a back runs over the card's edge.
    """
    patch = _patches(look)
    out = []
    for s, quad in look.outlines:
        # The map knows cards up to a width at its scale, and an outline that leaves the picture is a guess.
        if _width(s.quad_xy) * STRIDE > WIDTHS[1] * found.kinds.cell[0] or not _within(look, quad):
            continue
        axes = sites.axes_of(s.quad_xy)
        bare = float((found.kinds.at(_GRID @ axes[:, :2].T + axes[:, 2])[:, 0] > 0.6).mean())
        if bare > LIMITS.hidden or float(patch[_inside(look, quad)].mean()) > LIMITS.thing / 2:
            out.append(s.place)
    return tuple(out)


_GRID = np.array([(a, b) for a in np.linspace(-0.75, 0.75, 5) for b in np.linspace(-0.75, 0.75, 7)])


def _patches(look: Look) -> Flags:
    """Where on the cards a thing lies, (h, w)."""
    cards, edges = np.zeros((2, *look.small.shape[:2]), bool)
    for _, quad in look.outlines:
        card = _inside(look, _grown(quad, 0.96))
        cards |= card
        edges |= card & ~_inside(look, _grown(quad, 0.86))
    backs = [_inside(look, _grown(quad, 0.9)) for s, quad in look.outlines if s.face <= 0.5]
    colours, light = look.small.astype(np.float32), float(look.paper.max())
    side = max(3, int(look.width * 0.03) | 1)
    mean = cv2.boxFilter(colours, -1, (side, side))
    spread = np.sqrt(np.maximum(cv2.boxFilter(colours * colours, -1, (side, side)) - mean * mean, 0)).max(2)
    inked = (look.paper - mean).max(2) > LIMITS.unlike * light
    smooth = (inked & cards & (spread < max(7.0, 0.05 * light))).astype(np.uint8)
    deep = cv2.distanceTransform(smooth, cv2.DIST_L2, 3)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(smooth, connectivity=4)
    cloth = colours[_cloth(look)]
    out = np.zeros(smooth.shape, bool)
    for k in range(1, count):
        if stats[k, cv2.CC_STAT_AREA] < LIMITS.thing * look.width**2:
            continue
        patch = labels == k
        depth, pip = float(deep[patch].max()) / look.width, _is_pip(look, patch)
        # A picture on a card stays inside the card's edge, a pip on paper is thin.
        printed = depth < LIMITS.deep if pip else edges[patch].mean() < LIMITS.over and depth < LIMITS.thick
        if depth < LIMITS.depth or printed:
            continue
        colour = np.median(colours[patch], 0)
        # Backs are as smooth as things: a patch on one is judged by the others, and not at all where there are none.
        lies_on = [back[patch].mean() > 0.2 for back in backs]
        others = [colours[back] for back, on in zip(backs, lies_on, strict=True) if not on]
        known = max((_share_like(other, colour) for other in others), default=float(any(lies_on)))
        if max(known, _share_like(cloth, colour)) < LIMITS.seen_through:
            out |= patch
    return out


def _width(quad: Doubles) -> float:
    return float(np.linalg.norm(quad[1] - quad[0]))


def _within(look: Look, quad: Doubles) -> bool:
    height, width = look.small.shape[:2]
    return bool((quad > 0).all() and (quad[:, 0] < width).all() and (quad[:, 1] < height).all())


def _share_like(colours: Floats, colour: Floats) -> float:
    """Share of colours (n, 3) near to one; 0 where there are none."""
    return float((np.abs(colours - colour).max(1) < 28).mean()) if len(colours) else 0.0


def _is_pip(look: Look, patch: Flags) -> bool:
    """Whether paper lies all around a patch: then it is printed on the card."""
    near, wide = (2 * int(look.width * reach) + 3 for reach in (0.03, 0.06))
    mask = patch.astype(np.uint8)
    around = (cv2.dilate(mask, np.ones((wide, wide), np.uint8)) > 0) & (
        cv2.dilate(mask, np.ones((near, near), np.uint8)) == 0
    )
    dark = (look.paper - look.small[around]).max(1, initial=-255.0)
    return float((dark < LIMITS.unlike * look.paper.max()).mean()) > LIMITS.paper_around


def _grown(quad: Doubles, factor: float) -> Doubles:
    middle = quad.mean(0)
    return np.asarray(middle + (quad - middle) * factor)


def _inside(look: Look, quad: Doubles) -> Flags:
    mask = np.zeros(look.small.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    return np.asarray(mask > 0)
