"""Cards and table told apart by the colours of this very picture, where the search net is unsure.

The net has never seen this table nor the backs of this deck, and misses part of them: some backs of a pyramid, some of
a cloth. All backs of a deck are alike, though, and a cloth is much the same everywhere. So what the net is sure of
shows the colours of table, faces and backs, and these say what the rest is.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]
Ints = NDArray[np.intp]

# Shades of each channel that are told apart, spaced evenly by the root of the light.
SHADES = 12
# Points looked at in a cell of the card map, along a side.
POINTS = 2
# Before any cell of a kind is seen, its colours are those of the whole picture; that counts as much as so many cells.
PRIOR = 50.0
# What the net says of a cell is never taken for surer than this, in logarithms of odds.
HELD = 7.0
ROUNDS = 2
_SHADE = np.minimum(np.sqrt(np.arange(256) / 255) * SHADES, SHADES - 1).astype(np.uint8)


def told_by_colour(logits: Floats, image: Bytes, side: int) -> Floats:
    """Logits (k, h, w) of what shows in each cell of a map, weighed by the colours that go with it in this picture.

    image: (H, W, 3) uint8 RGB, that the map covers from its upper left; the map may reach beyond it. side: of a cell,
    in pixels.
    """
    kinds, h, w = logits.shape
    below, right = max(0, h * side - image.shape[0]), max(0, w * side - image.shape[1])
    whole = cv2.copyMakeBorder(image, 0, below, 0, right, cv2.BORDER_REPLICATE)[: h * side, : w * side]
    small = cv2.resize(whole, (w * POINTS, h * POINTS), interpolation=cv2.INTER_AREA)
    red, green, blue = cv2.split(cv2.LUT(small, _SHADE).astype(np.int32))
    colour = np.asarray((red * SHADES + green) * SHADES + blue, np.intp)
    # One row a cell, its points side by side.
    colour = colour.reshape(h, POINTS, w, POINTS).transpose(0, 2, 1, 3).reshape(h * w, -1)
    believed = logits.reshape(kinds, -1) - logits.reshape(kinds, -1).max(0)
    believed = np.maximum(believed, -HELD)
    whole_share = _counts(colour, np.ones(h * w)) / (h * w)
    told = believed
    for _ in range(ROUNDS):
        chance = np.exp(told - told.max(0))
        chance /= chance.sum(0)
        weight = np.where(chance > 0.5, chance, 0.0)
        shares = np.stack([_counts(colour, each) for each in weight])
        shares = (shares + PRIOR * whole_share) / (weight.sum(1) + PRIOR)[:, None]
        told = believed + np.log(np.maximum(shares, 1e-7))[:, colour].mean(2)
    return np.asarray(told.reshape(logits.shape), np.float32)


def _counts(colour: Ints, weight: NDArray[np.floating]) -> NDArray[np.float64]:
    """How often each colour shows in cells (n, points) of this weight (n,), neighbouring colours counting as well."""
    points = np.repeat(weight / colour.shape[1], colour.shape[1])
    counted = np.bincount(colour.ravel(), points, minlength=SHADES**3)
    cube = np.asarray(counted.reshape(SHADES, SHADES, SHADES), np.float64)
    for axis in range(3):
        wide = np.pad(cube, [(1, 1) if each == axis else (0, 0) for each in range(3)], mode="edge")
        cube = cube / 2 + (wide.take(range(SHADES), axis) + wide.take(range(2, SHADES + 2), axis)) / 4
    return cube.ravel()
