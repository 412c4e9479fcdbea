"""Which indices stand on one card, and where they stand on the rectified table.

A card shows its index at the upper left and, turned, at the lower right; on decks with four indices at the two other
corners as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.homography import Plane, Twins
from vision.recognize.index_reader import NONE, READ, Readings

Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Settings:
    """When indices are of one card. Lengths in card sides; set by how cards are laid and printed, and tried on drawn
    validation tables.
    """

    upright: float = 0.8  # cosine between an index and its card's long side, at least
    alike: float = 0.01  # no more of a chance to name the same card, and indices are of two: cards lie over each other
    same: float = 0.1  # middles told by two indices so near are of one card, and so exactly those of a four-index card
    # stand beside each other
    # The same where both name the same card, for hardly any table shows one twice, and each index tells by itself how
    # large its card is, or a find does that may be of another card: at one end and at both ends of it
    beside: tuple[float, float] = (0.2, 0.8)
    four: float = 0.12  # a deck with so large a share of indices beside their like has four on each card


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Pairs:
    """How n indices stand to each other.

    apart: (n, n, 2) how far right of and below each the others stand, in sides of the card of the first, as it lies if
    that index is its upper left one. way: (n, n) 1 where both stand the same way up, −1 where they stand the other way
    up, 0 where they are askew. alike: (n, n) the chance that both name one card. best, sure: (n,) the card that each
    names, and its chance.
    """

    apart: Doubles
    way: Doubles
    alike: Doubles
    best: Ints
    sure: Doubles

    def __len__(self) -> int:
        return len(self.best)

    def middles(self, site: Doubles) -> Doubles:
        """How far apart (n, n, 2) the middles of their cards lie, if each is the upper left index of its own."""
        return np.abs(self.apart + (1 - self.way[:, :, None]) * site)


@dataclass(frozen=True, slots=True)
class Marks:
    """Indices on the table: where they stand (n, 2), 1 for upright ones and −1 for turned ones (n,), beliefs (n, 54),
    and the number of the reading (n,).
    """

    at: Doubles
    sign: Doubles
    belief: Doubles
    number: Ints

    def __len__(self) -> int:
        return len(self.at)


def on_cards(axes: Doubles, readings: Readings) -> Pairs:
    """How indices stand to each other that lie at any angle; axes: (n, 2, 3) in pixels of the card that each tells of,
    in half sides, if it is its upper left index.
    """
    at = readings.frames[:, :, 2].astype(np.float64)
    to_sides = np.linalg.inv(axes[:, :, :2]) / 2
    apart = np.einsum("nij,nmj->nmi", to_sides, at - at[:, None])
    down = axes[:, :, 1] / np.maximum(np.linalg.norm(axes[:, :, 1], axis=1, keepdims=True), 1e-9)
    along = down @ down.T
    return Pairs(apart, np.where(np.abs(along) > SETTINGS.upright, np.sign(along), 0.0), *_named(readings.beliefs))


def _named(beliefs: Doubles) -> tuple[Doubles, Ints, Doubles]:
    """The chance (n, n) that two name one card, the card (n,) that each names, and its chance (n,)."""
    named = beliefs[:, :NONE]
    return named @ named.T, np.asarray(named.argmax(1), np.intp), np.asarray(named.max(1, initial=0.0))


def twins(readings: Readings, site: Doubles) -> Twins:
    """The readings that surely name one card, two by two.

    site: (2,) in card units, where the upper left index stands.
    """
    named = readings.beliefs[:, :NONE]
    sure = np.flatnonzero(named.max(1) > READ)
    best, at = named[sure].argmax(1), readings.frames[sure, :, 2].astype(np.float64)
    first, second = np.nonzero(np.triu(best[:, None] == best, 1))
    return Twins(np.stack([at[first], at[second]], axis=1), 2 * np.abs(site))


def on_table(plane: Plane, readings: Readings) -> Marks:
    """The readings that are of an index which stands as those of upright cards do."""
    frames = readings.frames.astype(np.float64)
    kept = np.flatnonzero(readings.is_index() > 0.5)
    at = plane.flat(frames[kept, :, 2]).reshape(-1, 2)
    down = plane.directions(frames[kept, :, 2], frames[kept, :, 1]).reshape(-1, 2) if len(kept) else at
    along = down[:, 1] / np.maximum(np.linalg.norm(down, axis=1), 1e-9)
    upright = np.abs(along) > SETTINGS.upright
    return Marks(at[upright], np.sign(along[upright]), readings.beliefs[kept][upright], kept[upright])


def has_four(pairs: Pairs, site: Doubles) -> bool:
    """Whether many indices have their like beside them, where the other upper index of a card stands."""
    if not len(pairs):
        return False
    alike = pairs.best[None] == pairs.best[:, None]
    return bool((_mirrored(pairs, site) & alike).any(1).mean() > SETTINGS.four)


def _mirrored(pairs: Pairs, site: Doubles) -> Flags:
    """Which indices (n, n) stand beside each other exactly as the two at one end of a four-index card do."""
    off = np.hypot(np.abs(pairs.apart[:, :, 0]) - 2 * abs(site[0]), pairs.apart[:, :, 1])
    return np.asarray((off < SETTINGS.same) & (pairs.way > 0))


def put_together(pairs: Pairs, site: Doubles) -> tuple[list[list[int]], bool]:
    """The indices of each card, the surest first, and whether cards of this deck have four of them."""
    four = has_four(pairs, site)
    each = groups(pairs, site, four)
    return (joined(each, pairs, site) if four else each), four


def groups(pairs: Pairs, site: Doubles, four: bool) -> list[list[int]]:
    """The indices of each card, the surest first: they name the same card, or stand where one card has its indices."""
    at_one, as_one = _fitting(pairs, site, four)
    # The group of each index that has one, and the card that the first of that names.
    of, named = np.full(len(pairs), -1, np.intp), np.full(len(pairs), -1, np.intp)
    out: list[list[int]] = []
    widest = _widest(site)
    for n in np.argsort(-pairs.sure).tolist():
        mine = of[(of >= 0) & (at_one[n] | (as_one[n] & (named == pairs.best[n])))]
        mine = mine[[bool(np.ptp(pairs.apart[out[m][0], [n, *out[m]], 0]) < widest) for m in mine]] if four else mine
        if len(mine):
            of[n] = mine.min()
            out[of[n]].append(n)
        else:
            of[n] = len(out)
            out.append([n])
        named[n] = pairs.best[out[of[n]][0]]
    return out


def _fitting(pairs: Pairs, site: Doubles, four: bool) -> tuple[Flags, Flags]:
    """Which indices (n, n) stand where one card has its indices, and which where they may, if they name one card."""
    off, alike, straight = pairs.middles(site), pairs.way > 0, pairs.way != 0
    # With four indices on a card, those of its neighbour may stand where its own at the other end would.
    at_one = (off < SETTINGS.same).all(2) & (alike | (not four)) & (pairs.alike > SETTINGS.alike)
    if four:
        at_one |= _mirrored(pairs, site) & (pairs.alike > SETTINGS.alike)
    # Corners are not found exactly, so the two sides of a card are not quite where they should be.
    across = np.abs(pairs.apart[:, :, 0])
    if four:
        reach = np.where(alike, *SETTINGS.beside)
        own = (np.abs(across - 2 * abs(site[0])) < reach) | (across < SETTINGS.beside[0])
    else:
        # The upper one stands left of the lower one: what stands the other way round is of two cards.
        own = np.where(alike, across < SETTINGS.beside[0], off[:, :, 0] < SETTINGS.beside[1])
    as_one = own & (off[:, :, 1] < np.where(alike, SETTINGS.same, SETTINGS.beside[1])) & straight
    # Of cards at any angle each index has a measure of its own, and one of them may be wrong.
    return at_one & straight, as_one | as_one.T


def _widest(site: Doubles) -> float:
    """The farthest that the indices of one four-index card stand apart across."""
    return 2 * abs(float(site[0])) + SETTINGS.beside[1]


def joined(groups: list[list[int]], pairs: Pairs, site: Doubles) -> list[list[int]]:
    """The groups of four-index cards, those that stand at one side of one card as one: what stands at its upper end was
    read as another card than what stands at its lower one.
    """
    off, widest = pairs.middles(site), _widest(site)
    out: list[list[int]] = []
    for group in groups:
        # The right side of a card may stand where the left one of its neighbour does: together they are too wide.
        home = next(
            (
                other
                for other in out
                if np.ptp(pairs.apart[group[0], [*group, *other], 0]) < widest
                and _at_one_side((group, other), pairs, off[:, :, 1])
            ),
            None,
        )
        if home is None:
            out.append(list(group))
        else:
            home.extend(group)
    return out


def _at_one_side(of: tuple[list[int], list[int]], pairs: Pairs, off: Doubles) -> bool:
    both = np.ix_(*of)
    across, down = np.abs(pairs.apart[:, :, 0][both]), off[both]
    way, alike = pairs.way[both], pairs.alike[both]
    # What stands beside the other at the same end is the index of a neighbour.
    beside = (across < SETTINGS.beside[0]) & (way > 0)
    return bool(
        ((across < SETTINGS.same) & (down < SETTINGS.same) & (way != 0) & (alike > SETTINGS.alike)).any()
        and not (beside & (down < SETTINGS.same)).any()
    )
