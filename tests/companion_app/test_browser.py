"""The page in a real browser: the real server with the real reader, Debian's Chromium, real sample pictures.

Screenshots go to the folder named by CARDTABLE_SCREENSHOTS, else to the test's own temporary folder.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from rules.cards import deck
from tests.companion_app.fakes import FakeEyes, picture_bytes, spread

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
CAMERA = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
WAIT = 120_000
LAPTOP, PHONE, NARROW = (1366, 768), (390, 844), (320, 700)
SAMPLE = "relaxed-deal.jpg"
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real server in a process of its own, which keeps its games in a folder of its own."""
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path_factory.mktemp("data"))}
    command = [sys.executable, "-m", "companion_app", "serve", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        assert server.poll() is None, "the server has died"
        server.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium without a window."""
    assert CHROMIUM, "the browser tests need Debian's package chromium"
    expect.set_options(timeout=WAIT)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS + CAMERA)
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Open]:
    """A function that opens the start page at a size and colour scheme; fails on any script error."""
    contexts, errors = [], []

    def start(size: tuple[int, int] = LAPTOP, scheme: str = "light", **settings: object) -> Page:
        viewport = {"width": size[0], "height": size[1]}
        context = browser.new_context(viewport=viewport, color_scheme=scheme, locale="en-GB", **settings)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(address)
        return page

    yield start
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture(scope="module")
def keep(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Page, str], None]:
    """A function that keeps a screenshot to be looked at; a blank page would be much smaller."""
    named = os.environ.get("CARDTABLE_SCREENSHOTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)

    def shoot(page: Page, name: str) -> None:
        path = folder / f"{name}.png"
        page.screenshot(path=path)
        assert path.stat().st_size > 20_000

    return shoot


def fits_width(page: Page) -> bool:
    """Whether nothing makes the page wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def table_shown(page: Page) -> None:
    """Wait for a table and all that belongs to its page."""
    page.wait_for_selector("[data-table]")
    page.wait_for_load_state()


def tab_to(page: Page, selector: str, limit: int = 60) -> None:
    """Press Tab until an element that matches has the focus."""
    for _ in range(limit):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not reach {selector}")


def test_from_a_sample_to_the_reason_of_a_hint_by_keyboard_alone(
    open_page: Open, keep: Callable[[Page, str], None]
) -> None:
    page = open_page(LAPTOP, "light")
    keep(page, "start-laptop-light")
    tab_to(page, f"button[value='{SAMPLE}']")
    page.keyboard.press("Enter")
    table_shown(page)
    assert page.locator("[role=gridcell]").count() == 31
    tab_to(page, "#step-1")
    for step in (1, 2, 3, 4):
        tab_to(page, f"#step-{step}")
        page.keyboard.press("Enter")
        expect(page.locator(f"#step-{step}[aria-pressed=true]")).to_be_visible()
        if step == 2:
            assert page.locator(".cell.is-area").count() >= 1
    expect(page.locator(".cell.is-a")).to_have_count(1)
    expect(page.locator(".seen.is-a")).to_have_count(1)
    expect(page.locator(".why li").first).to_be_visible()
    expect(page.locator("#status")).not_to_be_empty()
    keep(page, "table-laptop-light")


def test_the_board_is_walked_and_a_card_corrected_by_keyboard(open_page: Open) -> None:
    page = open_page()
    page.click(f"button[value='{SAMPLE}']")
    table_shown(page)
    page.focus(".cell[tabindex='0']")
    page.keyboard.press("End")
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.dataset.place") == "pyramid 1 1"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.place") == "pyramid 2 2"
    assert "row 2, place 2; under: " in str(page.evaluate("document.activeElement.getAttribute('aria-label')"))
    page.keyboard.press("Enter")
    page.wait_for_selector(".chooser[data-place]")
    page.keyboard.press("Escape")
    page.wait_for_selector(".chooser[data-place]", state="detached")
    expect(page.locator("#cell-pyramid-2-2")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_selector(".chooser[data-place]")
    page.keyboard.press("k")
    expect(page.locator(".chooser [name=rank][value=K]")).to_be_checked()
    page.keyboard.press("s")
    expect(page.locator("#cell-pyramid-2-2[aria-label^='king of spades'].is-pinned")).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_is_uploaded_on_a_phone(open_page: Open, keep: Callable[[Page, str], None], scheme: str) -> None:
    page = open_page(PHONE, scheme, has_touch=True, is_mobile=True, device_scale_factor=2)
    keep(page, f"start-phone-{scheme}")
    page.set_input_files("#opener input[type=file] >> nth=0", str(files("sample_images") / "king-tut.jpg"))
    table_shown(page)
    assert fits_width(page)
    keep(page, f"table-phone-{scheme}")
    page.tap("#step-3")
    expect(page.locator("#step-3[aria-pressed=true]")).to_be_visible()
    page.locator(".felt").scroll_into_view_if_needed()
    keep(page, f"hint-phone-{scheme}")


def test_two_samples_in_a_row_tell_the_move(open_page: Open, keep: Callable[[Page, str], None]) -> None:
    page = open_page(LAPTOP, "dark")
    page.click("button[value='pair-before.jpg']")
    table_shown(page)
    page.click("#next-sample")
    page.wait_for_selector(".told, .breach")
    expect(page.locator(".told")).to_contain_text("Pair:")
    keep(page, "moves-laptop-dark")


SPREAD = "button[value='spread.jpg']"


def test_cards_without_a_layout_are_read_walked_and_corrected_by_keyboard_alone(
    open_page: Open, keep: Callable[[Page, str], None]
) -> None:
    page = open_page(LAPTOP, "light")
    tab_to(page, SPREAD)
    page.keyboard.press("Enter")
    table_shown(page)
    expect(page.locator(".loose-card")).to_have_count(9)
    expect(page.locator(".seen")).to_have_count(9)
    tab_to(page, ".loose-card")
    assert page.evaluate("document.activeElement.innerText") == "8♠"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.innerText") == "J♠"
    page.keyboard.press("ArrowDown")
    place = page.evaluate("document.activeElement.dataset.place")
    page.keyboard.press("Enter")
    page.wait_for_selector(".chooser[data-place]")
    expect(page.locator(f".seen.is-chosen[data-place='{place}']")).to_have_count(1)
    tab_to(page, ".chooser [name=rank]")
    page.keyboard.press("8")
    tab_to(page, ".pick[value='S']")
    page.keyboard.press("Enter")
    expect(page.locator("sup", has_text="2×")).to_have_count(2)
    expect(page.locator(f"[data-place='{place}'].loose-card.is-pinned")).to_be_focused()
    expect(page.locator(".noticed")).to_contain_text("The same card twice: 8 of spades")
    tab_to(page, "summary")
    page.keyboard.press("Enter")
    expect(page.locator(".whole .lead")).to_contain_text("44 cards are missing: ace of spades")
    expect(page.locator(".whole .lead")).to_be_visible()
    keep(page, "spread-laptop-light")
    page.select_option("#order", "lie")
    expect(page.locator(".loose-card").first).to_have_attribute("data-place", "table 1")
    expect(page.locator(".whole .lead")).to_be_visible()


def test_who_moves_on_while_an_answer_is_put_in_place_stays_there(open_page: Open) -> None:
    page = open_page(LAPTOP, "light")
    page.click(SPREAD)
    table_shown(page)
    page.locator(".loose-card").first.press("Enter")
    expect(page.locator(".chooser [name=rank][value='9']")).to_have_count(1)
    # As soon as the card has the focus again somebody goes on to the list of orders.
    page.evaluate(
        """document.addEventListener("focusin", function goOn({ target }) {
            if (!target.matches(".loose-card")) return;
            document.removeEventListener("focusin", goOn);
            setTimeout(() => document.getElementById("order").focus(), 20);
        })"""
    )
    page.locator(".chooser [name=rank]").first.focus()
    page.keyboard.press("9")
    page.keyboard.press("S")
    expect(page.locator(".loose-card.is-pinned")).to_have_count(1)
    expect(page.locator(".chooser")).to_have_count(0)
    page.wait_for_timeout(300)
    expect(page.locator("#order")).to_be_focused()


def test_a_deck_is_settled_card_by_card_without_losing_the_focus(
    browser: Browser, serve: Callable[..., httpx.Client]
) -> None:
    cards = [card for card in deck() if str(card) not in ("7C", "KC")]
    client = serve(FakeEyes(spread(cards, doubts=("table 3", "table 5"))))
    page = browser.new_page(locale="en-GB")
    page.goto(str(client.base_url))
    page.select_option("#game", "none")
    picture = {"name": "deck.jpg", "mimeType": "image/jpeg", "buffer": picture_bytes()}
    page.set_input_files("#opener input[type=file] >> nth=0", picture)  # type: ignore[arg-type]
    table_shown(page)
    expect(page.locator(".whole")).to_contain_text("2 cards are not to be seen: 7 of clubs, king of clubs.")
    page.focus("#guess-table-3-1")
    page.keyboard.press("Enter")
    expect(page.locator("#guess-table-5-1")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".whole .lead")).to_have_text("2 cards are missing: 7 of clubs, king of clubs.")
    expect(page.locator("#status")).to_contain_text("2 cards are missing")
    page.focus("#absent-7C")
    page.keyboard.press("Enter")
    expect(page.locator(".whole .lead")).to_have_text("The king of clubs is missing.")
    expect(page.locator(".whole summary")).to_be_focused()
    page.close()


