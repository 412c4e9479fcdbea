"""One list of card candidates: what indices, whole cards and outer corners say together, on the rectified table.

There every card of a layout is upright, one unit wide and one high, so an index tells where the middle of its card
lies. A card shows its index at the upper left and, turned, at the lower right; on decks with four indices at the two
other corners as well, and then an index alone leaves two places for its card.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards import card_frame, proposals
from vision.cards.proposals import Flat
from vision.detect.multiscale import Found
from vision.image.shrunk import Shrunk
from vision.layout.homography import Plane
from vision.nets.session import Net
from vision.posterior.one_deck import one_deck
from vision.recognize import card_classifier, index_reader
from vision.recognize.index_reader import NONE, Readings

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Settings:
    """When witnesses are of one card. Lengths in card sides; set by how cards are laid and printed, and tried on drawn
    validation tables.
    """

    index: float = 0.5  # less of a chance of an index, and a reading is no witness of a card
    upright: float = 0.8  # cosine between an index and its card's long side, at least
    same: tuple[float, float] = (0.1, 0.1)  # middles told by two indices so near, across and down, are of one card
    again: float = 0.3  # the same, down, where both name the same card,
    beside: tuple[float, float] = (0.2, 0.28)  # and across, at one end and at both ends of it
    mirrored: float = 0.12  # so exactly do the indices of a four-index card stand beside each other
    four: float = 0.12  # a deck with so large a share of indices beside their like has four on each card
    alike: float = 0.01  # so likely to be of the same card, indices at the two sides of one middle are of one card
    body: tuple[float, float] = (0.3, 0.3)  # a whole card so near to one that was read is that card


SETTINGS = Settings()
SQUARE: Final = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@dataclass(frozen=True, slots=True)
class Candidates:
    """Cards that may lie on the table, n of them.

    middle: (n, 2) in card units. belief: (n, 54) of which card each is. upper, lower: (n,) chances that an index was
    read at its upper and at its lower end. side: (n,) which side of the card shows, −1 left, 1 right, 0 both or not
    known. other: (n,) how far right the middle lies if the other side shows, on decks where that cannot be told.
    body: (n,) weight of whole cards and corners that say so. present: (n,) the chance that there is such a card. own:
    (n,) tuples of the numbers of its readings. sure: (n,) how surely each was read as a card that lies nowhere
    else.
    """

    middle: Doubles
    belief: Doubles
    upper: Doubles
    lower: Doubles
    side: Doubles
    other: Doubles
    body: Doubles
    present: Doubles
    own: NDArray[np.object_]
    sure: Doubles

    def __len__(self) -> int:
        return len(self.middle)

    @property
    def index(self) -> Doubles:
        """The chance (n,) that an index was read on each."""
        return np.asarray(1 - self.belief[:, NONE])

    def take(self, which: Ints | NDArray[np.bool_]) -> Candidates:
        """Some of them."""
        return Candidates(*(getattr(self, name)[which] for name in self.__slots__))

    def turned(self) -> Candidates:
        """The same seen from the other side of the table."""
        return replace(
            self, middle=-self.middle, upper=self.lower, lower=self.upper, side=-self.side, other=-self.other
        )

    def read_on(self, number: int, readings: Readings) -> Readings:
        """The indices read on one of them."""
        return readings.take(np.array(self.own[number], np.intp))

    def quads(self, plane: Plane) -> Doubles:
        """Corners (n, 4, 2) in pixels, clockwise from the upper left."""
        corners = (self.middle[:, None] + SQUARE).reshape(-1, 2)
        return plane.pixels(corners).reshape(-1, 4, 2)


@dataclass(frozen=True, slots=True)
class _Marks:
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


def candidates(plane: Plane, found: Found, readings: Readings, site: Doubles) -> Candidates:
    """Every card that a witness speaks for, once. site: (2,) in card units, where the upper left index stands."""
    marks = _marks(plane, readings)
    bodies = proposals.bodies(plane, found.cards, found.corners)
    four = _has_four(marks, site)
    groups = _groups(marks, site, four)
    if four:
        groups = _joined(groups, marks, site)
        groups = _one_each(groups, [_card(marks, group, site, bodies, four) for group in groups])
    cards = [_card(marks, group, site, bodies, four) for group in groups]
    return _with_bodies(_sides_told(cards, bodies) if four else cards, bodies)


def _marks(plane: Plane, readings: Readings) -> _Marks:
    frames = readings.frames.astype(np.float64)
    kept = np.flatnonzero(readings.is_index() > SETTINGS.index)
    at = plane.flat(frames[kept, :, 2]).reshape(-1, 2)
    down = plane.directions(frames[kept, :, 2], frames[kept, :, 1]).reshape(-1, 2) if len(kept) else at
    along = down[:, 1] / np.maximum(np.linalg.norm(down, axis=1), 1e-9)
    upright = np.abs(along) > SETTINGS.upright
    belief = readings.beliefs[kept][upright]
    best = np.asarray(belief[:, :NONE].argmax(1), np.intp)
    return _Marks(at[upright], np.sign(along[upright]), belief, best, kept[upright])


def _has_four(marks: _Marks, site: Doubles) -> bool:
    """Whether many indices have their like beside them, where the other upper index of a card stands."""
    if not len(marks):
        return False
    apart = marks.at[None] - marks.at[:, None]
    off = np.hypot(np.abs(apart[:, :, 0]) - 2 * abs(site[0]), apart[:, :, 1])
    alike = (marks.best[None] == marks.best[:, None]) & (marks.sign[None] == marks.sign[:, None])
    return bool(((off < SETTINGS.mirrored) & alike).any(1).mean() > SETTINGS.four)


def _groups(marks: _Marks, site: Doubles, four: bool) -> list[list[int]]:
    """The indices of each card, the surest first: they name the same card, or stand where one card has its indices."""
    at_one, as_one = _fitting(marks, site, four)
    # The group of each index that has one, and the card that the first of that names.
    of, named = np.full(len(marks), -1, np.intp), np.full(len(marks), -1, np.intp)
    groups: list[list[int]] = []
    for n in np.argsort(-marks.belief[:, :NONE].max(1)).tolist():
        mine = of[(of >= 0) & (at_one[n] | (as_one[n] & (named == marks.best[n])))]
        if len(mine):
            of[n] = mine.min()
            groups[of[n]].append(n)
        else:
            of[n] = len(groups)
            groups.append([n])
        named[n] = marks.best[groups[of[n]][0]]
    return groups


def _fitting(marks: _Marks, site: Doubles, four: bool) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
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


def _joined(groups: list[list[int]], marks: _Marks, site: Doubles) -> list[list[int]]:
    """The groups of four-index cards, those that stand at one side of one card as one: what stands at its upper end was
    read as another card than what stands at its lower one.
    """
    middle = marks.at - marks.sign[:, None] * site
    widest = 2 * abs(float(site[0])) + SETTINGS.beside[1]
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


def _at_one_side(group: list[int], other: list[int], marks: _Marks, middle: Doubles) -> bool:
    across = np.abs(marks.at[group, None, 0] - marks.at[None, other, 0])
    down = np.abs(middle[group, None, 1] - middle[None, other, 1])
    # What stands beside the other at the same end is the index of a neighbour.
    beside = (across < SETTINGS.beside[0]) & (marks.sign[group, None] == marks.sign[None, other])
    return bool(
        ((across < SETTINGS.same[0]) & (down < SETTINGS.same[1])).any()
        and not (beside & (down < SETTINGS.same[1])).any()
    )


def _one_each(groups: list[list[int]], cards: list[_Card]) -> list[list[int]]:
    """The groups of four-index cards, those at the two sides of one card as one: they tell of one middle, and may name
    the same card.
    """
    out: list[tuple[list[int], _Card]] = []
    for group, card in zip(groups, cards, strict=True):
        home = next((mine for mine, of in out if _is_one(card, of)), None)
        if home is None:
            out.append((list(group), card))
        else:
            home.extend(group)
    return [group for group, _ in out]


def _is_one(card: _Card, other: _Card) -> bool:
    alike = float(card.belief[:NONE] @ other.belief[:NONE])
    return alike > SETTINGS.alike and bool((np.abs(card.middle - other.middle) < SETTINGS.same).all())


@dataclass(frozen=True, slots=True)
class _Card:
    middle: Doubles
    belief: Doubles
    upper: float
    lower: float
    side: float
    other: float
    own: tuple[int, ...]


def _card(marks: _Marks, group: list[int], site: Doubles, bodies: Flat, four: bool) -> _Card:
    """The card on which these indices stand."""
    sign, belief = marks.sign[group], marks.belief[group]
    index = 1 - belief[:, NONE]
    upper, lower = (float(index[sign == way].max(initial=0.0)) for way in (1, -1))
    told = index_reader.combined(belief)
    if four:
        middle, side, other = _of_four(marks.at[group], sign, index, site, bodies)
    else:
        # Where both ends were read the whole card shows; else the side that the index stands on.
        side = 0.0 if upper and lower else -1.0 if upper else 1.0
        middle = np.average(marks.at[group] - sign[:, None] * site, axis=0, weights=index)
        other = float(middle[0])
    return _Card(middle, told, upper, lower, side, float(other), tuple(marks.number[group].tolist()))


def _of_four(at: Doubles, sign: Doubles, index: Doubles, site: Doubles, bodies: Flat) -> tuple[Doubles, float, float]:
    """The middle (2,) that the indices of a four-index card tell of, the side of it that shows, 0 for both, and how far
    right the middle lies if the other side shows.

    The indices of a strip at the left of a card stand as those of a strip at the right of one further left do: where a
    whole card was found is the likelier of the two.
    """
    across = abs(float(site[0]))
    left, right = float(at[:, 0].min()), float(at[:, 0].max())
    down = float(np.average(at[:, 1] - sign * site[1], weights=index))
    if right - left > across:
        return np.array([(left + right) / 2, down]), 0.0, (left + right) / 2
    strip = float(np.average(at[:, 0], weights=index))
    found = []
    for side in (-1.0, 1.0):
        middle = np.array([strip - side * across, down])
        near = (np.abs(bodies.middle - middle) < [SETTINGS.same[0], SETTINGS.body[1]]).all(1)
        found.append((float(bodies.weight[near].max(initial=0.0)), side, middle))
    (_, _, other), (_, side, middle) = sorted(found, key=lambda one: one[0])
    return middle, side, float(other[0])


def _sides_told(cards: list[_Card], bodies: Flat) -> list[_Card]:
    """Four-index cards of which one side was read, with the side that it is where a whole card tells: one that lies at
    one of the two places for no other card.
    """
    if not cards or not len(bodies):
        return cards
    ends = np.array([[card.middle, (card.other, card.middle[1])] for card in cards])
    near = np.asarray((np.abs(ends[:, :, None] - bodies.middle) < [SETTINGS.same[0], SETTINGS.body[1]]).all(3))
    whole = np.array([not card.side for card in cards])
    taken = near[whole].any((0, 1))
    weight = np.where(near & ~taken, bodies.weight, 0.0)
    alone = near[~whole].any(1).sum(0) == 1
    own: Doubles = np.where(alone, weight, 0.0).max(2)
    other: Doubles = weight.max(2)
    told = ~whole[:, None] & (own >= proposals.NEEDED) & (other[:, ::-1] < proposals.HINTED)
    out = list(cards)
    for n, end in zip(*np.nonzero(told), strict=True):
        side = cards[n].side * (-1 if end else 1)
        out[n] = replace(cards[n], middle=ends[n, end], other=float(ends[n, end, 0]), side=side)
    return out


def _with_bodies(cards: list[_Card], bodies: Flat) -> Candidates:
    """The cards read, each with the whole cards that lie there, and then the whole cards on which nothing was read."""
    middle = np.array([card.middle for card in cards]).reshape(-1, 2)
    upper, lower, side, other = np.array([(c.upper, c.lower, c.side, c.other) for c in cards]).reshape(-1, 4).T
    body, alone = np.zeros(len(cards)), []
    for n in range(len(bodies)):
        off = np.abs(middle - bodies.middle[n])
        off[:, 0] = np.minimum(off[:, 0], np.abs(other - bodies.middle[n, 0]))
        near = (off < SETTINGS.body).all(1) if len(middle) else np.zeros(0, bool)
        if near.any():
            mine = int(np.where(near, off.sum(1), np.inf).argmin())
            body[mine] = max(body[mine], bodies.weight[n])
        elif bodies.weight[n] >= proposals.NEEDED:
            alone.append(n)
    unread = np.tile(index_reader.combined(np.zeros((0, index_reader.SIZE))), (len(alone), 1))
    none, there = np.zeros(len(alone)), bodies.middle[alone].reshape(-1, 2)
    belief = np.array([card.belief for card in cards]).reshape(-1, index_reader.SIZE)
    return Candidates(
        np.concatenate([middle, there]),
        np.concatenate([belief, unread]),
        np.concatenate([upper, none]),
        np.concatenate([lower, none]),
        np.concatenate([side, none]),
        np.concatenate([other, there[:, 0]]),
        np.concatenate([body, bodies.weight[alone]]),
        np.ones(len(cards) + len(alone)),
        numbered([card.own for card in cards] + [()] * len(alone)),
        _sure(np.concatenate([belief, unread])),
    )


def _sure(belief: Doubles) -> Doubles:
    """The chance (n,) of the likeliest card of each, less where it was read elsewhere as well."""
    best = np.arange(len(belief)), belief[:, :NONE].argmax(1)
    return np.asarray(np.minimum(belief[best], one_deck(belief)[best]))


def numbered(of: list[tuple[int, ...]]) -> NDArray[np.object_]:
    """An array (n,) of tuples of the numbers of readings."""
    out = np.empty(len(of), object)
    for n, one in enumerate(of):
        out[n] = one
    return out


def looked_at(cards: Candidates, plane: Plane, picture: Shrunk, whole: Net) -> Candidates:
    """The same with the chance that each is a card: by what was read, by whole cards and corners, by whether the card
    that was read lies elsewhere, and by a close look.
    """
    if not len(cards):
        return cards
    views = card_classifier.look(picture, card_frame.axes_of_all(cards.quads(plane)), whole)
    return replace(cards, present=_chance(features(cards, views.kinds) @ np.array(PRESENT)))


def features(cards: Candidates, kinds: Doubles) -> Doubles:
    """What tells a card from none, (n, 6) for n candidates; kinds (n, 3): chances that none, a face or a back shows."""
    named = cards.belief[:, :NONE]
    best, sure = named.argmax(1), named.max(1)
    same = (best[None] == best[:, None]) & ~np.eye(len(cards), dtype=bool)
    elsewhere = np.where(same, sure[None], 0.0).max(1)
    none = np.clip(kinds[:, 0], 0.003, 0.997)
    return np.column_stack(
        [
            np.ones(len(cards)),
            np.minimum(cards.body, 3.0),
            np.log(none / (1 - none)),
            sure,
            cards.index,
            elsewhere * (1 - sure),
        ]
    )


PRESENT: Final = (-2.85, 0.92, -0.93, 1.32, 1.96, -2.88)
"""Weights of the features: by regression on 6949 candidates of 150 drawn validation tables; it told 12 wrongly."""


def _chance(odds: Doubles) -> Doubles:
    return np.asarray(1 / (1 + np.exp(-odds)))


def deck_site(found: Found, readings: Readings) -> Doubles:
    """Where this deck's upper left index stands, (2, 3) in half sides: learnt from cards on which some were read."""
    axes = [card_frame.axes_of(quad) for quad in found.cards.quads()]
    return card_frame.template(axes, readings, card_frame.owners(axes, readings))
