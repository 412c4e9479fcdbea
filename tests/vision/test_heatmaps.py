"""What the maps of the search net are decoded to."""

import numpy as np

from vision.detect import heatmaps


def test_an_index_of_which_no_direction_is_told_is_none() -> None:
    told = np.zeros((15, 12, 12), np.float32)
    for y, direction in ((3, (0.0, 1.0)), (8, (0.0, 0.0))):
        told[0, y, 5] = 0.9
        told[3:5, y, 5] = direction
    found = heatmaps.decode_indices(told, 0.3)
    assert len(found.heat) == len(found.frames) == 1
    assert found.frames[0, :, 2].tolist() == [22.0, 14.0]
    assert np.linalg.norm(found.frames[0, :, 1]) == 16.0
