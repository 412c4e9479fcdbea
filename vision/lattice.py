"""The grid that a pyramid's cards lie on, found from the cards themselves.

Every remaining card of a pyramid lies half under or over its diagonal neighbours, so neighbours stand at nearly the same
steps on each card's own axes, however the camera looks at them. Cards joined by such steps get whole-number grid coordinates;
a homography through their corners then gives every place, taken or not.

Grid coordinates are (k, r): r counts rows down from the apex, k half pitches to the right, so place (row, column) from 0 is
(2 * column - row, row).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.instances import CardFinds

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class StepSettings:
    """Steps between neighbours in half card sides, from how pyramids are laid (row over row by about half a card)."""

    pitch: tuple[float, float] = (1.8, 3.6)  # side by side with no gap … a gap of 0.8 card widths
    row: tuple[float, float] = (0.45, 1.6)  # a quarter of a card's height … four fifths
    slack: float = 0.3  # how far a card may lie from its place, in half sides


STEPS = StepSettings()


@dataclass(frozen=True, slots=True)
class Grid:
    """A fitted grid: `homography` (3, 3) from (k / 2, r) to pixels, steps in half card sides, and the grid place of each find.

    ``at`` maps a find's number to (k, r); finds off the grid are absent.
    """

    homography: Doubles
    pitch: float
    row: float
    at: dict[int, tuple[int, int]]

    def pixels(self, points: NDArray[np.floating]) -> Doubles:
        """Grid points (n, 2) as (k / 2, r) to pixels (n, 2)."""
        p = np.column_stack([points, np.ones(len(points))]) @ self.homography.T
        return np.asarray(p[:, :2] / p[:, 2:])

    def units(self, pixels: NDArray[np.floating]) -> Doubles:
        """Pixels (n, 2) to grid points (n, 2) as (k / 2, r)."""
        p = np.column_stack([pixels, np.ones(len(pixels))]) @ np.linalg.inv(self.homography).T
        return np.asarray(p[:, :2] / p[:, 2:])

    def quad(self, k: float, r: float) -> Doubles:
        """Corners (4, 2) in pixels of the card at a grid place, clockwise from its upper left."""
        x, y = 1 / self.pitch, 1 / self.row
        return self.pixels(np.array([[k / 2 - x, r - y], [k / 2 + x, r - y], [k / 2 + x, r + y], [k / 2 - x, r + y]]))


def aligned(cards: CardFinds) -> CardFinds:
    """The same cards with their axes' free signs made to agree with those of the card best seen."""
    if not len(cards):
        return cards
    best = int(np.argmax(cards.votes))
    sign = np.where(cards.down_xy @ cards.down_xy[best] < 0, -1, 1)[:, None].astype(np.float32)
    return CardFinds(cards.middle_xy, cards.down_xy * sign, cards.right_xy * sign, cards.face, cards.votes, cards.net_width)


def _local_steps(cards: CardFinds) -> Doubles:
    """(n, n, 2): from card i to card j in half sides, on the mean of both cards' axes."""
    axes = np.stack([cards.right_xy, cards.down_xy], axis=2).astype(np.float64)
    mean = (axes[:, None] + axes[None]) / 2
    apart = (cards.middle_xy[None] - cards.middle_xy[:, None]).astype(np.float64)
    det = mean[..., 0, 0] * mean[..., 1, 1] - mean[..., 0, 1] * mean[..., 1, 0]
    det = np.where(np.abs(det) < 1e-6, 1e-6, det)
    a = (mean[..., 1, 1] * apart[..., 0] - mean[..., 0, 1] * apart[..., 1]) / det
    b = (mean[..., 0, 0] * apart[..., 1] - mean[..., 1, 0] * apart[..., 0]) / det
    return np.stack([a, b], axis=2)


