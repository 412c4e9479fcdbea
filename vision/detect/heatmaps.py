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


@dataclass(frozen=True, slots=True)
class Corners:
    """Outer corners of cards: places (n, 2) in pixels of the net's input, unit edges (n, 2) that run from the
    corner, clockwise one and other one, heat (n,).
    """

    at_xy: Floats
    edge: Floats
    other: Floats
    heat: Floats

    def __len__(self) -> int:
        return len(self.heat)

    def moved(self, step: tuple[float, float], origin: tuple[float, float]) -> Corners:
        """The same in the pixels of a picture of which one here covers `step`, the first beginning at `origin`."""
        at = self.at_xy * np.array(step, np.float32) + np.array(origin, np.float32)
        return Corners(at, self.edge, self.other, self.heat)

    def take(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Corners:
        """Some of them."""
        return Corners(self.at_xy[which], self.edge[which], self.other[which], self.heat[which])


def together(parts: list[Corners]) -> Corners:
    """The corners of several scales as one list (a corner seen at two scales stays twice: two witnesses)."""
    return Corners(*(np.concatenate([getattr(p, name) for p in parts]) for name in ("at_xy", "edge", "other", "heat")))


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))), np.float32)


def _logit(chance: float) -> float:
    return float(np.log(chance / (1 - chance)))


def softmax(logits: Floats) -> Floats:
    """Chances along the first axis."""
    e = np.exp(logits - logits.max(0))
    return np.asarray(e / e.sum(0), np.float32)


INDEX_CHANNELS = 8
NARROW = (0.3, 2.5)  # ranks are so many times as wide as high, from and to


def _peaks(logits: Floats, threshold: float, limit: int) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """Rows, columns and heat of the local maxima above `threshold`, the hottest `limit` of them."""
    # A higher logit is a higher heat, so only the peaks need theirs.
    ys, xs = np.nonzero((logits >= cv2.dilate(logits, np.ones((3, 3), np.uint8))) & (logits > _logit(threshold)))
    heat = _sigmoid(logits[ys, xs])
    if len(ys) > limit:
        best = np.argsort(-heat)[:limit]
        ys, xs, heat = ys[best], xs[best], heat[best]
    return ys, xs, heat


def decode_corners(point_map: Floats, threshold: float, limit: int = 400) -> Corners:
    """Corners of cards in a point map (15, h, w) at stride 4."""
    corner_map = point_map[INDEX_CHANNELS:]
    ys, xs, heat = _peaks(corner_map[0], threshold, limit)
    v = corner_map[1:, ys, xs]
    at = np.stack([(xs + v[0] + 0.5) * 4, (ys + v[1] + 0.5) * 4], axis=1).astype(np.float32)
    edges = [np.asarray(e / np.maximum(np.linalg.norm(e, axis=0), 1e-3), np.float32).T for e in (v[2:4], v[4:6])]
    return Corners(at, edges[0], edges[1], heat)


def decode_indices(point_map: Floats, threshold: float, limit: int = 200) -> Indices:
    """Indices in a point map (15, h, w) at stride 4 above `threshold`, the hottest `limit` of them; one of which the
    net tells no direction, both its numbers rounded to 0, is none."""
    index_map = point_map[:INDEX_CHANNELS]
    ys, xs, heat = _peaks(index_map[0], threshold, limit)
    turned = np.hypot(*index_map[3:5, ys, xs]) > 0
    ys, xs, heat = ys[turned], xs[turned], heat[turned]
    values = index_map[1:, ys, xs]
    x, y = (xs + values[0] + 0.5) * 4, (ys + values[1] + 0.5) * 4
    down = np.stack([values[2], values[3]]) / np.hypot(values[2], values[3])
    across = np.stack([down[1], -down[0]])
    height = 16 * np.exp(np.clip(values[4], -2, 2))
    right = across * np.clip(values[5], *NARROW) + down * np.clip(values[6], -1, 1)
    frames = np.stack([right * height, down * height, np.stack([x, y])], axis=2).transpose(1, 0, 2)
    return Indices(np.ascontiguousarray(frames, np.float32), heat)
