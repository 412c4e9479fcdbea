"""A card surely read that no place shows puts the empty-looking places near it in doubt, several put the pyramid."""

from __future__ import annotations

import numpy as np
import pytest

from rules.cards import FACE_DOWN, GONE, Card
from vision.posterior.unmatched import beyond, doubted, unplaced
from vision.reading import SeenCard
from vision.recognize.index_reader import FACES, SIZE, Readings, joined

SEVEN, NINE, KING = Card.parse("7C"), Card.parse("9D"), Card.parse("KH")
PLACE = ((100.0, 100.0), (200.0, 100.0), (200.0, 240.0), (100.0, 240.0))


def read(card: Card, chance: float, x: float, y: float) -> Readings:
    belief = np.zeros(SIZE)
    belief[FACES.index(card)], belief[-1] = chance, 1 - chance
    return Readings(np.array([[[14, 0, x], [0, 14, y]]], np.float32), belief[None])


def empty() -> SeenCard:
    return SeenCard("pyramid 7 2", GONE, 0.97, False, (), PLACE)


@pytest.mark.parametrize(("x", "y", "doubtful"), [(110, 115, True), (85, 110, True), (300, 115, False)])
def test_an_empty_place_is_in_doubt_where_a_card_was_read_that_no_place_shows(x: int, y: int, doubtful: bool) -> None:
    lost = unplaced(read(SEVEN, 0.99, x, y), [KING, GONE])
    assert doubted([empty()], lost)[0].doubtful == doubtful
    assert beyond([empty()], lost) != doubtful


def test_a_card_named_elsewhere_or_hardly_read_puts_nothing_in_doubt() -> None:
    for lost in (unplaced(read(SEVEN, 0.99, 110, 115), [SEVEN]), unplaced(read(SEVEN, 0.6, 110, 115), [KING])):
        assert not doubted([empty()], lost)[0].doubtful
        assert not beyond([empty()], lost)


def test_a_place_that_shows_a_card_is_left_as_it_is() -> None:
    card = SeenCard("pyramid 7 2", KING, 0.99, False, (), PLACE)
    assert doubted([card], unplaced(read(SEVEN, 0.99, 110, 115), [KING])) == (card,)


def test_several_cards_in_a_pyramid_that_no_place_shows_put_all_of_it_in_doubt() -> None:
    back = SeenCard("pyramid 6 1", FACE_DOWN, 0.99, False, (), PLACE)
    waste = SeenCard("waste", KING, 0.99, False, (), tuple((x + 500, y) for x, y in PLACE))
    one = unplaced(read(SEVEN, 0.99, 110, 115), [KING])
    again = joined(one, unplaced(read(SEVEN, 0.99, 190, 225), [KING]))
    other = joined(one, unplaced(read(NINE, 0.99, 190, 225), [KING]))
    beside = joined(one, unplaced(read(NINE, 0.99, 690, 225), [KING]))
    for lost in (one, again, beside):
        assert not any(card.doubtful for card in doubted([back, waste], lost))
    assert all(card.doubtful for card in doubted([back, waste], other))
