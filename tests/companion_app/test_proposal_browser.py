"""A proposed score in a real browser: looked through, kept and taken back by keyboard, on a phone, without scripts."""

from collections.abc import Callable

import httpx
from playwright.sync_api import Browser, Page, expect

from tests.companion_app.fakes import ROWS, picture_bytes, reading
from tests.companion_app.test_access import found
from tests.companion_app.test_browser import NARROW, PHONE, browser, fits_width, tab_to, table_shown

__all__ = ["browser"]

Open = Callable[..., httpx.Client]
SEEN = reading((*ROWS[:6], "10H JC -- 10C 8D AS 10H"), doubts=("pyramid 7 3", "pyramid 7 7"))
"""A card that lies there twice, and a place that looks empty."""
SMALL = """[...document.querySelectorAll('.answer :is(button, .button)')]
    .filter(one => one.checkVisibility() && one.getBoundingClientRect().height < 43.5).map(one => one.outerHTML)"""
PICTURE = {"name": "end.jpg", "mimeType": "image/jpeg", "buffer": picture_bytes()}


def sent(page: Page, field: str) -> None:
    page.select_option("#game", "relaxed-pyramid")
    page.set_input_files(field, PICTURE)  # type: ignore[arg-type]


def test_a_score_is_looked_through_kept_and_taken_back_by_keyboard_on_a_phone(
    browser: Browser, kept_page: Open
) -> None:
    page = browser.new_page(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en-GB")
    page.goto(str(kept_page(SEEN).base_url))
    sent(page, "input[data-way=score] >> nth=0")
    table_shown(page)
    wrong = found(page, "proposed")
    expect(page.locator("#keep-score")).to_be_in_viewport()
    assert page.evaluate(SMALL) == []
    tab_to(page, "#mend-pyramid-7-7-1", 120)
    page.keyboard.press("Enter")
    expect(page.locator("section.score .warn")).to_contain_text("1 thing is not settled.")
    tab_to(page, "#keep-score")
    page.keyboard.press("Enter")
    expect(page.locator("section.score")).to_contain_text("✓ Kept")
    expect(page.locator("#status")).to_contain_text("It counts in the statistics")
    # What had the focus is gone: it goes on from there.
    expect(page.locator("[data-part=next] :focus, [data-part=next]:focus, :focus:has([data-part=next])")).to_have_count(
        1
    )
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    assert fits_width(page)
    page.keyboard.press("u")
    expect(page.locator("section.score")).to_contain_text("Not confirmed")
    expect(page.locator("#keep-score")).to_be_visible()
    page.close()
    assert not wrong, "\n".join(wrong)


def test_a_score_is_kept_without_scripts(browser: Browser, kept_page: Open) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(str(kept_page(SEEN).base_url))
    page.get_by_label("What for").select_option(label="Score a game")
    sent(page, "#opener noscript input")
    page.get_by_role("button", name="Read the picture").click()
    page.get_by_role("button", name="8 of clubs").click()
    page.get_by_role("button", name="Keep this score").click()
    expect(page.locator("section.score")).to_contain_text("It rests on 1 thing that was not settled.")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("section.score")).to_contain_text("Not confirmed")
    context.close()
