"""The compiled search works where nothing can be written, and compiles one version of each function."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import rules
from rules.catalogue import find_game
from rules.compiled import when_compiling
from rules.pyramid import core, greedy, relaxed
from rules.pyramid.findings import Budget
from rules.pyramid.full import random_deal
from rules.pyramid.hints import hints
from rules.pyramid.search import Limits, Searcher, warm_up


def test_without_a_folder_to_write_the_code_is_compiled_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code = "from rules.pyramid.relaxed import leave_together as f; assert f(6, 7, 13); print(f.stats.cache_path)"
    found = run_python(code, tmp_path / "file" / "folder")
    assert found.strip() == "None"


def test_compiled_code_goes_where_the_environment_says(tmp_path: Path) -> None:
    run_python("from rules.pyramid.relaxed import leave_together as f; assert f(6, 7, 13)", tmp_path)
    assert list(tmp_path.rglob("*.nbc"))


def test_a_function_is_compiled_anew_where_one_that_it_calls_has_changed(tmp_path: Path) -> None:
    package = tmp_path / "game"
    package.mkdir()
    (package / "__init__.py").touch()
    caller = "from game.inner import step\nfrom rules.compiled import compiled\n\n"
    (package / "outer.py").write_text(f"{caller}@compiled\ndef twice(n):\n    return step(step(n))\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from game.outer import twice; print(twice(10))"
    for step, result in ((1, "12"), (5, "20"), (1, "12")):
        inner = f"from rules.compiled import compiled\n\n@compiled\ndef step(n):\n    return n + {step}\n"
        (package / "inner.py").write_text(inner)
        assert run_python(code, tmp_path / "kept").strip() == result
    assert len(list((tmp_path / "kept").iterdir())) == 2


@pytest.mark.parametrize("package", ["pyramid", "rows"])
def test_compiled_modules_take_from_the_rules_only_what_is_in_the_digest(package: str) -> None:
    folder = Path(rules.__file__).parent / package
    sources = [path for path in folder.glob("*.py") if "from rules.compiled import" in path.read_text("utf-8")]
    known = {f"rules.{package}.{path.stem}" for path in sources} | {"rules.compiled"}
    assert len(sources) >= 3
    for path in sources:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        taken = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert {name for name in taken if name and name.startswith("rules")} <= known, path.name


def test_compiling_is_told_and_loading_is_not(tmp_path: Path) -> None:
    code = (
        "from rules.compiled import when_compiling\n"
        "from rules.pyramid.relaxed import leave_together\n"
        "told = []\n"
        "with when_compiling(lambda: told.append(1)):\n"
        "    leave_together(6, 7, 13)\n"
        "print(len(told))"
    )
    assert [run_python(code, tmp_path).strip() for _ in range(2)] == ["1", "0"]


def run_python(code: str, folder: Path) -> str:
    """What the code prints in a process of its own that keeps compiled code in the folder."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, check=True, timeout=120, capture_output=True, text=True
    ).stdout


@pytest.mark.parametrize("game_id", ["pyramid", "tuts-tomb", "math-pyramid-jokers"])
def test_nothing_is_compiled_after_the_warm_up(game_id: str) -> None:
    game, told = find_game(game_id), []
    warm_up(game)
    with when_compiling(lambda: told.append(1)):
        searcher = Searcher(game)
        for seed in range(3):
            deal = random_deal(game, Random(seed))
            searcher.solve(deal, Limits(None, 20_000), fewest=True, shorten=100)
            hints(deal.to_position(), game, rng=Random(seed), budget=Budget(worlds=3))
    assert not told


def test_one_version_of_each_function_is_compiled() -> None:
    for game_id in ("pyramid", "tuts-tomb", "math-pyramid-jokers"):
        warm_up(find_game(game_id))
    for module in (core, relaxed, greedy):
        for name, function in vars(module).items():
            assert len(getattr(function, "signatures", ())) <= 1, name
