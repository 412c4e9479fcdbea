"""Crops of what was read wrongly, to look at: plain, and beside it with the truth and the reading drawn in."""

from __future__ import annotations

import pathlib

import cv2
import numpy as np

from models.measure.judging import Miss
from models.measure.pictures import Picture

SIDE = 420
AROUND = 0.3
GREEN, RED = (60, 230, 60), (255, 60, 60)


def write(folder: pathlib.Path, picture: Picture, misses: list[Miss]) -> None:
    """One file a miss: PICTURE PLACE truth-X read-Y pZZ sure.jpg."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, miss in enumerate(misses):
        name = f"{picture.name}_{miss.place or 'card'}_truth-{miss.truth}_read-{miss.read}_p{miss.chance * 100:.0f}"
        name = f"{name}{'_SURE' if miss.sure else ''}_{number}.jpg".replace(" ", "-").replace("?", "down-")
        cv2.imwrite(str(folder / name.replace("!", "unreadable-").replace("/", "-")), sheet(picture, miss)[..., ::-1])


def sheet(picture: Picture, miss: Miss) -> np.ndarray:
    """The crop twice, (h, w, 3) uint8 RGB: plain, and with where the truth lies in green and the reading in red."""
    known = [q for q in (miss.truth_xy, miss.read_xy) if q is not None]
    h, w = picture.pixels.shape[:2]
    points = np.concatenate(known) if known else np.array([[0, 0], [w, h]], np.float32)
    low, high = points.min(0), points.max(0)
    pad = AROUND * float((high - low).max()) if known else 0.0
    x0, y0 = np.floor(low - pad).astype(int).clip(0, [w - 2, h - 2])
    x1, y1 = np.ceil(high + pad).astype(int).clip([x0 + 2, y0 + 2], [w, h])
    cut = picture.pixels[y0:y1, x0:x1]
    factor = SIDE / max(cut.shape[:2]) if known else min(1.0, 1000 / max(cut.shape[:2]))
    flags = cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA
    plain = cv2.resize(cut, None, fx=factor, fy=factor, interpolation=flags)
    drawn = plain.copy()
    for quad, ink in ((miss.truth_xy, GREEN), (miss.read_xy, RED)):
        if quad is not None:
            at = np.round((quad - [x0, y0]) * factor).astype(np.int32)
            cv2.polylines(drawn, [at], True, ink, 2, cv2.LINE_AA)
            cv2.circle(drawn, tuple(int(v) for v in at[0]), 5, ink, -1)
    return np.hstack([plain, drawn])
