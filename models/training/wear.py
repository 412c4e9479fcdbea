"""What use does to printed cards: creases, scuffs, stains, greyed edges. Applied to faces and backs alike."""

from __future__ import annotations

import cv2
import numpy as np


def worn(face: np.ndarray, rng: np.random.Generator, amount: float) -> np.ndarray:
    """A used copy of a face (h, w, 3) uint8 RGB; `amount` 0..1 is how long it was played with."""
    h, w = face.shape[:2]
    out = face.astype(np.float32)
    for _ in range(rng.poisson(2 * amount)):
        _crease(out, rng)
    if rng.random() < amount:
        specks = rng.random((h, w)).astype(np.float32)
        specks = cv2.GaussianBlur(specks, (0, 0), float(rng.uniform(0.6, 1.6)))
        limit = np.quantile(specks, 1 - 0.03 * amount)
        out = np.where((specks > limit)[..., None], out * 0.3 + 165, out)
    if rng.random() < amount:
        field = cv2.resize(rng.random((4, 3)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)[..., None]
        out *= 1 - field * np.array([0.1, 0.13, 0.22], np.float32) * amount
    if rng.random() < amount:
        y, x = np.mgrid[:h, :w]
        edge = np.minimum(np.minimum(x, w - 1 - x), np.minimum(y, h - 1 - y)).astype(np.float32)
        out *= 1 - np.exp(-edge / (w * 0.012))[..., None] * float(rng.uniform(0.1, 0.5)) * amount
    return np.clip(out, 0, 255).astype(np.uint8)


def _crease(out: np.ndarray, rng: np.random.Generator) -> None:
    """One bent line, light where the print broke, with a shade beside it."""
    h, w = out.shape[:2]
    start, end = rng.uniform(-0.2, 1.2, 2) * (w, h), rng.uniform(-0.2, 1.2, 2) * (w, h)
    if rng.random() < 0.5:  # a corner folded once
        start, end = np.array([w * rng.uniform(0.1, 0.45), 0.0]), np.array([0.0, h * rng.uniform(0.08, 0.35)])
        if rng.random() < 0.5:
            start, end = np.array([w, h]) - start, np.array([w, h]) - end
    mask = np.zeros((h, w), np.uint8)
    a, b = tuple(int(v) for v in start), tuple(int(v) for v in end)
    cv2.line(mask, a, b, 255, int(rng.integers(1, 3)), cv2.LINE_AA)
    share = mask[..., None].astype(np.float32) / 255 * float(rng.uniform(0.2, 0.9))
    out[:] = out * (1 - share) + 205 * share
    shade = cv2.GaussianBlur(mask, (0, 0), 3.0)[..., None].astype(np.float32) / 255
    out *= 1 - shade * float(rng.uniform(0.1, 0.5))
