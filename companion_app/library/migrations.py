"""How the file of kept games is laid out, version by version, and how an older one is brought up to date."""

import sqlite3

MIGRATIONS = (
    """
    CREATE TABLE looks (
        game TEXT NOT NULL, number INTEGER NOT NULL, at TEXT NOT NULL, name TEXT NOT NULL, shown TEXT NOT NULL,
        picture TEXT, PRIMARY KEY (game, number)
    );
    CREATE TABLE events (
        number INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL,
        state TEXT NOT NULL, told TEXT NOT NULL
    );
    CREATE INDEX events_of_a_game ON events (game, number);
    CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
    CREATE TRIGGER looks_stay BEFORE UPDATE ON looks BEGIN SELECT RAISE(ABORT, 'looks are only added'); END;
    """,
    """
    CREATE TABLE aids (
        number INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, at TEXT NOT NULL, deal INTEGER NOT NULL,
        look INTEGER NOT NULL, position TEXT NOT NULL, kind TEXT NOT NULL, step INTEGER NOT NULL,
        UNIQUE (game, deal, position, kind, step)
    );
    CREATE TRIGGER aids_stay BEFORE UPDATE ON aids BEGIN SELECT RAISE(ABORT, 'aids are only added'); END;
    CREATE TABLE notes (game TEXT PRIMARY KEY, at TEXT NOT NULL, note TEXT NOT NULL);
    CREATE TABLE matches (
        id TEXT PRIMARY KEY, at TEXT NOT NULL, game TEXT NOT NULL, rules TEXT NOT NULL, players TEXT NOT NULL
    );
    CREATE TABLE match_games (
        match TEXT NOT NULL, player INTEGER NOT NULL, number INTEGER NOT NULL, game TEXT NOT NULL UNIQUE,
        PRIMARY KEY (match, player, number)
    );
    """,
)
"""What makes each version of the file from the one before; its number is `PRAGMA user_version`."""


class NewerFile(Exception):  # noqa: N818 - it is no fault of the file
    """The file was written by a later version."""


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a file up to date, each version in one transaction: all of it or nothing. Raises NewerFile."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
    while (version := _version(connection)) < len(MIGRATIONS):
        try:
            connection.executescript(
                f"BEGIN IMMEDIATE;{MIGRATIONS[version]}PRAGMA user_version = {version + 1};COMMIT;"
            )
        except sqlite3.OperationalError:
            if connection.in_transaction:
                connection.rollback()
            # Another process may have been quicker.
            if _version(connection) == version:
                raise
    if version > len(MIGRATIONS):
        raise NewerFile


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
