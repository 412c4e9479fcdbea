"""Windows as another picture would have shown them: moved a little, turned, softer, darker, in other light."""

from __future__ import annotations

import math
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
    """How other pictures differ. How far finds wander (standard deviations) is set to what the outlines of cards and
    the finds of the search net show on drawn decks that the nets do not know; the rest by judgement.
    """

    place: float = 0.15  # in rank heights,
    size: float = 0.1  # of the logarithm of both sides,
    narrow: float = 0.07  # and of that of one against the other,
    turn: float = 0.1  # in radians,
    slant: float = 0.08  # and so far a side leans
    apart: float = 0.12  # index units between what is kept of a window and what is made another: print is never exact;
    edge: float = 0.7  # pixels over which one goes over into the other
    covered: float = 0.3  # share of windows beside whose index, and below it, another card lies,
    printed: float = 0.15  # and of what lies there that is print; else paper lit otherwise, so dark or light,
    paper: tuple[float, float] = (0.75, 1.05)  # or any colour,
    uneven: float = 60.0  # both uneven by so many levels at most
    least: float = 0.1  # share of a window that an index fills, or it is not told from the rest
    soft: tuple[float, float, float] = (0.6, 0.4, 3.0)  # share of windows out of focus, by so many pixels, from and to
    shaken: tuple[float, float, float] = (0.3, 0.5, 2.5)  # the same of shaken ones
    tint: float = 0.12  # standard deviation of the logarithm of each colour,
    gamma: float = 0.2  # of that of the tone curve's power,
    slope: float = 0.15  # and of how much lighter a window is on one side
    haze: tuple[float, float, float] = (0.4, 0.4, 60.0)  # share of hazy ones, contrast left at least, and most light
    dark: float = 0.5  # so much of the light is left at least
    noise: float = 8.0  # levels of noise at most
    waves: tuple[float, float] = (4.0, 30.0)  # pixels after which a pattern comes again, from and to,
    across: float = 0.3  # radians between its two ways at least
    bias: float = 0.4  # how unlike the shares of its two colours are,
    sharp: tuple[float, float] = (2.0, 12.0)  # and how sharply they part
    inks: tuple[float, float] = (200.0, 120.0)  # levels of which the one is darker and the other lighter


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
    hidden = [ground.beyond] + [part for part in (ground.right, ground.below) if rng.random() < SETTINGS.covered]
    paper = np.percentile(one[~ground.beyond], 75, axis=0) if not ground.beyond.all() else np.full(3, 255.0)
    out = one.astype(np.float32)
    for part in hidden:
        share = np.asarray(cv2.GaussianBlur(part.astype(np.float32), (0, 0), SETTINGS.edge))[..., None]
        out = out * (1 - share) + _filling(paper, all_wide, rng) * share
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def _filling(paper: Doubles, all_wide: Bytes, rng: np.random.Generator) -> Floats:
    """Something (64, 64, 3) that may lie there: another card's paper or print, or any table."""
    side = SIDE + 2 * MARGIN
    if rng.random() < SETTINGS.printed:
        other = all_wide[int(rng.integers(len(all_wide)))]
        return np.asarray(np.roll(other, tuple(rng.integers(0, side, 2).tolist()), (0, 1)), np.float32)
    base = paper * rng.uniform(*SETTINGS.paper) if rng.random() < 0.5 else rng.uniform(0, 255, 3)
    coarse = rng.normal(0, rng.uniform(0, SETTINGS.uneven), (6, 6, 1)).astype(np.float32)
    texture = np.asarray(cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC))
    return np.asarray(np.clip(base + texture.reshape(side, side, 1), 0, 255), np.float32)


