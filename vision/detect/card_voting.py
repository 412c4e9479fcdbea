"""Cards as wholes, face or back, from the card map: every pixel of a card votes for the card's middle, axes and
size.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

STRIDE = 8


@dataclass(frozen=True, slots=True)
class Settings:
    """How votes make cards; lengths in half sides of a card but for what is said. Set by judgement, tried on drawn
    scenes.
    """

    widths: tuple[float, float] = (20.0, 165.0)  # of cards in pixels of one scale, at which the map is trusted
    reach: float = 0.27  # votes so near are of one card: half the closest pitch of a pyramid's rows;
    along: float = 0.9  # the cosine between their long axes is that at least,
    wide: float = 1.6  # and each is so many times as wide as the card at most, and the card as it
    least: int = 3  # a card of which fewer cells show is noise (three cells are about 14 × 14 px)
    flat: float = 0.1  # least sine between the sides of a card: the map may take them for nearly the same way
    most: int = 90  # crowded places looked at in one picture: a whole deck spread out, and some noise
    cell: float = 4.0  # pixels in which votes are counted to find those places,
    smooth: float = 1.5  # smoothed over so many of them,
    peak: float = 0.3  # of which one holds so many votes then
    same: float = 0.35  # so near are votes taken with a card that was found, and finds of two scales of one card


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Votes:
    """One row a map cell: its vote for the middle and half axes of its card, and the chances of face and back."""

    middle_xy: Floats
    down_xy: Floats
    right_xy: Floats
    face: Floats
    back: Floats

    def __len__(self) -> int:
        return len(self.middle_xy)

    def take(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Votes:
        """Some of them."""
        return Votes(
            self.middle_xy[which], self.down_xy[which], self.right_xy[which], self.face[which], self.back[which]
        )


@dataclass(frozen=True, slots=True)
class CardFinds:
    """Cards found: middles (n, 2), half axes down and right (n, 2) (each up to its sign), chance that the face
    shows (n,), votes (n,).

    ``net_width`` (n,) is the width in pixels at the scale where the card was found, whatever the rest is scaled to.
    """

    middle_xy: Floats
    down_xy: Floats
    right_xy: Floats
    face: Floats
    votes: Floats
    net_width: Floats

    def __len__(self) -> int:
        return len(self.middle_xy)

    def moved(self, step: tuple[float, float], origin: tuple[float, float]) -> CardFinds:
        """The same in the pixels of a picture of which one here covers `step`, the first beginning at `origin`."""
        s = np.array(step, np.float32)
        middle, shown = self.middle_xy * s + np.array(origin, np.float32), self.votes * s.prod()
        return CardFinds(middle, self.down_xy * s, self.right_xy * s, self.face, shown, self.net_width)

    def take(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> CardFinds:
        """Some of them."""
        return CardFinds(
            self.middle_xy[which],
            self.down_xy[which],
            self.right_xy[which],
            self.face[which],
            self.votes[which],
            self.net_width[which],
        )

    def widths(self) -> Floats:
        """Card widths in pixels, (n,)."""
        return np.asarray(2 * np.linalg.norm(self.right_xy, axis=1), np.float32)

    def quads(self) -> Floats:
        """Corners (n, 4, 2), clockwise from the corner that is upper left if `down` points down."""
        d, r = self.down_xy, self.right_xy
        return np.stack(
            [self.middle_xy - d - r, self.middle_xy - d + r, self.middle_xy + d + r, self.middle_xy + d - r], axis=1
        )


def card_votes(card_map: Floats, size: tuple[int, int]) -> Votes:
    """Votes of a card map (11, h, w) for a picture of `size` (width, height)."""
    logits = card_map[:3] - card_map[:3].max(0)
    p = np.exp(logits)
    p /= p.sum(0)
    width = 64 * np.exp(np.clip(card_map[6], -3, 3))
    ys, xs = np.nonzero((p[0] < 0.5) & (width > SETTINGS.widths[0]) & (width < SETTINGS.widths[1]))
    inside = (xs * STRIDE < size[0]) & (ys * STRIDE < size[1])
    ys, xs = ys[inside], xs[inside]
    v = card_map[3:, ys, xs]
    at = np.stack([xs * STRIDE + STRIDE / 2, ys * STRIDE + STRIDE / 2], axis=1).astype(np.float32)
    a, b = np.arctan2(v[5], v[4]) / 2, np.arctan2(v[7], v[6]) / 2
    down = np.stack([np.cos(a), np.sin(a)], axis=1) * 32 * np.exp(np.clip(v[2], -3, 3))[:, None]
    right = np.stack([np.cos(b), np.sin(b)], axis=1) * 32 * np.exp(np.clip(v[3], -3, 3))[:, None]
    # Signs are free on a card that looks the same from both ends; choose down to the lower half, right a quarter turn
    # before it.
    down *= np.where(down[:, 1] < 0, -1, 1)[:, None]
    right *= np.where(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0] < 0, -1, 1)[:, None]
    return Votes(at + 32 * v[:2].T, down.astype(np.float32), right.astype(np.float32), p[1, ys, xs], p[2, ys, xs])


def group(votes: Votes) -> CardFinds:
    """Cards that the votes agree on, those with the most votes first."""
    found: list[tuple[Floats, Floats, Floats, float, float, float]] = []
    if len(votes) == 0:
        return _finds(found)
    seeds = votes.take(_seeds(votes)[: SETTINGS.most])
    crowd = _Crowd.of(votes)
    for start in zip(seeds.middle_xy, seeds.down_xy, seeds.right_xy, strict=True):
        mine = crowd.near(*start)
        if len(mine) < SETTINGS.least:
            continue
        mine = crowd.near(*_typical(votes.take(mine)))
        if len(mine) < SETTINGS.least:
            continue
        near = votes.take(mine)
        middle, down, right = _typical(near)
        if abs(down[0] * right[1] - down[1] * right[0]) < SETTINGS.flat * np.linalg.norm(down) * np.linalg.norm(right):
            continue
        share = float(np.mean(near.face / np.maximum(near.face + near.back, 1e-6)))
        shown = float(len(near) * STRIDE * STRIDE)
        found.append((middle, down, right, share, shown, 2 * float(np.linalg.norm(right))))
        crowd = crowd.without(crowd.near(middle, down, right, SETTINGS.same))
    return _finds(found)


def _seeds(votes: Votes) -> NDArray[np.intp]:
    """One vote at each place where the votes crowd, the densest first."""
    x, y = (np.clip(votes.middle_xy[:, k] / SETTINGS.cell + 20, 0, 1000).astype(int) for k in (0, 1))
    grid = np.zeros((int(y.max()) + 3, int(x.max()) + 3), np.float32)
    np.add.at(grid, (y, x), 1)
    grid = np.asarray(cv2.GaussianBlur(grid, (0, 0), SETTINGS.smooth), np.float32)
    peak = (grid >= cv2.dilate(grid, np.ones((3, 3), np.uint8))) & (grid > SETTINGS.peak)
    number = np.full(grid.shape, -1, np.intp)
    number[y, x] = np.arange(len(x))
    # A peak may fall beside the votes that make it: the nearest cell that holds one stands for it.
    rows, columns = np.nonzero(peak)
    order = np.argsort(-grid[rows, columns])
    found = []
    for r, c in zip(rows[order], columns[order], strict=True):
        near = number[max(r - 1, 0) : r + 2, max(c - 1, 0) : c + 2]
        if near.max() >= 0:
            found.append(int(near.max()))
    return np.array(found, np.intp)


@dataclass(frozen=True, slots=True)
class _Crowd:
    """Votes from left to right: their numbers, where their middles are, direction of the long axis, and width."""

    number: NDArray[np.intp]
    x: Floats
    y: Floats
    along: Floats
    wide: Floats

    @classmethod
    def of(cls, votes: Votes) -> _Crowd:
        order = np.argsort(votes.middle_xy[:, 0], kind="stable")
        x, y = (np.ascontiguousarray(votes.middle_xy[order, k]) for k in (0, 1))
        down = votes.down_xy[order]
        along = down / np.maximum(np.linalg.norm(down, axis=1), 1e-6)[:, None]
        return cls(order, x, y, along, np.asarray(np.linalg.norm(votes.right_xy[order], axis=1), np.float32))

    def near(self, middle: Floats, down: Floats, right: Floats, reach: float = SETTINGS.reach) -> NDArray[np.intp]:
        """The numbers of votes that have their middle close to this one, on the card's own axes, and axes that agree,
        rising.
        """
        m = np.linalg.inv(np.column_stack([right, down]).astype(np.float64) + np.eye(2) * 1e-6).astype(np.float32)
        # Few votes lie near at all: the rest is looked at in those alone.
        side = reach * float(abs(right[0]) + abs(down[0])) + 1
        low, high = np.searchsorted(self.x, (middle[0] - side, middle[0] + side))
        x, y = self.x[low:high] - middle[0], self.y[low:high] - middle[1]
        across, along = np.abs(m[0, 0] * x + m[0, 1] * y), np.abs(m[1, 0] * x + m[1, 1] * y)
        close = np.flatnonzero((across < reach) & (along < reach)) + low
        alike = np.abs(self.along[close] @ down) / max(float(np.linalg.norm(down)), 1e-6)
        size = self.wide[close] / max(float(np.linalg.norm(right)), 1e-6)
        sized = (size > 1 / SETTINGS.wide) & (size < SETTINGS.wide)
        return np.sort(self.number[close[(alike > SETTINGS.along) & sized]])

    def without(self, which: NDArray[np.intp]) -> _Crowd:
        """The votes but those with these numbers."""
        gone = np.zeros(int(self.number.max(initial=0)) + 1, bool)
        gone[which] = True
        left = ~gone[self.number]
        return _Crowd(self.number[left], self.x[left], self.y[left], self.along[left], self.wide[left])


def _typical(votes: Votes) -> tuple[Floats, Floats, Floats]:
    """Median middle, down and right of votes for one card."""
    down, right = votes.down_xy, votes.right_xy
    # The free signs are made one before averaging.
    down = down * np.where(down @ down[0] < 0, -1, 1)[:, None]
    right = right * np.where(right @ right[0] < 0, -1, 1)[:, None]
    columns = np.sort(np.concatenate([votes.middle_xy, down, right], axis=1), axis=0)
    n = len(columns)
    middle = ((columns[(n - 1) // 2] + columns[n // 2]) / 2).astype(np.float32)
    return middle[:2], middle[2:4], middle[4:]


def _finds(found: list[tuple[Floats, Floats, Floats, float, float, float]]) -> CardFinds:
    if not found:
        none = np.zeros((0, 2), np.float32)
        zero = np.zeros(0, np.float32)
        return CardFinds(none, none, none, zero, zero, zero)
    columns = list(zip(*found, strict=True))
    return CardFinds(*(np.array(column, np.float32) for column in columns))


def merge_scales(scales: list[CardFinds]) -> CardFinds:
    """One list from the finds of several scales, all in pixels of the picture; each card once."""
    names = ("middle_xy", "down_xy", "right_xy", "face", "votes", "net_width")
    finds = CardFinds(*(np.concatenate([getattr(s, name) for s in scales]) for name in names))
    kept: list[int] = []
    # Of two finds of one card that is kept which is amid the widths.
    best = np.log(SETTINGS.widths).mean()
    for k in np.argsort(np.abs(np.log(np.maximum(finds.net_width, 1)) - best)):
        if kept:
            m = np.linalg.inv(
                np.column_stack([finds.right_xy[k], finds.down_xy[k]]).astype(np.float64) + np.eye(2) * 1e-6
            )
            apart = (finds.middle_xy[kept] - finds.middle_xy[k]) @ m.T
            along = np.abs(finds.down_xy[kept] @ finds.down_xy[k]) / np.maximum(
                np.linalg.norm(finds.down_xy[kept], axis=1) * np.linalg.norm(finds.down_xy[k]), 1e-6
            )
            if ((np.abs(apart) < SETTINGS.same).all(1) & (along > SETTINGS.along)).any():
                continue
        kept.append(int(k))
    return finds.take(np.array(kept, np.intp))
