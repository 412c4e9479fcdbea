"""All cards on a table are of one size: what is of another shape, where it lies, is likely none."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from tests.vision.test_posterior import DOWN
from vision.posterior.place_model import BACK, GONE, posterior
from vision.recognize import index_reader
from vision.recognize.card_shape import unlike

WIDE, TALL = 0.5, 0.7


def seen(at: tuple[float, float], turned: float, size: tuple[float, float] = (1.0, 1.0)) -> np.ndarray:
    """Axes (2, 3) in pixels of a card so far right and up the table, in card widths, seen by a camera low above it."""
    c, s = np.cos(np.radians(turned)), np.sin(np.radians(turned))
    flat = np.array([[c * WIDE * size[0], -s * TALL * size[1]], [s * WIDE * size[0], c * TALL * size[1]]])
    around = [np.array(at) + flat @ way for way in ([0, 0], [1, 0], [-1, 0], [0, 1], [0, -1])]
    middle, right, left, below, above = (np.array([900 * x, 500 * y]) / (9 + 0.6 * y) for x, y in around)
    return np.column_stack([(right - left) / 2, (below - above) / 2, middle])


READING = index_reader.Readings(np.zeros((1, 2, 3), np.float32), np.eye(index_reader.SIZE)[:1])
READ = np.array([seen(at, turned) for at, turned in (((0, 0), 0), ((2, 1), 30), ((-2, 2), 75), ((1, 4), -20))])


@pytest.mark.parametrize("turned", [0.0, 40.0, 90.0, 160.0])
@pytest.mark.parametrize("at", [(0.0, 2.0), (3.0, 0.0), (-3.0, 4.0), (0.5, 6.0)])
def test_a_card_looks_like_one_wherever_it_lies_and_however_it_is_turned(
    at: tuple[float, float], turned: float
) -> None:
    assert unlike(seen(at, turned)[None], READ)[0] == 0


@pytest.mark.parametrize("size", [(0.6, 0.6), (1.7, 1.7), (1.0, 0.5), (0.6, 1.2)])
@pytest.mark.parametrize("at", [(0.0, 2.0), (3.0, 0.0), (-3.0, 4.0), (0.5, 6.0)])
def test_a_thing_of_another_size_or_shape_does_not(at: tuple[float, float], size: tuple[float, float]) -> None:
    assert unlike(seen(at, 20.0, size)[None], READ)[0] > 1


def test_one_card_is_enough_to_compare_with() -> None:
    near, small = seen((1.0, 0.5), 90.0), seen((1.0, 0.5), 90.0, (0.6, 0.6))
    told = unlike(np.array([near, small]), READ[:1])
    assert told[0] == 0 and told[1] > 1


def test_what_is_unlike_the_cards_of_its_table_is_less_likely_one() -> None:
    def back(at: tuple[float, float], size: tuple[float, float] = (1.0, 1.0), read: int = len(READ)) -> float:
        """Log-odds of a find on which nothing was read, beside so many cards that were."""
        one = DOWN.queries[0]
        cards = [
            replace(one, place=f"table {n}", axes=axes, readings=READING, kind="loose") for n, axes in enumerate(READ)
        ]
        find = replace(one, place="table 9", axes=seen(at, 20.0, size), kind="loose")
        queries = (*cards[:read], find)
        many = {
            field.name: np.repeat(getattr(DOWN, field.name), len(queries), axis=0)
            for field in fields(DOWN)
            if field.name != "queries"
        }
        return float(np.log(posterior(replace(DOWN, queries=queries, **many))[-1, [BACK, GONE]]) @ [1, -1])

    usual = back((3.0, 0.0))
    assert usual == pytest.approx(back((3.0, 0.0), read=0))
    assert usual - back((3.0, 0.0), (0.5, 0.5)) > 1
