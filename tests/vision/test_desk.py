"""Covered cards of one table lie alike, and are judged together."""

from __future__ import annotations

import pytest

from vision import desk


def test_one_doubtful_card_among_backs_is_a_back() -> None:
    upward = desk._upward([0.05] * 14 + [0.6])
    assert upward < 0.01
    assert desk._in_accord(0.6, upward) < 0.1


def test_one_doubtful_card_among_faces_is_a_face() -> None:
    upward = desk._upward([0.97] * 14 + [0.4])
    assert upward > 0.99
    assert desk._in_accord(0.4, upward) > 0.9


def test_a_card_that_plainly_shows_its_face_does_so_among_backs_too() -> None:
    """The apex of King Tut, and the fault that a covered card lies face up."""
    upward = desk._upward([0.05] * 14 + [0.995])
    assert desk._in_accord(0.995, upward) > 0.8


@pytest.mark.parametrize("face", [0.01, 0.3, 0.5, 0.9])
def test_where_nothing_is_known_of_the_others_a_card_is_judged_by_itself(face: float) -> None:
    assert desk._in_accord(face, desk._upward([])) == pytest.approx(face, abs=1e-6)
