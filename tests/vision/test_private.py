"""Reading sends nothing and leaves nothing behind, though the library that runs the nets would do both."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[2]

FIRST_TO_REPORT = (1, 29)

# Answers nothing, but writes down what it is asked: a name looked up is the first sign of a report.
RECORDER = """
import socket, subprocess, sys, time
asked = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
asked.bind(("127.0.0.1", 53))
asked.setblocking(False)
program = subprocess.run([sys.executable, "-c", sys.argv[1]], capture_output=True, text=True)
print(program.stdout, program.stderr, file=sys.stderr)
names = []
while True:
    try:
        names.append(asked.recv(512)[12:].decode("latin-1"))
    except BlockingIOError:
        break
print(len(names))
sys.exit(program.returncode)
"""

READS = """
import time
from vision.reader import Reader
reading = Reader.load().read(open("sample_images/ten.jpg", "rb").read())
assert reading.layout == "pyramid-6", reading.layout
time.sleep(14)
"""

# As the library does where nobody tells it otherwise.
REPORTS = """
import time, onnxruntime
onnxruntime.InferenceSession("models/card.onnx", providers=["CPUExecutionProvider"])
time.sleep(14)
"""


def run(program: str, home: Path, *, recorded: bool) -> tuple[list[str], int]:
    """The files a program leaves in an empty home, and how many names it looked up (where that can be recorded)."""
    # Where tests are run by a machine the library keeps quiet by itself, so nothing may tell it that they are.
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV") if name in os.environ}
    environment = kept | {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", program]
    if recorded:
        resolver = home.parent / "resolv.conf"
        resolver.write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
        inside = f'ip link set lo up && mount --bind {resolver} /etc/resolv.conf && exec "$0" -c "$1" "$2"'
        command = ["unshare", "-rnm", "sh", "-c", inside, sys.executable, RECORDER, program]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    files = [str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()]
    return files, json.loads(done.stdout) if recorded else 0


def can_record() -> bool:
    """Whether this machine lets a program have a network of its own, in which names looked up are written down."""
    if not (shutil.which("unshare") and shutil.which("ip") and Path("/etc/resolv.conf").exists()):
        return False
    tried = subprocess.run(["unshare", "-rnm", "ip", "link", "set", "lo", "up"], capture_output=True)
    return tried.returncode == 0


def test_reading_looks_up_no_name_and_writes_no_file_though_the_library_would(tmp_path: Path) -> None:
    recorded = can_record()
    homes = [tmp_path / name / "home" for name in ("reads", "reports")]
    for home in homes:
        home.mkdir(parents=True)
    # A report is first tried after some ten seconds; both programs wait for it at once.
    with ThreadPoolExecutor() as both:
        ours, theirs = both.map(lambda program, home: run(program, home, recorded=recorded), (READS, REPORTS), homes)
    assert ours == ([], 0)
    number = tuple(int(part) for part in version("onnxruntime").split(".")[:2])
    files, names = theirs
    assert bool(files) == (number >= FIRST_TO_REPORT)
    assert bool(names) == (number >= FIRST_TO_REPORT and recorded)
