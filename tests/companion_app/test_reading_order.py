"""The order in which a board is read by ear: row by row from the left, as it lies."""

from xml.etree import ElementTree

import pytest

from companion_app.drawing.board import board_of
from companion_app.drawing.drawing import draw_position
from companion_app.drawing.marks import Marks
from tests.companion_app.test_drawing import every_layout

LAYOUTS = every_layout()


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_row_is_read_from_the_left_with_its_columns_counted_as_they_lie(name: str) -> None:
    board = board_of(LAYOUTS[name])
    svg = ElementTree.fromstring(draw_position(LAYOUTS[name], Marks(labels={cell.place: "?" for cell in board.cells})))
    places = {f"cell-{cell.place.replace(' ', '-')}": cell for cell in board.cells}
    rows = [row for row in svg.iter() if row.get("role") == "row"]
    for row in rows:
        cells = {str(cell.get("id")): cell for cell in row if cell.get("role") == "gridcell"}
        order = (row.get("aria-owns") or " ".join(cells)).split()
        assert sorted(order) == sorted(cells)
        columns = [int(cells[each].get("aria-colindex", 0)) for each in order]
        assert columns == sorted(set(columns)) and max(columns) <= int(svg.get("aria-colcount", 0))
        if "column" not in order[0]:
            assert [places[each].x for each in order] == sorted(places[each].x for each in order)
    bases = {cell.column for cell in board.cells if cell.place.startswith(("base", "cellar"))}
    assert len(bases) <= 1


def test_what_a_cell_holds_is_its_name_where_it_has_one() -> None:
    position = LAYOUTS["pyramid-7"]
    place = board_of(position).cells[0].place
    for labels, held in (({place: "ten <of> hearts"}, ["ten <of> hearts"]), ({}, [])):
        svg = ElementTree.fromstring(draw_position(position, Marks(labels=labels)))
        hidden = {inner for each in svg.iter() if each.get("aria-hidden") == "true" for inner in each.iter()}
        assert [each.text for each in svg.iter() if each.text and each not in hidden] == held
