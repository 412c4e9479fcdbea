"""Cards of a spread: indices put together to cards by where they stand and what they name."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pytest

from vision.cards.card_list import listed
from vision.cards.loose_cards import spread
from vision.detect.card_voting import CardFinds
from vision.detect.heatmaps import Corners
from vision.detect.multiscale import Found, Kinds
from vision.posterior.observation import Query
from vision.recognize.card_frame import USUAL, USUAL_UNIT
from vision.recognize.index_reader import FACES, NONE, SIZE, Readings, combined

HALF = np.array([50.0, 70.0])
Read = tuple[str, float, tuple[float, float], bool]


def _faces(
    outlines: list[tuple[float, float]],
    reads: list[Read],
    index: tuple[tuple[float, float], float] = (USUAL, 1.0),
    beside: Collection[int] = (),
) -> list[str]:
    """Cards told, surest first."""
    told = _told(outlines, reads, index, beside)
    return [str(FACES[int(combined(q.readings.beliefs)[:NONE].argmax())]) for q in told]


def _told(
    outlines: list[tuple[float, float]],
    reads: list[Read],
    index: tuple[tuple[float, float], float] = (USUAL, 1.0),
    beside: Collection[int] = (),
) -> list[Query]:
    """The cards that these readings were made on, surest first; each reading is a code, its chance, the middle of the
    card it stands on and whether it is the turned one. Half of what is unsure is unsure of the suit.

    index: where the deck has its upper left index, and of how many usual sizes. beside: numbers of the readings of the
    other index of that end.
    """
    n, none = len(outlines), np.zeros((0, 2), np.float32)
    middle = np.array(outlines, np.float32).reshape(-1, 2)
    right, down = (np.tile(np.array(v, np.float32), (n, 1)) for v in ((HALF[0], 0), (0, HALF[1])))
    one = np.ones(n, np.float32)
    everywhere = Kinds(np.array([0, 1, 0], np.float32).reshape(3, 1, 1), (2000, 2000))
    found = Found(
        np.zeros((0, 2, 3), np.float32),
        np.zeros(0, np.float32),
        Corners(none, none, none, np.zeros(0, np.float32)),
        CardFinds(middle, down, right, one, one * 100, one * 70),
        everywhere,
    )
    beliefs, frames = np.zeros((len(reads), SIZE)), np.zeros((len(reads), 2, 3), np.float32)
    codes = [str(face) for face in FACES]
    for number, (code, chance, at, turned) in enumerate(reads):
        sign = -1 if turned else 1
        for suit in "SHDC":
            beliefs[number, codes.index(code[:-1] + suit)] = (1 - chance) / 6
        beliefs[number, codes.index(code)], beliefs[number, NONE] = chance, (1 - chance) / 2
        corner = np.array(index[0]) * (-1 if number in beside else 1, 1)
        frames[number] = np.column_stack([np.diag(sign * HALF * USUAL_UNIT) * index[1], sign * HALF * corner + at])
    cards = listed(found, Readings(frames, beliefs))
    return [cards.lying(number) for number in range(len(cards))]


HERE, NEAR, THERE = (300.0, 300.0), (320.0, 330.0), (900.0, 300.0)


def test_both_ends_of_one_card_read_alike_are_one_card() -> None:
    assert _faces([HERE], [("KD", 0.99, HERE, False), ("KD", 0.7, HERE, True)]) == ["KD"]


def test_an_end_washed_out_is_no_second_card() -> None:
    assert _faces([HERE], [("KD", 0.99, HERE, False), ("KH", 0.9, HERE, True)]) == ["KD"]


def test_an_end_read_as_quite_another_card_may_be_one_without_an_outline() -> None:
    assert _faces([HERE], [("KD", 0.99, HERE, False), ("7S", 0.85, HERE, True)]) == ["KD", "7S"]


def test_cards_apart_are_told_each_for_itself() -> None:
    assert _faces([HERE, THERE], [("KD", 0.99, HERE, False), ("7S", 0.85, THERE, False)]) == ["KD", "7S"]


def test_the_same_card_found_twice_in_nearly_one_place_is_one_card() -> None:
    assert _faces([HERE, NEAR], [("KD", 0.99, HERE, False), ("KD", 0.9, NEAR, True)]) == ["KD"]


def test_the_same_card_far_away_is_a_second_one() -> None:
    assert _faces([HERE, THERE], [("KD", 0.99, HERE, False), ("KD", 0.98, THERE, False)]) == ["KD", "KD"]


def test_both_ends_of_a_card_of_which_only_a_part_was_found_are_one_card() -> None:
    part = [(HERE[0] - 10, HERE[1] - 25), (HERE[0] + 15, HERE[1] + 30)]
    assert _faces(part, [("KD", 0.99, HERE, False), ("KD", 0.99, HERE, True)]) == ["KD"]


def test_a_card_of_a_fan_that_was_hardly_read_is_not_taken_for_its_neighbour_s_other_index() -> None:
    assert _faces([], [("10D", 0.99, HERE, False), ("7S", 0.7, (360.0, 300.0), False)]) == ["10D", "7S"]


def test_the_cards_of_a_fan_under_one_outline_are_told_each_for_itself() -> None:
    assert _faces([HERE], [("10D", 0.99, HERE, False), ("7S", 0.9, HERE, False)], beside={1}) == ["10D", "7S"]


LARGE = ((-0.58, -0.7), 2.2)
APART = [(300.0 + 200 * number, 300.0) for number in range(4)]


def test_large_indices_in_all_four_corners_are_those_of_one_card() -> None:
    reads = [(code, 0.99, at, False) for code, at in zip(("2S", "4H", "6C", "9D"), APART, strict=True)]
    told = _faces(APART, [*reads, ("4H", 0.97, APART[1], False), ("9D", 0.98, APART[3], True)], LARGE, {4, 5})
    assert sorted(told) == ["2S", "4H", "6C", "9D"]


def test_a_four_index_card_lies_where_both_indices_of_an_end_say() -> None:
    reads = [(code, 0.9, at, False) for code, at in zip(("2S", "4H", "6C", "9D"), APART, strict=True)]
    # The right one of each is the surer one, and no outline was found.
    surer = [(code, 0.99, at, False) for code, _, at, _ in reads]
    told = _told([], [*reads, *surer], beside={4, 5, 6, 7})
    assert sorted(float(query.axes[0, 2]) for query in told) == pytest.approx([x for x, _ in APART], abs=2)


def test_the_other_index_of_an_end_hardly_made_out_is_no_second_card() -> None:
    reads = [(code, 0.99, at, False) for code, at in zip(("2S", "4H", "6C", "KS"), APART, strict=True)]
    told = _faces(APART, [*reads, ("4H", 0.98, APART[1], False), ("KC", 0.6, APART[3], False)], LARGE, {4, 5})
    assert sorted(told) == ["2S", "4H", "6C", "KS"]


def _unread(at: tuple[float, float], more: Sequence[tuple[float, float]] = ()) -> list[float]:
    """Of a card read at HERE and finds at other places on which nothing was read: what share of each card in question
    lies over the one read.
    """
    half = np.tile(HALF, (2 + len(more), 1)).astype(np.float32)
    right, down = half * [1, 0], half * [0, 1]
    one, none = np.ones(2 + len(more), np.float32), np.zeros((0, 2), np.float32)
    cards = CardFinds(np.float32([HERE, at, *more]), np.float32(down), np.float32(right), one, one * 100, one * 70)
    corners = Corners(none, none, none, np.zeros(0, np.float32))
    kinds = Kinds(np.array([0, 1, 0], np.float32).reshape(3, 1, 1), (2000, 2000))
    found = Found(np.zeros((0, 2, 3), np.float32), np.zeros(0, np.float32), corners, cards, kinds)
    belief = np.zeros((1, SIZE))
    belief[0, [str(face) for face in FACES].index("KD")] = 1.0
    frame = np.column_stack([np.diag(HALF * USUAL_UNIT), HALF * USUAL + HERE])[None].astype(np.float32)
    told = spread(listed(found, Readings(frame, belief)), found)
    assert sum(len(query.readings) for query in told) == 1
    return [round(query.over, 3) for query in told if not len(query.readings)]


def test_a_find_on_which_nothing_was_read_is_a_card_in_question() -> None:
    assert _unread(THERE) == [0.0]


def test_a_card_in_question_says_how_much_of_it_lies_over_a_card_that_was_read() -> None:
    assert _unread((HERE[0] + 1.5 * HALF[0], HERE[1])) == [0.25]


def test_a_find_in_the_middle_of_a_card_that_was_read_is_that_card() -> None:
    assert _unread((HERE[0] + 0.5 * HALF[0], HERE[1])) == []


def test_of_two_finds_at_one_place_on_which_nothing_was_read_one_is_in_question() -> None:
    assert _unread(THERE, more=[(THERE[0] + 5, THERE[1] + 5)]) == [0.0]
