"""A pyramid whose outer cards a person pointed at: the apex and the ends of its last row. Where the others lie follows
from these and from the cards found, to which the mesh is drawn: nobody need point exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.layouts import LAYOUTS, pyramid_place
from vision.cards.card_list import CardList
from vision.cards.homography import Plane
from vision.detect.multiscale import Found
from vision.image.shrunk import Shrunk
from vision.layout import arrange_pyramid, table
from vision.layout.hypotheses import Placed
from vision.layout.lattice import Grid
from vision.layout.table import Arranged, Table
from vision.nets.session import Net
from vision.recognize.index_reader import Readings

Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Settings:
    """How far a person's points are trusted; lengths in card sides. Set by judgement."""

    around: float = 1.6  # from a pyramid's outer middles: what lies farther off is none of it,
    below: float = 2.9  # nor of the piles below its last row, if it lies farther below
    pitch: tuple[float, float] = (
        0.7,
        2.1,
    )  # steps that no pyramid has are a sign that the cards tell the plane wrongly:
    row: tuple[float, float] = (0.12, 1.1)  # it is that of the points then,
    askew: float = 0.3  # and so it is where a row climbs by more than this share of its length
    reach: tuple[float, ...] = (0.5, 0.35, 0.3)  # of a step, within which a card is drawn to a place, round by round
    held: float = 0.5  # what a point counts beside a card in its place


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class ByHand:
    """The id of a pyramid, and where the middles of its outer cards lie in the picture, in pixels: by the places that
    ``corners_of`` names, whether a card lies there or not. They must not lie in a line."""

    layout: str
    corners: Mapping[str, Point]

    def scaled(self, factor: float) -> ByHand:
        """The same in a picture enlarged by this factor."""
        return ByHand(self.layout, {place: (x * factor, y * factor) for place, (x, y) in self.corners.items()})

    @property
    def points(self) -> Doubles:
        """(3, 2) in pixels: the apex, the first and the last card of the last row as the player sees it, whichever of
        the two was called the first."""
        apex, first, last = np.array([self.corners[place] for place in corners_of(self.layout)], np.float64)
        (ax, ay), (bx, by) = last - first, (first + last) / 2 - apex
        # Seen from above no table is mirrored.
        return np.array([apex, first, last] if ax * by > ay * bx else [apex, last, first])


def corners_of(layout: str) -> tuple[str, ...]:
    """The places that a person points at, in this order: the apex and the ends of the last row of a pyramid; none of a
    layout of lines."""
    known = LAYOUTS[layout]
    if known.lines:
        return ()
    return pyramid_place(1, 1), pyramid_place(known.rows, 1), pyramid_place(known.rows, known.rows)


def plane_of(asked: ByHand) -> Plane:
    """The table seen straight from above by the points alone: the cards laid as far apart as is usual, and no
    perspective."""
    layout = LAYOUTS[asked.layout]
    at = {spot.place: layout.centre(spot.at) for spot in layout.spots}
    flat = np.array([at[place] for place in corners_of(asked.layout)])
    return Plane(np.vstack([_affine(asked.points, flat), [0.0, 0.0, 1.0]]), 1.0)


def within(asked: ByHand, found: Found, readings: Readings) -> tuple[Found, Readings]:
    """What was found of the pyramid and of the piles below it: what lies elsewhere is of something else."""
    plane, layout = plane_of(asked), LAYOUTS[asked.layout]
    pitch, row = layout.typical["column"], layout.typical["row"]

    def here(points: NDArray[np.floating]) -> Flags:
        x, y = plane.flat(points).T if len(points) else np.zeros((2, 0))
        edge = np.clip(y / row, 0, layout.rows - 1) / 2 * pitch
        upper, lower = -SETTINGS.around, (layout.rows - 1) * row + SETTINGS.below
        return np.asarray((np.abs(x) < edge + SETTINGS.around) & (y > upper) & (y < lower))

    frames = here(found.frames[:, :, 2])
    kept = replace(
        found,
        frames=found.frames[frames],
        heat=found.heat[frames],
        corners=found.corners.take(here(found.corners.at_xy)),
        cards=found.cards.take(here(found.cards.middle_xy)),
    )
    return kept, readings.take(here(readings.frames[:, :, 2]))


