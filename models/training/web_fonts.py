"""Fetches the font families named in `web_fonts.txt` from npm: ``python -m models.training.web_fonts``.

Each is a package of its own, @fontsource/NAME, under the Open Font License or Apache 2.0. Of each the upright Latin
files are kept, in up to three weights, where `models.training.fonts` looks for them. Needs npm and tar.
"""

from __future__ import annotations

import argparse
import pathlib
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from models.training import fonts

NAMES = pathlib.Path(__file__).with_suffix(".txt")
KEPT = "package/files/*-latin-[479]00-normal.woff2"
AT_ONCE = 6


def fetch(name: str, folder: pathlib.Path) -> bool:
    """Puts the files of one family there; False where there is no such package, or none of them in it."""
    with tempfile.TemporaryDirectory() as made:
        packed = subprocess.run(
            ["npm", "pack", "--silent", f"@fontsource/{name}"], cwd=made, capture_output=True, text=True, check=False
        )
        if packed.returncode:
            return False
        unpacked = subprocess.run(
            ["tar", "-xzf", packed.stdout.strip(), "--wildcards", KEPT], cwd=made, capture_output=True, check=False
        )
        files = sorted(pathlib.Path(made).glob(KEPT))
        for file in files if not unpacked.returncode else []:
            (folder / file.name).write_bytes(file.read_bytes())
    return bool(files)


def main() -> None:
    """Fetches all that are not there yet, and tells which cannot be had."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, default=fonts.WEB)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in NAMES.read_text("utf-8").split() if not list(folder.glob(f"{name}-latin-*"))]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        lacking = [
            name for name, there in zip(names, pool.map(lambda n: fetch(n, folder), names), strict=True) if not there
        ]
    print(
        f"{len(names) - len(lacking)} families fetched" + (f"; not to be had: {' '.join(lacking)}" if lacking else "")
    )


if __name__ == "__main__":
    main()
