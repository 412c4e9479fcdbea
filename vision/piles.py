"""The piles below a pyramid: stock, turned card, waste and foundation, told apart by where they lie."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision import evidence, placing, sites
from vision.desk import Desk, Spot, Spotted
from vision.evidence import JOKER_AT, NONE

Doubles = NDArray[np.float64]

# Weight of witnesses of a card whose outline is plain: three corners and the card as a whole.
OUTLINED = 2.6
# Piles stand at least this far apart, in card widths; nearer finds are cards of one pile.
PILE_APART = 0.85
# Stock and waste lie to both sides of this place, in card widths from the middle of the last row's first card.
LEFT_PILES = 0.9
# A card that lies askew has its middle within this share of a half side of where it seems to lie straight.
ASKEW = 0.4
# Finds below the pyramid that are looked at, the best witnessed first.
MOST = 8
# Share of a card's area that must look like a back before a stock without an outline is asked about; a half is
# believed.
STOCK_SHOWS = 0.3


def piles(desk: Desk, placed: placing.Placed, middles: Doubles, loose: list[Spotted]) -> tuple[Spotted, ...]:
    """Stock, waste, turned card and foundation: the piles below the last row, told apart by where they lie.

    `loose` are the cards read that lie on no place, at whatever angle.
    """
    grid = placed.grid
    off = placing.beside(grid, len(middles), placed.rows)
    # Grid units to card sides, from the middle of the last row.
    flat = (grid.units(middles[off].reshape(-1, 2)) - [0, placed.rows - 1]) * [grid.pitch, grid.row]
    edge = (placed.rows - 1) / 2 * grid.pitch
    below = [
        (n, float(x))
        for n, (x, y) in zip(off, flat, strict=True)
        if 0.85 < y < 3.2 and abs(x) < edge + 3 and desk.is_card(n)
    ]
    # Cards of one pile lie over one another: the one with the most witnesses is its top.
    below.sort(key=lambda item: -float(desk.cards.weight[item[0]]))
    below = below[:MOST]
    looks = desk.look([Spot("", n, desk.axes[n]) for n, _ in below])
    seen = {n: _or_askew(look, loose) for (n, _), look in zip(below, looks, strict=True)}
    tops: list[tuple[int, float]] = []
    for n, x in below:
        apart = all(abs(x - other) > PILE_APART for _, other in tops)
        if apart and _is_top(seen[n], float(desk.cards.weight[n])):
            tops.append((n, x))
    # Where more cards lie in that row than there are piles, those where piles are usual are the piles.
    left = sorted(_nearest([t for t in tops if t[1] < 0.25], LEFT_PILES - edge)[:2], key=lambda t: t[1])
    right = _nearest([t for t in tops if t[1] >= 0.25], edge)[:1]
    named: list[tuple[str, int]] = []
    if len(left) == 2:
        named += [("turned" if _readable(seen[left[0][0]]) else "stock", left[0][0]), ("waste", left[1][0])]
    elif left:
        n, x = left[0]
        named.append(("stock" if not _readable(seen[n]) else ("waste" if x > -edge + 0.5 else "turned"), n))
    named += [("foundation", n) for n, _ in right]
    out = [Spotted(name, seen[n].present, seen[n].face, seen[n].belief, seen[n].quad_xy) for name, n in named]
    if all(name not in ("stock", "turned") for name, _ in named):
        out += _plain_stock(desk, placed, edge, [x for _, x in tops])
    return tuple(out)


def _nearest(tops: list[tuple[int, float]], x: float) -> list[tuple[int, float]]:
    return sorted(tops, key=lambda t: abs(t[1] - x))


def _or_askew(top: Spotted, loose: list[Spotted]) -> Spotted:
    """A pile's top as looked at straight, or the card read in the same place if it lies too much askew for that."""
    if _readable(top):
        return top
    axes = sites.axes_of(top.quad_xy)
    inverse = np.linalg.inv(axes[:, :2])
    on = [s for s in loose if float(np.abs(inverse @ (s.quad_xy.mean(0) - axes[:, 2])).max()) < ASKEW]
    return max(on, key=lambda s: s.present * s.face, default=top)


def _readable(top: Spotted) -> bool:
    """Whether a pile's top is a face that shows which: one that does not is more likely a back full of art."""
    return top.face >= 0.5 and float(top.belief[:JOKER_AT].max()) > 0.4


def _is_top(top: Spotted, weight: float) -> bool:
    """Whether a find below the pyramid is a pile's top: nothing lies on it, so a face shows an index, or at least
    most corners.
    """
    return top.face < 0.5 or float(top.belief[NONE]) < 0.5 or weight > OUTLINED


def _plain_stock(desk: Desk, placed: placing.Placed, edge: float, taken: list[float]) -> list[Spotted]:
    """A stock whose outline was not made out (a back without a border on a cloth like it): where the map shows a
    back all over.
    """
    grid, most = placed.grid, STOCK_SHOWS
    best: Doubles | None = None
    for x in np.arange(-edge - 0.8, -edge + 1.0, 0.2):
        for y in np.arange(0.95, 2.4, 0.15):
            if any(abs(x - other) < 0.8 for other in taken):
                continue
            axes = sites.axes_of(grid.quad_around(x / grid.pitch, placed.rows - 1 + y / grid.row))
            chance = desk.back_shows(axes)
            if chance > most:
                most, best = chance, axes
    if best is None:
        return []
    return [Spotted("stock", most, 0.02, evidence.combined(np.zeros((0, evidence.SIZE))), sites.corners_of(best))]
