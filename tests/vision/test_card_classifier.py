"""Whole cards as witnesses beside their printed corners."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from tests.vision.laying import SAMPLES
from vision.image.shrunk import Shrunk
from vision.nets import session
from vision.reader import Reader
from vision.recognize import card_classifier, card_frame
from vision.recognize.index_reader import FACES, NONE, SIZE


def test_a_view_shows_the_card_upright_however_it_lies() -> None:
    picture = np.zeros((400, 400, 3), np.uint8)
    angle = np.radians(30)
    right, down = np.array([np.cos(angle), np.sin(angle)]) * 50, np.array([-np.sin(angle), np.cos(angle)]) * 70
    axes = np.column_stack([right, down, [200.0, 200.0]])
    corners = [axes[:, :2] @ np.array(at) + axes[:, 2] for at in ((-1, -1), (0, -1), (0, 1), (-1, 1))]
    cv2.fillConvexPoly(picture, np.array(corners).round().astype(np.int32), (255, 0, 0))
    (view,) = card_classifier.cut(Shrunk(picture), axes[None])
    assert view.shape == (card_classifier.HEIGHT, card_classifier.WIDTH, 3)
    assert view[8:-8, 6:22, 0].min() == 255
    assert view[:, 26:, 0].max() == 0


def test_no_card_at_all_is_no_view() -> None:
    views = card_classifier.look(Shrunk(np.zeros((40, 40, 3), np.uint8)), np.zeros((0, 2, 3)), session.load("card", 1))
    assert views.kinds.shape == (0, 3)
    assert views.cards.shape == (0, SIZE)


@cache
def reader() -> Reader:
    return Reader.load(1)


def test_pips_and_courts_alone_tell_most_cards() -> None:
    """The spread among the sample pictures, its cards where they lie, by the whole of each alone."""
    data = np.frombuffer(SAMPLES.joinpath("spread.jpg").read_bytes(), np.uint8)
    image = cv2.cvtColor(cv2.imdecode(data, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
    cards = reader().read_pixels(image, layout=None).cards
    axes = np.array([card_frame.axes_of(np.array(card.quad_xy)) for card in cards])
    views = card_classifier.look(Shrunk(image), axes, reader().card)
    told = [FACES[int(chances[:NONE].argmax())] for chances in views.cards]
    assert sum(face == card.card for face, card in zip(told, cards, strict=True)) >= 0.7 * len(cards)
