"""The table of features: every line is there, and what it names to show a feature exists."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
TABLE = (Path(__file__).parent / "FEATURES.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| *(\d+) *\|(.*)\|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+/test_\w+\.py)::(test_\w+)`")
PICTURE = re.compile(r"`(sample_images/[\w./-]+)`")
ALL = 47


def rows() -> Iterator[tuple[int, list[str]]]:
    for number, rest in ROW.findall(TABLE):
        yield int(number), [cell.strip() for cell in rest.split("|")]


@cache
def defined_in(path: str) -> frozenset[str]:
    """The tests that a file defines by itself."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_every_feature_has_its_line_in_order() -> None:
    assert [number for number, _ in rows()] == list(range(1, ALL + 1))
    names = [cells[0] for _, cells in rows()]
    assert len(set(names)) == ALL


@pytest.mark.parametrize(("number", "cells"), list(rows()))
def test_what_shows_a_feature_exists(number: int, cells: list[str]) -> None:
    name, place, shown = cells
    assert name and place and TEST.findall(shown), number
    assert all(test in defined_in(path) for path, test in TEST.findall(shown)), shown
    assert all((ROOT / picture).is_file() for picture in PICTURE.findall(shown)), shown
    # Nothing is named in a way that is not looked at above.
    assert len(re.findall("`", shown)) == 2 * (len(TEST.findall(shown)) + len(PICTURE.findall(shown))), shown