def _moved(wide: Bytes, rng: np.random.Generator) -> tuple[Bytes, Doubles]:
    size, narrow, turn = (
        np.exp(rng.normal(0, SETTINGS.size)),
        np.exp(rng.normal(0, SETTINGS.narrow)),
        rng.normal(0, SETTINGS.turn),
    )
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    axes = spin @ np.array([[size * narrow, rng.normal(0, SETTINGS.slant)], [0, size / narrow]])
    shift = rng.normal(0, SETTINGS.place, 2)
    move = np.column_stack([axes, _MIDDLE + MARGIN + shift * _UNIT - axes @ _MIDDLE])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    window = cv2.warpAffine(wide, move, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    inverse = np.linalg.inv(axes)
    return np.asarray(window, np.uint8), np.column_stack([inverse - np.eye(2), -inverse @ shift]).reshape(6)


def _developed(window: Bytes, rng: np.random.Generator) -> Bytes:
    out = window.astype(np.float32)
    if rng.random() < SETTINGS.soft[0]:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), float(rng.uniform(*SETTINGS.soft[1:]))), np.float32)
    if rng.random() < SETTINGS.shaken[0]:
        out = _shaken(out, rng)
    out = out * np.exp(rng.normal(0, SETTINGS.tint, 3)).astype(np.float32)
    out = np.asarray((np.maximum(out, 0) / 255) ** float(np.exp(rng.normal(0, SETTINGS.gamma))) * 255, np.float32)
    if rng.random() < SETTINGS.haze[0]:
        out = out * float(rng.uniform(SETTINGS.haze[1], 1)) + float(rng.uniform(0, SETTINGS.haze[2]))
    slope = np.linspace(-1, 1, SIDE, dtype=np.float32)
    across, down = rng.normal(0, SETTINGS.slope, 2)
    out = out * (1 + across * slope[None, :, None] + down * slope[:, None, None])
    out = out * float(rng.uniform(SETTINGS.dark, 1)) + rng.normal(0, rng.uniform(0, SETTINGS.noise), out.shape)
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def _shaken(window: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """As if the camera had moved by up to a third of a rank's height."""
    half, angle = float(rng.uniform(*SETTINGS.shaken[1:])), float(rng.uniform(0, np.pi))
    kernel = np.zeros((7, 7), np.float32)
    step = np.array([np.cos(angle), np.sin(angle)]) * half
    ends = np.round((np.array([[3, 3], [3, 3]]) + np.array([-step, step])) * 16).astype(int)
    cv2.line(kernel, tuple(ends[0].tolist()), tuple(ends[1].tolist()), 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(window, -1, kernel / max(float(kernel.sum()), 1e-6)), np.float32)


def patterns(n: int, rng: np.random.Generator) -> Bytes:
    """Wide windows (n, 64, 64, 3) uint8 RGB such as a card's back shows: lines and spots that come again and again."""
    side = SIDE + 2 * MARGIN
    y, x = np.mgrid[:side, :side].astype(np.float64)
    out = []
    for _ in range(n):
        turns = rng.uniform(0, np.pi) + np.array([0, rng.uniform(SETTINGS.across, np.pi - SETTINGS.across)])
        shortest, longest = (math.log(far) for far in SETTINGS.waves)
        lengths = np.exp(rng.uniform(shortest, longest, 2))
        waves = [
            np.sin((x * np.cos(t) + y * np.sin(t)) * 2 * np.pi / far + rng.uniform(0, 6))
            for t, far in zip(turns, lengths, strict=True)
        ]
        mixed = waves[0] * waves[1] if rng.random() < 0.5 else np.maximum(waves[0], waves[1] * rng.uniform(0, 1))
        share = 1 / (1 + np.exp(-(mixed - rng.normal(0, SETTINGS.bias)) * rng.uniform(*SETTINGS.sharp)))
        dark, light = rng.uniform(0, SETTINGS.inks[0], 3), rng.uniform(SETTINGS.inks[1], 255, 3)
        out.append(light * share[..., None] + dark * (1 - share[..., None]))
    return np.asarray(np.clip(np.round(out), 0, 255), np.uint8)
