"""The last few tables by their ids: which is kept, which goes, and changes that lose nothing."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from companion_app.tables.spread_table import Spread
from companion_app.tables.table import Table

Kept = Table | Spread

SETTLED_IN = 5.0
"""Seconds after which somebody who looks at a table again is there to play, not just shown what was opened."""

LEFT_AFTER = 600.0
"""Seconds without a look after which nobody is at a table any more; a page on show looks every twenty."""


@dataclass(slots=True)
class _Place:
    table: Kept
    opened: float
    looked: float


class Shelf:
    """At most so many tables. Where there are too many, one that nobody is at goes first, of those the one looked at
    longest ago, and never the newest. Safe to use from several threads."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = most, clock
        self._places: dict[str, _Place] = {}
        self._lock = threading.Lock()

    def find(self, table_id: str) -> Kept | None:
        """The newest state of a table, None where there is none of that id; counts as a look at it."""
        with self._lock:
            place = self._places.get(table_id)
            if place is None:
                return None
            place.looked = self._clock()
            return place.table

    def put(self, table: Kept) -> None:
        """Keep a new table."""
        with self._lock:
            now = self._clock()
            self._places[table.id] = _Place(table, now, now)
            gone = [self._pop(table.id) for _ in range(len(self._places) - self._most)]
        for old in gone:
            _stop(old, None)

    def swap(self, old: Kept, new: Kept) -> bool:
        """Put a later state in the place of an earlier one, if that is the newest; False where it is not (any more)."""
        with self._lock:
            place = self._places.get(old.id)
            if place is None or place.table is not old:
                return False
            place.table = new
        _stop(old, new)
        return True

    def drop(self, table_id: str) -> None:
        """Keep a table no longer."""
        with self._lock:
            place = self._places.pop(table_id, None)
        if place is not None:
            _stop(place.table, None)

    def _pop(self, newest: str) -> Kept:
        others = (table_id for table_id in self._places if table_id != newest)
        return self._places.pop(min(others, key=lambda table_id: self._worth(self._places[table_id]))).table

    def _worth(self, place: _Place) -> tuple[bool, float]:
        is_used = place.looked - place.opened > SETTLED_IN and self._clock() - place.looked < LEFT_AFTER
        return is_used, place.looked


def _stop(old: Kept, new: Kept | None) -> None:
    """End what is thought about a state that is gone, unless the next one goes on with it."""
    thought = old.thought if isinstance(old, Table) else None
    if thought is not None and not (isinstance(new, Table) and new.thought is thought):
        thought.stop()
