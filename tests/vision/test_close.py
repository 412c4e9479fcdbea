"""One card alone that fills much of the picture."""

import cv2
import numpy as np

from rules.cards import Card
from tests.vision.laying import CARD, lay, open_cards, pixels
from vision.reader import Reader

WIDE = 450


def test_a_card_that_fills_much_of_the_picture_is_outlined() -> None:
    reader, outlined = Reader.load(1), 0
    for number, (donor, code, source) in enumerate(open_cards("king-tut")[:8]):
        rng = np.random.default_rng(number)
        cloth = np.clip(rng.normal((40, 95, 70), 6, (960, 1280, 3)), 0, 255).astype(np.uint8)
        angle = rng.uniform(-0.4, 0.4)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        quad = np.array([640, 480]) + CARD @ turn * WIDE
        told = reader.read_pixels(lay(cloth, pixels(donor), source, quad), layout=None).cards
        own = [np.array(card.quad_xy) for card in told if card.card == Card.parse(code)]
        outlined += any(_in_common(quad, other) > 0.85 for other in own)
    assert outlined >= 6


def _in_common(quad: np.ndarray, other: np.ndarray) -> float:
    areas = [abs(float(cv2.contourArea(one.astype(np.float32)))) for one in (quad, other)]
    common = float(cv2.intersectConvexConvex(quad.astype(np.float32), other.astype(np.float32))[0])
    return common / (sum(areas) - common)
