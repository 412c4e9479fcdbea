"""Own index characters drawn with a pen: shapes that fonts seldom have (flat-topped 3, open 4, slab 1, joined 10)."""

from __future__ import annotations

import cv2
import numpy as np


def _arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> list[tuple[float, float]]:
    angles = np.radians(np.linspace(start, end, 24))
    return [(cx + rx * float(np.cos(a)), cy + ry * float(np.sin(a))) for a in angles]


def strokes_of(rank: str, rng: np.random.Generator) -> list[list[tuple[float, float]]]:
    """Polylines in a box of width 0..0.62 and height 0..1 (y down) for one rank text."""
    w = 0.62
    pick = float(rng.random())
    if rank == "2":
        return [[*_arc(w / 2, 0.3, w / 2, 0.3, 190, 380), (0, 1), (w, 1)]]
    if rank == "3":
        if pick < 0.65:
            return [[(0.03, 0), (w * 0.96, 0), (w * 0.42, 0.4), *_arc(w * 0.46, 0.69, w * 0.52, 0.31, 280, 500)]]
        return [[*_arc(w / 2, 0.25, w * 0.46, 0.25, 200, 440), *_arc(w / 2, 0.73, w / 2, 0.27, 280, 515)]]
    if rank == "4":
        if pick < 0.5:
            return [[(w * 0.1, 0), (0, 0.62), (w, 0.62)], [(w * 0.68, 0.25 if pick < 0.25 else 0.0), (w * 0.68, 1)]]
        return [[(w * 0.72, 1), (w * 0.72, 0), (0, 0.7), (w, 0.7)]]
    if rank == "5":
        return [[(w * 0.9, 0), (w * 0.1, 0), (w * 0.06, 0.43), *_arc(w * 0.46, 0.68, w * 0.52, 0.32, 235, 500)]]
    if rank == "6":
        top = [*_arc(w * 0.55, 0.3, w * 0.5, 0.3, 320, 190)] if pick < 0.6 else [(w * 0.7, 0), (w * 0.15, 0.45)]
        return [[*top, *_arc(w / 2, 0.7, w / 2, 0.3, 180, 540)]]
    if rank == "7":
        return [
            [(0, 0.12 if pick < 0.3 else 0), (0, 0), (w, 0), (w * 0.35, 1)],
            *([[(w * 0.2, 0.5), (w * 0.85, 0.5)]] if pick > 0.85 else []),
        ]
    if rank == "8":
        return [_arc(w / 2, 0.25, w * 0.43, 0.25, 90, 450), _arc(w / 2, 0.74, w / 2, 0.26, -90, 270)]
    if rank == "9":
        return [[*_arc(w / 2, 0.3, w / 2, 0.3, 0, 360), *_arc(w * 0.45, 0.7, w * 0.52, 0.3, -5, 140)]]
    if rank == "10":
        one = [[(0.02, 0.12), (0.12, 0), (0.12, 1)]] if pick < 0.5 else [[(0.06, 0), (0.06, 1)]]
        x = 0.3 if pick < 0.7 else 0.24
        return [*one, _arc(x + 0.22, 0.5, 0.22, 0.5, 0, 360)]
    if rank == "1":
        return [[(0.1, 0.2), (0.3, 0), (0.3, 1)], [(0.1, 1), (0.5, 1)]]
    if rank == "A":
        return [
            [(0, 1), (w / 2, 0), (w, 1)],
            [(w * 0.2, 0.66), (w * 0.8, 0.66)],
            *([[(-0.06, 1), (0.12, 1)], [(w - 0.12, 1), (w + 0.06, 1)]] if pick < 0.4 else []),
        ]
    if rank == "J":
        return [
            [(w * 0.75, 0), *_arc(w * 0.38, 0.72, w * 0.37, 0.28, 0, 180)],
            *([[(w * 0.45, 0), (w, 0)]] if pick < 0.5 else []),
        ]
    if rank == "Q":
        return [_arc(w / 2, 0.47, w / 2, 0.47, 0, 360), [(w * 0.5, 0.7), (w, 1.0)]]
    if rank == "K":
        serif = [
            [(-0.05, 0), (0.12, 0)],
            [(-0.05, 1), (0.12, 1)],
            [(w - 0.12, 1), (w + 0.06, 1)],
            [(w - 0.14, 0), (w + 0.04, 0)],
        ]
        return [
            [(0.03, 0), (0.03, 1)],
            [(w * 0.95, 0), (0.03, 0.6)],
            [(w * 0.32, 0.42), (w, 1)],
            *(serif if pick < 0.4 else []),
        ]
    raise ValueError(f"no strokes for {rank!r}")


def stroke_glyph(rank: str, weight: float, rng: np.random.Generator, size: int = 160) -> np.ndarray:
    """Mask (h, w) uint8 of a rank written with a round pen of `weight` (share of the height), cropped to its ink."""
    pad = int(size * 0.25)
    mask = np.zeros((size + 2 * pad, size + 2 * pad), np.uint8)
    for line in strokes_of(rank, rng):
        points = np.array([[pad + x * size, pad + y * size] for x, y in line])
        cv2.polylines(
            mask, [np.round(points * 16).astype(np.int32)], False, 255, max(2, int(weight * size)), cv2.LINE_AA, 4
        )
    rows, columns = np.where(mask.max(1) > 60)[0], np.where(mask.max(0) > 60)[0]
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
