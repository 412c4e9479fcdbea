"""Windows as another picture would have shown them: moved a little, turned, softer, darker, in other light."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.windows import LEFT, SIDE, SPAN, TOP

Bytes = NDArray[np.uint8]
Doubles = NDArray[np.float64]

# Pixels around a window that are kept so that it can be moved and turned.
MARGIN = 8
# The rank's middle in window pixels: what a frame is about.
_MIDDLE = np.array([-LEFT, -TOP]) * SIDE / SPAN - 0.5
_UNIT = SIDE / SPAN  # pixels of one rank height
# How far finds wander: standard deviations of place and of log size (rank heights), of turn and slant (radians).
# Set to what the search net's frames and the patch net's corrections show on drawn decks that neither knows.
PLACE, SIZE, TURN, SLANT = 0.1, 0.1, 0.1, 0.08


def varied(wide: Bytes, rng: np.random.Generator) -> tuple[Bytes, Doubles]:
    """One variant (n, 48, 48, 3) uint8 RGB of each wide window (n, 64, 64, 3), and the corrections (n, 6) that lead
    back from it, as the patch net gives them.
    """
    moved = [_moved(one, rng) for one in wide]
    return np.stack([_developed(one, rng) for one, _ in moved]), np.stack([back for _, back in moved])


def plain(wide: Bytes) -> Bytes:
    """The windows (n, 48, 48, 3) themselves, without what lies around them."""
    return np.ascontiguousarray(wide[:, MARGIN:-MARGIN, MARGIN:-MARGIN])


def _moved(wide: Bytes, rng: np.random.Generator) -> tuple[Bytes, Doubles]:
    size, narrow, turn = np.exp(rng.normal(0, SIZE)), np.exp(rng.normal(0, SIZE * 0.7)), rng.normal(0, TURN)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    axes = spin @ np.array([[size * narrow, rng.normal(0, SLANT)], [0, size / narrow]])
    shift = rng.normal(0, PLACE, 2)
    move = np.column_stack([axes, _MIDDLE + MARGIN + shift * _UNIT - axes @ _MIDDLE])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    window = cv2.warpAffine(wide, move, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    inverse = np.linalg.inv(axes)
    return np.asarray(window, np.uint8), np.column_stack([inverse - np.eye(2), -inverse @ shift]).reshape(6)


def _developed(window: Bytes, rng: np.random.Generator) -> Bytes:
    out = window.astype(np.float32)
    if rng.random() < 0.6:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.4, 3.0))), np.float32)
    if rng.random() < 0.3:
        out = _shaken(out, rng)
    out = out * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
    out = np.asarray((np.maximum(out, 0) / 255) ** float(np.exp(rng.normal(0, 0.2))) * 255, np.float32)
    if rng.random() < 0.4:  # haze
        out = out * float(rng.uniform(0.4, 1)) + float(rng.uniform(0, 60))
    slope = np.linspace(-1, 1, SIDE, dtype=np.float32)
    across, down = rng.normal(0, 0.15, 2)
    out = out * (1 + across * slope[None, :, None] + down * slope[:, None, None])
    out = out * float(rng.uniform(0.5, 1)) + rng.normal(0, rng.uniform(0, 8), out.shape)
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def _shaken(window: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """As if the camera had moved by up to a third of a rank's height."""
    half, angle = float(rng.uniform(0.5, 2.5)), float(rng.uniform(0, np.pi))
    kernel = np.zeros((7, 7), np.float32)
    step = np.array([np.cos(angle), np.sin(angle)]) * half
    ends = np.round((np.array([[3, 3], [3, 3]]) + np.array([-step, step])) * 16).astype(int)
    cv2.line(kernel, tuple(ends[0].tolist()), tuple(ends[1].tolist()), 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(window, -1, kernel / max(float(kernel.sum()), 1e-6)), np.float32)
