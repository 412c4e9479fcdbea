"""Every page and state held against WCAG 2.2 AA and good practice by axe-core, at several sizes, in light and dark."""

from collections.abc import Callable
from importlib.resources import files

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.companion_app.test_browser import LAPTOP, NARROW, PHONE, address, browser, fits_width, open_page, table_shown

__all__ = ["address", "browser", "open_page"]

Open = Callable[..., Page]
DOUBLE = (640, 400)
"""A laptop's window at twice the size of its letters."""
LOOKS = [(LAPTOP, "light"), (LAPTOP, "dark"), (PHONE, "light"), (PHONE, "dark"), (DOUBLE, "light"), (NARROW, "dark")]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def found(page: Page, state: str) -> list[str]:
    """What is wrong with a page as it shows now, a line each."""
    page.wait_for_timeout(300)  # what moves into its place has a colour of its own until it lies there
    wrong = Axe().run(page, options=RULES).response["violations"]
    lines = [f"{state}: {each['id']}: {node['html'][:140]}" for each in wrong for node in each["nodes"]]
    return lines if fits_width(page) else [*lines, f"{state}: wider than its window"]


@pytest.mark.parametrize(("size", "scheme"), LOOKS, ids=[f"{size[0]}-{scheme}" for size, scheme in LOOKS])
def test_axe_finds_nothing_on_any_page_in_any_state(open_page: Open, size: tuple[int, int], scheme: str) -> None:
    page = open_page(size, scheme)
    start = page.url
    wrong = found(page, "start")
    page.click("button[value='pair-before.jpg']")
    table_shown(page)
    wrong += found(page, "table")
    page.click("#step-2")
    page.wait_for_selector(".cell.is-area")
    wrong += found(page, "where")
    page.click("#step-4")
    page.wait_for_selector(".why li")
    wrong += found(page, "why")
    page.click("#next-sample")
    page.wait_for_selector(".told")
    wrong += found(page, "told")
    page.focus(".cell[tabindex='0']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".chooser")
    wrong += found(page, "chooser")
    page.keyboard.press("Escape")
    page.wait_for_selector(".chooser", state="detached")
    for summary in page.locator(".folds > details > summary").all():
        summary.click()
    wrong += found(page, "all unfolded")
    page.click("[data-enlarge]")
    wrong += found(page, "enlarged")
    page.goto(start)
    page.click("button[value='fault-twice.jpg']")
    table_shown(page)
    wrong += found(page, "faults")
    page.goto(start)
    page.click("button[value='piwnica-before.jpg']")
    table_shown(page)
    wrong += found(page, "row game")
    page.goto(start)
    page.click("button[value='spread.jpg']")
    table_shown(page)
    wrong += found(page, "spread")
    page.goto(f"{start}decks")
    wrong += found(page, "decks")
    page.goto(f"{start}devices")
    wrong += found(page, "devices")
    page.goto(f"{start}tables/none")
    wrong += found(page, "trouble")
    assert not wrong, "\n".join(wrong)


def test_axe_finds_nothing_where_a_broken_rule_is_told(open_page: Open) -> None:
    page = open_page(PHONE)
    page.set_input_files("#opener input[type=file] >> nth=0", str(files("sample_images") / "pair-after.jpg"))
    table_shown(page)
    page.set_input_files("[data-part=next] input >> nth=0", str(files("sample_images") / "relaxed-lamp.jpg"))
    page.wait_for_selector(".told, .breach")
    assert found(page, "another table") == []
