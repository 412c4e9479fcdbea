"""What holds of the versions declared, without an environment of their own; `tests.bounds` makes those."""

import re
import tomllib
from pathlib import Path

from tests.bounds import QUICK, ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_every_dependency_has_a_lowest_version_or_one_alone() -> None:
    extras = [*PROJECT["dependencies"], *(one for extra in PROJECT["optional-dependencies"].values() for one in extra)]
    assert [one for one in extras if not re.search(r">=\d|==\d|^cardtable\[", one)] == []


def test_the_lowest_typer_is_one_that_starts() -> None:
    (typer,) = [one for one in PROJECT["dependencies"] if one.startswith("typer")]
    assert tuple(int(part) for part in typer.partition(">=")[2].split(".")) >= (0, 19)


def test_the_quick_tests_are_there() -> None:
    assert [name for name in QUICK if not (ROOT / Path(name)).exists()] == []
