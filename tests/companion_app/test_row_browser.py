"""Row games on the page in a real browser: keyboard, corrections in a row, hints, and a phone's width."""

from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.companion_app.fakes import FakeEyes, picture_bytes
from tests.companion_app.row_tables import after, deal, seen
from tests.companion_app.test_browser import LAPTOP, PHONE, browser, fits_width

__all__ = ["browser"]

Serve = Callable[..., httpx.Client]
Open = Callable[..., Page]


@pytest.fixture
def open_rows(browser: Browser, serve: Serve) -> Iterator[Open]:
    """A function that opens a picture of a row game, after which another may follow; fails on any script error."""
    contexts, errors = [], []

    def start(game_id: str, size: tuple[int, int] = LAPTOP, scheme: str = "light") -> Page:
        first = deal(game_id)
        client = serve(FakeEyes(seen(first, game_id), seen(after(first, game_id, "build", "foundation"), game_id)))
        viewport = {"width": size[0], "height": size[1]}
        context = browser.new_context(viewport=viewport, color_scheme=scheme, locale="en-GB")  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(str(client.base_url))
        page.select_option("#game", game_id)
        send(page, "#opener")
        page.wait_for_selector("[data-table]")
        page.wait_for_load_state()
        return page

    yield start
    for context in contexts:
        context.close()
    assert errors == []


def send(page: Page, part: str) -> None:
    picture = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": picture_bytes()}
    page.set_input_files(f"{part} input[type=file] >> nth=0", picture)  # type: ignore[arg-type]


def walk(page: Page, start: str, keys: str) -> str:
    """The place that the arrow keys lead to."""
    page.locator(f"[data-place='{start}'].cell").focus()
    for key in keys.split():
        page.keyboard.press(f"Arrow{key}")
    return str(page.evaluate("document.activeElement.dataset.place"))


def test_the_arrow_keys_move_by_row_and_column(open_rows: Open) -> None:
    page = open_rows("ulubiony")
    assert walk(page, "base 1", "Left") == "left 1 1"
    assert walk(page, "base 1", "Right Right") == "right 1 2"
    assert walk(page, "base 1", "Down Down") == "base 3"
    assert walk(page, "left 2 3", "Down") == "left 3 3"
    assert walk(page, "left 3 3", "Up Up") == "left 1 3"
    assert walk(page, "left 1 5", "Left") == "left column 1"
    assert walk(page, "left column 1", "Down Down") == "left column 3"
    assert walk(page, "left column 1", "Right") == "left 1 5"
    assert walk(page, "left 4 4", "Right Right Right Right") == "base 4"


def test_a_card_missed_amid_a_row_is_put_there_by_keyboard(open_rows: Open) -> None:
    page = open_rows("arcydzielo")
    before = page.locator(".cell").count()
    page.locator("#cell-left-2-2").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".chooser")).to_be_visible()
    page.select_option("#how", "after")
    page.focus(".chooser button[value=gone]")
    page.keyboard.press("k")
    page.keyboard.press("s")
    expect(page.locator("#cell-left-2-3[aria-label^='king of spades'].is-pinned")).to_have_count(1)
    assert page.locator(".cell").count() == before + 1
    page.locator("#cell-left-2-3").focus()
    page.keyboard.press("Enter")
    # Until the answer is in place the chooser of the card before is on show.
    page.locator(".chooser[data-place='left 2 3'] button[value=gone]").press("Enter")
    expect(page.locator(".cell")).to_have_count(before)


def test_a_button_of_the_chooser_pressed_twice_counts_once(open_rows: Open) -> None:
    page = open_rows("arcydzielo")
    before = page.locator(".cell").count()
    page.locator("#cell-left-2-2").focus()
    page.keyboard.press("Enter")
    page.locator(".chooser button[value=gone]").evaluate("(button) => { button.click(); button.click(); }")
    expect(page.locator(".chooser")).to_have_count(0)
    page.reload()
    expect(page.locator(".cell")).to_have_count(before - 1)


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (LAPTOP, "light")])
def test_direction_hints_and_the_next_picture_of_a_row_game(
    open_rows: Open, size: tuple[int, int], scheme: str
) -> None:
    page = open_rows("piwnica", size, scheme)
    assert fits_width(page)
    page.click("a[href='#direction']")
    page.select_option("#direction", "up")
    expect(page.locator("a[href='#direction']")).to_have_count(0)
    page.locator("#step-3").press("Enter")
    expect(page.locator("#step-3[aria-pressed=true]")).to_be_focused()
    expect(page.locator(".move")).not_to_be_empty()
    expect(page.locator(".cell.is-a")).to_have_count(1)
    send(page, ".next")
    expect(page.locator(".story")).to_contain_text("Moves made")
    assert fits_width(page)
