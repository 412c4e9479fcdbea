"""Videos of a table: the frames that show it still after something has changed."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from companion_app.camera.cameras import jpeg_of, video_frames
from companion_app.languages import Language
from companion_app.sources import file_trouble
from vision.video.frame_gate import Sight, Watch

ENDINGS = (".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm")


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
    watch = Watch()
    for second, frame in video_frames(name):
        watch, glance = watch.look(frame)
        if glance.sight in (Sight.CHANGED, Sight.BUMPED):
            yield second, jpeg_of(frame)
            # The table is not looked at again until it changes.
            watch = replace(watch, read=watch.last)
