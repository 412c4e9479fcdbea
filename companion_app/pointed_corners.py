"""A layout that a person points out: where its outer cards lie in the picture, about; there it is read."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion_app.compose import Eyes
from companion_app.decoding import pixels
from companion_app.errors import UsageTrouble
from companion_app.games import as_laid
from companion_app.pointed_piles import Point, point_of
from companion_app.table import Table
from rules.catalogue import Game
from rules.errors import RuleError
from rules.layouts import LAYOUTS
from vision.layout.by_hand import ByHand, corners_of
from vision.layout.carried import places_of
from vision.reading import TableReading

HANDED = tuple(sorted((layout for layout in LAYOUTS if corners_of(layout)), reverse=True))
"""The layouts that can be pointed out."""
LEAST_SHARE = 0.004
"""A layout fills a larger share of its picture than this: outer cards in a line span none."""
USUAL: tuple[Point, ...] = ((0.5, 0.15), (0.18, 0.65), (0.82, 0.65))
"""Where outer cards are looked for first, as shares of a picture, where nothing is known of them."""


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
    """The corners of a form: `layout`, and of each corner `corner-N-across` and `corner-N-down` in hundredths. Raises
    UsageTrouble where they are no numbers, are of no layout that can be pointed out, or span nothing."""
    layout = fields.get("layout", "")
    if layout not in HANDED:
        raise UsageTrouble("no-corners")
    told = [[fields.get(f"corner-{n + 1}-{way}", "") for way in ("across", "down")] for n in range(len(USUAL))]
    at = tuple(point_of(across, down) for across, down in told)
    first, second, third = np.array(at)
    (ax, ay), (bx, by) = second - first, third - first
    if abs(ax * by - ay * bx) / 2 < LEAST_SHARE:
        raise UsageTrouble("corners-in-line")
    return Corners(layout, at)


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
    reading = table.reading
    if reading is None:
        return USUAL
    quads = places_of(reading)
    size = np.array([reading.width, reading.height])
    out = []
    for place, usual in zip(corners_of(table.game.layout), USUAL, strict=False):
        x, y = np.mean(quads[place], axis=0) / size if place in quads else usual
        out.append((float(np.clip(x, 0, 1)), float(np.clip(y, 0, 1))))
    return tuple(out)
