"""Tuned numbers stand where they are said what they are for, not amid the code."""

import ast
from collections.abc import Iterator
from pathlib import Path

VISION = Path(__file__).parents[2] / "vision"
PLAIN = (0.0, 0.5, 1.0, 2.0, 255.0)
GUARD = 1e-3
"""Smaller ones keep logarithms and quotients from what they cannot take."""


def settings(tree: ast.Module) -> Iterator[ast.AST]:
    """What is assigned by name in a module, or in a class of it."""
    for body in (tree.body, *(each.body for each in ast.walk(tree) if isinstance(each, ast.ClassDef))):
        yield from (each for each in body if isinstance(each, ast.Assign | ast.AnnAssign))


def inline(source: str) -> list[float]:
    """The numbers of a module that are no whole ones and have no name."""
    tree = ast.parse(source)
    named = {id(node) for each in settings(tree) for node in ast.walk(each)}
    numbers = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, float)]
    return [n.value for n in numbers if id(n) not in named and n.value > GUARD and n.value not in PLAIN]


def test_no_tuned_number_stands_amid_the_code() -> None:
    found = {path.name: inline(path.read_text("utf-8")) for path in VISION.rglob("*.py")}
    assert {name: numbers for name, numbers in found.items() if numbers} == {}


def test_a_number_amid_the_code_is_found_and_one_with_a_name_is_not() -> None:
    assert inline("NEAR = 0.4\n\n\ndef near(x):\n    return 1e-9 < x < 0.3 or x > NEAR\n") == [0.3]
    assert inline("class Settings:\n    near: float = 0.4\n\n\ndef half(x):\n    return 0.5 * x\n") == []
