"""The page's camera above a table in a real browser; a video file shows it the sample pictures of two looks."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, Route, expect

from tests.companion_app.filming import browsing, filmed
from tests.companion_app.test_browser import address

__all__ = ["address"]

SIZE = (1280, 960)
# Seconds that each look is shown; the file begins again at its end.
SHOWN = {"pair-before.jpg": 8, "pair-after.jpg": 40}
# What the camera says may stand for a moment only.
LISTEN = """() => {
    const says = document.querySelector("#watch-says");
    window.heard = [];
    new MutationObserver(() => window.heard.push(says.textContent)).observe(says, { childList: true, subtree: true });
}"""


@pytest.fixture
def watching(address: str, tmp_path: Path) -> Iterator[Page]:
    """The start page in a browser whose camera looks at the table of the samples."""
    looks = [(cv2.imread(str(files("sample_images") / name)), seconds) for name, seconds in SHOWN.items()]
    with browsing(address, filmed(looks, SIZE, tmp_path / "table.y4m")) as page:
        yield page


def test_the_camera_sees_the_move_and_tells_it(watching: Page) -> None:
    page = watching
    page.click("button[value='pair-before.jpg']")
    page.wait_for_selector("[data-table]")
    page.wait_for_load_state()
    page.focus("#watch-start")
    page.keyboard.press("Enter")
    expect(page.locator("#watch-view")).to_be_visible()
    expect(page.locator("#watch-stop")).to_be_focused()
    expect(page.locator(".told")).to_contain_text("Pair: 4 of hearts + 9 of spades")
    expect(page.locator("#status")).to_contain_text("Pair: 4 of hearts + 9 of spades")
    expect(page.locator("#watch-says")).to_have_text("Nothing has changed.")
    expect(page.locator(".told")).to_be_visible()
    # What it sees is the picture last read, so the same outlines lie over both.
    expect(page.locator(".live .overlay")).to_be_visible()
    assert page.inner_html(".live .over") == page.inner_html(".photo .over")
    expect(page.locator(".live .seen")).to_have_count(page.locator(".photo .seen").count())
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
    page.wait_for_load_state()
    page.evaluate(LISTEN)
    page.click("#watch-start")
    expect(page.locator(".told")).to_contain_text("Pair: 4 of hearts + 9 of spades")
    told = page.evaluate("() => window.heard")
    assert "Other pictures are being read: this one was left out, the next one follows." in told
    assert len(left_out) == 1
