"""The form of a card in space: thin, a little bent, resting on the table or on the cards under it."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import dataclass, replace

import numpy as np

from rules.rows.places import SIDES

from .tables import Laid

THICK = 0.0052
"""A card's thickness in card widths (0.33 mm)."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Upper face: height = base + tilt·v + bend_x·(2u)² + bend_y·(2v/h)² + lean·u with u, v from the card's centre."""

    laid: Laid
    height: float
    base: float
    tilt: float
    bend_x: float
    bend_y: float
    lean: float = 0.0

    def z(self, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Height of the upper face."""
        upright = self.base + self.tilt * v + self.bend_x * (2 * u) ** 2 + self.bend_y * (2 * v / self.height) ** 2
        return upright + self.lean * u

    def world(self, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(n, 3) points of the upper face."""
        c, s = math.cos(self.laid.angle), math.sin(self.laid.angle)
        return np.stack([self.laid.x + c * u - s * v, self.laid.y + s * u + c * v, self.z(u, v)], axis=-1)

    def local(self, xy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """u, v of (n, 2) table points."""
        c, s = math.cos(self.laid.angle), math.sin(self.laid.angle)
        dx, dy = xy[:, 0] - self.laid.x, xy[:, 1] - self.laid.y
        return c * dx + s * dy, -s * dx + c * dy

    def corners(self) -> np.ndarray:
        """(4, 3): top left, top right, bottom right, bottom left as the card's own face is read."""
        u = np.array([-0.5, 0.5, 0.5, -0.5])
        v = np.array([0.5, 0.5, -0.5, -0.5]) * self.height
        return self.world(u, v)


def settle(cards: tuple[Laid, ...], height: float, bend: float, seed: int) -> list[Sheet]:
    """The cards, in the order given, each laid on what is already there. Those of a half row lean on their neighbours
    and press one another flat.
    """
    u, v = (a.ravel() for a in np.meshgrid(np.linspace(-0.5, 0.5, 9), np.linspace(-0.5, 0.5, 13) * height))
    done: list[Sheet] = []
    for laid in cards:
        rng = random.Random(f"{seed} bend {laid.code}")
        start = Sheet(laid, height, 0.0, 0.0, bend * rng.uniform(0.4, 1.2), bend * rng.uniform(-0.3, 0.7))
        fanned = laid.slot[0] in SIDES
        if fanned:
            start = replace(start, bend_x=0.0)
        done.append(_rest(start, _floor(done, start, u, v), u, v, LEANS if fanned else (0.0,)))
    return done


LEANS = tuple(np.linspace(-0.02, 0.02, 17).tolist())


def _floor(done: list[Sheet], start: Sheet, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """How high the sheet must be at least at each of its points."""
    xy = start.world(u, v)[:, :2]
    floor = np.full(len(xy), THICK)
    for under in done:
        if math.hypot(under.laid.x - start.laid.x, under.laid.y - start.laid.y) < 1.9:
            there = under.local(xy)
            inside = (np.abs(there[0]) < 0.53) & (np.abs(there[1]) < start.height / 2 + 0.03)
            floor = np.where(inside, np.maximum(floor, under.z(*there) + THICK), floor)
    return floor


def _rest(start: Sheet, floor: np.ndarray, u: np.ndarray, v: np.ndarray, leans: tuple[float, ...]) -> Sheet:
    """The tilt and lean with which the sheet lies closest to what is under it, never through it."""
    best, nearest = start, math.inf
    for lean, tilt in itertools.product(leans, np.linspace(-0.02, 0.06, 17)):
        tilted = replace(start, tilt=float(tilt), lean=lean)
        gap = floor - tilted.z(u, v)
        base = float(gap.max())
        air = base - float(gap.mean())
        if air < nearest:
            best, nearest = replace(tilted, base=base), air
    return best


def outline(height: float, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """(rows, columns) grids of u and v that fill a card with round corners."""
    arc = radius * (1 - np.cos(np.linspace(0, math.pi / 2, 6)))
    inner = np.linspace(radius, height - radius, 11)[1:-1]
    depth = np.concatenate([arc, inner, height - arc[::-1]])
    edge = np.minimum(depth, height - depth)
    half = 0.5 - radius + np.sqrt(np.maximum(0, radius**2 - np.maximum(0, radius - edge) ** 2))
    across = np.linspace(-1, 1, 11)
    u = half[:, None] * across[None, :]
    v = np.repeat((height / 2 - depth)[:, None], len(across), axis=1)
    return u, v
