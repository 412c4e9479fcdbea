"""Where a pyramid lies otherwise than the card map shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.detect.multiscale import Kinds
from vision.layout.lattice import Grid

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settings:
    """How the card map is looked at. Set by judgement, tried on drawn validation tables."""

    around: float = 0.6  # so far around a pyramid the map is looked at, in card sides,
    every: int = 3  # and every so many of its cells


SETTINGS = Settings()


def present(grid: Grid, rows: int) -> set[tuple[int, int]]:
    """The places of a pyramid on which a card was found, and those that must hold one to carry it."""
    out = {(k, r) for k, r in grid.at.values() if 0 <= r < rows and abs(k) <= r}
    for r in range(rows - 2, -1, -1):
        out |= {(k, r) for k in range(-r, r + 1, 2) if {(k - 1, r + 1), (k + 1, r + 1)} & out}
    return out


@dataclass(frozen=True, slots=True)
class Cells:
    """Every so many cells of the card map, as they lie on a grid: across and down in its units, how much of a card each
    stands for, and the chance that it shows none.
    """

    x: Doubles
    y: Doubles
    area: Doubles
    none: Doubles

    def beside(self, grid: Grid, rows: int, way: int, apex: tuple[int, int]) -> float:
        """The area, in cards, that the card map shows about a pyramid where that has none. way: 1, or −1 for one that
        lies the other way up than the grid of the cells, whose apex is at (k, r) there.
        """
        x, y = way * self.x - apex[0] / 2, way * self.y - apex[1]
        side = (np.clip(y, 0, rows - 1) / 2 + (0.5 + SETTINGS.around) / grid.pitch) * grid.pitch
        down = y * grid.row
        near = (np.abs(x) * grid.pitch < side) & (down > -0.5 - SETTINGS.around) & (down < (rows - 1) * grid.row + 0.5)
        x, y, area, none = (v[near] for v in (x, y, self.area, self.none))
        nodes = np.array(sorted(present(grid, rows)), np.float64).reshape(-1, 2)
        on = (np.abs(x[:, None] - nodes[:, 0] / 2) * grid.pitch < 0.5) & (
            np.abs(y[:, None] - nodes[:, 1]) * grid.row < 0.5
        )
        return float((area * (1 - none))[~on.any(1)].sum())


def cells_on(grid: Grid, kinds: Kinds) -> Cells:
    """The cells of a card map as they lie on a grid."""
    half = SETTINGS.every // 2
    chance = kinds.chances[0, half :: SETTINGS.every, half :: SETTINGS.every]
    r, c = (axis.ravel() * SETTINGS.every + half + 0.5 for axis in np.indices(chance.shape))
    pixels = np.column_stack([c, r]) * kinds.cell + kinds.origin
    to_units = np.linalg.inv(grid.homography)
    depth = np.column_stack([pixels, np.ones(len(pixels))]) @ to_units[2]
    x, y = grid.units(pixels).T
    area = abs(float(np.linalg.det(to_units))) / np.maximum(np.abs(depth), 1e-9) ** 3 * grid.pitch * grid.row
    area = np.where(depth > 0, area, 0.0) * (SETTINGS.every**2 * kinds.cell[0] * kinds.cell[1])
    return Cells(x, y, area, chance.ravel().astype(np.float64))
