"""Pictures decoded in processes of their own, which have limits of time and memory and can be ended.

Whatever a file does to its decoder, it does it there: the caller gets a PictureError, and the next picture a new
process. Of a refused picture nothing stays in the caller's memory. A process can be begun before NumPy and OpenCV are
loaded here, which takes as long as its own beginning.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from queue import LifoQueue
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from vision.errors import PictureError
from vision.image.headers import read_header

if TYPE_CHECKING:
    from vision.image.picture import Reduced

REQUEST: Final = struct.Struct("<qqqd")
"""What longest side is enough, how many bytes of the name of the shared memory follow, how many of the picture, and how
many seconds of the processor's time it may take."""
ANSWER: Final = struct.Struct("<q")
"""How many bytes of JSON follow."""
SECONDS: Final = 2.5
"""Of the processor's time. A picture of 60 megapixels takes half of that."""
PATIENCE: Final = 8.0 if hasattr(signal, "setitimer") else 1.0
"""So many times as long by the clock nobody waits for a decoder, however busy the machine is; where the system does not
limit the processor's time, the clock alone counts."""
WORKERS: Final = 2
"""So that one slow picture does not keep the others waiting."""
LARGE: Final = 16_000_000
"""Pixels beyond which a picture may take long and much memory: of those one at a time is decoded, by a process of its
own."""


_SHARED: Final = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""Where files are memory; elsewhere the folder for temporary files will do."""


class Decoder:
    """Decodes as ``vision.image.picture.decode_reduced`` does; may be called from several threads at once. Nobody waits
    for a large picture but those who brought one.

    ``seconds``: how much of the processor's time decoding one picture may take."""

    def __init__(self, *, workers: int = WORKERS, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._idle, self._large = _lane(workers), _lane(1)

    def warm(self) -> None:
        """Starts a first process, so that the first picture need not wait for all of it."""
        self._idle.put(self._idle.get() or _Process())

    def __call__(self, data: bytes, enough: int) -> Reduced:
        """The picture decoded; raises PictureError as ``decode_reduced``, and damaged or too-slow."""
        header = read_header(data)
        lane = self._large if header.width * header.height > LARGE else self._idle
        asked = data, enough, 3 * header.width * header.height, self._seconds
        process = lane.get()
        try:
            if process is not None:
                with contextlib.suppress(BrokenPipeError):  # it died while nothing was asked of it
                    return process.decode(*asked)
            process = _Process()
            return process.decode(*asked)
        except BrokenPipeError:
            raise PictureError("too-slow") from None
        finally:
            lane.put(process)

    def close(self) -> None:
        """Ends the processes that are idle."""
        for lane in (self._idle, self._large):
            for process in [lane.get() for _ in range(lane.qsize())]:
                if process is not None:
                    process.end()
                lane.put(None)


def _lane(workers: int) -> LifoQueue[_Process | None]:
    """Room for so many processes, none of them begun yet."""
    lane: LifoQueue[_Process | None] = LifoQueue()
    for _ in range(workers):
        lane.put(None)
    return lane


class _Process:
    """One process, and the pipes to it."""

    def __init__(self) -> None:
        root = str(Path(__file__).parents[2])
        path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
        self._popen = subprocess.Popen(
            [sys.executable, "-m", "vision.image.decode_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )
        self._to = cast(BinaryIO, self._popen.stdin)
        self._from = cast(BinaryIO, self._popen.stdout)

    def end(self) -> None:
        """Kills it, whatever it does."""
        self._popen.kill()
        self._popen.wait()
        for pipe in (self._to, self._from):
            # What had not been taken in yet goes nowhere now.
            with contextlib.suppress(OSError):
                pipe.close()

    def decode(self, data: bytes, enough: int, most: int, seconds: float) -> Reduced:
        """One picture of at most so many bytes of pixels; where it takes too long, or the decoder dies, the process is
        ended. Raises BrokenPipeError where it did not take the picture."""
        import numpy as np

        from vision.image.picture import Reduced

        handle, shared = tempfile.mkstemp(dir=_SHARED)
        try:
            os.truncate(handle, most)
            about = self._ask(REQUEST.pack(enough, len(shared.encode()), len(data), seconds), shared, data, seconds)
            if "code" in about:
                raise PictureError(about["code"], about["detail"])
            # The pixels stay as long as somebody looks at them, though the file has no name by then.
            image = np.asarray(np.memmap(shared, np.uint8, "r+", shape=tuple(about["shape"])))
        finally:
            os.close(handle)
            _remove(shared)
        return Reduced(image, about["covers"], about["width"], about["height"])

    def _ask(self, request: bytes, name: str, data: bytes, seconds: float) -> dict[str, Any]:
        watch = threading.Timer(PATIENCE * seconds, self._popen.kill)
        watch.start()
        try:
            self._hand(request + name.encode(), data)
            (length,) = ANSWER.unpack(self._from.read(ANSWER.size))
            return cast("dict[str, Any]", json.loads(self._from.read(length)))
        except BrokenPipeError:
            self.end()
            raise
        except (OSError, ValueError, struct.error):
            self.end()
            raise PictureError("too-slow") from None
        finally:
            watch.cancel()

    def _hand(self, *asked: bytes) -> None:
        try:
            for part in asked:
                self._to.write(part)
            self._to.flush()
        except (OSError, ValueError):
            raise BrokenPipeError from None


def _remove(path: str) -> None:
    """Removes a file. Windows lets nobody do so while its pixels are looked at: there it stays for the time being."""
    with contextlib.suppress(PermissionError):
        Path(path).unlink()
