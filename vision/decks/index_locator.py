"""Where a deck prints its indices: all corners of its cards laid over one another, and the print nearest to the corner.

The search net's own finds will not do for that. On a deck it does not know it takes now the rank, now the suit for an
index, each time as large as it likes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.shrunk import Shrunk
from vision.recognize import card_frame
from vision.recognize.index_crops import LEFT, SPAN, TOP, darkest, percentiles

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Settings:
    """How the print of an index is found. Set by judgement, tried on drawn decks."""

    reach: tuple[float, float] = (1.0, 1.1)  # the corner looked at, in half sides of the card from its upper left,
    size: tuple[int, int] = (80, 88)  # and in pixels,
    edge: int = 3  # so many of which are left out: an outline is never exact, and frames are printed there
    ink: float = 0.2  # what is darker than the paper by this share of its light is ink,
    paper: float = 75  # the paper being lighter than so many per cent of the corner
    often: float = 0.35  # a pixel printed on in this share of the corners, of the share where it is printed on most,
    most: float = 98  # which so many per cent of the pixels are not, is of the index
    bridge: int = 7  # prints nearer than this, in pixels, belong together: a rank and its suit
    speck: float = 30  # pixels of a print at least
    fills: float = 0.74  # the index fills so much of its window,
    sides: tuple[float, float] = (0.07, 0.75)  # and is no smaller and no larger than these shares of the corner


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Imprint:
    """The `frame` (2, 3), in half sides of the card, of a window that just holds an index, and how far the index
    reaches from the window's middle to either side, `extent` (2,), in index units.
    """

    frame: Doubles
    extent: Doubles


# The middle of a window in index units, and what an index of usual make fills of it.
MIDDLE = np.array([LEFT, TOP]) + SPAN / 2
USUAL = Imprint(
    np.array(
        [[card_frame.USUAL_UNIT[0], 0.0, card_frame.USUAL[0]], [0.0, card_frame.USUAL_UNIT[1], card_frame.USUAL[1]]]
    ),
    np.array([0.9, 1.1]),
)


def imprint(pictures: Sequence[Shrunk], axes: Sequence[Sequence[Doubles]]) -> Imprint:
    """Where the indices of cards stand; as usual where no print stands out.

    axes: of the cards of each picture, (2, 3) each.
    """
    ends = [(picture, end) for picture, cards in zip(pictures, axes, strict=True) for a in cards for end in both(a)]
    if not ends:
        return USUAL
    ink = np.mean([_ink(_corner(picture, end)) for picture, end in ends], axis=0)
    box = _box(np.asarray(ink, np.float32))
    if box is None:
        return USUAL
    low, high = box
    # Half sides are of different lengths: squares on the card are not squares in them.
    shape = float(np.median([np.linalg.norm(a[:, 1]) / np.linalg.norm(a[:, 0]) for cards in axes for a in cards]))
    size = (high - low) * [1.0, shape]
    unit = float(size.max()) / SETTINGS.fills / SPAN * np.array([1.0, 1 / shape])
    centre = (low + high) / 2
    return Imprint(np.column_stack([np.diag(unit), centre - unit * MIDDLE]), (high - low) / 2 / unit)


def both(axes: Doubles) -> tuple[Doubles, Doubles]:
    """A card (2, 3) as it lies and turned by half."""
    return axes, card_frame.over(axes)


def _corner(picture: Shrunk, axes: Doubles) -> Bytes:
    """The upper left part (h, w, 3) of a card."""
    step = np.array([SETTINGS.reach[0] / SETTINGS.size[0], SETTINGS.reach[1] / SETTINGS.size[1]])
    move = np.column_stack([axes[:, :2] * step, axes[:, :2] @ (step / 2 - 1) + axes[:, 2]])
    level = int(max(0.0, np.floor(np.log2(max(float(np.abs(np.linalg.det(move[:, :2]))) ** 0.5, 1e-3)))))
    source = picture.level(level)
    scale = source.shape[1] / picture.levels[0].shape[1]
    move = move * scale
    move[:, 2] += scale / 2 - 0.5
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(source, move, SETTINGS.size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _ink(corner: Bytes) -> NDArray[np.bool_]:
    """Where something is printed, (h, w)."""
    dark = darkest(corner[None])[0]
    inner = np.ascontiguousarray(dark[SETTINGS.edge :, SETTINGS.edge :]).reshape(1, -1)
    return np.asarray(dark < (1 - SETTINGS.ink) * float(percentiles(inner, SETTINGS.paper)[0][0]))


def _box(ink: Floats) -> tuple[Doubles, Doubles] | None:
    """Upper left and lower right (2,), in half sides, of the print nearest to the corner; ink: how often (h, w)."""
    ink[: SETTINGS.edge] = ink[:, : SETTINGS.edge] = 0
    # What is printed on every card at its edge is a frame, or the cloth beside cards that lie a little askew.
    flags = (ink > SETTINGS.often * float(np.percentile(ink, SETTINGS.most))).astype(np.uint8)
    joined = cv2.morphologyEx(flags, cv2.MORPH_CLOSE, np.ones((SETTINGS.bridge, 3), np.uint8))
    count, labels, found, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    best: tuple[float, int] | None = None
    for k in range(1, count):
        x, y, w, h, area = (float(v) for v in found[k])
        if (
            not (SETTINGS.sides[0] < max(w / SETTINGS.size[0], h / SETTINGS.size[1]) < SETTINGS.sides[1])
            or area < SETTINGS.speck
        ):
            continue
        best = min(best or (np.inf, 0), (float(np.hypot(x, y)), k))
    if best is None:
        return None
    ys, xs = np.nonzero((labels == best[1]) & (flags > 0))
    step = np.array([SETTINGS.reach[0] / SETTINGS.size[0], SETTINGS.reach[1] / SETTINGS.size[1]])
    low, high = np.array([xs.min(), ys.min()]) * step - 1, np.array([xs.max() + 1, ys.max() + 1]) * step - 1
    return low, high
