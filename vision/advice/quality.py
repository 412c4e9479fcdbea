"""What would make a picture read better, in the player's terms: light, distance, focus, cloth, things on the cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.advice import occluders
from vision.advice.cropped import missed
from vision.advice.scene import Look, Outline, look_at, share_near
from vision.detect import multiscale
from vision.detect.multiscale import Found
from vision.image.masks import depths
from vision.image.shrunk import Shrunk
from vision.posterior.spotted import Spotted
from vision.reading import Advice
from vision.recognize import index_crops
from vision.recognize.index_crops import darkest, percentiles
from vision.recognize.index_reader import Readings

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Limits:
    """When to say what; each set between clean drawn tables and those with that one fault (`models.measure.advice`),
    nearer to the faults, for advice that is not needed annoys.
    """

    small: float = 9.0  # rank heights in pixels below which even people guess
    narrow: float = 52.0  # card widths in pixels at which most decks' ranks are smaller than that,
    unlike: float = 11.7  # if the ranks that were read are no higher than this,
    narrowest: float = 36.0  # and those at which every deck's are
    dark: float = 110.0  # of 255: paper darker than this is lit too little
    # Width of printed edges, in sixteenths of a rank's height, where ranks are as high as `heights`, in pixels: the
    # lower they are, the larger a part of them a pixel is.
    soft: tuple[float, float] = (5.9, 5.5)
    heights: tuple[float, float] = (13.0, 20.0)
    softer: float = 8.0  # the same where they are too low
    burnt: float = 247.0  # of 255, in the darkest channel: nothing shows there any more
    spot: tuple[float, float] = (0.17, 0.32)  # radius of such a spot in card widths, on dim paper and on bright
    paper: tuple[float, float] = (222.0, 236.0)  # of 255: dim and bright paper
    white: float = 244.0  # of 255: paper so bright burns by itself; a spot on it must lie on the cloth as well,
    spilt: float = 0.005  # with such an area in square card widths
    beside: float = 0.3  # on the cloth less than so many card widths away
    alike: float = 0.15  # a cloth nearer than this to the paper, as a share of its light, is like it
    cloth: float = 0.5  # share of the cloth around the cards that is like them
    most: int = 24  # so many indices are looked at, or finds where hardly any was read: enough for a median
    strip: tuple[float, float] = (4, 90)  # per cent of a window's pixels that are darker than its print and its paper,
    shows: float = 12  # which differ by so much, of 255, if anything is printed
    steepest: float = 98.5  # per cent of the slopes that are gentler than that which counts


LIMITS = Limits()
DIAGONAL = float(np.sqrt(0.5))
# Every advice there is; that decks are mixed is told by the cards themselves.
CODES = ("outside", "dark", "closer", "sharper", "glare", "cloth", "covered", "mixed")


def advise(
    picture: Shrunk, found: Found, readings: Readings, spotted: Sequence[Spotted], outside: tuple[str, ...] = ()
) -> tuple[Advice, ...]:
    """Everything that would help, most helpful first; nothing where the picture is fine."""
    frames = _frames(found, readings)
    cut = index_crops.cut(picture, frames)
    height = float(np.median(index_crops.heights(frames))) if len(frames) else 0.0
    look = look_at(picture, found, cut, spotted)
    far = is_far(found, height) or 0 < look.width < LIMITS.narrowest * look.scale
    beyond = missed(outside, spotted, found.corners)
    out = [Advice("outside", beyond)] if beyond else []
    if len(cut) and float(look.paper.max()) < LIMITS.dark:
        out.append(Advice("dark"))
    if far:
        out.append(Advice("closer"))
    if len(cut) and softness(cut) > softest(height, far):
        out.append(Advice("sharper"))
    glare = glared(look)
    if glare:
        out.append(Advice("glare", _named(glare)))
    if len(cut) and look.outlines and cloth_share(look) > LIMITS.cloth:
        out.append(Advice("cloth"))
    hidden = (
        occluders.covered(look, found)
        if len(cut) and not any(a.code in ("dark", "sharper", "closer") for a in out)
        else ()
    )
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
        return readings.frames[sure[np.argsort(-readings.is_index()[sure])[: LIMITS.most]]]
    return likely_frames(found)


def likely_frames(found: Found) -> Floats:
    """Frames (n, 2, 3) of what looked most like indices."""
    return found.frames[np.argsort(-found.heat)[: LIMITS.most]][: int((found.heat > multiscale.SETTINGS.hot).sum())]


def is_far(found: Found, height: float) -> bool:
    """Whether the cards are too small in the picture; height: of the printed ranks, 0 where none was seen."""
    narrow = len(found.cards) > 0 and float(np.median(found.cards.widths())) < LIMITS.narrow
    return 0 < height < LIMITS.small or (narrow and height < LIMITS.unlike)


def softest(height: float, far: bool) -> float:
    """The softness from which print of a height in pixels is blurred; `far`: so small that it is told of as that."""
    return LIMITS.softer if far else float(np.interp(height, LIMITS.heights, LIMITS.soft))


def is_soft(picture: Shrunk, readings: Readings) -> bool:
    """Whether what may be indices is blurred, though none of them can be told."""
    frames = readings.frames[readings.is_index() > 0.5]
    height = float(np.median(index_crops.heights(frames))) if len(frames) else 0.0
    return len(frames) > 0 and softness(index_crops.cut(picture, frames)) > softest(height, height < LIMITS.small)


def softness(cut: Bytes) -> float:
    """Width of printed edges in windows (n, 48, 48, 3), in window pixels: light and dark by the steepest slope.

    The direction with the gentlest slopes counts: a shaken picture is sharp along the shake. 0 where nothing shows.
    """
    if not len(cut):
        return 0.0
    # In the darkest channel coloured inks stand out as far as black. One below the other, the windows are blurred at
    # once; what runs over from one to the next is cut off.
    dark = darkest(cut).reshape(-1, cut.shape[2]).astype(np.float32)
    x = cv2.GaussianBlur(dark, (3, 3), 0).reshape(cut.shape[:3])[:, 4:-4, 4:-4]
    low, high = percentiles(x.reshape(len(x), -1), *LIMITS.strip)
    shows = np.flatnonzero(high - low >= LIMITS.shows)
    if not len(shows):
        return 0.0
    x = x[shows]
    across, down = (x[:, 1:-1, 2:] - x[:, 1:-1, :-2]) / 2, (x[:, 2:, 1:-1] - x[:, :-2, 1:-1]) / 2
    steepest = [
        percentiles(np.abs(across * c + down * s).reshape(len(x), -1), LIMITS.steepest)[0]
        for c, s in ((1, 0), (0, 1), (DIAGONAL, DIAGONAL), (DIAGONAL, -DIAGONAL))
    ]
    return float(np.median((high - low)[shows] / np.maximum(np.min(steepest, axis=0), 1e-3)))


def glared(look: Look) -> tuple[str, ...]:
    """Places on which light is mirrored so strongly that nothing shows in a spot there."""
    burnt = np.asarray(cv2.inRange(look.small, np.full(3, LIMITS.burnt), np.full(3, 255.0)), np.uint8)
    if not cv2.countNonZero(burnt):
        return ()
    far = depths(burnt)
    bright = float(np.clip((look.paper.min() - LIMITS.paper[0]) / (LIMITS.paper[1] - LIMITS.paper[0]), 0, 1))
    least = LIMITS.spot[0] + bright * (LIMITS.spot[1] - LIMITS.spot[0])
    lit = [o for o in look.outlines if o.area.most(far) > least * look.width]
    if float(look.paper.min()) > LIMITS.white:
        lit = [o for o in lit if _spills(look, o, burnt)]
    return tuple(o.spotted.place for o in lit)


def _spills(look: Look, outline: Outline, burnt: Bytes) -> bool:
    """Whether nothing shows on the cloth beside a card either."""
    near = outline.area.padded(round(LIMITS.beside * look.width), look.size).slices
    return cv2.countNonZero(cv2.bitwise_and(burnt[near], look.cloth[near])) > LIMITS.spilt * look.width**2


def cloth_share(look: Look) -> float:
    """Share of the cloth around the cards that is hardly another colour than their paper; 0 where no cloth shows."""
    return share_near(look.small, look.cloth, look.paper, LIMITS.alike * float(look.paper.max()))
