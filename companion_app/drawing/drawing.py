"""A position as SVG, by one pure function: the same look on the page, in the documents and in the tests.

Cards are text and drawn suit shapes. Lengths are SVG units; a card is 100 wide. Colours come from classes, with
presentation attributes as a fallback, so the drawing also stands alone in a file.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from companion_app.drawing.board import CARD_HEIGHT, CARD_WIDTH, UNKNOWN, Cell, Index, board_of
from companion_app.drawing.marks import Marks
from companion_app.drawing.suits import suit_shape

CORNER = 9
CARD_SIZE = f'width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="{CORNER}"'
BADGE = 19
RED, BLACK = "#b3201f", "#1d1f22"
STRIP = {"top": CARD_WIDTH / 2, "left": CARD_WIDTH / 4, "right": CARD_WIDTH * 3 / 4}
"""The middle of what shows of a covered card, across."""


def draw_position(
    position: Mapping[str, Any],
    marks: Marks | None = None,
    *,
    title: str = "",
    beside: Mapping[str, str | None] | None = None,
) -> str:
    """The position as one SVG element: a grid of cards whose names come from `marks.labels`.

    `beside` are the codes of cards beside the layout, by place. Pure: the same values give the same text. Only the
    first cell can be reached by Tab; the page moves that on with the arrow keys.
    """
    marks = marks or Marks()
    board = board_of(position, beside)
    cells = board.cells
    stock = position.get("stock")
    count = str(stock) if isinstance(stock, int) and not isinstance(stock, bool) and stock else ""
    first = marks.chosen or next((place for place in marks.pair), cells[0].place)
    body = []
    for number in sorted({cell.row for cell in cells}):
        row = [cell for cell in cells if cell.row == number]
        drawn = (_cell(cell, marks, first, count) for cell in row)
        body.append(f'<g role="row"{_order(row)}>{"".join(drawn)}</g>')
    return (
        f'<svg class="board" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {board.width:g} {board.height:g}"'
        f' role="grid" aria-label="{escape(title)}" aria-colcount="{max(cell.column for cell in cells)}">'
        f"{''.join(body)}{''.join(_badges(cells, marks))}</svg>"
    )


def _order(row: Sequence[Cell]) -> str:
    """Has a row read from the left where its cells are not drawn so, for each that lies over another is drawn after
    it."""
    seen = sorted(row, key=lambda cell: cell.column)
    return "" if seen == row else f' aria-owns="{" ".join(_identity(cell) for cell in seen)}"'


def _identity(cell: Cell) -> str:
    return f"cell-{cell.place.replace(' ', '-')}"


def _cell(cell: Cell, marks: Marks, first: str, count: str) -> str:
    label = escape(marks.labels.get(cell.place, f"{cell.place} {cell.code or ''}".strip()))
    reachable = 0 if cell.place == first else -1
    identity = f'id="{_identity(cell)}" data-place="{cell.place}" aria-colindex="{cell.column}"'
    return (
        f'<g role="gridcell" class="cell {marks.classes(cell.place)}" {identity} tabindex="{reachable}"'
        f' aria-label="{label}" transform="translate({cell.x:g} {cell.y:g})">'
        f'<g aria-hidden="true">{_face(cell, count)}{_frame("ring")}</g>{_words(marks.labels.get(cell.place, ""))}</g>'
    )


def _words(label: str) -> str:
    """The name of a cell once more as text that is not seen: some screen readers read what a cell holds, not its
    name."""
    return f'<text class="words" y="20" font-size="1" fill="none">{escape(label)}</text>' if label else ""


def _frame(name: str, fill: str = "none", stroke: str = "none") -> str:
    return f'<rect class="{name}" {CARD_SIZE} fill="{fill}" stroke="{stroke}"/>'


def _face(cell: Cell, count: str) -> str:
    if cell.code is None:
        return _frame("slot", stroke="#8a8674")
    if cell.code == "??":
        return _back(count if cell.place == "stock" else "", stacked=cell.place == "stock")
    if cell.code in ("!!", UNKNOWN):
        paper = _frame("slot", stroke="#8a8674") if cell.code == UNKNOWN else _frame("paper smudged", "#e5dfd0")
        sign = f'<text class="sign" x="{STRIP[cell.index]:g}" y="{CARD_HEIGHT * 0.62:g}" text-anchor="middle">?</text>'
        return paper + sign
    return _frame("paper", "#fffdf8", "#b9ae98") + _printed(cell.code, cell.index)


def _back(count: str, *, stacked: bool) -> str:
    under = ""
    if stacked:
        under = "".join(f'<rect class="back edge" x="{d}" y="{d}" {CARD_SIZE} fill="#274b6d"/>' for d in (6, 3))
    lattice = "".join(
        f'<path class="lattice" d="M{x} 10V{CARD_HEIGHT - 10}" stroke="#8fb0cc" stroke-width="1"/>'
        for x in range(20, 90, 10)
    ) + "".join(
        f'<path class="lattice" d="M10 {y}H{CARD_WIDTH - 10}" stroke="#8fb0cc" stroke-width="1"/>'
        for y in range(21, 130, 10)
    )
    inner = f'x="10" y="10" width="{CARD_WIDTH - 20}" height="{CARD_HEIGHT - 20}" rx="4"'
    border = f'<rect class="lattice" {inner} fill="none" stroke="#8fb0cc" stroke-width="2"/>'
    number = ""
    if count:
        number = (
            f'<rect class="tally" x="22" y="48" width="56" height="46" rx="10" fill="#fffdf8"/>'
            f'<text class="tally-text" x="50" y="82" text-anchor="middle" font-size="32">{escape(count)}</text>'
        )
    return under + _frame("back", "#2f5d86") + lattice + border + number


def _printed(code: str, index: Index) -> str:
    if code == "JK":
        star = "M50 40 L58 64 L84 64 L63 79 L71 104 L50 89 L29 104 L37 79 L16 64 L42 64Z"
        at = 'x="92" text-anchor="end"' if index == "right" else 'x="8"'
        return f'<text class="rank" {at} y="34" font-size="26">JK</text><path class="star" d="{star}" fill="#8a5a00"/>'
    rank, suit = code[:-1], code[-1]
    colour, name = (RED, "red") if suit in "HD" else (BLACK, "black")
    tight = ' textLength="40" lengthAdjust="spacingAndGlyphs"' if rank == "10" else ""
    at, small, large = _PRINT[index]
    return (
        f'<text class="rank {name}" {at} y="41" fill="{colour}" font-size="42" font-weight="700"{tight}>{rank}</text>'
        f'<g transform="{small}">{suit_shape(suit, colour, name)}</g>'
        f'<g transform="{large}">{suit_shape(suit, colour, name)}</g>'
    )


_PRINT: Mapping[Index, tuple[str, str, str]] = {
    "top": ('x="9"', "translate(56 10) scale(0.34)", "translate(24 68) scale(0.52)"),
    "left": ('x="5"', "translate(8 52) scale(0.34)", "translate(52 92) scale(0.42)"),
    "right": ('x="95" text-anchor="end"', "translate(58 52) scale(0.34)", "translate(6 92) scale(0.42)"),
}
"""Where the rank is written, and where the small and the large suit are drawn."""


def _badges(cells: Sequence[Cell], marks: Marks) -> Iterator[str]:
    for cell in cells:
        x, y = cell.x + CARD_WIDTH - 6, cell.y + 8
        if cell.index != "top":
            x, y = cell.x + STRIP[cell.index], cell.y + CARD_HEIGHT - BADGE
        if cell.place in marks.pair[:1]:
            yield badge("A", x, y)
        if cell.place in marks.pair[1:2]:
            yield badge("B", x, y)
        if cell.place in marks.partners:
            yield badge("+", x, y)
        if cell.place in marks.illegal:
            yield badge("✕", x, y)
        elif cell.place in marks.faulty:
            yield badge("!", x, y)
        elif cell.place in marks.doubtful and cell.place not in (*marks.pair, *marks.partners):
            yield badge("?", x, y)


def badge(letter: str, x: float, y: float, size: float = BADGE) -> str:
    """A small sign at a card: A in a disc, B in a triangle, + in a pentagon, ✕ in a square, ! and ? in a
    diamond."""
    r = size
    shapes = {
        "A": (f'<circle r="{r:g}"', "sign-a", "#56b4e9"),
        "B": (
            f'<path d="M0 {-1.25 * r:g} L{1.25 * r:g} {0.85 * r:g} L{-1.25 * r:g} {0.85 * r:g}Z"',
            "sign-b",
            "#e69f00",
        ),
        "+": (
            f'<path d="M0 {-1.2 * r:g} L{1.15 * r:g} {-0.3 * r:g} L{0.75 * r:g} {r:g} L{-0.75 * r:g} {r:g}'
            f' L{-1.15 * r:g} {-0.3 * r:g}Z"',
            "sign-p",
            "#5fd0a8",
        ),
        "✕": (f'<rect x="{-r:g}" y="{-r:g}" width="{2 * r:g}" height="{2 * r:g}" rx="{r / 4:g}"', "sign-x", "#d55e00"),
    }
    diamond = (f'<path d="M0 {-1.3 * r:g} L{1.3 * r:g} 0 L0 {1.3 * r:g} L{-1.3 * r:g} 0Z"', "sign-q", "#f0e442")
    shape, name, colour = shapes.get(letter, diamond)
    ink = "#ffffff" if letter == "✕" else "#101418"
    return (
        f'<g class="badge {name}" transform="translate({x:g} {y:g})" aria-hidden="true">'
        f'{shape} fill="{colour}" stroke="#101418" stroke-width="{r / 7:g}" stroke-linejoin="round"/>'
        f'<text y="{0.38 * r:g}" text-anchor="middle" font-size="{1.05 * r:g}" font-weight="800" fill="{ink}">'
        f"{letter}</text></g>"
    )
