"""Cards that the votes of the card map agree on."""

from __future__ import annotations

import numpy as np
import pytest

from vision.detect.card_voting import Votes, group


@pytest.mark.parametrize(("right", "cards"), [((20.0, 0.0), 1), ((0.0, 20.0), 0), ((0.5, 20.0), 0)])
def test_what_has_both_sides_the_same_way_is_no_card(right: tuple[float, float], cards: int) -> None:
    shown = np.ones(12, np.float32)
    middle, down, across = (np.tile(np.array(v, np.float32), (12, 1)) for v in ((100, 100), (0, 28), right))
    assert len(group(Votes(middle, down, across, shown, 0 * shown))) == cards
