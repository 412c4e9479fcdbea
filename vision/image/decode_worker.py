"""Decodes pictures in a process of its own, for ``vision.image.decoder``: a file in on standard input, its pixels into
memory shared with the caller.

Memory and the processor's time are limited where the system lets them be. A JPEG of which the decoder says that it had
to guess is refused: OpenCV returns such pixels without a word, but the library below it writes a line to standard
error.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final

import cv2
import numpy as np

from vision.errors import PictureError
from vision.image import picture
from vision.image.decoder import ANSWER, REQUEST
from vision.image.headers import MOST_BYTES

ROOM: Final = 64 * 1024 * 1024
"""Memory beside what a decoder takes: the file itself."""

_GUESSED: Final = ("Corrupt JPEG data", "Premature end of JPEG", "Inconsistent progression")


def main() -> None:
    """Answers one request after the other until standard input ends, which it does when its parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    with tempfile.TemporaryFile() as said:
        os.dup2(said.fileno(), 2)
        os.dup2(said.fileno(), 1)
        limit_memory(MOST_BYTES + ROOM)
        while request := requests.read(REQUEST.size):
            enough, named, length, seconds = REQUEST.unpack(request)
            shared, data = requests.read(named).decode(), requests.read(length)
            said.truncate(0)
            with limited_time(seconds):
                text = json.dumps(answer(data, enough, said, shared)).encode()
            answers.write(ANSWER.pack(len(text)) + text)
            answers.flush()


def answer(data: bytes, enough: int, said: BinaryIO, shared: str) -> dict[str, Any]:
    """What is told of the picture; its pixels are written to the file that is the shared memory."""
    try:
        reduced = picture.decode_reduced(data, enough)
    except PictureError as error:
        return {"code": error.code, "detail": error.detail}
    except MemoryError:
        return {"code": "too-large", "detail": f"{len(data)} B"}
    said.seek(0)
    heard = said.read(4096).decode("utf-8", "replace")
    if any(words in heard for words in _GUESSED):
        return {"code": "damaged", "detail": ""}
    np.memmap(shared, np.uint8, "r+", shape=reduced.image.shape)[:] = reduced.image
    return {
        "shape": reduced.image.shape,
        "covers": reduced.covers,
        "width": reduced.width,
        "height": reduced.height,
    }


@contextmanager
def limited_time(seconds: float) -> Iterator[None]:
    """This process ends if what is done meanwhile takes more of the processor's time, where the system knows such
    limits; how busy the machine is does not count.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)
    yield
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, 0)


def limit_memory(more: int) -> None:
    """No more memory than now and so much more, where the system knows limits."""
    cv2.setNumThreads(1)
    try:
        import resource
        from pathlib import Path

        now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + more, now + more))
    except (ImportError, OSError, ValueError):
        return


if __name__ == "__main__":
    main()
