"""What would make a picture read better, in the player's terms: light, distance, focus, cloth, things on the cards.

Each advice is told from a few signs, by weights fitted with ``python -m models.training.train_advice`` to drawn tables
with exactly one thing wrong, and with none; they are kept in ``models/advice.json``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.advice.covered import covered
from vision.advice.cropped import missed
from vision.advice.scene import Look, look_at, share_near
from vision.detect import multiscale
from vision.detect.multiscale import Found
from vision.image.masks import depths
from vision.image.shrunk import Shrunk
from vision.nets import session
from vision.nets.session import ModelError
from vision.posterior.spotted import Spotted
from vision.reading import Advice
from vision.recognize import index_crops
from vision.recognize.index_crops import darkest, percentiles
from vision.recognize.index_reader import Readings

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]

FEATURES: Final = {
    "dark": ("one", "light of the paper"),
    "closer": ("one", "height of ranks"),
    "closer, no rank seen": ("one", "width of cards"),
    "sharper": ("one", "softness", "height of ranks"),
    "glare": ("one", "burnt", "burning paper"),
    "cloth": ("one", "share"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How a picture is looked at for advice. Set by judgement, tried on drawn tables."""

    burnt: float = 247.0  # of 255, in the darkest channel: nothing shows there any more
    alike: float = 0.15  # a cloth nearer than this to the paper, as a share of its light, is like it
    most: int = 24  # so many indices are looked at, or finds where hardly any was read: enough for a median
    strip: tuple[float, float] = (4, 90)  # per cent of a window's pixels that are darker than its print and its paper,
    shows: float = 12  # which differ by so much, of 255, if anything is printed
    steepest: float = 98.5  # per cent of the slopes that are gentler than that which counts


SETTINGS = Settings()
DIAGONAL = float(np.sqrt(0.5))
# Every advice there is; that decks are mixed is told by the cards themselves.
CODES = ("outside", "dark", "closer", "sharper", "glare", "cloth", "covered", "mixed")
Signs = dict[str, Doubles]


@lru_cache(maxsize=1)
def load() -> dict[str, Doubles]:
    """The weights in ``models/advice.json``; raises ModelError where they are missing, changed, or of other signs."""
    kept = session.weights("advice")
    try:
        return {code: np.array([kept[code][name] for name in names], np.float64) for code, names in FEATURES.items()}
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"model 'advice' cannot be loaded: {error}") from error


def speaks_for(code: str, signs: Doubles) -> NDArray[np.bool_]:
    """Whether an advice is due, by its signs (n, k), each time."""
    return np.asarray(signs @ load()[code] > 0)


def advise(
    picture: Shrunk, found: Found, readings: Readings, spotted: Sequence[Spotted], outside: tuple[str, ...] = ()
) -> tuple[Advice, ...]:
    """Everything that would help, most helpful first; nothing where the picture is fine."""
    look, signs = looked_at(picture, found, readings, spotted)
    due = {code: speaks_for(code, of) for code, of in signs.items()}
    if not len(signs["closer"]):
        due["closer"] = due["closer, no rank seen"]
    beyond = missed(outside, spotted, found.corners)
    out = [Advice("outside", beyond)] if beyond else []
    out += [Advice(code) for code in ("dark", "closer", "sharper") if due[code].any()]
    glare = [one.spotted.place for one, lit in zip(look.outlines, due["glare"], strict=True) if lit]
    if glare:
        out.append(Advice("glare", _named(glare)))
    if due["cloth"].any():
        out.append(Advice("cloth"))
    poor = any(advice.code in ("dark", "sharper", "closer") for advice in out)
    hidden = tuple(covered(spotted)) if len(signs["dark"]) and not poor else ()
    if hidden:
        out.append(Advice("covered", _named(hidden)))
    return tuple(out)


def looked_at(picture: Shrunk, found: Found, readings: Readings, spotted: Sequence[Spotted]) -> tuple[Look, Signs]:
    """What shows of a picture, and for each advice its signs (n, k): once, for glare of each card; none where they
    cannot be told.
    """
    frames = _frames(found, readings)
    cut = index_crops.cut(picture, frames)
    look = look_at(picture, found, cut, spotted)
    height = index_crops.typical(frames)
    width = look.width / look.scale if look.width else widths(found)
    signs = {code: np.zeros((0, len(names))) for code, names in FEATURES.items()}
    signs |= of_size(height, width)
    signs["glare"] = _of_glare(look)
    if len(cut):
        signs["dark"] = of_light(look)
        signs["sharper"] = of_focus(cut, height)
        if look.outlines:
            share = share_near(look.small, look.cloth, look.paper, SETTINGS.alike * float(look.paper.max()))
            signs["cloth"] = np.array([[1.0, share]])
    return look, signs


