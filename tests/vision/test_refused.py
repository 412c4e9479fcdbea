"""Pictures that are refused: what would help is told with the refusal, and nothing where that cannot be known."""

from __future__ import annotations

import pickle
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision import laying
from vision.errors import PictureError
from vision.reader import Reader
from vision.reading import Advice

LAYOUT = "pyramid-7"
NAME = "pair-before"
CLOTH = (40, 80, 60)


@cache
def reader() -> Reader:
    return Reader.load()


def cloth(shape: tuple[int, ...]) -> np.ndarray:
    return (np.full(shape, CLOTH) + np.random.default_rng(2).integers(0, 6, shape)).astype(np.uint8)


def far(image: np.ndarray, scale: float, around: np.ndarray | None = None) -> np.ndarray:
    """The picture as a camera sees it that is so much farther away, in the middle of a cloth, or of what is around."""
    out = cloth(image.shape) if around is None else around.copy()
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    top, left = ((a - b) // 2 for a, b in zip(out.shape[:2], small.shape[:2], strict=True))
    out[top : top + small.shape[0], left : left + small.shape[1]] = small
    return out


def dark(image: np.ndarray, light: float) -> np.ndarray:
    noise = np.random.default_rng(0).normal(0, 4, image.shape)
    return np.clip(image * light + noise, 0, 255).astype(np.uint8)


def book(image: np.ndarray) -> np.ndarray:
    """No cards, but something of their colour and shape."""
    out = cloth(image.shape)
    return np.asarray(cv2.rectangle(out, (500, 300), (700, 600), (220, 210, 200), -1), np.uint8)


def refused(image: np.ndarray) -> PictureError:
    with pytest.raises(PictureError) as raised:
        reader().read_pixels(np.ascontiguousarray(image), layout=LAYOUT)
    return raised.value


@pytest.mark.parametrize(
    ("code", "spoilt"),
    [
        ("closer", far(laying.pixels(NAME), 0.15)),
        ("closer", far(laying.pixels(NAME), 0.1)),
        ("dark", dark(laying.pixels(NAME), 0.03)),
        ("sharper", np.asarray(cv2.GaussianBlur(laying.pixels(NAME), (0, 0), 14), np.uint8)),
    ],
    ids=["far", "farther", "dark", "blurred"],
)
def test_what_would_help_is_told_with_the_refusal(code: str, spoilt: np.ndarray) -> None:
    assert [advice.code for advice in refused(spoilt).advice] == [code]


@pytest.mark.parametrize("look", [cloth, lambda shape: book(np.empty(shape))], ids=["a cloth", "a book"])
def test_of_a_table_without_cards_nothing_is_said_of_its_distance_or_light(look: object) -> None:
    assert refused(look(laying.pixels(NAME).shape)).advice == ()  # type: ignore[operator]


def test_what_lies_outside_is_told_by_its_places() -> None:
    corners = [laying.quad_of(NAME, "tableau", 3, column) for column in range(4)]
    error = refused(laying.pixels(NAME)[: int(np.mean([quad[:, 1].mean() for quad in corners]))])
    (told,) = error.advice
    assert (error.code, told.code) == ("outside", "outside")
    assert {f"pyramid 7 {column}" for column in range(1, 8)} <= set(told.places)


def test_a_table_that_is_read_though_its_cards_are_too_small_is_told_so() -> None:
    image = laying.pixels(NAME)
    plain = np.median(image[:20].reshape(-1, 3), axis=0) + np.random.default_rng(1).normal(0, 3, image.shape)
    reading = reader().read_pixels(far(image, 0.2, np.clip(plain, 0, 255).astype(np.uint8)), layout=LAYOUT)
    assert len(reading.doubts) > len(reading.cards) / 2
    assert "closer" in [advice.code for advice in reading.advice]


def test_an_error_keeps_its_advice_from_one_process_to_another() -> None:
    error = PictureError("outside", advice=(Advice("outside", ("pyramid 7 1",)),))
    assert pickle.loads(pickle.dumps(error)).advice == error.advice
