"""The drawn position: one pure function of the position and what is to be pointed out."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from companion_app.drawing.drawing import draw_position
from companion_app.drawing.marks import Marks
from rules.catalogue import GAMES, ROW_GAMES
from rules.families import family_of
from rules.layouts import LAYOUTS

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


Box = tuple[float, float, float, float]
CARD = (100.0, 142.0)
RANK_HEIGHT, RANK_WIDTH = 30.0, 33.0


def dealt(game_id: str) -> dict[str, Any]:
    """A position of a fresh deal, every card known."""
    game = GAMES[game_id]
    return dict(family_of(game).deal(game, Random(4)).to_json())


def every_layout() -> dict[str, dict[str, Any]]:
    """A position of each layout, as dealt, grown and shrunk."""
    rows = {f"pyramid-{n}": [["10H"] * row for row in range(1, n + 1)] for n in range(3, 8)}
    found: dict[str, dict[str, Any]] = {}
    for name, pyramid in rows.items():
        found[name] = {"pyramid": pyramid, "stock": 9, "waste": "10D", "foundation": "KS"}
        found[f"{name} with a turned card"] = found[name] | {"turned": "10C"}
    for game_id, game in ROW_GAMES.items():
        deal = dealt(game_id)
        found[f"{game.layout} {game_id}"] = deal
        long = [["10H"] * 14, *deal["left"][1:]]
        found[f"{game.layout} {game_id} grown"] = deal | {"left": long, "right": [*deal["right"][:-1], ["10C"] * 17]}
        found[f"{game.layout} {game_id} bare"] = deal | {
            "base": [None, *deal["base"][1:]],
            "right": [[]] * game_rows(deal),
        }
    grown = dealt("ulubiony")
    found["rows-columns long columns"] = grown | {"left_column": ["10S"] * 12, "right_column": []}
    return found


def game_rows(position: dict[str, Any]) -> int:
    return len(position["left"])


POSITIONS = every_layout()


def corner(cell: ElementTree.Element) -> tuple[float, float]:
    x, y = re.findall(r"-?[\d.]+", str(cell.get("transform")))
    return float(x), float(y)


def printed(cell: ElementTree.Element) -> Iterator[Box]:
    """The boxes of the rank and of the small suit of a card, as drawn."""
    x, y = corner(cell)
    for text in cell.iter(f"{SVG}text"):
        width = float(text.get("textLength", RANK_WIDTH))
        left = float(str(text.get("x"))) - (width if text.get("text-anchor") == "end" else 0)
        yield x + left, y + float(str(text.get("y"))) - RANK_HEIGHT, x + left + width, y + float(str(text.get("y")))
    groups = [group for group in cell.iter(f"{SVG}g") if "scale" in str(group.get("transform"))]
    sizes = [[float(n) for n in re.findall(r"-?[\d.]+", str(group.get("transform")))] for group in groups]
    if sizes:
        left, top, scale = min(sizes, key=lambda size: size[2])
        yield x + left + 8 * scale, y + top, x + left + 92 * scale, y + top + 97 * scale


def meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_every_layout_is_drawn() -> None:
    assert {name.split()[0] for name in POSITIONS} == set(LAYOUTS)


@pytest.mark.parametrize("name", list(POSITIONS))
def test_no_card_hides_the_rank_or_the_suit_of_another(name: str) -> None:
    drawn = list(cells(draw_position(POSITIONS[name])).values())
    for number, cell in enumerate(drawn):
        over = [
            (*corner(later), corner(later)[0] + CARD[0], corner(later)[1] + CARD[1]) for later in drawn[number + 1 :]
        ]
        for box in printed(cell):
            assert not any(meet(box, card) for card in over), cell.get("data-place")


@pytest.mark.parametrize("name", list(POSITIONS))
@pytest.mark.parametrize("beside", [{}, {f"table {n}": "KS" for n in range(1, 13)}], ids=["alone", "with cards beside"])
def test_everything_lies_within_the_drawing(name: str, beside: dict[str, str]) -> None:
    svg = draw_position(POSITIONS[name], beside=beside)
    _, _, width, height = map(float, str(ElementTree.fromstring(svg).get("viewBox")).split())
    for cell in cells(svg).values():
        x, y = corner(cell)
        assert 0 < x < x + CARD[0] < width and 0 < y < y + CARD[1] < height


@pytest.mark.parametrize("game_id", list(ROW_GAMES))
def test_every_card_of_a_row_game_is_a_cell_in_the_order_of_the_table(game_id: str) -> None:
    deal = dealt(game_id)
    drawn = cells(draw_position(deal))
    lying = [place for place, _ in family_of(GAMES[game_id]).deal(GAMES[game_id], Random(4)).lying()]
    assert set(lying) <= set(drawn)
    left = [corner(drawn[f"left 1 {n}"])[0] for n in range(1, len(deal["left"][0]) + 1)]
    right = [corner(drawn[f"right 1 {n}"])[0] for n in range(1, len(deal["right"][0]) + 1)]
    assert left == sorted(left, reverse=True) and right == sorted(right)
    assert left[0] < corner(drawn["base 1"])[0] < right[0]
    assert ("cellar" in drawn) == ROW_GAMES[game_id].row_options.cellar
    if "left_column" in deal:
        assert corner(drawn["left column 1"])[0] < left[-1] and right[-1] < corner(drawn["right column 1"])[0]


def test_an_empty_half_row_is_a_place_to_choose_and_a_card_that_cannot_be_read_is_marked_where_it_shows() -> None:
    deal = dealt("arcydzielo")
    drawn = cells(draw_position(deal | {"left": [[], ["!!", "2C"], *deal["left"][2:]]}))
    assert "slot" in ElementTree.tostring(drawn["left 1 1"], encoding="unicode")
    sign = next(drawn["left 2 1"].iter(f"{SVG}text"))
    assert (sign.text, float(str(sign.get("x"))) > CARD[0] / 2) == ("?", True)
