"""A layout that a person pointed out: its outer cards tell about where the others lie, the cards found the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.layouts import LAYOUTS
from vision.cards.card_list import CardList
from vision.detect.multiscale import Found
from vision.image.shrunk import Shrunk
from vision.layout import by_hand_lines, by_hand_pyramid, table
from vision.layout.side_by_side import only_where
from vision.layout.table import Arranged, Table
from vision.nets.session import Net
from vision.recognize.index_reader import Readings

Doubles = NDArray[np.float64]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ByHand:
    """The id of a layout, and where the middles of its outer cards lie in the picture, in pixels: by the names of
    ``corners_of``, whether a card lies there or not. They must not lie in a line."""

    layout: str
    corners: Mapping[str, Point]

    def scaled(self, factor: float) -> ByHand:
        """The same in a picture enlarged by this factor."""
        return ByHand(self.layout, {place: (x * factor, y * factor) for place, (x, y) in self.corners.items()})

    @property
    def points(self) -> Doubles:
        """(n, 2) in pixels, in the order of ``corners_of``; of a pyramid the ends of the last row as the player sees
        them, whichever was called the first."""
        points = np.array([self.corners[place] for place in corners_of(self.layout)], np.float64)
        return points if LAYOUTS[self.layout].lines else by_hand_pyramid.upright(points)


def corners_of(layout: str) -> tuple[str, ...]:
    """What a person points at, in this order: the apex and the ends of the last row of a pyramid; of half rows the
    first and the last base, and the outermost cards to the left and to the right, in whatever row."""
    known = LAYOUTS[layout]
    return by_hand_lines.CORNERS if known.lines else by_hand_pyramid.corners(known)


def within(asked: ByHand, found: Found, readings: Readings) -> tuple[Found, Readings]:
    """What was found of the layout: what lies elsewhere is of something else."""
    layout, points = LAYOUTS[asked.layout], asked.points

    def here(at: NDArray[np.floating]) -> NDArray[np.bool_]:
        if not len(at):
            return np.zeros(0, bool)
        if layout.lines:
            return by_hand_lines.within(layout, points, at)
        return by_hand_pyramid.within(layout, points, at)

    return only_where(here, found, readings)


def seen(asked: ByHand, picture: Shrunk, found: Found, listed: CardList, nets: tuple[Net, Net]) -> Table | None:
    """The table of a picture: as its cards tell that it lies, or of a pyramid by the points alone where that cannot be;
    None where nothing tells."""
    layout, told = LAYOUTS[asked.layout], table.seen(picture, found, listed, nets)
    if layout.lines or (told is not None and by_hand_pyramid.is_told(layout, asked.points, told.plane)):
        return told
    return table.on_plane(by_hand_pyramid.plane_of(layout, asked.points), picture, found, listed, nets)


def arranged(laid: Table, asked: ByHand) -> Arranged | None:
    """The layout that was pointed at, each candidate on the place on which it lies; None where there is none."""
    layout = LAYOUTS[asked.layout]
    if layout.lines:
        return by_hand_lines.arranged(laid, layout, asked.points)
    return by_hand_pyramid.arranged(laid, layout, asked.points)
