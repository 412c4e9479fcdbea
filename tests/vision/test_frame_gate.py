"""Watching video: light and noise are no change, one card is; a hand is waited out; a bump of the camera is named."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision import laying
from vision.reading import TableReading
from vision.video.frame_gate import Glance, Sight, Watch

READING = TableReading(1, 1, None, (), {}, (), (), {})
NAMES = laying.with_layout()[::2]
# Samples of which another has an open card of the same deck, to be laid instead of one.
GIVEN = [name for name in NAMES if laying.open_cards(name) and laying.truth(name)["position"]["waste"]]
table = laying.pixels


@cache
def noise(number: int, shape: tuple[int, ...]) -> np.ndarray:
    """A camera's noise in one frame."""
    return np.random.default_rng(number).normal(0, 6, shape).astype(np.float32)


def filmed(image: np.ndarray, frame: int) -> np.ndarray:
    """A frame as a camera delivers it, with its own noise."""
    return np.clip(image + noise(frame % 5, image.shape), 0, 255).astype(np.uint8)


def watched(image: np.ndarray) -> Watch:
    """The state after a still table was read."""
    watch = Watch()
    for seed in range(3):
        watch, glance = watch.look(filmed(image, seed))
    assert glance.sight is Sight.CHANGED
    return watch.having_read(READING)


def after(watch: Watch, image: np.ndarray, frames: int = 3) -> Glance:
    """What the watcher says once this has been in view for some frames."""
    for seed in range(frames):
        watch, glance = watch.look(filmed(image, 100 + seed))
    return glance


