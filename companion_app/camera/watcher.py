"""A camera above a table, watched until it ends: the same desk that the page plays on, fed by frames."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from companion_app.camera.cameras import Frame, jpeg_of
from companion_app.desk.desk import Desk
from companion_app.desk.watched import Insight, most_useful, refusal
from companion_app.desk.watching import watched_on
from companion_app.errors import Trouble
from companion_app.languages import Language
from companion_app.tables.compose import AUTO
from companion_app.tables.table import Table
from rules.catalogue import GAMES
from vision.errors import PictureError
from vision.reading import Advice
from vision.video.frame_gate import SETTINGS, Sight, Watch

Noticed = Literal["gone", "bumped", "unread", "advice", "restless"]
"""What is to be told beside the game: the camera went away; it was knocked; a still frame could not be read, or could
be read better; nothing lies still, and why that may be."""

RESTLESS = 40
"""So many frames in a row with motion, eight seconds of them, are worth asking why; a move takes less."""
POOR_LOOKS = 100
"""Frames after which another look is taken of a table that was read poorly and does not change."""
SOON = 5
"""Frames after which it is where nothing at all could be read, for the camera may have found its focus; each time twice
as many."""

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


@dataclass
class _Telling:
    """Tells of each kind of thing what is new; what stands already is not told once more as another kind."""

    notice: Callable[[Noticed, str], None]
    stands: dict[Noticed, str] = field(default_factory=dict)

    def once(self, what: Noticed, why: str) -> None:
        if why and why not in self.stands.values():
            self.notice(what, why)
        self.stands[what] = why


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
    What would help most is noticed once, until something else would.
    """
    begin = Watch(settings=replace(SETTINGS, restless=RESTLESS))
    gate, table, poor, unread = begin, None, 0, 0
    shape: tuple[int, ...] = ()
    tell = _Telling(notice)
    for second, frame in frames:
        if frame is None:
            notice("gone", "")
            gate = begin
            continue
        if frame.shape != shape:
            gate, shape = begin, frame.shape
        gate, glance = gate.look(frame)
        if glance.restless:
            insight = Insight() if glance.shaken else _looked_into(desk, table, game_id, frame)
            gate = gate.seen_bare() if insight.is_bare and glance.over else gate
            why = language.say("watch.shaken") if glance.shaken else most_useful(insight.advice, language)
            tell.once("restless", why)
        if glance.sight not in (Sight.CHANGED, Sight.BUMPED):
            continue
        if glance.sight is Sight.BUMPED:
            notice("bumped", "")
        gate = gate.having_read()
        try:
            later = _read(desk, table, jpeg_of(frame), game_id, rules, language)
        except (PictureError, Trouble) as error:
            # A hand over the table, or no table yet: the next still frame may show it.
            tell.once("unread", refusal(error, language).message)
            gate = gate.to_read_again(min(SOON * 2**unread, POOR_LOOKS))
            unread += 1
            continue
        unread = 0
        advice = _advice_of(desk, later, is_first=table is None)
        tell.once("advice", most_useful(advice, language))
        for what in ("unread", "restless"):
            tell.once(what, "")
        if table is None and len(later.doubts) >= POOR and poor < MOST_POOR:
            poor, gate = poor + 1, gate.to_read_again()
            desk.delete(later.id)
            continue
        gate = watched_on(gate, advice, again=later.wants_look, looks=POOR_LOOKS)
        if table is None or later.look != table.look:
            yield Seen(second, later)
        table = later


def _advice_of(desk: Desk, table: Table, *, is_first: bool) -> tuple[Advice, ...]:
    """What would help with the frame read last, whether it showed anything new or not."""
    if is_first:
        return table.reading.advice if table.reading else ()
    return desk.watching.view(table.id).advice


def _looked_into(desk: Desk, table: Table | None, game_id: str, frame: Frame) -> Insight:
    """What a frame tells while none can be read; nothing where there is no room for it."""
    layout = GAMES[game_id].layout if game_id in GAMES else AUTO
    try:
        return desk.look_into(jpeg_of(frame), table, layout)
    except Trouble:
        return Insight()


def _read(
    desk: Desk, table: Table | None, picture: bytes, game_id: str, rules: dict[str, str], language: Language
) -> Table:
    if table is not None:
        return desk.watched(table, picture, "", language)
    begun = desk.open_picture(picture, "", game_id, language)
    return desk.choose_game(begun, game_id, rules) if rules else begun
