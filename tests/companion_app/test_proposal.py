"""A game photographed to be scored: proposed until its player keeps the score, asked again after every change, marked
where something was open; and what the former version kept."""

import html
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import get_args

import httpx
import pytest

from companion_app.desk.desk import Desk
from companion_app.errors import ChangedTrouble, UsageTrouble
from companion_app.languages import CODES, language
from companion_app.library.archive import Archive, PlayedGame
from companion_app.library.migrations import MIGRATIONS
from companion_app.library.statistics import statistics
from companion_app.library.store import Store
from companion_app.tables.proposal import CONFIRMED, confirmed, score_of, score_stamp, touching
from companion_app.tables.table import Table, Way
from rules.cards import Card, seen_code
from rules.catalogue import GAMES
from tests.companion_app.command_line import answers, run
from tests.companion_app.conftest import served
from tests.companion_app.fakes import ROWS, FakeEyes, picture_bytes, reading, row_reading
from tests.companion_app.played import ENGLISH, GAME, LOST, WON, desk_of, last_cards, play
from tests.companion_app.row_tables import deal
from tests.companion_app.test_server import table_path, upload
from tests.companion_app.test_store import AFTER
from vision.reading import TableReading

Open = Callable[..., httpx.Client]
Score = Callable[..., httpx.Response]
TWICE = (*ROWS[:6], "10H JC 9C 10C 8D AS 10H")
HOLE = (*ROWS[:6], "10H JC -- 10C 8D AS JS")


def kept(folder: Path) -> list[PlayedGame]:
    return Archive(Store(folder)).games()


def standing_of(folder: Path) -> tuple[str, bool, int]:
    """How the game kept last stands, whether it counts, and how much of it was open."""
    game = kept(folder)[0]
    return game.ending, game.is_counted, game.in_doubt


def keep_score(desk: Desk, table: Table) -> Table:
    """As the page's button does."""
    now = newest(desk, table)
    return desk.change(now, lambda each: confirmed(each, score_stamp(now)), CONFIRMED)


def newest(desk: Desk, table: Table) -> Table:
    found = desk.find(table.id, ENGLISH)
    assert isinstance(found, Table)
    return found


def press(client: httpx.Client, page: httpx.Response) -> httpx.Response:
    """Press *Keep this score* as the page offers it."""
    form = re.search(r'action="(/tables/[\w-]+/keep)"[^>]*><input type="hidden" name="seen" value="(\w+)">', page.text)
    assert form, page.text
    return client.post(form[1], data={"seen": form[2]})


def answer_of(page: httpx.Response) -> str:
    """What the page says of the score and of what does not fit."""
    assert page.status_code == 200, page.text
    text = html.unescape(page.text)
    told = [text.partition(f'data-part="{part}"')[2].partition("</section>")[0] for part in ("score", "doubts")]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", " ".join(told)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the page of this module keeps its games."""
    return tmp_path_factory.mktemp("games")


@pytest.fixture(scope="module")
def seen() -> FakeEyes:
    """What the page of this module reads with."""
    return FakeEyes()


@pytest.fixture(scope="module")
def client(folder: Path, seen: FakeEyes) -> Iterator[httpx.Client]:
    """The page of this module."""
    with served(seen, store=Store(folder)) as found:
        yield found


@pytest.fixture
def score(client: httpx.Client, seen: FakeEyes) -> Score:
    """A function that photographs a table to be scored, of which this is read."""

    def photographed(found: TableReading) -> httpx.Response:
        seen.readings = [found]
        return upload(client, way="score", game=GAME)

    return photographed


