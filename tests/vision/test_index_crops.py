"""Windows are cut where their frames say, and corrections are the frames' own geometry."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.image.shrunk import Shrunk
from vision.recognize import index_crops

NUMBERS = st.floats(-0.4, 0.4, allow_nan=False)


@given(st.lists(NUMBERS, min_size=6, max_size=6), st.floats(8, 60), st.floats(0, 6.2))
def test_a_correction_leads_back_to_the_true_frame(shift: list[float], height: float, angle: float) -> None:
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * height
    window = np.column_stack([spin, [200.0, 150.0]]).astype(np.float32)
    truth = index_crops.corrected(window[None], np.array([shift], np.float32))[0]
    again = index_crops.corrected(window[None], index_crops.correction(window, truth)[None])[0]
    np.testing.assert_allclose(again, truth, atol=0.02)


def test_a_window_shows_what_its_frame_points_at() -> None:
    image = np.full((300, 400, 3), 255, np.uint8)
    image[140:160, 190:210] = (200, 0, 0)
    # A rank 20 px high at (200, 150), upright.
    frame = np.array([[[20, 0, 199.5], [0, 20, 149.5]]], np.float32)
    cut = index_crops.cut(Shrunk(image), frame)[0]
    # Index units -0.5..0.5 are window pixels 8..24 across and 6.4..22.4 down.
    assert (cut[8:21, 10:22] == (200, 0, 0)).all()
    assert (cut[:, 30:] == 255).all()


def test_large_indices_are_read_from_a_smaller_copy_without_moving() -> None:
    image = np.full((1200, 1600, 3), 255, np.uint8)
    image[500:700, 700:900] = (0, 0, 180)
    frame = np.array([[[200, 0, 799.5], [0, 200, 599.5]]], np.float32)
    cut = index_crops.cut(Shrunk(image), frame)[0]
    blue = np.argwhere(cut[..., 0] < 128)
    np.testing.assert_allclose(blue.mean(0), [13.9, 15.5], atol=0.6)
    assert abs(len(blue) - 256) < 40


def test_white_is_the_cards_own() -> None:
    lamp = np.full((1, 48, 48, 3), (240, 190, 110), np.uint8)
    lamp[0, 10:20, 10:20] = (30, 20, 10)
    out = index_crops.whitened(lamp)[0]
    np.testing.assert_allclose(out[:, 40, 40], 0.8, atol=0.01)
    assert out.shape == (3, 48, 48)
