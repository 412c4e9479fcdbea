"""From the search net's maps to indices and cards in pixels."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Indices:
    """Index finds: frames (n, 2, 3) float32 in pixels of the net's input, heat (n,) 0..1."""

    frames: Floats
    heat: Floats


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), np.float32)


def decode_indices(index_map: Floats, threshold: float, limit: int = 200) -> Indices:
    """Peaks of an index map (8, h, w) at stride 4 above `threshold`, the hottest `limit` of them."""
    heat = _sigmoid(index_map[0])
    peak = heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))
    ys, xs = np.nonzero(peak & (heat > threshold))
    if len(ys) > limit:
        best = np.argsort(-heat[ys, xs])[:limit]
        ys, xs = ys[best], xs[best]
    values = index_map[1:, ys, xs]
    x, y = (xs + values[0] + 0.5) * 4, (ys + values[1] + 0.5) * 4
    norm = np.maximum(np.hypot(values[2], values[3]), 1e-3)
    down = np.stack([values[2], values[3]]) / norm
    across = np.stack([down[1], -down[0]])
    height = 16 * np.exp(np.clip(values[4], -2, 2))
    right = across * np.clip(values[5], 0.3, 2.5) + down * np.clip(values[6], -1, 1)
    frames = np.stack([right * height, down * height, np.stack([x, y])], axis=2).transpose(1, 0, 2)
    return Indices(np.ascontiguousarray(frames, np.float32), heat[ys, xs])
