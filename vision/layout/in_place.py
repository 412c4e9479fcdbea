"""A pyramid whose places are known: by an earlier picture of the same table, and how the camera has moved since.

No layout is sought then: every place is looked at where it lies, whether a card was found there or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.layouts import LAYOUTS, PILES, STOCK, TURNED
from vision.layout import likelihood
from vision.layout.by_hand import ByHand
from vision.layout.table import Arranged, Table
from vision.posterior.observation import Query, none_read
from vision.posterior.spotted import quad
from vision.reading import Quad
from vision.recognize import card_frame

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settings:
    """When a candidate lies on a place. Set by judgement."""

    least: float = 1.0  # a place of less than so many square pixels (a quarter of its area) is none
    shows: float = 0.5  # one with less of a chance to be a card is none, if no other card lies on it
    near: float = 0.4  # it lies so near, in sides of the place,
    loose: float = 0.8  # or so near where cards are not laid that exactly: on a pile, or where the same card lay


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class InPlace:
    """The id of a pyramid, and where its places lie in the picture, those of its piles too: corners (4, 2) in pixels,
    clockwise from the upper left; places that are not named are not looked at."""

    layout: str
    at: Mapping[str, Quad]

    def scaled(self, factor: float) -> InPlace:
        """The same in a picture enlarged by this factor."""
        return InPlace(self.layout, {place: quad(np.array(there) * factor) for place, there in self.at.items()})


Asked = str | InPlace | ByHand | None
"""Which layout a picture is read in: ``auto`` finds it out, None is a spread, else its id, or where its places lie, or
where a person says that its outer cards do."""


def arranged(table: Table, known: InPlace) -> Arranged:
    """The pyramid, each candidate on the place on which it lies."""
    table = table.take(np.flatnonzero(table.cards.present > likelihood.ALSO))
    axes = {place: card_frame.axes_of(np.array(quad)) for place, quad in known.at.items()}
    axes = {place: there for place, there in axes.items() if abs(np.linalg.det(there[:, :2])) > SETTINGS.least}
    if STOCK in axes:
        axes.setdefault(TURNED, axes[STOCK])
    lying = _lying(table, axes)
    table = table.turned(_against(table, axes, lying))
    present, face = table.cards.present, table.cards.face
    carries: dict[str, bool] = {}
    for spot in reversed(LAYOUTS[known.layout].spots):
        # A card that lies there, or that carries others itself; one that carries none must show well.
        over = carries[spot.place] = any(place in lying or carries[place] for place in spot.covered_by)
        if not over and spot.place in lying and present[lying[spot.place]] <= SETTINGS.shows:
            del lying[spot.place]
    spots, outside = [], []
    for spot in (spot for spot in LAYOUTS[known.layout].spots if spot.place in axes):
        place = spot.place
        if place in lying:
            query = table.lying(place, lying[place])
            # The outline of a back among others is made out less well than the place is known.
            query = query if face[lying[place]] > 0.5 else replace(query, axes=axes[place])
        elif table.shows(axes[place]):
            query = Query(place, axes[place], none_read(), found=False)
        else:
            outside.append(place)
            continue
        ends = (False,) if carries[place] else (False, True)
        spots.append(replace(query, ends=ends, carries=carries[place], covered_by=spot.covered_by))
    return Arranged(known.layout, tuple(spots), _piles(table, axes, lying), (), tuple(outside))


def _lying(table: Table, axes: Mapping[str, Doubles]) -> dict[str, int]:
    """The candidate on each place on which one lies: the nearest places first."""
    face, middles = table.cards.face, table.axes[:, :, 2]
    near = []
    for place, there in axes.items():
        # The turned card may lie on the stock: what shows its face is the one, what shows its back the other.
        may = face <= 0.5 if place == STOCK else face > 0.5 if place == TURNED else np.ones(len(face), bool)
        off = np.abs(np.linalg.solve(2 * there[:, :2], (middles - there[:, 2]).T)).max(0)
        reach = SETTINGS.loose if place in PILES else SETTINGS.near
        near += [(float(off[n]), place, int(n)) for n in np.flatnonzero(may & (off < reach))]
    return nearest_first(near)


def nearest_first(near: Iterable[tuple[float, str, int]]) -> dict[str, int]:
    """Which of some numbered cards lies at each place, by how far which is off which: the nearest pairs first, each
    card and each place once."""
    lying: dict[str, int] = {}
    for _, place, number in sorted(near):
        if place not in lying and number not in lying.values():
            lying[place] = number
    return lying


def _against(table: Table, axes: Mapping[str, Doubles], lying: Mapping[str, int]) -> NDArray[np.bool_]:
    """Which candidates (n,) lie the other way up than their places."""
    against = np.zeros(len(table.axes), bool)
    for place, number in lying.items():
        against[number] = axes[place][:, 1] @ table.axes[number, :, 1] < 0
    return against


def _piles(table: Table, axes: Mapping[str, Doubles], lying: Mapping[str, int]) -> tuple[Query, ...]:
    piles = []
    for pile in (pile for pile in PILES if pile in axes):
        if pile in lying:
            piles.append(replace(table.lying(pile, lying[pile]), kind="pile"))
        elif pile == STOCK and TURNED not in lying:
            piles.append(table.empty(pile, axes[pile], kind="stock"))
        elif pile not in (STOCK, TURNED):
            piles.append(table.empty(pile, axes[pile], kind="pile"))
    return tuple(piles)
