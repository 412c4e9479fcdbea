"""Video of one table: which frames are worth reading, and whether the last reading still holds.

Frames are compared as small grey pictures: with the one before (is anything moving?) and with the one last read (has
the table changed?). The logarithm of the brightness is compared, less what changes slowly across the picture, so that
light that grows, fades or drifts is no change; what is left where a card came, went or turned is a patch that differs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import TableReading

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """What counts as a change; lengths in pixels of the small picture. Set by trial on the sample pictures."""

    width: int = 320  # of the small picture: a rank of a pyramid is 4 px high there
    dark: float = 24.0  # added to the brightness (0 … 255) before the logarithm: noise in the dark counts for little
    light: int = 61  # side of the square over which a slow change is taken out: three cards
    change: float = 0.09  # a spot 3 px wide this much lighter or darker (as a share) has changed
    spots: int = 6  # changed pixels that make a change
    shift: float = 0.3  # a move of the whole picture by less is none,
    knock: float = 0.1  # and one by more, of its width, is none that a knock makes
    explained: float = 0.6  # share of the change that goes when the shift is undone, if the camera was bumped
    still: int = 2  # so many frames in a row without motion before the table is read
    looks: int = 30  # at most so often is it tried how the picture moved and turned, until
    settled: float = 1e-4  # that tells so little more
    smooth: int = 5  # side of the square over which edges are smoothed before
    reach: float = 0.2  # what comes from beyond the picture's edge and reaches so far in, of its height, is an arm,
    arm: float = 0.15  # if any colour is this much lighter or darker than what was there (as a share),
    broad: int = 3  # over squares of that side,
    gaps: int = 5  # though gaps so wide are in it,
    wide: int = 11  # and so wide;
    patient: int = 60  # after so many still frames in all it is taken for something that stays
    restless: int = 10  # so many looks in a row with motion are worth asking why, and with an arm
    doubted: int = 2  # first after so many: the whole view may be another, or too dark to tell


SETTINGS = WatchSettings()


class Sight(Enum):
    """What a frame shows: the table as it was read; motion, or an arm that rests over the table, to be waited out; a
    still table to read, because it changed or because the camera was bumped.
    """

    UNCHANGED = "unchanged"
    MOVING = "moving"
    CHANGED = "changed"
    BUMPED = "bumped"


@dataclass(frozen=True, slots=True)
class Small:
    """A frame made small: the logarithms of its brightness (h, w), and of its colours round each pixel (h, w, 3)."""

    grey: Floats
    colours: Floats


@dataclass(frozen=True, slots=True)
class Glance:
    """What one frame came to: the reading that still holds if the table is unchanged, and after a bump by how many of
    the frame's pixels (x, y) the picture moved.

    again: the table is to be read once more though it lies as it did. over: what is waited for reaches over the table.
    restless: nothing could be read for long; shaken: as it seems because the camera itself moves.
    """

    sight: Sight
    reading: TableReading | None = None
    shift_xy: tuple[float, float] = (0.0, 0.0)
    again: bool = False
    over: bool = False
    restless: bool = False
    shaken: bool = False


@dataclass(frozen=True, slots=True)
class Watch:
    """The state of watching: the last frame, how many frames there were no motion, or (`moving`) nothing but that, the
    frame last read and its reading, in how many looks it is read `again` though it lies as it did (0: never), and the
    last one that is known to show the table with nothing over it, with how many still frames an arm lay over it since.
    Each frame makes a new state.
    """

    last: Small | None = None
    still: int = 0
    read: Small | None = None
    reading: TableReading | None = None
    plain: Small | None = None
    waited: int = 0
    moving: int = 0
    again: int = 0
    settings: WatchSettings = SETTINGS

    def look(self, frame: Bytes) -> tuple[Watch, Glance]:
        """The state after a frame (h, w, 3) uint8, and what the frame shows. All frames are of one size."""
        small = reduced(frame, self.settings)
        calm = self.last is not None and not _changed(self.last.grey, small.grey, self.settings)
        watch = replace(self, last=small, still=self.still + 1 if calm else 0, moving=self.moving + 1)
        if watch.still < self.settings.still:
            restless = watch.moving % self.settings.restless == 0
            return watch, Glance(Sight.MOVING, restless=restless, shaken=restless and self._is_shaken(small))
        watch = replace(watch, moving=0)
        if watch.waited < self.settings.patient and watch._is_reached_over():
            restless = watch.waited % self.settings.restless == self.settings.doubted
            return replace(watch, waited=watch.waited + 1), Glance(Sight.MOVING, over=True, restless=restless)
        if self.read is None:
            return watch, Glance(Sight.CHANGED)
        if not _changed(self.read.grey, small.grey, self.settings):
            return watch._as_it_was()
        moved = _moved(self.read.grey, small.grey, self.settings, share=self.settings.explained)
        if moved is None:
            return watch, Glance(Sight.CHANGED)
        middle = np.array([small.grey.shape[1] / 2, small.grey.shape[0] / 2])
        x, y = (moved[:, :2] @ middle + moved[:, 2] - middle) * frame.shape[1] / small.grey.shape[1]
        return watch, Glance(Sight.BUMPED, None, (float(x), float(y)))

    def seen_plainly(self) -> Watch:
        """The state after it became known that in the frame last read nothing lay over the table."""
        return self if self.read is None else replace(self, plain=self.read, waited=0)

    def seen_bare(self) -> Watch:
        """The state after it became known that what seemed to reach over the table does not: the view is another."""
        return replace(self, waited=self.settings.patient)

    def _is_reached_over(self) -> bool:
        """Whether something reaches over the table from beyond the picture that was not there before."""
        return self.plain is not None and self.last is not None and _reaches_in(self.plain, self.last, self.settings)

    def _as_it_was(self) -> tuple[Watch, Glance]:
        """The state after a look at which the table lies as it was read, and what that is."""
        if self.again == 1:
            return self, Glance(Sight.CHANGED, self.reading, again=True)
        return replace(self, again=max(self.again - 1, 0)), Glance(Sight.UNCHANGED, self.reading)

    def _is_shaken(self, after: Small) -> bool:
        """Whether what moved since the last frame is the whole picture."""
        share = self.settings.explained
        return self.last is not None and _moved(self.last.grey, after.grey, self.settings, share=share) is not None

    def having_read(self, reading: TableReading | None = None) -> Watch:
        """The state after the last frame was read, or could not be (None)."""
        return replace(self, read=self.last, reading=reading, again=0)

    def to_read_again(self, looks: int = 1) -> Watch:
        """The state in which the table is read again though it lies as it did: so many looks from now."""
        return replace(self, again=looks)


def reduced(frame: Bytes, settings: WatchSettings = SETTINGS) -> Small:
    """The frame (h, w, 3) made small."""
    h, w = frame.shape[:2]
    size = settings.width, max(1, round(h * settings.width / w))
    small = cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
    # Smoothed before the logarithm, which a lost focus then hardly changes whatever the cloth.
    grey, colours = (
        np.log(image.astype(np.float32) + np.float32(settings.dark))
        for image in (cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), cv2.blur(small, (settings.broad, settings.broad)))
    )
    return Small(grey, colours)


def _changed(before: Floats, after: Floats, settings: WatchSettings) -> bool:
    return int(_spots(before, after, settings).sum()) >= settings.spots


def _spots(before: Floats, after: Floats, settings: WatchSettings) -> NDArray[np.bool_]:
    """The pixels (h, w) that differ by more than the light explains."""
    gap = after - before
    gap -= cv2.blur(gap, (settings.light, settings.light))
    return np.asarray(np.abs(cv2.blur(gap, (3, 3))) > settings.change)


def _reaches_in(before: Small, after: Small, settings: WatchSettings) -> bool:
    """Whether one patch of what differs comes from the edge of the picture and reaches far in, and does so too once a
    move of the whole picture is undone: the camera may have been bumped, while cards were moved as well."""
    if not _has_reached(before.colours, after.colours, 0, settings):
        return False
    moved = _moved(before.grey, after.grey, settings, share=0.0)
    if moved is None:
        return True
    edge = _edge(moved, before.grey)
    return _has_reached(before.colours, _moved_back(after.colours, moved), edge, settings)


def _has_reached(before: Floats, after: Floats, edge: int, settings: WatchSettings) -> bool:
    """Whether one patch of what differs between colours (h, w, 3) comes from the edge of what is within an edge of this
    width, and reaches far in."""
    gap = after - before
    # Against the light of the whole picture: against that around them, large patches would have a wide hem.
    gap -= np.median(gap, (0, 1)).astype(np.float32)
    spots = np.asarray((np.abs(gap) > settings.arm).any(2), np.uint8)
    spots = np.ascontiguousarray(spots[edge : len(spots) - edge, edge : spots.shape[1] - edge])
    # Where the colours were smoothed a patch is wider than what is there, and might touch another one, or the edge.
    shapes = (cv2.MORPH_ERODE, settings.broad), (cv2.MORPH_CLOSE, settings.gaps), (cv2.MORPH_OPEN, settings.wide)
    for kind, side in shapes:
        spots = np.asarray(cv2.morphologyEx(spots, kind, np.ones((side, side), np.uint8)), np.uint8)
    _, labels = cv2.connectedComponents(spots)
    far = round(settings.reach * len(labels))
    outer = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    inner = labels[far:-far, far:-far]
    return bool(np.intersect1d(outer[outer > 0], inner[inner > 0]).size)


def _moved(before: Floats, after: Floats, settings: WatchSettings, *, share: float) -> Floats | None:
    """How the whole picture was moved and turned, (2, 3), by the enhanced correlation coefficient; None where it was
    not, or that tells less than this share of what differs."""
    window = cv2.createHanningWindow((before.shape[1], before.shape[0]), cv2.CV_32F)
    # OpenCV may apply the window to what it is given, in place.
    (x, y), _ = cv2.phaseCorrelate(before.copy(), after.copy(), window)
    ways = [_refined(before, after, way, settings) for way in ((0.0, 0.0), (x, y))]
    _, moved = max(ways, key=lambda way: way[0])
    if moved is None or not settings.shift <= _farthest(moved, before) <= settings.knock * settings.width:
        return None
    return moved if _explains(moved, before, after, settings, share) else None


def _refined(
    before: Floats, after: Floats, start_xy: tuple[float, float], settings: WatchSettings
) -> tuple[float, Floats | None]:
    """The correlation and the way of moving and turning that is found from this shift on."""
    way = np.array([[1, 0, start_xy[0]], [0, 1, start_xy[1]]], np.float32)
    until = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, settings.looks, settings.settled)
    try:
        found, way = cv2.findTransformECC(before, after, way, cv2.MOTION_EUCLIDEAN, until, None, settings.smooth)  # type: ignore[call-overload]
    except cv2.error:  # nothing in common
        return -1.0, None
    return float(found), np.asarray(way, np.float32)


def _farthest(moved: Floats, picture: Floats) -> float:
    """How far a corner of the picture was moved."""
    h, w = picture.shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    return float(np.hypot(*(corners @ moved[:, :2].T + moved[:, 2] - corners).T).max())


def _edge(moved: Floats, picture: Floats) -> int:
    """The width of the edge of which nothing is known once the move is undone."""
    return int(np.ceil(_farthest(moved, picture))) + 2


def _moved_back(after: Floats, moved: Floats) -> Floats:
    size = after.shape[1], after.shape[0]
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(after, moved, size, flags=way, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _explains(moved: Floats, before: Floats, after: Floats, settings: WatchSettings, share: float) -> bool:
    """Whether this share of what differs does not once the move is undone."""
    edge = _edge(moved, before)
    inner = np.s_[edge:-edge, edge:-edge]
    was = int(_spots(before, after, settings)[inner].sum())
    left = int(_spots(before, _moved_back(after, moved), settings)[inner].sum())
    return left <= (1 - share) * was
