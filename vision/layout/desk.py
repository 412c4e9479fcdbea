"""Looking at places: what the search found there, what the map shows, and a second look where an index should be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards import card_frame
from vision.cards.proposals import Flat
from vision.detect.multiscale import Found, Kinds
from vision.image.shrunk import Shrunk
from vision.nets.session import Net
from vision.posterior.observation import STANDS, Kind, Query, observe
from vision.posterior.spotted import Spotted, judged
from vision.recognize.index_reader import Readings

Doubles = NDArray[np.float64]


# So much of a card, in its half sides, is kept from where the row above ends: cards are laid unevenly.
CLEAR = 0.12
_ALL = np.array([(a, b) for a in (-0.75, -0.4, 0, 0.4, 0.75) for b in np.linspace(-0.85, 0.85, 4)])


@dataclass(frozen=True, slots=True)
class Desk:
    """What lies ready while the places of one picture are looked at.

    net, whole: the one that reads windows, and the one that looks at whole cards. owner: which find each reading
    belongs to. axes: of every find. usual: where this deck's indices stand. row: rows stand this many card heights
    apart.
    """

    picture: Shrunk
    net: Net
    whole: Net
    readings: Readings
    owner: NDArray[np.intp]
    axes: list[Doubles]
    cards: Flat
    usual: Doubles
    found: Found
    row: float

    @property
    def kinds(self) -> Kinds:
        """What the card map shows."""
        return self.found.kinds

    def shows(self, axes: Doubles) -> bool:
        """Whether the upper part of a place lies inside the picture."""
        height, width = self.picture.levels[0].shape[:2]
        upper = [axes[:, 2] + side * 0.6 * axes[:, 0] - 0.6 * axes[:, 1] for side in (-1, 1)]
        return all(0 <= x < width and 0 <= y < height for x, y in upper)

    def is_card(self, number: int) -> bool:
        """Whether a card shows where this find lies (a find off the grid may be a thing on the table)."""
        return self.bare(self.axes[number]) < 0.5

    def query(self, place: str, number: int | None, axes: Doubles, *, carries: bool, told: float) -> Query:
        """What to look at in a place on which the find `number` lies, or none."""
        mine = self.readings.take(np.flatnonzero(self.owner == (-2 if number is None else number)))
        return Query(place, axes, mine, (False,) if carries else (False, True), number is not None, carries, told)

    def query_of(self, place: str, axes: Doubles, *, kind: Kind, found: bool = True, told: float = 1.0) -> Query:
        """What to look at where a card may lie that is on no place: the indices that stand on it."""
        fits, _ = card_frame.misfit(axes, self.readings.frames)
        mine = self.readings.take(np.flatnonzero(fits < card_frame.REACH * STANDS))
        return Query(place, axes, mine, (False, True), found, told=told, kind=kind)

    def judged(self, queries: Sequence[Query]) -> tuple[Spotted, ...]:
        """What lies at these places."""
        return judged(observe(self.picture, queries, self.found, (self.net, self.whole), self.usual))

    def bare(self, axes: Doubles) -> float:
        """Chance that no card shows at `axes`."""
        return float(self.kinds.at(_ALL @ axes[:, :2].T + axes[:, 2]).mean(0)[0])

    def below(self, axes: Doubles) -> Doubles:
        """Chances (3,) that no card, a face or a back shows on the part of `axes` that no card of the row above
        reaches.
        """
        low = min(1 - 2 * self.row + CLEAR, 0.6)
        grid = np.array([(a, b) for a in (-0.7, -0.35, 0, 0.35, 0.7) for b in np.linspace(low, 0.85, 4)])
        return np.asarray(self.kinds.at(grid @ axes[:, :2].T + axes[:, 2]).mean(0), np.float64)

    def back_shows(self, axes: Doubles) -> float:
        """Share of a card at `axes` that looks like a back."""
        return float(self.shares(axes[None])[0, 2])

    def shares(self, axes: Doubles) -> Doubles:
        """Shares (n, 3) of cards at axes (n, 2, 3) that look like no card, a face and a back."""
        grid = np.array([(a, b) for a in (-0.7, 0, 0.7) for b in (-0.75, -0.25, 0.25, 0.75)])
        at = np.einsum("nij,kj->nki", axes[:, :, :2], grid) + axes[:, None, :, 2]
        return np.asarray(self.kinds.at(at.reshape(-1, 2)).reshape(len(axes), -1, 3).mean(1), np.float64)
