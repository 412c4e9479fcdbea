"""A rank has the ink of its suit, and the surest indices of a picture show which ink that is."""

from __future__ import annotations

import numpy as np
import pytest

from vision.image.shrunk import Shrunk
from vision.recognize import ink_prior
from vision.recognize.index_reader import NONE, SIZE, Readings

SPADES, HEARTS, DIAMONDS, CLUBS = range(4)
BLACK, RED, BLUE, GREEN = (20, 20, 20), (200, 30, 40), (40, 60, 200), (30, 140, 60)


def _belief(suit: int, chance: float, other: int, rank: int = 6) -> np.ndarray:
    """A card of this suit, a seven if nothing else is told, or else that of another."""
    out = np.full(SIZE, 1e-6)
    out[suit * 13 + rank], out[other * 13 + rank] = chance, 1 - chance
    return out


def _sure(suits: tuple[int, ...]) -> list[np.ndarray]:
    """Cards of these suits that are read surely, of other ranks than the seven."""
    return [_belief(suit, 0.99, (suit + 1) % 4, number % 6) for number, suit in enumerate(suits)]


def _table(printed: list[tuple[int, int, int]], beliefs: list[np.ndarray]) -> tuple[Shrunk, Readings]:
    """Ranks 20 pixels high in these inks side by side on white paper, and what was read there."""
    image = np.full((60, 60 * len(printed), 3), 245, np.uint8)
    frames = []
    for number, ink in enumerate(printed):
        x = 60 * number + 30
        image[20:40, x - 3 : x + 3] = ink
        frames.append([[20, 0, x - 0.5], [0, 20, 29.5]])
    return Shrunk(image), Readings(np.array(frames, np.float32), np.array(beliefs))


def test_the_suit_of_a_neighbour_is_not_believed_of_a_rank_in_another_ink() -> None:
    # A red seven beside whose index a club shows, read as a club; the others are read rightly.
    sure = _sure((SPADES, CLUBS, CLUBS, HEARTS, HEARTS, DIAMONDS))
    picture, readings = _table([BLACK] * 3 + [RED] * 4, [*sure, _belief(CLUBS, 0.85, HEARTS)])
    told = ink_prior.weighed(picture, readings).beliefs
    seven = told[6].reshape(-1)[:52].reshape(4, 13)[:, 6]
    assert seven[HEARTS] > seven[CLUBS]
    # Those in their own ink stay as they were read.
    np.testing.assert_allclose(told[:3], readings.beliefs[:3], atol=0.03)
    np.testing.assert_allclose(told.sum(1), readings.beliefs.sum(1))


def test_what_was_read_surely_stands_against_one_ink() -> None:
    # The ink may have been measured of a card that lies close by.
    sure = _sure((SPADES, CLUBS, CLUBS, HEARTS, HEARTS, DIAMONDS))
    picture, readings = _table([BLACK] * 3 + [RED] * 4, [*sure, _belief(CLUBS, 0.995, HEARTS)])
    seven = ink_prior.weighed(picture, readings).beliefs[6].reshape(-1)[:52].reshape(4, 13)[:, 6]
    assert seven[CLUBS] > 0.9


def test_ranks_all_in_one_ink_change_nothing() -> None:
    suits = (SPADES, HEARTS, DIAMONDS, CLUBS) * 2
    beliefs = [_belief(suit, 0.96, (suit + 1) % 4, rank) for rank, suit in enumerate(suits)]
    picture, readings = _table([BLACK] * 8, beliefs)
    np.testing.assert_allclose(ink_prior.weighed(picture, readings).beliefs, readings.beliefs, atol=0.01)


def test_a_deck_of_four_colours_tells_clubs_from_spades() -> None:
    suits = (SPADES, CLUBS, HEARTS, DIAMONDS) * 2
    printed = [(BLACK, RED, BLUE, GREEN)[suit] for suit in suits]
    picture, readings = _table([*printed, GREEN], [*_sure(suits), _belief(SPADES, 0.6, CLUBS)])
    seven = ink_prior.weighed(picture, readings).beliefs[-1][:52].reshape(4, 13)[:, 6]
    assert seven[CLUBS] > 0.8


@pytest.mark.parametrize(("diamonds", "least", "most"), [(BLUE, 0.5, 0.7), (RED, 0.9, 0.93)], ids=["four", "two"])
def test_whether_hearts_and_diamonds_have_one_ink_says_whether_spades_and_clubs_do(
    diamonds: tuple[int, int, int], least: float, most: float
) -> None:
    # Both indices of a green seven are read as spades, of which there is no other; clubs are green.
    suits = (CLUBS, HEARTS, DIAMONDS, HEARTS, DIAMONDS)
    printed = [{CLUBS: GREEN, HEARTS: RED, DIAMONDS: diamonds}[suit] for suit in suits]
    beliefs = [*_sure(suits), _belief(SPADES, 0.92, CLUBS), _belief(SPADES, 0.92, CLUBS)]
    told = ink_prior.weighed(*_table([*printed, GREEN, GREEN], beliefs)).beliefs
    for seven in told[-2:, :52].reshape(2, 4, 13)[:, :, 6]:
        assert least < seven[SPADES] < most


@pytest.mark.parametrize("count", [0, 1])
def test_a_lone_rank_stays_as_it_was_read(count: int) -> None:
    picture, readings = _table([RED] * max(count, 1), [_belief(CLUBS, 0.9, HEARTS)] * max(count, 1))
    readings = readings.take(np.arange(count))
    np.testing.assert_allclose(ink_prior.weighed(picture, readings).beliefs, readings.beliefs, atol=1e-9)
    assert (readings.beliefs[:, NONE] < 1e-5).all()