def test_it_counts_once_it_is_kept_after_a_restart_too_and_undo_takes_that_back(
    tmp_path: Path, kept_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion_app.commands.stats.games_folder", lambda: tmp_path)
    client = kept_page(reading(HOLE))
    page = upload(client, way="score", game=GAME)
    path = table_path(page)
    assert "Not confirmed" in answer_of(page) and 'id="undo"' not in page.text
    library = client.get("/games").text
    assert "Not confirmed, cards left: 27" in library
    assert path in client.get("/games?show=proposed").text and path not in client.get("/games?show=ended").text
    assert "Not confirmed" in client.get("/").text
    assert "No games that were played" in client.get("/statistics").text and answers(run("stats", "--json")) == []
    told = press(client, page)
    assert "✓ Kept" in answer_of(told) and "keep-score" not in told.text
    client = kept_page()
    assert "✓ Kept" in answer_of(client.get(path))
    (counted,) = answers(run("stats", "--json"))
    assert (counted["games"], counted["left"], counted["cards_left"], counted["in_doubt"]) == (1, 1, 27, 0)
    assert "Not confirmed" not in client.get("/games").text and path in client.get("/games?show=ended").text
    assert "Not confirmed" in answer_of(client.post(f"{path}/undo")) and answers(run("stats", "--json")) == []
    assert "✓ Kept" in answer_of(client.post(f"{path}/redo")) and answers(run("stats", "--json"))[0]["games"] == 1


def test_to_keep_a_score_is_a_change_kept_like_the_others(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading())
    table = play(desk, 1, way="score")
    keep_score(desk, table)
    keep_score(desk, table)
    assert [kind for kind, _, _ in Archive(Store(tmp_path)).trail(table.id)] == ["opened", CONFIRMED]
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)


CHANGES: dict[str, Callable[[Desk, Table], object]] = {
    "a correction": lambda desk, table: desk.settle(table, "pyramid 7 3", "gone"),
    "a correction of the face alone": lambda desk, table: desk.settle(table, "pyramid 7 3", "9S"),
    "another picture": lambda desk, table: desk.next_picture(table, picture_bytes(), "two.jpg", ENGLISH),
    "another game": lambda desk, table: desk.choose_game(table, "easy-pyramid", {}),
    "a house rule": lambda desk, table: desk.choose_game(table, GAME, {"passes": "3"}),
    "what no picture shows": lambda desk, table: desk.tell_piles(table, "7", "1"),
    "a text in its place": lambda desk, table: desk.change_text(table, json.dumps(table.position().to_json()), ENGLISH),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_asks_again_and_undo_has_it_kept_again(tmp_path: Path, what: str) -> None:
    desk = desk_of(tmp_path, reading(), AFTER)
    table = play(desk, 1, way="score")
    keep_score(desk, table)
    assert standing_of(tmp_path) == ("left", True, 0)
    CHANGES[what](desk, newest(desk, table))
    assert newest(desk, table).is_proposed and standing_of(tmp_path)[:2] == ("proposed", False)
    assert newest(desk_of(tmp_path), table).is_proposed
    desk.undo(table)
    assert not newest(desk, table).is_proposed and standing_of(tmp_path)[:2] == ("left", True)
    # Said once more of what lies there now it counts again.
    desk.redo(table)
    keep_score(desk, table)
    assert standing_of(tmp_path)[1]


def test_what_does_not_change_the_score_asks_nothing(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(HOLE, doubts=("pyramid 7 3",)))
    table = play(desk, 1, way="score")
    keep_score(desk, table)
    assert standing_of(tmp_path) == ("left", True, 1)
    desk.hint(newest(desk, table), 1, "", ENGLISH)
    desk.choose_stage(table, "deal")
    desk.choose_stage(table, "play")
    assert standing_of(tmp_path) == ("left", True, 1)
    # That no card lies there is what was kept: once it is sure, the score rests on no doubt any more.
    desk.settle(table, "pyramid 7 3", "gone")
    assert standing_of(tmp_path) == ("left", True, 0)


def test_a_table_put_back_is_asked_about_again(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), AFTER)
    table = play(desk, 1, way="score")
    keep_score(desk, table)
    desk.next_picture(newest(desk, table), picture_bytes(), "two.jpg", ENGLISH)
    desk.put_back(table)
    assert newest(desk, table).is_proposed


def test_what_changed_before_the_button_was_pressed_is_told_and_nothing_is_kept(
    client: httpx.Client, score: Score
) -> None:
    page = score(reading())
    client.post(f"{table_path(page)}/settle", data={"place": "pyramid 7 3", "card": "gone"})
    stale = press(client, page)
    assert (stale.status_code, stale.json()["code"]) == (409, "table-changed")
    assert "Not confirmed" in answer_of(client.get(table_path(page)))


