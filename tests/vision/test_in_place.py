"""A pyramid read with its places known: every place is looked at where it lies, whatever was found there."""

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from rules.cards import GONE, Seen
from rules.layouts import LAYOUTS, PILES
from tests.vision.test_reader import SAMPLES, jpeg, names, pixels, reader, truth
from vision.errors import PictureError
from vision.layout.in_place import InPlace
from vision.reading import Quad, TableReading

Pixels = np.ndarray


def asked(name: str) -> str:
    return f"pyramid-{len(truth(name)['position']['pyramid'])}"


def places_of(reading: TableReading) -> dict[str, Quad]:
    return {card.place: card.quad_xy for card in reading.cards}


def told(reading: TableReading, places: Mapping[str, Quad]) -> dict[str, Seen | bool]:
    """What lies at these places of the pyramid."""
    return {place: reading.places[place] for place in places if place not in PILES}


def alone(image: Pixels, lying: list[Quad], gone: list[Quad]) -> Pixels:
    """The picture with only these cards of a layout, cloth where the others lay."""
    away, kept = (np.zeros(image.shape[:2], np.uint8) for _ in range(2))
    for mask, quads in ((away, gone), (kept, lying)):
        for quad in quads:
            cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    away = cv2.dilate(away, np.ones((25, 25), np.uint8))
    out = image.copy()
    out[(away > 0) & (kept == 0)] = np.median(image[:40].reshape(-1, 3), axis=0)
    return out


def carrying(layout: str, lying: set[str]) -> set[str]:
    """The places of a pyramid on which these cards lie, or others that they lie on."""
    out = set[str]()
    for spot in reversed(LAYOUTS[layout].spots):
        if any(place in lying or place in out for place in spot.covered_by):
            out.add(spot.place)
    return out


def test_read_where_they_lie_the_samples_show_the_same_cards() -> None:
    differ, count = 0, 0
    for name in names():
        data = SAMPLES.joinpath(f"{name}.jpg").read_bytes()
        first = reader().read(data, layout=asked(name))
        again = reader().read(data, layout=InPlace(asked(name), places_of(first)))
        here = places_of(first)
        count += len(told(first, here))
        differ += sum(told(first, here)[place] != told(again, here)[place] for place in told(first, here))
    assert count > 250
    assert differ <= count // 100


def test_cards_too_few_to_tell_a_pyramid_are_read_where_it_lay() -> None:
    name = "pair-before"
    first = reader().read(SAMPLES.joinpath(f"{name}.jpg").read_bytes(), layout=asked(name))
    there = places_of(first)
    kept = [place for place in there if place in ("pyramid 7 3", "pyramid 7 6", *PILES)]
    gone = [place for place in there if place not in kept]
    left = alone(pixels(name), [there[place] for place in kept], [there[place] for place in gone])
    with pytest.raises(PictureError) as refused:
        reader().read(jpeg(left), layout=asked(name))
    assert refused.value.code == "no-layout"
    found = reader().read(jpeg(left), layout=InPlace(asked(name), there))
    assert {place: found.places[place] for place in kept} == {place: first.places[place] for place in kept}
    # What the two lie on cannot have gone in a game: it may be told otherwise.
    below = carrying(asked(name), set(kept))
    assert len(below) < len(gone)
    assert all(found.places[place] is GONE for place in gone if place not in below)


def test_places_are_named_in_pixels_of_the_file_that_is_read() -> None:
    quad: Quad = ((10.0, 20.0), (30.0, 20.0), (30.0, 60.0), (10.0, 60.0))
    there = InPlace("pyramid-7", {"stock": quad}).scaled(0.5)
    assert there.at["stock"] == ((5.0, 10.0), (15.0, 10.0), (15.0, 30.0), (5.0, 30.0))


def test_a_place_that_is_empty_is_told_with_its_chances() -> None:
    name = "pair-after"
    found = reader().read(SAMPLES.joinpath(f"{name}.jpg").read_bytes(), layout=asked(name))
    gone = {place for place, seen in found.places.items() if seen is GONE and place.startswith("pyramid")}
    assert gone and gone <= found.empty.keys()
    assert all(dict(found.empty[place])[GONE] > 0.5 for place in gone)


def test_a_place_without_an_area_is_not_looked_at() -> None:
    name = "pair-before"
    data = SAMPLES.joinpath(f"{name}.jpg").read_bytes()
    there = places_of(reader().read(data, layout=asked(name)))
    point: Quad = ((5.0, 5.0),) * 4
    found = reader().read(data, layout=InPlace(asked(name), {**there, "pyramid 1 1": point}))
    assert "pyramid 1 1" not in found.places and "pyramid 2 1" in found.places
