"""The table seen straight from above: a homography under which every card of a layout is upright and one unit wide
and high.

In a layout all cards point one way. Their outer corners, found with the direction of both edges, pair up to edges;
every short edge must become (1, 0) and every long one (0, 1). Cards found as wholes say roughly where to start and
which edge is which.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.detect import outline_fit
from vision.detect.card_voting import CardFinds
from vision.detect.heatmaps import Corners

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]

# Corner kinds clockwise from the upper left: the way to the card's middle in half sides.
INWARD = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]], np.float64)
WAYS = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], np.float64)
# Edges that join two kinds: from, to, and what the edge must become.
EDGES = ((0, 1, (1.0, 0.0)), (3, 2, (1.0, 0.0)), (0, 3, (0.0, 1.0)), (1, 2, (0.0, 1.0)))


@dataclass(frozen=True, slots=True)
class Settings:
    """How a table is made straight; lengths in card sides. Set by judgement, tried on drawn validation tables."""

    whole: float = 0.12  # a whole card counts so much beside an edge between two corners, which is far sharper;
    sharp: int = 3  # with so many of its own corners found
    sharper: float = 0.25  # so much
    soft: float = 0.08  # residual at which an edge loses half its weight: cards are laid unevenly, corners mixed up
    step: float = 0.05  # that step tells how the edges of a card run that is laid at a corner
    alike: float = 0.12  # a card counts half where one of its sides is so far off, a start is another one that differs
    # by more from those before, as a share of its sides, edges fit that are off by less in the end, and indices of one
    # card stand so nearly as far apart as on other cards
    farthest: float = 0.8  # of the way from the middle of all points to the horizon one may lie at most
    starts: int = 6  # starts tried; two that end
    same: float = 0.02  # so nearly alike are enough
    most: float = 0.6  # what differs by more is another card altogether
    off: float = 2.5  # across its way an edge may be off by so much less than along it: how long it is is sought
    rounds: tuple[float, ...] = (0.75, 0.45, 0.3)  # so far off edges are paired, round by round
    held: float = 0.02  # what holds the perspective near none,
    steps: int = 7  # in so many steps at most,
    settled: float = 1e-4  # until one is no longer than that


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Plane:
    """`homography` (3, 3) from pixels to card units; a card's middle plus (±0.5, ±0.5) are its corners."""

    homography: Doubles
    spread: float  # mean residual of the edges in card sides

    def flat(self, pixels: NDArray[np.floating]) -> Doubles:
        """Pixels (n, 2) to card units (n, 2)."""
        return _through(self.homography, pixels)

    def pixels(self, flat: NDArray[np.floating]) -> Doubles:
        """Card units (n, 2) to pixels (n, 2)."""
        return _through(np.asarray(np.linalg.inv(self.homography), np.float64), flat)

    def directions(self, at: NDArray[np.floating], vectors: NDArray[np.floating]) -> Doubles:
        """Small pixel vectors (n, 2) at pixels (n, 2) as vectors in card units."""
        return self.flat(np.asarray(at) + np.asarray(vectors)) - self.flat(at)


@dataclass(frozen=True, slots=True)
class Twins:
    """Pairs of indices that name one card each: where they stand (n, 2, 2) in pixels, and how far apart (2,) the two
    sides and the two ends of a card of this deck have their indices, in card sides.
    """

    at: Doubles
    apart: Doubles

    def agree(self, plane: Plane) -> float:
        """The share of them that stand on a plane as the indices of one card do, 0..1."""
        if not len(self.at):
            return 0.0
        gap = np.abs(np.diff(plane.flat(self.at.reshape(-1, 2)).reshape(-1, 2, 2), axis=1)[:, 0])
        one_card = np.array([[1, 1], [1, 0], [0, 1]]) * self.apart
        off = np.abs(gap[:, None] - one_card).max(2).min(1)
        return float((off < SETTINGS.alike).mean())


def _through(h: Doubles, points: NDArray[np.floating]) -> Doubles:
    p = np.column_stack([np.atleast_2d(points), np.ones(len(np.atleast_2d(points)))]) @ h.T
    w = np.where(np.abs(p[:, 2:]) < 1e-9, 1e-9, p[:, 2:])
    return np.asarray(p[:, :2] / w)


def _start(cards: CardFinds, number: int) -> Plane:
    """From one card found as a whole: no perspective yet."""
    right, down = cards.right_xy[number].astype(np.float64), cards.down_xy[number].astype(np.float64)
    m = np.linalg.inv(np.column_stack([2 * right, 2 * down]) + np.eye(2) * 1e-9)
    h = np.eye(3)
    h[:2, :2] = m
    h[:2, 2] = -m @ cards.middle_xy.astype(np.float64).mean(0)
    return Plane(h, 1.0)


