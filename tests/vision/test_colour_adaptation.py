"""What the search net is unsure of is told by the colours that it is sure of elsewhere in the same picture."""

from __future__ import annotations

import numpy as np

from vision.detect.colour_adaptation import told_by_colour

NONE, FACE, BACK = range(3)
CLOTH, PAPER, BLUE = (40, 110, 60), (240, 238, 230), (30, 40, 150)
SIDE = 30


def _painted() -> tuple[np.ndarray, np.ndarray]:
    """Kinds (30, 30) of cells 8 pixels wide, and their picture (240, 240, 3): a cloth with faces and backs on it."""
    kinds = np.zeros((SIDE, SIDE), int)
    kinds[3:12, 3:9] = FACE
    kinds[3:12, 12:24] = BACK
    kinds[16:25, 5:17] = BACK
    colours = np.array([CLOTH, PAPER, BLUE], np.float64)[kinds].repeat(8, 0).repeat(8, 1)
    return kinds, np.clip(colours + np.random.default_rng(1).normal(0, 6, colours.shape), 0, 255).astype(np.uint8)


def _logits(kinds: np.ndarray, sure: float = 4.0) -> np.ndarray:
    return (np.arange(3)[:, None, None] == kinds).astype(np.float32) * sure


def test_a_back_the_net_missed_is_one_where_another_of_its_colour_was_seen() -> None:
    kinds, image = _painted()
    seen = kinds.copy()
    seen[16:25, 5:17] = NONE
    logits = _logits(seen)
    # It half saw it: no card is likelier than a back, not by much.
    logits[:, 16:25, 5:17] = np.array([1.0, -2.0, 0.0])[:, None, None]
    assert (logits.argmax(0) != kinds).sum() == 9 * 12
    assert (told_by_colour(logits, image, 8).argmax(0) == kinds).all()


def test_cloth_taken_for_a_back_is_cloth_where_the_rest_of_it_is() -> None:
    kinds, image = _painted()
    logits = _logits(kinds)
    logits[:, 18:22, 20:26] = np.array([0.0, -2.0, 1.5])[:, None, None]
    assert (told_by_colour(logits, image, 8).argmax(0) == kinds).all()


def test_what_the_net_is_sure_of_stays_where_all_is_of_one_colour() -> None:
    kinds, _ = _painted()
    grey = np.full((SIDE * 8, SIDE * 8, 3), 128, np.uint8)
    assert (told_by_colour(_logits(kinds), grey, 8).argmax(0) == kinds).all()


def test_a_map_may_reach_beyond_its_picture() -> None:
    kinds, image = _painted()
    told = told_by_colour(_logits(kinds), image[:233, :227], 8)
    assert told.shape == (3, SIDE, SIDE)
    assert (told.argmax(0)[:29, :28] == kinds[:29, :28]).all()
