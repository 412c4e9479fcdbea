"""A phone over a table: where it stands, and where table points fall on its picture."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class View:
    """Degrees; azimuth 0 is the player's own side, 90 the right-hand side of the table. `lens` in mm on 36 mm."""

    elevation: float
    azimuth: float
    roll: float
    lens: float
    width: int
    height: int
    fill: float = 0.9
    aside: tuple[float, float] = (0.0, 0.0)

    @staticmethod
    def drawn(rng: random.Random, *, side: float = 0.0, size: tuple[int, int] = (1280, 960)) -> View:
        """Somebody holding a phone, `side` the side of the table."""
        return View(
            elevation=rng.choice([rng.uniform(34, 55), rng.uniform(50, 75), rng.uniform(62, 88)]),
            azimuth=side + max(-38.0, min(38.0, rng.gauss(0, 13))),
            roll=rng.gauss(0, 3),
            lens=rng.choice([24, 26, 26, 28, 35, 50]),
            width=size[0],
            height=size[1],
            fill=rng.uniform(0.82, 0.96),
            aside=(rng.uniform(-0.9, 0.9), rng.uniform(-0.9, 0.9)),
        )


@dataclass(frozen=True, slots=True)
class Camera:
    """`turn` (3, 3): columns are the camera's right, up and backward in the world."""

    place: np.ndarray
    turn: np.ndarray
    view: View

    def project(self, points: np.ndarray) -> np.ndarray:
        """(n, 3) world points to (n, 2) pixels, y downward."""
        local = (points - self.place) @ self.turn
        focal = self.view.lens / 36 * max(self.view.width, self.view.height)
        x = self.view.width / 2 + focal * local[:, 0] / -local[:, 2]
        y = self.view.height / 2 - focal * local[:, 1] / -local[:, 2]
        return np.stack([x, y], axis=-1)


def aim(points: np.ndarray, view: View) -> Camera:
    """The camera that sees all (n, 3) points, filling `fill` of the picture, moved aside within the free border."""
    back = _backward(view)
    turn = _frame(back, view.roll)
    focal = view.lens / 36 * max(view.width, view.height)
    target, distance = points.mean(axis=0), 12.0
    for step in range(40):
        camera = Camera(target + back * distance, turn, view)
        seen = camera.project(points)
        low, high = seen.min(axis=0), seen.max(axis=0)
        share = float(max((high - low) / (np.array([view.width, view.height]) * view.fill)))
        distance *= 1 + (share - 1) * 0.7
        border = np.maximum(0, (np.array([view.width, view.height]) - (high - low)) / 2 - 6)
        wanted = np.array([view.width, view.height]) / 2 + border * np.array(view.aside) * (step >= 20) * 0.8
        off = ((low + high) / 2 - wanted) * distance / focal * 0.7
        target = target + turn[:, 0] * off[0] - turn[:, 1] * off[1]
        target = target - back * (target[2] / back[2])
    return Camera(target + back * distance, turn, view)


def _backward(view: View) -> np.ndarray:
    """From the table to the camera."""
    up, around = math.radians(view.elevation), math.radians(view.azimuth)
    return np.array([math.cos(up) * math.sin(around), -math.cos(up) * math.cos(around), math.sin(up)])


def _frame(back: np.ndarray, roll: float) -> np.ndarray:
    """Right, up, backward as columns."""
    right = np.cross([0, 0, 1], back)
    right /= np.linalg.norm(right)
    above = np.cross(back, right)
    c, s = math.cos(math.radians(roll)), math.sin(math.radians(roll))
    return np.stack([c * right + s * above, -s * right + c * above, back], axis=-1)
