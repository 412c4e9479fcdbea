"""The grid that a pyramid's cards lie on, found from the cards on the rectified table.

Every remaining card of a pyramid lies half under or over its diagonal neighbours, so its cards lie on the points of a
mesh: the steps and the origin are sought on which most witnesses agree, and the mesh gives every place, taken or not,
also where nothing was made out of the cards in between.

Grid coordinates are (k, r): r counts rows down from the apex, k half pitches to the right, so place (row, column)
from 0 is (2 * column - row, row).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.layouts import COLUMN_PITCH, ROW_PITCH
from vision.cards import bodies

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MeshSettings:
    """The search for meshes: how far from a point of it a card counts half, in card sides, and the steps of two differ
    that are one; how far to the left and right of its place one may lie, where the next place is nearly a card's width
    away; the most one card counts, and how many are tried, in what steps of pitch and row."""

    off: float = 0.1
    beside: float = 0.36
    most: float = 3.0
    origins: int = 5
    each: int = 3
    kept: int = 6
    step: float = 0.02


MESH = MeshSettings()


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid: `homography` (3, 3) from (k / 2, r) to pixels, steps in card sides, and the grid place of each card.

    ``at`` maps a card's number to (k, r); cards off the grid are absent.
    """

    homography: Doubles
    pitch: float
    row: float
    at: dict[int, tuple[int, int]]

    def pixels(self, points: NDArray[np.floating]) -> Doubles:
        """Grid points (n, 2) as (k / 2, r) to pixels (n, 2)."""
        return _through(self.homography, points)

    def units(self, pixels: NDArray[np.floating]) -> Doubles:
        """Pixels (n, 2) to grid points (n, 2) as (k / 2, r)."""
        return _through(np.asarray(np.linalg.inv(self.homography), np.float64), pixels)

    def quad_around(self, x: float, y: float) -> Doubles:
        """Corners (4, 2) in pixels, clockwise from its upper left, of a card whose middle lies at a grid point (k
        / 2, r).
        """
        a, b = 0.5 / self.pitch, 0.5 / self.row
        return self.pixels(np.array([[x - a, y - b], [x + a, y - b], [x + a, y + b], [x - a, y + b]]))


def _through(h: Doubles, points: NDArray[np.floating]) -> Doubles:
    p = points @ h[:, :2].T + h[:, 2]
    return np.asarray(p[:, :2] / p[:, 2:])


def fits(middle: Doubles, weight: Doubles, to_pixels: Doubles) -> list[Grid]:
    """The grids that cards (n, 2), in card units, may lie on, the likeliest first; `to_pixels` (3, 3) leads from card
    units to pixels.
    """
    if not len(middle):
        return []
    grids: dict[frozenset[tuple[int, int, int]], Grid] = {}
    affines = np.array(_meshes(middle, weight))
    at = _snapped(middle, weight, affines)
    for _ in range(2):
        affines, at = affines[[bool(places) for places in at]], [places for places in at if places]
        affines = _fitted(middle, at, affines)
        at = _snapped(middle, weight, affines)
    for affine, places in zip(affines, at, strict=True):
        if places:
            k0, r0 = places[min(places)]
            same = frozenset((number, k - k0, r - r0) for number, (k, r) in places.items())
            grids.setdefault(same, Grid(to_pixels @ affine, float(affine[0, 0]), float(affine[1, 1]), places))
    return list(grids.values())


