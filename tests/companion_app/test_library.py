"""The library of kept games and the page of statistics: what is listed, notes, deletions, and strange addresses."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import httpx
import pytest

from companion_app.languages import CODES, language
from companion_app.library.archive import MOST_NOTE, Archive
from companion_app.library.store import Store
from companion_app.views.library_view import A_PAGE
from tests.companion_app.conftest import served
from tests.companion_app.fakes import FakeEyes, reading
from tests.companion_app.played import LOST, WON, desk_of, play
from tests.companion_app.test_store import AFTER
from vision.reading import TableReading

Open = Callable[..., httpx.Client]


def listed(page: str) -> list[str]:
    return re.findall(r'id="game-([\w-]{12})"', page)


def test_games_are_listed_filtered_and_shown_small(tmp_path: Path, kept_page: Open) -> None:
    desk = desk_of(tmp_path, *WON, *LOST, reading(), AFTER)
    won, lost = play(desk, 2, step=2), play(desk, 2)
    playing = play(desk, 2, game="math-pyramid")
    text = desk.open_text('{"pyramid": [["KS"], ["6D", "6H"], ["5H", "3D", "5C"]], "stock": 20}', "", language("en"))
    client = kept_page()
    page = client.get("/games").text
    assert listed(page) == [text.id, playing.id, lost.id, won.id]
    assert "with help: 1 ×, at most Where?" in page and "Lost: nothing more could be done, cards left: 1" in page
    assert listed(client.get("/games?game=math-pyramid").text) == [playing.id]
    assert set(listed(client.get("/games?show=ended").text)) >= {lost.id, won.id}
    assert won.id not in listed(client.get("/games?show=play").text)
    pictures = re.findall(r'src="(/games/[^"]+)"', page)
    answers = [client.get(path) for path in pictures]
    assert [answer.headers["content-type"].split(";")[0] for answer in answers] == [
        "image/svg+xml",
        *["image/jpeg"] * 3,
    ]
    assert all(answer.status_code == 200 for answer in answers)


@pytest.mark.parametrize("address", ["?page=0", "?page=99999999", "?page=x", "?game=../etc&show=%00", "?show=<b>"])
def test_a_strange_address_lists_what_there_is(tmp_path: Path, kept_page: Open, address: str) -> None:
    table = play(desk_of(tmp_path, *WON), 2)
    answer = kept_page().get(f"/games{address}")
    assert answer.status_code == 200 and listed(answer.text) == [table.id] and "<b>" not in answer.text


def test_a_long_list_has_pages(tmp_path: Path, kept_page: Open) -> None:
    desk = desk_of(tmp_path, reading())
    tables = [play(desk, 1).id for _ in range(A_PAGE + 1)]
    client = kept_page()
    assert listed(client.get("/games").text) == tables[:0:-1]
    assert listed(client.get("/games?page=2").text) == tables[:1]
    assert "/games?game=&amp;show=all&amp;page=2" in client.get("/games").text


def test_a_note_is_kept_changed_and_taken_away(tmp_path: Path, kept_page: Open) -> None:
    table = play(desk_of(tmp_path, *WON), 2)
    path = f"/games/{table.id}/note"
    client = kept_page()
    page = client.post(path, data={"note": "By the lake <b>\nwith the old deck"})
    assert page.url.fragment == f"game-{table.id}"
    assert "By the lake &lt;b&gt;\nwith the old deck" in kept_page().get("/games").text
    client.post(path, data={"note": "x" * 5000, "show": "ended"})
    kept = Archive(Store(tmp_path)).game(table.id)
    assert kept is not None and kept.note == "x" * MOST_NOTE
    client.post(path, data={"note": "  "})
    assert "xxx" not in client.get("/games").text
    assert all(b"By the lake" not in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert client.post("/games/abcdefghijkl/note", data={"note": "of no game"}).status_code == 404


def test_delete_asks_first_and_leaves_nothing(tmp_path: Path, kept_page: Open) -> None:
    desk = desk_of(tmp_path, *WON, *LOST)
    gone, stays = play(desk, 2, step=1), play(desk, 2)
    Archive(Store(tmp_path)).note(gone.id, "a word of it")
    client = kept_page()
    page = client.get("/games?show=ended").text
    form = re.search(rf'<details><summary>Delete</summary><form method="post" action="/games/{gone.id}/delete">', page)
    assert form is not None
    after = client.post(f"/games/{gone.id}/delete", data={"show": "ended"})
    assert (after.url.path, after.url.query) == ("/games", b"show=ended") and listed(after.text) == [stays.id]
    for word in (gone.id.encode(), b"a word of it"):
        assert all(word not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


@pytest.mark.parametrize("code", CODES)
def test_the_pages_speak_every_language(tmp_path: Path, kept_page: Open, code: str) -> None:
    play(desk_of(tmp_path, *WON), 2, step=1)
    client = kept_page()
    client.headers["accept-language"] = code
    said = language(code).say
    page = client.get("/statistics").text
    assert all(said(f"stats.{key}") in page for key in ("title", "win", "assisted", "how.help", "begun-in-the-middle"))
    share = "100\u00a0% (21–100\u00a0%)" if code in ("fi", "nb") else "100% (21–100%)"
    assert share in page.replace("\u2060", "")
    page = client.get("/games").text
    assert all(said(key) in page for key in ("library.title", "ending.won", "library.note-keep", "games.delete-sure"))
    start = client.get("/").text
    assert 'href="/games"' in start and 'href="/statistics"' in start


def test_where_nothing_is_kept_the_pages_say_so() -> None:
    with served(FakeEyes()) as client:
        assert "No games are kept yet." in client.get("/games").text
        assert "No games that were played are kept yet." in client.get("/statistics").text
        assert client.get("/games/abcdefghijkl/board.svg").status_code == 404


@pytest.mark.parametrize("looks", [WON, LOST])
def test_a_game_that_is_over_leads_on(tmp_path: Path, kept_page: Open, looks: Sequence[TableReading]) -> None:
    desk = desk_of(tmp_path, *looks, reading())
    over, playing = play(desk, 2), play(desk, 1)
    client = kept_page()
    leads = 'data-part="ended"[^>]*class="row"><a class="button small" href="/tables/{id}/replay">'
    assert re.search(leads.format(id=over.id), client.get(f"/tables/{over.id}").text)
    assert not re.search(leads.format(id=playing.id), client.get(f"/tables/{playing.id}").text)
