"""The program killed and ended at random moments: it is gone within two seconds, so are its workers, and the next start
is sound.

    python -m tests.companion_app.kills --kills 100 --ends 100 --seed 1

Kills are SIGKILL, ends SIGTERM and Ctrl+C in turn, while pictures are read, hints thought about, games simulated on all
cores, or the search is compiled, by a command and by a server: each of these meets each signal.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice, product
from pathlib import Path
from random import Random
from uuid import uuid4

import httpx
import psutil

PROGRAM = (sys.executable, "-m", "companion_app")
ROOT = Path(__file__).parent.parent.parent
SAMPLE = ROOT / "sample_images" / "relaxed-lamp.jpg"
MOST_SECONDS = 2.0
START_SECONDS = 60.0
KILLS, ENDS = (signal.SIGKILL,), (signal.SIGTERM, signal.SIGINT)
MARK = "TRIAL_OF_ENDS"
POSITION = (
    '{"pyramid": [["KS"], ["6D", "6H"], ["5H", "3D", "5C"], ["8H", "6S", "4D", "3C"], ["7H", "5D", "KC", "QS", "2D"],'
    ' ["2H", "8S", "KD", "QH", "JD", "10D"], ["10H", "JC", "9C", "10C", "8D", "AS", "JS"]], "stock": 23, "waste": "4C"}'
)
HINT = ("hint", "--game", "math-pyramid-three", "--seconds", "60", POSITION)
COMMANDS = {
    "reading": ("read", *[str(SAMPLE)] * 200),
    "hinting": HINT,
    "simulating": ("simulate", "--game", "tuts-tomb", "--deals", "5000", "--policy", "hint", "--seconds", "0.2"),
    "compiling": HINT,
    "serving a picture": ("serve", "--port", "0", "--no-browser"),
    "serving a hint": ("serve", "--port", "0", "--no-browser"),
}
MOMENTS = {"hinting": 3.0, "simulating": 12.0, "compiling": 8.0, "serving a picture": 1.0, "serving a hint": 2.0}
LATEST_MOMENT = 6.0


@dataclass(frozen=True, slots=True)
class End:
    """How one run ended: seconds until the program was gone, and until nothing of it was left."""

    work: str
    by: signal.Signals
    gone: float
    alone: float

    @property
    def is_good(self) -> bool:
        """Whether it was in time."""
        return self.gone <= MOST_SECONDS and self.alone <= MOST_SECONDS

    def line(self) -> str:
        """The end in words."""
        good = "" if self.is_good else "  NOT IN TIME"
        return f"{self.work}, {self.by.name}: gone after {self.gone:.2f} s, alone after {self.alone:.2f} s{good}"


def left_over(mark: str) -> list[psutil.Process]:
    """The processes that were started with a mark in their environment, and what they started."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def ask(address: str, work: str) -> None:
    """Have a server read a picture, or think about a hint; whether it answers does not matter."""
    try:
        with httpx.Client(base_url=address, trust_env=False, timeout=30, follow_redirects=True) as client:
            if work == "serving a picture":
                for _ in range(50):
                    client.post("/tables", files={"picture": ("table.jpg", SAMPLE.read_bytes())})
            else:
                path = client.post("/tables", data={"position": POSITION, "game": "math-pyramid-three"}).url.path
                client.post(f"{path}/hint", data={"step": "4"})
    except httpx.HTTPError:
        return


def hear_ctrl_c() -> None:
    """A shell starts what runs beside it deaf to Ctrl+C; from a terminal the program hears it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def end_of(work: str, by: signal.Signals, rng: Random, cache: Path) -> End:
    """Start a command, end it at a moment by chance, and see what becomes of it; anew where it was done already."""
    while True:
        mark = uuid4().hex
        with tempfile.TemporaryDirectory() as empty:
            chosen = empty if work == "compiling" else str(cache)
            with subprocess.Popen(
                [*PROGRAM, *COMMANDS[work]],
                env=os.environ | {MARK: mark, "NUMBA_CACHE_DIR": chosen, "CARDTABLE_KEEP": "false"},
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
                preexec_fn=hear_ctrl_c,
            ) as process:
                if work.startswith("serving"):
                    assert process.stdout is not None
                    address = process.stdout.readline().strip()
                    threading.Thread(target=ask, args=(address, work), daemon=True).start()
                time.sleep(rng.uniform(0.3, MOMENTS.get(work, LATEST_MOMENT)))
                if process.poll() is None:
                    gone, alone = ended(process, by, rng, mark)
                    return End(work, by, gone, alone)


def ended(process: subprocess.Popen[str], by: signal.Signals, rng: Random, mark: str) -> tuple[float, float]:
    """End a process: seconds until it was gone, and until nothing was left of it."""
    began = time.monotonic()
    # Ctrl+C reaches all that was started from the terminal, or, sent by hand, one process as the others do.
    (rng.choice((os.killpg, os.kill)) if by == signal.SIGINT else os.kill)(process.pid, by)
    try:
        process.wait(START_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
    gone = time.monotonic() - began
    while (left := left_over(mark)) and time.monotonic() - began < START_SECONDS / 4:
        time.sleep(0.05)
    alone = time.monotonic() - began
    for one in left:
        one.kill()
    return gone, alone


def is_sound(cache: Path) -> bool:
    """Whether the program starts and hints as if nothing had been."""
    small = '{"pyramid": [["KS"], ["6D", null], ["5H", "8C", "3C"]], "stock": 0, "waste": "5C"}'
    command = [*PROGRAM, "hint", "--game", "relaxed-pyramid", "--rule", "rows=3", "--seconds", "0.2", "--json", small]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode == 0 and '"hints"' in done.stdout


def crossed(count: int, signals: Sequence[signal.Signals]) -> list[tuple[str, signal.Signals]]:
    """So many works, each with each of the signals as often as with the others."""
    return list(islice(cycle(product(COMMANDS, signals)), count))


def trial(works: Sequence[tuple[str, signal.Signals]], rng: Random, cache: Path) -> list[End]:
    """End every work in its way, at moments by chance."""
    assert is_sound(cache)
    ends = []
    for work, by in works:
        ends.append(end_of(work, by, rng, cache))
        print(ends[-1].line(), flush=True)
    return ends


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every end, and the longest; status 1 where one was too late or the next start not sound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--ends", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    works = crossed(chosen.kills, KILLS) + crossed(chosen.ends, ENDS)
    with tempfile.TemporaryDirectory() as folder:
        ends = trial(works, Random(chosen.seed), Path(folder))
        sound = is_sound(Path(folder))
    for signals, name in ((KILLS, "kills"), (ENDS, "ends")):
        print(summary(name, [end for end in ends if end.by in signals]))
    print(f"next start sound: {sound}")
    return 0 if sound and all(end.is_good for end in ends) else 1


def summary(name: str, ends: Sequence[End]) -> str:
    """How many, how many too late, and the longest."""
    late = sum(not end.is_good for end in ends)
    gone, alone = (max((getattr(end, what) for end in ends), default=0.0) for what in ("gone", "alone"))
    return f"{len(ends)} {name}, {late} not in time; longest {gone:.2f} s, alone {alone:.2f} s"


if __name__ == "__main__":
    sys.exit(main())
