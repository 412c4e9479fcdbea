"""Help that was used, kept with its game: for each state of the game the steps of help that were shown.

It is only added: taking a change back does not take back that help was used for it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import groupby

from companion_app.library.store import Store, time_now
from companion_app.tables.kept_table import chain_of
from companion_app.tables.table import Table

HINT = "hint"
"""A step of a hint: 1 there is a move … 4 why; 0 that hints were turned off."""


@dataclass(frozen=True, slots=True)
class Aid:
    """Help with one state of a game: `deal` is the number of the look that the game of that state began with, `step`
    the highest that was shown; `at` when it first was."""

    deal: int
    kind: str
    step: int
    at: datetime


class Aids:
    """The help used in the games of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def note(self, table: Table, kind: str, step: int) -> None:
        """Keep that a step of help was shown for the table as it lies; of the same step for the same state once. After
        the end of a game there is nothing to help with, and of a game that is not kept nothing is. Raises
        StoreTrouble."""
        if table.outcome != "open":
            return
        key = table.id, time_now(), chain_of(table)[0].look, table.look, state_key(table), kind, step
        with self._store.transaction("IMMEDIATE") as connection:
            connection.execute(
                "INSERT OR IGNORE INTO aids (game, at, deal, look, position, kind, step) SELECT ?, ?, ?, ?, ?, ?, ?"
                " WHERE EXISTS (SELECT 1 FROM events WHERE game = ?)",
                (*key, table.id),
            )

    def by_look(self, game: str) -> dict[int, int]:
        """The highest step of help that was shown at each look of a game. Raises StoreTrouble."""
        with self._store.transaction() as connection:
            asked = "SELECT look, max(step) FROM aids WHERE game = ? AND step > 0 GROUP BY look"
            return dict(connection.execute(asked, (game,)).fetchall())

    def of(self, game: str) -> tuple[Aid, ...]:
        """Help used in a game, one for each of its states and kinds, in the order in which it first was. Raises
        StoreTrouble."""
        return self.all(game).get(game, ())

    def all(self, game: str = "") -> Mapping[str, tuple[Aid, ...]]:
        """Help used in each game, or in one; none is listed for a game without any. Raises StoreTrouble."""
        with self._store.transaction() as connection:
            rows = connection.execute(
                "SELECT game, deal, kind, max(step), min(at) FROM aids WHERE step > 0 AND (? = '' OR game = ?)"
                " GROUP BY game, deal, position, kind ORDER BY game, min(number)",
                (game, game),
            ).fetchall()
        return {
            name: tuple(Aid(deal, kind, step, datetime.fromisoformat(at)) for _, deal, kind, step, at in found)
            for name, found in groupby(rows, key=lambda row: str(row[0]))
        }


def state_key(table: Table) -> str:
    """Tells the states of a game apart by all that is known of how its table lies."""
    return sha256(json.dumps(table.position().to_json(), sort_keys=True).encode()).hexdigest()[:16]
