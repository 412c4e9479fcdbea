"""Smooth patches on cards: a hand is one of several parts, print of one colour all over the cards is none."""

from __future__ import annotations

import cv2
import numpy as np

from vision.advice.scene import Look, Outline
from vision.advice.smooth_regions import SETTINGS, patches
from vision.image.masks import Area, grown
from vision.posterior.spotted import Spotted

PAPER = np.array([230.0, 228.0, 220.0])
SKIN = (150, 110, 90)


def cards(count: int) -> Look:
    """Cards of white paper side by side on a green cloth."""
    small = np.full((160, 70 * count + 20, 3), (20, 90, 40), np.uint8)
    outlines = []
    for k in range(count):
        x, y = 15.0 + 70 * k, 30.0
        quad = np.array([[x, y], [x + 60, y], [x + 60, y + 84], [x, y + 84]])
        cv2.fillConvexPoly(small, quad.astype(np.int32), PAPER.tolist())
        seen = Spotted(f"table {k + 1}", 0.99, 0.99, np.zeros(53), quad)
        outlines.append(Outline(seen, quad, Area.of(grown(quad[None])[0], small.shape[:2])))
    return Look(small, PAPER, 60.0, tuple(outlines), np.zeros(small.shape[:2], np.uint8), 1.0)


def test_bare_paper_has_no_patch() -> None:
    assert patches(cards(2)).each == ()


def test_the_fingers_of_a_hand_are_one_patch() -> None:
    look = cards(1)
    for k in range(4):
        cv2.line(look.small, (22 + 12 * k, 60), (22 + 12 * k, 150), SKIN, 10)
    (hand,) = patches(look).each
    assert hand.parts == 4
    assert np.abs(hand.colour - SKIN).max() < 5


def test_things_of_two_colours_are_two_patches() -> None:
    look = cards(1)
    cv2.rectangle(look.small, (20, 40), (44, 100), SKIN, -1)
    cv2.rectangle(look.small, (46, 40), (70, 100), (30, 40, 160), -1)
    assert sorted(patch.parts for patch in patches(look).each) == [1, 1]


def test_a_colour_that_shows_on_many_cards_is_printed_there() -> None:
    for count in (SETTINGS.printed, SETTINGS.printed + 1):
        look = cards(count)
        for outline in look.outlines:
            x, y = outline.quad.mean(0)
            cv2.circle(look.small, (round(x), round(y)), 16, SKIN, -1)
        assert len(patches(look).each) == (count if count <= SETTINGS.printed else 0)
