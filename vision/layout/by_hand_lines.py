"""Half rows that a person pointed at: the first and the last base tell the base column and the rows, the outermost
cards how far the half rows reach.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.layouts import Layout
from rules.rows.places import base_place
from rules.rows.shapes import BASES
from vision.layout import arrange_lines
from vision.layout.table import Arranged, Table

Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]

CORNERS = (base_place(1), base_place(BASES), "left", "right")
"""What a person points at: the first and the last base, the outermost cards to the left and to the right."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What may still be of the layout, in card heights. Set by judgement."""

    aside: float = 0.85  # beyond the outermost cards,
    around: float = 2.2  # above the first base and below the last row: seen aslant, half rows climb


SETTINGS = Settings()


def within(layout: Layout, points: Doubles, at: NDArray[np.floating]) -> Flags:
    """Which pixels (n, 2) may be of the half rows pointed at (4, 2)."""
    first, last = points[:2]
    down = (last - first) / (BASES - 1)
    step = float(np.linalg.norm(down))
    down, high = down / step, step / layout.typical["row"]
    across = np.array([-down[1], down[0]])
    ends, way, fall = (points - first) @ across, (at - first) @ across, (at - first) @ down
    aside = SETTINGS.aside * high
    beside = (way > ends.min() - aside) & (way < ends.max() + aside)
    lowest = (layout.rows - 1) * step + SETTINGS.around * high
    return np.asarray(beside & (fall > -SETTINGS.around * high) & (fall < lowest))


def arranged(laid: Table, layout: Layout, points: Doubles) -> Arranged | None:
    """The half rows that were pointed at; None where there are none."""
    return arrange_lines.pointed(laid, layout, laid.plane.flat(points[:2]))
