"""Cards beside a pyramid are read too, the pyramid is read as without them, and nothing else becomes one."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from rules.cards import Card
from tests.vision import laying
from vision.reader import Reader
from vision.reading import SeenCard, TableReading


@cache
def reader() -> Reader:
    return Reader.load()


def read(name: str, image: np.ndarray) -> TableReading:
    return reader().read_pixels(image, layout=f"pyramid-{len(laying.truth(name)['position']['pyramid'])}")


def beside(reading: TableReading) -> list[SeenCard]:
    return [card for card in reading.cards if card.place.startswith("table ")]


def codes(cards: list[SeenCard]) -> set[str]:
    return {str(card.card) for card in cards}


def middle(card: SeenCard) -> np.ndarray:
    return np.array(card.quad_xy).mean(0)


@pytest.mark.parametrize("name", laying.with_layout())
def test_a_table_without_strays_has_none(name: str) -> None:
    assert beside(read(name, laying.pixels(name))) == []


def test_cards_strewn_beside_the_pyramid_are_read_and_nothing_else_is_called_one() -> None:
    laid = found = moved = 0
    for name in laying.with_layout():
        alone = read(name, laying.pixels(name))
        image, cards = laying.strewn(name, 3, np.random.default_rng(1))
        reading = read(name, image)
        assert codes(beside(reading)) <= {card.code for card in cards}, name
        laid, found = laid + len(cards), found + len(beside(reading))
        moved += sum(reading.places.get(place) != seen for place, seen in alone.places.items())
    assert laid >= 30
    assert found >= 0.9 * laid, (found, laid)
    assert moved <= 3, moved


def test_strays_are_numbered_from_one_as_the_player_reads_with_chance_and_outline() -> None:
    name = "relaxed-deal"
    image, cards = laying.strewn(name, 3, np.random.default_rng(4))
    reading = read(name, image)
    strays = beside(reading)
    assert [card.place for card in strays] == [f"table {n}" for n in range(1, len(cards) + 1)]
    for card in strays:
        laid = next(c for c in cards if c.code == str(card.card))
        width = float(np.linalg.norm(laid.quad[1] - laid.quad[0]))
        assert np.linalg.norm(middle(card) - laid.quad.mean(0)) < 0.2 * width
        assert 0.5 < card.probability <= 1
        assert card.alternatives[0][0] == card.card
    assert not any(place.startswith("table ") for place in reading.places)


def test_the_player_reads_from_the_players_side() -> None:
    """Seen from across, the table is read as its player reads it: the number of a card does not hang on the camera."""
    name = "relaxed-deal"
    image, _ = laying.strewn(name, 3, np.random.default_rng(4))
    over = read(name, np.ascontiguousarray(image[::-1, ::-1]))
    assert {c.place: c.card for c in beside(over)} == {c.place: c.card for c in beside(read(name, image))}


@pytest.mark.parametrize("step", [(0.35, 0.0), (-0.35, 0.05), (0.0, 0.3), (0.25, 0.25)])
def test_a_waste_fanned_out_is_one_pile(step: tuple[float, float]) -> None:
    """The corners of the cards under the top show, and the last of them does not even touch it."""
    name = "pair-before"
    top = laying.quad_of(name, "waste")
    right, down = top[1] - top[0], top[3] - top[0]
    image = laying.pixels(name)
    sources = [
        ("easy-from-across", ("foundation",)),
        ("king-tut", ("foundation",)),
        ("relaxed-deal", ("tableau", 6, 0)),
    ]
    for number, (donor, slot) in enumerate(sources):
        away = (len(sources) - number) * (step[0] * right + step[1] * down)
        image = laying.lay(image, laying.pixels(donor), laying.quad_of(donor, *slot), top + away)
    image = laying.lay(image, laying.pixels(name), top, top)
    assert beside(read(name, image)) == []


@pytest.mark.parametrize("turned", [False, True])
def test_print_on_the_table_is_no_card(turned: bool) -> None:
    name = "relaxed-deal"
    image = laying.pixels(name).copy()
    page = np.full((230, 330, 3), 235, np.uint8)
    for line, text in enumerate(("10 K 7 A 9 Q", "J 4 7 of 8 2", "A K Q J 10 5")):
        cv2.putText(page, text, (12, 60 + 70 * line), cv2.FONT_HERSHEY_DUPLEX, 1.2, (25, 25, 30), 3, cv2.LINE_AA)
    image[10:240, 10:340] = page[::-1, ::-1] if turned else page
    assert beside(read(name, image)) == []


def test_a_card_of_the_pyramid_that_lies_beside_it_again_is_not_hushed_up() -> None:
    """Two of the same card: one deck speaks against it, yet both are seen as plainly as can be."""
    name = "relaxed-deal"
    source = laying.quad_of(name, "tableau", 6, 2)
    height, width = laying.pixels(name).shape[:2]
    there = laying.around(name, 0.86 * width, 0.14 * height, 0.3)
    strays = beside(read(name, laying.lay(laying.pixels(name), laying.pixels(name), source, there)))
    assert len(strays) == 1
    assert laying.truth(name)["position"]["pyramid"][6][2] in {str(seen) for seen, _ in strays[0].alternatives}


@pytest.mark.parametrize("turn", [-0.7, 0.2, 0.5, 1.57])
def test_a_pile_card_that_lies_askew_is_read(turn: float) -> None:
    name = "relaxed-deal"
    first, last = laying.quad_of(name, "tableau", 6, 0), laying.quad_of(name, "tableau", 6, 6)
    there = laying.quad_of(name, "stock").mean(0) + last.mean(0) - first.mean(0)
    donor, code, source = laying.open_cards(name)[0]
    askew = laying.around(name, *there, turn)
    reading = read(name, laying.lay(laying.pixels(name), laying.pixels(donor), source, askew))
    assert str(reading.places["foundation"]) == code
    assert beside(reading) == []


@pytest.mark.parametrize(("along", "pile"), [(0.0, "waste"), (0.9, "foundation")])
def test_a_lone_pile_is_told_by_where_it_lies(along: float, pile: str) -> None:
    reading = read_with_pile(along)
    assert isinstance(reading.places[pile], Card)
    assert not reading.doubts


def test_a_lone_pile_between_waste_and_foundation_is_asked_about_as_either() -> None:
    assert set(read_with_pile(0.53).doubts) == {"waste", "foundation"}


def read_with_pile(along: float) -> TableReading:
    """A fresh deal with a card below the last row, so far on the way from the waste to the foundation."""
    name = "relaxed-deal"
    first, last = (laying.quad_of(name, "tableau", 6, column).mean(0) for column in (0, 6))
    beside_stock = laying.quad_of(name, "stock").mean(0) + (last - first) / 6
    there = laying.around(name, *(beside_stock + along * (last - first) * 5 / 6), 0.0)
    donor, _, source = laying.open_cards(name)[0]
    return read(name, laying.lay(laying.pixels(name), laying.pixels(donor), source, there))


def test_a_card_between_waste_and_foundation_is_a_stray_where_both_are_laid() -> None:
    name = "pair-before"
    waste, foundation = laying.quad_of(name, "waste"), laying.quad_of(name, "foundation")
    there = laying.around(name, *(0.5 * waste.mean(0) + 0.5 * foundation.mean(0)), 0.0)
    source = laying.quad_of("relaxed-deal", "tableau", 6, 0)
    alone = read(name, laying.pixels(name))
    reading = read(name, laying.lay(laying.pixels(name), laying.pixels("relaxed-deal"), source, there))
    assert dict(reading.places) == dict(alone.places)
    assert codes(beside(reading)) == {laying.truth("relaxed-deal")["position"]["pyramid"][6][0]}
