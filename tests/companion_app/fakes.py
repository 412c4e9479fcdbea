"""A reader that reads nothing: for unit tests of what stands behind the eyes. The browser test uses the real one."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen, parse_seen
from rules.layouts import LAYOUTS
from rules.rows.places import Stack, parse_place
from rules.rows.position import RowPosition
from vision.image.picture import decode
from vision.layout.in_place import Asked, InPlace
from vision.reading import Advice, SeenCard, TableReading

STEP, CARD = 110, (100, 140)
ROWS = (
    "KS",
    "6D 6H",
    "5H 3D 5C",
    "8H 6S 4D 3C",
    "7H 5D KC QS 2D",
    "2H 8S KD QH JD 10D",
    "10H JC 9C 10C 8D AS JS",
)
PILES = {"waste": "4C", "foundation": None}


def table_places(rows: tuple[str, ...] = ROWS, piles: dict[str, str | None] | None = None) -> dict[str, Seen | bool]:
    """Places of a table written as rows of codes, `--` for gone."""
    places: dict[str, Seen | bool] = {"stock": True}
    for number, row in enumerate(rows, start=1):
        for column, code in enumerate(row.split(), start=1):
            places[f"pyramid {number} {column}"] = parse_seen(code)
    return places | {pile: parse_seen(code) for pile, code in (PILES if piles is None else piles).items()}


def quad_at(place: str) -> tuple[tuple[float, float], ...]:
    """Corners of the card of a place in the picture the fake table is drawn on."""
    words = place.split()
    if parse_place(place) is not None:
        return row_quad(place)
    if words[0] == "pyramid":
        row, column = int(words[1]), int(words[2])
        x, y = 640 + (column - (row + 1) / 2) * STEP, 20 + (row - 1) * 80
    elif words[0] == "table":
        x, y = 100.0 + STEP * int(words[1]), 40.0
    else:
        x, y = {"stock": 250.0, "turned": 260.0, "waste": 370.0, "foundation": 1000.0}[words[0]], 700.0
    left, right, bottom = x - CARD[0] / 2, x + CARD[0] / 2, y + CARD[1]
    return ((left, y), (right, y), (right, bottom), (left, bottom))


def seen_card(place: str, seen: Seen, doubts: tuple[str, ...]) -> SeenCard:
    """One card as a reader would report it; a doubtful one with two other guesses."""
    others = ((Card.parse("8C"), 0.3), (Card.parse("3D"), 0.1)) if place in doubts else ((UNREADABLE, 0.0),)
    chance = 0.6 if place in doubts else 0.99
    return SeenCard(place, seen, chance, place in doubts, ((seen, chance), *others), quad_at(place))  # type: ignore[arg-type]


def reading(
    rows: tuple[str, ...] = ROWS,
    piles: dict[str, str | None] | None = None,
    doubts: tuple[str, ...] = (),
    beside: tuple[str, ...] = (),
) -> TableReading:
    """A reading of a table, with the codes of cards beside the layout."""
    places = table_places(rows, piles)
    cards = [
        seen_card(place, FACE_DOWN if isinstance(seen, bool) else seen, doubts)
        for place, seen in places.items()
        if seen is not GONE
    ]
    cards += [seen_card(f"table {n}", parse_seen(code), doubts) for n, code in enumerate(beside, start=1)]
    spent = {"total": 123.4, "decode": 20.0, "find": 60.0, "read": 30.0, "arrange": 13.4}
    return TableReading(1280, 860, f"pyramid-{len(rows)}", tuple(cards), places, doubts, (Advice("glare", ()),), spent)


def row_reading(
    position: RowPosition, layout: str = "rows-5-4", doubts: tuple[str, ...] = (), beside: tuple[str, ...] = ()
) -> TableReading:
    """A reading of a table of a row game: what lies there, bases and cellar gone where they are bare."""
    places: dict[str, Seen | bool] = {spot.place: GONE for spot in LAYOUTS[layout].spots}
    places |= dict(position.lying())
    cards = [seen_card(place, seen, doubts) for place, seen in position.lying()]
    cards += [seen_card(f"table {n}", parse_seen(code), doubts) for n, code in enumerate(beside, start=1)]
    return TableReading(1280, 860, layout, tuple(cards), places, doubts, (), {"total": 123.4})


def row_quad(place: str) -> tuple[tuple[float, float], ...]:
    """Corners of the card of a place of a row game, cards 60 by 84 pixels, each half over the one before it."""
    stack, index = parse_place(place) or (Stack("cellar"), 1)
    way = {"left": -1, "right": 1, None: 0}[stack.side]
    if stack.kind == "column":
        x, y = 640.0 + way * 420, 60 + 60.0 * index
    else:
        x, y = 640 + way * (40.0 + 36 * index), 100.0 * (stack.row or 5)
    return ((x - 30, y), (x + 30, y), (x + 30, y + 84), (x - 30, y + 84))


def spread(cards: Sequence[Seen], doubts: tuple[str, ...] = (), foreign: tuple[str, ...] = ()) -> TableReading:
    """A reading of cards without a layout, `table 1` and so on, side by side in rows of thirteen."""
    seen = []
    for number, card in enumerate(cards):
        x, y = 20.0 + (number % 13) * STEP, 20.0 + number // 13 * 160
        place = f"table {number + 1}"
        quad = ((x, y), (x + CARD[0], y), (x + CARD[0], y + CARD[1]), (x, y + CARD[1]))
        seen.append(replace(seen_card(place, card, doubts), quad_xy=quad, foreign=place in foreign))
    return TableReading(1460, 860, None, tuple(seen), {}, doubts, (), {"total": 123.4}, foreign)


class FakeEyes:
    """Gives prepared readings one after the other, the last one again and again; refuses what is no picture. A picture
    read once more, with its places known, is read as before."""

    def __init__(self, *readings: TableReading) -> None:
        self.readings = list(readings) or [reading()]
        self.asked: list[str | None] = []
        self.last = self.readings[0]

    def read(self, data: bytes, *, layout: Asked = "auto") -> TableReading:
        """The next reading."""
        decode(data)
        if not isinstance(layout, InPlace):
            self.asked.append(layout)
            self.last = self.readings.pop(0) if len(self.readings) > 1 else self.readings[0]
        return self.last


def picture_bytes(width: int = 640, height: int = 480) -> bytes:
    """A JPEG of plain cloth."""
    pixels = np.full((height, width, 3), (70, 90, 40), np.uint8)
    _, encoded = cv2.imencode(".jpg", pixels)
    return encoded.tobytes()
