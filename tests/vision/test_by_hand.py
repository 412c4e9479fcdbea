"""A layout read from its outer cards as a person points at them, about: as well as one that is found, and where none
is."""

from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from rules.cards import seen_code
from rules.layouts import LAYOUTS
from tests.vision.test_reader import SAMPLES, jpeg, names, pixels, reader, truth
from vision.errors import PictureError
from vision.layout.by_hand import ByHand, Point, corners_of
from vision.layout.carried import places_of
from vision.reading import TableReading

Rows = list[list[str | None]]


def rows(name: str) -> Rows:
    known: Rows = truth(name)["position"]["pyramid"]
    return known


def layout_of(name: str) -> str:
    return f"pyramid-{len(rows(name))}"


@cache
def corners(name: str) -> tuple[dict[str, Point], float]:
    """Where the outer cards of a sample lie by its truth, empty places too, and how wide a card is there."""
    layout = LAYOUTS[layout_of(name)]
    at = {spot.place: layout.centre(spot.at) for spot in layout.spots}
    laid = [card for card in truth(name)["cards"] if card["slot"][0] == "tableau"]
    lying = {f"pyramid {r + 1} {c + 1}": np.array(card["quad"]) for card in laid for _, r, c in [card["slot"]]}
    found, _ = cv2.findHomography(
        np.array([at[place] for place in lying]), np.array([quad.mean(0) for quad in lying.values()])
    )
    outer = corners_of(layout.id)
    points = cv2.perspectiveTransform(np.array([[at[place] for place in outer]]), found)[0]
    wide = float(np.mean([np.linalg.norm(quad[1] - quad[0]) for quad in lying.values()]))
    return {place: (float(x), float(y)) for place, (x, y) in zip(outer, points, strict=True)}, wide


def pointed(name: str, off: float, seed: int = 1) -> ByHand:
    """The outer cards of a sample pointed at, each so many card widths beside its middle, whichever way."""
    known, wide = corners(name)
    ways = np.random.default_rng(seed).uniform(0, 2 * np.pi, len(known))
    at = {
        place: (x + off * wide * float(np.cos(way)), y + off * wide * float(np.sin(way)))
        for (place, (x, y)), way in zip(known.items(), ways, strict=True)
    }
    return ByHand(layout_of(name), at)


def wrong(reading: TableReading, name: str) -> list[str]:
    """The places of a pyramid that are told otherwise than they lie."""
    known = {f"pyramid {r} {c}": code for r, row in enumerate(rows(name), 1) for c, code in enumerate(row, 1)}
    return [p for p, code in known.items() if p not in reading.places or seen_code(reading.places[p]) != code]


def test_pointed_at_within_a_tenth_or_a_quarter_of_a_card_samples_are_read_rightly() -> None:
    told = names()[::2]
    assert len(told) > 6
    for number, name in enumerate(told):
        data = SAMPLES.joinpath(f"{name}.jpg").read_bytes()
        assert wrong(reader().read(data, layout=pointed(name, (0.1, 0.25)[number % 2])), name) == []


def test_of_two_layouts_the_one_pointed_at_is_read() -> None:
    name = "king-tut"
    two = jpeg(np.hstack([pixels(name), pixels(name)[::-1, ::-1]]))
    with pytest.raises(PictureError) as refused:
        reader().read(two, layout=layout_of(name))
    assert refused.value.code == "two-layouts"
    found = reader().read(two, layout=pointed(name, 0.1))
    assert wrong(found, name) == []
    assert found.places["stock"] is True and found.places["waste"] is not None
    assert not any(card.place.startswith("table") for card in found.cards)


def test_what_is_left_of_a_pyramid_lies_in_as_many_rows_as_is_said() -> None:
    name = "math-late"
    data = SAMPLES.joinpath(f"{name}.jpg").read_bytes()
    assert reader().read(data).layout == "pyramid-4"
    found = reader().read(data, layout=pointed(name, 0.1))
    assert found.layout == "pyramid-7" and wrong(found, name) == []