def test_games_that_were_played_or_checked_are_not_asked_about(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, *WON, *LOST, reading(), AFTER, reading())
    won = play(desk, 2)
    play(desk, 2)
    play(desk, 2, way="check")
    play(desk, 1, way="check")
    assert [(game.ending, game.is_counted) for game in kept(tmp_path)][::-1] == [
        ("won", True),
        ("lost", True),
        ("play", False),
        ("play", False),
    ]
    with pytest.raises(UsageTrouble):
        keep_score(desk, won)
    for way in get_args(Way):
        assert Table("id", "", won.game, way=way).is_proposed == (way == "score")


def test_where_too_little_is_known_there_is_no_button_and_the_answer_says_what_is_missing(
    client: httpx.Client, score: Score
) -> None:
    page = score(reading())
    path = table_path(page)
    told = client.post(f"{path}/game", data={"game": GAME, "goal": "all"})
    assert "say how many lie in the stock" in answer_of(told) and 'id="keep-score"' not in told.text
    assert 'href="#stock"' in told.text.partition('data-part="score"')[2].partition("</section>")[0]
    refused = client.post(f"{path}/keep", data={"seen": "0"})
    assert (refused.status_code, refused.json()["code"]) == (400, "no-score")
    told = client.post(f"{path}/piles", data={"stock": "20", "pass": "1"})
    assert "28 cards in the pyramid, 20 cards in the stock" in answer_of(told)
    assert "✓ Kept" in answer_of(press(client, told))


def test_nothing_is_offered_to_be_kept_where_nothing_is(serve: Open) -> None:
    page = upload(serve(), way="score", game=GAME)
    assert 'id="keep-score"' not in page.text and "Not confirmed" not in page.text
    assert "28 cards left in the pyramid" in answer_of(page)


def test_what_does_not_fit_is_mended_by_one_tap_or_kept_so_and_marked(
    folder: Path, client: httpx.Client, score: Score
) -> None:
    page = score(reading(TWICE, doubts=("pyramid 7 7",)))
    path = table_path(page)
    assert "What does not fit The same card twice: 10 of hearts" in answer_of(page)
    # The likeliest cards of the place: one would be there twice itself, and is not offered.
    assert re.findall(r'id="mend-pyramid-7-7-\d"[^>]* value="(\w+)"', page.text) == ["8C"]
    assert all(f'href="{path}?place=pyramid%207%20{n}">Correct: row 7, place {n}<' in page.text for n in (1, 7))
    marked = press(client, page)
    assert "✓ Kept" in answer_of(marked) and "It rests on 1 thing that was not settled." in answer_of(marked)
    assert standing_of(folder) == ("left", True, 1)
    assert "kept with 1 doubt open" in client.get("/games").text
    assert "Kept with doubts open: 1" in client.get("/statistics").text
    (figures,) = statistics(kept(folder)[:1])
    assert (figures.all.games, figures.all.in_doubt, figures.assisted.in_doubt) == (1, 1, 0)
    mended = client.post(f"{path}/settle", data={"place": "pyramid 7 7", "card": "8C"})
    assert "Nothing that counts is in doubt" in answer_of(mended) and "Not confirmed" in answer_of(mended)
    press(client, mended)
    assert standing_of(folder) == ("left", True, 0) and "doubt open" not in client.get("/games").text


def test_many_faults_are_not_all_asked_about(score: Score) -> None:
    page = score(reading(tuple("KS " * n for n in range(1, 8))))
    faults = re.search(r"(\d+) faults? found", page.text)
    shown = page.text.count('class="unfit"')
    assert faults and shown <= 4
    assert int(faults[1]) == shown or f"{int(faults[1]) - shown} more fault" in page.text


def doubted(found: TableReading, place: str, *likely: str) -> TableReading:
    """A reading with one doubt, and what may lie there."""
    may_be = tuple((Card.parse(code), 0.4) for code in likely)
    cards = tuple(replace(card, alternatives=may_be) if card.place == place else card for card in found.cards)
    return replace(found, cards=cards, doubts=(place,))


