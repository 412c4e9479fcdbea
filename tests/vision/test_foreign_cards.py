"""Cards of no deck among the cards: named as foreign where they are seen well, and never a card of the deck."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from models.measure.drawn import plain_camera
from models.training import decks, layouts, scenes
from models.training.printing import HEIGHT, WIDTH
from rules.cards import UNREADABLE, Card
from vision.errors import PictureError
from vision.reader import Reader
from vision.reading import TableReading

LINES = ("Anna Berg", "Studio", "Tel 276 0400", "www", "Punkt & Haus")


@cache
def reader() -> Reader:
    return Reader.load()


def visiting_card(rng: np.random.Generator) -> np.ndarray:
    """Lines of words on paper, (336, 240, 3) uint8 RGB."""
    face = np.full((HEIGHT, WIDTH, 3), 244, np.uint8)
    ink = tuple(int(v) for v in rng.integers(0, 110, 3))
    for k, line in enumerate(rng.permutation(LINES)):
        cv2.putText(face, str(line), (26, 70 + 52 * k), cv2.FONT_HERSHEY_SIMPLEX, 0.9, ink, 2, cv2.LINE_AA)
    return face


def trump(rng: np.random.Generator) -> np.ndarray:
    """A picture in a frame with a numeral over it, (336, 240, 3) uint8 RGB."""
    face = np.full((HEIGHT, WIDTH, 3), 246, np.uint8)
    colours = [tuple(int(v) for v in row) for row in rng.integers(30, 230, (4, 3))]
    face[46:-46, 30:-30] = decks.court_panel(rng, colours, WIDTH - 60, HEIGHT - 92)
    for side in (face, face[::-1, ::-1]):
        area = np.ascontiguousarray(side[:46])
        cv2.putText(area, "XVI", (WIDTH // 2 - 28, 34), cv2.FONT_HERSHEY_TRIPLEX, 0.9, (20, 20, 20), 1, cv2.LINE_AA)
        side[:46] = area
    return face


def table(seed: int, scale: float = 120.0, count: int = 12) -> scenes.Scene:
    """Cards in rows of four on a green cloth, some of them foreign, seen from above."""
    rng = np.random.default_rng(seed)
    deck = decks.draw_deck("by pen", rng, by_pen=True)
    deck = replace(deck, foreign=[visiting_card(rng), trump(rng)])
    laid = [
        layouts.Laid((k % 4 - 1.5) * 1.3, (k // 4 - 1) / deck.aspect * 1.2, float(rng.normal(0, 0.05)))
        for k in range(count)
    ]
    size = 1000 if scale > 60 else 400
    lens = np.array([[scale, 0, size / 2], [0, scale, size / 2], [0, 0, 1]])
    cloth = np.full((256, 256, 3), (30, 95, 60), np.uint8)
    painter = scenes.Painter([], [cloth], rng)
    return painter.paint(
        deck, laid, lens, size=size, px=scale, hands=0.0, strange=1.0, camouflaged=0.0, develop=plain_camera
    )


def at(scene: scenes.Scene, reading: TableReading) -> dict[int, str]:
    """Which place each card of the scene was given."""
    out = {}
    for card in reading.cards:
        middle = np.array(card.quad_xy).mean(0)
        far = [float(np.linalg.norm(middle - truth.quad_xy.mean(0))) for truth in scene.cards]
        out[int(np.argmin(far))] = card.place
    return out


def foreign_cards(scene: scenes.Scene) -> set[int]:
    return {k for k, card in enumerate(scene.cards) if card.code == scenes.FOREIGN}


def test_foreign_cards_are_named_with_their_place_and_no_other_card_is() -> None:
    """A floor under what is far from good yet: of 24 foreign cards on ten tables nine are named, the others are taken
    for backs or cannot be read."""
    named = 0
    for seed in range(10):
        scene = table(seed)
        reading = reader().read_pixels(scene.image, layout=None)
        foreign = {k for k, place in at(scene, reading).items() if place in reading.foreign}
        assert foreign <= foreign_cards(scene)
        assert all(card.card is UNREADABLE for card in reading.cards if card.place in reading.foreign)
        named += len(foreign)
    assert named >= 7


@pytest.mark.parametrize("seed", [0, 1])
def test_a_foreign_card_is_never_forced_into_the_deck(seed: int) -> None:
    scene = table(seed)
    reading = reader().read_pixels(scene.image, layout=None)
    seen = {card.place: card.card for card in reading.cards}
    places = at(scene, reading)
    assert not any(isinstance(seen[places[k]], Card) for k in foreign_cards(scene) & set(places))
    assert {k for k, place in places.items() if place in reading.foreign} <= foreign_cards(scene)


@pytest.mark.parametrize("seed", [0, 1, 3, 4])
def test_a_card_seen_well_is_told_of_though_nobody_could_read_it(seed: int) -> None:
    scene = table(seed)
    assert foreign_cards(scene) <= set(at(scene, reader().read_pixels(scene.image, layout=None)))


def test_cards_too_small_or_blurred_to_be_read_are_not_called_foreign() -> None:
    small = table(3, scale=40.0)
    assert not reader().read_pixels(small.image, layout=None).foreign
    blurred = cv2.GaussianBlur(table(3).image, (0, 0), 3.5)
    with suppress(PictureError):  # too blurred to be read at all
        assert not reader().read_pixels(blurred, layout=None).foreign


def test_a_card_whose_corners_are_covered_is_not_called_foreign() -> None:
    scene = table(5)
    quad = scene.cards[0].quad_xy
    image = scene.image.copy()
    for corner in (quad[0], quad[2]):
        cv2.circle(image, tuple(int(v) for v in corner + (quad.mean(0) - corner) * 0.25), 22, (90, 60, 40), -1)
    reading = reader().read_pixels(image, layout=None)
    assert {k for k, place in at(scene, reading).items() if place in reading.foreign} <= foreign_cards(scene)
