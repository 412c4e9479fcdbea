"""The drawn position: one pure function of the position and what is to be pointed out."""

from xml.etree import ElementTree

from companion_app.drawing import draw_position
from companion_app.marks import Marks

SVG = "{http://www.w3.org/2000/svg}"
POSITION = {"pyramid": [["KS"], ["6D", "??"], ["10H", None, "!!"]], "stock": 7, "waste": "4C", "foundation": None}


def cells(svg: str) -> dict[str, ElementTree.Element]:
    """The cells of a drawing by place."""
    tree = ElementTree.fromstring(svg)
    return {str(cell.get("data-place")): cell for cell in tree.iter() if cell.get("role") == "gridcell"}


def test_every_place_is_a_cell_of_the_grid() -> None:
    places = ["pyramid 1 1", "pyramid 2 1", "pyramid 2 2", "pyramid 3 1", "pyramid 3 2", "pyramid 3 3"]
    assert list(cells(draw_position(POSITION))) == [*places, "stock", "waste", "foundation"]


def test_cards_are_text_and_a_drawn_suit() -> None:
    king = cells(draw_position(POSITION))["pyramid 1 1"]
    assert [text.text for text in king.iter(f"{SVG}text")] == ["K"]
    assert len([path for path in king.iter(f"{SVG}path") if "suit" in str(path.get("class"))]) == 2


def test_the_stock_shows_its_count_and_the_same_position_gives_the_same_drawing() -> None:
    svg = draw_position(POSITION)
    assert "7" in "".join(cells(svg)["stock"].itertext())
    assert svg == draw_position(POSITION)


def test_the_turned_card_lies_between_stock_and_waste() -> None:
    drawn = cells(draw_position({**POSITION, "turned": "3H"}))
    across = [
        float(str(drawn[place].get("transform")).split("(")[1].split()[0]) for place in ("stock", "turned", "waste")
    ]
    assert across == sorted(across)


def test_one_cell_only_is_reached_by_tab_and_the_pair_is_marked_by_letters() -> None:
    marks = Marks(pair=("pyramid 3 1", "waste"), labels={"waste": '4 of clubs "top"'})
    svg = draw_position(POSITION, marks)
    assert [place for place, cell in cells(svg).items() if cell.get("tabindex") == "0"] == ["pyramid 3 1"]
    badges = [group for group in ElementTree.fromstring(svg).iter(f"{SVG}g") if "badge" in str(group.get("class"))]
    assert ["".join(group.itertext()) for group in badges] == ["A", "B"]
    assert cells(svg)["waste"].get("aria-label") == '4 of clubs "top"'


def test_an_unknown_pile_is_not_drawn_as_empty() -> None:
    drawn = cells(draw_position({"pyramid": [["KS"]]}))
    assert "".join(drawn["waste"].itertext()) == "?"
