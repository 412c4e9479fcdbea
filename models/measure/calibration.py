"""Whether chances hold: of cards named with chance p, is a share p right?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

BINS = 10
# Bins of the expected calibration error, as in the temperatures' own report.
FINE = 15
SIDE, PAD = 320, 46


@dataclass(frozen=True, slots=True)
class Bin:
    """Cards whose chance lies between two bounds: how many, their mean chance, the share that is right."""

    low: float
    high: float
    count: int
    chance: float
    right: float


def bins_of(answers: list[tuple[float, bool]], number: int = BINS) -> list[Bin]:
    """Bins of equal width; an empty one has chance and share 0."""
    chance = np.array([a[0] for a in answers], np.float64)
    right = np.array([a[1] for a in answers], np.float64)
    which = np.minimum((chance * number).astype(int), number - 1)
    out = []
    for k in range(number):
        here = which == k
        count = int(here.sum())
        means = (float(chance[here].mean()), float(right[here].mean())) if count else (0.0, 0.0)
        out.append(Bin(k / number, (k + 1) / number, count, *means))
    return out


def expected_error(answers: list[tuple[float, bool]]) -> float:
    """Expected calibration error: the mean distance of chance and share, weighed by the cards of each bin."""
    return sum(b.count * abs(b.chance - b.right) for b in bins_of(answers, FINE)) / max(len(answers), 1)


def drawing(bins: list[Bin]) -> str:
    """The reliability diagram as SVG: a bar for each bin up to its share right, the diagonal, and how many cards."""
    most = max((b.count for b in bins), default=1) or 1
    body = [
        f'<rect x="{PAD}" y="{PAD / 2}" width="{SIDE}" height="{SIDE}" fill="#fff" stroke="#888"/>',
        *(_bar(b, most) for b in bins if b.count),
        f'<path d="M{PAD},{PAD / 2 + SIDE} L{PAD + SIDE},{PAD / 2}" stroke="#444" stroke-dasharray="5 4"/>',
    ]
    for k in range(0, 11, 2):
        x, y = PAD + SIDE * k / 10, PAD / 2 + SIDE * (1 - k / 10)
        body.append(f'<text x="{x}" y="{PAD / 2 + SIDE + 16}" text-anchor="middle">{k / 10:.1f}</text>')
        body.append(f'<text x="{PAD - 6}" y="{y + 4}" text-anchor="end">{k / 10:.1f}</text>')
    middle = PAD + SIDE / 2
    body.append(f'<text x="{middle}" y="{PAD / 2 + SIDE + 34}" text-anchor="middle">chance given</text>')
    body.append(f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">right</text>')
    size = f"{SIDE + PAD + 16} {SIDE + PAD + 16}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="sans-serif" font-size="12">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="#fff"/>', *body, "</svg>"]) + "\n"


def _bar(b: Bin, most: int) -> str:
    x, width = PAD + SIDE * b.low, SIDE * (b.high - b.low)
    height = SIDE * b.right
    # Bins that hold few cards are paler: their share is less certain.
    strength = 0.25 + 0.65 * min(1.0, np.log1p(b.count) / np.log1p(most))
    top = PAD / 2 + SIDE - height
    bar = f'<rect x="{x + 1:.1f}" y="{top:.1f}" width="{width - 2:.1f}" height="{height:.1f}" fill="#2a6f80"'
    count = f'<text x="{x + width / 2:.1f}" y="{max(top - 4, PAD / 2 + 10):.1f}" text-anchor="middle" font-size="9">'
    return f'{bar} fill-opacity="{strength:.2f}"/>{count}{b.count}</text>'
