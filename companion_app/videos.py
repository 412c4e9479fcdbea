"""Videos of a table: the frames that show it still after something has changed."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2

from companion_app.errors import UnreadableTrouble
from companion_app.languages import Language
from companion_app.sources import file_trouble
from vision.video.frame_gate import Sight, Watch

# What the decoder has to say about a damaged file is said in the program's own words.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
ENDINGS = (".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm")
RATE = 5.0
"""Frames looked at in a second: a hand takes longer than that to make a move."""
QUALITY = 95


def is_video(name: str) -> bool:
    """Whether a file is a video, by its name."""
    return name.lower().endswith(ENDINGS)


def still_views(name: str, language: Language) -> Iterator[tuple[float, bytes]]:
    """The second and the picture (a JPEG file's bytes) of each still view that shows something new, the first one
    included. Raises UnreadableTrouble where the file is no video or cannot be read to its end."""
    try:
        with Path(name).open("rb"):
            pass
    except OSError as error:
        raise file_trouble(name, error, language) from error
    no_video = UnreadableTrouble("no-video", language.say("error.no-video", name=name))
    video = cv2.VideoCapture(name)
    try:
        rate = video.get(cv2.CAP_PROP_FPS) or 0.0
        if not video.isOpened() or rate <= 0:
            raise no_video
        step, number, watch = max(1, round(rate / RATE)), 0, Watch()
        while video.grab():
            if number % step == 0:
                fine, frame = video.retrieve()
                if not fine:
                    raise no_video
                watch, glance = watch.look(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB))  # type: ignore[arg-type]
                if glance.sight in (Sight.CHANGED, Sight.BUMPED):
                    yield number / rate, cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
                    # The table is not looked at again until it changes.
                    watch = replace(watch, read=watch.last)
            number += 1
        if number == 0:
            raise no_video
    finally:
        video.release()
