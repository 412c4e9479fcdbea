"""Parts of a picture as small masks: the same as masks of the whole picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vision.detect import multiscale
from vision.image.masks import Area, depths, grown
from vision.recognize import index_crops

SIZE = (40, 60)
# Cards of any turn and size, some of them half or all outside the picture.
QUADS = st.tuples(
    st.floats(-30, 90), st.floats(-30, 70), st.floats(1, 30), st.floats(1, 30), st.floats(0, 2 * np.pi)
).map(lambda card: quad_of(*card))
FLAGS = st.binary(min_size=20 * 30, max_size=20 * 30).map(
    lambda data: (np.frombuffer(data, np.uint8).reshape(20, 30) > 60).astype(np.uint8)
)


def quad_of(x: float, y: float, wide: float, tall: float, turn: float) -> np.ndarray:
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) @ spin.T + (x, y)


def whole(quad: np.ndarray) -> np.ndarray:
    """The mask of the whole picture."""
    mask = np.zeros(SIZE, np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    return mask


def laid(area: Area) -> np.ndarray:
    out = np.zeros(SIZE, np.uint8)
    out[area.slices] = area.mask
    return out


@given(QUADS)
def test_an_area_is_what_lies_inside_the_corners(quad: np.ndarray) -> None:
    area = Area.of(grown(quad[None])[0], SIZE)
    values = np.random.default_rng(1).random(SIZE).astype(np.float32)
    expected = whole(quad)
    assert np.array_equal(laid(area), expected)
    assert area.count == expected.sum()
    assert area.most(values) == values[expected > 0].max(initial=0.0)


@given(QUADS, st.integers(0, 50))
@example(quad_of(90, 70, 5, 5, 0), 3)
def test_a_margin_adds_no_pixels(quad: np.ndarray, margin: int) -> None:
    area = Area.of(grown(quad[None])[0], SIZE)
    wider = area.padded(margin, SIZE)
    assert np.array_equal(laid(wider), laid(area))
    assert wider.left == max(area.left - margin, 0) and wider.top == max(area.top - margin, 0)


@given(FLAGS)
def test_depths_are_those_within_the_whole_picture(flags: np.ndarray) -> None:
    island = np.zeros((60, 70), np.uint8)
    island[25:45, 20:50] = flags
    for mask in (island, np.ascontiguousarray(island[25:, 20:])):
        assert np.allclose(depths(mask), cv2.distanceTransform(mask, cv2.DIST_L2, 3), atol=1e-4)


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
def test_percentiles_are_those_of_numpy(kind: type) -> None:
    values = np.random.default_rng(3).integers(0, 256, (5, 77)).astype(kind)
    shares = (0, 4, 50, 80, 98.5, 100)
    assert np.allclose(index_crops.percentiles(values, *shares), np.percentile(values, shares, axis=1), atol=1e-4)


def test_the_darkest_channel() -> None:
    image = np.random.default_rng(4).integers(0, 256, (*SIZE, 3)).astype(np.uint8)
    assert np.array_equal(index_crops.darkest(image), image.min(2))


def test_the_search_net_sees_bytes_around_nought_and_black_beyond_the_picture() -> None:
    image = np.random.default_rng(5).integers(0, 256, (*SIZE, 3)).astype(np.uint8)
    seen = multiscale.padded(image)
    assert seen.shape == (1, 3, 64, 64) and seen.dtype == np.float32
    assert np.allclose(seen[0, :, :40, :60], image.transpose(2, 0, 1) / 255 - 0.5, atol=1e-6)
    assert (seen[0, :, 40:] == -0.5).all() and (seen[0, :, :, 60:] == -0.5).all()
