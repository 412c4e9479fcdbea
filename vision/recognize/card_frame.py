"""Where on a card its indices stand: which card a reading belongs to, and where to look for an index not yet found.

Card coordinates: (a, b) in half sides from the card's middle, a right, b down, so the corners are at ±1.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.recognize.index_reader import READ, Readings

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Place = tuple[float, float] | Doubles


@dataclass(frozen=True, slots=True)
class Settings:
    """Where indices stand, in half sides of a card: measured on the decks used in training."""

    usual: tuple[float, float] = (-0.82, -0.80)  # of nearly every deck,
    reach: float = 0.34  # give or take this
    unit: tuple[float, float] = (0.30, 0.21)  # rank heights (right, down) of an index of usual size on a usual card
    upright: float = 0.6  # of its way an index goes so much along the card at least
    seen: int = 3  # so many indices that were read tell where this deck prints them


SETTINGS = Settings()
# A card is so many times as high as wide.
TALL = 1.4
# Of two finds of a card the middles are no farther apart, in card sides.
SAME = 0.3
USUAL, USUAL_UNIT, REACH = SETTINGS.usual, SETTINGS.unit, SETTINGS.reach

# The corners of a card, clockwise from its upper left, and how much of each there is in its axes and its middle.
_CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
_OF_CORNERS = np.vstack([_CORNERS.T, np.ones(4)]) / 4


def axes_of(quad: NDArray[np.floating]) -> Doubles:
    """(2, 3) affine from card coordinates to pixels for corners (4, 2), clockwise from the upper left."""
    return np.asarray((_OF_CORNERS @ quad.astype(np.float64)).T)


def axes_of_all(quads: NDArray[np.floating]) -> Doubles:
    """The same of corners (n, 4, 2): (n, 2, 3)."""
    return np.asarray((_OF_CORNERS @ quads.astype(np.float64)).swapaxes(-1, -2))


def corners_of(axes: Doubles) -> Doubles:
    """Corners (4, 2) in pixels of a card with these axes, clockwise from its upper left."""
    return np.asarray(_CORNERS @ axes[:, :2].T + axes[:, 2])


def shared(quad: NDArray[np.floating], other: NDArray[np.floating]) -> float:
    """Share of a card, 0..1, that lies over or under another; corners (4, 2) of both in pixels."""
    own = quad.astype(np.float32)
    common = cv2.intersectConvexConvex(own, other.astype(np.float32))[0]
    return float(common) / max(abs(float(cv2.contourArea(own))), 1e-6)


def over(axes: Doubles) -> Doubles:
    """The same card seen from its other end, or the same cards."""
    return np.asarray(axes * np.array([-1.0, -1.0, 1.0]))


def inside(axes: Doubles, frames: Floats) -> Doubles:
    """Index frames (n, 2, 3) in pixels as frames in card coordinates."""
    inverse = np.linalg.inv(axes[:, :2])
    out = frames.astype(np.float64).copy()
    out[:, :, 2] -= axes[:, 2]
    return np.asarray(np.einsum("ij,njk->nik", inverse, out))


def misfit(axes: Doubles, frames: Floats, usual: Place = USUAL) -> tuple[Doubles, NDArray[np.bool_]]:
    """How far each index is from standing as an index of this card stands, (n,), and whether it is one of the
    turned ones, (n,).

    In half card sides; above REACH it is no index of this card. usual: where this deck has its upper left index.
    """
    best, turned = misfits(axes[None], frames, usual)
    return np.asarray(best[0]), np.asarray(turned[0])


def misfits(axes: Doubles, frames: Floats, usual: Place = USUAL) -> tuple[Doubles, NDArray[np.bool_]]:
    """The same for several cards (m, 2, 3): (m, n) each."""
    return standing(axes[:, None], frames[None], usual)


def standing(axes: Doubles, frames: NDArray[np.floating], usual: Place = USUAL) -> tuple[Doubles, NDArray[np.bool_]]:
    """The same for an index (..., 2, 3) and a card (..., 2, 3) each, in any shape that fits together."""
    (a, b), (c, d) = np.moveaxis(axes[..., :2], (-2, -1), (0, 1))
    det = a * d - b * c
    off = frames[..., 2] - axes[..., 2]
    right, down = (d * off[..., 0] - b * off[..., 1]) / det, (a * off[..., 1] - c * off[..., 0]) / det
    # The index's own downward direction, across the card and along it.
    x, y = np.moveaxis(frames[..., 1].astype(np.float64), -1, 0)
    across, along = (d * x - b * y) / det, (a * y - c * x) / det
    upright = np.abs(along) > SETTINGS.upright * np.maximum(np.abs(across) * TALL + np.abs(along), 1e-9)
    sign = np.where(along < 0, -1.0, 1.0)
    left, below = sign * right - usual[0], sign * down - usual[1]
    # Four-index decks print one in the upper right as well.
    best = np.minimum(np.hypot(left, below), np.hypot(sign * right + usual[0], below))
    best = np.where(upright, best, np.inf)
    return best, upright & (sign < 0)


def template(axes: Doubles, readings: Readings, owner: NDArray[np.intp]) -> Doubles:
    """The usual index frame (2, 3) of this deck in card coordinates, from the readings that have an owner among
    the cards (n, 2, 3).
    """
    usual = np.array([[USUAL_UNIT[0], 0.0, USUAL[0]], [0.0, USUAL_UNIT[1], USUAL[1]]])
    which = np.flatnonzero((owner >= 0) & (readings.beliefs.max(1, initial=0.0) > READ))
    if len(which) < SETTINGS.seen:
        return usual
    own, frames = axes[owner[which]], readings.frames[which].astype(np.float64)
    _, turned = standing(own, frames)
    own = np.where(turned[:, None, None], over(own), own)
    frames[:, :, 2] -= own[:, :, 2]
    here = np.linalg.inv(own[:, :, :2]) @ frames
    here = here[here[:, 0, 2] < 0]
    return np.asarray(np.median(here, axis=0)) if len(here) >= SETTINGS.seen else usual


def owners(axes: Doubles, readings: Readings, usual: Place = USUAL) -> NDArray[np.intp]:
    """Which of the cards (n, 2, 3) each reading belongs to, -1 for none: the one on which it stands most as an index
    should.
    """
    if not len(axes) or not len(readings):
        return np.full(len(readings), -1, np.intp)
    fits, _ = misfits(axes, readings.frames, usual)
    best = fits.argmin(0)
    return np.asarray(np.where(fits[best, np.arange(len(readings))] < REACH, best, -1), np.intp)


def looked_for(axes: Doubles, usual: Doubles, ends: tuple[bool, ...]) -> Floats:
    """Frames (n, 2, 3) in pixels where this card's indices should be; `ends`: False the upper one, True the turned
    one.
    """
    out = []
    for turned in ends:
        a = over(axes) if turned else axes
        frame = a[:, :2] @ usual
        frame[:, 2] += a[:, 2]
        out.append(frame)
    return np.stack(out).astype(np.float32)
