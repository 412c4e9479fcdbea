"""Looking back at a game beside the server: one at a time, in a thread of its own, within a time limit."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from companion_app.hints.resting import Clock, Rest, WorkClock
from rules.families import family_of
from rules.record import Record
from rules.review import Review, review

_log = logging.getLogger(__name__)

REVIEW_SECONDS = 30.0
MOST_KEPT = 64

LookBack = Callable[[Record, float, Clock], Review]


def look_back(record: Record, seconds: float, clock: Clock) -> Review:
    """The review of a record, once the search is ready, in about so many seconds. Raises PositionError."""
    family_of(record.game).prepare(record.game)
    return review(record, seconds=seconds, clock=clock)


@dataclass(slots=True)
class _Task:
    record: Record
    clock: WorkClock
    found: Review | None = None
    is_over: bool = False


class Reviewer:
    """Reviews of games by the texts of their records. Safe to use from several threads; the next review that is asked
    for ends the one before, of which nothing is known then. They rest when asked to, which costs none of their time."""

    def __init__(self, rest: Rest, seconds: float = REVIEW_SECONDS, work: LookBack = look_back) -> None:
        self.seconds = seconds
        self._rest = rest
        self._work = work
        self._lock = threading.Lock()
        self._tasks: OrderedDict[str, _Task] = OrderedDict()

    def begin(self, text: str, record: Record) -> None:
        """Begin to look back at a record, unless that was done or is being done."""
        with self._lock:
            if text in self._tasks:
                return
            for other in self._tasks.values():
                other.clock.stop()
            self._tasks = OrderedDict((key, task) for key, task in self._tasks.items() if task.found)
            while len(self._tasks) >= MOST_KEPT:
                self._tasks.popitem(last=False)
            task = self._tasks[text] = _Task(record, WorkClock(self._rest))
        threading.Thread(target=self._run, args=(text, task), daemon=True).start()

    def found(self, text: str) -> Review | None:
        """The review of a record, None where there is none yet."""
        task = self._tasks.get(text)
        return task.found if task else None

    def is_under_way(self, text: str) -> bool:
        """Whether a record is being looked back at."""
        task = self._tasks.get(text)
        return task is not None and not task.is_over

    def _run(self, text: str, task: _Task) -> None:
        try:
            found = self._work(task.record, self.seconds, task.clock.now)
            task.found = None if task.clock.is_stopped else found
        except Exception:
            _log.exception("a review failed")
        finally:
            task.is_over = True
            with self._lock:
                if task.found is None and self._tasks.get(text) is task:
                    del self._tasks[text]
