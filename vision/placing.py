"""Which place of a pyramid each grid point is: where the apex lies and which way is up.

A card can be gone only when both cards on it are gone, so what remains always hangs together from the apex; piles lie
below.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.lattice import Grid

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Placed:
    """A grid turned the right way up with its apex at (0, 0), the rows it has, and how well the cards agree."""

    grid: Grid
    rows: int
    score: float


# Placings of each way up that are weighed with everything known; the count of cards in place sorts out the others.
CLOSE = 6
# So many rows above the highest card found may have been missed (backs far away, small and alike).
UNSEEN = 3


def turned(grid: Grid) -> Grid:
    """The same grid seen from the other side of the table."""
    over = grid.homography @ np.diag([-1.0, -1.0, 1.0])
    return Grid(over, grid.pitch, grid.row, {n: (-k, -r) for n, (k, r) in grid.at.items()})


def moved(grid: Grid, k0: int, r0: int) -> Grid:
    """The same grid with (k0, r0) as its origin."""
    shift = np.array([[1, 0, k0 / 2], [0, 1, r0], [0, 0, 1]], np.float64)
    return Grid(grid.homography @ shift, grid.pitch, grid.row, {n: (k - k0, r - r0) for n, (k, r) in grid.at.items()})


def place(grid: Grid, middles: Doubles, rows: tuple[int, ...], down_votes: Doubles) -> Placed:
    """The best placing over both ways up, every apex and the given numbers of rows.

    middles: (n, 2) pixels of all cards. down_votes: (n, 2) pixels, sum of the downward directions of indices read on
    each card that is partly covered; zero where none.
    """
    best: Placed | None = None
    for way in (grid, turned(grid)):
        nodes = set(way.at.values())
        parity = _parity(nodes)
        nodes = {(k, r) for k, r in nodes if (k - r) % 2 == parity}
        ks, rs = [k for k, _ in nodes], [r for _, r in nodes]
        spots = [
            (_score(nodes, k0, r0, n) - 0.02 * (7 - n), k0, r0, n)
            for n in rows
            for r0 in range(min(rs) - UNSEEN, max(rs) + 1)
            for k0 in range(min(ks) - 2, max(ks) + 3)
            if (k0 - r0) % 2 == parity
        ]
        for score, k0, r0, n in sorted(spots, reverse=True)[:CLOSE]:
            here = moved(way, k0, r0)
            total = score + _ways_up(here, middles, n, down_votes)
            if best is None or total > best.score:
                best = Placed(here, n, total)
    assert best is not None
    return best


def beside(grid: Grid, count: int, rows: int) -> list[int]:
    """Which of `count` cards lie on no place of a pyramid of so many rows, though perhaps on a grid point beyond it."""
    on = {n for n, (k, r) in grid.at.items() if 0 <= r < rows and abs(k) <= r}
    return [n for n in range(count) if n not in on]


def _parity(nodes: set[tuple[int, int]]) -> int:
    odd = sum((k - r) % 2 for k, r in nodes)
    return int(odd * 2 > len(nodes))


def _score(nodes: set[tuple[int, int]], k0: int, r0: int, rows: int) -> float:
    inside = {(k - k0, r - r0) for k, r in nodes if 0 <= r - r0 < rows and abs(k - k0) <= r - r0}
    hanging = sum(
        1
        for k, r in inside
        for p in ((k - 1, r - 1), (k + 1, r - 1))
        if r > 0 and abs(p[0]) <= p[1] and p not in inside
    )
    # Whatever remains hangs from the apex, so a pyramid without one is put in the wrong place.
    apex = 1.0 if (0, 0) in inside else 0.0
    return len(inside) * 2 - len(nodes) - 0.8 * hanging + apex


def _ways_up(grid: Grid, middles: Doubles, rows: int, down_votes: Doubles) -> float:
    """Evidence for this way up: indices on covered cards point down, piles lie below, and most players sit below
    the picture.
    """
    score = 0.0
    down = grid.pixels(np.array([[0.0, 1.0]])) - grid.pixels(np.array([[0.0, 0.0]]))
    score += 0.15 if down[0, 1] > 0 else 0.0
    nodes = set(grid.at.values())
    for number, (k, r) in grid.at.items():
        covered = (k - 1, r + 1) in nodes or (k + 1, r + 1) in nodes
        vote = down_votes[number]
        if covered and vote.any():
            axis = grid.pixels(np.array([[k / 2, r + 0.3]]))[0] - grid.pixels(np.array([[k / 2, r - 0.3]]))[0]
            score += 0.6 * float(vote @ axis) / max(float(np.linalg.norm(axis)) * float(np.linalg.norm(vote)), 1e-6)
    off = beside(grid, len(middles), rows)
    if off:
        y = grid.units(middles[off])[:, 1]
        # A pile's middle lies more than a card's height below the last row's.
        clear = 0.9 / grid.row
        score += 0.3 * float(np.clip((y > rows - 1 + clear).sum() - (y < -clear).sum(), -4, 4))
    return score
