"""What a first trial stumbled over in a real browser: early clicks, no scripts, a server that is gone, lists by key."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from companion_app.decks.deck_eyes import DeckEyes
from companion_app.decks.deck_files import DeckFiles
from tests.companion_app.fakes import FakeEyes, picture_bytes, reading
from tests.companion_app.test_browser import WAIT, browser, table_shown
from tests.companion_app.test_server import AFTER, table_path, upload
from tests.companion_app.test_trial import laid

__all__ = ["browser"]

Serve = Callable[..., httpx.Client]
PICTURE = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": picture_bytes()}
NOT_LET_IN = {"detail": "This device is not let in.", "code": "not-paired"}


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(locale="en-GB")
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    opened = context.new_page()
    opened.set_default_timeout(WAIT)
    return opened


class Held:
    """Scripts that are asked for and do not come until they are let go, when a slow machine may yet have to ask."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.routes: list[Route] = []
        self.is_open = False
        page.route(pattern, self._asked)

    def _asked(self, route: Route) -> None:
        if self.is_open:
            route.continue_()
        else:
            self.routes.append(route)

    def let_go(self) -> None:
        self.is_open = True
        for route in self.routes:
            route.continue_()


def test_what_is_sent_before_the_scripts_are_there_waits_for_them(page: Page, serve: Serve) -> None:
    eyes = FakeEyes(reading(), reading(AFTER, {"waste": None, "foundation": "4C"}))
    client = serve(eyes)
    path = table_path(upload(client, game="relaxed-pyramid"))
    loads: list[str] = []
    page.on("framenavigated", lambda frame: loads.append(frame.url))
    held = Held(page, "**/static/page.js")
    page.goto(f"{client.base_url}{path}", wait_until="commit")
    page.set_input_files("[data-part=next] input >> nth=0", PICTURE)  # type: ignore[arg-type]
    page.click("#step-2")
    held.let_go()
    expect(page.locator("#step-2[aria-pressed=true]")).to_have_count(1)
    expect(page.locator(".story")).to_contain_text("4 of clubs")
    assert len(loads) == 1


def test_where_the_scripts_never_come_all_goes_the_plain_way(page: Page, serve: Serve) -> None:
    client = serve()
    page.route("**/static/parts.js", lambda route: route.abort())
    page.goto(str(client.base_url))
    page.set_input_files("#opener input[type=file] >> nth=0", PICTURE)  # type: ignore[arg-type]
    page.wait_for_url("**/tables/*")
    page.click("#step-1")
    expect(page.locator("#step-1[aria-pressed=true]")).to_have_count(1)


def test_a_picture_that_could_not_be_sent_from_the_start_page_is_sent_again_by_itself(page: Page, serve: Serve) -> None:
    page.goto(str(serve().base_url))
    page.route("**/tables", lambda route: route.abort())
    page.set_input_files("#opener input[type=file] >> nth=0", PICTURE)  # type: ignore[arg-type]
    expect(page.locator("#alert")).to_contain_text("Your picture is kept here")
    page.unroute("**/tables")
    page.wait_for_url("**/tables/*")


def test_a_device_that_is_let_in_no_more_is_told_that_and_not_that_nobody_answers(page: Page, serve: Serve) -> None:
    client = serve()
    path = laid(client)

    def refused(route: Route) -> None:
        route.fulfill(status=403, content_type="application/problem+json", body=json.dumps(NOT_LET_IN))

    page.goto(f"{client.base_url}{path}")
    table_shown(page)
    page.route(f"**{path}", refused)
    page.route(f"**{path}/events", refused)
    client.post(f"{path}/stage", data={"stage": "deal"})
    expect(page.locator("#alert")).to_have_text(NOT_LET_IN["detail"])
    page.wait_for_timeout(2000)
    expect(page.locator("#alert")).to_have_text(NOT_LET_IN["detail"])


def test_another_game_shows_its_own_rules_with_scripts_and_without(browser: Browser, page: Page, serve: Serve) -> None:
    client = serve()
    path = laid(client)
    page.goto(f"{client.base_url}{path}")
    table_shown(page)
    page.click("details.game > summary")
    page.select_option("#game", "tuts-tomb")
    expect(page.locator("#option-draw option:checked")).to_have_text("3")
    page.select_option("#option-passes", "2")
    client.post(f"{path}/stage", data={"stage": "deal"})
    expect(page.locator("#stage")).to_have_value("deal")
    expect(page.locator("#option-passes")).to_have_value("2")
    page.click("#game-apply")
    expect(page.locator(".now")).to_contain_text("Tut's Tomb")
    expect(page.locator(".now .strong")).to_have_text(["Passes: 2"])
    plain = browser.new_context(locale="en-GB", java_script_enabled=False)
    without = plain.new_page()
    without.goto(f"{client.base_url}{path}")
    without.click("details.game > summary")
    without.select_option("#game", "easy-pyramid")
    without.click("button:has-text('Show its rules')")
    expect(without.locator("#option-passes option").first).to_have_text("2")
    expect(without.locator("#option-draw")).to_have_value("")
    assert urlsplit(without.url).path == path
    without.select_option("#option-turn_when", "stuck")
    without.click("#game-apply")
    expect(without.locator(".now .strong")).to_have_text(["Turning: only when stuck"])
    without.select_option("select[name=place]", "pyramid 7 3")
    without.click(".plainly button")
    expect(without.locator(".chooser")).to_have_attribute("data-place", "pyramid 7 3")
    plain.close()


def test_while_the_rules_of_another_game_are_on_their_way_none_of_the_former_can_be_chosen(
    page: Page, serve: Serve
) -> None:
    client = serve()
    page.goto(f"{client.base_url}{laid(client)}")
    table_shown(page)
    page.click("details.game > summary")
    held = Held(page, "**/tables/*?game=*")
    page.select_option("#game", "tuts-tomb")
    expect(page.locator("#rules[inert]")).to_have_count(1)
    held.let_go()
    expect(page.locator("#option-draw option:checked")).to_have_text("3")
    expect(page.locator("#rules[inert]")).to_have_count(0)


def test_a_list_gone_through_by_letters_counts_once_it_is_left(page: Page, serve: Serve) -> None:
    page.goto(str(serve().base_url))
    page.wait_for_load_state()
    page.focus("#language")
    for key in ("s", "ArrowDown"):
        page.keyboard.press(key)
    assert page.locator("#language").input_value() != "en"
    page.wait_for_timeout(300)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.keyboard.press("Tab")
    expect(page.locator("html")).not_to_have_attribute("lang", "en")


def test_a_picture_of_a_deck_goes_once_the_deck_has_a_name(page: Page, serve: Serve, tmp_path: Path) -> None:
    eyes = DeckEyes(SimpleNamespace(patch=None), DeckFiles(tmp_path))  # type: ignore[arg-type]
    page.goto(f"{serve(eyes).base_url}/decks")
    page.wait_for_load_state()
    sent: list[bytes] = []

    def kept(route: Route) -> None:
        sent.append(route.request.post_data_buffer or b"")
        route.fulfill(status=422, content_type="application/problem+json", body=json.dumps({"detail": "No cards."}))

    page.route("**/decks", kept)
    page.set_input_files("#opener input[type=file] >> nth=0", PICTURE)  # type: ignore[arg-type]
    expect(page.locator("#deck-name")).to_be_focused()
    assert sent == []
    page.keyboard.type("mine")
    page.keyboard.press("Tab")
    expect(page.locator("#alert")).to_have_text("No cards.")
    assert b'filename="table.jpg"' in sent[0] and b"mine" in sent[0]
