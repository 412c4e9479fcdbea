"""Cameras by number, address or file: the frame that is newest when one is wanted, and what happens when one goes."""

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion_app.errors import UnreadableTrouble

# What the decoder has to say about a camera that goes away is said in the program's own words.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
RATE = 5.0
"""Frames looked at in a second: a hand takes longer than that to make a move."""
QUALITY = 95
BACK_SECONDS = 30.0
"""How long a camera that went away is waited for."""
RETRY_SECONDS = 1.0
WAIT_SECONDS = 5.0
"""How long a camera may take to its next frame."""

Frame = NDArray[np.uint8]


def frames(source: str) -> Iterator[tuple[float, Frame | None]]:
    """Seconds since the beginning and the frame (h, w, 3) uint8 RGB, at most ``RATE`` a second: of a camera (a number
    or an address) the newest, of a file one after the other, whatever time is taken over each. None once where the
    camera went away, which is then waited for. Raises UnreadableTrouble where there is no such camera, or it
    does not come back.
    """
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    if Path(source).is_file():
        yield from video_frames(source)
        return
    newest = _Newest(source)
    try:
        yield from newest.frames()
    finally:
        newest.end()


def video_frames(name: str) -> Iterator[tuple[float, Frame]]:
    """The second and the frame (h, w, 3) uint8 RGB of a video file, ``RATE`` a second. Raises UnreadableTrouble where
    the file is no video or cannot be read to its end."""
    video = cv2.VideoCapture(name)
    try:
        rate = video.get(cv2.CAP_PROP_FPS) or 0.0
        if not video.isOpened() or rate <= 0:
            raise UnreadableTrouble("no-video", name=name)
        step, number = max(1, round(rate / RATE)), 0
        while video.grab():
            if number % step == 0:
                fine, frame = video.retrieve()
                if not fine:
                    raise UnreadableTrouble("no-video", name=name)
                yield number / rate, np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB), np.uint8)
            number += 1
        if number == 0:
            raise UnreadableTrouble("no-video", name=name)
    finally:
        video.release()


def jpeg_of(frame: Frame) -> bytes:
    """A frame (h, w, 3) uint8 RGB as the bytes of a picture file."""
    _, encoded = cv2.imencode(".jpg", cv2.cvtColor(frame, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return encoded.tobytes()


class _Newest:
    """A thread that takes every frame of a camera and keeps the newest: so none waits in a queue."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._frame: Frame | None = None
        self._there = threading.Condition()
        self._gone = self._ended = False
        self._video = self._opened()
        if self._video is None:
            raise UnreadableTrouble("no-camera", name=source)
        threading.Thread(target=self._take, daemon=True).start()

    def frames(self) -> Iterator[tuple[float, Frame | None]]:
        began, due = time.monotonic(), 0.0
        while True:
            time.sleep(max(0.0, due - time.monotonic()))
            due = time.monotonic() + 1 / RATE
            with self._there:
                self._there.wait_for(lambda: self._frame is not None or self._gone, WAIT_SECONDS)
                frame, self._frame = self._frame, None
            if frame is not None:
                yield time.monotonic() - began, frame
                continue
            yield time.monotonic() - began, None
            if not self._is_back():
                raise UnreadableTrouble("camera-gone", name=self._source)

    def end(self) -> None:
        with self._there:
            self._ended = True

    def _opened(self) -> cv2.VideoCapture | None:
        video = cv2.VideoCapture(int(self._source) if self._source.isdecimal() else self._source)
        if video.isOpened():
            return video
        video.release()
        return None

    def _take(self) -> None:
        video = self._video
        while video is not None and not self._ended:
            fine, frame = video.read()
            with self._there:
                if fine:
                    self._frame = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB), np.uint8)
                self._gone = not fine
                self._there.notify()
            if not fine:
                break
        if video is not None:
            video.release()

    def _is_back(self) -> bool:
        until = time.monotonic() + BACK_SECONDS
        while time.monotonic() < until:
            time.sleep(RETRY_SECONDS)
            self._video = self._opened()
            if self._video is not None:
                self._gone = False
                threading.Thread(target=self._take, daemon=True).start()
                return True
        return False
