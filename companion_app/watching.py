"""Tables that a camera looks at: which of its frames are worth reading, table by table."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

from companion_app.decoding import pixels
from vision.video.frame_gate import Sight, Watch

# A camera looks at one table at a time; a few more than that are kept for pages left open.
MOST_WATCHED = 4


class Watching:
    """The state of watching by table; the one looked at longest ago is forgotten. Safe to use from several threads."""

    def __init__(self) -> None:
        self._watches: OrderedDict[str, tuple[tuple[int, ...], Watch]] = OrderedDict()
        self._lock = threading.Lock()

    def glance(self, table_id: str, picture: bytes) -> Sight:
        """What a frame (the file's bytes; a small picture is enough) shows. Raises PictureError."""
        frame = pixels(picture)
        with self._lock:
            shape, watch = self._watches.pop(table_id, ((), Watch()))
            # A camera that was turned or changed begins anew.
            watch, seen = (watch if shape == frame.shape else Watch()).look(frame)
            self._watches[table_id] = frame.shape, watch
            while len(self._watches) > MOST_WATCHED:
                self._watches.popitem(last=False)
        return seen.sight

    def taken(self, table_id: str) -> None:
        """Note that the last frame is read now, or cannot be: the table is not read again until it changes."""
        self._note(table_id, lambda watch: replace(watch, read=watch.last))

    def seen_plainly(self, table_id: str) -> None:
        """Note that the frame last read shows the table with nothing over it."""
        self._note(table_id, Watch.seen_plainly)

    def again(self, table_id: str) -> None:
        """Note that the table is to be read once more, though it does not change."""
        self._note(table_id, lambda watch: replace(watch, read=None))

    def _note(self, table_id: str, noted: Callable[[Watch], Watch]) -> None:
        with self._lock:
            if table_id in self._watches:
                shape, watch = self._watches[table_id]
                self._watches[table_id] = shape, noted(watch)
