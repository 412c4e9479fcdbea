"""The outlines over what the browser's camera sees: where they lie, and when they are taken away.

The camera is a canvas that the test draws on, so that it moves when the test says; the eyes are prepared readings, the
quads of which are drawn on it. Where the outlines lie is measured on a screenshot.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import httpx
import numpy as np
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from companion_app.languages import language
from rules.cards import GONE
from tests.companion_app.fakes import FakeEyes, picture_bytes, quad_at, reading
from tests.companion_app.test_access import found
from tests.companion_app.test_browser import CHROMIUM, FLAGS, LAPTOP, PHONE, WAIT
from tests.companion_app.test_watching import GAME
from vision.image.picture import decode
from vision.layout.in_place import Asked
from vision.reading import TableReading

MARKED = "foundation"
"""The card that is drawn in a colour of its own, to be found on a screenshot."""
INK, HAND = (230, 0, 230), (200, 150, 120)
SHIFT = 14
FILM = """([width, height]) => {
    const film = Object.assign(document.createElement("canvas"), { width, height, id: "film" });
    window.film = film;
    setInterval(() => window.scene?.(film.getContext("2d")), 100);
    navigator.mediaDevices.getUserMedia = async () => film.captureStream(10);
}"""
DRAW = """([quads, marked, ink, hand]) => { window.scene = (draw) => {
    const fill = (colour, points) => {
        draw.fillStyle = colour;
        draw.beginPath();
        for (const [x, y] of points) draw.lineTo(x, y);
        draw.fill();
    };
    draw.fillStyle = "rgb(40, 90, 70)";
    draw.fillRect(0, 0, window.film.width, window.film.height);
    for (const points of quads) { fill("#223", points.map(([x, y]) => [x + 3, y + 3])); fill("#eee", points); }
    fill(ink, marked);
    if (hand) fill(hand, [[0, 300], [600, 380], [560, 480], [0, 460]]);
}; }"""
LINE = """() => {
    const line = document.querySelector(`.live [data-place="foundation"] .inner`), at = line.getScreenCTM();
    return [...line.points].map((point) => { const { x, y } = point.matrixTransform(at); return [x, y]; });
}"""
Serve = Callable[..., httpx.Client]
TABLE = replace(reading(piles={"waste": "4C", "foundation": "9D"}), advice=())


def moved(table: TableReading, by: float) -> TableReading:
    """The same table as a camera sees it that was knocked."""
    cards = [replace(card, quad_xy=tuple((x + by, y + by) for x, y in card.quad_xy)) for card in table.cards]
    return replace(table, cards=tuple(cards))  # type: ignore[arg-type]


class Eyes(FakeEyes):
    """Sees on the canvas whether it was moved, and under a hand nothing; else what it is given."""

    def read(self, data: bytes, *, layout: Asked = "auto") -> TableReading:
        pixels = decode(data).astype(int)
        marked = np.nonzero(np.abs(pixels - INK).max(2) < 60)
        if np.abs(pixels[410, 300] - HAND).max() < 40:
            return replace(self.last, places=dict.fromkeys(self.last.places, GONE))
        left = min(x for x, _ in quad_at(MARKED))
        return moved(self.readings[0], SHIFT if len(marked[1]) and marked[1].min() > left + SHIFT / 2 else 0)


@pytest.fixture
def watching(serve: Serve) -> Iterator[Callable[..., Page]]:
    """A function that opens a table in a browser whose camera is a canvas, and watches it."""
    assert CHROMIUM, "the browser tests need Debian's package chromium"
    expect.set_options(timeout=WAIT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])

        def start(look: TableReading, code: str = "en", size: tuple[int, int] = LAPTOP) -> Page:
            client = serve(Eyes(look))
            page = browser.new_page(locale="en-GB" if code == "en" else code)
            page.set_viewport_size({"width": size[0], "height": size[1]})
            path = client.post("/tables", data={"game": GAME}, files={"picture": ("t.jpg", picture_bytes())}).url.path
            page.goto(f"{client.base_url}{path}")
            page.wait_for_load_state()
            page.evaluate(FILM, [TABLE.width, TABLE.height])
            show(page, TABLE)
            page.focus("#watch-start")
            page.keyboard.press("Enter")
            return page

        yield start
        browser.close()


def show(page: Page, table: TableReading, *, hand: bool = False) -> None:
    """Let the camera see a table."""
    quads = {card.place: card.quad_xy for card in table.cards}
    marked = quads.pop(MARKED)
    page.evaluate(DRAW, [list(quads.values()), marked, f"rgb{INK}", f"rgb{HAND}" if hand else ""])


def outlined(page: Page, *, on: bool = True) -> None:
    over = page.locator(".live .overlay")
    expect(over).to_be_visible() if on else expect(over).to_be_hidden()


def assert_in_place(page: Page) -> None:
    """The outline lies around the card that the screenshot shows."""
    page.locator(".live").scroll_into_view_if_needed()
    shot = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert shot is not None
    pixels = shot[..., ::-1].astype(int)
    box = page.locator(".live").bounding_box()
    assert box
    inside = np.zeros(pixels.shape[:2], bool)
    left, top = round(box["x"]), round(box["y"])
    inside[max(top, 0) : round(top + box["height"]), left : round(left + box["width"])] = True
    y, x = np.nonzero((np.abs(pixels - INK).max(2) < 60) & inside)
    assert len(x) > 50
    corners = np.array(page.evaluate(LINE))
    seen = np.array([x.min(), y.min(), x.max() + 1, y.max() + 1])
    line = np.array([*corners.min(0), *corners.max(0)])
    # The stroke covers the edge of the card.
    assert np.abs(seen - line).max() < 4, (seen, line)


def test_the_outlines_lie_where_the_cards_lie_whatever_the_size_of_the_view(watching: Callable[..., Page]) -> None:
    page = watching(TABLE)
    outlined(page)
    assert page.inner_html(".live .over") == page.inner_html(".photo .over")
    expect(page.locator(".live .over")).to_have_attribute("aria-hidden", "true")
    assert_in_place(page)
    for width, height in (("100%", "120px"), ("150px", "300px"), ("320px", "215px")):
        style = f"view => Object.assign(view.style, {{ width: '{width}', height: '{height}', maxHeight: 'none' }})"
        page.eval_on_selector("#watch-view", style)
        page.eval_on_selector(".live", f"view => {{ view.style.width = '{width}'; }}")
        assert_in_place(page)
    page.eval_on_selector_all("#watch-view, .live", "all => all.forEach((one) => one.removeAttribute('style'))")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    outlined(page)
    assert_in_place(page)
    assert found(page, "watching") == []


def test_they_are_gone_while_cards_may_lie_elsewhere_and_come_back_with_the_next_look(
    watching: Callable[..., Page],
) -> None:
    page, says, knocked = watching(TABLE), "#watch-says", moved(TABLE, SHIFT)
    outlined(page)
    show(page, TABLE, hand=True)
    outlined(page, on=False)
    expect(page.locator(says)).to_have_text("Something reaches over the table, or the camera was turned: waiting.")
    show(page, TABLE)
    outlined(page)
    expect(page.locator(says)).to_have_text("Nothing has changed.")
    show(page, knocked)
    outlined(page, on=False)
    outlined(page)
    assert_in_place(page)


def test_one_switch_takes_them_away_and_is_remembered(watching: Callable[..., Page]) -> None:
    page, spoken = watching(TABLE, code="pl", size=PHONE), language("pl")
    outlined(page)
    switch = page.locator("#watch").get_by_label(spoken.say("table.outlines"), exact=True)
    expect(switch).to_be_checked()
    switch.press("Space")
    outlined(page, on=False)
    expect(page.locator(".photo .overlay")).to_be_hidden()
    page.reload()
    expect(page.locator(".photo [data-outlines]")).not_to_be_checked()
    expect(page.locator(".photo .overlay")).to_be_hidden()
    page.locator(".photo [data-outlines]").press("Space")
    expect(page.locator(".photo .overlay")).to_be_visible()


def test_the_outlines_of_a_picture_of_another_shape_are_not_laid_over_the_view(watching: Callable[..., Page]) -> None:
    page = watching(replace(TABLE, width=TABLE.width // 2))
    expect(page.locator("#watch-says")).to_have_text("Nothing has changed.")
    expect(page.locator(".live .overlay")).to_have_count(1)
    outlined(page, on=False)
