"""A camera above a table, watched until it ends: the same desk that the page plays on, fed by frames."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from companion_app.cameras import Frame, jpeg_of
from companion_app.desk import Desk
from companion_app.errors import Trouble
from companion_app.languages import Language
from companion_app.table import Table
from companion_app.troubles import as_trouble
from vision.errors import PictureError
from vision.video.frame_gate import Sight, Watch

Noticed = Literal["gone", "bumped", "unread"]
"""What is to be told beside the game: the camera went away; it was knocked; a still frame could not be read."""


POOR = 6
"""Places in doubt at the first look: such a picture, as of a camera that still seeks its focus, is a poor one to begin
a game with."""
MOST_POOR = 15
"""So many of them are passed over for a better one."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The table after a frame that showed something new, and at what second."""

    second: float
    table: Table


def watch(
    desk: Desk,
    game_id: str,
    rules: dict[str, str],
    frames: Iterable[tuple[float, Frame | None]],
    language: Language,
    notice: Callable[[Noticed, str], None],
) -> Iterator[Seen]:
    """The tables that a camera shows, one after the other, each with something new. A frame is read once the table has
    been still since the one before, and has changed; while it is open what happened, the next still one is read too.
    """
    gate, table, poor = Watch(), None, 0
    shape: tuple[int, ...] = ()
    for second, frame in frames:
        if frame is None:
            notice("gone", "")
            gate = Watch()
            continue
        if frame.shape != shape:
            gate, shape = Watch(read=None), frame.shape
        gate, glance = gate.look(frame)
        if glance.sight not in (Sight.CHANGED, Sight.BUMPED):
            continue
        if glance.sight is Sight.BUMPED:
            notice("bumped", "")
        gate = replace(gate, read=gate.last)
        try:
            later = _read(desk, table, jpeg_of(frame), game_id, rules, language)
        except (PictureError, Trouble) as error:
            # A hand over the table, or no table yet: the next still frame may show it.
            notice("unread", as_trouble(error, language).message)
            continue
        if table is None and len(later.doubts) >= POOR and poor < MOST_POOR:
            poor, gate = poor + 1, replace(gate, read=None)
            desk.delete(later.id)
            continue
        gate = replace(gate, read=None) if later.wants_look else gate.seen_plainly()
        if table is None or later.look != table.look:
            yield Seen(second, later)
        table = later


def _read(
    desk: Desk, table: Table | None, picture: bytes, game_id: str, rules: dict[str, str], language: Language
) -> Table:
    if table is not None:
        return desk.watched(table, picture, "", language)
    begun = desk.open_picture(picture, "", game_id, language)
    return desk.choose_game(begun, game_id, rules) if rules else begun
