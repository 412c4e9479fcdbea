"""Table tops, drawn: cloth, wood, stone, checks, stripes, print, clutter; and floors, of boards with knots and of
tiles. (size, size, 3) uint8 RGB.
"""

from __future__ import annotations

import cv2
import numpy as np


def _colour(rng: np.random.Generator, low: int = 0, high: int = 256) -> np.ndarray:
    return rng.integers(low, high, 3).astype(np.float32)


def _noise(rng: np.random.Generator, size: int, cells_x: int, cells_y: int) -> np.ndarray:
    """Smooth noise in -1..1 with so many cells along each side."""
    return cv2.resize(
        rng.uniform(-1, 1, (cells_y, cells_x)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC
    )


def _fractal(rng: np.random.Generator, size: int, x: int, y: int, octaves: int = 4) -> np.ndarray:
    out = np.zeros((size, size), np.float32)
    for k in range(octaves):
        out += _noise(rng, size, min(size, max(1, x * 2**k)), min(size, max(1, y * 2**k))) / 2**k
    return out


def _base(rng: np.random.Generator) -> np.ndarray:
    kind = rng.random()
    if kind < 0.25:
        return np.array([20, 95, 60], np.float32) + rng.integers(-20, 40, 3)
    if kind < 0.45:
        return np.array([110, 75, 45], np.float32) * rng.uniform(0.4, 1.7)
    if kind < 0.6:
        return np.full(3, rng.integers(5, 60), np.float32) + rng.integers(0, 12, 3)
    if kind < 0.8:
        return np.full(3, rng.integers(150, 252), np.float32) + rng.integers(-10, 11, 3)
    return _colour(rng, 15, 235)


def _cloth(rng: np.random.Generator, size: int) -> np.ndarray:
    base = _base(rng)
    weave = rng.normal(0, rng.uniform(1, 16), (size, size)).astype(np.float32)
    weave = cv2.GaussianBlur(weave, (0, 0), float(rng.uniform(0.4, 1.8))) + _fractal(rng, size, 3, 3) * rng.uniform(
        0, 16
    )
    out = np.ascontiguousarray(base + weave[..., None], np.float32)
    if rng.random() < 0.25:
        # Specks, crumbs, confetti: a light cloth with small marks is easily taken for the face of a card.
        largest = int(rng.choice([2, 3, 3, 4, 7, 12]))
        for x, y in rng.integers(0, size, (int(rng.integers(100, 2500) * 2 / largest), 2)):
            cv2.circle(out, (int(x), int(y)), int(rng.integers(1, largest + 1)), [float(v) for v in _colour(rng)], -1)
    return out


def _wood(rng: np.random.Generator, size: int) -> np.ndarray:
    base = np.array([130, 88, 52], np.float32) * rng.uniform(0.35, 1.6) + rng.integers(-12, 13, 3)
    grain = _fractal(rng, size, int(rng.integers(2, 6)), int(rng.integers(30, 120)), 3) * rng.uniform(6, 45)
    out = base + grain[..., None] * np.array([1, 0.85, 0.7], np.float32)
    for y in np.arange(0, size, rng.integers(60, 260)) if rng.random() < 0.6 else []:
        cv2.line(out, (0, int(y)), (size, int(y)), [float(v) for v in base * 0.3], int(rng.integers(1, 7)))
    return out


def _stone(rng: np.random.Generator, size: int) -> np.ndarray:
    first, second = _base(rng), _colour(rng, 30, 240)
    field = _fractal(rng, size, int(rng.integers(2, 9)), int(rng.integers(2, 9)), 6)
    share = np.clip(0.5 + field * rng.uniform(0.3, 1.2), 0, 1)[..., None]
    grit = rng.normal(0, rng.uniform(0, 22), (size, size, 1))
    return first * share + second * (1 - share) + grit


def _checks(rng: np.random.Generator, size: int) -> np.ndarray:
    step = int(rng.integers(14, 150))
    y, x = np.mgrid[:size, :size] // step
    kind = rng.random()
    share = ((x + y) % 2 if kind < 0.5 else (x % 2 if kind < 0.7 else (x % 2 + y % 2) / 2)).astype(np.float32)[
        ..., None
    ]
    return _base(rng) * share + _colour(rng, 60, 256) * (1 - share) + rng.normal(0, 4, (size, size, 1))


def _zigzag(rng: np.random.Generator, size: int) -> np.ndarray:
    y, x = np.mgrid[:size, :size].astype(np.float32)
    period, swing = rng.uniform(8, 60), rng.uniform(5, 40)
    wave = np.abs(((x / swing) % 2) - 1) * swing
    share = (0.5 + 0.5 * np.sin(2 * np.pi * (y + wave) / period))[..., None]
    return _base(rng) * share + _base(rng) * (1 - share) + rng.normal(0, rng.uniform(1, 14), (size, size, 1))


def _print(rng: np.random.Generator, size: int) -> np.ndarray:
    """A printed page: lines of letters and digits in several sizes, headlines, grey pictures."""
    paper = np.full((size, size, 3), int(rng.integers(190, 250)), np.uint8)
    y = 0
    while y < size:
        scale = float(rng.choice([0.3, 0.4, 0.5, 0.8, 1.4, 2.2], p=[0.2, 0.25, 0.2, 0.15, 0.1, 0.1]))
        text = "".join(rng.choice(list("ABCDEFGHJKLMNOPQRSTVWabcdefghiklmnoprstuvxy 0123456789 AKQJ "), 90))
        y += int(30 * scale) + 2
        ink = (30, 30, 30) if rng.random() < 0.85 else tuple(int(v) for v in rng.integers(0, 200, 3))
        cv2.putText(
            paper,
            text,
            (int(rng.integers(-40, 10)), y),
            int(rng.choice([0, 2, 3, 4])),
            scale,
            ink,
            2 if scale > 1 else 1,
            cv2.LINE_AA,
        )
    for _ in range(int(rng.integers(0, 4))):
        x, y2, w, h = (int(v) for v in rng.integers(40, size // 2, 4))
        paper[y2 : y2 + h, x : x + w] = np.clip(128 + _fractal(rng, size, 6, 6)[:h, :w, None] * 90, 0, 255)[
            : paper[y2 : y2 + h, x : x + w].shape[0], : paper[y2 : y2 + h, x : x + w].shape[1]
        ]
    return paper.astype(np.float32)


def _clutter(rng: np.random.Generator, size: int) -> np.ndarray:
    out = _stone(rng, size) if rng.random() < 0.5 else _cloth(rng, size)
    out = np.ascontiguousarray(out, np.float32)
    for _ in range(int(rng.integers(6, 60))):
        ink = [float(v) for v in _colour(rng)]
        x, y, a, b = (int(v) for v in rng.integers(0, size, 4))
        what = rng.random()
        if what < 0.4:
            cv2.ellipse(
                out,
                (x, y),
                (a // 10 + 2, b // 10 + 2),
                float(rng.uniform(0, 180)),
                0,
                360,
                ink,
                int(rng.choice([-1, 2, 4])),
                cv2.LINE_AA,
            )
        elif what < 0.75:
            points = np.array([[x, y]]) + rng.integers(-size // 8, size // 8, (int(rng.integers(3, 6)), 2))
            cv2.fillPoly(out, [points.astype(np.int32)], ink, cv2.LINE_AA)
        else:
            cv2.line(out, (x, y), (a, b), ink, int(rng.integers(1, 9)), cv2.LINE_AA)
    return out


def draw_surface(rng: np.random.Generator, size: int = 768) -> np.ndarray:
    """One table top."""
    make = [_cloth, _wood, _stone, _checks, _zigzag, _print, _clutter][
        int(rng.choice(7, p=[0.25, 0.18, 0.14, 0.13, 0.08, 0.1, 0.12]))
    ]
    return np.clip(make(rng, size), 0, 255).astype(np.uint8)


def _boards(rng: np.random.Generator, size: int) -> np.ndarray:
    """Boards or parquet: oblongs of wood side by side, each with a grain and now and then knots of its own."""
    out = np.zeros((size, size, 3), np.float32)
    base = np.array([140, 98, 60], np.float32) * rng.uniform(0.4, 1.5) + rng.integers(-15, 16, 3)
    wide = int(rng.integers(24, 200))
    long = int(wide * (rng.uniform(1.2, 2.2) if rng.random() < 0.4 else rng.uniform(2.5, 9)))
    seam, thick, varied = base * float(rng.uniform(0.2, 0.8)), int(rng.integers(1, 4)), float(rng.uniform(0.02, 0.2))
    knots = float(rng.choice([0, 0.1, 0.5]))
    grain = _fractal(rng, size, int(rng.integers(2, 6)), int(rng.integers(30, 100)), 3) * rng.uniform(4, 35)
    for y in range(0, size, wide):
        for x in range(-int(rng.integers(0, long)), size, long):
            x0, x1, y1 = max(x, 0), min(x + long, size), min(y + wide, size)
            if x1 <= x0:
                continue
            board = out[y:y1, x0:x1]
            dx, dy = (int(v) for v in rng.integers(0, size, 2))
            own = np.roll(grain, (dx, dy), (0, 1))[y:y1, x0:x1, None]
            board[:] = base * float(rng.normal(1, varied)) + own * np.array([1, 0.85, 0.7], np.float32)
            if rng.random() < knots:
                _knot(board, rng, base, wide)
            cv2.rectangle(out, (x, y), (x + long, y + wide), [float(v) for v in seam], thick, cv2.LINE_AA)
    return out


def _knot(board: np.ndarray, rng: np.random.Generator, base: np.ndarray, wide: int) -> None:
    """A knot in a board: dark rings, and a crack or a dark heart."""
    at = (int(rng.integers(0, board.shape[1])), int(rng.integers(0, board.shape[0])))
    tall = wide * float(rng.uniform(0.08, 0.4))
    wide_too = tall * float(rng.uniform(1.0, 2.5))
    turn = float(rng.uniform(-20, 20))
    for share in np.linspace(1, 0.2, int(rng.integers(2, 7))):
        ink = [float(v) for v in base * (0.35 + 0.5 * share * rng.uniform(0.7, 1.1))]
        half = (max(1, int(wide_too * share)), max(1, int(tall * share)))
        cv2.ellipse(board, at, half, turn, 0, 360, ink, -1 if share > 0.9 else 2, cv2.LINE_AA)


def _tiles(rng: np.random.Generator, size: int) -> np.ndarray:
    """Tiles with grout between them, plain or with a figure in each."""
    tall = int(rng.integers(40, 240))
    wide = int(tall * rng.choice([1.0, 0.5, 0.7, 1.4, 2.0]))
    out = np.zeros((size, size, 3), np.float32)
    out[:] = _base(rng)
    figure, ink = float(rng.choice([0, 0, 1])), [float(v) for v in _colour(rng)]
    for row, y in enumerate(range(0, size, tall)):
        for x in range(-(row % 2) * (wide // 2), size, wide):
            shade = float(rng.normal(1, 0.04))
            out[y : y + tall, max(x, 0) : x + wide] *= shade
            if figure:
                cv2.circle(out, (x + wide // 2, y + tall // 2), min(wide, tall) // 3, ink, 3, cv2.LINE_AA)
    out += _fractal(rng, size, 8, 8)[..., None] * rng.uniform(0, 14)
    grout, thick = [float(v) for v in _colour(rng, 40, 230)], int(rng.integers(1, 8))
    for row, y in enumerate(range(0, size, tall)):
        cv2.line(out, (0, y), (size, y), grout, thick)
        for x in range(-(row % 2) * (wide // 2), size, wide):
            cv2.line(out, (x, y), (x, y + tall), grout, thick)
    return out


def draw_floor(rng: np.random.Generator, size: int = 768) -> np.ndarray:
    """A floor or a table of boards or tiles, on which oblongs and knots are no cards."""
    make = _boards if rng.random() < 0.7 else _tiles
    return np.clip(make(rng, size), 0, 255).astype(np.uint8)


def alike(table: np.ndarray, card: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A table top (h, w, 3) in the colour of a card's edge or of the whole card, so that the edge hardly shows."""
    colour = card[4:-4:4, 3:8].mean((0, 1)) if rng.random() < 0.5 else card.mean((0, 1))
    share = float(rng.uniform(0.6, 0.95))
    return np.clip(table * (1 - share) + colour * share * float(rng.normal(1, 0.08)), 0, 255).astype(np.uint8)
