"""The gate: the tools of the house, run as they are run by hand from the project's folder."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = Path(sys.executable).parent
TOOLS = {
    "format": ["ruff", "format", "--check", "."],
    "lint": ["ruff", "check", "."],
    "types": ["mypy"],
    "imports": ["lint-imports"],
}


@pytest.mark.parametrize("name", TOOLS)
def test_gate(name: str) -> None:
    tool, *arguments = TOOLS[name]
    done = subprocess.run([SCRIPTS / tool, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