def test_cards_without_a_layout_on_a_phone(open_page: Open, keep: Callable[[Page, str], None]) -> None:
    page = open_page(PHONE, "dark", has_touch=True, is_mobile=True, device_scale_factor=2)
    page.select_option("#game", "none")
    page.set_input_files("#opener input[type=file] >> nth=0", str(files("sample_images") / "spread.jpg"))
    table_shown(page)
    assert fits_width(page)
    keep(page, "spread-phone-dark")
    page.tap(".seen >> nth=0")
    page.wait_for_selector(".chooser[data-place='table 1']")
    assert fits_width(page)
    keep(page, "spread-chooser-phone-dark")
    assert page.evaluate(
        "[...document.querySelectorAll('.loose-card')].every(card => card.getBoundingClientRect().height > 43.5)"
    )


def test_nothing_is_wider_than_a_narrow_window(open_page: Open) -> None:
    page = open_page(NARROW)
    assert fits_width(page)
    page.click(f"button[value='{SAMPLE}']")
    table_shown(page)
    assert fits_width(page)
    page.focus(".cell[tabindex='0']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".chooser[data-place]")
    assert fits_width(page)


def test_every_control_is_large_enough_to_touch(open_page: Open) -> None:
    page = open_page(PHONE)
    page.click(f"button[value='{SAMPLE}']")
    table_shown(page)
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, a.button, select, summary, label.button, input[type=number]')]
            .filter(item => item.checkVisibility() && item.getBoundingClientRect().height < 43.5)
            .map(item => item.outerHTML.slice(0, 80))"""
    )
    assert small == []


def test_the_camera_of_the_computer_takes_a_picture_and_trouble_is_told(open_page: Open) -> None:
    page = open_page()
    page.click("[data-camera]")
    page.click("[data-camera-take]")
    # The picture that could not be read is shown, and what else may be done with it.
    expect(page.get_by_role("alert").filter(has_text="No cards can be seen")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_the_language_changes_at_once(open_page: Open) -> None:
    page = open_page()
    page.select_option("#language", "fi")
    page.wait_for_selector("html[lang=fi]")
    expect(page.locator("h1")).to_have_text("Pelaa oikeilla korteilla, ota kuva, katso seuraava siirto.")


def test_a_language_gone_past_by_arrow_keys_is_not_taken_before_the_list_is_left(open_page: Open) -> None:
    page = open_page()
    page.wait_for_load_state()
    page.focus("#language")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.documentElement.lang") == "en"
    page.keyboard.press("Tab")
    page.wait_for_selector("html[lang=pl]")


def test_a_game_is_played_without_scripts(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(address)
    assert page.locator("label:has(input[type=file]):visible").count() == 0
    expect(page.get_by_role("button", name="Use this language")).to_be_visible()
    page.set_input_files("#opener noscript input", str(files("sample_images") / "pair-before.jpg"))
    page.get_by_role("button", name="Read the picture").click()
    expect(page.locator(".cell")).to_have_count(31)
    page.set_input_files("[data-part=next] noscript input", str(files("sample_images") / "pair-after.jpg"))
    page.get_by_role("button", name="Next picture").click()
    expect(page.locator(".story")).to_contain_text("Pair: 4 of hearts + 9 of spades")
    page.get_by_role("button", name="Cards?").click()
    expect(page.locator(".move")).not_to_be_empty()
    context.close()
