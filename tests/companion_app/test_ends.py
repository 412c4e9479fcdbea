"""A few ends of the program, as `tests.companion_app.kills` tries two hundred."""

import os
import signal
import threading
from pathlib import Path
from random import Random

import pytest

from companion_app.ending import end_with
from tests.companion_app.kills import COMMANDS, ENDS, KILLS, crossed, end_of

SOME = (
    ("simulating", signal.SIGTERM),
    ("simulating", signal.SIGKILL),
    ("compiling", signal.SIGINT),
    ("serving a picture", signal.SIGTERM),
    ("serving a hint", signal.SIGINT),
)


@pytest.mark.parametrize(("work", "by"), SOME, ids=lambda value: str(getattr(value, "name", value)))
def test_ctrl_c_sigterm_and_a_kill_end_the_program_and_its_workers_in_time(
    work: str, by: signal.Signals, tmp_path: Path
) -> None:
    end = end_of(work, by, Random(SOME.index((work, by))), tmp_path)
    assert end.is_good, end.line()


def test_in_the_long_trial_each_work_meets_each_signal() -> None:
    met = crossed(100, KILLS) + crossed(100, ENDS)
    assert set(met) == {(work, by) for work in COMMANDS for by in (*KILLS, *ENDS)}
    assert min(met.count(pair) for pair in met) >= 8


def test_a_process_does_not_follow_itself() -> None:
    end_with(os.getpid())
    assert not any("parent" in thread.name for thread in threading.enumerate())