def _pitches(steps: Doubles) -> tuple[float, float, int]:
    """The pitch and row step that most pairs agree with, and how many do."""
    a, b = np.abs(steps[..., 0]), np.abs(steps[..., 1])
    upper = np.triu(np.ones(a.shape, bool), 1)
    beside = a[upper & (b < 0.4) & (a > STEPS.pitch[0] - 0.3) & (a < STEPS.pitch[1] + 0.3)]
    slant = upper & (b > STEPS.row[0] - 0.2) & (b < STEPS.row[1] + 0.2) & (a > 0.6) & (a < STEPS.pitch[1] / 2 + 0.3)
    sa, sb = a[slant], b[slant]
    best = (0.0, 2.2, 1.0, 0)
    for pitch in np.arange(STEPS.pitch[0], STEPS.pitch[1], 0.06):
        side = np.exp(-(((beside - pitch) / 0.15) ** 2)).sum()
        across = np.exp(-(((sa - pitch / 2) / 0.15) ** 2))
        for row in np.arange(STEPS.row[0], STEPS.row[1], 0.05):
            slants = across * np.exp(-(((sb - row) / 0.12) ** 2))
            score = float(side * 0.7 + slants.sum())
            if score > best[0]:
                best = (score, float(pitch), float(row), int((slants > 0.3).sum()))
    return best[1], best[2], best[3]


def _walk(steps: Doubles, pitch: float, row: float) -> list[dict[int, tuple[int, int]]]:
    """Groups of cards joined by neighbour steps, each card with its coordinates in the group, largest group first."""
    n = len(steps)
    moves = [((2, 0), (pitch, 0.0)), ((-2, 0), (-pitch, 0.0)), ((1, 1), (pitch / 2, row)), ((-1, 1), (-pitch / 2, row)), ((1, -1), (pitch / 2, -row)), ((-1, -1), (-pitch / 2, -row))]
    left, groups = set(range(n)), []
    while left:
        first = min(left)
        at, queue = {first: (0, 0)}, deque([first])
        left.discard(first)
        while queue:
            i = queue.popleft()
            for j in sorted(left):
                for (dk, dr), (x, y) in moves:
                    if abs(steps[i, j, 0] - x) < STEPS.slack * 1.2 and abs(steps[i, j, 1] - y) < STEPS.slack and (at[i][0] + dk, at[i][1] + dr) not in at.values():
                        at[j] = (at[i][0] + dk, at[i][1] + dr)
                        left.discard(j)
                        queue.append(j)
                        break
        groups.append(at)
    return sorted(groups, key=len, reverse=True)


def _homography(cards: CardFinds, at: dict[int, tuple[int, int]], pitch: float, row: float) -> Doubles | None:
    """Through the corners of all cards on the grid; a few stray cards do no harm."""
    plane, pixels = [], []
    quads = cards.quads()
    for number, (k, r) in at.items():
        for (sx, sy), corner in zip(((-1, -1), (1, -1), (1, 1), (-1, 1)), quads[number], strict=True):
            plane.append((k / 2 + sx / pitch, r + sy / row))
            pixels.append(corner)
    tolerance = 0.25 * float(np.median(cards.widths()[list(at)]))
    found, _ = cv2.findHomography(np.array(plane, np.float64), np.array(pixels, np.float64), cv2.RANSAC, tolerance, maxIters=500, confidence=0.999)
    return None if found is None else np.asarray(found, np.float64)


def _snapped(grid: Grid, cards: CardFinds) -> dict[int, tuple[int, int]]:
    """The grid place of every find that lies on one, the best seen first; one find a place."""
    units = grid.units(cards.middle_xy)
    taken: dict[tuple[int, int], int] = {}
    for number in np.argsort(-cards.votes):
        x, y = units[number]
        r = round(float(y))
        k = round(float(2 * x - r) / 2) * 2 + r
        if abs(x - k / 2) < 0.3 and abs(y - r) < 0.36 and (k, r) not in taken:
            quad = grid.quad(k, r)
            size = np.linalg.norm(quad[2] - quad[0]) / max(float(np.linalg.norm(cards.quads()[number][2] - cards.quads()[number][0])), 1.0)
            if 0.7 < size < 1.4:
                taken[(k, r)] = int(number)
    return {number: place for place, number in taken.items()}


def fit(cards: CardFinds) -> Grid | None:
    """The grid on which most cards lie; None where no two cards stand like neighbours of a pyramid."""
    if not len(cards):
        return None
    steps = _local_steps(cards)
    pitch, row, _ = _pitches(steps)
    at = _walk(steps, pitch, row)[0]
    grid: Grid | None = None
    for _ in range(3):
        h = _homography(cards, at, pitch, row)
        if h is None:
            return grid
        grid = Grid(h, pitch, row, at)
        at = _snapped(grid, cards)
        grid = Grid(h, pitch, row, at)
        if not at:
            return None
    return grid
