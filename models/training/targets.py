"""What the search net should say about a scene."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.nets import CARD_CHANNELS, CORNER_CHANNELS, INDEX_CHANNELS
from models.training.scenes import OCCLUDER, Scene

# Rank heights in pixels the net is asked to find; larger ones are found at a smaller scale of the picture.
INDEX_HEIGHTS = (6.5, 42.0)
CARD_WIDTHS = (18.0, 170.0)
IGNORE = 255


def index_target(scene: Scene) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Heat (h/4, w/4), geometry (7, h/4, w/4) and weights (2, h/4, w/4): of the heat's loss, of the geometry's."""
    side = scene.image.shape[0] // 4
    heat, geometry = np.zeros((side, side), np.float32), np.zeros((INDEX_CHANNELS - 1, side, side), np.float32)
    weight = np.stack([np.ones((side, side), np.float32), np.zeros((side, side), np.float32)])
    yy, xx = np.mgrid[:side, :side].astype(np.float32)
    ready = []
    for index in scene.indices:
        right, down, centre = index.frame[:, 0], index.frame[:, 1], index.frame[:, 2] / 4 - 0.5
        height = float(np.linalg.norm(down))
        if index.seen < 0.3:
            continue
        near = (xx - centre[0]) ** 2 + (yy - centre[1]) ** 2
        if index.seen < 0.86 or not INDEX_HEIGHTS[0] <= height <= INDEX_HEIGHTS[1]:
            weight[0][near < max(1.5, height / 4 * 0.6) ** 2] = 0
        else:
            ready.append((near, right, down, height, centre))
    for near, right, down, height, centre in ready:
        sigma = max(0.75, min(1.6, height / 4 * 0.16))
        bump = np.exp(-near / (2 * sigma**2))
        heat = np.maximum(heat, bump)
        unit = down / height
        across = np.array([unit[1], -unit[0]])
        core = near <= max(1.3, sigma * 1.3) ** 2
        weight[0][core] = 1
        weight[1][core] = np.exp(-near[core] / (2 * 1.5**2))
        values = (
            centre[0] - xx[core],
            centre[1] - yy[core],
            unit[0],
            unit[1],
            np.log(height / 16),
            right @ across / height,
            right @ unit / height,
        )
        for channel, value in enumerate(values):
            geometry[channel][core] = value
        peak = np.unravel_index(np.argmin(near), near.shape)
        heat[peak] = 1
    return heat, geometry, weight


def corner_target(scene: Scene) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Heat (h/4, w/4), geometry (6, h/4, w/4) and weights (2, h/4, w/4) of the outer corners of cards that show."""
    size, side = scene.image.shape[0], scene.image.shape[0] // 4
    heat, geometry = np.zeros((side, side), np.float32), np.zeros((CORNER_CHANNELS - 1, side, side), np.float32)
    weight = np.stack([np.ones((side, side), np.float32), np.zeros((side, side), np.float32)])
    for k, card in enumerate(scene.cards):
        q = card.quad_xy.astype(np.float64)
        width = float(np.linalg.norm(q[1] - q[0]))
        for c in range(4):
            edge, other = q[(c + 1) % 4] - q[c], q[(c + 3) % 4] - q[c]
            inner = q[c] + 0.06 * edge + 0.06 * other
            if (
                not (2 <= inner[0] < size - 2 and 2 <= inner[1] < size - 2)
                or scene.ids[int(inner[1]), int(inner[0])] != k + 1
            ):
                continue
            x, y = q[c] / 4 - 0.5
            x0, y0 = max(0, int(x) - 3), max(0, int(y) - 3)
            x1, y1 = min(side, int(x) + 5), min(side, int(y) + 5)
            if x1 <= x0 or y1 <= y0:
                continue
            yy, xx = np.mgrid[y0:y1, x0:x1].astype(np.float32)
            near = (xx - x) ** 2 + (yy - y) ** 2
            if not CARD_WIDTHS[0] <= width <= 2 * CARD_WIDTHS[1]:
                weight[0, y0:y1, x0:x1][near < 6] = 0
                continue
            heat[y0:y1, x0:x1] = np.maximum(heat[y0:y1, x0:x1], np.exp(-near / (2 * 0.8**2)))
            best = np.unravel_index(np.argmin(near), near.shape)
            heat[y0 + best[0], x0 + best[1]] = 1
            core = near <= 1.7
            weight[1, y0:y1, x0:x1][core] = np.exp(-near[core] / 4)
            e, o = edge / max(width, 1e-6), other / max(float(np.linalg.norm(other)), 1e-6)
            for channel, value in enumerate((x - xx[core], y - yy[core], e[0], e[1], o[0], o[1])):
                geometry[channel, y0:y1, x0:x1][core] = value
    return heat, geometry, weight


def card_target(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """Class (h/8, w/8) uint8 (0 none, 1 face, 2 back, 255 ignored) and geometry (8, h/8, w/8)."""
    ids = scene.ids[4::8, 4::8]
    side = ids.shape[0]
    kind, geometry = np.zeros((side, side), np.uint8), np.zeros((CARD_CHANNELS - 3, side, side), np.float32)
    kind[ids == OCCLUDER] = 0
    yy, xx = (np.mgrid[:side, :side] * 8 + 4).astype(np.float32)
    for k, card in enumerate(scene.cards):
        here = ids == k + 1
        if not here.any():
            continue
        q = card.quad_xy
        down, right = (q[3] + q[2] - q[0] - q[1]) / 4, (q[1] + q[2] - q[0] - q[3]) / 4
        height, width = float(np.linalg.norm(down)), float(np.linalg.norm(right))
        if not CARD_WIDTHS[0] <= 2 * width <= CARD_WIDTHS[1] or 2 * height > 280:
            kind[here] = IGNORE
            continue
        kind[here] = 1 if card.face_up else 2
        centre = crossing(q)
        a, b = np.arctan2(down[1], down[0]), np.arctan2(right[1], right[0])
        values = (
            (centre[0] - xx[here]) / 32,
            (centre[1] - yy[here]) / 32,
            np.log(height / 32),
            np.log(width / 32),
            np.cos(2 * a),
            np.sin(2 * a),
            np.cos(2 * b),
            np.sin(2 * b),
        )
        for channel, value in enumerate(values):
            geometry[channel][here] = value
    # At a border between two cards the stride-8 cell belongs to neither.
    edge = cv2.dilate(ids, np.ones((2, 2), np.uint8)) != cv2.erode(ids, np.ones((2, 2), np.uint8))
    kind[edge & (kind == 0)] = IGNORE
    return kind, geometry


def crossing(q: np.ndarray) -> np.ndarray:
    """Where the diagonals of a quad (4, 2) cross: the card's middle in perspective."""
    d1, d2 = q[2] - q[0], q[3] - q[1]
    det = d1[0] * d2[1] - d1[1] * d2[0]
    if abs(det) < 1e-6:
        return q.mean(0)
    t = ((q[1][0] - q[0][0]) * d2[1] - (q[1][1] - q[0][1]) * d2[0]) / det
    return q[0] + t * d1
