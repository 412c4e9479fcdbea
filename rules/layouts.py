"""Where the cards of a layout lie, as data: the one geometry that reading, drawing and training share.

Lengths are in card sides: across in card widths, down in card heights, as the player sees the table. People lay the
same layout closer or wider, so a place is a sum of steps along *pitches*, each of which has a range.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from rules.cards import Rank
from rules.rows.places import CELLAR, SIDES, Stack, base_place
from rules.rows.shapes import BASES, SHAPES, RowShape

STOCK: Final = "stock"
TURNED: Final = "turned"
WASTE: Final = "waste"
FOUNDATION: Final = "foundation"
PILES: Final = (STOCK, TURNED, WASTE, FOUNDATION)


@dataclass(frozen=True, slots=True)
class Pitch:
    """A distance in card sides: as usually laid, and from the closest to the widest seen."""

    typical: float
    closest: float
    widest: float


@dataclass(frozen=True, slots=True)
class At:
    """A place as steps along the pitches of its layout: across to the right, and down; ``apart`` in card sides comes on
    top.
    """

    across: Mapping[str, float] = field(default_factory=dict)
    down: Mapping[str, float] = field(default_factory=dict)
    apart: tuple[float, float] = (0.0, 0.0)

    def along(self, step: At, count: float) -> At:
        """The place so many steps on."""
        return At(
            _sum(self.across, step.across, count),
            _sum(self.down, step.down, count),
            (self.apart[0] + count * step.apart[0], self.apart[1] + count * step.apart[1]),
        )


def _sum(first: Mapping[str, float], other: Mapping[str, float], count: float) -> dict[str, float]:
    return {name: first.get(name, 0.0) + count * other.get(name, 0.0) for name in first.keys() | other.keys()}


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of its own. ``covers`` names the places its card lies half on, ``covered_by`` those whose cards lie half
    on it.
    """

    place: str
    at: At
    covers: tuple[str, ...] = ()
    covered_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A line of cards without holes that grows and shrinks at its far end: ``stack`` names its places. Each card lies a
    ``step`` on from the one before, over it where they overlap; ``fresh`` is how many lie there in a fresh deal.
    """

    stack: Stack
    start: At
    step: At
    fresh: int

    def at(self, index: int) -> At:
        """Where card ``index`` lies, counted from 1."""
        return self.start.along(self.step, index - 1)


@dataclass(frozen=True, slots=True)
class Layout:
    """A shape of table. ``rows`` is how many it has, ``spots`` its places in the order of reading, ``lines`` what grows
    and shrinks, ``piles`` where piles lie unless the player says otherwise. ``also``: other numbers of cards, one for
    each line, with which the same layout is dealt. ``highest``: the highest rank in the games that are laid so.
    """

    id: str
    rows: int
    pitches: Mapping[str, Pitch]
    spots: tuple[Spot, ...]
    lines: tuple[Line, ...] = ()
    piles: tuple[Spot, ...] = ()
    also: tuple[tuple[int, ...], ...] = ()
    highest: Rank = Rank.KING

    @property
    def typical(self) -> dict[str, float]:
        """Every pitch as usually laid."""
        return {name: pitch.typical for name, pitch in self.pitches.items()}

    @property
    def deals(self) -> tuple[tuple[int, ...], ...]:
        """Cards in each line of a fresh deal, in every way it may be dealt, the usual one first."""
        return (tuple(line.fresh for line in self.lines), *self.also)

    def centre(self, at: At, pitches: Mapping[str, float] | None = None) -> tuple[float, float]:
        """The middle of a card there, in card sides from the layout's origin, at these pitches or the typical ones."""
        used = pitches or self.typical
        x, y = (
            apart + sum(used[name] * steps for name, steps in along.items())
            for along, apart in zip((at.across, at.down), at.apart, strict=True)
        )
        return x, y

    def fresh(self, deal: int = 0) -> Iterator[tuple[str, At]]:
        """Every place on which a card lies in a fresh deal, but for the piles, in the order in which they are laid."""
        for spot in self.spots:
            if spot.place != CELLAR:
                yield spot.place, spot.at
        for line, count in zip(self.lines, self.deals[deal], strict=True):
            for index in range(1, count + 1):
                yield line.stack.place(index), line.at(index)


