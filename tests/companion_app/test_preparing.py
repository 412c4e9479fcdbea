"""The first search is compiled: that is said once, and no hint of the page is counted before it is done."""

import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numba
import pytest
from rich.console import Console

from companion_app.hints.preparing import Preparation, tell_compiling
from companion_app.languages import CODES, language
from companion_app.serving.pages import Pages
from companion_app.serving.server import WEB

FRESH = "\n".join(
    (
        "from rich.console import Console",
        "from companion_app.languages import language",
        "from companion_app.hints.preparing import tell_compiling",
        "from rules.pyramid.relaxed import leave_together",
        "said = Console(stderr=True, soft_wrap=True)",
        "tell_compiling(lambda: leave_together(6, 7, 13), said, language('nb'))",
    )
)


def test_the_first_start_says_that_the_search_is_prepared_and_the_second_does_not(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    said = [
        subprocess.run([sys.executable, "-c", FRESH], env=environment, check=True, capture_output=True, text=True)
        for _ in range(2)
    ]
    assert [done.stderr.strip() for done in said] == [language("nb").say("search.preparing"), ""]
    assert not any(done.stdout for done in said)


@pytest.mark.parametrize("code", CODES)
def test_in_a_terminal_a_spinner_turns_while_the_search_is_compiled(code: str) -> None:
    written, found = io.StringIO(), list[int]()
    console = Console(file=written, force_terminal=True, width=200)
    spoken = language(code)
    tell_compiling(lambda: None, console, spoken)
    assert written.getvalue() == ""

    @numba.njit
    def double(number: int) -> int:
        return 2 * number

    tell_compiling(lambda: found.append(double(3)), console, spoken)
    assert found == [6]
    assert spoken.say("search.preparing") in written.getvalue()


def compiling(release: threading.Event, started: threading.Event) -> Callable[[Callable[[], None]], None]:
    """Work that compiles something and is ready once it is released."""

    def work(ready: Callable[[], None]) -> None:
        @numba.njit
        def treble(number: int) -> int:
            return 3 * number

        treble(2)
        started.set()
        release.wait(30)
        ready()

    return work


def test_the_page_says_that_the_search_is_prepared_until_it_is_ready() -> None:
    release, started = threading.Event(), threading.Event()
    preparation = Preparation(compiling(release, started))
    pages = Pages(WEB / "templates", preparation)
    sentence = language("pl").say("search.preparing")
    assert sentence not in str(pages.start(language("pl")).body, "utf-8")
    preparation.start()
    assert started.wait(30)
    assert sentence in str(pages.start(language("pl")).body, "utf-8")
    release.set()
    preparation.wait()
    assert sentence not in str(pages.start(language("pl")).body, "utf-8")


def test_a_preparation_that_fails_is_logged_and_holds_up_nobody(caplog: pytest.LogCaptureFixture) -> None:
    def fail(ready: Callable[[], None]) -> None:
        raise ValueError

    preparation = Preparation(fail)
    preparation.start()
    preparation.wait()
    assert not preparation.compiling
    assert "could not be made ready" in caplog.text
