"""The search made ready: compiled once for this computer, loaded at every later start, and what is said meanwhile."""

import logging
import threading
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from companion_app.languages import Language

WARM_SECONDS = 0.05

_log = logging.getLogger(__name__)


def prepare_search(game: Any, messages: Console, language: Language) -> None:
    """Make the search of a game's family ready, so that no time limit counts that; says so while it is compiled."""
    from rules.families import family_of

    tell_compiling(lambda: family_of(game).prepare(game), messages, language)


def tell_compiling(work: Callable[[], None], messages: Console, language: Language) -> None:
    """Do the work; as soon as a search is compiled for it, a sentence says so, in a terminal with a spinner."""
    from rules.compiled import when_compiling

    sentence = language.say("search.preparing")
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    progress = Progress(*columns, console=messages, transient=True, disable=not messages.is_terminal)
    compiling = threading.Event()

    def told() -> None:
        if compiling.is_set():
            return
        compiling.set()
        if messages.is_terminal:
            progress.add_task(sentence, total=None)
            progress.start()
        else:
            messages.print(sentence, markup=False)

    try:
        with when_compiling(told):
            work()
    finally:
        progress.stop()


def warm_search(ready: Callable[[], None]) -> None:
    """Compile the search of the page's games, or load what an earlier run compiled, and say when it is ready; then
    think once about each, so that the first hint is not slower than the next."""
    from random import Random

    from companion_app.hints.advise import advise
    from rules.catalogue import GAMES
    from rules.families import family_of

    # Most games are pyramids: nobody waits for the search of the others, who does not play one.
    first, *others = {game.family: game for game in GAMES.values()}.values()
    family_of(first).prepare(first)
    ready()
    for game in others:
        family_of(game).prepare(game)
    for game in GAMES.values():
        advise(family_of(game).deal(game, Random(1)), game, WARM_SECONDS)


class Preparation:
    """The search made ready beside the server; it may be asked from any thread. Until it is started it counts as done:
    whoever starts none has a search that makes itself ready."""

    def __init__(self, work: Callable[[Callable[[], None]], None] = warm_search) -> None:
        self._work = work
        self._compiling = False
        self._ready = threading.Event()
        self._ready.set()

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._ready.clear()
        threading.Thread(target=self._run, daemon=True).start()

    @property
    def compiling(self) -> bool:
        """Whether the search is being compiled just now, which takes long, rather than loaded."""
        return self._compiling and not self._ready.is_set()

    @property
    def is_over(self) -> bool:
        """Whether nobody would have to wait."""
        return self._ready.is_set()

    def wait(self) -> None:
        """Return once the search is ready."""
        self._ready.wait()

    def _run(self) -> None:
        from rules.compiled import when_compiling

        try:
            with when_compiling(self._told):
                self._work(self._ready.set)
        except Exception:
            _log.exception("the search could not be made ready beforehand; hints will try again")
        finally:
            self._ready.set()

    def _told(self) -> None:
        self._compiling = True
