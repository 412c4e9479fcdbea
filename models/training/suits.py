"""Suit shapes: from fonts, and from our own curves with random proportions."""

from __future__ import annotations

import cv2
import numpy as np

from models.training import fonts

SIZE = 128


def _polygon(points: np.ndarray) -> np.ndarray:
    mask = np.zeros((SIZE, SIZE), np.uint8)
    cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask


def _bezier(p: list[tuple[float, float]], n: int = 20) -> np.ndarray:
    t = np.linspace(0, 1, n)[:, None]
    a, b, c, d = (np.array(q) for q in p)
    return (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d


def _mirror(half: np.ndarray) -> np.ndarray:
    other = half[::-1].copy()
    other[:, 0] = 1 - other[:, 0]
    return np.vstack([half, other]) * SIZE


def _heart(rng: np.random.Generator) -> np.ndarray:
    dip, shoulder, wide = rng.uniform(0.1, 0.28), rng.uniform(0.0, 0.08), rng.uniform(0.3, 0.5)
    first = _bezier(
        [(0.5, dip), (0.5 - 0.08, shoulder - 0.08), (0.5 - wide, shoulder - 0.06), (0.5 - wide * 0.97, 0.32)]
    )
    second = _bezier(
        [
            (0.5 - wide * 0.97, 0.32),
            (0.5 - wide, rng.uniform(0.5, 0.64)),
            (0.5 - 0.1, rng.uniform(0.7, 0.86)),
            (0.5, 0.99),
        ]
    )
    return _polygon(_mirror(np.vstack([first, second])))


def _spade(rng: np.random.Generator) -> np.ndarray:
    body = cv2.resize(_heart(rng)[::-1], (SIZE, int(SIZE * rng.uniform(0.72, 0.86))), interpolation=cv2.INTER_AREA)
    mask = np.zeros((SIZE, SIZE), np.uint8)
    mask[: body.shape[0]] = body
    return np.maximum(mask, _stem(rng, 0.5))


def _stem(rng: np.random.Generator, top: float) -> np.ndarray:
    foot, neck = rng.uniform(0.1, 0.26), rng.uniform(0.02, 0.06)
    half = _bezier([(0.5 - neck, top), (0.5 - neck, 0.8), (0.5 - neck - 0.03, 0.94), (0.5 - foot, 0.99)])
    return _polygon(_mirror(half))


def _club(rng: np.random.Generator) -> np.ndarray:
    mask = _stem(rng, 0.45)
    r = rng.uniform(0.19, 0.25)
    side = rng.uniform(0.2, 0.27)
    low = rng.uniform(0.54, 0.64)
    for x, y in ((0.5, r + 0.01), (0.5 - side, low), (0.5 + side, low)):
        cv2.circle(mask, (int(x * SIZE * 16), int(y * SIZE * 16)), int(r * SIZE * 16), 255, -1, cv2.LINE_AA, 4)
    if rng.random() < 0.7:
        cv2.circle(mask, (SIZE // 2, int(0.5 * SIZE)), int(0.12 * SIZE), 255, -1, cv2.LINE_AA)
    return mask


def _diamond(rng: np.random.Generator) -> np.ndarray:
    wide, bend = rng.uniform(0.33, 0.5), rng.uniform(-0.02, 0.12)
    half = np.vstack(
        [
            _bezier(
                [
                    (0.5, 0.0),
                    (0.5 - wide / 3 + bend / 2, 0.17 + bend),
                    (0.5 - 2 * wide / 3 + bend, 0.34 + bend / 2),
                    (0.5 - wide, 0.5),
                ]
            ),
            _bezier(
                [
                    (0.5 - wide, 0.5),
                    (0.5 - 2 * wide / 3 + bend, 0.66 - bend / 2),
                    (0.5 - wide / 3 + bend / 2, 0.83 - bend),
                    (0.5, 1.0),
                ]
            ),
        ]
    )
    return _polygon(_mirror(half))


def suit_masks(rng: np.random.Generator, *, by_pen: bool = False) -> dict[str, np.ndarray]:
    """One mask (h, w) uint8 a suit, cropped to its ink, all from one style; with `by_pen` never from a font."""
    if not by_pen and rng.random() < 0.4:
        path = str(rng.choice(fonts.suit_fonts()))
        found = {suit: fonts.glyph(path, sign) for suit, sign in fonts.SUIT_GLYPHS.items()}
        # Some fonts draw hollow signs; an index is never that thin.
        if all(mask.size and (mask > 128).mean() > 0.33 for mask in found.values()):
            return found
    drawn = {"S": _spade(rng), "H": _heart(rng), "D": _diamond(rng), "C": _club(rng)}
    return {suit: _crop(mask) for suit, mask in drawn.items()}


def _crop(mask: np.ndarray) -> np.ndarray:
    rows, columns = np.where(mask.max(1) > 60)[0], np.where(mask.max(0) > 60)[0]
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
