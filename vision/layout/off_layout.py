"""Cards that lie beside a layout, face up: whatever was read that belongs neither to a place nor to a pile."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.layout.lattice import Grid
from vision.layout.table import Table
from vision.posterior.observation import STANDS, Query
from vision.recognize import card_frame

Doubles = NDArray[np.float64]

# Share of a card that may lie over or under a card of the layout; with more it is a part of it: the waste fanned out,
# a heap of cards that left, the card of a place that was misjudged.
SHARED = 0.12


def loose(table: Table, layout: Sequence[Query]) -> list[Query]:
    """Every card read that lies on none of these places: of a pile, or by itself. In no order, without names."""
    cards = [table.listed.lying(number) for number in range(len(table.listed))]
    if not cards or not layout:
        return cards
    # A card lies on a place if an index of it stands where one there has its own.
    frames = np.concatenate([card.readings.frames for card in cards])
    of = np.repeat(np.arange(len(cards)), [len(card.readings) for card in cards])
    fits, _ = card_frame.misfits(np.stack([query.axes for query in layout]), frames)
    on = np.bincount(of, (fits < card_frame.REACH * STANDS).any(0), len(cards))
    return [card for card, indices in zip(cards, on.tolist(), strict=True) if not indices]


def strays(table: Table, grid: Grid, layout: Sequence[Query]) -> tuple[Query, ...]:
    """Cards beside the places and piles of `layout`, in the order in which the player reads, without names.

    What lies on a pile's cards, or on others that do, is of that pile: only what hangs together with none is a stray.
    """
    apart, lying = loose(table, layout), [card_frame.corners_of(query.axes) for query in layout if query.lies]
    while lying:
        joined = [query for query in apart if _touches(card_frame.corners_of(query.axes), lying)]
        apart = [query for query in apart if not any(query is other for other in joined)]
        lying = [card_frame.corners_of(query.axes) for query in joined]
    return tuple(sorted(apart, key=lambda query: _in_reading_order(grid, query)))


def _touches(quad: Doubles, others: list[Doubles]) -> bool:
    return any(card_frame.shared(quad, other) > SHARED for other in others)


def _in_reading_order(grid: Grid, card: Query) -> tuple[int, float]:
    """Rows a card's height apart from the apex down, from the left within each."""
    x, y = grid.units(card.axes[:, 2][None])[0]
    return round(float(y * grid.row)), float(x)