def _starts(cards: CardFinds, sharp: NDArray[np.bool_]) -> list[int]:
    """Cards to start from: the most typical first, then others unlike those before."""
    axes = np.column_stack([cards.right_xy, cards.down_xy]).astype(np.float64)
    weight = np.sqrt(cards.votes.astype(np.float64)) * np.where(sharp, 1.0, SETTINGS.whole)
    apart = np.linalg.norm(axes[:, None] - axes[None], axis=2) / np.linalg.norm(axes, axis=1)[None]
    cost = (np.minimum(apart, SETTINGS.most) * weight[None]).sum(1)
    chosen: list[int] = []
    for n in np.lexsort((cost, ~sharp)):
        if all(apart[n, m] > SETTINGS.alike for m in chosen):
            chosen.append(int(n))
        if len(chosen) == SETTINGS.starts:
            break
    return chosen


def aligned(cards: CardFinds) -> CardFinds:
    """The same cards with their axes' free signs made to agree with those of the card best seen."""
    if not len(cards):
        return cards
    best = int(np.argmax(cards.votes))
    sign = np.where(cards.down_xy @ cards.down_xy[best] < 0, -1, 1)[:, None].astype(np.float32)
    return CardFinds(
        cards.middle_xy, cards.down_xy * sign, cards.right_xy * sign, cards.face, cards.votes, cards.net_width
    )


def kinds(plane: Plane, corners: Corners) -> Ints:
    """Which corner of its card each is (0 upper left, clockwise), -1 where its edges do not run as a card's here do."""
    if not len(corners):
        return np.zeros(0, np.intp)
    at = corners.at_xy.astype(np.float64)
    # Compared in the picture: far up a flat view, a few degrees there are many on the table.
    here = plane.flat(at)
    ways = plane.pixels((here[:, None] + SETTINGS.step * WAYS).reshape(-1, 2)).reshape(-1, 4, 2) - at[:, None]
    ways /= np.maximum(np.linalg.norm(ways, axis=2, keepdims=True), 1e-9)
    clockwise = np.einsum("nki,ni->nk", ways, corners.edge)
    back = np.einsum("nki,ni->nk", np.roll(ways, -1, axis=1), corners.other)
    fit = np.where(np.minimum(clockwise, back) > outline_fit.SETTINGS.along, clockwise + back, -2.0)
    return np.asarray(np.where(fit.max(1) > -2, fit.argmax(1), -1), np.intp)


def _pairs(plane: Plane, corners: Corners, kind: Ints, tolerance: float) -> tuple[Ints, Ints, Doubles]:
    """Edges between corners that face each other at about a card's side: the corners' numbers (n,) and (n,), and what
    each must become (n, 2).
    """
    flat = plane.flat(corners.at_xy)
    starts, ends, targets = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)], [np.zeros((0, 2))]
    for first, last, target in EDGES:
        a, b = np.flatnonzero(kind == first), np.flatnonzero(kind == last)
        if not len(a) or not len(b):
            continue
        gap = flat[b][None] - flat[a][:, None] - np.array(target)
        # Along the edge the length may be off (that is what is sought); across it two corners of one card are in line.
        along, across = (0, 1) if target[0] else (1, 0)
        cost = np.abs(gap[..., along]) + SETTINGS.off * np.abs(gap[..., across])
        nearest, mutual = cost.argmin(1), cost.argmin(0)
        i = np.arange(len(a))
        good = (cost[i, nearest] < tolerance) & (mutual[nearest] == i)
        starts.append(a[good])
        ends.append(b[nearest[good]])
        targets.append(np.tile(np.array(target), (int(good.sum()), 1)))
    return np.concatenate(starts), np.concatenate(ends), np.concatenate(targets)


