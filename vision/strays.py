"""Cards that lie beside a layout, face up: whatever was read that belongs neither to a place nor to a pile."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision import sites, spread
from vision.desk import Desk, Spotted
from vision.evidence import NONE, Readings
from vision.find import Found
from vision.lattice import Grid

Doubles = NDArray[np.float64]

# A reading this far (in half card sides) from where a card's index stands may still be that card's: windows wander.
STANDS = sites.REACH * 1.3
# Share of a card that may lie over or under a card of the layout; with more it is a part of it: the waste fanned out,
# a heap of cards that left, the card of a place that was misjudged.
SHARED = 0.12
# Chance that no card shows there, at most: print on a page or a box has the look of an index, but no card around it.
BARE = 0.5
# Share of it that looks like a back, at most: some backs are full of art in which an index can be seen.
BACK = 0.4
# Chance that there is an index at all, at least; nothing in the layout says that a card should lie there.
SURE = 0.8


def loose(desk: Desk, found: Found, layout: tuple[Spotted, ...]) -> list[Spotted]:
    """Every card read that lies on none of these places: of a pile, or by itself. In no order, without names."""
    return [s for s in spread.faces(found, _unclaimed(desk.readings, layout)) if _is_card(desk, s)]


def strays(desk: Desk, found: Found, grid: Grid, layout: tuple[Spotted, ...]) -> tuple[Spotted, ...]:
    """Cards beside the places and piles of `layout`, in the order in which the player reads, without names.

    What lies on a pile's cards, or on others that do, is of that pile: only what hangs together with none is a stray.
    """
    apart, lying = loose(desk, found, layout), [s.quad_xy for s in layout if s.present > 0.5]
    while lying:
        joined = [s for s in apart if _touches(s.quad_xy, lying)]
        apart = [s for s in apart if not any(s is other for other in joined)]
        lying = [s.quad_xy for s in joined]
    return tuple(sorted(apart, key=lambda s: _in_reading_order(grid, s)))


def _unclaimed(readings: Readings, taken: tuple[Spotted, ...]) -> Readings:
    """The readings that do not stand where an index of one of these cards stands."""
    if not len(readings) or not taken:
        return readings
    fits = np.stack([sites.misfit(sites.axes_of(s.quad_xy), readings.frames)[0] for s in taken])
    return readings.take(np.flatnonzero(fits.min(0) > STANDS))


def _is_card(desk: Desk, card: Spotted) -> bool:
    axes = sites.axes_of(card.quad_xy)
    return float(card.belief[NONE]) < 1 - SURE and desk.bare(axes) < BARE and desk.back_shows(axes) < BACK


def _touches(quad: Doubles, others: list[Doubles]) -> bool:
    return any(sites.shared(quad, other) > SHARED for other in others)


def _in_reading_order(grid: Grid, card: Spotted) -> tuple[int, float]:
    """Rows a card's height apart from the apex down, from the left within each."""
    x, y = grid.units(card.quad_xy.mean(0)[None])[0]
    return round(float(y * grid.row)), float(x)
