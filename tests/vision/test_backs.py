"""How like each other backs look, and how sharply a card stands out from the table."""

import cv2
import numpy as np
import pytest

from vision.image.shrunk import Shrunk
from vision.recognize import backs, card_classifier

AXES = np.array([[[60.0, 0.0, 160.0], [0.0, 84.0, 120.0]]])
FELT = (40, 90, 50)


def a_back(seed: int) -> np.ndarray:
    """A view (64, 48, 3) of a back with a print of its own, in white borders."""
    rng = np.random.default_rng(seed)
    print_ = cv2.resize(rng.integers(0, 256, (8, 6, 3), np.uint8), (40, 56), interpolation=cv2.INTER_NEAREST)
    view = np.full((64, 48, 3), 230, np.uint8)
    view[4:60, 4:44] = print_
    return view


def table(*, card: bool, beside: bool = False) -> Shrunk:
    """A picture of felt, with a card at AXES if one is wanted, and another one that it lies on."""
    rng = np.random.default_rng(3)
    image = np.clip(np.array(FELT) + rng.normal(0, 6, (240, 320, 3)), 0, 255).astype(np.uint8)
    if beside:
        cv2.rectangle(image, (60, 36), (160, 204), (232, 232, 232), -1)
    if card:
        cv2.rectangle(image, (100, 36), (220, 204), (230, 230, 230), -1)
    return Shrunk(image)


@pytest.mark.parametrize("turned", [False, True])
def test_a_back_is_like_those_of_its_deck_whichever_end_is_up(turned: bool) -> None:
    own, known = a_back(1), np.stack([a_back(1)] * 3)
    view = own[::-1, ::-1] if turned else own
    (alike, unlike), (off, _) = backs.likeness_to(np.stack([view, a_back(2)]), known)
    assert alike > 0.95 > 0.5 > unlike
    assert turned or off < 0.01


def test_what_has_another_colour_is_off_in_colour() -> None:
    known = np.stack([a_back(1)] * 2)
    darker = (a_back(1) * 0.5).astype(np.uint8)
    _, off = backs.likeness_to(np.stack([known[0], darker]), known)
    assert off[1] > off[0] + 0.5


def test_a_card_stands_out_from_the_table_and_the_table_from_itself_does_not() -> None:
    (lying,), (bare,) = (backs.edges(table(card=card), AXES) for card in (True, False))
    assert lying > 4 * bare


def test_a_card_that_lies_on_another_one_on_one_side_stands_out_all_the_same() -> None:
    assert backs.edges(table(card=True, beside=True), AXES)[0] > 4 * backs.edges(table(card=False), AXES)[0]


def test_a_larger_view_shows_the_card_as_large() -> None:
    picture = table(card=True)
    usual, wide = (card_classifier.cut(picture, AXES, reach) for reach in (card_classifier.REACH, backs.AROUND))
    assert wide.shape == (1, 80, 60, 3)
    assert np.abs(wide[0, 12:68, 9:51].astype(int) - usual[0, 4:60, 3:45]).mean() < 8