COLUMN_PITCH: Final = Pitch(typical=1.1, closest=0.92, widest=1.8)
ROW_PITCH: Final = Pitch(typical=0.54, closest=0.2, widest=0.85)
PILE_GAP: Final = 1.25
"""Piles lie so far below the last row."""
_HIGHEST: Final = {6: Rank.TEN}
"""Pyramids of six rows are those of games whose cards make ten or nine."""


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


def _pyramid_spot(row: int, column: int, rows: int) -> Spot:
    above = tuple(pyramid_place(row - 1, near) for near in (column - 1, column) if 1 <= near <= row - 1)
    below = (pyramid_place(row + 1, column), pyramid_place(row + 1, column + 1)) if row < rows else ()
    return Spot(pyramid_place(row, column), At({"column": column - (row + 1) / 2}, {"row": row - 1}), above, below)


def pyramid_layout(rows: int) -> Layout:
    """The pyramid with that many rows, its apex at the origin; each row lies half over the one above it."""
    spots = tuple(_pyramid_spot(row, column, rows) for row in range(1, rows + 1) for column in range(1, row + 1))
    edge = (rows - 1) / 2
    across = ((STOCK, -edge), (TURNED, -edge), (WASTE, 1 - edge), (FOUNDATION, edge))
    piles = tuple(Spot(place, At({"column": steps}, {"row": rows - 1}, (0.0, PILE_GAP))) for place, steps in across)
    pitches = {"column": COLUMN_PITCH, "row": ROW_PITCH}
    return Layout(f"pyramid-{rows}", rows, pitches, spots, piles=piles, highest=_HIGHEST.get(rows, Rank.KING))


HALF_ROW_PITCHES: Final[Mapping[str, Pitch]] = MappingProxyType(
    {
        "row": Pitch(typical=1.12, closest=0.9, widest=1.6),
        "gap": Pitch(typical=1.2, closest=0.95, widest=2.4),
        "card": Pitch(typical=0.6, closest=0.14, widest=1.5),
        "aside": Pitch(typical=4.4, closest=2.0, widest=9.0),
        "step": Pitch(typical=0.4, closest=0.12, widest=1.3),
    }
)
"""From row to row; from the base column to the first card of a half row, and from card to card in it; from the base
column to an outer column, and from card to card in that."""


def rows_layout(shape: RowShape) -> Layout:
    """Half rows to the left and right of a base column, the uppermost base at the origin, outer columns beside them
    where the shape has any. Outer cards lie over inner ones, lower cards of a column over upper ones.
    """
    spots = [Spot(base_place(row), At({}, {"row": row - 1})) for row in range(1, BASES + 1)]
    if shape.auxiliary:
        spots.append(Spot(CELLAR, At({}, {"row": BASES})))
    ways = dict(zip(SIDES, (-1, 1), strict=True))
    lines = [
        Line(Stack("half", side, row), At({"gap": way}, {"row": row - 1}), At({"card": way}), count)
        for side, way in ways.items()
        for row, count in enumerate(shape.left if side == "left" else shape.right, start=1)
    ]
    if shape.column:
        step = At({}, {"step": 1})
        lines += [Line(Stack("column", side), At({"aside": way}), step, shape.column) for side, way in ways.items()]
    columns = (shape.column,) * 2 if shape.column else ()
    also = tuple((*left, *right, *columns) for left, right in shape.also)
    used = HALF_ROW_PITCHES if shape.column else {name: HALF_ROW_PITCHES[name] for name in ("row", "gap", "card")}
    return Layout(shape.id, shape.rows, used, tuple(spots), tuple(lines), also=also)


LAYOUTS: Final[Mapping[str, Layout]] = MappingProxyType(
    {
        layout.id: layout
        for layout in (*map(pyramid_layout, range(3, 8)), *(rows_layout(shape) for shape in SHAPES.values()))
    }
)