def test_it_is_the_same_from_all_sides_whichever_end_of_the_row_is_called_the_first() -> None:
    name = "pair-before"
    asked, image = pointed(name, 0.1), pixels(name)
    height, width = image.shape[:2]
    apex, first, last = corners_of(asked.layout)
    over = {place: (width - x, height - y) for place, (x, y) in asked.corners.items()}
    swapped = ByHand(asked.layout, {apex: over[apex], first: over[last], last: over[first]})
    for there in (ByHand(asked.layout, over), swapped):
        assert wrong(reader().read(jpeg(image[::-1, ::-1]), layout=there), name) == []


def test_on_a_table_without_cards_nothing_is_made_up() -> None:
    cloth = np.full((600, 800, 3), (40, 90, 60), np.uint8)
    there = ByHand("pyramid-7", {"pyramid 1 1": (400, 80), "pyramid 7 1": (150, 400), "pyramid 7 7": (650, 400)})
    with pytest.raises(PictureError) as refused:
        reader().read(jpeg(cloth), layout=there)
    assert refused.value.code == "no-cards"


def test_of_a_large_picture_the_points_are_in_its_own_pixels() -> None:
    name = "pair-before"
    asked = pointed(name, 0.1).scaled(2.2)
    large = cv2.resize(pixels(name), None, fx=2.2, fy=2.2, interpolation=cv2.INTER_CUBIC)
    found = reader().read(jpeg(large), layout=asked)
    assert wrong(found, name) == []
    assert places_of(found)["pyramid 1 1"][0][0] > places_of(reader().read(jpeg(pixels(name))))["pyramid 1 1"][0][0]


def half_rows(name: str, layout: str, off: float) -> tuple[ByHand, dict[str, str]]:
    """The outer cards of a row game pointed at, each so many card widths beside its middle, and what lies there."""
    cards: dict[str, Any] = {}
    for card in truth(name)["cards"]:
        line, *numbers = card["slot"]
        # Of a foundation the last card is on top.
        shown = {"base": numbers[:1], "cellar": []}.get(line, numbers)
        cards[" ".join([line, *(str(number + 1) for number in shown)])] = card
    middle = {place: np.mean(card["quad"], axis=0) for place, card in cards.items()}
    wide = float(np.median([np.linalg.norm(np.subtract(*card["quad"][:2])) for card in cards.values()]))
    sides = {side: [middle[place] for place in middle if place.startswith(side)] for side in ("left", "right")}
    outer = [middle["base 1"], middle["base 4"]]
    outer += [min(sides["left"], key=lambda at: at[0]), max(sides["right"], key=lambda at: at[0])]
    ways = np.random.default_rng(2).uniform(0, 2 * np.pi, len(outer))
    at = {
        corner: (float(x + off * wide * np.cos(way)), float(y + off * wide * np.sin(way)))
        for corner, (x, y), way in zip(corners_of(layout), outer, ways, strict=True)
    }
    return ByHand(layout, at), {place: card["code"] for place, card in cards.items()}


@pytest.mark.parametrize(("name", "layout"), [("ulubiony", "rows-columns"), ("wiezniowie-12", "rows-6")])
def test_half_rows_are_read_from_the_base_column_and_the_outermost_cards(name: str, layout: str) -> None:
    asked, lying = half_rows(name, layout, 0.25)
    found = reader().read(jpeg(pixels(name)), layout=asked)
    told = {place: seen_code(seen) for place, seen in found.places.items() if not isinstance(seen, bool)}
    assert {place: told.get(place) for place in lying} == lying


def test_of_two_tables_of_half_rows_the_one_pointed_at_is_read() -> None:
    asked, lying = half_rows("piwnica-before", "rows-5-4", 0.1)
    image = pixels("piwnica-before")
    two = jpeg(np.hstack([image, image[::-1, ::-1]]))
    with pytest.raises(PictureError) as refused:
        reader().read(two, layout=asked.layout)
    assert refused.value.code == "two-layouts"
    told = reader().read(two, layout=asked).places
    assert {place: seen_code(told[place]) for place in lying if place in told} == lying
