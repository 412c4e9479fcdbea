"""Which cards something lies on that is no card: by the cells that it hides, but for what all backs show."""

import numpy as np
import pytest

from vision.advice.covered import LIMITS, covered
from vision.posterior.spotted import Spotted
from vision.recognize.card_classifier import CELLS

QUAD = np.array([[0.0, 0.0], [60.0, 0.0], [60.0, 84.0], [0.0, 84.0]])


def spot(place: str, hidden: np.ndarray | None, *, face: float = 1.0, present: float = 1.0) -> Spotted:
    return Spotted(place, present, face, np.zeros(53), QUAD, hidden=hidden)


def cells(rows: int, level: float = 1.0) -> np.ndarray:
    """A card of which the upper rows of cells are hidden so much."""
    out = np.zeros(CELLS)
    out[:rows] = level
    return out


def test_a_face_is_covered_where_enough_of_it_is_hidden() -> None:
    spotted = [spot("a", cells(2)), spot("b", cells(0)), spot("c", cells(8, LIMITS.share / 2)), spot("d", None)]
    assert list(covered(spotted)) == ["a"]


def test_where_no_card_is_thought_to_lie_nothing_is_covered() -> None:
    assert list(covered([spot("a", cells(8), present=0.3)])) == []


def test_what_another_card_hides_does_not_count() -> None:
    under = cells(6)
    under[:4] = np.nan
    assert list(covered([spot("a", under)])) == ["a"]
    under[4:, 1:] = 0.0
    assert list(covered([spot("a", under)])) == []


@pytest.mark.parametrize("others", [1, 4, 20])
def test_what_all_backs_show_is_print_and_what_one_shows_beyond_it_is_none(others: int) -> None:
    backs = [spot(f"{n}", cells(3, 0.8), face=0.0) for n in range(others)]
    assert list(covered([*backs, spot("like them", cells(3, 0.8), face=0.0)])) == []
    assert list(covered([*backs, spot("hidden", cells(6), face=0.0)])) == ["hidden"]


def test_of_a_back_alone_nothing_is_told() -> None:
    assert list(covered([spot("stock", cells(8), face=0.0), spot("face", cells(0))])) == []
