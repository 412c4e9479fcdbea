"""Where the places of a position are drawn: the geometry of its layout in units of the drawing. A card is 100 wide.

Cards lie as `rules.layouts` says, at pitches at which rank and suit of every card show.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rules.layouts import LAYOUTS, STOCK, TURNED, Layout, Line, pyramid_layout
from rules.rows.places import CELLAR, SIDES, Side, Stack

CARD_WIDTH, CARD_HEIGHT = 100, 142
MARGIN = 26
GAP = 34
UNKNOWN = "unknown"
LEAST_COLUMNS = 5

PYRAMID_PITCHES = {"column": 1.12, "row": 94 / CARD_HEIGHT}
ROW_PITCHES = {"row": 1.09, "gap": 1.1, "card": 0.5, "aside": 4.0, "step": 0.8}
LEAST_STEP = 0.36
"""Card heights from card to card in a column: in less its rank and suit would not show."""

Index = Literal["top", "left", "right"]
"""Where a card shows its rank and suit: side by side at its top, or one over the other at a side."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of the drawing: what lies there, where it is drawn (top left), and where it stands in the grid, counted
    from 1; the columns of half rows as one sees them, from the left."""

    place: str
    code: str | None
    x: float
    y: float
    row: int
    column: int
    index: Index = "top"


@dataclass(frozen=True, slots=True)
class Board:
    """All places of a position as they are drawn, a card that lies over another after it; width and height of all."""

    cells: tuple[Cell, ...]
    width: float
    height: float


def board_of(position: Mapping[str, Any], beside: Mapping[str, str | None] | None = None) -> Board:
    """The board of a position as in the contract, with the codes of cards `beside` the layout, by place."""
    layout = layout_drawn(position)
    laid = list(_rows(position, layout) if layout.lines else _pyramid(position, layout))
    least = (LEAST_COLUMNS - 1) * PYRAMID_PITCHES["column"] * CARD_WIDTH / 2
    left = min(-least, *(cell.x for cell in laid)) - MARGIN
    right = max(least, *(cell.x for cell in laid)) + CARD_WIDTH + MARGIN
    top = min(cell.y for cell in laid) - MARGIN
    moved = [replace(cell, x=round(cell.x - left, 1), y=round(cell.y - top, 1)) for cell in laid]
    cells = (*moved, *_beside(beside or {}, moved, right - left))
    return Board(cells, round(right - left, 1), max(cell.y for cell in cells) + CARD_HEIGHT + MARGIN)


def layout_drawn(position: Mapping[str, Any]) -> Layout:
    """The layout of a position; of columns that are not told nothing is drawn."""
    if "left" not in position:
        return pyramid_layout(len(position.get("pyramid") or ()))
    columns = any(_column_key(side) in position for side in SIDES)
    return next(
        layout
        for layout in LAYOUTS.values()
        if layout.lines and layout.rows == len(position["left"]) and ("step" in layout.pitches) == columns
    )


def _corner(layout: Layout, at: Any, pitches: Mapping[str, float]) -> tuple[float, float]:
    x, y = layout.centre(at, pitches)
    return x * CARD_WIDTH, y * CARD_HEIGHT


def _pyramid(position: Mapping[str, Any], layout: Layout) -> Iterator[Cell]:
    """Row by row, then the piles; a turned card makes room for itself."""
    for spot in layout.spots:
        row, column = (int(word) for word in spot.place.split()[1:])
        yield Cell(
            spot.place,
            position["pyramid"][row - 1][column - 1],
            *_corner(layout, spot.at, PYRAMID_PITCHES),
            row,
            column,
        )
    last = -float("inf")
    shown = [spot for spot in layout.piles if spot.place != TURNED or position.get(TURNED) is not None]
    for number, spot in enumerate(shown, start=1):
        x, y = _corner(layout, spot.at, PYRAMID_PITCHES)
        last = max(x, last + PYRAMID_PITCHES["column"] * CARD_WIDTH)
        code = _stock_code(position) if spot.place == STOCK else position.get(spot.place, UNKNOWN)
        yield Cell(spot.place, code, last, y, layout.rows + 1, number)


def _stock_code(position: Mapping[str, Any]) -> str | None:
    stock = position.get(STOCK, UNKNOWN)
    if stock == UNKNOWN or stock is None:
        return UNKNOWN
    return "??" if stock else None


def _rows(position: Mapping[str, Any], layout: Layout) -> Iterator[Cell]:
    """Row by row: the left half row from the centre outward, the base or the cellar, the right half row; then the
    columns."""
    halves = [line for line in layout.lines if line.stack.kind == "half"]
    middle = 1 + max(len(_codes(position, line.stack) or (None,)) for line in halves if line.stack.side == "left")
    for row in range(1, layout.rows + 1):
        left, right = (line for line in halves if line.stack.row == row)
        for cell in _line(position, layout, left, ROW_PITCHES, row):
            yield replace(cell, column=middle - cell.column)
        for spot in layout.spots:
            if spot.at.down["row"] == row - 1 and (spot.place != CELLAR or CELLAR in position):
                code = position[CELLAR] if spot.place == CELLAR else position["base"][row - 1]
                yield Cell(spot.place, code, *_corner(layout, spot.at, ROW_PITCHES), row, middle)
        for cell in _line(position, layout, right, ROW_PITCHES, row):
            yield replace(cell, column=middle + cell.column)
    for number, line in enumerate((line for line in layout.lines if line.stack.kind == "column"), start=1):
        if line.stack.side is not None and _column_key(line.stack.side) in position:
            pitches = _column_pitches(position, layout, line.stack.side)
            yield from _line(position, layout, line, pitches, layout.rows + number)


def _line(
    position: Mapping[str, Any], layout: Layout, line: Line, pitches: Mapping[str, float], row: int
) -> Iterator[Cell]:
    """The cards of a line, or its first place where it is empty."""
    index: Index = "top"
    if line.stack.kind == "half":
        index = "right" if line.stack.side == "left" else "left"
    for number, code in enumerate(_codes(position, line.stack) or (None,), start=1):
        yield Cell(line.stack.place(number), code, *_corner(layout, line.at(number), pitches), row, number, index)


def _codes(position: Mapping[str, Any], stack: Stack) -> Sequence[str | None]:
    if stack.kind == "half":
        return position[str(stack.side)][stack.row - 1] or ()
    return position[_column_key(stack.side or "left")] or ()


def _column_key(side: Side) -> str:
    return f"{side}_column"


def _column_pitches(position: Mapping[str, Any], layout: Layout, side: Side) -> dict[str, float]:
    """The pitches of a column: beyond the longest half row of its side as now and as dealt, and closer together where
    it has more cards than there is room for beside the rows."""
    fresh = [line.fresh for line in layout.lines if line.stack.kind == "half" and line.stack.side == side]
    longest = max(*fresh, *(len(row) for row in position[side]))
    aside = ROW_PITCHES["gap"] + (longest - 1) * ROW_PITCHES["card"] + ROW_PITCHES["gap"]
    count = len(position[_column_key(side)] or ())
    room = (layout.rows - 1) * ROW_PITCHES["row"] / max(count - 1, 1)
    return ROW_PITCHES | {"aside": aside, "step": max(LEAST_STEP, min(ROW_PITCHES["step"], room))}


def _beside(beside: Mapping[str, str | None], laid: Sequence[Cell], width: float) -> tuple[Cell, ...]:
    """Cards beside the layout, by their places, in rows below what lies lowest."""
    step = PYRAMID_PITCHES["column"] * CARD_WIDTH
    columns = int((width - 2 * MARGIN - CARD_WIDTH) // step) + 1
    lowest, last = max(cell.y for cell in laid), max(cell.row for cell in laid)
    cells = []
    for number, (place, code) in enumerate(beside.items()):
        row, column = divmod(number, columns)
        y = lowest + (row + 1) * (CARD_HEIGHT + GAP)
        cells.append(Cell(place, code, MARGIN + column * step, y, last + row + 1, column + 1))
    return tuple(cells)