def _named(places: Iterable[str]) -> tuple[str, ...]:
    """Places that have a name; cards beside a layout have none yet."""
    return tuple(dict.fromkeys(place for place in places if place))


def _frames(found: Found, readings: Readings) -> Floats:
    """Frames (n, 2, 3) of the surest indices; where hardly any was read, of what looked most like some."""
    sure = np.flatnonzero(readings.is_index() > 0.5)
    if len(sure) >= 3:
        return readings.frames[sure[np.argsort(-readings.is_index()[sure])[: SETTINGS.most]]]
    return likely_frames(found)


def likely_frames(found: Found) -> Floats:
    """Frames (n, 2, 3) of what looked most like indices."""
    return found.frames[np.argsort(-found.heat)[: SETTINGS.most]][: int((found.heat > multiscale.SETTINGS.hot).sum())]


def widths(found: Found) -> float:
    """How wide a card is in pixels as the card map sees it; 0 where it sees none."""
    return float(np.median(found.cards.widths())) if len(found.cards) else 0.0


def of_light(look: Look) -> Doubles:
    """The signs (1, 2) of too little light."""
    return np.array([[1.0, np.log(max(float(look.paper.max()), 1.0))]])


def of_size(height: float, width: float) -> Signs:
    """The signs (n, 2) of cards too small in the picture, by how high their ranks and how wide they are, in pixels, 0
    where that is not known.
    """
    each = {"closer": height, "closer, no rank seen": width}
    return {code: np.array([[1.0, np.log(size)]]) if size else np.zeros((0, 2)) for code, size in each.items()}


def is_far(height: float, width: float) -> bool:
    """Whether cards are too small in the picture, by the height of their ranks where that is known."""
    high, wide = of_size(height, width).items()
    return bool(speaks_for(*(high if height else wide)).any())


def of_focus(cut: Bytes, height: float) -> Doubles:
    """The signs (n, 3) of print out of focus in windows (n, 48, 48, 3) on ranks so high, in pixels."""
    return np.array([[1.0, softness(cut), np.log(height)]]) if len(cut) else np.zeros((0, 3))


def is_soft(picture: Shrunk, readings: Readings) -> bool:
    """Whether what may be indices is blurred, though none of them can be told."""
    frames = readings.frames[readings.is_index() > 0.5]
    return bool(speaks_for("sharper", of_focus(index_crops.cut(picture, frames), index_crops.typical(frames))).any())


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
    low, high = percentiles(x.reshape(len(x), -1), *SETTINGS.strip)
    shows = np.flatnonzero(high - low >= SETTINGS.shows)
    if not len(shows):
        return 0.0
    x = x[shows]
    across, down = (x[:, 1:-1, 2:] - x[:, 1:-1, :-2]) / 2, (x[:, 2:, 1:-1] - x[:, :-2, 1:-1]) / 2
    steepest = [
        percentiles(np.abs(across * c + down * s).reshape(len(x), -1), SETTINGS.steepest)[0]
        for c, s in ((1, 0), (0, 1), (DIAGONAL, DIAGONAL), (DIAGONAL, -DIAGONAL))
    ]
    return float(np.median((high - low)[shows] / np.maximum(np.min(steepest, axis=0), 1e-3)))


def _of_glare(look: Look) -> Doubles:
    """The signs (n, 3) that light is mirrored on each card so strongly that nothing shows in a spot there: how far it
    reaches to every side, in card widths, and how near the paper itself is to that, 0..1: light paper burns by itself.
    """
    full = 256 - SETTINGS.burnt
    burning = min(full / (256 - float(look.paper.min())), 1.0) ** 2
    signs = np.tile([1.0, 0.0, burning], (len(look.outlines), 1))
    burnt = np.asarray(cv2.inRange(look.small, np.full(3, SETTINGS.burnt), np.full(3, 255.0)), np.uint8)
    far = depths(burnt)
    for row, outline in zip(signs, look.outlines, strict=True):
        row[1] = outline.area.most(far) / look.width
    return signs
