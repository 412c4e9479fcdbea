"""The question which game it is, and what a camera's odd look leaves behind, in a real browser."""

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.companion_app.fakes import FakeEyes, picture_bytes, reading
from tests.companion_app.test_browser import CAMERA, CHROMIUM, FLAGS, LAPTOP, PHONE, WAIT, fits_width, tab_to
from tests.companion_app.test_settling import AFTER, HAND

Serve = Callable[..., httpx.Client]
PICTURE = {"name": "t.jpg", "mimeType": "image/jpeg", "buffer": picture_bytes()}
SIZE = (640, 480)
# Seconds that the camera shows the table as it was, with a hand over it, and after the move; then it begins again.
SHOWN = (8, 12, 60)


@pytest.fixture
def open_page(serve: Serve, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """A function that opens a table seen by the eyes given; the camera's pictures differ as `SHOWN` says."""
    shown = f"--use-file-for-fake-video-capture={video(tmp_path / 'table.y4m')}"
    expect.set_options(timeout=WAIT)
    errors: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *CAMERA, shown])

        def start(eyes: FakeEyes, size: tuple[int, int] = LAPTOP, game: str = "") -> Page:
            page = browser.new_page(viewport={"width": size[0], "height": size[1]}, locale="en-GB")
            page.set_default_timeout(WAIT)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto(str(serve(eyes).base_url))
            page.select_option("#game", game)
            page.set_input_files("#opener input[type=file] >> nth=0", PICTURE)  # type: ignore[arg-type]
            page.wait_for_selector("[data-table]")
            page.wait_for_load_state()
            return page

        yield start
        browser.close()
    assert errors == []


def video(path: Path) -> Path:
    """Three still views as an uncompressed video of one frame a second."""
    with path.open("wb") as file:
        file.write(b"YUV4MPEG2 W%d H%d F1:1 Ip A1:1 C420jpeg\n" % SIZE)
        for number, seconds in enumerate(SHOWN):
            pixels = np.full((SIZE[1], SIZE[0], 3), (70, 90, 40), np.uint8)
            pixels[60 : 60 + 90, 60 + number * 160 : 124 + number * 160] = 235
            file.write((b"FRAME\n" + cv2.cvtColor(pixels, cv2.COLOR_BGR2YUV_I420).tobytes()) * seconds)
    return path


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_point_9_which_game_it_is_is_answered_by_keyboard_alone(
    open_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = open_page(FakeEyes(), size)
    assert fits_width(page)
    choice = page.locator("#which .choice").first.bounding_box()
    assert choice is not None and choice["y"] > 0 and choice["y"] + choice["height"] < size[1]
    tab_to(page, "#which-easy-pyramid", limit=13)
    page.keyboard.press("Enter")
    expect(page.locator("#which")).to_be_hidden()
    expect(page.get_by_role("region", name="Answer")).to_be_focused()
    expect(page.locator(".now h1")).to_have_text("Easy Pyramid")
    expect(page.locator("#status")).to_contain_text("Easy Pyramid")
    assert fits_width(page)


def test_point_9_another_game_than_those_that_fit_is_one_step_away(open_page: Callable[..., Page]) -> None:
    page = open_page(FakeEyes())
    page.click("[data-opens=game]")
    expect(page.locator("#game")).to_be_visible()
    page.select_option("#game", "math-pyramid-three")
    expect(page.locator("#rules")).to_contain_text("three cards turned at a time")
    page.select_option("#option-passes", "2")
    page.click("#game-apply")
    expect(page.locator("#which")).to_be_hidden()
    expect(page.locator(".now h1")).to_have_text("Maths Pyramid, three at a time")
    expect(page.locator("details.game .chip.strong")).to_have_text("Passes: 2")


def test_point_10_the_red_banner_of_the_watched_table_goes_when_its_cause_has_gone(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(FakeEyes(reading(), reading(), HAND, HAND, AFTER), game="relaxed-pyramid")
    page.click("#watch-start")
    expect(page.locator("#alert")).to_be_visible()
    expect(page.locator("#alert")).to_contain_text("jack of clubs")
    expect(page.locator("#alert")).not_to_contain_text("My house rule allows it")
    expect(page.locator(".told")).to_contain_text("Pair:")
    expect(page.locator("#alert")).to_be_hidden()


def test_point_10_the_banner_goes_when_the_table_is_as_it_was(open_page: Callable[..., Page]) -> None:
    page = open_page(FakeEyes(reading(), reading(), HAND, HAND, reading()), game="relaxed-pyramid")
    page.click("#watch-start")
    expect(page.locator("#alert")).to_be_visible()
    expect(page.locator("#alert")).to_be_hidden()
    expect(page.locator(".breach")).to_have_count(0)
