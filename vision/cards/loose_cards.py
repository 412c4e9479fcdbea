"""Cards at any angle, of no layout: indices are put together to cards as those of a layout are, each with the card that
it tells of by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.cards import index_marks
from vision.detect.multiscale import Found
from vision.posterior.observation import Query, none_read
from vision.recognize import card_frame
from vision.recognize.index_reader import Readings

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Settings:
    """What counts as a card. Set by judgement, tried on drawn pictures of loose cards."""

    index: float = 0.5  # less of a chance of an index, and a reading is no witness of a card;
    bare: float = 0.4  # so much more is asked for where no card shows: print on a page or a box looks like an index too
    alike: tuple[float, float] = (0.5, 1.8)  # a find of another size, in widths of the cards read, is none
    body: float = 0.3  # a whole card so near to one that was read, in card sides, is that card
    shadow: float = 0.3  # one so near to one that was read, on which nothing was, is a part of it
    row: float = 60.0  # cards lie in one row that are so near to each other down the picture, in pixels


SETTINGS = Settings()


def spread(found: Found, readings: Readings) -> tuple[Query, ...]:
    """Every card of a spread, fan or heap, and every find that may be one though nothing was read on it, in the order
    of reading: from top to bottom, then from left to right.
    """
    axes = card_frame.axes_of_all(found.cards.quads())
    cards, home = _faces(axes, found, readings)
    usual = float(np.median([_width(query.axes) for query in cards])) if cards else 0.0
    quads = [card_frame.corners_of(query.axes) for query in cards]
    for number in range(len(axes)):
        sized = not usual or SETTINGS.alike[0] < _width(axes[number]) / usual < SETTINGS.alike[1]
        if number in home or not sized or _shadowed(axes[number], cards):
            continue
        own = card_frame.corners_of(axes[number])
        over = max((card_frame.shared(own, quad) for quad in quads), default=0.0)
        cards.append(Query("", axes[number], none_read(), (), over=over, kind="loose"))
    cards.sort(key=lambda query: (round(float(query.axes[1, 2]) / SETTINGS.row), float(query.axes[0, 2])))
    return tuple(replace(query, place=f"table {k + 1}") for k, query in enumerate(cards))


def faces(found: Found, readings: Readings) -> list[Query]:
    """The cards that these readings were made on, in no order and without the name of a place."""
    return _faces(card_frame.axes_of_all(found.cards.quads()), found, readings)[0]


def _faces(finds: Doubles, found: Found, readings: Readings) -> tuple[list[Query], set[int]]:
    """The cards read, and which of the cards found (n, 2, 3) they are."""
    bare = found.kinds.at(readings.frames[:, :, 2])[:, 0]
    readings = readings.take(np.flatnonzero(readings.is_index() >= SETTINGS.index + SETTINGS.bare * bare))
    if not len(readings):
        return [], set()
    # Large indices stand further in than usual ones: where this deck has its own is learnt from the picture first.
    usual = card_frame.template(finds, readings, card_frame.owners(finds, readings))
    owner = card_frame.owners(finds, readings, usual[:, 2])
    axes = _told_by(readings, finds, owner, usual)
    groups, _ = index_marks.put_together(index_marks.on_cards(axes, readings), usual[:, 2] / 2, index_marks.LOOSE)
    homes = _homes(axes, groups, owner, finds)
    told = [_agreed(axes[group], readings.take(np.array(group)), usual) for group in groups]
    cards = [
        Query("", _upright(own, finds, home), readings.take(np.array(group)), (), home >= 0, kind="loose")
        for own, group, home in zip(told, groups, homes.tolist(), strict=True)
    ]
    return cards, set(homes[homes >= 0].tolist())


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
        if off < SETTINGS.body and home[number] < 0 and find not in taken:
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


def _width(axes: Doubles) -> float:
    return 2 * float(np.linalg.norm(axes[:, 0]))


def _shadowed(axes: Doubles, cards: list[Query]) -> bool:
    """True for a find that lies in the middle of a card already named."""
    inverse = np.linalg.inv(axes[:, :2])
    return any(float(np.abs(inverse @ (query.axes[:, 2] - axes[:, 2])).max()) / 2 < SETTINGS.shadow for query in cards)
