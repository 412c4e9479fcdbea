"""Smooth patches without paper on the cards: print, what shows between cards, and things that lie on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.advice.scene import Look
from vision.image.masks import Area, depths, grown

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a smooth patch is, lengths in card widths; set by judgement, tried on drawn tables with things on them."""

    depth: float = 0.05  # from a patch's middle to its edge at least: a third of a finger
    least: float = 0.05  # its area in square card widths
    cards: float = 0.96  # so much of a card is looked at, without its edge
    window: float = 0.03  # over such squares it is even:
    even: float = 0.05  # the light differs by such a share of that of paper, or by
    noise: float = 7.0  # so much, of 255
    unlike: float = 0.28  # what is darker than a card's own paper by such a share of its light is no paper
    near: float = 0.04  # parts of one colour this near to each other are one: the fingers of a hand
    like: float = 28.0  # colours are alike that differ by less than this, of 255, in each channel;
    same: float = 24.0  # those of two parts of a thing by less yet
    most: int = 40  # parts looked at in one picture at most, the largest first
    printed: int = 8  # parts of one colour beyond so many are printed on many cards: a hand has fewer


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch of one colour (3,), 0..255, of so many parts; `start`: (x, y) of the middle of the largest one."""

    area: Area
    colour: Doubles
    parts: int
    start: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Patches:
    """The patches of a picture; 1 where cards lie, and where anything smooth without paper does on them, (h, w)."""

    each: tuple[Patch, ...]
    cards: Bytes
    smooth: Bytes


def patches(look: Look) -> Patches:
    """The patches on the cards, parts of a thing put together."""
    cards = np.zeros(look.size, np.uint8)
    for corners in grown(np.stack([o.quad for o in look.outlines]), SETTINGS.cards):
        cv2.fillConvexPoly(cards, corners, 1)
    smooth = _smooth(look, cards)
    deep = depths(smooth)
    # A patch is deep somewhere: from there it is followed to its edges.
    peaks = (deep >= SETTINGS.depth * look.width) & (deep >= cv2.dilate(deep, np.ones((3, 3), np.uint8)))
    starts = np.argwhere(peaks & (smooth > 0))
    parts = [part for part in _parts(smooth.copy(), starts) if part[0].count >= SETTINGS.least * look.width**2]
    parts = sorted(parts, key=lambda part: -part[0].count)[: SETTINGS.most]
    found = [Patch(area, _colour(look, area), 1, start) for area, start in parts]
    return Patches(tuple(_together(look, found)), cards, smooth)


def _colour(look: Look, area: Area) -> Doubles:
    return np.array(cv2.mean(look.small[area.slices], area.mask)[:3], np.float64)


def _smooth(look: Look, cards: Bytes) -> Bytes:
    """1 where on the `cards` (h, w) there is no paper, nor anything that changes from pixel to pixel; else 0."""
    out = np.zeros(look.size, np.uint8)
    side = max(3, int(look.width * SETTINGS.window) | 1)
    left, top, width, height = cv2.boundingRect(cards)
    # What lies around the cards changes the mean at their edges.
    area = Area(left, top, np.asarray(cards[top : top + height, left : left + width])).padded(side // 2, look.size)
    light, part = float(look.paper.max()), look.small[area.slices]
    if not part.size:
        return out
    mean = cv2.boxFilter(part, cv2.CV_32F, (side, side))
    variance = cv2.subtract(cv2.sqrBoxFilter(part, cv2.CV_32F, (side, side)), cv2.multiply(mean, mean))
    paper = cv2.inRange(mean, look.paper - SETTINGS.unlike * light, np.full(3, np.inf))
    even = cv2.inRange(variance, np.full(3, -np.inf), np.full(3, max(SETTINGS.noise, SETTINGS.even * light) ** 2))
    out[area.slices] = cv2.bitwise_and(area.mask, cv2.subtract(even, paper))
    return out


def _parts(flags: Bytes, starts: NDArray[np.intp]) -> Iterator[tuple[Area, tuple[int, int]]]:
    """The connected parts of `flags` (h, w), 0 or 1, in which one of the `starts` (row, column) lies, each with that
    one as (x, y); emptied after that.
    """
    for row, column in starts:
        if flags[row, column]:
            start = int(column), int(row)
            _, _, _, (left, top, width, height) = cv2.floodFill(flags, None, start, 2, flags=4)
            cut = flags[top : top + height, left : left + width]
            mask = (cut == 2).astype(np.uint8)
            cut[mask > 0] = 0
            yield Area(left, top, mask), start


def _together(look: Look, parts: list[Patch]) -> list[Patch]:
    """The parts, the largest first, with those of one colour that hardly lie apart put together; without those of a
    colour that shows all over the cards.
    """
    if not parts:
        return []
    colours = np.stack([part.colour for part in parts])
    alike = np.abs(colours[:, None] - colours).max(2) < SETTINGS.same
    rare = np.flatnonzero(alike.sum(1) <= SETTINGS.printed)
    wide = {int(n): parts[n].area.dilated(2 * max(1, round(look.width * SETTINGS.near)) + 1, look.size) for n in rare}
    group = {n: n for n in wide}
    for n in wide:
        for m in wide:
            if m < n and alike[n, m] and group[n] != group[m] and wide[n].common(wide[m]):
                first, other = sorted((group[n], group[m]))
                group = {k: first if g == other else g for k, g in group.items()}
    groups = [[parts[n] for n, g in group.items() if g == k] for k in dict.fromkeys(group.values())]
    return [_union(look, members) for members in groups]


def _union(look: Look, parts: list[Patch]) -> Patch:
    if len(parts) == 1:
        return parts[0]
    left, top = (min(getattr(part.area, side) for part in parts) for side in ("left", "top"))
    right, bottom = (max(part.area.slices[k].stop for part in parts) for k in (1, 0))
    mask = np.zeros((bottom - top, right - left), np.uint8)
    for part in parts:
        rows, columns = part.area.slices
        mask[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left] |= part.area.mask
    area = Area(left, top, mask)
    return Patch(area, _colour(look, area), len(parts), parts[0].start)
