"""Tables that a camera looks at: which of its frames are worth reading, table by table, and how its view stands."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from companion_app.decoding import pixels
from vision.reading import Advice, TableReading, is_covered
from vision.video.frame_gate import Glance, Sight, Watch

# A camera looks at one table at a time; a few more than that are kept for pages left open.
MOST_WATCHED = 4
# Light and focus may mend by themselves: of a poor look at a table that does not change another is taken after so many.
POOR_LOOKS = 20
# Where nothing at all could be read after so many, and each time after twice as many: a camera may find its focus.
SOON = 4
MENDABLE = ("dark", "sharper", "glare")
NOTHING_YET = Glance(Sight.MOVING)


@dataclass(frozen=True, slots=True)
class View:
    """How a camera's view of a table stands: what the last glance was, and the reading of the frame that shows the
    table as it lies (None where the one read last does not).

    `advice` is for the frame read last; `refused` is why there is none, for it could not be read, `hidden` says that
    nothing was taken of it. `misses`: how many could not be read since one was. `restless`: what would help while
    nothing can be read; `shaken`: the camera itself moves.
    """

    shape: tuple[int, ...] = ()
    watch: Watch = field(default_factory=Watch)
    glance: Glance = NOTHING_YET
    reading: TableReading | None = None
    advice: tuple[Advice, ...] = ()
    refused: Exception | None = None
    hidden: bool = False
    misses: int = 0
    restless: tuple[Advice, ...] = ()
    shaken: bool = False

    @property
    def is_as_read(self) -> bool:
        """Whether the table lies as at the frame read last."""
        return self.glance.sight is Sight.UNCHANGED or self.glance.again

    @property
    def is_outlined(self) -> bool:
        """Whether the cards lie where that frame showed them."""
        return self.is_as_read and self.reading is not None

    def glanced(self, watch: Watch, glance: Glance) -> "View":
        """The view after one more frame."""
        waits_on = glance.sight is Sight.MOVING is self.glance.sight and glance.over == self.glance.over
        shaken = waits_on and (glance.shaken if glance.restless else self.shaken)
        return replace(self, watch=watch, glance=glance, shaken=shaken, restless=self.restless if waits_on else ())


def watched_on(watch: Watch, advice: Sequence[Advice], *, again: bool, looks: int = POOR_LOOKS) -> Watch:
    """The state after the frame last taken was read, with this advice; `again`: another look is wanted. looks: after
    so many another is taken of what may have mended. A frame with something over a card does not show how the table
    lies without it."""
    if again:
        return watch.to_read_again()
    plain = watch if is_covered(advice) else watch.seen_plainly()
    return plain.to_read_again(looks) if any(each.code in MENDABLE for each in advice) else plain


class Watching:
    """The views of cameras by table; the one looked at longest ago is forgotten. Safe to use from several threads."""

    def __init__(self) -> None:
        self._views: OrderedDict[str, View] = OrderedDict()
        self._lock = threading.Lock()

    def glance(self, table_id: str, picture: bytes) -> View:
        """The view after a frame (the file's bytes; a small picture is enough). Raises PictureError."""
        frame = pixels(picture)
        with self._lock:
            view = self._views.pop(table_id, View())
            # A camera that was turned or changed begins anew.
            view = view if view.shape == frame.shape else View(frame.shape)
            view = view.glanced(*view.watch.look(frame))
            self._kept(table_id, view)
        return view

    def view(self, table_id: str) -> View:
        """The view as it stands; of a table that nobody watches an empty one."""
        with self._lock:
            return self._views.get(table_id, View())

    def taken(self, table_id: str) -> None:
        """Note that the last frame is read now: the table is not read again until it changes."""
        self._note(table_id, lambda view: replace(view, watch=view.watch.having_read()))

    def refused(self, table_id: str, why: Exception) -> None:
        """Note why the frame that was taken could not be read."""

        def noted(view: View) -> View:
            watch = view.watch.to_read_again(min(SOON * 2**view.misses, POOR_LOOKS))
            return replace(view, watch=watch, reading=None, refused=why, hidden=False, misses=view.misses + 1)

        self._note(table_id, noted)

    def read(self, table_id: str, reading: TableReading, *, hidden: bool, again: bool) -> None:
        """Note what the frame that was taken showed: `hidden`, too little to take anything of it; `again`: another look
        is wanted though the table does not change. Else nothing lay over the table."""

        def noted(view: View) -> View:
            watch = watched_on(view.watch, reading.advice, again=again)
            shown = None if hidden else reading
            seen = replace(view, watch=watch, reading=shown, advice=reading.advice, hidden=hidden)
            return replace(seen, refused=None, misses=0)

        self._note(table_id, noted)

    def looked_into(self, table_id: str, advice: tuple[Advice, ...], *, bare: bool) -> None:
        """Note what would help while nothing can be read; `bare`: that nothing reaches over the table."""

        def noted(view: View) -> View:
            return replace(view, restless=advice, watch=view.watch.seen_bare() if bare else view.watch)

        self._note(table_id, noted)

    def _note(self, table_id: str, noted: Callable[[View], View]) -> None:
        with self._lock:
            self._kept(table_id, noted(self._views.pop(table_id, View())))

    def _kept(self, table_id: str, view: View) -> None:
        self._views[table_id] = view
        while len(self._views) > MOST_WATCHED:
            self._views.popitem(last=False)
