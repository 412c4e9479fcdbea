"""Thinking about hints beside the server: the first answer is waited for, better ones come while the player looks."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion_app.hints.resting import Clock, Rest, WorkClock
from rules.hint_records import Hints

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """The best known so far, and whether a better one may follow."""

    hints: Hints[Any]
    thinking: bool


Answers = Callable[[Clock], Iterator[Answer]]
"""Gives better and better answers; what it does between two of them ends when the clock that it is given says so."""


class Thought:
    """One position thought about, in a thread of its own, until nothing better can be found or it is stopped. Of its
    answers it keeps the latest. It rests when asked to, which costs none of its time, but not before its first answer:
    somebody waits for that."""

    def __init__(self, answers: Answers, clock: Clock = time.perf_counter, rest: Rest | None = None) -> None:
        self._answers, self._watch = answers, WorkClock(rest, clock)
        self._answered = threading.Event()
        self._latest: Answer | None = None
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def latest(self) -> Answer:
        """The best answer so far; waits for the first. Raises what kept that from being found."""
        self._answered.wait()
        if self._latest is None:
            raise self._error or RuntimeError("no answer was given")
        return self._latest

    @property
    def so_far(self) -> Answer | None:
        """The best answer so far; None before the first."""
        return self._latest

    def stop(self) -> None:
        """Ask it to end; returns at once."""
        self._watch.stop()

    def end(self) -> None:
        """Return when its thread has ended. Who waits for the first answer still gets that, unless it was stopped."""
        if not self._watch.is_stopped:
            self._answered.wait()
        self.stop()
        self._thread.join()

    def _now(self) -> float:
        return self._watch.now(may_rest=self._latest is not None)

    def _run(self) -> None:
        try:
            for answer in self._answers(self._now):
                self._latest = answer
                self._answered.set()
                if self._watch.is_stopped:
                    break
        except Exception as error:
            self._error = error
            if self._latest is not None:
                _log.exception("thinking on about a hint failed; the answer before stands")
        finally:
            if self._latest is not None:
                self._latest = replace(self._latest, thinking=False)
            self._answered.set()


class Thinker:
    """Thinks one thought at a time: the next question ends the one before. Safe to ask from several threads."""

    def __init__(self, clock: Clock = time.perf_counter, rest: Rest | None = None) -> None:
        self._clock, self._rest = clock, rest
        self._lock = threading.Lock()
        self._thought: Thought | None = None

    def think(self, answers: Answers) -> Thought:
        """Begin to think once the thought before has ended, and come back with the first answer."""
        with self._lock:
            if self._thought is not None:
                self._thought.end()
            thought = self._thought = Thought(answers, self._clock, self._rest)
        thought.latest()
        return thought
