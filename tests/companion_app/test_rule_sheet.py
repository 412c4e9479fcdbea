"""The rules of a game on a sheet: what it says follows from the options, and it prints on one page."""

import re
from base64 import b64decode
from collections.abc import Callable
from html import unescape
from pathlib import Path

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from companion_app.languages import CODES, language
from companion_app.views.rule_sheet import WEB, drawn_deal, sheet
from rules.catalogue import GAMES, find_game
from rules.layouts import LAYOUTS
from rules.options import OPTION_VALUES
from tests.companion_app.command_line import run
from tests.companion_app.fakes import FakeEyes, picture_bytes
from tests.companion_app.test_access import RULES
from tests.companion_app.test_browser import browser

__all__ = ["browser"]

ENGLISH = language("en")


def words(page: str) -> str:
    """What a sheet says, without its marks."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.partition("<body>")[2])))


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_every_game_has_a_sheet_of_its_own_that_needs_no_other_file(game: object, code: str) -> None:
    page = sheet(game, language(code))  # type: ignore[arg-type]
    assert f'<html lang="{code}">' in page
    addresses = re.findall(r"(?:src|href)=\"([^\"]+)\"|url\(([^)]+)\)", page)
    assert [first for first, _ in addresses if not first.startswith("data:image/svg+xml;")] == []
    assert words(page).count(game.names[code]) >= 1  # type: ignore[attr-defined]
    assert "{" not in words(page)
    assert (WEB / "static" / "sheet.css").read_text() in page


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_the_picture_shows_every_place_of_the_layout(game: object) -> None:
    drawing = b64decode(drawn_deal(game).partition(",")[2]).decode()  # type: ignore[arg-type]
    layout = LAYOUTS[game.layout]  # type: ignore[attr-defined]
    drawn = set(re.findall(r'data-place="([^"]+)"', drawing))
    assert {place for place, _ in layout.fresh()} <= drawn
    assert not layout.piles or {"stock", "waste", "foundation"} <= drawn


def pyramid_values() -> list[tuple[str, str]]:
    return [(name, value) for name, values in OPTION_VALUES.items() for value in values]


@pytest.mark.parametrize(("option", "value"), pyramid_values())
def test_a_house_rule_changes_what_the_sheet_says_and_is_told(option: str, value: str) -> None:
    usual = find_game("relaxed-pyramid")
    if str(usual.rules.to_json()[option]) == value:
        return
    rules = {option: value} | ({"rows": "4"} if option == "total" and int(value) < 10 else {})
    changed = usual.with_rules(rules)
    before, after = words(sheet(usual, ENGLISH)), words(sheet(changed, ENGLISH))
    assert ENGLISH.say("game.options") in after and ENGLISH.say("game.options") not in before
    rules_told = [text.partition(ENGLISH.say("sheet.goal"))[2] for text in (before, after)]
    assert rules_told[0] != rules_told[1]


def test_the_numbers_on_a_sheet_are_those_of_the_game() -> None:
    told = words(sheet(find_game("math-pyramid-ten"), ENGLISH))
    assert "the 40 cards from ace to 10" in told and "6 rows and 21 cards" in told and "other 19 cards" in told
    assert "king 13" not in told and "jack" not in told
    with_jokers = words(sheet(find_game("math-pyramid-jokers"), ENGLISH))
    assert "One deck of 52 cards" in with_jokers and "Jokers in the deck: 3" in with_jokers
    assert "other 27 cards" in with_jokers


def test_what_the_sources_leave_open_is_marked_until_a_player_settles_it() -> None:
    ours = ENGLISH.say("games.our-reading")
    line = re.escape(ENGLISH.say("sheet.rows.round"))
    usual = find_game("piwnica")
    settled = usual.with_rules({"round_the_corner": "yes"})
    assert re.search(rf"{line} \({ours}\)", words(sheet(usual, ENGLISH)))
    assert not re.search(rf"{line} \({ours}\)", words(sheet(settled, ENGLISH)))


def test_the_command_writes_the_sheet(tmp_path: Path) -> None:
    file = tmp_path / "rules.html"
    done = run("games", "ulubiony", "--sheet", "--out", str(file), "--lang", "pl")
    assert done.exit_code == 0 and not done.stdout
    assert file.read_text(encoding="utf-8") == sheet(find_game("ulubiony"), language("pl"))
    assert (
        run("games", "ulubiony", "--sheet", "--lang", "pl").stdout.strip() == file.read_text(encoding="utf-8").strip()
    )
    assert "passes 3" in run("games", "easy-pyramid", "--rule", "passes=3").stdout
    assert len(run("games", "pyramid", "--json").stdout.splitlines()) == 1
    for wrong in (
        ("--sheet",),
        ("chess",),
        ("pyramid", "--out", "x"),
        ("pyramid", "--sheet", "--json"),
        ("--rule", "rows=3"),
    ):
        assert run("games", *wrong).exit_code == 2
    assert run("games", "pyramid", "--sheet", "--out", str(tmp_path / "no" / "such")).exit_code == 3


def test_the_page_links_to_the_sheet_of_the_game_as_it_is_played(serve: Callable[..., httpx.Client]) -> None:
    client = serve(FakeEyes())
    sent = {"game": "relaxed-pyramid", "way": "play"}
    table = client.post("/tables", data=sent, files={"picture": ("t.jpg", picture_bytes(), "image/jpeg")})
    assert 'href="/games/relaxed-pyramid/sheet"' in table.text
    changed = client.post(f"{table.url.path}/game", data={"game": "relaxed-pyramid", "passes": "3"})
    (address,) = re.findall(r'href="(/games/[^"]+)"', changed.text)
    page = client.get(address, headers={"accept-language": "nb"})
    assert page.status_code == 200 and '<html lang="nb">' in page.text
    assert language("nb").say("sheet.score.par") in page.text
    assert "<style" not in page.text and 'href="/static/sheet.css"' in page.text
    assert client.get("/games/chess/sheet").status_code == 404
    assert client.get("/games/pyramid/sheet?rows=99").status_code == 400
    assert client.get("/games/pyramid/sheet?colour=red").status_code == 400


LONGEST = (
    ("piwnica", "fi"),
    ("piwnica", "pl"),
    ("tuts-tomb", "pl"),
    ("math-pyramid-jokers", "fi"),
    ("arcydzielo", "nb"),
)


def test_the_longest_sheets_print_on_one_page_each(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    for game, code in LONGEST:
        file = tmp_path / f"{game}-{code}.html"
        file.write_text(sheet(find_game(game), language(code)), encoding="utf-8")
        page.goto(file.as_uri())
        printed = page.pdf(prefer_css_page_size=True, print_background=True)
        assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1, (game, code)
        assert page.evaluate("document.images[0].naturalWidth") > 0
    page.close()


def test_the_sheet_is_read_by_everybody(browser: Browser, serve: Callable[..., httpx.Client]) -> None:
    client = serve(FakeEyes())
    page = browser.new_page(viewport={"width": 320, "height": 640})
    page.goto(f"{client.base_url}/games/piwnica/sheet")
    assert Axe().run(page, options=RULES).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.evaluate("getComputedStyle(document.querySelector('figure')).textAlign") == "center"
    page.close()
