"""The piles below a pyramid: stock, turned card, waste and foundation, told apart by where they lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision import evidence, placing, sites
from vision.desk import Desk, Spot, Spotted
from vision.evidence import JOKER_AT, NONE

Doubles = NDArray[np.float64]

# A pile's top, and how far right of the middle it lies, in card widths.
Top = tuple[Spotted, float]

# Weight of witnesses of a card whose outline is plain: three corners and the card as a whole.
OUTLINED = 2.6
# Piles stand at least this far apart, in card widths; nearer finds are cards of one pile.
PILE_APART = 0.85
# Stock and waste lie to both sides of this place, in card widths from the middle of the last row's first card.
LEFT_PILES = 0.9
# So much of a card that lies askew is covered by where it seems to lie straight.
ASKEW = 0.5
# Finds below the pyramid that are looked at, the best witnessed first.
MOST = 8
# Share of a card's area that must look like a back before a stock without an outline is asked about; a half is
# believed.
STOCK_SHOWS = 0.3


def piles(desk: Desk, placed: placing.Placed, middles: Doubles, loose: list[Spotted]) -> tuple[Spotted, ...]:
    """Stock, waste, turned card and foundation: the piles below the last row, told apart by where they lie.

    `loose` are the cards read that lie on no place, at whatever angle.
    """
    edge = (placed.rows - 1) / 2 * placed.grid.pitch
    tops = _tops(desk, placed, middles, loose)
    # Where more cards lie in that row than there are piles, those where piles are usual are the piles.
    left = sorted(_nearest([t for t in tops if t[1] < 0.25], LEFT_PILES - edge)[:2], key=lambda t: t[1])
    right = _nearest([t for t in tops if t[1] >= 0.25], edge)[:1]
    named: list[tuple[str, Spotted]] = []
    if len(left) == 2:
        named += [("turned" if _readable(left[0][0]) else "stock", left[0][0]), ("waste", left[1][0])]
    elif left:
        top, x = left[0]
        named.append(("stock" if not _readable(top) else ("waste" if x > -edge + 0.5 else "turned"), top))
    named += [("foundation", top) for top, _ in right]
    out = [replace(top, place=name) for name, top in named]
    if all(name not in ("stock", "turned") for name, _ in named):
        out += _plain_stock(desk, placed, edge, [x for _, x in tops])
    return tuple(out)


def _tops(desk: Desk, placed: placing.Placed, middles: Doubles, loose: list[Spotted]) -> list[Top]:
    """The tops of all piles below the last row: cards that lie straight, then those that lie too askew to be found."""
    off = placing.beside(placed.grid, len(middles), placed.rows)
    below = [(n, x) for n, x in zip(off, _below(placed, middles[off]), strict=True) if x is not None]
    # Cards of one pile lie over one another: the one with the most witnesses is its top.
    below = sorted((item for item in below if desk.is_card(item[0])), key=lambda item: -desk.cards.weight[item[0]])[
        :MOST
    ]
    looks = desk.look([Spot("", n, desk.axes[n]) for n, _ in below])
    tops: list[Top] = []
    for (n, x), look in zip(below, looks, strict=True):
        if _is_top(look, float(desk.cards.weight[n])) and _stands_alone(x, tops):
            tops.append((look if _readable(look) else _askew(look, loose), x))
    askew = np.array([card.quad_xy.mean(0) for card in loose]).reshape(-1, 2)
    for card, at in zip(loose, _below(placed, askew), strict=True):
        if at is not None and _stands_alone(at, tops):
            tops.append((card, at))
    return tops


def _below(placed: placing.Placed, points: Doubles) -> list[float | None]:
    """How far right of the middle each point (n, 2) below the last row lies, in card widths; None for one elsewhere."""
    grid = placed.grid
    # Grid units to card sides, from the middle of the last row.
    flat = (grid.units(points.reshape(-1, 2)) - [0, placed.rows - 1]) * [grid.pitch, grid.row]
    widest = (placed.rows - 1) / 2 * grid.pitch + 3
    return [float(x) if 0.85 < y < 3.2 and abs(x) < widest else None for x, y in flat]


def _stands_alone(x: float, tops: list[Top]) -> bool:
    return all(abs(x - other) > PILE_APART for _, other in tops)


def _nearest(tops: list[Top], x: float) -> list[Top]:
    return sorted(tops, key=lambda top: abs(top[1] - x))


def _askew(top: Spotted, loose: list[Spotted]) -> Spotted:
    """The card read where a top lies that shows no index when looked at straight; the top itself where none was."""
    on = [card for card in loose if sites.shared(card.quad_xy, top.quad_xy) > ASKEW]
    return max(on, key=lambda card: card.present * card.face, default=top)


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
