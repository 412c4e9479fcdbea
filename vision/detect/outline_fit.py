"""Cards fitted to the corners found: where a card is seen at a slant its axes are not square to each other.

The card map tells where a card lies and roughly how large it is. Its corners, each with the directions of both edges,
tell the shape far better: a single one gives both directions, and with the card's middle both lengths.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.detect import card_voting
from vision.detect.card_voting import CardFinds
from vision.detect.heatmaps import Corners

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]

# Corners clockwise from the upper left, in half sides, and the way from each to the next one.
RING = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
NEXT = (np.roll(RING, -1, axis=0) - RING) / 2


@dataclass(frozen=True, slots=True)
class Settings:
    """How outlines are fitted to corners, lengths in half sides. Set by judgement, tried on drawn scenes."""

    rounds: tuple[float, ...] = (0.8, 0.5, 0.35)  # so far from its place a corner may stand, round by round
    along: float = 0.7  # the least cosine between its edges and the card's
    held: float = 0.25  # a corner so near its place is the card's own
    hot: float = 0.3  # what a hotter one costs less
    edge: float = 0.15  # weight beside that of a corner's place: of its edges' directions,
    middle: float = 0.3  # of the middle,
    axes: float = 0.05  # and of the axes that the map gave


SETTINGS = Settings()


def fitted(cards: CardFinds, corners: Corners) -> CardFinds:
    """The cards with the middles and axes that their corners ask for, each card once, in the order given."""
    if not len(cards) or not len(corners):
        return cards
    start = _axes(cards)
    axes, own = start, np.zeros(len(cards))
    for reach in SETTINGS.rounds:
        which = _owned(axes, corners, reach)
        axes = _solved(start, corners, which)
        own = (which >= 0).sum(1)
    # A fit that mirrors a card went astray.
    sound = np.linalg.det(axes[:, :, :2]) * np.linalg.det(start[:, :, :2]) > 0
    axes, own = np.where(sound[:, None, None], axes, start), own * sound
    right, down, middle = (axes[:, :, k].astype(np.float32) for k in range(3))
    found = CardFinds(middle, down, right, cards.face, cards.votes, cards.net_width)
    return found.take(_distinct(axes, own + cards.votes / cards.votes.max()))


def held(cards: CardFinds, corners: Corners) -> Ints:
    """How many of the corners of each card were found where they should be, (n,)."""
    if not len(cards) or not len(corners):
        return np.zeros(len(cards), np.intp)
    return np.asarray((_owned(_axes(cards), corners, SETTINGS.held) >= 0).sum(1), np.intp)


def standing(cards: CardFinds, corners: Corners) -> NDArray[np.bool_]:
    """Which corners stand where one of these cards has its own, (n,)."""
    if not len(cards) or not len(corners):
        return np.zeros(len(corners), bool)
    return np.asarray(np.isfinite(_costs(_axes(cards), corners, SETTINGS.held)).any((0, 2)))


def heat(axes: Doubles, corners: Corners) -> Doubles:
    """Sum (n,) of the heat of the corners found where each card with axes (n, 2, 3) has its own."""
    return np.asarray(heats(axes, corners).sum(1))


def heats(axes: Doubles, corners: Corners) -> Doubles:
    """Heat (n, 4) of the corner found where each card with axes (n, 2, 3) has its own, clockwise from the upper left;
    0 where none was.
    """
    if not len(corners) or not len(axes):
        return np.zeros((len(axes), 4))
    which = _owned(axes, corners, SETTINGS.held)
    return np.asarray(np.where(which >= 0, corners.heat[which], 0.0), np.float64)


def _axes(cards: CardFinds) -> Doubles:
    return np.stack([cards.right_xy, cards.down_xy, cards.middle_xy], axis=2).astype(np.float64)


def _owned(axes: Doubles, corners: Corners, reach: float) -> Ints:
    """Which corner stands at each of the four of each card (n, 4), -1 for none; axes (n, 2, 3)."""
    cost = _costs(axes, corners, reach)
    return np.asarray(np.where(np.isfinite(cost.min(1)), cost.argmin(1), -1), np.intp)


def _costs(axes: Doubles, corners: Corners, reach: float) -> Doubles:
    """How badly each corner (m,) stands as each of the four of each card (n, m, 4), endlessly where it does not."""
    inverse = np.linalg.inv(axes[:, :, :2])
    at = (corners.at_xy[None] - axes[:, None, :, 2]) @ inverse.transpose(0, 2, 1)
    away = (at[:, :, None, 0] - RING[:, 0]) ** 2 + (at[:, :, None, 1] - RING[:, 1]) ** 2
    # Hardly any corner stands near one of a card: only of those the edges are compared.
    card, corner, which = np.nonzero(away < reach * reach)
    off = np.sqrt(away[card, corner, which])
    way = axes[:, None, :, 0] * NEXT[:, :1] + axes[:, None, :, 1] * NEXT[:, 1:]
    way /= np.maximum(np.linalg.norm(way, axis=2, keepdims=True), 1e-9)
    clockwise = (way[card, which] * corners.edge[corner]).sum(1)
    back = (-way[card, which - 1] * corners.other[corner]).sum(1)
    agree = np.minimum(clockwise, back)
    cost = off + (1 - agree) - SETTINGS.hot * corners.heat[corner]
    out = np.full(away.shape, np.inf)
    out[card, corner, which] = np.where(agree > SETTINGS.along, cost, np.inf)
    return out


def _solved(start: Doubles, corners: Corners, which: Ints) -> Doubles:
    """Axes (n, 2, 3) by least squares: corners in place, sides along their edges, near the start where that is free."""
    n = len(start)
    # Unknowns of a card: right, down, middle, x before y: a start a row each.
    begin = start.transpose(0, 2, 1).reshape(n, 6)
    hold = np.array([SETTINGS.axes] * 4 + [SETTINGS.middle] * 2) ** 2
    left = np.tile(np.diag(hold), (n, 1, 1))
    rest = begin * hold
    for k in range(4):
        seen = (which[:, k] >= 0)[:, None] * np.sqrt(corners.heat[which[:, k]])[:, None]
        at = corners.at_xy[which[:, k]].astype(np.float64)
        for axis in range(2):
            row = np.zeros((n, 6))
            row[:, axis], row[:, 2 + axis], row[:, 4 + axis] = RING[k, 0], RING[k, 1], 1.0
            row = row * seen
            left += row[:, :, None] * row[:, None]
            rest += row * (at[:, axis : axis + 1] * seen)
        for edge, step in ((corners.edge, NEXT[k]), (corners.other, NEXT[k - 1])):
            across = edge[which[:, k]][:, ::-1] * np.array([-1.0, 1.0])
            row = np.concatenate([across * step[0], across * step[1], np.zeros((n, 2))], axis=1) * seen * SETTINGS.edge
            left += row[:, :, None] * row[:, None]
    solved = np.linalg.solve(left, rest[:, :, None])[:, :, 0]
    return np.asarray(solved.reshape(n, 3, 2).transpose(0, 2, 1))


def _distinct(axes: Doubles, worth: Doubles) -> Ints:
    """Which finds to keep, in order, so that each card stays once: those worth most."""
    inverse = np.linalg.inv(axes[:, :, :2])
    apart = np.abs(np.einsum("nij,nmj->nmi", inverse, axes[None, :, :, 2] - axes[:, None, :, 2])).max(2)
    turned = np.einsum("nij,mj->nmi", inverse, axes[:, :, 1])
    close = (apart < card_voting.SETTINGS.same) & (np.abs(turned[..., 1]) > np.abs(turned[..., 0]))
    left, kept = np.ones(len(axes), bool), []
    for n in np.argsort(-worth):
        if left[n]:
            kept.append(int(n))
            left &= ~close[n]
    return np.array(sorted(kept), np.intp)
