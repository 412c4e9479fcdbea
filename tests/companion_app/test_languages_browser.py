"""What goes wrong in the browser is told in the language of the page, not in the browser's own words."""

import shutil
from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import Page, Route, expect, sync_playwright

from companion_app.languages import CODES, language
from tests.companion_app.fakes import picture_bytes

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NO_CAMERA = """name => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("in the browser's words", name));
}"""
REASONS = {
    "NotAllowedError": "camera.not-allowed",
    "NotFoundError": "camera.not-found",
    "NotReadableError": "camera.not-readable",
}
PICTURE = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": picture_bytes()}


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page of a browser without a camera."""
    assert CHROMIUM, "the browser tests need Debian's package chromium"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started.new_page()
        started.close()


@pytest.fixture
def open_in(page: Page, serve: Callable[..., httpx.Client]) -> Callable[[str], Page]:
    """A function that opens the start page in a language."""

    def start(code: str) -> Page:
        page.set_extra_http_headers({"accept-language": code})
        page.goto(str(serve().base_url))
        expect(page.locator("html")).to_have_attribute("lang", code)
        return page

    return start


@pytest.mark.parametrize("code", CODES)
def test_why_there_is_no_camera_is_told_in_the_language_of_the_page(code: str, open_in: Callable[[str], Page]) -> None:
    page, spoken = open_in(code), language(code)
    page.locator("[data-camera]").first.click()
    missing = spoken.say("start.camera-missing", why=spoken.say("camera.not-found"))
    expect(page.locator("#alert")).to_have_text(missing)
    for name, key in [*REASONS.items(), ("OddError", "")]:
        page.evaluate(NO_CAMERA, name)
        page.locator("[data-camera]").first.click()
        why = spoken.say(key) if key else spoken.say("camera.other", why=name)
        expect(page.locator("#alert")).to_have_text(spoken.say("start.camera-missing", why=why))


@pytest.mark.parametrize("code", CODES)
def test_an_answer_of_somebody_else_and_none_at_all_are_told_in_the_language_of_the_page(
    code: str, open_in: Callable[[str], Page]
) -> None:
    page, spoken = open_in(code), language(code)

    def stranger(route: Route) -> None:
        route.fulfill(status=502, content_type="text/html", body="<h1>Bad Gateway</h1>")

    page.route("**/tables", stranger)
    page.locator("input[type=file]").first.set_input_files(PICTURE)  # type: ignore[arg-type]
    expect(page.locator("#alert")).to_have_text(spoken.say("error.unforeseen", why="HTTP 502"))
    page.unroute("**/tables")
    page.route("**/tables", lambda route: route.abort())
    page.locator("input[type=file]").first.set_input_files(PICTURE)  # type: ignore[arg-type]
    expect(page.locator("#alert")).to_have_text(spoken.say("page.unsent"))
    page.unroute("**/tables")
