"""Card backs drawn at random: lattices, rosettes, kaleidoscopes, plain colours, with or without a white border."""

from __future__ import annotations

import cv2
import numpy as np

HEIGHT, WIDTH = 336, 240


def _colour(rng: np.random.Generator) -> tuple[int, int, int]:
    r, g, b = (int(v) for v in rng.integers(0, 256, 3))
    return r, g, b


def _lattice(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    out = np.full((h, w, 3), _colour(rng), np.uint8)
    step, ink, thick = int(rng.integers(6, 30)), _colour(rng), int(rng.integers(1, 4))
    slope = int(h * rng.uniform(0.5, 1.2))
    for x in range(-slope, w + slope, step):
        cv2.line(out, (x, 0), (x + slope, h), ink, thick, cv2.LINE_AA)
        cv2.line(out, (x, h), (x + slope, 0), ink, thick, cv2.LINE_AA)
    if rng.random() < 0.4:
        _dot(out, rng, step, max(1, step // 5))
    return out


def _dot(panel: np.ndarray, rng: np.random.Generator, step: int, radius: int) -> None:
    """Dots of one colour so far apart."""
    ink = _colour(rng)
    for y in range(0, panel.shape[0], step):
        for x in range(0, panel.shape[1], step):
            cv2.circle(panel, (x, y), radius, ink, -1, cv2.LINE_AA)


def _checks(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    step = int(rng.integers(5, 24))
    y, x = np.mgrid[:h, :w] // step
    kind = rng.random()
    pattern = (
        (x + y) % 2
        if kind < 0.4
        else (
            x % 2
            if kind < 0.6
            else (
                ((np.mgrid[:h, :w][0] % step) - step / 2) ** 2 + ((np.mgrid[:h, :w][1] % step) - step / 2) ** 2
                < (step * 0.3) ** 2
            )
        )
    )
    return np.where(
        pattern[..., None].astype(bool), np.array(_colour(rng), np.uint8), np.array(_colour(rng), np.uint8)
    ).astype(np.uint8)


def _harlequin(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Filled diamonds side by side, light and dark: a back easily taken for a face full of pips."""
    y, x = np.mgrid[:h, :w].astype(np.float32)
    wide, tall = rng.uniform(10, 60), rng.uniform(14, 80)
    u, v = x / wide + y / tall, x / wide - y / tall
    first, second = np.array(_colour(rng), np.float32), np.array(_colour(rng), np.float32)
    if rng.random() < 0.6:
        second = np.array([245, 243, 240], np.float32) - rng.integers(0, 40)
    size = rng.uniform(0.3, 1.0)
    inside = (np.abs(u % 1 - 0.5) < size / 2) & (np.abs(v % 1 - 0.5) < size / 2)
    if size > 0.85:
        inside = (np.floor(u) + np.floor(v)) % 2 < 1
    out = np.where(inside[..., None], first, second)
    if rng.random() < 0.5:
        third = np.array(_colour(rng), np.float32)
        small = (np.abs(u % 1 - 0.5) < size / 5) & (np.abs(v % 1 - 0.5) < size / 5)
        out = np.where(small[..., None], third, out)
    return np.ascontiguousarray(out.astype(np.uint8))


def _rosettes(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    out = np.full((h, w, 3), _colour(rng), np.uint8)
    for _ in range(int(rng.integers(2, 7))):
        cx, cy, n, ink = int(rng.integers(0, w)), int(rng.integers(0, h)), int(rng.integers(5, 20)), _colour(rng)
        for radius in range(6, int(rng.integers(12, 120)), int(rng.integers(5, 16))):
            for k in range(n):
                a = 2 * np.pi * k / n
                cv2.circle(
                    out,
                    (int(cx + radius * np.cos(a)), int(cy + radius * np.sin(a))),
                    int(rng.integers(2, 9)),
                    ink,
                    1 if rng.random() < 0.7 else -1,
                    cv2.LINE_AA,
                )
    return out


def _shapes(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    out = np.full((h, w, 3), _colour(rng), np.uint8)
    palette = [_colour(rng) for _ in range(int(rng.integers(2, 5)))]
    for _ in range(int(rng.integers(10, 60))):
        ink = palette[int(rng.integers(len(palette)))]
        centre = (int(rng.integers(0, w)), int(rng.integers(0, h)))
        axes = (int(rng.integers(2, 40)), int(rng.integers(2, 40)))
        cv2.ellipse(
            out,
            centre,
            axes,
            float(rng.uniform(0, 180)),
            0,
            float(rng.choice([180, 360])),
            ink,
            int(rng.choice([-1, 1, 2, 3])),
            cv2.LINE_AA,
        )
    return out


def _plain(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    out = np.full((h, w, 3), _colour(rng), np.uint8)
    text = "".join(chr(int(c)) for c in rng.integers(65, 91, int(rng.integers(3, 9))))
    if rng.random() < 0.5:
        scale, ink, thick = float(rng.uniform(0.6, 2.2)), _colour(rng), int(rng.integers(1, 6))
        for y in range(40, h, int(rng.integers(40, 300))):
            cv2.putText(
                out, text, (int(rng.integers(-20, 30)), y), int(rng.integers(0, 8)), scale, ink, thick, cv2.LINE_AA
            )
    return out


def _bands(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Broad bands that cross, edged or not, as on plaid and on many diamond backs, with something where they meet."""
    out = np.full((h, w, 3), _colour(rng), np.uint8)
    first, second, edge = _colour(rng), _colour(rng), _colour(rng)
    step, thick = int(rng.integers(16, 70)), float(rng.uniform(0.08, 0.6))
    slope = 0 if rng.random() < 0.3 else int(h * rng.uniform(0.4, 1.4))
    edged = rng.random() < 0.5
    reach = range(-slope, max(w, h) + slope, step)
    one = [((x, 0), (x + slope, h)) for x in reach]
    other = [((x, h), (x + slope, 0)) if slope else ((0, x), (w, x)) for x in reach]
    for lines, ink in ((one, first), (other, second)):
        for start, end in lines:
            if edged:
                cv2.line(out, start, end, edge, max(2, int(step * thick)) + 3, cv2.LINE_AA)
            cv2.line(out, start, end, ink, max(1, int(step * thick)), cv2.LINE_AA)
    if rng.random() < 0.4:
        _dot(out, rng, step, max(2, step // 4))
    return out


def _waves(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    """Waves laid over one another: moiré, guilloche, marble."""
    y, x = np.mgrid[:h, :w].astype(np.float32)
    mixed = np.zeros((h, w), np.float32)
    for _ in range(int(rng.integers(2, 6))):
        turn, far = rng.uniform(0, np.pi), np.exp(rng.uniform(np.log(5), np.log(90)))
        bend = rng.uniform(0, 0.6) * far * np.sin((x * np.sin(turn) - y * np.cos(turn)) / rng.uniform(6, 60))
        mixed += np.sin((x * np.cos(turn) + y * np.sin(turn) + bend) * 2 * np.pi / far + rng.uniform(0, 6))
    share = 1 / (1 + np.exp(-(mixed - rng.normal(0, 0.5)) * np.exp(rng.uniform(-1, 2.5))))[..., None]
    return np.asarray(np.array(_colour(rng)) * share + np.array(_colour(rng)) * (1 - share)).astype(np.uint8)


def _picture(rng: np.random.Generator, h: int, w: int, panels: list[np.ndarray]) -> np.ndarray:
    """A pictorial back: flowers, ornaments and pieces of court art in strange colours, so that art alone makes no
    face.
    """
    panel = panels[int(rng.integers(len(panels)))]
    y, x = (int(rng.integers(0, n // 3)) for n in panel.shape[:2])
    piece = panel[
        y : y + int(panel.shape[0] * rng.uniform(0.3, 0.66)), x : x + int(panel.shape[1] * rng.uniform(0.4, 0.66))
    ]
    out = np.ascontiguousarray(cv2.resize(piece, (w, h), interpolation=cv2.INTER_LINEAR)[:, :, rng.permutation(3)])
    ground = np.array(_colour(rng), np.float32)
    pale = out.astype(np.float32).min(2, keepdims=True) > 190
    out = np.where(pale, ground, out * rng.uniform(0.5, 1.0)).astype(np.uint8)
    for _ in range(int(rng.integers(0, 12))):
        cx, cy, n, ink = int(rng.integers(0, w)), int(rng.integers(0, h)), int(rng.integers(4, 8)), _colour(rng)
        size = int(rng.integers(4, 18))
        for k in range(n):
            a = 2 * np.pi * k / n
            at = (int(cx + size * np.cos(a)), int(cy + size * np.sin(a)))
            cv2.ellipse(out, at, (size, max(2, size // 2)), float(np.degrees(a)), 0, 360, ink, -1, cv2.LINE_AA)
        cv2.circle(out, (cx, cy), size // 2 + 1, _colour(rng), -1, cv2.LINE_AA)
    return out


MAKERS = (_lattice, _checks, _harlequin, _rosettes, _shapes, _plain, _bands, _waves)
SHARES = (0.13, 0.12, 0.15, 0.1, 0.12, 0.15, 0.13, 0.1)


def _design(rng: np.random.Generator, h: int, w: int) -> np.ndarray:
    return MAKERS[int(rng.choice(len(MAKERS), p=SHARES))](rng, h, w)


def draw_back(rng: np.random.Generator, panels: list[np.ndarray] | None = None, bordered: bool = True) -> np.ndarray:
    """One back, (336, 240, 3) uint8 RGB, usually the same from both ends; bordered: it may have a white border."""
    border = int(WIDTH * rng.uniform(0.03, 0.1)) if rng.random() < 0.52 and bordered else 0
    h, w = HEIGHT - 2 * border, WIDTH - 2 * border
    panel = _picture(rng, h, w, panels) if panels and rng.random() < 0.25 else _design(rng, h, w)
    if rng.random() < 0.2:
        # A second design in a field of its own.
        inset = [int(n * rng.uniform(0.1, 0.3)) for n in (h, w)]
        field = panel[inset[0] : h - inset[0], inset[1] : w - inset[1]]
        field[:] = _design(rng, *field.shape[:2])
    mirror = rng.random()
    if mirror < 0.45:
        half = panel[: (h + 1) // 2]
        panel = np.vstack([half, half[::-1, ::-1]])[:h]
    elif mirror < 0.75:
        quarter = panel[: (h + 1) // 2, : (w + 1) // 2]
        top = np.hstack([quarter, quarter[:, ::-1]])[:, :w]
        panel = np.vstack([top, top[::-1]])[:h]
    if rng.random() < 0.3:
        ink, at = _colour(rng), int(rng.integers(2, 16))
        cv2.rectangle(panel, (at, at), (w - at, h - at), ink, int(rng.integers(1, 5)), cv2.LINE_AA)
    if rng.random() < 0.25:
        cv2.ellipse(
            panel,
            (w // 2, h // 2),
            (int(w * rng.uniform(0.15, 0.4)), int(h * rng.uniform(0.1, 0.35))),
            0,
            0,
            360,
            _colour(rng),
            -1,
            cv2.LINE_AA,
        )
    out = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    out[:] = np.array([252, 252, 250]) - rng.integers(0, 16, 3)
    out[border : border + h, border : border + w] = panel
    return out
