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
    shift: float = 0.3  # a move of the whole picture by less is none
    explained: float = 0.6  # share of the change that goes when the shift is undone, if the camera was bumped
    still: int = 2  # so many frames in a row without motion before the table is read
    reach: float = 0.2  # what comes from beyond the picture's edge and reaches so far in, of its height, is an arm,
    arm: float = 0.15  # if any colour is this much lighter or darker than what was there (as a share),
    gaps: int = 5  # though gaps so wide are in it,
    wide: int = 11  # and so wide;
    patient: int = 60  # after so many still frames it is taken for something that stays


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
    """A frame made small: the logarithms of its brightness (h, w) and of its colours (h, w, 3)."""

    grey: Floats
    colours: Floats


@dataclass(frozen=True, slots=True)
class Glance:
    """What one frame came to: the reading that still holds if the table is unchanged, and after a bump by how many of
    the frame's pixels (x, y) the picture moved.
    """

    sight: Sight
    reading: TableReading | None = None
    shift_xy: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Watch:
    """The state of watching: the last frame, how many frames there were no motion, the frame last read and its
    reading, and the last one that is known to show the table with nothing over it. Each frame makes a new state.
    """

    last: Small | None = None
    still: int = 0
    read: Small | None = None
    reading: TableReading | None = None
    plain: Small | None = None
    settings: WatchSettings = SETTINGS

    def look(self, frame: Bytes) -> tuple[Watch, Glance]:
        """The state after a frame (h, w, 3) uint8, and what the frame shows. All frames are of one size."""
        small = reduced(frame, self.settings)
        calm = self.last is not None and not _changed(self.last.grey, small.grey, self.settings)
        watch = replace(self, last=small, still=self.still + 1 if calm else 0)
        if watch.still < self.settings.still or watch._is_reached_over():
            return watch, Glance(Sight.MOVING)
        if self.read is None:
            return watch, Glance(Sight.CHANGED)
        if not _changed(self.read.grey, small.grey, self.settings):
            return watch, Glance(Sight.UNCHANGED, self.reading)
        shift = _shift(self.read.grey, small.grey, self.settings)
        if shift is None:
            return watch, Glance(Sight.CHANGED)
        scale = frame.shape[1] / small.grey.shape[1]
        return watch, Glance(Sight.BUMPED, None, (shift[0] * scale, shift[1] * scale))

    def seen_plainly(self) -> Watch:
        """The state after it became known that in the frame last read nothing lay over the table."""
        return self if self.read is None else replace(self, plain=self.read)

    def _is_reached_over(self) -> bool:
        """Whether something reaches over the table from beyond the picture that was not there before."""
        if self.plain is None or self.last is None or self.still >= self.settings.patient:
            return False
        return _reaches_in(self.plain, self.last, self.settings)

    def having_read(self, reading: TableReading) -> Watch:
        """The state after the last frame was read."""
        return replace(self, read=self.last, reading=reading)


def reduced(frame: Bytes, settings: WatchSettings = SETTINGS) -> Small:
    """The frame (h, w, 3) made small."""
    h, w = frame.shape[:2]
    size = settings.width, max(1, round(h * settings.width / w))
    small = cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
    grey, colours = (
        np.log(image.astype(np.float32) + np.float32(settings.dark))
        for image in (cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), small)
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
    """Whether one patch of what differs comes from the edge of the picture and reaches far in. Where the camera was
    bumped every edge on the table may differ, and nobody can tell."""
    if _shift(before.grey, after.grey, settings) is not None:
        return False
    gap = after.colours - before.colours
    # Against the light of the whole picture: against that around them, large patches would have a wide hem.
    gap -= np.median(gap, (0, 1)).astype(np.float32)
    spots = np.asarray((np.abs(cv2.blur(gap, (3, 3))) > settings.arm).any(2), np.uint8)
    for kind, side in ((cv2.MORPH_CLOSE, settings.gaps), (cv2.MORPH_OPEN, settings.wide)):
        spots = np.asarray(cv2.morphologyEx(spots, kind, np.ones((side, side), np.uint8)), np.uint8)
    _, labels = cv2.connectedComponents(spots)
    far = round(settings.reach * len(labels))
    outer = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    inner = labels[far:-far, far:-far]
    return bool(np.intersect1d(outer[outer > 0], inner[inner > 0]).size)


def _shift(before: Floats, after: Floats, settings: WatchSettings) -> tuple[float, float] | None:
    """By how much (x, y) the whole picture moved, if that is what changed; else None."""
    window = cv2.createHanningWindow((before.shape[1], before.shape[0]), cv2.CV_32F)
    # OpenCV may apply the window to what it is given, in place.
    (x, y), _ = cv2.phaseCorrelate(before.copy(), after.copy(), window)
    if np.hypot(x, y) < settings.shift:
        return None
    back = np.array([[1, 0, x], [0, 1, y]], np.float32)
    undone = cv2.warpAffine(
        after, back, after.shape[::-1], flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    edge = int(np.ceil(max(abs(x), abs(y)))) + 2
    inner = np.s_[edge:-edge, edge:-edge]
    was = int(_spots(before, after, settings)[inner].sum())
    left = int(_spots(before, np.asarray(undone, np.float32), settings)[inner].sum())
    return (float(x), float(y)) if left <= (1 - settings.explained) * was else None
