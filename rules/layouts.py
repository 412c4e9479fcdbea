"""Where the cards of a layout lie, as data.

Lengths are in card widths; x grows to the right and y downwards as the player sees the table. The apex's centre is
(0, 0). People lay pyramids closer or wider than the nominal pitch, so each pitch also has a range.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

CARD_HEIGHT: Final = 1.4
"""Height of a card in card widths (poker 88/63 = 1.397, bridge 88/57 = 1.54)."""

STOCK: Final = "stock"
TURNED: Final = "turned"
WASTE: Final = "waste"
FOUNDATION: Final = "foundation"
PILES: Final = (STOCK, TURNED, WASTE, FOUNDATION)


@dataclass(frozen=True, slots=True)
class Pitch:
    """Distance between neighbours in card widths: as usually laid, and from the closest to the widest seen."""

    typical: float
    closest: float
    widest: float


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of the layout.

    ``row`` and ``column`` count from 1. The nominal centre is (x, y); it moves with the pitches as
    ``column_steps`` times the card pitch to the right and ``row_steps`` times the row pitch down. ``covers`` names
    the places this card lies half on.
    """

    place: str
    row: int
    column: int
    x: float
    y: float
    column_steps: float
    row_steps: float
    covers: tuple[str, ...] = ()
    covered_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PileSpot:
    """Where a pile lies unless the player says otherwise; nominal centre in card widths."""

    place: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Layout:
    """A shape of table. ``spots`` go row by row from the apex, from the left."""

    id: str
    rows: int
    card_pitch: Pitch
    row_pitch: Pitch
    spots: tuple[Spot, ...]
    piles: tuple[PileSpot, ...]

    @property
    def places(self) -> tuple[str, ...]:
        """The places of the spots, in their order."""
        return tuple(spot.place for spot in self.spots)


CARD_PITCH: Final = Pitch(typical=1.1, closest=0.95, widest=1.6)
ROW_PITCH: Final = Pitch(typical=0.75, closest=0.35, widest=1.25)
_PILE_GAP: Final = 0.35


@lru_cache(maxsize=256)
def pyramid_place(row: int, column: int) -> str:
    """``pyramid R C``, both from 1; row 1 is the apex."""
    return f"pyramid {row} {column}"


@lru_cache(maxsize=256)
def parse_pyramid_place(place: str) -> tuple[int, int] | None:
    """(row, column) from 1, or None for a text that is no place of a pyramid."""
    words = place.split()
    if len(words) != 3 or words[0] != "pyramid" or not all(word.isdecimal() for word in words[1:]):
        return None
    row, column = int(words[1]), int(words[2])
    return (row, column) if 1 <= column <= row else None


def _spot(row: int, column: int, rows: int) -> Spot:
    column_steps, row_steps = column - (row + 1) / 2, float(row - 1)
    above = tuple(pyramid_place(row - 1, near) for near in (column - 1, column) if 1 <= near <= row - 1)
    below = (pyramid_place(row + 1, column), pyramid_place(row + 1, column + 1)) if row < rows else ()
    return Spot(
        place=pyramid_place(row, column),
        row=row,
        column=column,
        x=column_steps * CARD_PITCH.typical,
        y=row_steps * ROW_PITCH.typical,
        column_steps=column_steps,
        row_steps=row_steps,
        covers=above,
        covered_by=below,
    )


def pyramid_layout(rows: int) -> Layout:
    """The pyramid with that many rows; each row lies half over the one above it."""
    spots = tuple(_spot(row, column, rows) for row in range(1, rows + 1) for column in range(1, row + 1))
    left, bottom = -(rows - 1) / 2 * CARD_PITCH.typical, (rows - 1) * ROW_PITCH.typical
    below = bottom + CARD_HEIGHT + _PILE_GAP
    piles = (
        PileSpot(STOCK, left, below),
        PileSpot(TURNED, left, below),
        PileSpot(WASTE, left + CARD_PITCH.typical, below),
        PileSpot(FOUNDATION, -left, below),
    )
    return Layout(f"pyramid-{rows}", rows, CARD_PITCH, ROW_PITCH, spots, piles)


LAYOUTS: Final = {layout.id: layout for layout in (pyramid_layout(rows) for rows in range(3, 8))}
