"""`cardtable serve` as a process of its own, and what it and all that it started take of the machine."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

PROGRAM = (sys.executable, "-m", "companion_app")
ROOT = Path(__file__).parent.parent.parent
END_SECONDS = 20
LOOK_SECONDS = 1.0
MEGABYTE = 1_000_000


@dataclass
class Served:
    """A server: its address, and its memory over time, looked at every second, in megabytes.

    `memory` is its own alone, without files: of those a share counts that changes whenever another program that has
    them open begins or ends. `peak` is all of it; what processes share counts once.
    """

    address: str
    process: psutil.Process
    began: float = field(default_factory=time.monotonic)
    memory: list[tuple[float, float]] = field(default_factory=list)
    peak: float = 0.0
    largest: float = 0.0
    """Megabytes of the largest single process so far, with what it shares."""

    def look(self) -> float:
        """Its memory now, noted."""
        own = whole = 0.0
        for process in [self.process, *self.process.children(recursive=True)]:
            with suppress(psutil.Error):
                used = process.memory_full_info()
                self.largest = max(self.largest, used.rss / MEGABYTE)
                own += (used.rss - used.shared) / MEGABYTE
                whole += used.pss / MEGABYTE
        self.memory.append((time.monotonic() - self.began, own))
        self.peak = max(self.peak, whole)
        return own

    def around(self, first: float, last: float) -> float:
        """The median of its memory between two times."""
        found = sorted(megabytes for seconds, megabytes in self.memory if first <= seconds <= last)
        return found[len(found) // 2] if found else self.look()

    def processor_seconds(self) -> float:
        """Of the server, its decoders, and those decoders that have ended."""
        spent = 0.0
        with suppress(psutil.Error):
            for process in [self.process, *self.process.children(recursive=True)]:
                spent += sum(process.cpu_times()[:4])
        return spent


@contextmanager
def serving(camera: str = "", **environment: str) -> Iterator[Served]:
    """A server on a free port, ready to answer; ended at the end."""
    command = [*PROGRAM, "serve", "--port", "0", "--no-browser", *(["--camera", camera] if camera else [])]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"CARDTABLE_LANGUAGE": "en", "CARDTABLE_KEEP": "false"} | environment,
    ) as process:
        assert process.stdout is not None
        served = Served(process.stdout.readline().strip(), psutil.Process(process.pid))
        ended = threading.Event()
        watch = threading.Thread(target=_watch, args=(served, ended), daemon=True)
        watch.start()
        try:
            yield served
        finally:
            ended.set()
            watch.join()
            process.terminate()
            try:
                process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _watch(served: Served, ended: threading.Event) -> None:
    while not ended.wait(LOOK_SECONDS):
        with suppress(psutil.Error):
            served.look()
