"""Compiled search code that is kept: damaged files are set aside and compiled anew, and a full disk is no hindrance."""

import os
import pickle
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from numba.core.caching import IndexDataCacheFile

from rules.sealed import DamagedError, SealedFile

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


def flipped(data: bytes, bit: int) -> bytes:
    """The bytes with one bit the other way."""
    return data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]


Entries = tuple[str, list[object]]


def entries(index: Path) -> Entries:
    """The stamp of an index of kept code, and the keys it has code for."""
    with index.open("rb") as file:
        pickle.load(file)
        stamp, held = pickle.load(file)
    return stamp, list(held)


def loads(index: Path, entries: Entries, kind: type[IndexDataCacheFile]) -> bool:
    """Whether numba, or numba with the seals, takes for good what is kept of a function."""
    stamp, keys = entries
    try:
        return all(kind(str(index.parent), index.stem, stamp).load(key) is not None for key in keys)
    except Exception:
        return False


def test_no_flipped_bit_in_kept_code_is_loaded_though_numba_would(tmp_path: Path) -> None:
    answer, _ = search(tmp_path)
    paths, rng = kept(tmp_path), Random(1)
    indices = {path: entries(path) for path in paths if path.suffix == ".nbi"}
    taken = 0
    for number in range(200):
        path = paths[number % len(paths)]
        (index,) = (one for one in indices if path.name.startswith(one.stem))
        assert loads(index, indices[index], SealedFile)
        whole = path.read_bytes()
        path.write_bytes(flipped(whole, rng.randrange(8 * len(whole))))
        assert not loads(index, indices[index], SealedFile)
        taken += loads(index, indices[index], IndexDataCacheFile)
        path.write_bytes(whole)
    assert taken > 50
    assert search(tmp_path) == [answer, "loaded"]


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_a_flipped_bit_in_kept_code_is_set_aside_and_compiled_anew(tmp_path: Path, ending: str) -> None:
    answer, _ = search(tmp_path)
    for path in kept(tmp_path):
        if path.suffix == ending:
            path.write_bytes(flipped(path.read_bytes(), 4 * path.stat().st_size))
    assert search(tmp_path) == [answer, "compiled"]
    assert search(tmp_path) == [answer, "loaded"]


def test_code_of_other_types_under_the_name_of_this_is_not_taken(tmp_path: Path) -> None:
    """As after a kill between the index and the code: the index names a file of before."""
    file = SealedFile(str(tmp_path), "leave", "stamp")
    file.save("ints", "code for ints")
    file._save_index({"floats": "leave.1.nbc"})
    assert file.load("floats") is None
    file.save("floats", "code for floats")
    assert file.load("floats") == "code for floats"
    (tmp_path / "leave.1.nbc").write_bytes(b"")
    with pytest.raises(DamagedError):
        file.load("floats")


def nothing_can_be_written() -> None:
    """As on a full disk: files can be made, but hold nothing."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_on_a_full_disk_the_search_is_compiled_and_not_kept(tmp_path: Path) -> None:
    answer, how = search(tmp_path, before=nothing_can_be_written)
    assert how == "compiled"
    assert kept(tmp_path) == []
    assert search(tmp_path) == [answer, "compiled"]
