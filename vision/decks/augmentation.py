"""Windows as another picture would have shown them: moved a little, turned, softer, darker, in other light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.recognize.index_crops import LEFT, SIDE, SPAN, TOP

Bytes = NDArray[np.uint8]
Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]

# Pixels around a window that are kept so that it can be moved and turned.
MARGIN = 8
# The rank's middle in window pixels: what a frame is about.
_MIDDLE = np.array([-LEFT, -TOP]) * SIDE / SPAN - 0.5
_UNIT = SIDE / SPAN  # pixels of one rank height


@dataclass(frozen=True, slots=True)
class Settings:
    """How other pictures differ: one number for all changes of a kind, by judgement, tried on drawn decks."""

    wander: float = (
        0.1  # standard deviation of where a window lies (rank heights), how large and wide it is, and turned
    )
    apart: float = 0.12  # index units between what is kept of a window and what is made another: print is never exact
    least: float = 0.1  # share of a window that an index fills, or it is not told from the rest
    often: float = (
        0.35  # share of windows that each thing befalls: another card beside it or below, blur, shaking, haze
    )
    blur: tuple[float, float] = (0.4, 3.0)  # pixels by which it is out of focus or shaken, from and to
    light: float = (
        0.15  # standard deviation of the logarithm of each colour, of the tone curve's power, of other paper,
    )
    # and of how much lighter a window is on one side
    left: float = 0.45  # so much of contrast and light is left at least
    uneven: float = 60.0  # levels of haze and of what other cards and the table show unevenly, at most
    noise: float = 8.0  # levels of noise at most


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Ground:
    """What of wide windows (64, 64) may look otherwise in another picture: `beyond`, where the table showed, or other
    cards; and `right` and `below` of the index, where other cards may lie.
    """

    beyond: Flags
    right: Flags
    below: Flags


def ground(place: Doubles, extent: Doubles) -> Ground:
    """For windows on an index with this frame (2, 3), in half sides of the card, and this extent (2,) in index units
    from the window's middle.
    """
    at = (np.arange(SIDE + 2 * MARGIN) - MARGIN + 0.5) * SPAN / SIDE
    across, down = at + LEFT, (at + TOP)[:, None]
    edge = (-1 - place[:, 2]) / np.array([place[0, 0], place[1, 1]]) + SETTINGS.apart / 2
    end = np.array([LEFT, TOP]) + SPAN / 2 + extent + SETTINGS.apart
    whole = np.ones((len(at), len(at)), bool)
    return Ground((across < edge[0]) | (down < edge[1]), (across > end[0]) & whole, (down > end[1]) & whole)


def index_cells(place: Doubles, extent: Doubles, side: int) -> Flags:
    """Which of the cells (side, side) of a window belong to the index alone; all of them where hardly any do."""
    around, step = ground(place, extent), SIDE // side
    at = (np.arange(SIDE) + 0.5) * SPAN / SIDE - SPAN / 2
    within = (np.abs(at) < extent[0] + SETTINGS.apart) & (np.abs(at) < extent[1] + SETTINGS.apart)[:, None]
    within &= ~(around.beyond | around.right | around.below)[MARGIN:-MARGIN, MARGIN:-MARGIN]
    cells = within.reshape(side, step, side, step).all((1, 3))
    return cells if cells.mean() > SETTINGS.least else np.ones_like(cells)


def varied(wide: Bytes, ground: Ground | None, rng: np.random.Generator) -> tuple[Bytes, Doubles]:
    """One variant (n, 48, 48, 3) uint8 RGB of each wide window (n, 64, 64, 3), and the corrections (n, 6) that lead
    back from it, as the patch net gives them; with another `ground` where one is told.
    """
    moved = [_moved(one if ground is None else _regrounded(one, wide, ground, rng), rng) for one in wide]
    return np.stack([_developed(one, rng) for one, _ in moved]), np.stack([back for _, back in moved])


def plain(wide: Bytes) -> Bytes:
    """The windows (n, 48, 48, 3) themselves, without what lies around them."""
    return np.ascontiguousarray(wide[:, MARGIN:-MARGIN, MARGIN:-MARGIN])


def _regrounded(one: Bytes, all_wide: Bytes, ground: Ground, rng: np.random.Generator) -> Bytes:
    """A wide window as if its card lay elsewhere, perhaps under other cards."""
    hidden = [ground.beyond] + [part for part in (ground.right, ground.below) if rng.random() < SETTINGS.often]
    paper = np.percentile(one[~ground.beyond], 75, axis=0) if not ground.beyond.all() else np.full(3, 255.0)
    out = one.astype(np.float32)
    for part in hidden:
        share = np.asarray(cv2.GaussianBlur(part.astype(np.float32), (0, 0), 1.0))[..., None]
        out = out * (1 - share) + _filling(paper, all_wide, rng) * share
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def _filling(paper: Doubles, all_wide: Bytes, rng: np.random.Generator) -> Floats:
    """Something (64, 64, 3) that may lie there: another card's paper or print, or any table."""
    side = SIDE + 2 * MARGIN
    what = int(rng.integers(3))
    if what == 0:
        other = all_wide[int(rng.integers(len(all_wide)))]
        return np.asarray(np.roll(other, tuple(rng.integers(0, side, 2).tolist()), (0, 1)), np.float32)
    base = paper * np.exp(rng.normal(0, SETTINGS.light)) if what == 1 else rng.uniform(0, 255, 3)
    coarse = rng.normal(0, rng.uniform(0, SETTINGS.uneven), (6, 6, 1)).astype(np.float32)
    texture = np.asarray(cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC))
    return np.asarray(np.clip(base + texture.reshape(side, side, 1), 0, 255), np.float32)


