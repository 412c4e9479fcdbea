"""Which camera, its light, zoom and exposure: what browser and camera have is offered, and what is set reaches them."""

import time
from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from companion_app.languages import CODES, language
from tests.companion_app.fakes import picture_bytes
from tests.companion_app.test_access import found
from tests.companion_app.test_browser import CAMERA, CHROMIUM, FLAGS

# The browser's own cameras have no lamp and correct no exposure; what such a camera can is made up here, and what is
# asked of it noted. Zoom and exposure time are set at the browser's own.
CAN = """caps => {
    window.asked = [];
    const has = { zoom: 1.5 };
    MediaStreamTrack.prototype.getCapabilities = () => caps;
    MediaStreamTrack.prototype.getSettings = function () { return { deviceId: this.label, ...has }; };
    MediaStreamTrack.prototype.applyConstraints = async (wanted) => {
        window.asked.push(JSON.parse(JSON.stringify(wanted.advanced[0])));
        if (window.refuses) throw new DOMException("too dark here", "OverconstrainedError");
        Object.assign(has, wanted.advanced[0]);
    };
}"""
TRACK = "document.getElementById('camera-view').srcObject.getVideoTracks()[0]"
# The browser's own camera writes the time at the top of its picture, larger as it zooms: how much of the strip below
# small writing is written on.
WRITTEN = """() => {
    const view = document.getElementById("camera-view");
    const [wide, high] = [view.videoWidth, view.videoHeight];
    const canvas = Object.assign(document.createElement("canvas"), { width: 70, height: 10 });
    const drawn = canvas.getContext("2d");
    drawn.drawImage(view, 0.2 * wide, 0.13 * high, 0.7 * wide, 0.1 * high, 0, 0, 70, 10);
    const pixels = drawn.getImageData(0, 0, 70, 10).data;
    return pixels.filter((value, at) => at % 4 === 0 && value > 30).length / (70 * 10);
}"""
PHONE = {
    "torch": True,
    "zoom": {"min": 1, "max": 4, "step": 0.5},
    "exposureCompensation": {"min": -2, "max": 2, "step": 1},
}
WEBCAM = {"exposureMode": ["continuous", "manual"], "exposureTime": {"min": 10, "max": 100, "step": 10}}
REFUSED = """() => {
    navigator.mediaDevices.getUserMedia = async () => { throw new DOMException("", "NotReadableError"); };
}"""
PICTURE = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": picture_bytes()}
PATIENCE = 20.0
Film = Callable[..., Page]


@pytest.fixture
def film(serve: Callable[..., httpx.Client]) -> Iterator[Film]:
    """A function that opens the start page and films with the first of two cameras: those that the browser has, of
    which the page may move what is seen where `moves`, or such as can what is told."""
    assert CHROMIUM, "the browser tests need Debian's package chromium"
    two = [CAMERA[0] + "=device-count=2", CAMERA[1]]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *two])

        def start(can: object = None, code: str = "en", *, moves: bool = False) -> Page:
            page = browser.new_page(locale="en-GB" if code == "en" else code)
            page.goto(str(serve().base_url))
            if moves:
                allow(page, "videoCapture", "cameraPanTiltZoom")
            if can is not None:
                page.evaluate(CAN, can)
            page.locator("[data-camera]").first.click()
            page.locator("[data-camera-take]:enabled").wait_for()
            return page

        yield start
        browser.close()


def allow(page: Page, *names: str) -> None:
    """Grant permissions of which Playwright knows no name."""
    session = page.context.new_cdp_session(page)
    context = session.send("Target.getTargetInfo")["targetInfo"]["browserContextId"]
    session.send("Browser.grantPermissions", {"permissions": names, "browserContextId": context})


def soon(page: Page, expression: str) -> None:
    """Wait until it is so on the page, whose policy lets no text be evaluated from within."""
    until = time.monotonic() + PATIENCE
    while not page.evaluate(expression):
        assert time.monotonic() < until, expression
        page.wait_for_timeout(20)


def last(page: Page, number: int) -> object:
    """What was asked of the camera last, once so many things were."""
    soon(page, f"window.asked.length === {number}")
    return page.evaluate("window.asked.at(-1)")


def test_lamp_zoom_and_exposure_of_a_phone_are_set_by_keyboard(film: Film) -> None:
    page = film(PHONE)
    page.locator(".lens summary").press("Enter")
    assert found(page, "the camera") == []
    expect(page.get_by_label("Automatic exposure")).to_be_hidden()
    page.get_by_label("Lamp of the camera").press("Space")
    assert last(page, 1) == {"torch": True}
    zoom = page.get_by_role("slider", name="Zoom")
    expect(zoom).to_have_value("1.5")
    zoom.press("ArrowRight")
    assert last(page, 2) == {"torch": True, "zoom": 2}
    page.get_by_role("slider", name="Exposure").press("End")
    assert last(page, 3) == {"torch": True, "zoom": 2, "exposureCompensation": 2}
    zoom.press("Enter")
    expect(page.locator("#camera")).to_be_visible()
    page.evaluate("window.refuses = true")
    page.get_by_label("Lamp of the camera").press("Space")
    expect(page.locator("#alert")).to_have_text("The camera did not take this setting: too dark here")


