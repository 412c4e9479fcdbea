"""Thinking in steps that a test allows one by one: each answer may put another move first, and has other figures."""

import threading
import time
from collections.abc import Collection, Iterator
from dataclasses import replace

from companion_app.hints.advise import advise
from companion_app.hints.resting import LATE, Clock
from companion_app.hints.thinking import Answer
from rules.catalogue import Game
from rules.pyramid.position import PyramidPosition

PATIENCE = 60.0


class Steps:
    """Gives as many answers as `firsts` has numbers: which of the moves comes first in each. The second one and all
    later ones wait until they are allowed; what is stopped ends at once."""

    def __init__(self, *firsts: int) -> None:
        self._firsts = firsts
        self._allowed = threading.Semaphore(0)
        self._lock = threading.Lock()
        self.running, self.most_running, self.begun, self.stopped = 0, 0, 0, 0
        self.idle = threading.Event()

    def allow(self) -> None:
        """Let it find the next answer, or that there is no better one."""
        self._allowed.release()

    def wait_for_stops(self, number: int) -> None:
        """Return when so many thoughts have been stopped."""
        until = time.monotonic() + PATIENCE
        while self.stopped < number:
            assert time.monotonic() < until
            time.sleep(0.01)

    def wait_until_idle(self) -> None:
        """Return when no thought is under way."""
        assert self.idle.wait(PATIENCE)

    def think(
        self, position: PyramidPosition, game: Game, seconds: float, doubtful: Collection[str], clock: Clock
    ) -> Iterator[Answer]:
        """As `companion_app.hints.advise.improve`."""
        found = advise(position, game, 0.01, doubtful)
        self._count(1)
        try:
            began = clock()
            for number, first in enumerate(self._firsts):
                hints = [replace(hint, cards_left=number) for hint in found.hints]
                moves = (*hints[first:], *hints[:first])
                yield Answer(replace(found, hints=moves), thinking=True)
                while not self._allowed.acquire(timeout=0.01):
                    if clock() - began > LATE / 2:
                        self.stopped += 1
                        return
        finally:
            self._count(-1)

    def _count(self, change: int) -> None:
        with self._lock:
            self.running += change
            self.begun += change > 0
            self.most_running = max(self.most_running, self.running)
            if self.running:
                self.idle.clear()
            else:
                self.idle.set()
