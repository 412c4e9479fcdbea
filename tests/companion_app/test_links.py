"""A position as a link and as a picture: what a table sends is what opens elsewhere."""

import json
import re
from collections.abc import Callable
from html import unescape
from xml.etree import ElementTree

import httpx
import pytest
from playwright.sync_api import Browser

from companion_app.languages import CODES, language
from rules.catalogue import ROW_GAMES
from tests.companion_app.fakes import picture_bytes
from tests.companion_app.row_tables import deal
from tests.companion_app.test_access import found
from tests.companion_app.test_browser import NARROW, browser, fits_width, tab_to

__all__ = ["browser"]

Serve = Callable[..., httpx.Client]
SVG = "{http://www.w3.org/2000/svg}"
PLAIN = '{"pyramid": [["KS"], ["6D", "7H"], ["5H", "8S", null]], "stock": 3}'


def table_of(page: httpx.Response) -> str:
    return str(page.url.path)


def text_of(page: str) -> dict[str, object]:
    found = re.search(r"<textarea id=\"text\"[^>]*>(.*?)</textarea>", page, re.DOTALL)
    assert found
    position: dict[str, object] = json.loads(unescape(found[1]))
    return position


def link_of(page: str) -> str:
    found = re.search(r'id="link" href="([^"]*)"', page)
    assert found
    return unescape(found[1])


def sent_fields(page: str) -> dict[str, str]:
    """The hidden fields of the form that opens what was sent."""
    section = page.partition('aria-labelledby="sent-title"')[2].partition("</section>")[0]
    return {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', section)}


def test_a_link_opens_the_same_position_in_the_same_game_under_the_same_house_rules(serve: Serve) -> None:
    here, there = serve(), serve()
    first = here.post("/tables", files={"picture": ("table.jpg", picture_bytes(), "image/jpeg")})
    path = table_of(first)
    ruled = here.post(f"{path}/game", data={"game": "easy-pyramid", "passes": "3"})
    shown = there.get(link_of(ruled.text))
    assert "Easy Pyramid" in shown.text and 'class="board"' in shown.text and "Passes: 3" in shown.text
    opened = there.post("/tables", data=sent_fields(shown.text))
    assert text_of(opened.text) == text_of(ruled.text)
    assert (
        '<h1 data-say="status">Easy Pyramid</h1>' in opened.text
        and '<span class="chip strong">Passes: 3</span>' in opened.text
    )
    assert link_of(opened.text) == link_of(ruled.text)


@pytest.mark.parametrize("game_id", ROW_GAMES)
def test_a_link_to_a_row_game_opens_it(game_id: str, serve: Serve) -> None:
    client = serve()
    page = client.post("/tables", data={"position": json.dumps(deal(game_id).to_json()), "game": game_id})
    opened = client.post("/tables", data=sent_fields(client.get(link_of(page.text)).text))
    assert text_of(opened.text) == text_of(page.text)


def test_following_a_link_opens_no_table_until_a_person_says_so(serve: Serve) -> None:
    client = serve()
    link = link_of(client.post("/tables", data={"position": PLAIN}).text)
    shown = client.get(link)
    assert shown.url.path == "/" and 'id="sent-open"' in shown.text and "data-table" not in shown.text
    assert 'id="sent-open"' not in client.get("/").text


@pytest.mark.parametrize(
    "query", ['position={"pyramid":', 'position={"pyramid":[["1X"]]}', "position=5", "position=[]"]
)
def test_a_broken_link_is_told_and_the_start_page_stays(query: str, serve: Serve) -> None:
    page = serve().get("/?" + query)
    assert page.status_code == 200 and '<p class="warn" role="alert">' in page.text and 'id="opener"' in page.text
    assert 'id="sent-open"' not in page.text


def test_a_rule_of_a_link_that_cannot_be_is_told(serve: Serve) -> None:
    link = link_of(serve().post("/tables", data={"position": PLAIN}).text)
    page = serve().get(link + "&passes=often")
    assert "passes" in page.text.partition('class="warn"')[2].partition("</p>")[0]


def test_a_link_is_no_way_for_markup(serve: Serve) -> None:
    page = serve().get('/?position={"pyramid":[["KS"]]}&game="><script>alert(1)</script>')
    assert "<script>alert" not in page.text


def test_the_language_is_changed_without_losing_what_was_sent(serve: Serve) -> None:
    client = serve()
    link = link_of(client.post("/tables", data={"position": PLAIN}).text)
    found = re.search(r'name="from" value="([^"]*)"', client.get(link).text)
    assert found
    for code in CODES:
        page = client.post("/language", data={"language": code, "from": unescape(found[1])})
        assert language(code).say("start.sent-open") in page.text


def test_the_picture_of_a_position_shows_its_cards_and_stands_alone(serve: Serve) -> None:
    client = serve()
    page = client.post("/tables", data={"position": PLAIN})
    assert f'href="{table_of(page)}/position.svg" download=' in page.text
    answer = client.get(f"{table_of(page)}/position.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    root = ElementTree.fromstring(answer.text)
    ranks = [text.text for text in root.iter(f"{SVG}text") if "rank" in text.get("class", "")]
    assert sorted(ranks, key=str) == ["5", "6", "7", "8", "K"]
    assert not [node for node in root.iter() if node.tag in (f"{SVG}image", f"{SVG}use")]
    assert all(rect.get("fill") for rect in root.iter(f"{SVG}rect") if "paper" in rect.get("class", ""))


def test_the_page_of_a_link_is_read_by_everybody_and_opens_by_keyboard(serve: Serve, browser: Browser) -> None:
    client = serve()
    link = link_of(client.post("/tables", data={"position": PLAIN}).text)
    page = browser.new_page(locale="en-GB", viewport={"width": NARROW[0], "height": NARROW[1]})
    page.goto(str(client.base_url) + link)
    assert found(page, "a link") == [] and fits_width(page)
    tab_to(page, "#sent-open")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-table]")
    page.locator("details.text summary").press("Enter")
    assert found(page, "link and picture") == [] and fits_width(page)
    with page.expect_download() as saved:
        page.locator(".text a[download]").press("Enter")
    assert saved.value.suggested_filename.endswith(".svg")
    page.close()