def _moved(wide: Bytes, rng: np.random.Generator) -> tuple[Bytes, Doubles]:
    (size, narrow, turn, slant), shift = rng.normal(0, SETTINGS.wander, 4), rng.normal(0, SETTINGS.wander, 2)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    axes = spin @ np.array([[np.exp(size + narrow), slant], [0, np.exp(size - narrow)]])
    move = np.column_stack([axes, _MIDDLE + MARGIN + shift * _UNIT - axes @ _MIDDLE])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    window = cv2.warpAffine(wide, move, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    inverse = np.linalg.inv(axes)
    return np.asarray(window, np.uint8), np.column_stack([inverse - np.eye(2), -inverse @ shift]).reshape(6)


def _developed(window: Bytes, rng: np.random.Generator) -> Bytes:
    out = window.astype(np.float32)
    blurred, shaken, hazy = rng.random(3) < SETTINGS.often
    if blurred:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), float(rng.uniform(*SETTINGS.blur))), np.float32)
    if shaken:
        out = _shaken(out, rng)
    tint, gamma, (across, down) = (rng.normal(0, SETTINGS.light, n) for n in (3, 1, 2))
    out = np.asarray((np.maximum(out * np.exp(tint), 0) / 255) ** np.exp(gamma) * 255, np.float32)
    if hazy:
        out = out * float(rng.uniform(SETTINGS.left, 1)) + float(rng.uniform(0, SETTINGS.uneven))
    slope = np.linspace(-1, 1, SIDE)
    out = out * (1 + across * slope[None, :, None] + down * slope[:, None, None])
    out = out * float(rng.uniform(SETTINGS.left, 1)) + rng.normal(0, rng.uniform(0, SETTINGS.noise), out.shape)
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def _shaken(window: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """As if the camera had moved by up to a third of a rank's height."""
    half, angle = float(rng.uniform(*SETTINGS.blur)), float(rng.uniform(0, np.pi))
    kernel = np.zeros((7, 7), np.float32)
    step = np.array([np.cos(angle), np.sin(angle)]) * half
    ends = np.round((np.array([[3, 3], [3, 3]]) + np.array([-step, step])) * 16).astype(int)
    cv2.line(kernel, tuple(ends[0].tolist()), tuple(ends[1].tolist()), 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(window, -1, kernel / max(float(kernel.sum()), 1e-6)), np.float32)


def patterns(wide: Bytes, rng: np.random.Generator) -> Bytes:
    """A window such as a card's back shows for each wide window (n, 64, 64, 3) of indices: print of its kind, small, in
    any inks, that comes again and again.
    """
    side = SIDE + 2 * MARGIN
    out = []
    for one in wide:
        times = 2 ** int(rng.integers(1, 4))
        small = cv2.resize(one, (side // times, side // times), interpolation=cv2.INTER_AREA)
        both = np.concatenate([small, small[:, ::-1]], axis=1)
        sheet = np.tile(np.concatenate([both, both[::-1]]), (times, times, 1))
        inks = sheet[..., rng.permutation(3)] if rng.random() < 0.5 else 255 - sheet[..., rng.permutation(3)]
        move = cv2.getRotationMatrix2D((side, side), float(rng.uniform(0, 180)), 1.0) - [[0, 0, side / 2]]
        out.append(cv2.warpAffine(inks, move, (side, side), borderMode=cv2.BORDER_REFLECT))
    return np.asarray(out, np.uint8)
