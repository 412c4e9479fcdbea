"""A program run where nothing else is: a network, temporary folders and a home of its own, all else read-only.

What it looks up, sends and writes is written down meanwhile. Namespaces
of the user do for that; where the system gives none, only the files of the folders made for the program are watched.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.companion_app.evening.recorders import files_written, names_asked, packets_sent

ROOT = Path(__file__).parents[3]
PACKAGES = ("rules", "vision", "companion_app", "models", "sample_images")
OWN = {"home": "HOME", "temporary": "TMPDIR", "here": "PWD", "program": "PYTHONPATH"}
DECKS = ".local/share/cardtable/decks"
"""Folders made for the program, and the variable that names each to it."""

PRIVATE = ("/tmp", "/var/tmp", "/dev/shm", str(Path("~").expanduser()))
"""What everybody may write to is empty, and thrown away; an ordinary user can write nowhere else."""

ASIDE = "/mnt"

NETWORK = (
    "ip link set lo up",
    "ip link add out type veth peer name far",
    *(f"ip link set {end} addrgenmode none arp off up" for end in ("out", "far")),
    "ip addr add 10.9.9.1/24 dev out",
    "ip route add default dev out",
)
NETWORK_6 = ("ip -6 addr add fd09::1/64 dev out nodad", "ip -6 route add default dev out")


@dataclass(frozen=True, slots=True)
class Seen:
    """What a program did: names looked up, packets sent elsewhere (None where that could not be watched), files written
    (folder and path) with whether each was there in the end, and what the program said."""

    status: int
    said: str
    names: list[str] | None
    packets: list[str] | None
    files: dict[str, bool]


def watched(program: Sequence[str], place: Path, given: Mapping[str, str] | None = None) -> Seen:
    """Run a Python program (arguments of the interpreter) alone in the empty folder ``place``; ``given`` are variables
    more. Its working folder is `here`, and the packages that it imports are copies."""
    for name in OWN:
        (place / name).mkdir(parents=True)
    # What is written for a moment in a folder just made could be missed.
    (place / "home" / DECKS).mkdir(parents=True)
    for package in PACKAGES:
        without = shutil.ignore_patterns("__pycache__", "made")
        shutil.copytree(ROOT / package, place / "program" / package, ignore=without)
    (place / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    order = {"program": [*program], "place": str(place), "given": dict(given or {}), "isolated": can_isolate()}
    command = [sys.executable, "-m", __name__, json.dumps(order)]
    if order["isolated"]:
        command = ["unshare", "-rnm", *command]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return Seen(**json.loads(done.stdout.splitlines()[-1]))


def can_isolate() -> bool:
    """Whether this machine gives a program a network and mounts of its own."""
    if not (shutil.which("unshare") and shutil.which("ip") and Path("/etc/resolv.conf").exists()):
        return False
    tried = [*NETWORK, f"mount --bind /tmp {ASIDE}", "mount -t tmpfs none /tmp", "mount -o remount,bind,ro /"]
    return subprocess.run(["unshare", "-rnm", "sh", "-ec", "\n".join(tried)], capture_output=True).returncode == 0


def shell(lines: Sequence[str]) -> None:
    """Run lines of shell; raises CalledProcessError."""
    subprocess.run(["sh", "-ec", "\n".join(lines)], check=True, stdout=sys.stderr)


def isolate(place: Path) -> None:
    """In namespaces of its own: a network whose packets end at `far`, and nothing to write to but what is watched."""
    shell(NETWORK)
    if Path("/proc/net/if_inet6").exists():
        shell(NETWORK_6)
    shell([f"mount --bind '{place / 'resolv.conf'}' /etc/resolv.conf"])
    needed = {Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve(), ROOT.resolve()}
    for folder in PRIVATE:
        if Path(folder).is_dir() and folder != "/":
            make_private(Path(folder), [path for path in (*needed, place) if path.is_relative_to(folder)])
    shell([f"mount --bind '{place}' '{place}'", f"mount -o remount,bind,rw '{place}'", "mount -o remount,bind,ro /"])


def make_private(folder: Path, kept: Sequence[Path]) -> None:
    """An empty folder in place of one, but for what is kept of it."""
    shell([f"mount --bind '{folder}' {ASIDE}", f"mount -t tmpfs none '{folder}'"])
    for path in kept:
        path.mkdir(parents=True, exist_ok=True)
        shell([f"mount --bind '{ASIDE}/{path.relative_to(folder)}' '{path}'", f"mount -o remount,bind,ro '{path}'"])
    shell([f"umount -l {ASIDE}"])


@contextmanager
def recorded(place: Path, isolated: bool) -> Iterator[Callable[[], dict[str, object]]]:
    """Meanwhile all is written down; the function given tells what, afterwards."""
    roots = {name: place / name for name in OWN}
    if isolated:
        roots |= {folder: Path(folder) for folder in PRIVATE if Path(folder).is_dir()}
    with ExitStack() as recorders:
        names = recorders.enter_context(names_asked()) if isolated else None
        packets = recorders.enter_context(packets_sent("out")) if isolated else None
        files = recorders.enter_context(
            files_written(roots, without=(place, ROOT, Path(sys.prefix), Path(sys.base_prefix)))
        )
        yield lambda: {"names": names and sorted(names()), "packets": packets and packets(), "files": files()}


def main() -> None:
    """Inside the namespaces: set up, run the program, and print what was seen."""
    order = json.loads(sys.argv[1])
    place = Path(order["place"])
    if order["isolated"]:
        isolate(place)
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "VIRTUAL_ENV") if name in os.environ}
    folders = {variable: str(place / name) for name, variable in OWN.items()}
    folders["PYTHONPATH"] += f"{os.pathsep}{ROOT}"
    with recorded(place, order["isolated"]) as seen:
        done = subprocess.run(
            [sys.executable, *order["program"]],
            cwd=place / "here",
            env=kept | folders | order["given"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        found = seen()
    print(json.dumps(asdict(Seen(done.returncode, done.stdout, **found))))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
