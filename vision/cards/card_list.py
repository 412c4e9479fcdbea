"""One list of the cards of a picture on which an index was read, each once and at any angle: what a layout is sought
among, what is told of a spread, and what lies beside a layout.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards import index_marks
from vision.detect.multiscale import Found
from vision.posterior.observation import Query
from vision.recognize import card_frame
from vision.recognize.index_reader import Readings

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Settings:
    """What counts as a card. Set by judgement, tried on drawn pictures of loose cards."""

    bare: float = 0.4  # so much more of a chance of an index is asked for where no card shows: print on a page or a box
    # looks like an index too


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class CardList:
    """The k cards read in a picture.

    readings: all that were made. usual: where this deck's upper left index stands, (2, 3) in half sides. four: whether
    its cards have four of them. axes: (k, 2, 3) in pixels. own: k lists of the numbers of its readings, the surest
    first. home: (k,) which of the cards found each is, −1 for none.
    """

    readings: Readings
    usual: Doubles
    four: bool
    axes: Doubles
    own: tuple[tuple[int, ...], ...]
    home: Ints

    def __len__(self) -> int:
        return len(self.own)

    def lying(self, number: int) -> Query:
        """What to look at where that card lies, in no layout and without the name of a place."""
        mine = self.readings.take(np.array(self.own[number], np.intp))
        return Query("", self.axes[number], mine, (), bool(self.home[number] >= 0), kind="loose")


def listed(found: Found, readings: Readings) -> CardList:
    """The cards that these readings were made on."""
    finds = card_frame.axes_of_all(found.cards.quads())
    bare = found.kinds.at(readings.frames[:, :, 2])[:, 0]
    kept = np.flatnonzero(readings.is_index() >= 0.5 + SETTINGS.bare * bare)
    marks = readings.take(kept)
    # Large indices stand further in than usual ones: where this deck has its own is learnt from the picture first.
    usual = card_frame.template(finds, marks, card_frame.owners(finds, marks))
    if not len(marks):
        return CardList(readings, usual, False, np.zeros((0, 2, 3)), (), np.zeros(0, np.intp))
    owner = card_frame.owners(finds, marks, usual[:, 2])
    axes = _told_by(marks, finds, owner, usual)
    groups, four = index_marks.put_together(index_marks.on_cards(axes, marks), usual[:, 2] / 2)
    homes = _homes(axes, groups, owner, finds)
    told = [_agreed(axes[group], marks.take(np.array(group)), usual) for group in groups]
    lies = [_upright(own, finds, home) for own, home in zip(told, homes.tolist(), strict=True)]
    return CardList(
        readings, usual, four, np.array(lies), tuple(tuple(kept[group].tolist()) for group in groups), homes
    )


def _told_by(readings: Readings, finds: Doubles, owner: Ints, usual: Doubles) -> Doubles:
    """The card (n, 2, 3) that each index tells of, as if it were its upper left one: as large and as turned as the find
    it belongs to (−1 for none), or as its own print. usual: where this deck has that index, (2, 3) in half sides.
    """
    frames = readings.frames.astype(np.float64)
    sides = frames[:, :, :2] @ np.linalg.inv(usual[:, :2])
    if len(finds):
        its = finds[owner]
        _, turned = card_frame.standing(its, frames, usual[:, 2])
        its = np.where(turned[:, None, None], card_frame.over(its), its)[:, :, :2]
        sides = np.where(owner[:, None, None] >= 0, its, sides)
    return np.concatenate([sides, frames[:, :, 2:] - sides @ usual[:, 2, None]], axis=2)


def _agreed(axes: Doubles, own: Readings, usual: Doubles) -> Doubles:
    """The card (2, 3) on which most of these indices stand, of those (n, 2, 3) that each of them tells of, the surest
    first: of a four-index card the right ones tell of one farther right.
    """
    stand = card_frame.misfits(axes, own.frames, usual[:, 2])[0] < card_frame.REACH
    return np.asarray(axes[int(stand.sum(1).argmax())])


def _homes(axes: Doubles, groups: list[list[int]], owner: Ints, finds: Doubles) -> Ints:
    """Which find each card that was read is, −1 for none: one that an index of its belongs to, and that lies where the
    card does; no find is two cards. axes: (n, 2, 3) of the card that each index tells of.
    """
    home, taken = np.full(len(groups), -1, np.intp), set[int]()
    ways = []
    for number, group in enumerate(groups):
        for n in group:
            off = np.linalg.solve(axes[n, :, :2], finds[owner[n], :, 2] - axes[n, :, 2]) if owner[n] >= 0 else np.inf
            ways.append((float(np.abs(off).max()) / 2, number, int(owner[n])))
    for off, number, find in sorted(ways):
        if off < card_frame.SAME and home[number] < 0 and find not in taken:
            home[number] = find
            taken.add(find)
    return home


def _upright(axes: Doubles, finds: Doubles, home: int) -> Doubles:
    """The card (2, 3) as it was found, the way up that its index says if that is a way up for who looks at it."""
    if home < 0:
        return axes
    found = finds[home]
    turned = float(found[:, 1] @ axes[:, 1]) < 0
    return card_frame.over(found) if turned and found[1, 1] < 0 else found