def covered(image: np.ndarray, quad: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    """The picture with something of one colour over these corners."""
    return cv2.fillConvexPoly(image.copy(), np.round(quad).astype(np.int32), colour)


@pytest.mark.parametrize("name", NAMES)
def test_noise_alone_changes_nothing(name: str) -> None:
    watch = watched(table(name))
    for seed in range(3, 8):
        watch, glance = watch.look(filmed(table(name), seed))
        assert glance == Glance(Sight.UNCHANGED, READING)


@pytest.mark.parametrize("name", NAMES)
def test_light_that_fades_or_drifts_changes_nothing(name: str) -> None:
    image = table(name)
    slope = np.linspace(0, 1, image.shape[1])[None, :, None]
    watch = watched(image)
    for step in range(2, 13, 5):
        gain = (1 - 0.02 * step) * (1 + 0.015 * step * slope)
        watch, glance = watch.look(np.clip(filmed(image, step) * gain, 0, 255).astype(np.uint8))
        assert glance.sight is Sight.UNCHANGED, step


def test_the_first_frames_are_waited_for_and_then_read() -> None:
    watch, sights = Watch(), []
    for seed in range(4):
        watch, glance = watch.look(filmed(table(NAMES[0]), seed))
        sights.append(glance.sight)
    assert sights == [Sight.MOVING, Sight.MOVING, Sight.CHANGED, Sight.CHANGED]


@pytest.mark.parametrize("name", GIVEN)
def test_another_card_on_the_waste_is_a_change(name: str) -> None:
    watch, quad = watched(table(name)), laying.quad_of(name, "waste")
    for donor, _, source in laying.open_cards(name)[:2]:
        glance = after(watch, laying.lay(table(name), laying.pixels(donor), source, quad))
        assert glance == Glance(Sight.CHANGED)


@pytest.mark.parametrize("name", GIVEN)
def test_another_card_of_which_only_the_upper_part_shows_is_a_change(name: str) -> None:
    image, quad = table(name), laying.quad_of(name, "waste")
    watch = watched(image)
    for donor, _, source in laying.open_cards(name)[:2]:
        other = laying.lay(image, laying.pixels(donor), source, quad)
        below = np.stack([quad[0] + 0.4 * (quad[3] - quad[0]), quad[1] + 0.4 * (quad[2] - quad[1]), quad[2], quad[3]])
        hidden = covered(np.zeros_like(image), below, (1, 1, 1)) > 0
        assert after(watch, np.where(hidden, image, other)).sight is Sight.CHANGED


@pytest.mark.parametrize("name", NAMES)
def test_a_card_that_left_or_moved_a_little_is_a_change(name: str) -> None:
    image = table(name)
    quads = [np.array(card["quad"]) for card in laying.truth(name)["cards"]]
    quad = quads[-1]
    cloth = tuple(int(v) for v in np.median(image.reshape(-1, 3), axis=0))
    assert after(watched(image), covered(image, quad, cloth)).sight is Sight.CHANGED  # type: ignore[arg-type]
    aside = (quad[1] - quad[0]) * 0.25
    assert after(watched(image), laying.lay(image, image, quad, quad + aside)).sight is Sight.CHANGED


def test_a_hand_that_passes_is_waited_out_and_the_reading_holds() -> None:
    image = table("relaxed-deal")
    watch, sights = watched(image), []
    width = image.shape[1]
    for step in range(14):
        middle = int(width * (step - 1) / 8)
        frame = cv2.ellipse(image.copy(), (middle, 500), (120, 420), 20, 0, 360, (196, 150, 124), -1)
        watch, glance = watch.look(filmed(frame if step < 10 else image, step))
        sights.append(glance.sight)
    assert set(sights[:10]) == {Sight.MOVING}
    assert sights[-2:] == [Sight.UNCHANGED] * 2
    assert glance.reading is READING


def test_a_hand_that_rests_on_the_table_is_a_change() -> None:
    image = table("relaxed-deal")
    frame = cv2.ellipse(image.copy(), (700, 500), (120, 420), 20, 0, 360, (196, 150, 124), -1)
    assert after(watched(image), frame).sight is Sight.CHANGED


def with_an_arm(image: np.ndarray) -> np.ndarray:
    """The picture with an arm from its lower edge over the cards."""
    h, w = image.shape[:2]
    return cv2.line(image.copy(), (w // 3, h + 50), (w // 2, h // 2), (90, 60, 45), w // 16, cv2.LINE_AA)


def test_an_arm_that_rests_over_the_table_is_waited_out_and_what_stays_is_read_at_last() -> None:
    image = table("relaxed-deal")
    watch, arm = watched(image).seen_plainly(), with_an_arm(image)
    assert after(watch, arm, 20).sight is Sight.MOVING
    assert after(watch, arm, watch.settings.patient + 3).sight is Sight.CHANGED
    assert after(watched(image), arm).sight is Sight.CHANGED
    for number in range(20):
        watch, _ = watch.look(filmed(arm, number))
    assert after(watch, image).sight is Sight.UNCHANGED


def turned(image: np.ndarray, degrees: float) -> np.ndarray:
    """The picture as a camera shows it that was knocked askew."""
    h, w = image.shape[:2]
    move = cv2.getRotationMatrix2D((w / 2, h / 2), degrees, 1.0)
    return cv2.warpAffine(image, move, (w, h), borderMode=cv2.BORDER_REFLECT)


def on_a_striped_cloth(image: np.ndarray) -> np.ndarray:
    """The picture with stripes wherever no card is nearly white."""
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    stripes = (((x + 2 * y) // 24) % 2).astype(bool) & (cv2.GaussianBlur(image, (0, 0), 6).min(2) < 120)
    return np.where(stripes[..., None], 255 - image, image).astype(np.uint8)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("degrees", [0.6, -1.0])
def test_a_camera_knocked_askew_is_no_arm(name: str, degrees: float) -> None:
    image = on_a_striped_cloth(table(name))
    quads = [np.array(card["quad"]) for card in laying.truth(name)["cards"]]
    quad = min(quads, key=lambda quad: float(np.hypot(*(quad.mean(0) - np.array(image.shape[1::-1]) / 2))))
    watch = watched(image).seen_plainly()
    assert after(watch, turned(image, degrees)).sight is Sight.BUMPED
    assert after(watch, turned(covered(image, quad, (40, 90, 60)), degrees)).sight is not Sight.MOVING
    assert after(watch, turned(with_an_arm(image), degrees)).sight is Sight.MOVING


def striped(*cards: int) -> np.ndarray:
    """A cloth of two colours that are equally bright, in slanting stripes, with cards at these numbers."""
    across = np.add.outer(np.arange(720), np.arange(960)) // 14 % 2
    image = np.where(across[..., None] == 1, (120, 60, 40), (20, 100, 100)).astype(np.uint8)
    for number in cards:
        x, y = 150 + number % 5 * 140, 120 + number // 5 * 180
        image[y : y + 140, x : x + 100] = 235
        cv2.circle(image, (x + 50, y + 70), 12 + 3 * number, (20, 20, 20), -1)
    return image


def test_a_knock_while_cards_are_taken_makes_no_arm_of_a_striped_cloth() -> None:
    watch = watched(striped(*range(15))).seen_plainly()
    left = striped(0, 1, 2, 3, 4, 5, 14)
    assert after(watch, turned(left, 1.0)).sight is Sight.CHANGED


def test_a_card_taken_and_laid_close_to_the_edge_of_the_picture_is_no_arm() -> None:
    cloth, card, size = (70, 45, 30), (240, 236, 230), np.array([110, 160])
    image = np.full((960, 1280, 3), cloth, np.uint8)
    for x, y in np.ndindex(6, 4):
        at = np.array([200 + x * 140, 106 + y * 170])
        cv2.rectangle(image, at.tolist(), (at + size).tolist(), card, -1)
        cv2.circle(image, (at + size // 2).tolist(), 20 + 3 * x, (30, 30, 120), -1)
    taken, laid = np.array([900, 616]), np.array([900, 786])
    then = cv2.rectangle(image.copy(), taken.tolist(), (taken + size).tolist(), cloth, -1)
    cv2.rectangle(then, laid.tolist(), (laid + np.array([110, 134])).tolist(), card, -1)
    assert after(watched(image).seen_plainly(), turned(then, 0.5)).sight is not Sight.MOVING


def test_quite_another_picture_is_read_at_last() -> None:
    first, other = table("relaxed-deal"), table("ten")
    other = cv2.resize(other, first.shape[1::-1])
    for image in (other, np.rot90(other, 2).copy()):
        assert after(watched(first).seen_plainly(), image, 70).sight in (Sight.CHANGED, Sight.BUMPED)


def test_a_first_look_out_of_focus_makes_no_arm_of_the_cloth() -> None:
    image = on_a_striped_cloth(table("relaxed-deal"))
    watch = watched(cv2.GaussianBlur(image, (0, 0), 4)).seen_plainly()
    assert after(watch, image).sight is Sight.CHANGED


def test_what_stays_is_read_at_last_though_the_game_goes_on_under_it() -> None:
    image = table("relaxed-deal")
    watch, sights = watched(image).seen_plainly(), []
    other = covered(image, np.array(laying.truth("relaxed-deal")["cards"][-1]["quad"]), (40, 90, 60))
    for number in range(watch.settings.patient + 30):
        watch, glance = watch.look(filmed(with_an_arm(image if number % 20 < 10 else other), number))
        sights.append(glance.sight)
    assert Sight.CHANGED in sights


@pytest.mark.parametrize("name", NAMES)
def test_a_card_laid_at_the_edge_of_the_picture_is_a_change(name: str) -> None:
    image = table(name)
    h, w = image.shape[:2]
    laid = cv2.rectangle(image.copy(), (w // 2, h - h // 8), (w // 2 + w // 14, h), (250, 250, 250), -1)
    assert after(watched(image).seen_plainly(), laid).sight is Sight.CHANGED


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shift", [(6, 0), (-14, 9)])
def test_a_bumped_camera_is_named_with_the_way_it_moved(name: str, shift: tuple[int, int]) -> None:
    image = table(name)
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
    moved = cv2.warpAffine(image, move, image.shape[1::-1], borderMode=cv2.BORDER_REFLECT)
    glance = after(watched(image).seen_plainly(), moved)
    assert glance.sight is Sight.BUMPED
    assert glance.reading is None
    assert np.abs(np.array(glance.shift_xy) - shift).max() < 1.5


def test_a_table_read_again_after_a_change_holds_from_then_on() -> None:
    first, then = table("pair-before"), table("pair-after")
    watch = watched(first)
    for seed in range(3):
        watch, glance = watch.look(filmed(then, seed))
    assert glance.sight in (Sight.CHANGED, Sight.BUMPED)
    watch = watch.having_read(READING)
    assert after(watch, then).sight is Sight.UNCHANGED
    assert after(watch, first).sight is not Sight.UNCHANGED
