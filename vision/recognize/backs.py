"""How like each other cards look that lie face down, and how sharply a card stands out from the table.

All backs of a deck are alike and faces are not; a thing that is no card is like no back, and the table goes on where a
card would end.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.shrunk import Shrunk
from vision.recognize import card_classifier

Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]

# The part of a view that no card of the next row hides, in pixels; how much it is smoothed, and the noise in it.
UPPER = np.s_[5:30, 4:-4]
SOFT, NOISE = 1.2, 20.0
# So many levels are added before colours are compared by their logarithms: dark ones are all alike.
DARK = 20.0
# How far a view reaches in which a card's edges are looked for, in half sides; so many pixels of it on both sides of
# where an edge should be it may be, a step is told from the mean of so many, and so many next to corners are left out.
AROUND = 1.4
NEAR, STEP, CORNERS = 7, 2, 4
# What an edge that nobody would see has of steadiness along it, in levels.
UNSTEADY = 6.0


def likeness(views: Bytes) -> Doubles:
    """How like each of some covered cards is to the others, (n,), -1 to 1 in the mean: views (n, 64, 48, 3) of them, of
    which the upper part is compared.
    """
    if len(views) < 2:
        return np.zeros(len(views))
    each = _level(_uppers(views))
    return _alike(each, (each.sum(0) - each) / (len(views) - 1))


def likeness_to(views: Bytes, backs: Bytes) -> tuple[Doubles, Doubles]:
    """How like views (n, 64, 48, 3) are to m > 0 views of backs, whichever end is up: -1 to 1 in the mean, and how far
    off in colour, in logarithms, (n,) each.
    """
    ways, own = [_uppers(views), _uppers(views[:, ::-1, ::-1])], _uppers(backs)
    alike = [_alike(_level(way), _level(own).mean(0, keepdims=True)) for way in ways]
    colours = [np.log(part.mean(2) + DARK) for part in (ways[0], own)]
    off = np.linalg.norm(colours[0] - np.median(colours[1], axis=0), axis=1)
    return np.maximum(*alike), off.astype(np.float64)


def _uppers(views: Bytes) -> Floats:
    """The upper parts of n views, smoothed: (n, 3, pixels)."""
    parts = [cv2.GaussianBlur(view[UPPER].astype(np.float32), (0, 0), SOFT) for view in views]
    return np.array(parts, np.float32).reshape(len(views), views[0][UPPER].size // 3, 3).transpose(0, 2, 1).copy()


def _level(parts: Floats) -> Floats:
    """Each of n parts against its mean colour, by its own spread, in one row."""
    rows = (parts - parts.mean(2, keepdims=True)).reshape(len(parts), -1)
    spread = np.sqrt(np.einsum("nk,nk->n", rows, rows) / rows.shape[1] + NOISE)
    return np.asarray(rows / spread[:, None])


def _alike(some: Floats, others: Floats) -> Doubles:
    """Correlations (n,) of rows with one other each, or with one for all."""
    return np.asarray(np.einsum("nk,nk->n", some, np.broadcast_to(others, some.shape)) / some.shape[1], np.float64)


def edges(picture: Shrunk, axes: Doubles) -> Doubles:
    """How sharply each of n cards stands out from the table on the last but one of its four sides, (n,): how large the
    step in colour is there against how unsteady it is along the side. One side may lie on another card.
    """
    views = card_classifier.cut(picture, axes, AROUND).astype(np.float32)
    height, width = views.shape[1:3]
    top, left = (round(size * (1 - 1 / AROUND) / 2) for size in (height, width))
    across, down = slice(left + CORNERS, width - left - CORNERS), slice(top + CORNERS, height - top - CORNERS)
    sides = [
        views[:, top - NEAR : top + NEAR, across].transpose(0, 2, 1, 3),
        views[:, height - top - NEAR : height - top + NEAR, across].transpose(0, 2, 1, 3),
        views[:, down, left - NEAR : left + NEAR],
        views[:, down, width - left - NEAR : width - left + NEAR],
    ]
    return np.asarray(np.sort([_step(side) for side in sides], axis=0)[1], np.float64)


def _step(side: Floats) -> Doubles:
    """The sharpest step (n,) across a side, views (n, along, across, 3) of it."""
    runs = np.mean([side[:, :, at : side.shape[2] - STEP + 1 + at] for at in range(STEP)], axis=0)
    steps = runs[:, :, STEP:] - runs[:, :, :-STEP]
    mean = steps.mean(1)
    unsteady = np.sqrt(((steps - mean[:, None]) ** 2).sum(3).mean(1))
    return np.asarray((np.linalg.norm(mean, axis=2) / (unsteady + UNSTEADY)).max(1), np.float64)
