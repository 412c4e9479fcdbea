"""How many pictures are taken in at a time, and for which frames of a camera there is room.

Who comes when there is none is told at once, so that nobody waits without end and the page is served meanwhile.
"""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from companion_app.errors import BusyTrouble
from companion_app.hints.resting import Rest
from companion_app.memory import give_back

MOST_PICTURES = 8
"""Far fewer than the threads that serve the page, and as many files as are kept in memory at a time."""

MOST_BEFORE_A_FRAME = 1
"""Readings that a frame waits for: by the time of a third the table may look different."""


class Room:
    """Room for so many at a time. Safe to use from several threads."""

    def __init__(self, most: int) -> None:
        self._free = threading.BoundedSemaphore(most)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """A place in the room; raises BusyTrouble where none is free."""
        if not self._free.acquire(blocking=False):
            raise BusyTrouble("busy")
        try:
            yield
        finally:
            self._free.release()


class Readings:
    """The readings under way, by table; the memory that each took is given back, and other work rests meanwhile. Safe
    to use from several threads."""

    def __init__(self) -> None:
        self.rest = Rest()
        self._lock = threading.Lock()
        self._tables: list[str] = []

    def picture(self, table_id: str = "") -> AbstractContextManager[None]:
        """The reading of a picture that somebody sent, which always waits its turn; of a table, or of a new one."""
        return self._taken(table_id, waits=True)

    def frame(self, table_id: str) -> AbstractContextManager[None]:
        """The reading of a camera's frame, of which there will be others; raises BusyTrouble, once it is entered, where
        pictures wait already, or the table is being read."""
        return self._taken(table_id, waits=False)

    @contextmanager
    def _taken(self, table_id: str, *, waits: bool) -> Iterator[None]:
        with self._lock:
            if not waits and (len(self._tables) > MOST_BEFORE_A_FRAME or table_id in self._tables):
                raise BusyTrouble("busy")
            self._tables.append(table_id)
        try:
            with self.rest.asked():
                yield
        finally:
            with self._lock:
                self._tables.remove(table_id)
            give_back()
