"""Pictures that could not be read: the last few are kept for a while, in memory alone, to be tried otherwise."""

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from companion_app.drawing.photo import upright_jpeg
from companion_app.errors import MissingTrouble, UnreadableTrouble
from companion_app.languages import Language
from companion_app.tables.table import Way
from companion_app.troubles import as_trouble
from rules.fault import Stage
from vision.errors import PictureError

TRIED_AGAIN = ("no-cards", "no-layout", "two-layouts", "too-blurred", "outside", "rows-laid", "pyramid-laid")
"""Why a picture was refused that is one: read as another game, or where a person points at, it may be told."""

MOST = 6
MOST_BYTES = 64 * 1024 * 1024
"""Of all that are kept: more than the largest picture taken, or that one would never be."""
SECONDS = 1800.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a picture was sent for: its file and its name, the game chosen ("" for any), what the table is opened for,
    and the table in play that it is the next picture of, if it is one, with the layout of that."""

    picture: bytes
    name: str
    game: str = ""
    way: Way = "play"
    stage: Stage = "play"
    table: str = ""
    layout: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A picture that was refused: its id, what it was sent for, why it could not be read, and the picture upright, to
    be shown."""

    id: str
    attempt: Attempt
    code: str
    shown: bytes
    since: float

    @property
    def bytes(self) -> int:
        """What it takes of the memory."""
        return len(self.attempt.picture) + len(self.shown)


def address_of(refused: Refused) -> str:
    """Where the page of a picture that was refused is."""
    return f"/refused/{refused.id}"


class RefusedTrouble(UnreadableTrouble):
    """A picture that could not be read but is kept, as `refused`."""

    def __init__(self, code: str, message: str, refused: Refused) -> None:
        super().__init__(code, message)
        self.refused = refused


class RefusedPictures:
    """The last few pictures that were refused, the oldest going first. Safe to use from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[str, Refused] = {}
        self._is_waiting = False

    @contextmanager
    def keeping(self, attempt: Attempt, language: Language, refused_id: str = "") -> Iterator[None]:
        """Keep the picture where what is done with it ends in its being refused: a RefusedTrouble is raised then. It is
        kept under the id given, where it was kept before."""
        try:
            yield
        except (PictureError, UnreadableTrouble) as error:
            if error.code not in TRIED_AGAIN:
                raise
            trouble = as_trouble(error, language)
            raise RefusedTrouble(
                trouble.code, trouble.message, self._keep(attempt, trouble.code, refused_id)
            ) from error

    def find(self, refused_id: str) -> Refused:
        """The picture of an id; raises MissingTrouble where it is not kept any more."""
        with self._lock:
            self._sweep()
            found = self._kept.get(refused_id)
        if found is None:
            raise MissingTrouble("no-refused")
        return found

    def drop(self, refused_id: str) -> None:
        """Keep a picture no longer."""
        with self._lock:
            self._kept.pop(refused_id, None)

    def _keep(self, attempt: Attempt, code: str, refused_id: str) -> Refused:
        shown = upright_jpeg(attempt.picture)
        refused = Refused(refused_id or secrets.token_urlsafe(16), attempt, code, shown, self._clock())
        with self._lock:
            self._kept.pop(refused.id, None)
            self._kept[refused.id] = refused
            self._sweep()
            self._wait()
        return refused

    def _wait(self) -> None:
        """See to it that what is kept goes in time though nobody comes by: one timer for all."""
        if self._is_waiting or not self._kept:
            return
        oldest = min(each.since for each in self._kept.values())
        timer = threading.Timer(max(oldest + SECONDS - self._clock(), 0.0) + 1, self._expire)
        timer.daemon = True
        self._is_waiting = True
        timer.start()

    def _expire(self) -> None:
        with self._lock:
            self._is_waiting = False
            self._sweep()
            self._wait()

    def _sweep(self) -> None:
        """Drops what is too old, and the oldest where it is too many or too much."""
        now = self._clock()
        kept = [each for each in self._kept.values() if now - each.since < SECONDS]
        while len(kept) > MOST or sum(each.bytes for each in kept) > MOST_BYTES:
            kept.pop(0)
        self._kept = {each.id: each for each in kept}
