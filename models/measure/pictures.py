"""Pictures with their truth, wherever they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

Slot = str | bool | None
# Rank heights in pixels below which even people guess; such cards may be missed, but never read wrongly and surely.
READABLE = 9.0


@dataclass(frozen=True, slots=True)
class TrueCard:
    """One card that lies face up and shows an index.

    quad_xy: (4, 2) pixels, clockwise from its own top left, None where the truth does not say where it lies.
    frames: (n, 2, 3) of the indices that show wholly, as in ``vision.recognize.index_crops``; none where it is not
    known.
    """

    code: str
    quad_xy: np.ndarray | None = None
    frames: np.ndarray | None = None
    place: str = ""

    @property
    def height(self) -> float | None:
        """Height of the largest printed rank that shows, in pixels; None where it is not known."""
        if self.frames is None:
            return None
        return float(np.linalg.norm(self.frames[:, :, 1], axis=1).max(initial=0.0))

    @property
    def readable(self) -> bool:
        """Whether a person could read it."""
        return self.height is None or self.height >= READABLE


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture (h, w, 3) uint8 RGB and what lies on its table.

    layout: the layout to ask for, None for a spread. cards: the face-up cards that show an index. hidden: codes of
    face-up cards that show none, which may be named or not. places: of a layout, as the reader names them: a code,
    ``??`` face down, None gone, the stock as a truth value. places_xy: where those that hold a card lie (4, 2).
    spare: cards that may be named beyond the truth, cut off by the picture's edge. foreign: where cards of no deck
    lie, (4, 2) each, and whether most of it shows. backs: where cards lie face down that are of no layout, (4, 2) each.
    lying: where any card lies, those included of which nothing shows, (4, 2) each; None where that is not known.
    """

    name: str
    pixels: np.ndarray
    layout: str | None
    cards: tuple[TrueCard, ...]
    hidden: tuple[str, ...] = ()
    places: Mapping[str, Slot] | None = None
    places_xy: Mapping[str, np.ndarray] | None = None
    spare: int = 0
    group: str = ""
    foreign: tuple[tuple[np.ndarray, bool], ...] = ()
    backs: tuple[np.ndarray, ...] = ()
    lying: tuple[np.ndarray, ...] | None = None
