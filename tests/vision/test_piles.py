"""Which pile below a pyramid is which, and what is none."""

import numpy as np
import pytest

from vision.layout.piles import Top, _named
from vision.posterior.observation import Query, none_read
from vision.posterior.spotted import Spotted
from vision.recognize.index_reader import NONE

# Half a last row of five cards, in card widths.
EDGE = 2.2
AXES = np.array([[50.0, 0.0, 0.0], [0.0, 70.0, 0.0]])


def top(x: float, *, face: bool) -> Top:
    """A pile's top so far right of the middle."""
    seen = Spotted("", 0.99, float(face), np.full(NONE, 1 / NONE), np.zeros((4, 2)))
    return Top(Query("", AXES, none_read(), kind="pile"), seen, x)


@pytest.mark.parametrize(
    ("lying", "told"),
    [
        ([(-2.2, False), (-1.1, True), (2.2, True)], {"stock": -2.2, "waste": -1.1, "foundation": 2.2}),
        ([(-2.2, True), (-1.1, True)], {"turned": -2.2, "waste": -1.1}),
        ([(-1.1, True)], {"waste": -1.1}),
        ([(-2.2, True)], {"turned": -2.2}),
        # What lies face down beside the stock is no waste.
        ([(-2.2, False), (-0.4, False)], {"stock": -2.2}),
        ([(-3.2, False), (-2.2, False), (-1.1, True)], {"stock": -2.2, "waste": -1.1}),
        # And where a face lies left of the stock it is no card turned up from it.
        ([(-2.2, True), (-1.1, False)], {"waste": -2.2, "stock": -1.1}),
    ],
)
def test_piles_are_named_by_where_they_lie_and_the_waste_lies_face_up(
    lying: list[tuple[float, bool]], told: dict[str, float]
) -> None:
    named, _ = _named([top(x, face=face) for x, face in lying], EDGE)
    assert {name: one.x for name, one in named} == told


def test_a_stock_that_lies_right_of_the_waste_is_in_doubt() -> None:
    _, off = _named([top(-2.2, face=True), top(-1.1, face=False)], EDGE)
    _, usual = _named([top(-2.2, face=False), top(-1.1, face=True)], EDGE)
    assert off == 0.0 < usual
