"""Games kept in one SQLite file under the user's data, their pictures beside it.

Nothing that was kept is ever changed: looks, events and aids are only added, until a person deletes the game. An event
is written, to the disk, before anybody is told of it, so that whatever ends the program, each is there once and in
order.
"""

import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from companion_app.errors import Trouble
from companion_app.library.migrations import NewerFile, migrate
from companion_app.settings import GAMES_FILE
from companion_app.tables.kept_table import KeptLook, is_proposed

PICTURES = "pictures"
WAIT_SECONDS = 2.0
SHOWN = 2
"""Pictures of the newest looks that are read with a game; the others stay where they are."""
OF_A_GAME = ("looks", "events", "aids", "notes", "match_games")
"""The tables that say something of a game."""


class StoreTrouble(Trouble):
    """The file of games cannot be used: `store-newer`, `store-damaged`, `store-locked`, `store-full`,
    `store-read-only` or `store`."""

    http_status = 500


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A kept game for a list: its id, the id of what is played, when it was last played, how many looks it has, and
    whether it is a score that is not confirmed."""

    id: str
    game: str
    at: datetime
    looks: int
    is_proposed: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """The newest state of a game, and its looks by their numbers."""

    state: str
    looks: Mapping[int, KeptLook]


class Store:
    """The games of one folder, which need not exist. Safe to use from several threads and processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def add(self, game: str, looks: Iterable[KeptLook], kind: str, state: str, told: str) -> None:
        """Keep what became of a game: its state, and those of its looks (the newest first) that are not kept yet.
        Raises StoreTrouble; then nothing of it is kept."""
        now = time_now()
        with self.transaction("IMMEDIATE") as connection:
            for look in looks:
                key = game, look.number
                if connection.execute("SELECT 1 FROM looks WHERE game = ? AND number = ?", key).fetchone():
                    break
                picture = self._keep_picture(game, look)
                connection.execute(
                    "INSERT INTO looks VALUES (?, ?, ?, ?, ?, ?)", (*key, now, look.name, look.shown, picture)
                )
            connection.execute(
                "INSERT INTO events (game, at, kind, state, told) VALUES (?, ?, ?, ?, ?)",
                (game, now, kind, state, told),
            )

    def newest(self, game: str) -> Kept | None:
        """The newest state of a game; None where it is not kept. Raises StoreTrouble."""
        with self.transaction() as connection:
            event = connection.execute(
                "SELECT state FROM events WHERE game = ? ORDER BY number DESC LIMIT 1", (game,)
            ).fetchone()
            looks = connection.execute(
                "SELECT number, name, shown, picture FROM looks WHERE game = ? ORDER BY number DESC", (game,)
            ).fetchall()
        if event is None:
            return None
        found = {
            number: KeptLook(number, name, shown, self._picture(picture) if place < SHOWN else None)
            for place, (number, name, shown, picture) in enumerate(looks)
        }
        return Kept(event[0], found)

    def changes(self, game: str, most: int) -> list[tuple[str, str]]:
        """What the last changes of a game are called, and the state that each led to, the oldest first. Raises
        StoreTrouble."""
        with self.transaction() as connection:
            rows = connection.execute(
                "SELECT kind, state FROM events WHERE game = ? ORDER BY number DESC LIMIT ?", (game, most)
            ).fetchall()
        return [(kind, state) for kind, state in reversed(rows)]

    def record(self, game: str) -> str | None:
        """The record of a game as text; None where it is not kept. Raises StoreTrouble."""
        with self.transaction() as connection:
            event = connection.execute(
                "SELECT told FROM events WHERE game = ? ORDER BY number DESC LIMIT 1", (game,)
            ).fetchone()
            return str(json.loads(event[0])["record"]) if event else None

    def picture(self, game: str, look: int) -> bytes | None:
        """The picture of a look; None where there is none. Raises StoreTrouble."""
        with self.transaction() as connection:
            row = connection.execute("SELECT picture FROM looks WHERE game = ? AND number = ?", (game, look)).fetchone()
        return self._picture(row[0]) if row else None

    def games(self, most: int) -> list[KeptGame]:
        """The games played last, the latest first. Raises StoreTrouble."""
        with self.transaction() as connection:
            rows = connection.execute(
                "SELECT game, max(at), (SELECT state FROM events AS e WHERE e.game = events.game ORDER BY number DESC"
                " LIMIT 1) FROM events GROUP BY game ORDER BY max(number) DESC LIMIT ?",
                (most,),
            ).fetchall()
        return [_listed(*row) for row in rows]

    def last_look(self) -> int:
        """The highest number that a look has. Raises StoreTrouble."""
        with self.transaction() as connection:
            return int(connection.execute("SELECT coalesce(max(number), 0) FROM looks").fetchone()[0])

    def delete(self, game: str) -> None:
        """Delete a game and its pictures, so that nothing of it is left on the disk. Raises StoreTrouble."""
        with self.transaction("IMMEDIATE") as connection:
            pictures = connection.execute("SELECT picture FROM looks WHERE game = ?", (game,)).fetchall()
            for table in OF_A_GAME:
                connection.execute(f"DELETE FROM {table} WHERE game = ?", (game,))
        for (picture,) in pictures:
            if picture:
                with suppress(OSError):
                    (self.folder / PICTURES / picture).unlink()
        self.emptied()

    def emptied(self) -> None:
        """What was deleted stands in the log until that is emptied."""
        with self._lock, _told(), suppress(sqlite3.OperationalError):
            self._begun().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    @contextmanager
    def transaction(self, how: str = "DEFERRED") -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is kept, or nothing. how: IMMEDIATE to write. Raises StoreTrouble."""
        with self._lock, _told():
            connection = self._begun()
            with connection:
                connection.execute(f"BEGIN {how}")
                yield connection

    def _begun(self) -> sqlite3.Connection:
        if self._connection is not None:
            return self._connection
        self.folder.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            self.folder / GAMES_FILE, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            migrate(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _keep_picture(self, game: str, look: KeptLook) -> str | None:
        if look.picture is None:
            return None
        name = f"{game}-{look.number}.jpg"
        folder = self.folder / PICTURES
        folder.mkdir(exist_ok=True)
        part = folder / f"{name}.part"
        with part.open("wb") as file:
            file.write(look.picture)
            file.flush()
            os.fsync(file.fileno())
        part.replace(folder / name)
        return name

    def _picture(self, name: str | None) -> bytes | None:
        """A picture; None where there is none any more, for the game goes on without it."""
        if name is None:
            return None
        with suppress(OSError):
            return (self.folder / PICTURES / name).read_bytes()
        return None


def time_now() -> str:
    """The time as it is kept."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _listed(game: str, at: str, state: str) -> KeptGame:
    data = json.loads(state)
    return KeptGame(game, data["game"], datetime.fromisoformat(at), len(data["looks"]), is_proposed(data))


@contextmanager
def _told() -> Iterator[None]:
    """What goes wrong with the file, as a StoreTrouble."""
    try:
        yield
    except NewerFile as error:
        raise StoreTrouble("store-newer") from error
    except sqlite3.OperationalError as error:
        raise StoreTrouble(_code(str(error)), why=error) from error
    except sqlite3.DatabaseError as error:
        raise StoreTrouble("store-damaged", why=error) from error
    except (ValueError, KeyError, TypeError) as error:
        raise StoreTrouble("store-damaged", why=error) from error
    except OSError as error:
        raise StoreTrouble(_code(str(error.strerror)), why=error) from error


CODE_OF_WORD = {
    "locked": "store-locked",
    "full": "store-full",
    "No space": "store-full",
    "readonly": "store-read-only",
    "Read-only": "store-read-only",
    "denied": "store-read-only",
    "malformed": "store-damaged",
    "not a database": "store-damaged",
}
"""The code of a trouble by a word of what the system says."""
OTHER_CODE = "store"


def _code(why: str) -> str:
    return next((code for word, code in CODE_OF_WORD.items() if word in why), OTHER_CODE)