def seen(asked: ByHand, picture: Shrunk, found: Found, listed: CardList, nets: tuple[Net, Net]) -> Table:
    """The table of a picture: as its cards tell that it lies, or by the points alone where that cannot be."""
    told = table.seen(picture, found, listed, nets)
    if told is not None and _is_told(asked, told.plane):
        return told
    return table.on_plane(plane_of(asked), picture, found, listed, nets)


def _is_told(asked: ByHand, plane: Plane) -> bool:
    """Whether the points lie on a plane that the cards tell as those of a pyramid do."""
    steps = _steps(asked, plane)
    along, down = np.abs(steps[:, :2].T)
    (low, high), (near, far) = SETTINGS.pitch, SETTINGS.row
    straight = along[1] < SETTINGS.askew * along[0] and down[0] < SETTINGS.askew
    return bool(straight and low < along[0] < high and near < down[1] < far)


def arranged(laid: Table, asked: ByHand) -> Arranged:
    """The pyramid that was pointed at, each candidate on the place on which it lies."""
    laid = laid.take(laid.cards.present > arrange_pyramid.SETTINGS.card)
    return arrange_pyramid.arranged(laid, Placed(_grid(laid, asked), LAYOUTS[asked.layout].rows, 0.0))


def _steps(asked: ByHand, plane: Plane) -> Doubles:
    """(2, 3) from grid points (k / 2, r) to card units, by the points alone."""
    last = LAYOUTS[asked.layout].rows - 1
    return _affine(np.array([[0.0, 0.0], [-last / 2, last], [last / 2, last]]), plane.flat(asked.points))


def _grid(laid: Table, asked: ByHand) -> Grid:
    """The mesh through the points, drawn to the cards that lie near its places."""
    last = LAYOUTS[asked.layout].rows - 1
    outer = np.array([[0.0, 0.0], [-last / 2, last], [last / 2, last]])
    nodes = np.array([(c - r / 2, r) for r in range(last + 1) for c in range(r + 1)])
    pointed, steps = laid.plane.flat(asked.points), _steps(asked, laid.plane)
    middles, weight = laid.cards.middle, laid.cards.present
    at: dict[int, tuple[int, int]] = {}
    for reach in SETTINGS.reach:
        at = _snapped(middles, weight, nodes, steps, reach)
        lying = np.array([(k / 2, r) for k, r in at.values()]).reshape(-1, 2)
        known = np.concatenate([outer, lying]), np.concatenate([pointed, middles[list(at)]])
        held = np.concatenate([np.full(len(outer), SETTINGS.held), weight[list(at)]])
        steps = _affine(*known, held)
    to_pixels = np.asarray(np.linalg.inv(laid.plane.homography), np.float64)
    pitch, row = np.linalg.norm(steps[:, :2], axis=0)
    return Grid(to_pixels @ np.vstack([steps, [0.0, 0.0, 1.0]]), float(pitch), float(row), at)


def _snapped(
    middles: Doubles, weight: Doubles, nodes: Doubles, steps: Doubles, reach: float
) -> dict[int, tuple[int, int]]:
    """The place (k, r) of every card that lies within reach of one, the surest first; one card a place."""
    there = nodes @ steps[:, :2].T + steps[:, 2]
    # Measured along the steps: rows lie closer than columns.
    off = np.linalg.solve(steps[:, :2], (middles[:, None] - there).reshape(-1, 2).T).T.reshape(len(middles), -1, 2)
    far = np.hypot(off[:, :, 0] * 2, off[:, :, 1]) if len(middles) else np.zeros((0, len(nodes)))
    taken: dict[int, int] = {}
    for number in np.argsort(-weight):
        nearest = int(far[number].argmin())
        if far[number, nearest] < 2 * reach:
            taken.setdefault(nearest, int(number))
    return {n: (round(2 * nodes[node, 0]), round(nodes[node, 1])) for node, n in taken.items()}


def _affine(source: Doubles, target: Doubles, weight: Doubles | None = None) -> Doubles:
    """(2, 3) that leads from points (n, 2) to others as nearly as can be."""
    root = np.sqrt(np.ones(len(source)) if weight is None else weight)[:, None]
    known = np.column_stack([source, np.ones(len(source))])
    return np.asarray(np.linalg.lstsq(known * root, target * root, rcond=None)[0].T)
