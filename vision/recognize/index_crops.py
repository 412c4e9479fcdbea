"""Windows on printed indices: cut out by their own frames, scaled by the card's own white.

A frame is a (2, 3) float32 array that takes index units (u right, v down, one rank height each, origin at the rank's
centre) to pixels. A window shows u from -1.0 to 2.0 and v from -0.9 to 2.1: the rank, the suit under it, and beside
it as court cards have it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.shrunk import Shrunk

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]
Doubles = NDArray[np.float64]

SIDE = 48
LEFT, TOP, SPAN = -1.0, -0.9, 3.0
# The window pixel (j, i) in index units, as a (3, 3) map.
_TO_UNITS = np.array(
    [[SPAN / SIDE, 0, LEFT + SPAN / SIDE / 2], [0, SPAN / SIDE, TOP + SPAN / SIDE / 2], [0, 0, 1]], np.float64
)


@dataclass(frozen=True, slots=True)
class Settings:
    """How windows are cut and their light made alike; the nets were trained on windows of these settings."""

    coarse: float = (
        1.5  # a window pixel covers so many picture pixels, or a smaller copy of the picture is read instead
    )
    white: float = 0.8  # share of a window's pixels darker than its white (the paper fills most of it),
    ink: float = 0.04  # and darker than its ink
    light: float = 0.8  # the tone the white gets,
    most: float = 1.2  # and the lightest there is
    dark: float = 0.14  # the darkest tone that printed ink has without a veil,
    veil: float = 0.55  # and the thickest veil that is taken off


SETTINGS = Settings()


def heights(frames: Floats) -> Floats:
    """Rank heights in pixels, (n,), of frames (n, 2, 3)."""
    return np.asarray(np.linalg.norm(frames[:, :, 1], axis=1), np.float32)


def typical(frames: Floats) -> float:
    """The median rank height of frames (n, 2, 3) in pixels; 0 where there are none."""
    return float(np.median(heights(frames))) if len(frames) else 0.0


def cut(picture: Shrunk, frames: Floats, margin: int = 0) -> Bytes:
    """Windows (n, 48, 48, 3) uint8 RGB of frames (n, 2, 3) in pixels of the whole picture; black beyond its edges.

    margin: so many pixels more on every side.
    """
    side = SIDE + 2 * margin
    out = np.zeros((len(frames), side, side, 3), np.uint8)
    maps = frames.astype(np.float64) @ _TO_UNITS
    steps = np.sqrt(np.abs(maps[:, 0, 0] * maps[:, 1, 1] - maps[:, 0, 1] * maps[:, 1, 0]))
    levels = np.floor(np.log2(np.maximum(steps, 1e-3) / SETTINGS.coarse)).astype(int) + 1
    for window, m, level in zip(out, maps, np.maximum(levels, 0).tolist(), strict=True):
        source = picture.level(level)
        scale = source.shape[1] / picture.levels[0].shape[1]
        m = m * scale
        m[:, 2] += scale / 2 - 0.5 - margin * (m[:, 0] + m[:, 1])
        cv2.warpAffine(source, m, (side, side), window, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return out


def darkest(image: Bytes) -> Bytes:
    """The darkest channel (…, h, w) of pictures (…, h, w, 3)."""
    red, green, blue = cv2.split(image.reshape(-1, *image.shape[-2:]))
    return np.asarray(cv2.min(cv2.min(red, green), blue), np.uint8).reshape(image.shape[:-1])


def percentiles(values: NDArray[np.generic], *shares: float) -> list[Doubles]:
    """Per cent `shares` of the values in each row (n, m) float32 or uint8, each (n,), as numpy's own; sorting once is
    several times as fast.
    """
    # Bytes are sorted by counting, floats by the processor's wide registers.
    rows = np.sort(values, axis=1, kind="stable" if values.dtype == np.uint8 else "quicksort")
    out = []
    for share in shares:
        at = (rows.shape[1] - 1) * share / 100
        low, high = (rows[:, k].astype(np.float64) for k in (int(at), min(int(at) + 1, rows.shape[1] - 1)))
        out.append(low + (high - low) * (at - int(at)))
    return out


def whitened(windows: Bytes) -> Floats:
    """Windows (n, 3, 48, 48) float32 for the patch net: each colour divided by the window's own white (it becomes 0.8)
    and the veil of mirrored light taken off.
    """
    if not len(windows):
        return np.zeros((0, 3, SIDE, SIDE), np.float32)
    planes = windows.transpose(0, 3, 1, 2)
    sample = planes[:, :, 1::3, 1::3].reshape(len(windows), 3, -1)
    count = sample.shape[2]
    # Bytes are sorted by counting.
    white = np.maximum(np.sort(sample, axis=2, kind="stable")[:, :, int(count * SETTINGS.white)], 16)
    gain = (SETTINGS.light / white).astype(np.float32)
    # A sheen adds the same light to ink and paper: what the darkest ink has above its usual tone is that.
    inks = np.partition((sample * gain[:, :, None]).min(1), int(count * SETTINGS.ink), axis=1)[
        :, int(count * SETTINGS.ink)
    ]
    veil = np.clip(inks - SETTINGS.dark, 0, SETTINGS.veil)[:, None, None, None]
    out = np.multiply(np.ascontiguousarray(planes), gain[:, :, None, None], dtype=np.float32)
    out -= veil
    out *= SETTINGS.light / (SETTINGS.light - veil)
    return np.asarray(np.clip(out, 0, SETTINGS.most, out=out))


def means(planes: Floats, side: int) -> Floats:
    """Means (n, c · side · side) over the cells of planes (n, c, 48, 48)."""
    n, channels, size, _ = planes.shape
    if not n:
        return np.zeros((0, channels * side**2), np.float32)
    # As one high picture they are shrunk at once.
    high = np.ascontiguousarray(planes).reshape(n * channels * size, size)
    small = cv2.resize(high, (side, n * channels * side), interpolation=cv2.INTER_AREA)
    return np.asarray(small.reshape(n, channels * side**2), np.float32)


def corrected(frames: Floats, shift: Floats) -> Floats:
    """Frames (n, 2, 3) moved by the patch net's corrections (n, 6): the true frame in each window's own units,
    less identity.
    """
    move = np.tile(np.eye(3, dtype=np.float32), (len(frames), 1, 1))
    move[:, :2] += shift.reshape(-1, 2, 3)
    return np.asarray(
        frames[:, :, :2] @ move[:, :2] + np.concatenate([np.zeros_like(frames[:, :, :2]), frames[:, :, 2:]], 2),
        np.float32,
    )


def correction(window: Floats, truth: Floats) -> Floats:
    """The (6,) correction that takes a window's frame (2, 3) to the true one."""
    inverse = np.linalg.inv(window[:, :2].astype(np.float64))
    out = np.column_stack([inverse @ truth[:, :2] - np.eye(2), inverse @ (truth[:, 2] - window[:, 2])])
    return out.reshape(6).astype(np.float32)