def _solve(start: Plane, first: Doubles, last: Doubles, target: Doubles, weight: Doubles) -> Plane:
    """Gauss-Newton for the homography that makes last - first the targets, robustly; the origin stays."""
    centre = np.concatenate([first, last]).mean(0)
    unit = float(np.abs(np.concatenate([first, last]) - centre).max()) or 1.0
    p, q = (first - centre) / unit, (last - centre) / unit
    to_pixels = np.array([[unit, 0, centre[0]], [0, unit, centre[1]], [0, 0, 1]])
    h = start.homography @ to_pixels
    h = h / h[2, 2]
    x = np.array([h[0, 0], h[0, 1], h[1, 0], h[1, 1], h[2, 0], h[2, 1]])
    t = h[:2, 2]
    # Affine part about the origin: with the denominator 1 + v·p the map is (A p + t) / (1 + v·p); t is taken out of A.
    x[:4] -= np.outer(t, x[4:]).ravel()
    both, count = np.concatenate([q, p]), len(p)
    x[4:] *= _held(x[4:], both)

    def through(x: Doubles) -> tuple[Doubles, Doubles]:
        """What edges (n, 2) become, and how that changes (n, 2, 6) with x."""
        beyond = 1 / (1 + both @ x[4:])
        there, scaled = (both @ x[:4].reshape(2, 2).T) * beyond[:, None], both * beyond[:, None]
        change = np.zeros((2 * count, 2, 6))
        change[:, 0, :2] = change[:, 1, 2:4] = scaled
        change[:, :, 4:] = -there[:, :, None] * scaled[:, None]
        return there[:count] - there[count:], change[:count] - change[count:]

    w, hold = weight, np.diag([1e-6] * 4 + [SETTINGS.held] * 2)
    for _ in range(SETTINGS.steps):
        edge, jacobian = through(x)
        r = edge - target
        w = weight / (1 + (np.linalg.norm(r, axis=1) / SETTINGS.soft) ** 2)
        jw = (jacobian * w[:, None, None]).reshape(-1, 6)
        step = np.linalg.solve(
            jacobian.reshape(-1, 6).T @ jw + hold, -(jw.T @ r.reshape(-1)) - hold @ np.concatenate([np.zeros(4), x[4:]])
        )
        x = x + step
        x[4:] *= _held(x[4:], both)
        if np.abs(step).max() < SETTINGS.settled:
            break
    a, v = x[:4].reshape(2, 2), x[4:]
    g = np.vstack([np.column_stack([a, np.zeros(2)]), [*v, 1.0]])
    r = through(x)[0] - target
    spread = float((np.linalg.norm(r, axis=1) * w).sum() / max(float(w.sum()), 1e-9))
    return Plane(g @ np.linalg.inv(to_pixels), spread)


def _held(v: Doubles, points: Doubles) -> float:
    """What to shrink the perspective `v` (2,) by so that no point (n, 2) comes too near the horizon, where 1 + v·p is
    nought.
    """
    nearest = float((-points @ v).max())
    return SETTINGS.farthest / nearest if nearest > SETTINGS.farthest else 1.0


def rectify(cards: CardFinds, corners: Corners, twins: Twins | None = None) -> Plane | None:
    """The plane of a layout from its cards and corners; None where no whole card was found to start from.

    Several starts are tried until one makes most corners edges of upright unit cards. Where cards overlap evenly, the
    first corner of one and the last of another make edges too: how far apart the indices of one card stand tells.
    """
    cards = aligned(cards)
    sharp = outline_fit.held(cards, corners) >= SETTINGS.sharp
    best: tuple[float, Plane] | None = None
    for number in _starts(cards, sharp) if len(cards) else []:
        if best is not None and _upright(best[1], cards)[number] > 0.5:
            # A start from this card would lead there again.
            continue
        plane, fitting, alike = _settled(_start(cards, number), cards, corners, sharp)
        score = fitting + alike + (twins.agree(plane) if twins else 0.0)
        again = best is not None and abs(score - best[0]) < SETTINGS.same
        if best is None or score > best[0]:
            best = (score, plane)
        if again or min(fitting, alike) > 0.5:
            break
    return best[1] if best else None


def _settled(plane: Plane, cards: CardFinds, corners: Corners, sharp: NDArray[np.bool_]) -> tuple[Plane, float, float]:
    """The plane after a few rounds of pairing and solving, the share of corners that fit into edges, and how far cards
    become upright unit cards, 0..1.
    """
    middle, right, down = (v.astype(np.float64) for v in (cards.middle_xy, cards.right_xy, cards.down_xy))
    whole = np.sqrt(cards.votes.astype(np.float64) / max(float(np.median(cards.votes)), 1.0)) * SETTINGS.whole
    whole = np.where(sharp, np.maximum(whole, SETTINGS.sharper), whole)
    at, n = corners.at_xy.astype(np.float64), len(middle)
    for tolerance in SETTINGS.rounds:
        i, j, goal = _pairs(plane, corners, kinds(plane, corners), tolerance)
        first = np.concatenate([middle - right, middle - down, at[i]])
        last = np.concatenate([middle + right, middle + down, at[j]])
        target = np.concatenate([np.tile([1.0, 0.0], (n, 1)), np.tile([0.0, 1.0], (n, 1)), goal])
        weight = np.concatenate([whole, whole, np.minimum(corners.heat[i], corners.heat[j])])
        plane = _solve(plane, first, last, target, weight)
    i, j, _ = _pairs(plane, corners, kinds(plane, corners), SETTINGS.alike)
    fitting = np.unique(np.concatenate([i, j]))
    return (
        plane,
        float(corners.heat[fitting].sum() / max(float(corners.heat.sum()), 1e-9)),
        float((whole * _upright(plane, cards)).sum() / whole.sum()),
    )


def _upright(plane: Plane, cards: CardFinds) -> Doubles:
    """How far each card becomes an upright unit card, 0..1, (n,)."""
    turn = [
        np.abs(plane.directions(cards.middle_xy, axis) * 2 - to)
        for axis, to in ((cards.right_xy, (1, 0)), (cards.down_xy, (0, 1)))
    ]
    return np.asarray(1 / (1 + (np.maximum(*turn).max(1) / SETTINGS.alike) ** 2))
