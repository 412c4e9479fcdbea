"""Help that was used is kept with the game: once for each state and step, over restarts, and whatever is taken back."""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion_app.desk.desk import Desk
from companion_app.hints.preparing import Preparation
from companion_app.languages import language
from companion_app.library.aids import Aids
from companion_app.library.migrations import MIGRATIONS
from companion_app.library.store import Store
from companion_app.settings import GAMES_FILE, Settings
from companion_app.tables.table import Table
from tests.companion_app.fakes import FakeEyes, reading
from tests.companion_app.test_store import AFTER, LATER, desk_of, found, onward, opened
from vision.reading import TableReading

ENGLISH = language("en")
GONE = reading(("--", "-- --", "-- -- --", "-- -- -- --", "-- -- -- -- --", "-- -- -- -- -- --", "-- " * 7))


def steps(folder: Path, table: Table) -> list[int]:
    return [aid.step for aid in Aids(Store(folder)).of(table.id)]


def quick_desk(folder: Path, *seen: TableReading) -> Desk:
    """A desk that thinks about hints for a moment only."""
    settings = Settings(page_hint_seconds=0.05)
    return Desk(FakeEyes(*seen), settings, Preparation(), store=Store(folder))


def test_of_each_state_the_highest_step_counts_once(tmp_path: Path) -> None:
    desk = quick_desk(tmp_path, reading(), AFTER)
    table = opened(desk)
    assert steps(tmp_path, table) == []
    for step in (1, 3, 3, 2, 3):
        desk.hint(table, step, "", ENGLISH)
    assert steps(tmp_path, table) == [3]
    desk.hint(table, 1, "", ENGLISH)
    later = onward(desk, table)
    assert steps(tmp_path, table) == [3]
    desk.helped(found(desk, later), ENGLISH)
    assert steps(tmp_path, table) == [3, 1]


def test_hints_turned_off_are_kept_and_are_no_help(tmp_path: Path) -> None:
    desk = quick_desk(tmp_path, reading())
    table = opened(desk)
    desk.hint(table, 0, "", ENGLISH)
    assert steps(tmp_path, table) == []
    with closing(sqlite3.connect(tmp_path / GAMES_FILE)) as connection:
        assert connection.execute("SELECT kind, step FROM aids").fetchall() == [("hint", 0)]


class Waiting(Preparation):
    """A search that is made ready while somebody does something else."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], object] = lambda: None

    def wait(self) -> None:
        self.meanwhile()


def test_hints_turned_off_while_the_next_one_was_on_its_way_stay_off(tmp_path: Path) -> None:
    search = Waiting()
    desk = Desk(FakeEyes(reading(), AFTER), Settings(page_hint_seconds=0.05), search, store=Store(tmp_path))
    table = opened(desk)
    desk.hint(table, 3, "", ENGLISH)
    later = found(desk, onward(desk, table))
    search.meanwhile = lambda: desk.hint(later, 0, "", ENGLISH)
    seen, _ = desk.helped(later, ENGLISH)
    assert seen.help.step == found(desk, later).help.step == 0


def test_undo_and_a_restart_do_not_take_back_that_help_was_used(tmp_path: Path) -> None:
    desk = quick_desk(tmp_path, reading(), AFTER)
    table = opened(desk)
    onward(desk, table)
    desk.hint(table, 2, "", ENGLISH)
    desk.hint(table, 0, "", ENGLISH)
    desk.undo(table)
    assert steps(tmp_path, table) == [2]
    desk = quick_desk(tmp_path)
    desk.redo(found(desk, table))
    desk.hint(found(desk, table), 2, "", ENGLISH)
    assert steps(tmp_path, table) == [2]


def test_after_the_end_there_is_no_help(tmp_path: Path) -> None:
    desk = quick_desk(tmp_path, GONE)
    table = opened(desk)
    assert table.is_won
    desk.hint(table, 4, "", ENGLISH)
    assert steps(tmp_path, table) == []


def test_aids_are_only_added(tmp_path: Path) -> None:
    desk = quick_desk(tmp_path, reading())
    desk.hint(opened(desk), 1, "", ENGLISH)
    with closing(sqlite3.connect(tmp_path / GAMES_FILE)) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute("UPDATE aids SET step = 0")


def test_a_deleted_game_leaves_no_word_of_its_help(tmp_path: Path) -> None:
    desk = quick_desk(tmp_path, reading(), reading())
    table, other = opened(desk), opened(desk)
    for each in (table, other):
        desk.hint(each, 1, "", ENGLISH)
    desk.delete(table.id)
    assert steps(tmp_path, table) == [] and steps(tmp_path, other) == [1]
    # What was thought about it meanwhile is kept no more.
    Aids(Store(tmp_path)).note(table, "hint", 1)
    assert steps(tmp_path, table) == []
    assert all(table.id.encode() not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_an_older_file_is_brought_up_to_date_and_loses_nothing(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), AFTER, LATER)
    table = onward(desk, onward(desk, opened(desk)))
    desk.undo(table)
    held: dict[str, list[tuple[object, ...]]] = {}
    with closing(sqlite3.connect(tmp_path / GAMES_FILE)) as connection:
        held = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in ("looks", "events")}
    old = tmp_path / "old"
    old.mkdir()
    (tmp_path / "pictures").rename(old / "pictures")
    with closing(sqlite3.connect(old / GAMES_FILE)) as connection:
        connection.executescript(f"{MIGRATIONS[0]}PRAGMA user_version = 1;")
        for name, rows in held.items():
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
        connection.commit()
    again = quick_desk(old)
    assert found(again, table).position() == found(desk, table).position()
    assert found(again, table).picture is not None and found(again, table).can_redo
    with closing(sqlite3.connect(old / GAMES_FILE)) as connection:
        now = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in held}
        assert now == held
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    again.hint(found(again, table), 1, "", ENGLISH)
    assert steps(old, table) == [1]


def test_two_that_bring_a_file_up_to_date_at_once_both_go_on(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / GAMES_FILE)) as connection:
        connection.executescript(f"{MIGRATIONS[0]}PRAGMA user_version = 1;")
    barrier, listed = threading.Barrier(4), []

    def look() -> None:
        store = Store(tmp_path)
        barrier.wait()
        listed.append(store.games(9))

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert listed == [[]] * 4