def test_an_exposure_time_ends_automatic_exposure_which_can_be_had_back(film: Film) -> None:
    page = film(WEBCAM)
    page.locator(".lens summary").click()
    expect(page.get_by_label("Lamp of the camera")).to_be_hidden()
    expect(page.get_by_role("slider", name="Zoom")).to_be_hidden()
    page.get_by_role("slider", name="Exposure").press("End")
    assert last(page, 1) == {"exposureMode": "manual", "exposureTime": 100}
    automatic = page.get_by_label("Automatic exposure")
    expect(automatic).not_to_be_checked()
    automatic.check()
    assert last(page, 2) == {"exposureMode": "continuous"}


def test_zoom_and_exposure_are_set_at_the_camera_of_the_browser_itself(film: Film) -> None:
    page = film(moves=True)
    page.locator(".lens summary").press("Enter")
    zoom, exposure = page.get_by_role("slider", name="Zoom"), page.get_by_role("slider", name="Exposure")
    can = page.evaluate(f"{TRACK}.getCapabilities()")
    for control, name in ((zoom, "zoom"), (exposure, "exposureTime")):
        assert {end: float(str(control.get_attribute(end))) for end in ("min", "max", "step")} == can[name]
        expect(control).to_have_value(str(page.evaluate(f"{TRACK}.getSettings().{name}")))
    assert page.evaluate(WRITTEN) == 0
    zoom.press("End")
    soon(page, f"{TRACK}.getSettings().zoom === {can['zoom']['max']}")
    soon(page, f"({WRITTEN})() > 0.05")
    exposure.press("Home")
    soon(page, f"{TRACK}.getSettings().exposureTime === {can['exposureTime']['min']}")
    assert page.evaluate(f"{TRACK}.getSettings().zoom") == can["zoom"]["max"]
    # This camera says that it finds the exposure by itself and does not: shown is what it has.
    automatic = page.get_by_label("Automatic exposure")
    automatic.press("Space")
    expect(page.locator("#alert")).to_have_text("The camera kept its own setting.")
    expect(automatic).not_to_be_checked()
    zoom.press("Home")
    soon(page, f"({WRITTEN})() === 0")
    expect(page.locator("#alert")).to_be_hidden()


def test_another_camera_is_chosen_and_remembered(film: Film) -> None:
    page = film()
    page.locator(".lens summary").click()
    # A browser that may not move what the camera sees has no zoom.
    expect(page.get_by_role("slider", name="Zoom")).to_be_hidden()
    page.get_by_role("slider", name="Exposure").press("End")
    soon(page, f"{TRACK}.getSettings().exposureTime === {TRACK}.getCapabilities().exposureTime.max")
    choice = page.get_by_label("Camera", exact=True)
    expect(choice.locator("option")).to_have_count(2)
    now = f"{TRACK}.getSettings().deviceId"
    expect(choice).to_have_value(page.evaluate(now))
    page.evaluate(f"() => {{ window.former = {TRACK}; }}")
    (other,) = choice.locator("option:not(:checked)").evaluate_all("all => all.map(one => one.value)")
    choice.select_option(other)
    soon(page, f"document.getElementById('camera-view').srcObject !== null && {now} === '{other}'")
    assert page.evaluate("window.former.readyState") == "ended"
    expect(page.locator("[data-camera-take]")).to_be_enabled()
    page.click("[data-camera-stop]")
    page.locator("[data-camera]").first.click()
    page.locator("[data-camera-take]:enabled").wait_for()
    assert page.evaluate(now) == other
    expect(choice).to_have_value(other)
    page.click("[data-camera-stop]")
    page.evaluate("localStorage.setItem('cardtable-camera', 'unplugged')")
    page.locator("[data-camera]").first.click()
    page.locator("[data-camera-take]:enabled").wait_for()


@pytest.mark.parametrize("code", CODES)
def test_the_camera_is_set_in_every_language(code: str, film: Film) -> None:
    page, spoken = film(PHONE, code), language(code)
    page.locator(".lens summary").click()
    expect(page.locator(".lens summary")).to_have_text(spoken.say("camera.title"))
    for key in ("camera.torch", "camera.zoom", "camera.exposure", "camera.which"):
        expect(page.get_by_label(spoken.say(key), exact=True)).to_be_visible()


def test_a_table_is_watched_on_through_another_camera_and_what_cannot_be_used_is_told(film: Film) -> None:
    page = film()
    page.click("[data-camera-stop]")
    page.goto(page.url)
    page.set_input_files("#opener input[type=file] >> nth=0", PICTURE)  # type: ignore[arg-type]
    page.wait_for_selector("[data-table]")
    page.wait_for_load_state()
    page.click("#watch-start")
    page.locator(".lens summary").click()
    choice = page.get_by_label("Camera", exact=True)
    (other,) = choice.locator("option:not(:checked)").evaluate_all("all => all.map(one => one.value)")
    former = choice.input_value()
    choice.select_option(other)
    seen = "document.getElementById('watch-view').srcObject"
    soon(page, f"{seen} !== null && {seen}.getVideoTracks()[0].getSettings().deviceId === '{other}'")
    with page.expect_request("**/glance"):
        pass
    page.evaluate(REFUSED)
    expect(choice).to_have_value(other)
    choice.select_option(former)
    expect(page.locator("#alert")).to_contain_text("another program may be using it")
    expect(page.locator("#watch-seen")).to_be_hidden()
    expect(page.locator("#watch-start")).to_be_focused()
