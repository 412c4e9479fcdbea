"""Places outside the picture are told of where a card may lie there, and nowhere else."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.advice.cropped import missed
from vision.detect.heatmaps import Corners
from vision.posterior.spotted import Spotted

ROWS = 5
PLACES = [(r, c) for r in range(1, ROWS + 1) for c in range(1, r + 1)]
NOTHING = Corners(
    np.zeros((0, 2), np.float32), np.zeros((0, 2), np.float32), np.zeros((0, 2), np.float32), np.zeros(0, np.float32)
)


def name(place: tuple[int, int]) -> str:
    return f"pyramid {place[0]} {place[1]}"


def quad(place: tuple[int, int]) -> np.ndarray:
    x, y = 300 + 110 * (place[1] - place[0] / 2), 60 + 70 * place[0]
    return np.array([[x - 50, y - 70], [x + 50, y - 70], [x + 50, y + 70], [x - 50, y + 70]], np.float64)


def spotted(place: tuple[int, int], present: float) -> Spotted:
    return Spotted(name(place), present, 0.9, np.zeros(53), quad(place))


def above(place: tuple[int, int]) -> list[tuple[int, int]]:
    return [p for p in ((place[0] - 1, place[1] - 1), (place[0] - 1, place[1])) if p in PLACES]


@given(st.sets(st.sampled_from(PLACES)), st.sets(st.sampled_from(PLACES)))
def test_a_card_is_gone_after_one_that_it_lies_on(outside: set[tuple[int, int]], gone: set[tuple[int, int]]) -> None:
    seen = [spotted(p, 0.02 if p in gone else 0.98) for p in PLACES if p not in outside]

    def may_lie(place: tuple[int, int]) -> bool:
        if place not in outside:
            return place not in gone
        return all(may_lie(p) for p in above(place))

    told = missed([name(p) for p in PLACES if p in outside], seen, NOTHING)
    assert list(told) == [name(p) for p in PLACES if p in outside and may_lie(p)]


def test_a_card_that_shows_the_corner_it_would_cover_is_not_covered() -> None:
    parent = (4, 4)
    seen = [spotted(p, 0.98) for p in PLACES if p[0] < 5]
    right, down = np.array([[1.0, 0.0]], np.float32), np.array([[0.0, 1.0]], np.float32)
    # Clockwise from the lower right corner the edge runs left, and the other one up.
    corner = Corners(quad(parent)[2:3].astype(np.float32), -right, -down, np.ones(1, np.float32))
    assert missed(["pyramid 5 5"], seen, NOTHING) == ("pyramid 5 5",)
    assert missed(["pyramid 5 5"], seen, corner) == ()
    assert missed(["pyramid 5 4"], seen, corner) == ("pyramid 5 4",)
