"""The quick tests with the lowest versions that `pyproject.toml` declares, and with the newest there are.

    python -m tests.bounds

Makes an environment for each in a temporary folder, which takes some minutes and a gigabyte; needs the package index.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
SCRIPTS = "Scripts" if os.name == "nt" else "bin"
APP = "tests/companion_app"
QUICK = (
    *(f"{APP}/test_{name}.py" for name in ("bad_input", "catalogues", "cli", "cli_records", "decks", "languages")),
    *(f"{APP}/test_{name}.py" for name in ("nothing_settled_is_lost", "patience", "preparing", "server", "settings")),
    *(f"{APP}/test_{name}.py" for name in ("mutations", "shelf", "simulating", "spreads", "terminal", "thinking")),
    f"{APP}/test_watching.py",
    "tests/rules",
    "tests/test_docs.py",
)
"""Every room is entered: the nets, the search, the page on a socket, the command line, many workers."""

NOT_COUNTED = ("-o", "filterwarnings=default")
"""Old versions warn of each other; that is no fault of ours."""


def made(folder: Path, resolution: str) -> Path:
    """The Python of a new environment with the project's dependencies in those versions."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / SCRIPTS / Path(sys.executable).name
    python = python if python.exists() else folder / SCRIPTS / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "uv"], check=True)
    install = [python, "-m", "uv", "pip", "install", "-q", "--python", python, "--resolution", resolution]
    subprocess.run([*install, "-r", "pyproject.toml", "--extra", "test"], cwd=ROOT, check=True)
    return python


def tested(python: Path, tests: Sequence[str], cache: Path) -> bool:
    """Whether the tests pass with a Python."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *NOT_COUNTED, *tests]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what passes; status 1 where something does not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=list(RESOLUTIONS), help="one of the two")
    parser.add_argument("tests", nargs="*", default=QUICK, help="other tests than the quick ones")
    chosen = parser.parse_args(arguments)
    passed = {}
    for name, resolution in RESOLUTIONS.items():
        if chosen.only in (None, name):
            with tempfile.TemporaryDirectory() as folder:
                python = made(Path(folder) / "environment", resolution)
                passed[name] = tested(python, chosen.tests, Path(folder) / "cache")
    for name, well in passed.items():
        print(f"{name} versions: {'passed' if well else 'FAILED'}")
    return 0 if all(passed.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
