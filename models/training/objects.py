"""Things that lie on a table and are no cards, drawn: chips, coins, boxes, papers, screens, cups, bags, dice, pens.

Each is a picture of its own with an outline, painted on the table's plane like a card. Nothing of them is to be read as
a card, whatever is printed on them; what has a card's size and proportions and is printed on white is of
``models.training.foreign`` and not drawn here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from models.training import fonts

PX = 160  # pixels of a thing's longer side
WORDS = (
    "10",
    "25",
    "K",
    "A7",
    "SALE",
    "Nord",
    "Q3",
    "Tee",
    "100",
    "JAZZ",
    "8",
    "H2O",
    "5 cl",
    "Kino",
    "Post",
    "A",
    "J",
)


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing seen from above: image (h, w, 3) uint8 RGB, alpha (h, w) uint8 of its outline, width in card widths."""

    image: np.ndarray
    alpha: np.ndarray
    width: float


def draw_thing(rng: np.random.Generator, files: list[list[str]]) -> Thing:
    """One thing; `files` are font families to print it with, none for none."""
    kinds = (_chip, _box, _paper, _screen, _cup, _bag, _die, _pen, _tile, _keys)
    kind = kinds[int(rng.choice(len(kinds), p=[0.16, 0.2, 0.12, 0.08, 0.1, 0.1, 0.06, 0.06, 0.06, 0.06]))]
    return kind(rng, files)


def _colour(rng: np.random.Generator, low: int = 0, high: int = 256) -> tuple[int, int, int]:
    r, g, b = (int(v) for v in rng.integers(low, high, 3))
    return r, g, b


