"""What leaves a program, written down: names it looks up, packets it sends, files it writes, be it for a moment."""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path

MODIFY, MOVED_TO, CREATE, IS_FOLDER, OVERFLOW = 0x2, 0x80, 0x100, 0x40000000, 0x4000
EVENT = struct.Struct("iIII")
SETTLE_SECONDS = 0.3
DNS_PORT = 53
ALL_PACKETS = 3


@contextmanager
def names_asked() -> Iterator[Callable[[], list[str]]]:
    """A resolver of this machine that answers nothing; the function gives the names it was asked for."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.bind(("127.0.0.1", DNS_PORT))
        asked.setblocking(False)
        yield lambda: sorted({name_in(question) for question in waiting(asked)})


@contextmanager
def packets_sent(interface: str) -> Iterator[Callable[[], list[str]]]:
    """The function gives where packets were sent by way of an interface."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ALL_PACKETS)) as tap:
        tap.bind((interface, 0))
        tap.setblocking(False)
        yield lambda: sorted({destination(packet) for packet in waiting(tap)})


def waiting(source: socket.socket) -> Iterator[bytes]:
    """What has come by now."""
    while True:
        try:
            yield source.recv(512)
        except BlockingIOError:
            return


def name_in(question: bytes) -> str:
    """The name a resolver is asked for."""
    labels, rest = [], question[12:]
    while rest and rest[0]:
        labels.append(rest[1 : 1 + rest[0]].decode("latin-1"))
        rest = rest[1 + rest[0] :]
    return ".".join(labels)


def destination(packet: bytes) -> str:
    """The address an IP packet goes to, what it is otherwise."""
    for version, where in ((4, slice(16, 20)), (6, slice(24, 40))):
        if packet[0] >> 4 == version:
            return str(ip_address(packet[where]))
    return f"no IP: {packet[:8].hex()}"


@contextmanager
def files_written(roots: Mapping[str, Path], without: Sequence[Path]) -> Iterator[Callable[[], dict[str, bool]]]:
    """The function gives the files written below the roots, `root/path`, each with whether it is still there. Folders
    ``without`` are not looked into, unless they are roots."""
    before = {name: files_in(root, without) for name, root in roots.items()}
    watch = Watch(without)
    for name, root in roots.items():
        watch.add(root, name)
    listener = threading.Thread(target=watch.listen, daemon=True)
    listener.start()

    def told() -> dict[str, bool]:
        time.sleep(SETTLE_SECONDS)
        written = dict.fromkeys(watch.seen, False)
        for name, root in roots.items():
            after = files_in(root, without)
            written |= {f"{name}/{path}": True for path, state in after.items() if before[name].get(path) != state}
        return dict(sorted(written.items()))

    yield told


def files_in(root: Path, without: Sequence[Path]) -> dict[str, tuple[int, int, int]]:
    """Every file below a folder, with what changes when it is written."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if Path(folder, name) not in without]
        for name in names:
            try:
                state = Path(folder, name).lstat()
            except OSError:
                continue
            found[str(Path(folder, name).relative_to(root))] = (state.st_ino, state.st_size, state.st_mtime_ns)
    return found


class Watch:
    """Linux tells of every file that is written in a folder (inotify), of those without a name too."""

    def __init__(self, without: Sequence[Path]) -> None:
        self.seen: set[str] = set()
        self._without = without
        self._folders: dict[int, tuple[Path, str]] = {}
        self._library = ctypes.CDLL(None, use_errno=True)
        self._handle = self._library.inotify_init1(0)

    def add(self, folder: Path, name: str) -> None:
        """Watch a folder, known by a name, and those below it."""
        number = self._library.inotify_add_watch(self._handle, os.fsencode(folder), MODIFY | MOVED_TO | CREATE)
        if number < 0:
            return  # it is gone already
        self._folders[number] = (folder, name)
        for found in os.scandir(folder):
            if found.is_dir(follow_symlinks=False) and Path(found.path) not in self._without:
                self.add(Path(found.path), f"{name}/{found.name}")

    def listen(self) -> None:
        """Write down what comes, as long as the process lives."""
        while True:
            events = os.read(self._handle, 1 << 16)
            while events:
                number, kinds, _, length = EVENT.unpack_from(events)
                named = events[EVENT.size : EVENT.size + length].rstrip(b"\0").decode("utf-8", "replace")
                events = events[EVENT.size + length :]
                if kinds & OVERFLOW:
                    self.seen.add("too much was written to be watched")
                elif named:
                    self._heard(number, kinds, named)

    def _heard(self, number: int, kinds: int, named: str) -> None:
        folder, name = self._folders[number]
        if not kinds & IS_FOLDER:
            self.seen.add(f"{name}/{named}")
        elif kinds & (CREATE | MOVED_TO):
            # What was written there before it was watched is found at once, or left in the end.
            try:
                self.add(folder / named, f"{name}/{named}")
            except OSError:
                return
