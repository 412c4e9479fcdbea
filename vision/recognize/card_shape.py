"""What shape a card has where it lies: all cards on a flat table are of one size, so those that were read tell how any
other would look beside them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.recognize.card_frame import TALL

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settings:
    """How shapes are compared. `spread` is measured: so far were those of 64 backs on drawn tables off; the rest is set
    by judgement.
    """

    spread: tuple[float, float, float] = (0.11, 0.16, 0.15)  # of log width, log height, and the cosine of a corner
    near: float = 4.0  # of the shape of one that lies so many of its heights away a card tells 1/e as much
    level: float = 0.02  # what speaks against a slope of the table that few cards tell of
    beyond: float = 1.5  # a card is at most so much longer, or shorter, than all that are known


SETTINGS = Settings()


def unlike(axes: Doubles, known: Doubles) -> Doubles:
    """How unlike finds (n, 2, 3) are to the cards that are known (m, 2, 3), m > 0, as those would look there, (n,): 0
    where their sides and corners are off no farther than those of cards, more beyond, but ever more slowly, for some
    cards are bent or mostly hidden. The net now and then takes the long sides of a card for the short ones.
    """
    sides = axes[:, :, :2]
    metric = _metric(known, axes[:, :, 2])
    long = np.sqrt(np.maximum(np.einsum("nji,njk,nki->ni", sides, metric, sides), 1e-9))
    corner = np.einsum("nj,njk,nk->n", sides[:, :, 0], metric, sides[:, :, 1]) / long.prod(1)
    ways = np.stack([long, long[:, ::-1]]) / [1.0, TALL]
    off = ((np.log(ways) / SETTINGS.spread[:2]) ** 2).sum(2).min(0) + (corner / SETTINGS.spread[2]) ** 2
    # Two sides and a corner are off by a spread each, on average.
    return np.asarray(np.log(np.maximum(off / 3, 1.0)))


def _metric(known: Doubles, at: Doubles) -> Doubles:
    """The metric (n, 2, 2) of the table at points (n, 2), in half widths of the cards known."""
    inverse, middle = np.linalg.inv(known[:, :, :2]), known[:, :, 2]
    own = np.einsum("mji,j,mjk->mik", inverse, [1.0, TALL**2], inverse)
    area = np.sqrt(np.linalg.det(own))
    unit = 2 * float(np.median(np.linalg.norm(known[:, :, 1], axis=1)))
    apart = np.linalg.norm(at[:, None] - middle, axis=2) / unit
    weight = np.exp(-((apart / SETTINGS.near) ** 2)) + 1e-6
    shape = np.einsum("nm,mij->nij", weight, own / area[:, None, None])
    shape /= np.sqrt(np.linalg.det(shape))[:, None, None]
    # How far away the table is at a point is linear in the picture, and areas shrink with its third power.
    far, centre = np.cbrt(area), middle.mean(0)
    usual, off = float(np.median(far)), (middle - centre) / unit
    slope = np.linalg.solve(off.T @ off + (SETTINGS.level * len(known) + 1e-9) * np.eye(2), off.T @ (far - usual))
    there = usual + (at - centre) / unit @ slope
    there = np.clip(there, far.min() / SETTINGS.beyond, far.max() * SETTINGS.beyond)
    return np.asarray(shape * (there**3)[:, None, None])
