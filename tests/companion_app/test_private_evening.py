"""Nothing leaves the machine, and nothing is written but what the README names, in a short evening of play; the long
one is `python -m tests.companion_app.evening`."""

from __future__ import annotations

import re
from pathlib import Path

from tests.companion_app.evening.__main__ import evening, wrong
from tests.companion_app.evening.alone import ROOT, can_isolate, watched
from tests.companion_app.evening.named import MOMENTARY, NAMED, name_of, not_named

BETRAYS = """
import contextlib, pathlib, socket, tempfile
with contextlib.suppress(OSError):
    socket.getaddrinfo("report.example", 443)
for family, address in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as sent:
        sent.sendto(b"report", (address, 443))
pathlib.Path.home().joinpath("device").write_text("id")
pathlib.Path("here").write_text("report")
for folder in (None, "/tmp", "/dev/shm"):
    with tempfile.NamedTemporaryFile(prefix="report-", dir=folder) as moment:
        moment.write(b"report")
"""


def test_an_evening_of_play_sends_nothing_and_writes_nothing_but_what_the_readme_names(tmp_path: Path) -> None:
    seen = evening(0, 1, tmp_path / "evening")
    assert wrong(seen) == [], seen.said
    assert {name_of(path) for path in seen.files} >= {*MOMENTARY[:2], "the decks that you teach"}
    assert not [path for path, left in seen.files.items() if left and "/cardtable/decks/" in path]


def test_what_is_looked_up_sent_and_written_is_noticed(tmp_path: Path) -> None:
    seen = watched(["-c", BETRAYS], tmp_path / "control")
    assert seen.status == 0, seen.said
    folders = ["temporary"] + (["/tmp", "/dev/shm"] if can_isolate() else [])
    noticed = {re.sub(r"report-\w+", "report", path) for path in not_named(seen.files)}
    assert noticed >= {"home/device", "here/here", *(f"{folder}/report" for folder in folders)}
    if can_isolate():
        assert (seen.names, seen.packets) == (["report.example"], ["192.0.2.1", "2001:db8::1"])


def test_the_readme_names_what_is_written() -> None:
    text = " ".join((ROOT / "README.md").read_text("utf-8").split())
    assert [name for name in NAMED if name not in text] == []
