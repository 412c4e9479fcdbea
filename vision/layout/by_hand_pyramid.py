"""A pyramid whose outer cards a person pointed at: the apex and the ends of its last row. Where the others lie follows
from these and from the cards found, to which the mesh is drawn: nobody need point exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.layouts import Layout, pyramid_place
from vision.cards.homography import Plane
from vision.layout import arrange_pyramid, likelihood
from vision.layout.hypotheses import Placed
from vision.layout.lattice import Grid
from vision.layout.table import Arranged, Table

Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Settings:
    """How far a person's points are trusted; lengths in card sides. Set by judgement."""

    around: float = 1.6  # from a pyramid's outer middles: what lies farther off is none of it,
    below: float = 2.9  # nor of the piles below its last row, if it lies farther below
    inexact: float = 1.3  # no pyramid seems laid closer or wider than any is by so many times: the cards tell the plane
    # wrongly, and it is that of the points,
    askew: float = 0.3  # and so it is where a row climbs by more than this share of its length
    reach: float = 0.35  # of a step, within which a card is drawn to a place,
    rounds: int = 3  # so often
    held: float = 0.5  # what a point counts beside a card in its place


SETTINGS = Settings()


def corners(layout: Layout) -> tuple[str, ...]:
    """The places that a person points at: the apex and the ends of the last row."""
    return pyramid_place(1, 1), pyramid_place(layout.rows, 1), pyramid_place(layout.rows, layout.rows)


def upright(points: Doubles) -> Doubles:
    """The points (3, 2) with the ends of the last row as the player sees them, whichever was called the first."""
    apex, first, last = points
    (ax, ay), (bx, by) = last - first, (first + last) / 2 - apex
    # Seen from above no table is mirrored.
    return points if ax * by > ay * bx else np.array([apex, last, first])


def plane_of(layout: Layout, points: Doubles) -> Plane:
    """The table seen straight from above by the points (3, 2) alone: the cards laid as far apart as is usual, and no
    perspective."""
    at = {spot.place: layout.centre(spot.at) for spot in layout.spots}
    flat = np.array([at[place] for place in corners(layout)])
    return Plane(np.vstack([_affine(points, flat), [0.0, 0.0, 1.0]]), 1.0)


def within(layout: Layout, points: Doubles, at: NDArray[np.floating]) -> Flags:
    """Which pixels (n, 2) may be of the pyramid pointed at, or of the piles below it."""
    pitch, row = layout.typical["column"], layout.typical["row"]
    x, y = plane_of(layout, points).flat(at).T
    edge = np.clip(y / row, 0, layout.rows - 1) / 2 * pitch
    lowest = (layout.rows - 1) * row + SETTINGS.below
    return np.asarray((np.abs(x) < edge + SETTINGS.around) & (y > -SETTINGS.around) & (y < lowest))


def is_told(layout: Layout, points: Doubles, plane: Plane) -> bool:
    """Whether the points lie on a plane that the cards tell as those of a pyramid do."""
    along, down = np.abs(_steps(layout, plane.flat(points))[:, :2].T)
    straight = along[1] < SETTINGS.askew * along[0] and down[0] < SETTINGS.askew
    laid = zip((along[0], down[1]), (layout.pitches["column"], layout.pitches["row"]), strict=True)
    return bool(straight) and all(
        pitch.closest / SETTINGS.inexact < step < pitch.widest * SETTINGS.inexact for step, pitch in laid
    )


def arranged(laid: Table, layout: Layout, points: Doubles) -> Arranged:
    """The pyramid that was pointed at, each candidate on the place on which it lies."""
    laid = laid.take(laid.cards.present > likelihood.ALSO)
    return arrange_pyramid.arranged(laid, Placed(_grid(laid, layout, laid.plane.flat(points)), layout.rows, 0.0))


def _outer(layout: Layout) -> Doubles:
    """The grid points (3, 2) as (k / 2, r) of the corners."""
    last = layout.rows - 1
    return np.array([[0.0, 0.0], [-last / 2, last], [last / 2, last]])


def _steps(layout: Layout, pointed: Doubles) -> Doubles:
    """(2, 3) from grid points (k / 2, r) to card units, by the points (3, 2) alone."""
    return _affine(_outer(layout), pointed)


def _grid(laid: Table, layout: Layout, pointed: Doubles) -> Grid:
    """The mesh through the points (3, 2) in card units, drawn to the cards that lie near its places."""
    outer, steps = _outer(layout), _steps(layout, pointed)
    nodes = np.array([(c - r / 2, r) for r in range(layout.rows) for c in range(r + 1)])
    middles, weight = laid.cards.middle, laid.cards.present
    at: dict[int, tuple[int, int]] = {}
    for _ in range(SETTINGS.rounds):
        at = _snapped(middles, weight, nodes, steps)
        lying = np.array([(k / 2, r) for k, r in at.values()]).reshape(-1, 2)
        known = np.concatenate([outer, lying]), np.concatenate([pointed, middles[list(at)]])
        held = np.concatenate([np.full(len(outer), SETTINGS.held), weight[list(at)]])
        steps = _affine(*known, held)
    to_pixels = np.asarray(np.linalg.inv(laid.plane.homography), np.float64)
    pitch, row = np.linalg.norm(steps[:, :2], axis=0)
    return Grid(to_pixels @ np.vstack([steps, [0.0, 0.0, 1.0]]), float(pitch), float(row), at)


def _snapped(middles: Doubles, weight: Doubles, nodes: Doubles, steps: Doubles) -> dict[int, tuple[int, int]]:
    """The place (k, r) of every card that lies within reach of one, the surest first; one card a place."""
    there = nodes @ steps[:, :2].T + steps[:, 2]
    # Measured along the steps: rows lie closer than columns.
    off = np.linalg.solve(steps[:, :2], (middles[:, None] - there).reshape(-1, 2).T).T.reshape(len(middles), -1, 2)
    far = np.hypot(off[:, :, 0] * 2, off[:, :, 1]) if len(middles) else np.zeros((0, len(nodes)))
    taken: dict[int, int] = {}
    for number in np.argsort(-weight):
        nearest = int(far[number].argmin())
        if far[number, nearest] < 2 * SETTINGS.reach:
            taken.setdefault(nearest, int(number))
    return {n: (round(2 * nodes[node, 0]), round(nodes[node, 1])) for node, n in taken.items()}


def _affine(source: Doubles, target: Doubles, weight: Doubles | None = None) -> Doubles:
    """(2, 3) that leads from points (n, 2) to others as nearly as can be."""
    root = np.sqrt(np.ones(len(source)) if weight is None else weight)[:, None]
    known = np.column_stack([source, np.ones(len(source))])
    return np.asarray(np.linalg.lstsq(known * root, target * root, rcond=None)[0].T)
