"""Indices on the rectified table, and which of them stand on one card.

A card shows its index at the upper left and, turned, at the lower right; on decks with four indices at the two other
corners as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.homography import Plane, Twins
from vision.recognize.index_reader import NONE, Readings

Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Settings:
    """When indices are of one card. Lengths in card sides; set by how cards are laid and printed, and tried on drawn
    validation tables.
    """

    named: float = 0.9  # more of a chance of one card, and two readings of it are of that card
    index: float = 0.5  # less of a chance of an index, and a reading is no witness of a card
    upright: float = 0.8  # cosine between an index and its card's long side, at least
    same: tuple[float, float] = (0.1, 0.1)  # middles told by two indices so near, across and down, are of one card
    again: float = 0.3  # the same, down, where both name the same card,
    beside: tuple[float, float] = (0.2, 0.28)  # and across, at one end and at both ends of it
    mirrored: float = 0.12  # so exactly do the indices of a four-index card stand beside each other
    four: float = 0.12  # a deck with so large a share of indices beside their like has four on each card


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Marks:
    """Indices on the table: where they stand (n, 2), 1 for upright ones and −1 for turned ones (n,), beliefs (n, 54),
    the card each names (n,), and the number of the reading (n,).
    """

    at: Doubles
    sign: Doubles
    belief: Doubles
    best: Ints
    number: Ints

    def __len__(self) -> int:
        return len(self.at)


def twins(readings: Readings, site: Doubles) -> Twins:
    """The readings that surely name one card, two by two.

    site: (2,) in card units, where the upper left index stands.
    """
    named = readings.beliefs[:, :NONE]
    sure = np.flatnonzero(named.max(1) > SETTINGS.named)
    best, at = named[sure].argmax(1), readings.frames[sure, :, 2].astype(np.float64)
    first, second = np.nonzero(np.triu(best[:, None] == best, 1))
    return Twins(np.stack([at[first], at[second]], axis=1), 2 * np.abs(site))


def on_table(plane: Plane, readings: Readings) -> Marks:
    """The readings that are of an index which stands as those of upright cards do."""
    frames = readings.frames.astype(np.float64)
    kept = np.flatnonzero(readings.is_index() > SETTINGS.index)
    at = plane.flat(frames[kept, :, 2]).reshape(-1, 2)
    down = plane.directions(frames[kept, :, 2], frames[kept, :, 1]).reshape(-1, 2) if len(kept) else at
    along = down[:, 1] / np.maximum(np.linalg.norm(down, axis=1), 1e-9)
    upright = np.abs(along) > SETTINGS.upright
    belief = readings.beliefs[kept][upright]
    best = np.asarray(belief[:, :NONE].argmax(1), np.intp)
    return Marks(at[upright], np.sign(along[upright]), belief, best, kept[upright])


def has_four(marks: Marks, site: Doubles) -> bool:
    """Whether many indices have their like beside them, where the other upper index of a card stands."""
    if not len(marks):
        return False
    apart = marks.at[None] - marks.at[:, None]
    off = np.hypot(np.abs(apart[:, :, 0]) - 2 * abs(site[0]), apart[:, :, 1])
    alike = (marks.best[None] == marks.best[:, None]) & (marks.sign[None] == marks.sign[:, None])
    return bool(((off < SETTINGS.mirrored) & alike).any(1).mean() > SETTINGS.four)


def groups(marks: Marks, site: Doubles, four: bool) -> list[list[int]]:
    """The indices of each card, the surest first: they name the same card, or stand where one card has its indices."""
    at_one, as_one = _fitting(marks, site, four)
    # The group of each index that has one, and the card that the first of that names.
    of, named = np.full(len(marks), -1, np.intp), np.full(len(marks), -1, np.intp)
    out: list[list[int]] = []
    widest = _widest(site)
    for n in np.argsort(-marks.belief[:, :NONE].max(1)).tolist():
        mine = of[(of >= 0) & (at_one[n] | (as_one[n] & (named == marks.best[n])))]
        mine = mine[[bool(np.ptp(marks.at[[n, *out[m]], 0]) < widest) for m in mine]] if four else mine
        if len(mine):
            of[n] = mine.min()
            out[of[n]].append(n)
        else:
            of[n] = len(out)
            out.append([n])
        named[n] = marks.best[out[of[n]][0]]
    return out


def _fitting(marks: Marks, site: Doubles, four: bool) -> tuple[Flags, Flags]:
    """Which indices (n, n) stand where one card has its indices, and which where they may, if they name one card."""
    middle = marks.at - marks.sign[:, None] * site
    off = np.abs(middle[:, None] - middle)
    alike = marks.sign[:, None] == marks.sign
    # With four indices on a card, those of its neighbour may stand where its own at the other end would.
    at_one = (off < SETTINGS.same).all(2) & (alike | (not four))
    # Corners are not found exactly, so the two sides of a card are not quite where they should be.
    across = np.abs(marks.at[:, None, 0] - marks.at[:, 0])
    if four:
        reach = np.where(alike, *SETTINGS.beside)
        own = (np.abs(across - 2 * abs(site[0])) < reach) | (across < SETTINGS.beside[0])
    else:
        # The upper one stands left of the lower one: what stands the other way round is of two cards.
        own = np.where(alike, across < SETTINGS.beside[0], off[:, :, 0] < SETTINGS.beside[1])
    return at_one, own & (off[:, :, 1] < np.where(alike, SETTINGS.same[1], SETTINGS.again))


def _widest(site: Doubles) -> float:
    """The farthest that the indices of one four-index card stand apart across."""
    return 2 * abs(float(site[0])) + SETTINGS.beside[1]


def joined(groups: list[list[int]], marks: Marks, site: Doubles) -> list[list[int]]:
    """The groups of four-index cards, those that stand at one side of one card as one: what stands at its upper end was
    read as another card than what stands at its lower one.
    """
    middle = marks.at - marks.sign[:, None] * site
    widest = _widest(site)
    out: list[list[int]] = []
    for group in groups:
        # The right side of a card may stand where the left one of its neighbour does: together they are too wide.
        home = next(
            (
                other
                for other in out
                if np.ptp(marks.at[[*group, *other], 0]) < widest and _at_one_side(group, other, marks, middle)
            ),
            None,
        )
        if home is None:
            out.append(list(group))
        else:
            home.extend(group)
    return out


def _at_one_side(group: list[int], other: list[int], marks: Marks, middle: Doubles) -> bool:
    across = np.abs(marks.at[group, None, 0] - marks.at[None, other, 0])
    down = np.abs(middle[group, None, 1] - middle[None, other, 1])
    # What stands beside the other at the same end is the index of a neighbour.
    beside = (across < SETTINGS.beside[0]) & (marks.sign[group, None] == marks.sign[None, other])
    return bool(
        ((across < SETTINGS.same[0]) & (down < SETTINGS.same[1])).any()
        and not (beside & (down < SETTINGS.same[1])).any()
    )
