"""A pyramid that is mostly in doubt, or not told at all, is looked at on its side as well."""

import numpy as np
import pytest

from tests.vision.test_reader import pixels, reader
from vision.errors import PictureError
from vision.reader import Reader
from vision.reading import TableReading

NEAR = 12.0
"""Pixels by which the corners of a card may differ from one look to the other."""


def picture(name: str) -> np.ndarray:
    return np.ascontiguousarray(pixels(name)[..., ::-1])


def corners(reading: TableReading) -> dict[str, np.ndarray]:
    return {card.place: np.array(card.quad_xy) for card in reading.cards}


def looks(monkeypatch: pytest.MonkeyPatch, refused: int) -> list[tuple[int, int]]:
    """The heights and widths of the pictures read from now on, of which the first ones are refused."""
    read, shapes = Reader._read, list[tuple[int, int]]()

    def told(self: Reader, shrunk, *rest):  # type: ignore[no-untyped-def]
        shapes.append(shrunk.levels[0].shape[:2])
        if len(shapes) <= refused:
            raise PictureError("no-layout")
        return read(self, shrunk, *rest)

    monkeypatch.setattr(Reader, "_read", told)
    return shapes


def test_a_pyramid_refused_is_read_on_its_side_in_the_pixels_of_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    image = picture("king-tut")
    usual = reader().read_pixels(image, layout="pyramid-7")
    shapes = looks(monkeypatch, refused=1)
    turned = reader().read_pixels(image, layout="pyramid-7")
    assert shapes == [image.shape[:2], image.shape[1::-1]]
    assert (turned.width, turned.height) == (usual.width, usual.height) == image.shape[1::-1]
    assert turned.places == usual.places
    there, here = corners(turned), corners(usual)
    assert there.keys() == here.keys()
    assert max(np.abs(there[place] - here[place]).max() for place in here) < NEAR


def test_where_the_other_look_tells_nothing_either_the_picture_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = looks(monkeypatch, refused=2)
    with pytest.raises(PictureError) as refused:
        reader().read_pixels(picture("king-tut"), layout="pyramid-7")
    assert (refused.value.code, len(shapes)) == ("no-layout", 2)


@pytest.mark.parametrize(("name", "layout"), [("arcydzielo", "rows-6"), ("king-tut", None)])
def test_half_rows_and_loose_cards_are_looked_at_once(
    monkeypatch: pytest.MonkeyPatch, name: str, layout: str | None
) -> None:
    shapes = looks(monkeypatch, refused=1)
    with pytest.raises(PictureError):
        reader().read_pixels(picture(name), layout=layout)
    assert len(shapes) == 1


def test_what_is_read_well_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = looks(monkeypatch, refused=0)
    reader().read_pixels(picture("king-tut"), layout="auto")
    assert len(shapes) == 1
