"""Ends that come: whatever the program is at, Ctrl+C and SIGTERM end it soon, and its workers with it.

Python hears of a signal only when compiled code comes back to it; what listens here is a thread of its own, which the
system wakes at once.
"""

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from typing import NoReturn

GRACE_SECONDS = 1.5
"""How long the program may take to end by itself."""

LOOK_SECONDS = 0.3
BY_SIGNAL = 128
"""What shells add to the number of a signal for an exit status."""

SHOW_CURSOR = "\x1b[?25h"


def end_in_time() -> None:
    """From now on a signal that ends the program ends it in time. For the main thread of a program of its own."""
    heard, told = socket.socketpair()
    told.setblocking(False)
    signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    # Both ends live as long as the thread does.
    threading.Thread(target=_listen, args=(heard, told), daemon=True).start()


def _listen(heard: socket.socket, told: socket.socket) -> None:
    number = 0
    while number not in (signal.SIGINT, signal.SIGTERM):
        number = heard.recv(1)[0]
    time.sleep(GRACE_SECONDS)
    leave(BY_SIGNAL + number)


def leave(status: int) -> NoReturn:
    """End the program now, whatever its threads are at."""
    with contextlib.suppress(OSError, ValueError):
        if sys.stderr.isatty():
            sys.stderr.write(SHOW_CURSOR)
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


def end_with(parent: int) -> None:
    """From now on this process ends when its parent does. Does nothing in the parent itself, and all of it once."""
    if os.getpid() != parent and not any(thread.name == _NAME for thread in threading.enumerate()):
        threading.Thread(target=_follow, args=(parent,), name=_NAME, daemon=True).start()


_NAME = "cardtable-ends-with-its-parent"


def _follow(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os._exit(1)
