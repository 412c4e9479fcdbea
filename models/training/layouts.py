"""How cards lie on a drawn table, in card widths on the table's plane (x right, y down).

Each function returns Laid cards in the order they were laid, the lowest first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Laid:
    """A card on the plane: centre, clockwise angle in radians, face up or down; its place where the layout has names
    for places.
    """

    x: float
    y: float
    angle: float = 0.0
    face_up: bool = True
    pile: bool = False
    place: str = ""


def spread(rng: np.random.Generator, height: float) -> list[Laid]:
    """Separate cards, any angle."""
    n, reach = int(rng.integers(1, 13)), rng.uniform(1.3, 3.5)
    upright = rng.random() < 0.4
    cards: list[Laid] = []
    for _ in range(n * 4):
        x, y = rng.uniform(-reach, reach, 2)
        if len(cards) < n and all((x - c.x) ** 2 + (y - c.y) ** 2 > 1.5 for c in cards):
            angle = rng.normal(0, 0.15) if upright else rng.uniform(0, 2 * np.pi)
            cards.append(Laid(float(x), float(y), float(angle), bool(rng.random() < 0.85)))
    return cards


def heap(rng: np.random.Generator, height: float) -> list[Laid]:
    """Overlapping cards at random."""
    reach = rng.uniform(0.5, 2.2)
    return [
        Laid(
            float(rng.uniform(-reach, reach)),
            float(rng.uniform(-reach, reach)),
            float(rng.uniform(0, 2 * np.pi)),
            bool(rng.random() < 0.85),
        )
        for _ in range(int(rng.integers(2, 16)))
    ]


def fan(rng: np.random.Generator, height: float) -> list[Laid]:
    """A fan or a cascade: every card but the last shows a strip with its index."""
    n, step, turn = int(rng.integers(2, 11)), rng.uniform(0.16, 0.5), rng.normal(0, 0.09)
    along = rng.uniform(0, 1) < 0.6
    cards, x, y, angle = [], 0.0, 0.0, float(-turn * n / 2)
    for _ in range(n):
        cards.append(Laid(x - n * step / 2, y, angle + float(rng.normal(0, 0.02))))
        x += float(step * np.cos(angle)) if along else float(rng.normal(0, 0.05))
        y += float(step * np.sin(angle)) if along else float(step)
        angle += float(turn)
    return cards


def pyramid(rng: np.random.Generator, height: float, rows: int | None = None) -> list[Laid]:
    """A pyramid in some state of play, with its piles; face up or its covered cards face down; 3 to 7 rows."""
    rows = rows or int(rng.choice([7, 7, 7, 6, 5, 4, 3]))
    pitch, row_pitch = rng.uniform(1.0, 1.4), height * rng.uniform(0.3, 0.62)
    jitter, turn = rng.uniform(0, 0.07), rng.uniform(0, 0.06)
    gone = np.zeros((rows + 1, rows + 1), bool)
    gone[rows] = True
    for r in range(rows - 1, -1, -1):
        for c in range(r + 1):
            free = r == rows - 1 or (gone[r + 1, c] and gone[r + 1, c + 1])
            gone[r, c] = free and rng.random() < (0.45 if r < rows - 1 else PLAYED)
    down = rng.random() < 0.6
    cards = []
    for r in range(rows):
        for c in range(r + 1):
            if gone[r, c]:
                continue
            free = r == rows - 1 or (gone[r + 1, c] and gone[r + 1, c + 1])
            x, y = (c - r / 2) * pitch + rng.normal(0, jitter), r * row_pitch + rng.normal(0, jitter)
            place = f"pyramid {r + 1} {c + 1}"
            cards.append(Laid(float(x), float(y), float(rng.normal(0, turn)), bool(not down or free), place=place))
    piles = (rows - 1) * row_pitch + height + rng.uniform(0.1, 0.6)
    left = -(rows - 1) / 2 * pitch + rng.uniform(-0.5, 0.8)
    for name, x, up in (
        ("stock", left, False),
        ("waste", left + rng.uniform(1.1, 1.5), True),
        ("foundation", -left, True),
    ):
        if rng.random() < 0.75:
            for _ in range(int(rng.integers(1, 4))):
                cards.append(
                    Laid(
                        float(x + rng.normal(0, 0.03)),
                        float(piles + rng.normal(0, 0.03)),
                        float(rng.normal(0, 0.05)),
                        up,
                        True,
                        name,
                    )
                )
    middle = (rows - 1) * row_pitch / 2
    for card in cards:
        card.y -= middle
    return cards


PLAYED = 0.3


def rows(rng: np.random.Generator, height: float) -> list[Laid]:
    """Half rows left and right of a middle column, overlapping outward or inward, as the Polish patiences are laid."""
    pitch, row_pitch = rng.uniform(0.28, 1.1), height * rng.uniform(1.03, 1.25)
    cards = []
    for r in range(int(rng.integers(1, 6))):
        y = (r - 2) * row_pitch
        cards.append(Laid(0.0, float(y), float(rng.normal(0, 0.03))))
        for side in (-1, 1):
            for k in range(int(rng.integers(0, 7))):
                x = side * (1.15 + k * pitch) + rng.normal(0, 0.03)
                cards.append(Laid(float(x), float(y + rng.normal(0, 0.03)), float(rng.normal(0, 0.03))))
    return cards


def columns(rng: np.random.Generator, height: float) -> list[Laid]:
    """Columns growing downward, some cards face down, as in the best-known patiences."""
    step, cards = height * rng.uniform(0.12, 0.4), []
    for c in range(int(rng.integers(2, 8))):
        n = int(rng.integers(1, 7))
        down = int(rng.integers(0, n))
        cards += [
            Laid(
                float((c - 3) * 1.2 + rng.normal(0, 0.03)),
                float(-1 + k * step + rng.normal(0, 0.02)),
                float(rng.normal(0, 0.03)),
                k >= down,
            )
            for k in range(n)
        ]
    return cards


def grid(rng: np.random.Generator, height: float) -> list[Laid]:
    """Cards side by side in rows."""
    px, py = rng.uniform(1.02, 1.6), height * rng.uniform(1.02, 1.4)
    n, m = int(rng.integers(1, 6)), int(rng.integers(1, 5))
    return [
        Laid(
            float((c - n / 2) * px + rng.normal(0, 0.05)),
            float((r - m / 2) * py + rng.normal(0, 0.05)),
            float(rng.normal(0, 0.06)),
            bool(rng.random() < 0.9),
        )
        for r in range(m)
        for c in range(n)
    ]


KINDS = (spread, heap, fan, pyramid, rows, columns, grid)
SHARES = (0.13, 0.07, 0.08, 0.52, 0.09, 0.06, 0.05)


def lay(rng: np.random.Generator, height: float) -> list[Laid]:
    """Cards of one random layout."""
    return KINDS[int(rng.choice(len(KINDS), p=SHARES))](rng, height)
