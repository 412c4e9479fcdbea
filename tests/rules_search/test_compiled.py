"""The compiled search works where nothing can be written, and compiles one version of each function."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

from rules.catalogue import find_game
from rules.pyramid import core, greedy, relaxed
from rules.pyramid.compiled import compiled
from rules.pyramid.search import warm_up


def test_without_a_folder_to_write_the_code_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    real = numba.njit

    def refusing(*arguments: Any, **options: Any) -> Any:
        if options.pop("cache", False):
            raise RuntimeError("cannot cache function 'double': no locator available for file 'x.py'")
        return real(*arguments, **options)

    monkeypatch.setattr(numba, "njit", refusing)

    def double(number: int) -> int:
        return 2 * number

    assert compiled(double)(21) == 42


def test_compiled_code_goes_where_the_environment_says(tmp_path: Path) -> None:
    code = "from rules.pyramid.relaxed import leave_together as f; assert f(6, 7, 13)"
    subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}, check=True, timeout=120
    )
    assert list(tmp_path.rglob("*.nbc"))


def test_one_version_of_each_function_is_compiled() -> None:
    for game_id in ("pyramid", "tuts-tomb", "math-pyramid-jokers"):
        warm_up(find_game(game_id))
    for module in (core, relaxed, greedy):
        for name, function in vars(module).items():
            assert len(getattr(function, "signatures", ())) <= 1, name