def _meshes(middle: Doubles, weight: Doubles) -> list[Doubles]:
    """Affine maps (3, 3) from (k / 2, r) to card units, unturned, on whose points most cards lie: the best few."""
    # Which of some thousand meshes is best needs no more than 32 bits, at half the time.
    middle, held = middle.astype(np.float32), np.minimum(weight, MESH.most).astype(np.float32)
    pitches, rows = (np.arange(p.closest, p.widest, MESH.step, dtype=np.float32) for p in (COLUMN_PITCH, ROW_PITCH))
    area = np.pi * MESH.off**2 / (pitches[:, None] * rows)
    out = []
    for first in np.argsort(-weight)[: MESH.origins]:
        x, y = (middle - middle[first]).T
        y = y / rows[:, None]
        r = np.round(y)
        x = 2 * x / pitches[:, None]
        k = np.round((x[:, None] - r) / 2) * 2 + r
        off = (((x[:, None] - k) / 2 * pitches[:, None, None]) ** 2 + ((y - r) * rows[:, None]) ** 2) / MESH.off**2
        # What lies on a mesh by chance is taken off: a fine one meets everything.
        score = np.exp(-off) @ held - area * held.sum()
        for _ in range(MESH.each):
            i, j = np.unravel_index(score.argmax(), score.shape)
            origin = middle[first]
            affine = np.array([[pitches[i], 0, origin[0]], [0, rows[j], origin[1]], [0, 0, 1]])
            out.append((float(score[i, j]), affine))
            score[max(0, i - 6) : i + 7, max(0, j - 4) : j + 5] = -np.inf
    kept: list[Doubles] = []
    for _, affine in sorted(out, key=lambda entry: -entry[0]):
        if len(kept) < MESH.kept and not any(_is_same(affine, other) for other in kept):
            kept.append(affine)
    return kept


def _is_same(mesh: Doubles, other: Doubles) -> bool:
    """Whether two meshes have nearly the same steps, and the origin of one lies on the other."""
    steps = np.array([other[0, 0], other[1, 1]])
    if (np.abs(np.array([mesh[0, 0], mesh[1, 1]]) - steps) > MESH.off).any():
        return False
    x, y = (mesh[:2, 2] - other[:2, 2]) / steps
    r = np.round(y)
    k = np.round((2 * x - r) / 2) * 2 + r
    off = np.abs([x - k / 2, y - r]) * steps
    return bool((off < MESH.off).all())


def _fitted(middle: Doubles, at: list[dict[int, tuple[int, int]]], affines: Doubles) -> Doubles:
    """Affine maps (m, 3, 3) from (k / 2, r) to card units through the cards on each grid; held near the steps that
    ``affines`` have, where they are few.
    """
    shape = len(affines), len(middle)
    grid, on = np.zeros((*shape, 3)), np.zeros(shape)
    solved = np.zeros((len(affines), 3, 2))
    for number, places in enumerate(at):
        for card, (k, r) in places.items():
            grid[number, card], on[number, card] = (k / 2, r, 1.0), 1.0
    hold = np.diag([2.0, 2.0, 1e-6])
    plain = np.zeros((len(affines), 2, 3))
    plain[:, 0, 0], plain[:, 1, 1] = affines[:, 0, 0], affines[:, 1, 1]
    weight, held = on, hold @ plain.transpose(0, 2, 1)
    for _ in range(4):
        weighed = (grid * weight[:, :, None]).transpose(0, 2, 1)
        solved[:] = np.linalg.solve(weighed @ grid + hold, weighed @ middle + held)
        off = middle - grid @ solved
        weight = on / (1 + (off * off).sum(2) / MESH.off**2)
    out = np.tile(np.eye(3), (len(affines), 1, 1))
    out[:, :2] = solved.transpose(0, 2, 1)
    return out


def _snapped(middle: Doubles, weight: Doubles, affines: Doubles) -> list[dict[int, tuple[int, int]]]:
    """For each grid (m, 3, 3) the grid place of every card that lies on one, the best witnessed first; one card a
    place.
    """
    x, y, _ = (np.linalg.inv(affines) @ np.vstack([middle.T, np.ones(len(middle))])).transpose(1, 0, 2)
    r = np.round(y)
    k = np.round((2 * x - r) / 2) * 2 + r
    across, along = np.abs(affines[:, :2, :2] @ np.stack([x - k / 2, y - r], axis=1)).transpose(1, 0, 2)
    near = (across < MESH.beside) & (along < bodies.SETTINGS.reach)
    order = np.argsort(-weight).tolist()
    out = []
    for which, columns, rows in zip(near.tolist(), k.astype(int).tolist(), r.astype(int).tolist(), strict=True):
        taken: dict[tuple[int, int], int] = {}
        for number in order:
            if which[number]:
                taken.setdefault((columns[number], rows[number]), number)
        out.append({number: place for place, number in taken.items()})
    return out