def _flat(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """A plain area with a little unevenness."""
    out = np.full((h, w, 3), _colour(rng), np.float32)
    out *= 1 + _waves(rng, h, w, int(rng.integers(2, 6)))[..., None] * float(rng.uniform(0, 0.2))
    return np.clip(out, 0, 255).astype(np.uint8)


def _waves(rng: np.random.Generator, h: int, w: int, cells: int) -> np.ndarray:
    """Smooth noise in -1..1."""
    grid = rng.uniform(-1, 1, (cells, cells)).astype(np.float32)
    return np.asarray(cv2.resize(grid, (w, h), interpolation=cv2.INTER_CUBIC))


def _outlined(shape: Callable[[np.ndarray], object], h: int, w: int) -> np.ndarray:
    alpha = np.zeros((h, w), np.uint8)
    shape(alpha)
    return alpha


def _rounded(h: int, w: int, radius: int) -> np.ndarray:
    alpha = np.zeros((h, w), np.uint8)
    r = max(0, min(radius, h // 2 - 1, w // 2 - 1))
    cv2.rectangle(alpha, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(alpha, (0, r), (w - 1, h - 1 - r), 255, -1)
    for x, y in ((r, r), (w - 1 - r, r), (r, h - 1 - r), (w - 1 - r, h - 1 - r)):
        cv2.circle(alpha, (x, y), r, 255, -1, cv2.LINE_AA)
    return alpha


def _round(h: int, w: int) -> np.ndarray:
    return _outlined(lambda a: cv2.ellipse(a, (w // 2, h // 2), (w // 2 - 1, h // 2 - 1), 0, 0, 360, 255, -1, 16), h, w)


def _say(
    image: np.ndarray, rng: np.random.Generator, files: list[list[str]], at: tuple[float, float], height: float
) -> None:
    """Print a word around a point (x, y), so many pixels high."""
    if not files or height < 3:
        return
    family = files[int(rng.integers(len(files)))]
    mask = fonts.glyph(family[int(rng.integers(len(family)))], str(rng.choice(WORDS)))
    if not mask.size:
        return
    h, w = image.shape[:2]
    wide = min(mask.shape[1] / mask.shape[0] * height, 0.9 * w)
    mask = cv2.resize(mask, (max(2, round(wide)), max(2, round(height))), interpolation=cv2.INTER_AREA)
    x, y = round(at[0] - mask.shape[1] / 2), round(at[1] - mask.shape[0] / 2)
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + mask.shape[1], w), min(y + mask.shape[0], h)
    if x1 <= x0 or y1 <= y0:
        return
    share = mask[y0 - y : y1 - y, x0 - x : x1 - x, None] / 255.0
    image[y0:y1, x0:x1] = image[y0:y1, x0:x1] * (1 - share) + np.array(_colour(rng)) * share


def _chip(rng: np.random.Generator, files: list[list[str]]) -> Thing:
    """A poker chip or a coin: rings, marks along the edge, a number."""
    n, middle = PX, (PX // 2, PX // 2)
    image = _flat(rng, n, n)
    if rng.random() < 0.7:
        marks, ink = int(rng.choice([4, 6, 6, 8, 12])), _colour(rng, 150)
        start, span = float(rng.uniform(0, 360)), 360 / marks * float(rng.uniform(0.25, 0.6))
        for k in range(marks):
            turn = start + 360 * k / marks
            cv2.ellipse(image, middle, (n // 2, n // 2), turn, 0, span, ink, -1, cv2.LINE_AA)
        inner = int(n * rng.uniform(0.25, 0.42))
        cv2.circle(image, middle, inner, _colour(rng), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 4))):
        cv2.circle(image, middle, int(n * rng.uniform(0.15, 0.48)), _colour(rng), int(rng.integers(1, 5)), cv2.LINE_AA)
    if rng.random() < 0.6:
        _say(image, rng, files, middle, n * float(rng.uniform(0.15, 0.4)))
    return Thing(image, _round(n, n), float(rng.uniform(0.25, 0.85)))


def _sides(rng: np.random.Generator) -> tuple[int, int, float]:
    """Pixels (h, w) and the width in card widths of something oblong that has not a card's size and proportions."""
    aspect = float(rng.uniform(1.0, 2.6))
    width = float(rng.uniform(0.35, 0.75) if rng.random() < 0.35 else rng.uniform(1.35, 3.6))
    if rng.random() < 0.15:
        aspect, width = float(rng.uniform(1.0, 1.15)), float(rng.uniform(0.6, 1.6))
    h, w = PX, max(16, round(PX / aspect))
    return (h, w, width) if rng.random() < 0.5 else (w, h, width * aspect)


def _box(rng: np.random.Generator, files: list[list[str]]) -> Thing:
    """A box, a book, a mat: a border, a pattern or a picture, words, a sign."""
    h, w, width = _sides(rng)
    image = _flat(rng, h, w)
    if rng.random() < 0.4:
        step, ink = int(rng.integers(6, 40)), _colour(rng)
        for x in range(-h, w + h, step):
            cv2.line(image, (x, 0), (x + int(rng.choice([0, h])), h), ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    if rng.random() < 0.5:
        inset = int(min(h, w) * rng.uniform(0.03, 0.15))
        cv2.rectangle(image, (inset, inset), (w - inset, h - inset), _colour(rng), int(rng.integers(1, 6)), cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 5))):
        at, size = (int(rng.integers(0, w)), int(rng.integers(0, h))), int(min(h, w) * rng.uniform(0.05, 0.4))
        if rng.random() < 0.5:
            cv2.circle(image, at, size, _colour(rng), int(rng.choice([-1, 2, 5])), cv2.LINE_AA)
        else:
            points = np.array(at) + rng.integers(-size, size + 1, (int(rng.integers(3, 7)), 2))
            cv2.fillPoly(image, [points.astype(np.int32)], _colour(rng), cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 5))):
        at_xy = (w * float(rng.uniform(0.2, 0.8)), h * float(rng.uniform(0.05, 0.95)))
        _say(image, rng, files, at_xy, h * float(rng.uniform(0.05, 0.3)))
    return Thing(image, _rounded(h, w, int(rng.choice([0, 2, 6, 18]))), width)


def _paper(rng: np.random.Generator, files: list[list[str]]) -> Thing:
    """A sheet of paper, a newspaper, a score pad: lines of print or of writing, a grid."""
    h, w, width = _sides(rng)
    h, w = 2 * h, 2 * w
    image = np.full((h, w, 3), np.array([250, 248, 240]) - rng.integers(0, 40, 3), np.uint8)
    ink, step = _colour(rng, 0, 140), int(rng.integers(5, 22))
    for y in range(step, h, step):
        if rng.random() < 0.3:
            cv2.line(image, (0, y), (w, y), _colour(rng, 120, 220), 1, cv2.LINE_AA)
        x = float(rng.uniform(0, 0.2)) * w
        while x < w * 0.9 and rng.random() < 0.95:
            length = float(rng.uniform(2, 14)) * step / 8
            cv2.line(image, (int(x), y - step // 3), (int(x + length), y - step // 3), ink, max(1, step // 4))
            x += length + step * float(rng.uniform(0.3, 1.2))
    if rng.random() < 0.3:
        for x in range(0, w, int(rng.integers(10, 50))):
            cv2.line(image, (x, 0), (x, h), _colour(rng, 100, 220), 1)
    if rng.random() < 0.5:
        _say(image, rng, files, (w / 2, h * float(rng.uniform(0.05, 0.3))), h * float(rng.uniform(0.06, 0.2)))
    return Thing(image, _rounded(h, w, 0), width)


def _screen(rng: np.random.Generator, files: list[list[str]]) -> Thing:
    """A phone or a tablet: dark, rounded, mirrored light on it, perhaps a page of signs."""
    h, w, _ = _sides(rng)
    image = np.full((h, w, 3), int(rng.integers(0, 60)), np.uint8)
    edge = int(min(h, w) * rng.uniform(0.02, 0.08))
    inner = image[edge : h - edge, edge : w - edge]
    if rng.random() < 0.5:
        inner[:] = _flat(rng, *inner.shape[:2])
        step = max(8, int(min(h, w) / rng.integers(3, 7)))
        for y in range(step // 2, inner.shape[0], step):
            for x in range(step // 2, inner.shape[1], step):
                half = int(step * 0.3)
                cv2.rectangle(inner, (x - half, y - half), (x + half, y + half), _colour(rng), -1)
    else:
        slope = np.linspace(0, float(rng.uniform(0, 120)), w - 2 * edge)[None, :, None]
        inner[:] = np.clip(inner + slope * (1 + _waves(rng, *inner.shape[:2], 3)[..., None]) / 2, 0, 255)
    if rng.random() < 0.3:
        _say(image, rng, files, (w / 2, h / 2), h * 0.15)
    return Thing(image, _rounded(h, w, int(min(h, w) * rng.uniform(0.03, 0.18))), float(rng.uniform(1.1, 3.2)))


def _cup(rng: np.random.Generator, files: list[list[str]]) -> Thing:
    """A cup, a glass, a plate from above: rings, what is in it, a light on its rim."""
    n, middle = PX, (PX // 2, PX // 2)
    image = _flat(rng, n, n)
    radius = n / 2
    for _ in range(int(rng.integers(1, 5))):
        radius *= float(rng.uniform(0.6, 0.95))
        cv2.circle(image, middle, int(radius), _colour(rng), -1 if rng.random() < 0.6 else 3, cv2.LINE_AA)
    lit = float(rng.uniform(0, 360))
    cv2.ellipse(
        image, middle, (int(n * 0.46),) * 2, lit, 0, float(rng.uniform(10, 90)), (250, 250, 250), 3, cv2.LINE_AA
    )
    return Thing(image, _round(n, n), float(rng.uniform(0.7, 2.5)))


def _bag(rng: np.random.Generator, files: list[list[str]]) -> Thing:
    """A bag, a cloth, a purse: an uneven outline, folds, a sign on it."""
    h, w = PX, int(PX * rng.uniform(0.6, 1.0))
    folds = _waves(rng, h, w, int(rng.integers(3, 9))) + 0.5 * _waves(rng, h, w, int(rng.integers(6, 16)))
    image = np.clip(_flat(rng, h, w) * (1 + folds[..., None] * rng.uniform(0.05, 0.35)), 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        _say(image, rng, files, (w / 2, h / 2), h * float(rng.uniform(0.08, 0.25)))
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    bulge = 0.42 + 0.06 * rng.normal(0, 1, 24)
    points = np.column_stack([w * (0.5 + bulge * np.cos(turn)), h * (0.5 + bulge * np.sin(turn))])
    alpha = _outlined(lambda a: cv2.fillPoly(a, [points.astype(np.int32)], 255, cv2.LINE_AA), h, w)
    return Thing(image, alpha, float(rng.uniform(0.8, 3.5)))


def _die(rng: np.random.Generator, files: list[list[str]]) -> Thing:
    """A die or a domino: pips on a small block."""
    twice = rng.random() < 0.3
    n = PX // 2
    image = np.full(
        (n * (2 if twice else 1), n, 3), _colour(rng, 180) if rng.random() < 0.7 else _colour(rng), np.uint8
    )
    ink = _colour(rng, 0, 90) if image.mean() > 128 else _colour(rng, 190)
    spots = ((0.5, 0.5), (0.25, 0.25), (0.75, 0.75), (0.75, 0.25), (0.25, 0.75), (0.25, 0.5), (0.75, 0.5))
    for top in range(0, image.shape[0], n):
        count = int(rng.integers(1, 7))
        shown = spots[1 - count % 2 : 1 - count % 2 + count]
        for x, y in shown:
            cv2.circle(image, (int(x * n), top + int(y * n)), int(n * 0.1), ink, -1, cv2.LINE_AA)
    if twice:
        cv2.line(image, (0, n), (n, n), ink, 2)
    return Thing(image, _rounded(image.shape[0], n, int(n * 0.12)), float(rng.uniform(0.2, 0.45)))


def _pen(rng: np.random.Generator, files: list[list[str]]) -> Thing:
    """A pen, a ruler, a knife: long and thin."""
    h, w = PX, int(rng.integers(8, 26))
    image = _flat(rng, h, w)
    for _ in range(int(rng.integers(0, 4))):
        y = int(rng.integers(0, h))
        cv2.rectangle(image, (0, y), (w, y + int(rng.integers(2, 30))), _colour(rng), -1)
    return Thing(image, _rounded(h, w, w // 2), float(rng.uniform(0.08, 0.35)))


def _tile(rng: np.random.Generator, files: list[list[str]]) -> Thing:
    """A place for a card printed on a mat: a frame of a card's size and nothing in it but perhaps a sign."""
    h, w = PX, int(PX / rng.uniform(1.25, 1.6))
    image, alpha = np.full((h, w, 3), _colour(rng), np.uint8), np.zeros((h, w), np.uint8)
    thick = int(rng.integers(1, 6))
    if rng.random() < 0.5:
        alpha = _rounded(h, w, 10)
        inner = slice(thick, h - thick), slice(thick, w - thick)
        alpha[inner] = cv2.subtract(alpha[inner], _rounded(h - 2 * thick, w - 2 * thick, 10))
    else:
        cv2.rectangle(alpha, (0, 0), (w - 1, h - 1), 255, thick)
    if rng.random() < 0.5:
        at, size = (w // 2, h // 2), int(w * rng.uniform(0.1, 0.35))
        cv2.circle(alpha, at, size, 255, int(rng.choice([-1, 2, 4])), cv2.LINE_AA)
    return Thing(image, alpha, float(rng.uniform(0.9, 1.3)))


def _keys(rng: np.random.Generator, files: list[list[str]]) -> Thing:
    """Keys, buttons, blocks in rows, with a letter or a figure on each."""
    across, down = int(rng.integers(2, 7)), int(rng.integers(1, 5))
    n = PX // max(across, down)
    image = np.full((down * n, across * n, 3), _colour(rng), np.uint8)
    face = _colour(rng)
    for y in range(down):
        for x in range(across):
            cv2.rectangle(image, (x * n + 2, y * n + 2), ((x + 1) * n - 3, (y + 1) * n - 3), face, -1, cv2.LINE_AA)
            if rng.random() < 0.8:
                _say(image[y * n : (y + 1) * n, x * n : (x + 1) * n], rng, files, (n / 2, n / 2), n * 0.45)
    alpha = _rounded(image.shape[0], image.shape[1], 4)
    return Thing(image, alpha, float(rng.uniform(0.25, 0.7)) * across)
