"""Which cards the witnesses of whole cards, corners and indices agree on."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cards.candidates import Candidates, candidates
from vision.cards.card_list import listed
from vision.cards.homography import Plane
from vision.detect.card_voting import CardFinds
from vision.detect.heatmaps import Corners
from vision.detect.multiscale import Found, Kinds
from vision.detect.outline_fit import RING
from vision.recognize.card_frame import USUAL, USUAL_UNIT
from vision.recognize.index_reader import SIZE, Readings

# A card is 100 pixels wide and 140 high here.
HALF = np.array([50.0, 70.0])
PLANE = Plane(np.diag([1 / 100, 1 / 140, 1.0]), 0.0)
# A card map that shows the bare table everywhere.
NOTHING = Kinds(np.zeros((3, 0, 0), np.float32), (8.0, 8.0))


def _told(turn: float) -> Candidates:
    """The candidates told of one card turned by so many degrees, with all its corners and its upper index."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    sides = np.array([[c, -s], [s, c]]) * HALF
    middle = np.array([400.0, 300.0])
    ways = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]]) @ sides.T
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    at, edge, other = (v.astype(np.float32) for v in (RING @ sides.T + middle, ways, -np.roll(ways, 1, axis=0)))
    corners = Corners(at, edge, other, np.ones(4, np.float32))
    one = np.ones(1, np.float32)
    right, down, here = (v[None].astype(np.float32) for v in (sides[:, 0], sides[:, 1], middle))
    cards = CardFinds(here, down, right, one, one * 100, one * 70)
    frame = np.column_stack([sides * USUAL_UNIT, sides @ np.array(USUAL) + middle])
    belief = np.zeros((1, SIZE))
    belief[0, 5] = 1.0
    return _candidates(cards, corners, Readings(frame[None].astype(np.float32), belief))


def _candidates(cards: CardFinds, corners: Corners, readings: Readings) -> Candidates:
    found = Found(readings.frames, np.ones(len(readings), np.float32), corners, cards, NOTHING)
    return candidates(PLANE, found, listed(found, readings))


@pytest.mark.parametrize("turn", [-8.0, 0.0, 8.0, 180.0])
def test_a_card_laid_as_the_layout_is_told_once_where_it_lies(turn: float) -> None:
    cards = _told(turn)
    assert np.abs(cards.middle - [4.0, 300 / 140]).max() < 0.1
    assert (len(cards), cards.index[0] > 0.9, cards.body[0] > 2) == (1, True, True)


@pytest.mark.parametrize("turn", [-90.0, -60.0, -25.0, 25.0, 40.0, 75.0, 90.0])
def test_of_a_card_that_lies_askew_no_card_of_the_layout_is_made_up(turn: float) -> None:
    assert len(_told(turn)) == 0


def test_finds_far_from_upright_are_no_witnesses_and_the_rest_is_still_told() -> None:
    """On a plane put badly a find can lie a dozen cards from upright, so that it weighs nothing at all."""
    middle = np.array([[400.0, 300.0], [900.0, 300.0]], np.float32)
    sides = np.array([[[50.0, 0], [0, 70.0]], [[4000.0, 0], [0, 5600.0]]], np.float32)
    one = np.ones(2, np.float32)
    cards = CardFinds(middle, sides[:, 1], sides[:, 0], one, one * 100, one * 70)
    nothing = Corners(*(np.zeros(shape, np.float32) for shape in ((0, 2), (0, 2), (0, 2), (0,))))
    told = _candidates(cards, nothing, Readings(np.zeros((0, 2, 3), np.float32), np.zeros((0, SIZE))))
    assert np.allclose(told.middle, [[4.0, 300 / 140]], atol=0.01)


def _read_at(*reads: tuple[int, tuple[float, float], int]) -> Candidates:
    """The candidates told by indices alone: which card each names, the middle of the card it stands on in card sides,
    and 1 for an upper or −1 for a turned one.
    """
    half = np.diag(HALF)
    frames = [np.column_stack([way * half * USUAL_UNIT, 2 * HALF * at + way * HALF * USUAL]) for _, at, way in reads]
    nothing, none = np.zeros((0, 2), np.float32), np.zeros(0, np.float32)
    beliefs = np.full((len(reads), SIZE), 0.001)
    beliefs[range(len(reads)), [card for card, _, _ in reads]] = 0.95
    return _candidates(
        CardFinds(nothing, nothing, nothing, none, none, none),
        Corners(nothing, nothing, nothing, none),
        Readings(np.array(frames, np.float32), beliefs),
    )


def test_what_stands_where_a_card_has_no_index_is_of_another_card_though_it_names_the_same() -> None:
    told = _read_at((5, (2.0, 2.0), 1), (5, (2.0, 2.0), -1), (5, (2.0, 2.45), -1))
    assert np.allclose(np.sort(told.middle[:, 1]), [2.0, 2.45], atol=0.02)


def test_two_cards_told_at_one_place_of_a_layout_are_one() -> None:
    told = _read_at((5, (2.0, 2.0), 1), (9, (2.02, 2.02), -1))
    assert (len(told), told.upper[0] > 0.9, told.lower[0] > 0.9) == (1, True, True)


def test_what_lies_where_both_sides_of_a_four_index_card_say_is_that_card() -> None:
    left = [(n, (1.0 + 2 * n, 2.0), 1) for n in range(4)]
    right = [(n, (1.0 + 2 * n - USUAL[0], 2.0), 1) for n in range(4)]
    # Its lower right index was read as that of another card.
    cards = _read_at(*left, *right, (9, (1.0, 2.0), -1))
    assert np.allclose(np.sort(cards.middle[:, 0]), [1.0, 3.0, 5.0, 7.0], atol=0.05)
