"""What advice about a picture rests on: a small copy of it with the cards that were seen, their paper and the cloth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.multiscale import Found
from vision.image.masks import Area, grown
from vision.image.shrunk import Shrunk
from vision.posterior.spotted import Spotted
from vision.recognize.index_crops import percentiles

Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Settings:
    """How the picture is looked at for advice. Set by judgement."""

    longest: int = 800  # side of the copy in which light and colours are looked at: fine print does not matter there
    paper: float = 80  # per cent of the pixels of a window on an index that are darker than its paper
    around: float = 0.7  # the cloth is looked at as far as that from the cards, in card widths,
    edge: float = 1.12  # outside their outlines grown so many times


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Outline:
    """A place where a card shows, its corners (4, 2) in pixels of the small copy, and the part of that it covers."""

    spotted: Spotted
    quad: Doubles
    area: Area


@dataclass(frozen=True, slots=True)
class Look:
    """What the advice rests on, with all cards in pixels of a small copy (h, w, 3) of the picture.

    paper: its colour (3,), 0..255. width: of a card. cloth: 1 around the cards (h, w), else 0. scale: pixels of the
    copy for one of the picture.
    """

    small: Bytes
    paper: Doubles
    width: float
    outlines: tuple[Outline, ...]
    cloth: Bytes
    scale: float

    @property
    def size(self) -> tuple[int, int]:
        """Height and width of the copy."""
        return self.small.shape[0], self.small.shape[1]


def look_at(picture: Shrunk, found: Found, cut: Bytes, spotted: Sequence[Spotted]) -> Look:
    """The small copy of a picture, with the places where a card shows; cut: windows (n, 48, 48, 3) on its indices."""
    level = 0
    while max(picture.level(level).shape[:2]) > SETTINGS.longest and len(picture.levels) > level:
        level += 1
    small = picture.level(level)
    scale = small.shape[1] / picture.levels[0].shape[1]
    size = small.shape[0], small.shape[1]
    shown = [s for s in spotted if s.present > 0.5]
    quads = np.array([s.quad_xy for s in shown], np.float64).reshape(-1, 4, 2) * scale
    areas = [Area.of(corners, size) for corners in grown(quads)]
    outlines = tuple(Outline(*each) for each in zip(shown, quads, areas, strict=True))
    width = float(np.median(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1))) if shown else 0.0
    whites = np.full((1, 3), 255.0)
    if len(cut):
        channels = cut.reshape(len(cut), -1, 3).transpose(0, 2, 1).reshape(len(cut) * 3, -1)
        whites = percentiles(channels, SETTINGS.paper)[0].reshape(-1, 3)
    cloth = _around(np.concatenate([quads, found.cards.quads().astype(np.float64) * scale]), width, size)
    return Look(small, np.asarray(np.median(whites, 0), np.float64), width, outlines, cloth, scale)


def _around(cards: Doubles, width: float, size: tuple[int, int]) -> Bytes:
    """1 around cards (n, 4, 2) of a width where none lies, else 0, (h, w)."""
    taken = np.zeros(size, np.uint8)
    for corners in grown(cards, SETTINGS.edge):
        cv2.fillConvexPoly(taken, corners, 1)
    reach = 2 * round(width * SETTINGS.around) + 3
    # Whether any card lies within reach: counting takes as long for a wide reach as for a narrow one.
    near = cv2.boxFilter(taken, cv2.CV_32F, (reach, reach), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray((near > 0) & (taken == 0)).view(np.uint8)


def share_near(image: Bytes, mask: Bytes, colour: Doubles, reach: float) -> float:
    """Share of the pixels of an image (h, w, 3) in a mask (h, w) that differ by less than `reach` from a colour in
    each channel; 0 where there are none.
    """
    count = cv2.countNonZero(mask)
    if not count:
        return 0.0
    near = cv2.inRange(image, np.floor(colour - reach) + 1, np.ceil(colour + reach) - 1)
    return float(cv2.countNonZero(cv2.bitwise_and(near, mask))) / count
