"""Where a drawn camera stands, and how it sees the plane of the table."""

from __future__ import annotations

import numpy as np

from models.training import layouts


def camera(rng: np.random.Generator, size: int, card_px: float, cards: list[layouts.Laid]) -> np.ndarray:
    """Homography (3, 3) from the table's plane (card widths) to pixels, with one of the cards near the middle of
    the picture.
    """
    elevation = np.radians(90 - abs(rng.normal(0, 26))) if rng.random() < 0.58 else np.radians(rng.uniform(25, 75))
    elevation = max(elevation, np.radians(25))
    azimuth = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.normal(0, 0.35) + np.pi / 2 * rng.integers(0, 4)
    distance = rng.uniform(6, 25)
    target = cards[int(rng.integers(len(cards)))]
    plane = pose(elevation, azimuth, distance, (target.x, target.y))
    focal = card_px * distance
    middle = rng.uniform(0.25, 0.75, 2) * size
    lens = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    return lens @ plane


def pose(elevation: float, azimuth: float, distance: float, target: tuple[float, float]) -> np.ndarray:
    """Homography (3, 3) from the table's plane to a camera of focal length 1 that looks at `target`.

    elevation above the table and azimuth in radians; target and distance in card widths.
    """
    spin = np.array([[np.cos(azimuth), -np.sin(azimuth)], [np.sin(azimuth), np.cos(azimuth)]])
    tilt = np.pi / 2 - elevation
    # Camera coordinates of a plane point: x right, y down, z away from the lens.
    to_camera = np.array(
        [
            [spin[0, 0], spin[0, 1], 0],
            [spin[1, 0] * np.cos(tilt), spin[1, 1] * np.cos(tilt), 0],
            [-spin[1, 0] * np.sin(tilt), -spin[1, 1] * np.sin(tilt), distance],
        ]
    )
    return np.asarray(to_camera @ np.array([[1, 0, -target[0]], [0, 1, -target[1]], [0, 0, 1]]))


def project(h: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points (n, 2) through a homography (3, 3)."""
    p = np.column_stack([points, np.ones(len(points))]) @ h.T
    return p[:, :2] / p[:, 2:]
