"""Two layouts in one picture: each half of the cards, taken alone, is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.layouts import LAYOUTS
from rules.rows.places import parse_place
from vision.detect.multiscale import Found
from vision.layout.table import Arranged
from vision.posterior.observation import STANDS
from vision.recognize import card_frame
from vision.recognize.index_reader import CARDS, NONE, READ, Readings

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Settings:
    """When a picture may show two layouts, so that it is worth a look at each half of it. Set by judgement."""

    stray: float = 0.25  # that share of the indices read on no place of the layout,
    few: int = 12  # and so many of them at least
    cards: int = 24  # cards seen at least, where no layout is told
    rounds: int = 10  # of finding the middle between the halves
    apart: float = 1.5  # card sizes between the middles of the nearest cards of the two


SETTINGS = Settings()


def may_be(arranged: Arranged | None, found: Found, readings: Readings) -> bool:
    """Whether so much lies on no place of the layout told, or more cards than there are on its places."""
    if arranged is None:
        return len(found.cards) >= SETTINGS.cards
    places = [*arranged.places, *arranged.piles]
    if sum(query.lies for query in places) > len(CARDS):
        return True
    sure = readings.take(readings.beliefs[:, :NONE].max(1, initial=0.0) > READ)
    if not places or len(sure) < SETTINGS.few:
        return False
    off, _ = card_frame.misfits(np.stack([query.axes for query in places]), sure.frames)
    strays = int((off.min(0) > card_frame.REACH * STANDS).sum())
    return strays >= max(SETTINGS.few, SETTINGS.stray * len(sure))


def stands_alone(half: Arranged | None) -> bool:
    """Whether what half of the cards was arranged to is a layout of its own: of half rows some lie to the left and some
    to the right of the base column, else it is half of a layout whose base column lies far from the half rows.
    """
    if half is None or not LAYOUTS[half.layout].lines:
        return half is not None
    stacks = [known[0] for query in half.places if query.lies and (known := parse_place(query.place)) is not None]
    return len({stack.side for stack in stacks if stack.kind == "half"}) > 1


def halves(found: Found, readings: Readings) -> Sequence[tuple[Found, Readings]]:
    """What was found on either side of a gap between two heaps of cards, along the way in which they extend most;
    nothing where there is no such gap. The card map is that of the whole picture.
    """
    at = found.cards.middle_xy.astype(np.float64)
    if len(at) < 2 or not np.ptp(at, axis=0).any():
        return ()
    middle = at.mean(0)
    along = np.linalg.svd(at - middle, full_matrices=False)[2][0]
    way = (at - middle) @ along
    border = 0.0
    for _ in range(SETTINGS.rounds):
        border = (way[way > border].mean() + way[way <= border].mean()) / 2
    size = 2 * np.median(np.abs(found.cards.right_xy @ along) + np.abs(found.cards.down_xy @ along))
    if way[way > border].min() - way[way <= border].max() < SETTINGS.apart * size:
        return ()

    def part(beyond: bool) -> tuple[Found, Readings]:
        def here(points: NDArray[np.floating]) -> Flags:
            return np.asarray(((points - middle) @ along > border) == beyond)

        return only_where(here, found, readings)

    return part(False), part(True)


def only_where(
    here: Callable[[NDArray[np.floating]], Flags], found: Found, readings: Readings
) -> tuple[Found, Readings]:
    """What was found and read in a part of a picture. here: which of some points (n, 2), in pixels, lie there."""
    frames = here(found.frames[:, :, 2])
    kept = replace(
        found,
        frames=found.frames[frames],
        heat=found.heat[frames],
        corners=found.corners.take(here(found.corners.at_xy)),
        cards=found.cards.take(here(found.cards.middle_xy)),
    )
    return kept, readings.take(here(readings.frames[:, :, 2]))
