"""Cards without a layout: every index read, put together to cards."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.cards import Card
from vision.detect.card_voting import CardFinds
from vision.detect.multiscale import Found
from vision.posterior.observation import Query, none_read
from vision.recognize import card_frame
from vision.recognize.index_reader import FACES, NONE, Readings

Doubles = NDArray[np.float64]

# An index read with less than this chance of being one is not shown as a card of its own.
LEAST = 0.5
# So much more is asked for where no card shows around it: print on a page or a box looks like an index too.
BARE = 0.4
# Cards of one deck are of one size: what nothing was read on and is of another, in widths of the cards read, is none.
ALIKE = (0.5, 1.8)
# The other indices of the same card stand about this far, in rank heights, in the index's own axes: near where they are
# large.
OPPOSITE = ((1.3, 8.5), (2.5, 13.0))
# Two readings of the same card whose outlines both share more than this are one card seen twice.
TWICE = 0.4
# Indices this close, in half sides, to both ends of one outline are that card's if their ranks or suits agree; others
# may be of a card whose outline was not found.
OWN = 0.2
# The chance of the less sure of two cards that claim one outline, if it was read less surely than this, and of the
# second of two cards that are the same.
CROWDED, PLAIN, AGAIN = 0.75, 0.95, 0.85


def spread(found: Found, readings: Readings) -> tuple[Query, ...]:
    """Every card of a spread, fan or heap, and every find that may be one though nothing was read on it, in the order
    of reading: from top to bottom, then from left to right.
    """
    axes = card_frame.axes_of_all(found.cards.quads())
    cards, held = _faces(axes, found, readings)
    usual = float(np.median([_width(query.axes) for query in cards])) if cards else 0.0
    quads = [card_frame.corners_of(query.axes) for query in cards]
    for number in range(len(axes)):
        sized = not usual or ALIKE[0] < _width(axes[number]) / usual < ALIKE[1]
        if number in held or not sized or _shadowed(axes[number], cards):
            continue
        own = card_frame.corners_of(axes[number])
        over = max((card_frame.shared(own, quad) for quad in quads), default=0.0)
        cards.append(Query("", axes[number], none_read(), (), over=over, kind="loose"))
    cards.sort(key=lambda query: (round(float(query.axes[1, 2]) / 60), float(query.axes[0, 2])))
    return tuple(replace(query, place=f"table {k + 1}") for k, query in enumerate(cards))


def faces(found: Found, readings: Readings) -> list[Query]:
    """The cards that these readings were made on, in no order and without the name of a place."""
    return _faces(card_frame.axes_of_all(found.cards.quads()), found, readings)[0]


@dataclass(frozen=True, slots=True)
class _Homes:
    """The finds, and which of them each reading belongs to (-1 for none).

    usual: where this deck has its upper left index, (2, 3) in card coordinates.
    """

    axes: Doubles
    cards: CardFinds
    owner: NDArray[np.intp]
    usual: Doubles

    def of_two(self, n: int, m: int) -> Doubles | None:
        """The axes of the find that two readings belong to; None where they have none in common."""
        return self.axes[self.owner[n]] if self.owner[n] == self.owner[m] >= 0 else None


def _homes(axes: Doubles, cards: CardFinds, readings: Readings) -> _Homes:
    """Large indices stand further in than usual ones: where this deck has its own is learnt from the picture first."""
    usual = card_frame.template(axes, readings, card_frame.owners(axes, readings))
    return _Homes(axes, cards, card_frame.owners(axes, readings, usual[:, 2]), usual)


def _faces(axes: Doubles, found: Found, readings: Readings) -> tuple[list[Query], set[int]]:
    """The cards read, and which of the cards found they are."""
    bare = found.kinds.at(readings.frames[:, :, 2])[:, 0]
    readings = readings.take(np.flatnonzero(readings.is_index() >= LEAST + BARE * bare))
    homes = _homes(axes, found.cards, readings)
    groups = _apart(_groups(readings, homes), readings, homes)
    cards: list[Query] = []
    for number, group in enumerate(groups):
        before = [g[0] for g in groups[:number]]
        plain = float(readings.beliefs[group[0], :NONE].max()) > PLAIN
        crowded = not plain and any(_crowded(readings, homes, group[0], first) for first in before)
        again = any(_best(readings, group[0]) == _best(readings, first) for first in before)
        card = _of_group(group, readings, homes)
        cards.append(replace(card, told=CROWDED if crowded else AGAIN if again else 1.0))
    return cards, {int(homes.owner[n]) for g in groups for n in g}


def _crowded(readings: Readings, homes: _Homes, n: int, m: int) -> bool:
    """Whether two cards claim one outline; those of a fan lie under one by chance, their indices side by side."""
    return homes.of_two(n, m) is not None and not _beside(readings, n, m)


def _best(readings: Readings, n: int) -> int:
    return int(readings.beliefs[n, :NONE].argmax())


def _groups(readings: Readings, homes: _Homes) -> list[list[int]]:
    """Readings put together that are one card's: the same card read, and standing where one card's indices can
    stand.
    """
    groups: list[list[int]] = []
    for n in np.argsort(-readings.beliefs[:, :NONE].max(1)):
        for group in groups:
            first = group[0]
            if any(_same_spot(readings, int(n), m) for m in group) or (
                _best(readings, int(n)) == _best(readings, first)
                and (_one_card(readings, int(n), first) or homes.of_two(int(n), first) is not None)
            ):
                group.append(int(n))
                break
        else:
            groups.append([int(n)])
    return _settled(groups, readings, homes)


def _settled(groups: list[list[int]], readings: Readings, homes: _Homes) -> list[list[int]]:
    """A weak reading that contradicts a sure one on the same card at its opposite end is another view of that
    card, not a card.
    """
    strong = [g for g in groups if readings.beliefs[g[0], :NONE].max() >= 0.8]
    for group in groups:
        if any(group is s for s in strong):
            continue
        home = next((s for s in strong if _opposite(readings, homes, group[0], s[0])), None)
        if home is None:
            strong.append(group)
        else:
            home.extend(group)
    return strong


def _opposite(readings: Readings, homes: _Homes, n: int, m: int) -> bool:
    """Whether two indices stand at both ends of one find; the cards of a fan have theirs beside each other."""
    axes = homes.of_two(n, m)
    if axes is None or not _one_card(readings, n, m):
        return False
    _, turned = card_frame.misfit(axes, readings.frames[[n, m]], homes.usual[:, 2])
    return bool(turned[0] != turned[1])


def _apart(groups: list[list[int]], readings: Readings, homes: _Homes) -> list[list[int]]:
    """The groups, surest first, less those that are another's card seen again: at two corners of its outline, or the
    same card in nearly the same place.
    """
    kept: list[list[int]] = []
    quads: list[Doubles] = []
    for group in sorted(groups, key=lambda g: -readings.beliefs[g[0], :NONE].max()):
        quad = card_frame.corners_of(_of_group(group, readings, homes).axes)
        home = next(
            (
                other
                for other, there in zip(kept, quads, strict=True)
                if _two_corners(readings, homes, group[0], other[0])
                or (
                    _best(readings, group[0]) == _best(readings, other[0])
                    and min(card_frame.shared(quad, there), card_frame.shared(there, quad)) > TWICE
                )
            ),
            None,
        )
        if home is None:
            kept.append(group)
            quads.append(quad)
        else:
            home.extend(group)
    return kept


def _two_corners(readings: Readings, homes: _Homes, n: int, m: int) -> bool:
    """Whether two indices stand where the same card has two of its own, and were read alike: at both ends; or beside
    each other, as on four-index decks, if one of them was hardly made out.
    """
    axes, a, b = homes.of_two(n, m), FACES[_best(readings, n)], FACES[_best(readings, m)]
    if axes is None or not (isinstance(a, Card) and isinstance(b, Card)):
        return False
    frames = readings.frames[[n, m]]
    fits, turned = card_frame.misfit(axes, frames, homes.usual[:, 2])
    if not (fits < OWN).all():
        return False
    if turned[0] != turned[1]:
        return a.rank == b.rank or a.suit == b.suit
    left, right = card_frame.inside(axes, frames)[:, 0, 2]
    plain = float(readings.beliefs[[n, m], :NONE].max(1).min()) > PLAIN
    return bool(left * right < 0) and a.rank == b.rank and not plain


def _same_spot(readings: Readings, n: int, m: int) -> bool:
    a, b = readings.frames[n], readings.frames[m]
    return bool(np.linalg.norm(a[:, 2] - b[:, 2]) < 0.6 * max(np.linalg.norm(a[:, 1]), np.linalg.norm(b[:, 1])))


def _one_card(readings: Readings, n: int, m: int) -> bool:
    """Whether two indices stand to each other as the two (or four) of one card do."""
    (x, y), along = _from(readings, n, m)
    wide, tall = OPPOSITE
    opposite = along < -0.7 and abs(x) < wide[1] and tall[0] < y < tall[1]
    return bool(opposite or (_beside(readings, n, m) and wide[0] < abs(x)))


def _beside(readings: Readings, n: int, m: int) -> bool:
    """Whether two indices stand side by side, the same way up."""
    (x, y), along = _from(readings, n, m)
    return along > 0.7 and abs(y) < 1.5 and abs(x) < OPPOSITE[0][1]


def _from(readings: Readings, n: int, m: int) -> tuple[Doubles, float]:
    """Where an index stands from another, (2,) in its rank's widths and heights, and the cosine between the two."""
    a, b = readings.frames[n].astype(np.float64), readings.frames[m].astype(np.float64)
    along = float(a[:, 1] @ b[:, 1]) / max(float(np.linalg.norm(a[:, 1]) * np.linalg.norm(b[:, 1])), 1e-9)
    return np.linalg.solve(a[:, :2], b[:, 2] - a[:, 2]), along


def _of_group(group: list[int], readings: Readings, homes: _Homes) -> Query:
    own = [int(homes.owner[n]) for n in group if homes.owner[n] >= 0]
    mine = readings.take(np.array(group, np.intp))
    if own:
        a = homes.axes[own[0]]
        _, turned = card_frame.misfit(a, readings.frames[group[:1]], homes.usual[:, 2])
        a = card_frame.over(a) if turned[0] and a[1, 1] < 0 else a
        return Query("", a, mine, (), kind="loose")
    frame = readings.frames[group[0]].astype(np.float64)
    sides = frame[:, :2] @ np.linalg.inv(homes.usual[:, :2])
    a = np.column_stack([sides, frame[:, 2] - sides @ homes.usual[:, 2]])
    return Query("", a, mine, (), found=False, kind="loose")


def _width(axes: Doubles) -> float:
    return 2 * float(np.linalg.norm(axes[:, 0]))


def _shadowed(axes: Doubles, cards: list[Query]) -> bool:
    """True for a find that lies in the middle of a card already named."""
    inverse = np.linalg.inv(axes[:, :2])
    return any(float(np.abs(inverse @ (query.axes[:, 2] - axes[:, 2])).max()) < 0.6 for query in cards)
