"""Thinking at the table in a real browser, by keyboard: partners, all moves, a line tried, a sum asked; held against
axe-core on a laptop in light and on a phone in dark."""

from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.companion_app.fakes import FakeEyes
from tests.companion_app.test_access import found
from tests.companion_app.test_browser import LAPTOP, PHONE, browser, table_shown
from tests.companion_app.test_server import table_path, upload

__all__ = ["browser"]

Serve = Callable[..., httpx.Client]


def press_at(page: Page, place: str) -> None:
    """Enter on a card of the board."""
    page.locator(f"#cell-{place.replace(' ', '-')}").focus()
    page.keyboard.press("Enter")


@pytest.mark.parametrize(("size", "scheme"), [(LAPTOP, "light"), (PHONE, "dark")], ids=["laptop", "phone"])
def test_thinking_at_the_table_by_keyboard(serve: Serve, browser: Browser, size: tuple[int, int], scheme: str) -> None:
    client = serve(FakeEyes())
    address = f"{client.base_url}{table_path(upload(client))}"
    viewport = {"width": size[0], "height": size[1]}
    page = browser.new_page(locale="en-GB", viewport=viewport, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(address)
    table_shown(page)

    press_at(page, "pyramid 7 3")
    expect(page.locator(".goes")).to_have_text("Goes with: 4 of clubs (waste)")
    expect(page.locator("#status")).to_contain_text("Goes with: 4 of clubs (waste)")
    assert page.locator(".cell.is-partner").get_attribute("data-place") == "waste"
    page.keyboard.press("Escape")

    page.locator(".every > summary").press("Enter")
    move = page.locator("[data-show]", has_text="9 of clubs + 4 of clubs")
    move.press("Enter")
    expect(page.locator(".cell.is-a")).to_have_attribute("data-place", "pyramid 7 3")
    client.post(f"{address}/settle", data={"place": "pyramid 1 1", "card": "KH"})
    expect(page.locator("#cell-pyramid-1-1.is-pinned")).to_have_count(1)
    expect(page.locator(".cell.is-a")).to_have_count(1)
    page.locator(".counting > summary").press("Enter")
    page.locator(".practice > summary").press("Enter")
    page.locator("#asking").press("Enter")
    expect(page.locator("#asking")).to_have_text("Ask me no more")
    press_at(page, "waste")
    expect(page.locator(".chooser .worths button")).to_have_count(4)
    wrong = found(page, "asked")
    page.locator("#own-worth-9").press("Enter")
    expect(page.locator(".chooser .sum")).to_contain_text("Right: 4 + 9 = 13")
    page.keyboard.press("Escape")
    wrong += found(page, "unfolded")

    page.locator(".begin").press("Enter")
    page.wait_for_selector("[data-try]")
    page.wait_for_load_state()
    press_at(page, "pyramid 7 3")
    expect(page.locator("#cell-pyramid-7-3.is-chosen")).to_be_focused()
    press_at(page, "pyramid 7 4")
    expect(page.locator(".breach")).to_contain_text("Does not add up to the total")
    wrong += found(page, "against a rule")
    press_at(page, "pyramid 7 3")
    expect(page.locator("[data-chosen]")).to_have_count(1)
    press_at(page, "waste")
    expect(page.locator(".made li")).to_have_text(["Pair: 9 of clubs + 4 of clubs"])
    page.reload()
    expect(page.locator(".made li")).to_have_count(1)
    client.post(f"{address}/settle", data={"place": "pyramid 7 3", "card": "8C"})
    expect(page.locator(".warn")).to_contain_text("The table has changed meanwhile")
    expect(page.locator(".made li")).to_have_count(0)
    page.locator(".top a.button").press("Enter")
    table_shown(page)
    expect(page.locator("#cell-waste")).to_have_attribute("aria-label", "4 of clubs; waste; free")
    page.close()
    assert not wrong, "\n".join(wrong)


def test_what_was_asked_for_last_is_on_show(serve: Serve, browser: Browser) -> None:
    """The board without a chooser is answered only after a move of the list was asked for and shown."""
    client = serve(FakeEyes())
    address = f"{client.base_url}{table_path(upload(client))}"
    page = browser.new_page(locale="en-GB")
    page.goto(address)
    table_shown(page)
    press_at(page, "pyramid 7 3")
    expect(page.locator(".goes")).to_have_text("Goes with: 4 of clubs (waste)")

    held: list[Route] = []
    page.route(address, lambda route: held.append(route), times=1)
    page.keyboard.press("Escape")
    page.locator(".every > summary").press("Enter")
    page.locator("[data-show]", has_text="9 of clubs + 4 of clubs").press("Enter")
    expect(page.locator(".cell.is-a")).to_have_attribute("data-place", "pyramid 7 3")
    held.pop().continue_()
    expect(page.locator("body.is-busy")).to_have_count(0)
    expect(page.locator(".chooser")).to_have_count(0)
    expect(page.locator(".cell.is-a")).to_have_count(1)
    page.close()
