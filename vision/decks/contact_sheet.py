"""A deck shown bit by bit: every card cut out of its picture, and all of them laid out as if photographed at once."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.decks.capture import Laid
from vision.decks.profile import ProfileError
from vision.detect import multiscale
from vision.image.shrunk import Shrunk
from vision.nets.session import Net
from vision.recognize import index_reader
from vision.recognize.index_reader import Readings

Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]

# A card cut out, with a little of what lies around it: width and height in pixels, and the margin as a share of them.
SIZE = (280, 392)
MARGIN = 0.08
COLUMNS = 13


def cut_out(photograph: Laid) -> list[Bytes]:
    """Each card (392, 280, 3) uint8 RGB of a photograph, in the order they lie.

    Raises ProfileError (wrong-count) where it is not sure how many there are: all that follow would be taken for
    others.
    """
    faces = int((photograph.found.cards.face > 0.5).sum())
    if faces != len(photograph.axes):
        raise ProfileError("wrong-count", f"{len(photograph.axes)} ≠ {faces}")
    return [_cut(photograph.picture, axes) for axes in photograph.axes]


def laid_out(cards: Sequence[Bytes], search: Net) -> Laid:
    """Cards (392, 280, 3) uint8 RGB in rows of thirteen, as one photograph."""
    rows = -(-len(cards) // COLUMNS)
    width, height = SIZE
    image = np.zeros((rows * height, COLUMNS * width, 3), np.uint8)
    axes = []
    for k, card in enumerate(cards):
        left, top = k % COLUMNS * width, k // COLUMNS * height
        image[top : top + height, left : left + width] = card
        half = np.array(SIZE) / 2
        middle = half + np.array([left, top]) - 0.5
        axes.append(np.column_stack([np.diag(half * (1 - 2 * MARGIN)), middle]))
    picture = Shrunk(image)
    nothing = Readings(np.zeros((0, 2, 3), np.float32), np.zeros((0, index_reader.SIZE)))
    lengths = tuple(min(COLUMNS, len(cards) - row * COLUMNS) for row in range(rows))
    return Laid(picture, multiscale.search(picture, search), nothing, axes, lengths, upright=True)


def _cut(picture: Shrunk, axes: Doubles) -> Bytes:
    """One card, upright or upside down as it lies."""
    half = np.array(SIZE) / 2
    step = 1 / (half * (1 - 2 * MARGIN))
    move = np.column_stack([axes[:, :2] * step, axes[:, 2] - axes[:, :2] @ (step * (half - 0.5))])
    shrink = float(np.sqrt(abs(np.linalg.det(move[:, :2]))))
    source = picture.level(max(0, int(np.floor(np.log2(max(shrink, 1.0))))))
    scale = source.shape[1] / picture.levels[0].shape[1]
    move = move * scale
    move[:, 2] += scale / 2 - 0.5
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(source, move, SIZE, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)
