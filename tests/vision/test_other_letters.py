"""A picture of a deck with the letters of another country: its courts are read rightly without being taught."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.measure.runes import photograph
from models.training import decks, fonts
from models.training.printing import Oddity
from vision.reader import Reader

LAID = [*(rank + suit for rank in "AJQK" for suit in "SHDC"), "7S", "10H", "3D", "8C"]
LETTERS = {"German": "A B D K", "French": "1 V D R", "Polish": "A W D K", "Swedish": "E Kn D K"}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


def lettered(_: str, text: str) -> np.ndarray:
    """The mask of a text in the letters that OpenCV brings along: the same on every computer."""
    mask = np.zeros((140, 90 * len(text) + 60), np.uint8)
    cv2.putText(mask, text, (15, 100), cv2.FONT_HERSHEY_DUPLEX, 3.4, 255, 9, cv2.LINE_AA)
    (top, left), (bottom, right) = (found(np.argwhere(mask), axis=0) for found in (np.min, np.max))
    return mask[top : bottom + 1, left : right + 1]


@pytest.mark.parametrize("country", LETTERS)
def test_a_picture_of_a_deck_with_other_letters_is_read(
    country: str, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fonts, "glyph", lettered)
    printed = dict(zip("AJQK", LETTERS[country].split(), strict=True))
    deck = decks.draw_deck(country, np.random.default_rng(2), by_pen=True, odd=Oddity(letters=printed))
    reading = reader.read_pixels(photograph(deck, LAID, 7, 5, side=1200), layout=None)
    assert len({str(card.card) for card in reading.cards} & set(LAID)) >= len(LAID) - 1
    assert not [card for card in reading.cards if str(card.card) not in LAID and not card.doubtful]
