"""A picture at every scale, each made when first asked for."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

Box = tuple[int, int, int, int]  # left, top, right, bottom in pixels


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a picture at some scale: (h, w, 3) uint8 RGB, the `box` it covers in the picture's pixels, and how
    many of these one of its own pixels is wide and high.
    """

    image: Bytes
    box: Box
    step: tuple[float, float]

    @property
    def origin(self) -> tuple[float, float]:
        """The picture's pixel at which the part begins."""
        return float(self.box[0]), float(self.box[1])

    @property
    def factor(self) -> float:
        """How many of the part's pixels make one of the picture, along a side."""
        return 1 / float(np.sqrt(self.step[0] * self.step[1]))


class Shrunk:
    """A picture (h, w, 3) uint8 RGB with its halves, quarters, … made when first asked for."""

    def __init__(self, image: Bytes) -> None:
        self.levels: list[Bytes] = [image]

    def level(self, k: int) -> Bytes:
        """The picture shrunk by 2**k (as far as it stays 16 pixels wide)."""
        while len(self.levels) <= k and min(self.levels[-1].shape[:2]) >= 32:
            last = self.levels[-1]
            h, w = last.shape[0] // 2 * 2, last.shape[1] // 2 * 2
            self.levels.append(
                np.asarray(cv2.resize(last[:h, :w], (w // 2, h // 2), interpolation=cv2.INTER_AREA), np.uint8)
            )
        return self.levels[min(k, len(self.levels) - 1)]

    def part(self, box: Box, factor: float) -> Part:
        """The part in `box` shrunk by about `factor` (at most 1): from the nearest finer level, whose pixels two by two
        make those of the part.
        """
        half = max(0, int(np.floor(-np.log2(factor) + 1e-6)))
        level = self.level(half)
        each = round(self.levels[0].shape[1] / level.shape[1])
        left, top = box[0] // each, box[1] // each
        cut = level[top : -(-box[3] // each), left : -(-box[2] // each)]
        h, w = cut.shape[:2]
        size = max(1, round(w * factor * each)), max(1, round(h * factor * each))
        image = cut if size == (w, h) else np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_LINEAR), np.uint8)
        covered = left * each, top * each, (left + w) * each, (top + h) * each
        return Part(image, covered, (w * each / size[0], h * each / size[1]))
