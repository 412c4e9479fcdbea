"""Cards and table told apart by the colours of this very picture, where the search net is unsure.

The net has never seen this table nor the backs of this deck, and misses part of them: some backs of a pyramid, some of a
cloth. All backs of a deck are alike, though, and a cloth is much the same everywhere. So what the net is sure of shows
the colours of table, faces and backs, and these say what the rest is.
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


def told_by_colour(logits: Floats, image: Bytes) -> Floats:
    """Logits (k, h, w) of what shows in each cell of a map, weighed by the colours that go with it in this picture.

    image: (H, W, 3) uint8 RGB, that the map covers from its upper left; the map may reach beyond it.
    """
    kinds, h, w = logits.shape
    side = -(-max(image.shape[0], 1) // h), -(-max(image.shape[1], 1) // w)
    side = max(side), max(side)
    below, right = max(0, h * side[0] - image.shape[0]), max(0, w * side[1] - image.shape[1])
    whole = cv2.copyMakeBorder(image, 0, below, 0, right, cv2.BORDER_REPLICATE)[: h * side[0], : w * side[1]]
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
    each = np.repeat(weight / colour.shape[1], colour.shape[1])
    cube = np.bincount(colour.ravel(), each, minlength=SHADES**3).reshape(SHADES, SHADES, SHADES)
    for axis in range(3):
        low, high = np.roll(cube, 1, axis), np.roll(cube, -1, axis)
        edge = [slice(None)] * 3
        for of, at, own in ((low, 0, 0), (high, -1, -1)):
            edge[axis] = slice(at, None) if at < 0 else slice(0, 1)
            of[tuple(edge)] = cube[tuple(edge)]
        cube = cube / 2 + (low + high) / 4
    return np.asarray(cube.ravel())
