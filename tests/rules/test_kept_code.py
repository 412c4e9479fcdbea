"""Compiled search code that is kept: damaged files are set aside and compiled anew, and a full disk is no hindrance."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

WORK = "\n".join(
    (
        "from rules.compiled import when_compiling",
        "from rules.pyramid.relaxed import leave_together",
        "compiled = []",
        "with when_compiling(lambda: compiled.append(1)):",
        "    print(leave_together(6, 7, 13))",
        "print('compiled' if compiled else 'loaded')",
    )
)


def search(folder: Path, *, before: Callable[[], None] | None = None) -> list[str]:
    """What a compiled function answers in a process of its own, and whether it was compiled or loaded."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", WORK], env=environment, check=True, capture_output=True, text=True, preexec_fn=before
    )
    assert not done.stderr
    return done.stdout.split()


def kept(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".nbi", ".nbc"))


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("left", [0, 1, 40, -1], ids=["empty", "one byte", "some", "all but one"])
def test_a_truncated_file_of_kept_code_is_set_aside_and_compiled_anew(tmp_path: Path, ending: str, left: int) -> None:
    answer, how = search(tmp_path)
    assert how == "compiled"
    assert search(tmp_path) == [answer, "loaded"]
    for path in kept(tmp_path):
        if path.suffix == ending:
            path.write_bytes(path.read_bytes()[:left])
    assert search(tmp_path) == [answer, "compiled"]
    assert search(tmp_path) == [answer, "loaded"]


def test_other_bytes_in_a_file_of_kept_code_are_compiled_anew(tmp_path: Path) -> None:
    answer, _ = search(tmp_path)
    for path in kept(tmp_path):
        path.write_bytes(b"\x80\x04no code at all")
    assert search(tmp_path) == [answer, "compiled"]
    assert search(tmp_path) == [answer, "loaded"]


def nothing_can_be_written() -> None:
    """As on a full disk: files can be made, but hold nothing."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_on_a_full_disk_the_search_is_compiled_and_not_kept(tmp_path: Path) -> None:
    answer, how = search(tmp_path, before=nothing_can_be_written)
    assert how == "compiled"
    assert kept(tmp_path) == []
    assert search(tmp_path) == [answer, "compiled"]
