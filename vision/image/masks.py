"""Parts of a picture as masks no larger than themselves, so that a card costs what a card's pixels cost."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Area:
    """Some pixels of a picture: its corner (left, top), and 1 in `mask` (h, w) for each pixel from there that counts.

    It lies inside the picture as a whole.
    """

    left: int
    top: int
    mask: Bytes

    @classmethod
    def of(cls, corners: Ints, size: tuple[int, int]) -> Area:
        """What lies inside corners (4, 2), clockwise, in a picture of `size` (height, width)."""
        x, y, width, height = cv2.boundingRect(corners)
        left, top = min(max(x, 0), size[1]), min(max(y, 0), size[0])
        right, bottom = max(min(x + width, size[1]), left), max(min(y + height, size[0]), top)
        mask = np.zeros((bottom - top, right - left), np.uint8)
        if mask.size:
            cv2.fillConvexPoly(mask, corners - (left, top), 1)
        return cls(left, top, mask)

    @property
    def count(self) -> int:
        """How many pixels."""
        return int(cv2.countNonZero(self.mask)) if self.mask.size else 0

    @property
    def slices(self) -> tuple[slice, slice]:
        """The rows and columns of the picture that the mask covers."""
        height, width = self.mask.shape
        return slice(self.top, self.top + height), slice(self.left, self.left + width)

    def most(self, values: Floats) -> float:
        """The largest of `values` (h, w) of the picture on these pixels; 0 where there are none."""
        return float(cv2.minMaxLoc(values[self.slices], self.mask)[1]) if self.mask.size else 0.0

    def padded(self, margin: int, size: tuple[int, int]) -> Area:
        """The same pixels in a mask that is larger by `margin` on every side, as far as the picture goes."""
        height, width = self.mask.shape
        left, top = max(self.left - margin, 0), max(self.top - margin, 0)
        right, bottom = min(self.left + width + margin, size[1]), min(self.top + height + margin, size[0])
        mask = np.zeros((bottom - top, right - left), np.uint8)
        mask[self.top - top :, self.left - left :][:height, :width] = self.mask
        return Area(left, top, mask)


def grown(quads: Doubles, factor: float = 1.0) -> Ints:
    """Corners (n, 4, 2) moved away from the middle of their four by a factor, as whole pixels."""
    middle = quads.mean(1, keepdims=True)
    return np.asarray(np.round(middle + (quads - middle) * factor).astype(np.int32))


def depths(flags: Bytes) -> Floats:
    """How far each pixel of `flags` (h, w) that is not 0 lies from the nearest one that is, in pixels; 0 at these."""
    out = np.zeros(flags.shape, np.float32)
    left, top, width, height = cv2.boundingRect(flags)
    if width:
        # What counts and a pixel around it, as far as the picture goes.
        rows, columns = slice(max(top - 1, 0), top + height + 1), slice(max(left - 1, 0), left + width + 1)
        cv2.distanceTransform(flags[rows, columns], cv2.DIST_L2, 3, out[rows, columns])
    return out
