"""Cards fitted to their corners."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.detect.card_voting import CardFinds
from vision.detect.heatmaps import Corners, together
from vision.detect.outline_fit import RING, fitted, heat, held, standing

SIDES = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))


def _finds(axes: np.ndarray) -> CardFinds:
    right, down, middle = (axes[None, :, k].astype(np.float32) for k in range(3))
    one = np.ones(1, np.float32)
    return CardFinds(middle, down, right, one, one * 100, one * 70)


def _corners(axes: np.ndarray, which: tuple[int, ...]) -> Corners:
    at = RING @ axes[:, :2].T + axes[:, 2]
    ways = np.array(SIDES) @ axes[:, :2].T
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    edge, other = ways, -np.roll(ways, 1, axis=0)
    take = list(which)
    return Corners(*(v[take].astype(np.float32) for v in (at, edge, other, np.ones(4))))


def _slanted(degrees: float) -> tuple[np.ndarray, np.ndarray]:
    """A card lying askew seen from 30° above, and the square find of the same middle that the card map gives of it."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    true = np.array([[40 * c, -56 * s, 300.0], [20 * s, 28 * c, 200.0]])
    right, down = true[:, 0], true[:, 1]
    square = np.array([down[1], -down[0]]) * np.linalg.norm(right) / np.linalg.norm(down)
    return true, np.column_stack([(right + square) / 2, down, true[:, 2]])


@pytest.mark.parametrize("degrees", [-40.0, -20.0, 0.0, 20.0, 40.0])
def test_four_corners_give_the_true_shape_of_a_slanted_card(degrees: float) -> None:
    true, start = _slanted(degrees)
    corners = _corners(true, (0, 1, 2, 3))
    card = fitted(_finds(start), corners)
    assert np.allclose(card.quads()[0], RING @ true[:, :2].T + true[:, 2], atol=3)
    assert held(card, corners).tolist() == [4]


@given(st.integers(0, 3), st.floats(-25, 25))
def test_one_corner_and_the_middle_give_the_shape(corner: int, degrees: float) -> None:
    true, start = _slanted(degrees)
    before, after = (
        np.abs(card.quads()[0] - (RING @ true[:, :2].T + true[:, 2])).max()
        for card in (_finds(start), fitted(_finds(start), _corners(true, (corner,))))
    )
    assert after <= before + 0.5


def test_a_card_without_corners_stays_and_one_found_twice_counts_once() -> None:
    true, _ = _slanted(0.0)
    far = _corners(true + np.array([[0, 0, 400.0], [0, 0, 0]]), (0, 1, 2, 3))
    assert np.array_equal(fitted(_finds(true), far).quads(), _finds(true).quads())
    twice = CardFinds(*(np.repeat(getattr(_finds(true), name), 2, axis=0) for name in CardFinds.__slots__))
    assert len(fitted(twice, _corners(true, (0, 1, 2, 3)))) == 1


@pytest.mark.parametrize("which", [(), (0,), (1, 2), (0, 1, 2, 3)])
def test_heat_counts_a_card_s_own_corners_once_and_standing_names_every_one(which: tuple[int, ...]) -> None:
    true, _ = _slanted(20.0)
    own = _corners(true, which)
    other = _corners(true + np.array([0.0, 0.0, 300.0]), (0, 1))
    seen_twice = together([own, own, other])
    assert heat(true[None], seen_twice).tolist() == [len(which)]
    assert standing(_finds(true), seen_twice).tolist() == [True] * (2 * len(which)) + [False] * 2
