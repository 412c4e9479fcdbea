"""Which place of a pyramid each grid point is: where the apex lies and which way is up.

A card can be gone only when both cards on it are gone, so what remains always hangs together from the apex; piles lie below.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.instances import CardFinds
from vision.lattice import Grid

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Placed:
    """A grid turned the right way up with its apex at (0, 0), the rows it has, and how well the cards agree."""

    grid: Grid
    rows: int
    score: float


def turned(grid: Grid) -> Grid:
    """The same grid seen from the other side of the table."""
    over = grid.homography @ np.diag([-1.0, -1.0, 1.0])
    return Grid(over, grid.pitch, grid.row, {n: (-k, -r) for n, (k, r) in grid.at.items()})


def moved(grid: Grid, k0: int, r0: int) -> Grid:
    """The same grid with (k0, r0) as its origin."""
    shift = np.array([[1, 0, k0 / 2], [0, 1, r0], [0, 0, 1]], np.float64)
    return Grid(grid.homography @ shift, grid.pitch, grid.row, {n: (k - k0, r - r0) for n, (k, r) in grid.at.items()})


def place(grid: Grid, cards: CardFinds, rows: tuple[int, ...], down_votes: Doubles) -> Placed:
    """The best placing over both ways up, every apex and the given numbers of rows.

    down_votes: (n, 2) pixels, sum of the downward directions of indices read on each card that is partly covered; zero where none.
    """
    best: Placed | None = None
    for way in (grid, turned(grid)):
        nodes = set(way.at.values())
        parity = _parity(nodes)
        nodes = {(k, r) for k, r in nodes if (k - r) % 2 == parity}
        ks, rs = [k for k, _ in nodes], [r for _, r in nodes]
        for r0 in range(min(rs) - 1, max(rs) + 1):
            for k0 in range(min(ks) - 2, max(ks) + 3):
                if (k0 - r0) % 2 != parity:
                    continue
                for n in rows:
                    score = _score(nodes, k0, r0, n) - 0.02 * (7 - n)
                    if best is None or score + 3 > best.score:
                        here = moved(way, k0, r0)
                        score += _ways_up(here, cards, n, down_votes)
                        if best is None or score > best.score:
                            best = Placed(here, n, score)
    assert best is not None
    return best


def _parity(nodes: set[tuple[int, int]]) -> int:
    odd = sum((k - r) % 2 for k, r in nodes)
    return int(odd * 2 > len(nodes))


def _score(nodes: set[tuple[int, int]], k0: int, r0: int, rows: int) -> float:
    inside = {(k - k0, r - r0) for k, r in nodes if 0 <= r - r0 < rows and abs(k - k0) <= r - r0}
    hanging = sum(1 for k, r in inside for p in ((k - 1, r - 1), (k + 1, r - 1)) if r > 0 and abs(p[0]) <= p[1] and p not in inside)
    apex = 0.4 if (0, 0) in inside else 0.0
    return len(inside) * 2 - len(nodes) - 0.4 * hanging + apex


def _ways_up(grid: Grid, cards: CardFinds, rows: int, down_votes: Doubles) -> float:
    """Evidence for this way up: indices on covered cards point down, piles lie below, and most players sit below the picture."""
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
    off = [n for n in range(len(cards)) if n not in grid.at]
    if off:
        y = grid.units(cards.middle_xy[off])[:, 1]
        score += 0.3 * float(np.clip((y > rows - 1 + 0.8).sum() - (y < -0.8).sum(), -4, 4))
    return score
