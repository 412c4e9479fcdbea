"""Games are kept: over restarts, kills and tables that had to go; taken back, done again and deleted; and where they
cannot be kept, that is told and nothing that was kept is lost."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from companion_app.desk.desk import Desk
from companion_app.errors import MissingTrouble
from companion_app.hints.preparing import Preparation
from companion_app.languages import CODES, language
from companion_app.library.migrations import MIGRATIONS
from companion_app.library.store import PICTURES, Store, StoreTrouble
from companion_app.serving.server import create_app
from companion_app.settings import GAMES_FILE, Settings
from companion_app.stamps import new_id
from companion_app.tables.kept_table import looks_of, state_of, table_of
from companion_app.tables.reading_json import reading_json, reading_of
from companion_app.tables.table import Table
from rules.cards import Card
from rules.record import read_records
from tests.companion_app import kept_games
from tests.companion_app.command_line import answers, run
from tests.companion_app.fakes import ROWS, FakeEyes, picture_bytes, reading, row_reading
from tests.companion_app.fakes import spread as spread_of
from tests.companion_app.row_tables import deal
from vision.reading import TableReading

Serve = Callable[..., httpx.Client]
ENGLISH = language("en")
GAME = "relaxed-pyramid"
AFTER = reading((*ROWS[:6], "10H JC -- 10C 8D AS JS"), {"waste": None, "foundation": "4C"})
LATER = reading((*ROWS[:6], "10H JC -- 10C 8D AS JS"), {"waste": "2C", "foundation": "4C"})
HAND = reading((*ROWS[:6], "10H -- 9C 10C 8D AS JS"))


def desk_of(folder: Path, *seen: TableReading, **settings: int) -> Desk:
    """A desk that keeps games in a folder."""
    return Desk(FakeEyes(*seen), Settings(**settings), Preparation(), store=Store(folder))  # type: ignore[arg-type]


def opened(desk: Desk) -> Table:
    return desk.open_picture(picture_bytes(), "one.jpg", GAME, ENGLISH)


def onward(desk: Desk, table: Table) -> Table:
    return desk.next_picture(table, picture_bytes(), "two.jpg", ENGLISH)


def found(desk: Desk, table: Table) -> Table:
    again = desk.find(table.id, ENGLISH)
    assert isinstance(again, Table)
    return again


@pytest.mark.parametrize("seen", [reading(doubts=("waste",), beside=("2S",)), row_reading(deal("piwnica"))])
def test_a_reading_comes_back_as_it_was(seen: TableReading) -> None:
    again = reading_of(reading_json(seen))
    assert reading_json(again) == reading_json(seen)
    assert (again.places, again.doubts, again.advice) == (dict(seen.places), seen.doubts, seen.advice)


def test_a_game_is_there_again_after_a_restart_as_it_stood(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), AFTER, LATER)
    table = onward(desk, onward(desk, opened(desk)))
    desk.settle(table, "pyramid 3 2", "3H", str(table.look))
    desk.tell_piles(table, "20", "1")
    before = found(desk, table)
    again = found(desk_of(tmp_path), table)
    assert again.position() == before.position()
    assert again.position().look("pyramid 3 2") == Card.parse("3H")
    assert (again.look, again.name, again.picture, again.game) == (before.look, "two.jpg", before.picture, before.game)
    assert again.belief is not None and before.belief is not None
    assert again.belief.best.moves == before.belief.best.moves and len(again.belief.best.moves) == 2
    assert again.before is not None and again.before.picture is not None


def test_a_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    table = opened(desk_of(tmp_path, reading()))
    desk = desk_of(tmp_path, AFTER)
    later = onward(desk, table)
    assert later.look > table.look
    assert later.story is not None and [move.kind for move in later.story.moves] == ["pair"]


def test_what_was_answered_and_allowed_is_kept(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), HAND, HAND)
    table = onward(desk, onward(desk, opened(desk)))
    assert found(desk_of(tmp_path), table).is_broken
    desk.allow(table)
    assert not found(desk_of(tmp_path), table).is_broken
    desk.undo(table)
    desk.answer(table, "misread")
    assert found(desk_of(tmp_path), table).position().look("pyramid 7 2") == Card.parse("JC")


def test_a_row_that_a_person_closed_up_comes_back_so(tmp_path: Path) -> None:
    seen = row_reading(deal("piwnica"))
    desk = desk_of(tmp_path, seen)
    table = desk.open_picture(picture_bytes(), "rows.jpg", "piwnica", ENGLISH)
    desk.settle(table, "left 2 2", "gone")
    assert found(desk_of(tmp_path), table).position() == found(desk, table).position()


def test_a_table_that_had_to_go_is_found_again(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), AFTER, reading(), max_tables=1)
    table = onward(desk, opened(desk))
    opened(desk)
    again = found(desk, table)
    assert again.belief is not None and len(again.belief.best.moves) == 1


def test_changes_are_taken_back_and_done_again(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), AFTER)
    table = opened(desk)
    assert (found(desk, table).can_undo, found(desk, table).can_redo) == (False, False)
    onward(desk, table)
    desk.settle(table, "pyramid 1 1", "2S")
    desk.undo(table)
    once = found(desk, table)
    assert once.position().look("pyramid 1 1") == Card.parse("KS") and once.look != table.look
    desk.undo(table)
    twice = found(desk, table)
    assert (twice.look, twice.can_undo, twice.can_redo) == (table.look, False, True)
    assert found(desk_of(tmp_path), table).look == table.look
    desk.redo(table)
    desk.redo(table)
    assert found(desk, table).position().look("pyramid 1 1") == Card.parse("2S")
    assert found(desk_of(tmp_path), table).position().look("pyramid 1 1") == Card.parse("2S")
    desk.redo(table)
    assert not found(desk, table).can_redo


def test_changes_are_taken_back_and_done_again_after_a_restart(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), AFTER)
    table = opened(desk)
    moved = onward(desk, table)
    desk.settle(table, "pyramid 1 1", "2S")
    desk.settle(table, "pyramid 2 1", "3S")
    desk.undo(table)

    desk = desk_of(tmp_path)
    assert (found(desk, table).can_undo, found(desk, table).can_redo) == (True, True)
    desk.undo(table)
    assert found(desk, table).position().look("pyramid 1 1") == Card.parse("KS")
    desk.undo(table)
    first = found(desk, table)
    assert (first.look, first.can_undo) == (table.look, False)

    desk = desk_of(tmp_path)
    desk.redo(table)
    assert found(desk, table).look == moved.look
    desk.redo(table)
    desk.redo(table)
    last = found(desk, table)
    assert last.position().look("pyramid 2 1") == Card.parse("3S") and not last.can_redo
    desk.undo(table)
    desk.settle(table, "pyramid 2 1", "4S")
    assert not found(desk_of(tmp_path), table).can_redo


def test_a_step_of_a_hint_is_no_change_to_take_back(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading())
    table = opened(desk)
    desk.choose_stage(table, "play")
    assert not found(desk, table).can_undo


def test_a_deleted_game_leaves_nothing_behind(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), AFTER, reading())
    table, other = onward(desk, opened(desk)), opened(desk)
    assert len(list((tmp_path / PICTURES).iterdir())) == 3
    desk.delete(table.id)
    with pytest.raises(MissingTrouble):
        desk.find(table.id, ENGLISH)
    assert [game.id for game in desk.games(9)] == [other.id]
    assert len(list((tmp_path / PICTURES).iterdir())) == 1
    assert all(table.id.encode() not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_events_and_looks_are_only_added(tmp_path: Path) -> None:
    opened(desk_of(tmp_path, reading()))
    with closing(sqlite3.connect(tmp_path / GAMES_FILE)) as connection:
        for told in ("UPDATE events SET kind = 'other'", "UPDATE looks SET name = 'other'"):
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(told)


def newer(folder: Path) -> None:
    with closing(sqlite3.connect(folder / GAMES_FILE)) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")


def damaged(folder: Path) -> None:
    (folder / GAMES_FILE).write_bytes(b"no file of games, but something else altogether " * 400)
    for part in ("-wal", "-shm"):
        (folder / f"{GAMES_FILE}{part}").unlink(missing_ok=True)


def no_folder(folder: Path) -> None:
    (folder / GAMES_FILE).unlink()
    (folder / GAMES_FILE).mkdir()


BROKEN = {"store-newer": newer, "store-damaged": damaged, "store": no_folder}


@pytest.mark.parametrize("code", BROKEN)
def test_games_that_cannot_be_used_are_told_and_left_as_they_are(tmp_path: Path, code: str) -> None:
    first = Store(tmp_path)
    Desk(FakeEyes(), Settings(), Preparation(), store=first).open_picture(picture_bytes(), "a.jpg", GAME, ENGLISH)
    first.close()
    BROKEN[code](tmp_path)
    held = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    desk = desk_of(tmp_path, reading(), AFTER)
    table = onward(desk, opened(desk))
    assert table.belief is not None and len(table.belief.best.moves) == 1
    assert desk.unkept is not None and desk.unkept.code == code
    with pytest.raises(StoreTrouble):
        desk.games(9)
    assert {path: path.read_bytes() for path in held} == held


def test_a_full_disk_is_told_nothing_is_half_kept_and_room_lets_it_go_on(tmp_path: Path) -> None:
    store = Store(tmp_path)
    desk = Desk(FakeEyes(reading(), AFTER, LATER), Settings(), Preparation(), store=store)
    table = opened(desk)
    pages = store._begun().execute("PRAGMA page_count").fetchone()[0]
    store._begun().execute(f"PRAGMA max_page_count = {pages}")
    for number in range(9):
        desk.tell_piles(table, str(number), "1")
    onward(desk, table)
    full = desk.unkept
    assert full is not None and full.code == "store-full"
    again = found(desk_of(tmp_path), table)
    assert again.look == table.look
    store._begun().execute("PRAGMA max_page_count = 100000")
    onward(desk, table)
    assert desk.unkept is None
    assert found(desk_of(tmp_path), table).position() == found(desk, table).position()


def test_a_file_that_another_program_holds_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion_app.library.store.WAIT_SECONDS", 0.05)
    desk = desk_of(tmp_path, reading(), AFTER)
    table = opened(desk)
    with closing(sqlite3.connect(tmp_path / GAMES_FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        onward(desk, table)
        assert desk.unkept is not None and desk.unkept.code == "store-locked"
    desk.tell_piles(table, "20", "1")
    assert desk.unkept is None
    assert found(desk_of(tmp_path), table).position() == found(desk, table).position()


def test_a_file_that_cannot_be_written_is_told_and_still_read(tmp_path: Path) -> None:
    table = opened(desk_of(tmp_path, reading()))
    store = Store(tmp_path)
    store._begun().execute("PRAGMA query_only = ON")
    desk = Desk(FakeEyes(AFTER), Settings(), Preparation(), store=store)
    assert onward(desk, found(desk, table)).belief is not None
    assert desk.unkept is not None and desk.unkept.code == "store-read-only"
    assert [game.id for game in desk.games(9)] == [table.id]


def test_a_game_whose_picture_is_gone_goes_on_without_it(tmp_path: Path) -> None:
    table = opened(desk_of(tmp_path, reading()))
    for picture in (tmp_path / PICTURES).iterdir():
        picture.unlink()
    assert found(desk_of(tmp_path), table).picture is None


def test_a_state_that_was_never_kept_so_is_told(tmp_path: Path) -> None:
    table = opened(desk_of(tmp_path, reading()))
    Store(tmp_path).add(table.id, looks_of(table), "settled", '{"game": "relaxed-pyramid"}', "{}")
    with pytest.raises(StoreTrouble) as raised:
        desk_of(tmp_path).find(table.id, ENGLISH)
    assert raised.value.code == "store-damaged"


def test_a_state_says_all_that_a_table_follows_from() -> None:
    desk = Desk(FakeEyes(reading(), AFTER), Settings(), Preparation())
    table = onward(desk, opened(desk))
    looks = {each.number: each for each in looks_of(table)}
    again = table_of(table.id, state_of(table), looks)
    assert (again.position(), again.story, state_of(again)) == (table.position(), table.story, state_of(table))


def test_the_page_finds_the_game_again_takes_back_and_deletes(kept_page: Serve) -> None:
    client = kept_page(reading(), AFTER)
    files = {"picture": ("one.jpg", picture_bytes())}
    path = client.post("/tables", data={"game": GAME}, files=files).url.path
    client.post(f"{path}/next", files=files)
    client = kept_page()
    start = client.get("/").text
    assert f'id="go-on" href="{path}"' in start and "2 pictures" in start
    page = client.get(path).text
    assert "Moves made" in page and 'id="undo">' in page
    settled = client.post(f"{path}/settle", data={"place": "pyramid 1 1", "card": "2S"}).text
    assert "2 of spades; row 1, place 1" in settled and re.search(r'id="redo" aria-disabled="true"', settled)
    assert "king of spades; row 1, place 1" in client.post(f"{path}/undo").text
    assert "2 of spades; row 1, place 1" in client.post(f"{path}/redo").text
    assert "go-on" not in client.post(f"{path}/delete").text
    assert client.get(path).status_code == 404


def test_a_game_is_saved_as_record_page_and_json(kept_page: Serve) -> None:
    client = kept_page(reading(), AFTER, LATER)
    files = {"picture": ("one.jpg", picture_bytes())}
    path = client.post("/tables", data={"game": GAME}, files=files).url.path
    for _ in range(2):
        client.post(f"{path}/next", files=files)
    record = client.get(f"{path}/record.txt")
    assert "attachment" in record.headers["content-disposition"]
    (played,) = read_records(record.text)
    assert [move.kind for move in played.record.moves] == ["pair", "turn"] and played.stopped is None
    data = client.get(f"{path}/game.json").json()
    assert data["record"] == record.text
    assert [look["explanation"] for look in data["looks"]] == ["start", "moves", "moves"]
    page = client.get(f"{path}/game.html").text
    assert page.count("data:image/jpeg;base64,") == 3 and page.count("<svg") == 3
    assert "Turn a card from the stock" in page and 'src="/' not in page and "href=" not in page
    again = kept_page().get(f"{path}/game.html").text
    assert again.count("data:image/jpeg;base64,") == 3
    spread = kept_page(spread_of([Card.parse("KS")])).post("/tables", data={"game": "none"}, files=files)
    assert client.get(f"{spread.url.path}/record.txt").status_code == 404


def test_the_commands_take_a_kept_game_by_its_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion_app.sources.games_folder", lambda: tmp_path)
    desk = desk_of(tmp_path, reading(), AFTER)
    table = onward(desk, opened(desk))
    scored = answers(run("score", "--scheme", "points", "--game", GAME, "--json", table.id))
    assert scored[0]["scheme"] == "points" and scored[0]["score"] > 0
    assert answers(run("score", "--game", GAME, "--json", "abcdefghijkl"))[0]["error"]["code"] == "no-file"


@pytest.mark.parametrize("code", CODES)
def test_the_page_says_why_a_game_is_not_kept(tmp_path: Path, kept_page: Serve, code: str) -> None:
    newer(tmp_path)
    client = kept_page(reading())
    client.headers["accept-language"] = code
    assert language(code).say("error.store-newer") in client.get("/").text
    page = client.post("/tables", data={"game": GAME}, files={"picture": ("one.jpg", picture_bytes())}).text
    assert language(code).say("games.unkept", why=language(code).say("error.store-newer")) in page


def test_killed_at_random_moments_every_look_told_of_is_kept_once_and_in_order() -> None:
    assert kept_games.faults(kills=4, seed=11) == []


def test_without_a_store_nothing_is_kept_and_nothing_offered() -> None:
    assert create_app(Settings(), reader=FakeEyes()) is not None
    assert Desk(FakeEyes(), Settings(), Preparation()).games(9) == []


def test_no_kept_game_has_an_id_that_a_command_takes_for_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-x3456789abc", "-----------Y", "a-3456789abc"])
    monkeypatch.setattr("companion_app.stamps.secrets.token_urlsafe", lambda size: next(drawn))
    assert new_id() == "a-3456789abc"
