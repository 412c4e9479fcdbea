"""Which files may be written, with the words of the README that name each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

NAMED = {
    "the compiled search": r"home/\.cache/cardtable/compiled/.*",
    "the decks that you teach": r"home/\.local/share/cardtable/decks/[^/]*\.(npz|draft|new|damaged)",
    "the games that you play": r"home/\.local/share/cardtable/games/(games\.sqlite3(-wal|-shm|-journal)?|pictures/.*)",
    "what shows of a picture while it is decoded": r"/dev/shm/tmp\w{8}",
    "the locks of its workers": r"/dev/shm/sem\.[\w-]+",
    "what the decoder says": r"temporary/(#\d+|\w{8})",  # Python tries the folder by a file of such a name
    "`__pycache__`": r"program/.*/__pycache__/[^/]*\.pyc(\.\d+)?",
}
MOMENTARY = ("what shows of a picture while it is decoded", "what the decoder says", "the locks of its workers")
"""Of these nothing may be left."""


def not_named(files: dict[str, bool]) -> list[str]:
    """The files written that the README does not name, or that should be gone."""
    return [path for path, left in files.items() if (name := name_of(path)) is None or (left and name in MOMENTARY)]


def name_of(path: str) -> str | None:
    """What a file is, in the words of the README."""
    return next((name for name, pattern in NAMED.items() if re.fullmatch(pattern, path)), None)


def by_folder(paths: Iterable[str]) -> dict[str, int]:
    """How many files were written in each folder, many folders alike counted as one."""
    many = ((r"^program/.*/__pycache__/.*", "program/…/__pycache__/"), (r"/compiled/.*", "/compiled/"))
    found = Counter[str]()
    for path in paths:
        for pattern, folder in many:
            path = re.sub(pattern, folder, path)
        found[path.rpartition("/")[0]] += 1
    return dict(found)