LAST = last_cards("2H", stock=False)
MIDDLE = deal("piwnica", 14)
"""In the middle lie the queen of clubs, the four of spades and two diamonds: of one suit all but one are off the
foundations."""
TOUCHING = ("a place that looks empty", "a last card that may be a king", "the suit of a card in the middle")
READINGS = {
    "faces of a pyramid": (GAME, reading(doubts=("pyramid 7 3", "pyramid 1 1", "waste"))),
    "a place that looks empty": (GAME, reading(HOLE, doubts=("pyramid 7 3", "pyramid 7 4"))),
    "a last card that may be a king": (GAME, doubted(LAST, "pyramid 1 1", "2H", "KD")),
    "a last card of two that nothing pairs with": (GAME, doubted(LAST, "pyramid 1 1", "2H", "2D")),
    "a card of a row": ("piwnica", doubted(row_reading(MIDDLE), "left 1 2", "9S", "9C")),
    "the rank of a card in the middle": ("piwnica", doubted(row_reading(MIDDLE), "base 1", "QC", "KC")),
    "the suit of a card in the middle": ("piwnica", doubted(row_reading(MIDDLE), "base 1", "QC", "QS")),
}


@pytest.mark.parametrize("what", READINGS)
def test_a_doubt_touches_the_score_where_settling_it_may_change_it(tmp_path: Path, what: str) -> None:
    game, seen = READINGS[what]
    desk = desk_of(tmp_path, seen)
    table = desk.open_picture(picture_bytes(), "one.jpg", game, ENGLISH, way="score")

    def comes_to(now: Table) -> tuple[object, object]:
        found = score_of(now.position(), now.game)
        return found and found.score, now.outcome

    changing = []
    for place in seen.doubts:
        card = next((card for card in seen.cards if card.place == place), None)
        codes = [seen_code(other) or "gone" for other, _ in card.alternatives] if card else ["2S"]
        if any(comes_to(desk.settle(newest(desk, table), place, code)) != comes_to(table) for code in codes):
            changing.append(place)
        while newest(desk, table).pins:
            desk.undo(table)
    assert list(touching(table)) == changing
    assert bool(changing) == (what in TOUCHING)


def test_only_doubts_that_touch_the_score_are_asked_about(client: httpx.Client, score: Score) -> None:
    page = score(reading(HOLE, doubts=("pyramid 7 1", "pyramid 7 3")))
    assert re.findall(r"<p id=[^>]*><strong>([^<]*):</strong>", page.text.partition('data-part="doubts"')[2]) == [
        "row 7, place 3"
    ]
    assert "1 more card is in doubt, but the score does not depend on it." in answer_of(page)
    assert "1 thing is not settled. You may keep the score so" in answer_of(page)
    settled = client.post(f"{table_path(page)}/settle", data={"place": "pyramid 7 3", "card": "9C"})
    assert "28 cards left in the pyramid" in answer_of(settled)
    assert "Nothing that counts is in doubt, and all fits the game." in answer_of(settled)


@pytest.mark.parametrize("code", CODES)
def test_the_answer_speaks_every_language(
    client: httpx.Client, score: Score, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setitem(client.headers, "accept-language", code)  # type: ignore[arg-type]
    spoken = language(code)
    page = score(reading(TWICE, doubts=("pyramid 7 7",)))
    text = html.unescape(page.text)
    assert all(
        spoken.say(key) in text for key in ("ending.proposed", "score.keep", "score.does-not-fit", "score.counts-as")
    )
    assert spoken.count("score.open", 1) in text
    marked = html.unescape(press(client, page).text)
    assert spoken.say("score.counts") in marked and spoken.count("score.kept-so", 1) in marked
    assert spoken.count("library.in-doubt", 1) in html.unescape(client.get("/games").text)


def test_without_scripts_what_the_picture_is_for_is_chosen_in_a_list(client: httpx.Client) -> None:
    start = client.get("/").text
    offered = start.partition("<noscript><div")[2].partition("</noscript>")[0]
    assert re.findall(r'<option value="(\w+)">', offered) == list(get_args(Way))
    files = {"picture": ("one.jpg", picture_bytes())}
    # A browser sends both fields in their order.
    page = client.post("/tables", data={"way": ["play", "score"], "game": GAME}, files=files)
    assert "Not confirmed" in answer_of(page)


def test_what_is_confirmed_is_just_what_was_seen() -> None:
    table = Table("id", "", GAMES[GAME], reading=reading(), look=1)
    with pytest.raises(UsageTrouble):
        confirmed(table, score_stamp(table))
    scored = replace(table, way="score")
    assert confirmed(scored, score_stamp(scored)).confirmed
    with pytest.raises(ChangedTrouble):
        confirmed(replace(scored, look=2), score_stamp(scored))
