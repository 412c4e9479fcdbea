"""Library, statistics, replay and matches in a real browser: held against WCAG 2.2 AA, and gone through by keyboard."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from companion_app.languages import CODES
from companion_app.library.matches import Matches
from companion_app.library.store import Store
from companion_app.tables.table import Table
from rules.record import read_records
from tests.companion_app.conftest import served
from tests.companion_app.fakes import FakeEyes, picture_bytes, reading
from tests.companion_app.played import ENGLISH, LOST, WON, desk_of, play
from tests.companion_app.test_access import found
from tests.companion_app.test_browser import NARROW, PHONE, browser, fits_width
from tests.companion_app.test_matches import RECORDS, keep
from tests.companion_app.test_replay import NONE, TWO
from tests.companion_app.test_store import HAND

__all__ = ["browser"]

DESK = (1280, 800)
Kept = tuple[httpx.Client, Table, str]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """The page with some kept games; one of them with doubts, help and a broken rule; and a match begun."""
    folder = tmp_path_factory.mktemp("games")
    store = Store(folder)
    games = read_records(RECORDS.read_text(encoding="utf-8"))
    ids = [keep(folder, played, number) for number, played in enumerate(games, start=1)]
    desk = desk_of(folder, *WON, *LOST, reading(doubts=("pyramid 7 2",)), HAND, HAND, TWO, NONE)
    play(desk, 2)
    play(desk, 2, step=3)
    broken = play(desk, 3, step=2)
    desk.allow(broken, str(broken.look))
    table = desk.open_picture(picture_bytes(), "one.jpg", "relaxed-pyramid", ENGLISH)
    table = desk.next_picture(table, picture_bytes(), "two.jpg", ENGLISH)
    matches = Matches(store)
    match = matches.begin("math-pyramid", ["Aino", "Bartłomiej Brzęczyszczykiewicz"])
    for number, game in enumerate(ids[:5]):
        assert matches.enter(matches.find(match), number % 2, number // 2 + 1, game) == ""
    with served(FakeEyes(), store=Store(folder)) as client:
        yield client, table, match


def opened(browser: Browser, size: tuple[int, int], scheme: str, code: str = "en") -> Page:
    viewport = {"width": size[0], "height": size[1]}
    context = browser.new_context(viewport=viewport, color_scheme=scheme, locale=code)  # type: ignore[arg-type]
    return context.new_page()


def unfolded(page: Page, address: str) -> None:
    page.goto(address)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")


LISTS = ("/games?game=relaxed-pyramid", "/statistics")
LOOKS = [(DESK, "light", LISTS), (PHONE, "dark", ("/matches/{match}", "/tables/{table}/replay?step=2"))]


@pytest.mark.parametrize(("size", "scheme", "paths"), LOOKS, ids=["lists", "match and replay"])
def test_axe_finds_nothing_between_games(
    browser: Browser, kept: Kept, size: tuple[int, int], scheme: str, paths: tuple[str, ...]
) -> None:
    client, table, match = kept
    page, wrong = opened(browser, size, scheme), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for path in paths:
        unfolded(page, f"{client.base_url}{path.format(match=match, table=table.id)}")
        wrong += found(page, path)
    page.context.close()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("code", CODES)
def test_the_pages_fit_a_narrow_window_in_every_language(browser: Browser, kept: Kept, code: str) -> None:
    client, table, match = kept
    page = opened(browser, NARROW, "light", code)
    wide = []
    for path in ("/games", "/statistics", "/matches", f"/matches/{match}", f"/tables/{table.id}/replay?step=2"):
        unfolded(page, f"{client.base_url}{path}")
        wide += [] if fits_width(page) else [path]
    page.context.close()
    assert wide == []


def test_a_replay_goes_by_arrow_keys_and_the_review_comes_by_itself(browser: Browser, kept: Kept) -> None:
    client, table, _ = kept
    page = opened(browser, DESK, "light")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{client.base_url}/tables/{table.id}/replay")
    at = page.locator("[data-part=replay-steps] > span")
    expect(at).to_have_text("Step 1 of 3")
    page.keyboard.press("ArrowRight")
    expect(at).to_have_text("Step 2 of 3")
    expect(page.locator("#status")).to_contain_text("Alone: king of")
    page.focus("#replay-next")
    page.keyboard.press("Enter")
    expect(at).to_have_text("Step 3 of 3")
    expect(page.locator("#replay-next:focus")).to_have_count(1)
    assert page.url.endswith("step=3")
    page.keyboard.press("Home")
    expect(at).to_have_text("Step 1 of 3")
    # On the board the arrow keys go from card to card.
    page.focus(".cell[tabindex='0']")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#cell-pyramid-2-1:focus, #cell-pyramid-2-2:focus")).to_have_count(1)
    expect(at).to_have_text("Step 1 of 3")
    page.click("#review")
    expect(page.locator("[data-part=replay-review]")).to_contain_text("This deal", ignore_case=True)
    page.context.close()
    assert errors == []


def test_all_that_matters_works_without_scripts(browser: Browser, kept: Kept) -> None:
    client, table, match = kept
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(f"{client.base_url}/games")
    page.select_option("#of-game", "relaxed-pyramid")
    page.select_option("#show", "play")
    page.click(".filter button")
    listed = page.locator(".library > li")
    expect(listed).to_have_count(1)
    listed.locator("summary >> nth=0").click()
    listed.locator("textarea").fill("By the lake")
    listed.locator("form button >> nth=0").click()
    expect(page.locator(".note")).to_have_text("By the lake")
    listed.locator(f"a[href='/tables/{table.id}/replay']").click()
    page.click("#replay-next")
    expect(page.locator("[data-part=replay-told] .move")).to_contain_text("Alone: king of")
    page.goto(f"{client.base_url}/matches/{match}")
    page.select_option("#player", "1")
    page.select_option("#number", "3")
    page.click(".filter button")
    expect(page.locator("table.match td a")).to_have_count(6)
    context.close()
