"""What would help with a picture that could not be read, as far as it shows without a reading."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.advice import quality
from vision.advice.scene import look_at
from vision.detect import multiscale
from vision.detect.multiscale import Found
from vision.errors import PictureError
from vision.image.shrunk import Shrunk
from vision.nets.session import Net
from vision.reading import Advice
from vision.recognize import index_crops

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Limits:
    """When to say what, by trial on the sample pictures darkened, blurred, cut and seen from too far away."""

    black: float = 40.0  # of 255: where even the brightest parts of a picture are darker, no paper would show
    brightest: float = 99.5  # per cent of the pixels that are darker than those
    side: int = 1600  # pixels of the longest side of what is looked at through the glass,
    enlarged: float = 6.0  # so much larger at most,
    around: float = 0.25  # with so much around it, as a share of its longest side
    cards: int = 6  # as many small cards that show there are a table too far away


LIMITS = Limits()


def advise(error: PictureError, picture: Shrunk, found: Found, search: Net) -> tuple[Advice, ...]:
    """What would help most with a picture refused for this `error`; nothing where that cannot be told."""
    frames = quality.likely_frames(found)
    cut, height = index_crops.cut(picture, frames), index_crops.typical(frames)
    if _is_dark(picture, found, cut):
        return (Advice("dark"),)
    far = quality.is_far(height, quality.widths(found))
    if not far and quality.speaks_for("sharper", quality.of_focus(cut, height)).any():
        return (Advice("sharper"),)
    if far or _is_far_through_a_glass(picture.levels[0], found, search):
        return (Advice("closer"),)
    return (Advice("sharper"),) if error.code == "too-blurred" else ()


def _is_dark(picture: Shrunk, found: Found, cut: Bytes) -> bool:
    if len(cut):
        return bool(quality.speaks_for("dark", quality.of_light(look_at(picture, found, cut, ()))).any())
    return float(np.percentile(picture.level(1).max(2), LIMITS.brightest)) < LIMITS.black


def _is_far_through_a_glass(image: Bytes, found: Found, search: Net) -> bool:
    """Whether what seems to be a few cards is a whole table of small ones, which shows once it is enlarged."""
    if not len(found.cards):
        return False
    corners = found.cards.quads().reshape(-1, 2)
    low, high = corners.min(0), corners.max(0)
    around = LIMITS.around * float((high - low).max())
    size = image.shape[1], image.shape[0]
    (left, top), (right, bottom) = (np.clip(xy, 0, size).astype(int) for xy in (low - around, high + around))
    part = image[top:bottom, left:right]
    if not part.size:
        return False
    scale = min(LIMITS.side / max(part.shape[:2]), LIMITS.enlarged)
    if scale <= 1:
        return False
    enlarged = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    widths = multiscale.search(Shrunk(np.asarray(enlarged, np.uint8)), search).cards.widths() / scale
    return len(widths) >= LIMITS.cards and quality.is_far(0.0, float(np.median(widths)))
