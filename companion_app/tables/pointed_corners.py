"""A layout that a person points out: where its outer cards lie in the picture, about; there it is read."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion_app.decoding import pixels
from companion_app.errors import UsageTrouble
from companion_app.tables.compose import Eyes
from companion_app.tables.games import as_laid
from companion_app.tables.pointed_piles import Point, point_of
from companion_app.tables.table import Table
from rules.catalogue import Game
from rules.errors import RuleError
from rules.layouts import LAYOUTS
from rules.rows.places import SIDES, base_place
from rules.rows.shapes import BASES
from vision.layout.by_hand import ByHand, corners_of
from vision.layout.carried import places_of
from vision.reading import TableReading

HANDED = tuple(sorted(LAYOUTS, reverse=True))
"""The layouts, as they are offered to be pointed out."""
KINDS = ("pyramid", "rows")
"""Layouts that are pointed out alike."""
LEAST_SHARE = 0.004
"""A layout fills a larger share of its picture than this: outer cards in a line span none."""
USUAL: Mapping[str, tuple[Point, ...]] = {
    "pyramid": ((0.5, 0.15), (0.18, 0.65), (0.82, 0.65)),
    "rows": ((0.5, 0.2), (0.5, 0.65), (0.12, 0.4), (0.88, 0.4)),
}
"""Where outer cards are looked for first, as shares of a picture, where nothing is known of them."""


def kind_of(layout: str) -> str:
    """Which of the kinds a layout is of."""
    return "rows" if LAYOUTS[layout].lines else "pyramid"


def field(kind: str, number: int, way: str) -> str:
    """The name of the field of a form for a corner, counted from 1: how far `across`, or how far `down`."""
    return f"{kind}-{number}-{way}"


@dataclass(frozen=True, slots=True)
class Corners:
    """The id of a layout and where its outer cards lie, in the order of `corners_of`, as shares of the picture's width
    and height."""

    layout: str
    at: tuple[Point, ...]

    def read(self, eyes: Eyes, picture: bytes) -> TableReading:
        """The picture read where a person pointed at. Raises PictureError."""
        height, width = pixels(picture).shape[:2]
        places = corners_of(self.layout)
        there = {place: (x * width, y * height) for place, (x, y) in zip(places, self.at, strict=True)}
        return eyes.read(picture, layout=ByHand(self.layout, there))


def corners_told(fields: Mapping[str, str]) -> Corners:
    """The corners of a form: `layout`, and of each corner two fields (`field`) in hundredths. Raises UsageTrouble where
    they are no numbers, are of no layout, or span nothing."""
    layout = fields.get("layout", "")
    if layout not in LAYOUTS:
        raise UsageTrouble("no-corners")
    kind = kind_of(layout)
    numbers = range(1, len(USUAL[kind]) + 1)
    told = [[fields.get(field(kind, number, way), "") for way in ("across", "down")] for number in numbers]
    at = tuple(point_of(across, down) for across, down in told)
    if min(abs(_area(at[0], at[1], other)) for other in at[2:]) < LEAST_SHARE:
        raise UsageTrouble("pyramid-in-line" if kind == "pyramid" else "rows-in-line")
    if kind == "rows" and _area(*at[:3]) * _area(at[0], at[1], at[3]) > 0:
        raise UsageTrouble("rows-in-line")
    return Corners(layout, at)


def _area(first: Point, second: Point, third: Point) -> float:
    """The area of a triangle as a share of the picture's, negative for one that runs the other way round."""
    (ax, ay), (bx, by) = np.subtract(second, first), np.subtract(third, first)
    return float(ax * by - ay * bx) / 2


def game_laid(game: Game | None, corners: Corners | None) -> Game | None:
    """The game chosen, as it is laid where a person pointed out; None where it is laid in another way."""
    if game is None or corners is None:
        return game
    try:
        return as_laid(game, corners.layout)
    except RuleError:
        return None


def read_anew(eyes: Eyes, table: Table, corners: Corners) -> TableReading:
    """The last picture of a table read where a person pointed at. Raises UsageTrouble where there is no picture, or the
    game is laid otherwise, and PictureError."""
    if table.reading is None or table.picture is None or corners.layout != table.game.layout:
        raise UsageTrouble("no-corners")
    return corners.read(eyes, table.picture)


def laid_anew(table: Table, reading: TableReading) -> Table:
    """The table with its last picture read so; what was settled of cards that are told at other places now goes."""
    before = {} if table.reading is None else {card.place: np.array(card.quad_xy) for card in table.reading.cards}
    now = {card.place: np.array(card.quad_xy) for card in reading.cards}
    moved = [place for place in before.keys() & now.keys() if _is_elsewhere(before[place], now[place])]
    pins = table.pins if not moved else {place: seen for place, seen in table.pins.items() if place not in moved}
    return table.changed(reading=reading, belief=None, edited=True, pins=pins)


def _is_elsewhere(before: NDArray[np.float64], now: NDArray[np.float64]) -> bool:
    """Whether a card (4, 2) lies more than half its width from where it lay."""
    return bool(np.linalg.norm(now.mean(0) - before.mean(0)) > np.linalg.norm(before[1] - before[0]) / 2)


def known_corners(table: Table) -> tuple[Point, ...]:
    """Where the outer cards of a table lie as far as its picture was read, as shares of it, else where they usually
    do."""
    reading, layout = table.reading, table.game.layout
    usual = USUAL[kind_of(layout)]
    if reading is None:
        return usual
    size = np.array([reading.width, reading.height])
    middles = {place: np.mean(at, axis=0) / size for place, at in places_of(reading).items()}
    if LAYOUTS[layout].lines:
        middles |= _outermost(middles)
    told = zip(corners_of(layout), usual, strict=True)
    points = (middles.get(name, np.array(otherwise)) for name, otherwise in told)
    return tuple((float(x), float(y)) for x, y in np.clip(list(points), 0, 1))


def _outermost(middles: Mapping[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
    """The cards of half rows that lie farthest from the base column, by their sides."""
    first, last = (middles.get(name) for name in (base_place(1), base_place(BASES)))
    if first is None or last is None:
        return {}
    out = {}
    for side in SIDES:
        beside = [at for place, at in middles.items() if place.startswith(f"{side} ")]
        if beside:
            out[side] = max(beside, key=lambda at: abs(_area(tuple(first), tuple(last), tuple(at))))
    return out
