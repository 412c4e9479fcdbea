"""Piles that lie elsewhere than piles usually do: a person points at them on the picture, and there they are read."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from companion_app.decoding import pixels
from companion_app.errors import UsageTrouble
from companion_app.tables.compose import Eyes
from companion_app.tables.game_so_far import places_seen
from companion_app.tables.kept_table import chain_of
from companion_app.tables.table import Table
from rules.layouts import FOUNDATION, LAYOUTS, PILES, STOCK, TURNED, WASTE
from vision.layout.in_place import InPlace
from vision.posterior.spotted import quad
from vision.reading import TableReading

Point = tuple[float, float]
POINTED = (STOCK, WASTE)
WHOLE = 100.0
MOST_QUOTED = 20


def point_of(across: str, down: str) -> Point:
    """A point of the picture as shares of its width and height, given in hundredths; raises UsageTrouble."""
    x, y = (_hundredths(text) / WHOLE for text in (across, down))
    return x, y


def _hundredths(text: str) -> float:
    plain = text.strip().replace(",", ".", 1)
    if plain.replace(".", "", 1).isdecimal() and len(plain) <= MOST_QUOTED and 0 <= float(plain) <= WHOLE:
        return float(plain)
    raise UsageTrouble("number", given=plain[:MOST_QUOTED], least=0, most=round(WHOLE))


def read_as_pointed(eyes: Eyes, table: Table, at: Mapping[str, Point]) -> TableReading:
    """The last picture read anew, with these piles where a person pointed at: points as shares of the picture's width
    and height. Raises UsageTrouble where the table has no piles or no picture, and PictureError."""
    reading = table.reading
    places = places_seen((each.reading, each.belief) for each in chain_of(table))
    cards = [np.array(corners) for place, corners in places.items() if place not in PILES]
    if reading is None or table.picture is None or not cards or not LAYOUTS[table.game.layout].piles:
        raise UsageTrouble("no-piles")
    shape = np.mean([card - card.mean(0) for card in cards], axis=0)
    size = np.array([reading.width, reading.height])
    pointed = {pile: quad(shape + np.array(point) * size) for pile, point in at.items()}
    # A card that is turned up may lie on the stock; where the foundation lies nobody said.
    known = {place: at for place, at in places.items() if place not in PILES or place == FOUNDATION}
    there = InPlace(table.game.layout, {**known, **pointed, TURNED: pointed[STOCK]})
    return eyes.read(table.picture, layout=there.scaled(pixels(table.picture).shape[1] / reading.width))


def pointed(table: Table, reading: TableReading) -> Table:
    """The table with its last picture read so; what the looks before it said of the piles was of other places."""
    before = _without_piles(table.before) if table.before else None
    return table.changed(reading=reading, before=before, belief=None, pointed=True, edited=True)


def _without_piles(table: Table) -> Table:
    before = _without_piles(table.before) if table.before else None
    reading = table.reading
    if reading is not None:
        cards = tuple(card for card in reading.cards if card.place not in PILES)
        places = {place: seen for place, seen in reading.places.items() if place not in PILES}
        reading = replace(reading, cards=cards, places=places)
    return replace(table, reading=reading, before=before, belief=None, edited=reading is not None).refereed()
