"""Letters and ranks: one deck prints one alphabet, and all letters of a table tell which."""

from __future__ import annotations

import numpy as np
import pytest

from vision.recognize import alphabets
from vision.recognize.alphabets import PLAIN, RANKS, SIGNS, known, sign_of

ALL = [letters for letters, _ in alphabets._KNOWN]
ACE, JACK, QUEEN, KING = 0, 10, 11, 12
NOTHING = PLAIN - 1


def _read(*signs: str, sure: float = 0.95) -> np.ndarray:
    """Chances (n, 38) of signs that were read so surely; the rest may be anything."""
    out = np.full((len(signs), SIGNS), (1 - sure) / (SIGNS - 1))
    out[np.arange(len(signs)), [sign_of(sign) for sign in signs]] = sure
    return out


@pytest.mark.parametrize("letters", ALL)
def test_three_of_each_letter_tell_the_alphabet_and_each_letter_its_rank(letters: str) -> None:
    read = _read(*letters.split() * 3, "7", "10")
    told = known().told(read)
    assert ALL[int(told.argmax())] == letters
    ranks = known().ranks(read, told)
    assert ranks[:4].argmax(1).tolist() == [ACE, JACK, QUEEN, KING]
    assert ranks[:4].max(1).min() > 0.8


def test_numbers_tell_nothing_of_the_alphabet_and_mean_the_same_in_all() -> None:
    read = _read(*"23456789", "10")
    told = known().told(read)
    assert told == pytest.approx(known().prior)
    assert known().ranks(read, told)[:, 1:10].diagonal().min() > 0.9


def test_a_letter_means_what_the_others_beside_it_say() -> None:
    dutch, french = (known().told(_read(*letters.split() * 2)) for letters in ("A B V H", "A V D R"))
    assert known().ranks(_read("V"), dutch)[0].argmax() == QUEEN
    assert known().ranks(_read("V"), french)[0].argmax() == JACK


def test_most_decks_are_of_one_alphabet_where_no_letter_is_seen() -> None:
    ranks = known().ranks(_read("J", "Q", "K", "A"), known().prior)
    assert ranks.argmax(1).tolist() == [JACK, QUEEN, KING, ACE]
    assert ranks.max(1).min() > 0.95


def test_letters_of_no_known_alphabet_may_be_any_court() -> None:
    told = known().told(_read(*"ALPX" * 4))
    assert told.argmax() == len(ALL)
    (chances,) = known().ranks(_read("P"), told)
    assert chances[[JACK, QUEEN, KING]] == pytest.approx([1 / 3] * 3, abs=0.06)


def test_a_card_of_another_deck_keeps_its_own_letter() -> None:
    english = known().told(_read(*"AJQK" * 4))
    assert known().ranks(_read("D", sure=0.99), english)[0].argmax() == QUEEN


def test_what_is_no_index_stays_none() -> None:
    read = np.zeros((1, SIGNS))
    read[0, NOTHING] = 1.0
    assert known().ranks(read, known().prior)[0, NOTHING] > 0.999


def test_letters_that_look_alike_are_one_sign_and_others_have_none() -> None:
    assert [sign_of(letter) for letter in "ВКТÁ"] == [sign_of(letter) for letter in "BKTA"]
    assert sign_of("10") == RANKS - 4
    with pytest.raises(ValueError, match="tuple"):
        sign_of("Ω")


def test_alphabets_are_chances() -> None:
    signs = known().signs
    assert known().prior.sum() == pytest.approx(1.0)
    # Each prints one sign for a rank, whichever it is.
    assert signs.sum(1) == pytest.approx(np.ones((len(signs), PLAIN)))
