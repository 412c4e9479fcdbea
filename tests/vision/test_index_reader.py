"""What an index says of its suit where another card may lie over it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.recognize import index_reader
from vision.recognize.index_reader import CARDS, NONE, SIZE, Readings

ACE_OF_DIAMONDS, KING_OF_DIAMONDS = (next(k for k, c in enumerate(CARDS) if str(c) == code) for code in ("AD", "KD"))
HEIGHT = 20.0


def readings(aside: float, below: float, size: float = 1.0, index: float = 0.98) -> Readings:
    """An ace of diamonds, and a king so far beside and below its rank, in rank heights, that is so sure an index."""
    frames = np.zeros((2, 2, 3), np.float32)
    frames[0] = [[0, -HEIGHT, 200], [HEIGHT, 0, 300]]  # a card that lies on its side
    frames[1, :, :2] = frames[0, :, :2] * size
    frames[1, :, 2] = frames[0, :, 2] + frames[0, :, 0] * aside + frames[0, :, 1] * below
    beliefs = np.zeros((2, SIZE))
    beliefs[0, ACE_OF_DIAMONDS], beliefs[0, NONE] = 0.98, 0.02
    beliefs[1, KING_OF_DIAMONDS], beliefs[1, NONE] = index, 1 - index
    return Readings(frames, beliefs)


@pytest.mark.parametrize(("aside", "below"), [(0.0, 1.2), (-0.5, 1.6), (0.4, 0.7)])
def test_a_suit_is_not_believed_where_the_rank_of_another_card_stands(aside: float, below: float) -> None:
    told = index_reader.without_borrowed(readings(aside, below))
    aces = [k for k, card in enumerate(CARDS) if card.rank == CARDS[ACE_OF_DIAMONDS].rank]
    assert np.allclose(told.beliefs[0, aces], 0.98 / 4)
    assert np.allclose(told.is_index(), [0.98, 0.98])
    assert told.beliefs[1, KING_OF_DIAMONDS] == pytest.approx(0.98), "the card on top shows its own suit"


@pytest.mark.parametrize(
    "other",
    [readings(1.2, 0.0), readings(0.0, 2.4), readings(0.0, 1.2, size=2.0), readings(0.0, 1.2, index=0.4)],
    ids=["beside", "far below", "far larger", "hardly an index"],
)
def test_a_suit_is_believed_where_another_rank_does_not_cover_it(other: Readings) -> None:
    assert np.allclose(index_reader.without_borrowed(other).beliefs, other.beliefs)


def test_a_share_of_what_is_said_of_the_suit_may_be_of_any() -> None:
    told = index_reader.unsuited(readings(5.0, 5.0), np.array([0.1, 0.0]))
    assert told.beliefs[0, ACE_OF_DIAMONDS] == pytest.approx(0.98 * (0.9 + 0.1 / 4))
    assert told.beliefs[0].sum() == pytest.approx(1.0)
    assert told.beliefs[1, KING_OF_DIAMONDS] == pytest.approx(0.98)
