"""The page's camera above a table in a real browser; a video file shows it the sample pictures of two looks."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, Route, expect, sync_playwright

from tests.companion_app.test_browser import CAMERA, CHROMIUM, FLAGS, LAPTOP, WAIT, address

__all__ = ["address"]

SIZE = (1280, 960)
# Seconds that each look is shown; the file begins again at its end.
SHOWN = {"pair-before.jpg": 8, "pair-after.jpg": 40}


def video(path: Path) -> Path:
    """The looks as an uncompressed video of one frame a second."""
    with path.open("wb") as file:
        file.write(b"YUV4MPEG2 W%d H%d F1:1 Ip A1:1 C420jpeg\n" % SIZE)
        for name, seconds in SHOWN.items():
            pixels = cv2.resize(cv2.imread(str(files("sample_images") / name)), SIZE, interpolation=cv2.INTER_AREA)
            frame = b"FRAME\n" + cv2.cvtColor(pixels, cv2.COLOR_BGR2YUV_I420).tobytes()
            file.write(frame * seconds)
    return path


@pytest.fixture
def watching(address: str, tmp_path: Path) -> Iterator[Page]:
    """The start page in a browser whose camera looks at the table of the samples."""
    shown = f"--use-file-for-fake-video-capture={video(tmp_path / 'table.y4m')}"
    expect.set_options(timeout=WAIT)
    errors: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *CAMERA, shown])
        page = browser.new_page(viewport={"width": LAPTOP[0], "height": LAPTOP[1]}, locale="en-GB")
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        yield page
        browser.close()
    assert errors == []


def test_the_camera_sees_the_move_and_tells_it(watching: Page) -> None:
    page = watching
    page.click("button[value='pair-before.jpg']")
    page.wait_for_selector("[data-table]")
    page.focus("#watch-start")
    page.keyboard.press("Enter")
    expect(page.locator("#watch-view")).to_be_visible()
    expect(page.locator("#watch-stop")).to_be_focused()
    expect(page.locator(".told")).to_contain_text("Pair: 4 of hearts + 9 of spades")
    expect(page.locator("#status")).to_contain_text("Pair: 4 of hearts + 9 of spades")
    expect(page.locator("#watch-says")).to_have_text("Nothing has changed.")
    expect(page.locator(".told")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#watch-view")).to_be_hidden()
    expect(page.locator("#watch-start")).to_be_focused()


def test_a_frame_left_out_is_told_and_the_table_is_read_at_a_later_one(watching: Page) -> None:
    page, left_out = watching, []

    def answer(route: Route) -> None:
        if left_out:
            route.continue_()
            return
        left_out.append(route.request.url)
        problem = '{"code": "busy", "detail": "Send this one again in a moment."}'
        route.fulfill(status=503, content_type="application/problem+json", body=problem)

    page.route("**/watched", answer)
    page.click("button[value='pair-before.jpg']")
    page.wait_for_selector("[data-table]")
    page.click("#watch-start")
    expect(page.locator("#watch-says")).to_have_text(
        "Other pictures are being read: this look was left out, the next one follows."
    )
    expect(page.locator(".told")).to_contain_text("Pair: 4 of hearts + 9 of spades")
    assert len(left_out) == 1
