"""The clocks of what is thought about beside the server: it rests while others are let go first, and ends when it is
stopped.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Clock = Callable[[], float]

LATE = 1e6
"""Seconds that seem to have gone by for work that is stopped: whatever it was at is over at its next look at the
clock."""


class Rest:
    """Asked for by those whom other work is to let go first. Safe to use from several threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._asking = 0

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Other work rests meanwhile, each from its next look at the clock on; that is not waited for."""
        with self._changed:
            self._asking += 1
        try:
            yield
        finally:
            with self._changed:
                self._asking -= 1
                self._changed.notify_all()

    def taken(self, stopped: threading.Event) -> bool:
        """Return once nobody asks for a rest, or it is `stopped` and `broken_off`; whether anybody asked."""
        if not self._asking:
            return False
        with self._changed:
            self._changed.wait_for(lambda: not self._asking or stopped.is_set())
        return True

    def broken_off(self) -> None:
        """Have those that rest look whether they are stopped."""
        with self._changed:
            self._changed.notify_all()


class WorkClock:
    """The clock that one piece of work looks at. It rests in that look when asked to, which costs none of its time; a
    look after it was stopped says that all its time is over."""

    def __init__(self, rest: Rest | None = None, clock: Clock = time.perf_counter) -> None:
        self._rest, self._clock = rest or Rest(), clock
        self._rested = 0.0
        self._stopped = threading.Event()

    @property
    def is_stopped(self) -> bool:
        """Whether it was stopped."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Ask the work to end; returns at once."""
        self._stopped.set()
        self._rest.broken_off()

    def now(self, *, may_rest: bool = True) -> float:
        """Seconds by this clock; may_rest: nobody waits for what it would keep back."""
        now = self._clock() - self._rested
        if may_rest and self._rest.taken(self._stopped):
            self._rested = self._clock() - now
        return now + (LATE if self._stopped.is_set() else 0.0)
