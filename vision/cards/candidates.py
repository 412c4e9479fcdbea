"""The card candidates of a layout: what the cards read, whole cards and outer corners say together, on the rectified
table.

There every card of a layout is upright, one unit wide and one high, so an index tells where the middle of its card
lies. A card shows its index at the upper left and, turned, at the lower right; on decks with four indices at the two
other corners as well, and then an index alone leaves two places for its card.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards import index_marks
from vision.cards.bodies import Bodies, bodies, straight
from vision.cards.card_list import CardList
from vision.cards.homography import Plane
from vision.detect.multiscale import Found
from vision.image.shrunk import Shrunk
from vision.nets.session import Net
from vision.posterior import place_model
from vision.posterior.one_deck import one_deck
from vision.recognize import card_classifier, card_frame, index_reader
from vision.recognize.card_classifier import Views
from vision.recognize.index_reader import NONE, Readings

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Settings:
    """When witnesses are of one card. Lengths in card sides; set by how cards are laid and printed, and tried on drawn
    validation tables.
    """

    most: float = 3.0  # witnesses that count of a card
    held: float = 0.003  # a net is wrong so often at least


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
    else. kinds (n, 3), faces (n, 54), over (n, 8, 6): what the net of whole cards says of each, once it was looked at.
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
    kinds: Doubles
    faces: Doubles
    over: Doubles

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

    def sided(self, other: Flags) -> Candidates:
        """The same, the other side of those (n,) showing."""
        middle = self.middle.copy()
        middle[other, 0] = self.other[other]
        return replace(
            self,
            middle=middle,
            side=np.where(other, -self.side, self.side),
            other=np.where(other, self.middle[:, 0], self.other),
        )

    def view(self, number: int) -> Views:
        """What the net of whole cards said of one of them."""
        return Views(self.kinds, self.faces, self.over).one(number)

    @property
    def witnesses(self) -> Doubles:
        """The weight (n,) of all that speaks for each: whole cards, corners and indices."""
        return np.asarray(self.body + self.upper + self.lower)

    @property
    def face(self) -> Doubles:
        """The chance (n,) that each lies face up, if it is a card."""
        return np.asarray(self.kinds[:, 1] / np.maximum(self.kinds[:, 1] + self.kinds[:, 2], 1e-9))

    def with_faint(self, axes: Doubles, readings: Readings) -> Candidates:
        """The same, that lie so (n, 2, 3) in pixels, with the readings too faint to be witnesses that stand on each."""
        free = np.setdiff1d(np.arange(len(readings)), np.array([n for own in self.own for n in own], np.intp))
        owner = card_frame.owners(axes, readings.take(free))
        more = [tuple(free[owner == n].tolist()) for n in range(len(self))]
        return replace(self, own=numbered([(*own, *added) for own, added in zip(self.own, more, strict=True)]))

    def read_on(self, number: int, readings: Readings) -> Readings:
        """The indices read on one of them."""
        return readings.take(np.array(self.own[number], np.intp))

    def quads(self, plane: Plane) -> Doubles:
        """Corners (n, 4, 2) in pixels, clockwise from the upper left."""
        corners = (self.middle[:, None] + SQUARE).reshape(-1, 2)
        return plane.pixels(corners).reshape(-1, 4, 2)


def candidates(plane: Plane, found: Found, listed: CardList) -> Candidates:
    """The cards of a list that lie as those of a layout do on this plane, and whatever else a witness speaks for."""
    site = listed.usual[:, 2] / 2
    found, readings = straight(plane, found, listed.readings)
    marks = index_marks.on_table(plane, readings)
    seen = bodies(plane, found.cards, found.corners)
    at = {number: k for k, number in enumerate(marks.number.tolist())}
    groups = [[at[number] for number in own if number in at] for own in listed.own]
    groups = [part for group in groups for part in _in_place(marks, group, site, four=listed.four)]
    cards = _cards(marks, groups, site, seen, four=listed.four)
    each = _one_each(groups, cards, marks, site, four=listed.four)
    return _with_bodies(cards if each == groups else _cards(marks, each, site, seen, four=listed.four), seen)


def _in_place(marks: index_marks.Marks, group: list[int], site: Doubles, *, four: bool) -> list[list[int]]:
    """The indices of a card, the surest first, without those that do not stand where it has some: on the plane that is
    told far better than by each of them. They are of another card.
    """
    out = []
    while group:
        stays = _stand_on_one(marks, group[0], group, site, four=four).tolist()
        out.append([n for n, own in zip(group, stays, strict=True) if own])
        group = [n for n, own in zip(group, stays, strict=True) if not own]
    return out


def _stand_on_one(marks: index_marks.Marks, one: int, others: list[int], site: Doubles, *, four: bool) -> Flags:
    """Which of these indices (n,) stand where a card has its own on which that one stands."""
    ways = marks.sign[others] - marks.sign[one]
    across, down = np.abs(marks.at[others] - marks.at[one] - ways[:, None] * site).T
    at_one_end = ways == 0
    if four:
        wide = 2 * abs(site[0])
        across = np.min([across, np.abs(across - wide), np.abs(across - 2 * wide) + at_one_end], axis=0)
    return np.asarray(
        (across < np.where(at_one_end, index_marks.SETTINGS.beside[0], card_frame.SAME))
        & (down < np.where(at_one_end, index_marks.SETTINGS.same, card_frame.SAME))
    )


def _one_each(
    groups: list[list[int]], cards: list[_Card], marks: index_marks.Marks, site: Doubles, *, four: bool
) -> list[list[int]]:
    """The groups of indices, those of one card as one: they name the same card and stand where it has its indices, or
    they tell of one middle, for no two cards of a layout lie so. With four indices on a card that middle is less sure,
    and they must be likely to name the same card.
    """
    alike = index_marks.SETTINGS.alike if four else 0.0
    out: list[tuple[list[int], _Card]] = []
    for group, card in zip(groups, cards, strict=True):
        home = next(
            (
                mine
                for mine, of in out
                if (
                    card.belief[:NONE].argmax() == of.belief[:NONE].argmax()
                    and _stand_on_one(marks, mine[0], group[:1], site, four=four).all()
                )
                or _at_one_middle(card, of, alike)
            ),
            None,
        )
        if home is None:
            out.append((list(group), card))
        else:
            home.extend(group)
    return [group for group, _ in out]


def _at_one_middle(card: _Card, other: _Card, alike: float) -> bool:
    """Whether two cards are one by where they lie; where both sides of one were read its middle is sure."""
    apart = np.abs(card.middle - other.middle)
    named = card.belief[:NONE] @ other.belief[:NONE] > (alike if card.side and other.side else 0.0)
    return bool(named and (apart < index_marks.SETTINGS.same).all())


@dataclass(frozen=True, slots=True)
class _Card:
    middle: Doubles
    belief: Doubles
    upper: float
    lower: float
    side: float
    other: float
    own: tuple[int, ...]


def _cards(
    marks: index_marks.Marks, groups: list[list[int]], site: Doubles, seen: Bodies, *, four: bool
) -> list[_Card]:
    """The cards on which these indices stand, each on one."""
    told = index_reader.each_combined([marks.belief[group] for group in groups])
    return [_card(marks, group, own, site, seen if four else None) for group, own in zip(groups, told, strict=True)]


def _card(marks: index_marks.Marks, group: list[int], told: Doubles, site: Doubles, seen: Bodies | None) -> _Card:
    """The card on which these indices stand, which together tell so much (54,); seen: what lies there, where a card may
    have four of them.
    """
    sign, index = marks.sign[group], 1 - marks.belief[group, NONE]
    upper, lower = (float(index[sign == way].max(initial=0.0)) for way in (1, -1))
    if seen is not None:
        middle, side, other = _of_four(marks.at[group], sign, index, site, seen)
    else:
        # Where both ends were read the whole card shows; else the side that the index stands on.
        side = 0.0 if upper and lower else -1.0 if upper else 1.0
        middle = index @ (marks.at[group] - sign[:, None] * site) / index.sum()
        other = float(middle[0])
    return _Card(middle, told, upper, lower, side, float(other), tuple(marks.number[group].tolist()))


def _of_four(at: Doubles, sign: Doubles, index: Doubles, site: Doubles, seen: Bodies) -> tuple[Doubles, float, float]:
    """The middle (2,) that the indices of a four-index card tell of, the side of it that shows, 0 for both, and how far
    right the middle lies if the other side shows.

    The indices of a strip at the left of a card stand as those of a strip at the right of one further left do: where a
    whole card was found is the likelier of the two.
    """
    across = abs(float(site[0]))
    left, right = float(at[:, 0].min()), float(at[:, 0].max())
    down = float(index @ (at[:, 1] - sign * site[1]) / index.sum())
    if right - left > across:
        return np.array([(left + right) / 2, down]), 0.0, (left + right) / 2
    strip = float(index @ at[:, 0] / index.sum())
    found = []
    for side in (-1.0, 1.0):
        middle = np.array([strip - side * across, down])
        near = (np.abs(seen.middle - middle) < [index_marks.SETTINGS.same, card_frame.SAME]).all(1)
        found.append((float(seen.weight[near].max(initial=0.0)), side, middle))
    (_, _, other), (_, side, middle) = sorted(found, key=lambda one: one[0])
    return middle, side, float(other[0])


def _with_bodies(cards: list[_Card], seen: Bodies) -> Candidates:
    """The cards read, each with the whole cards that lie there, and then the whole cards on which nothing was read."""
    middle = np.array([card.middle for card in cards]).reshape(-1, 2)
    upper, lower, side, other = np.array([(c.upper, c.lower, c.side, c.other) for c in cards]).reshape(-1, 4).T
    body, alone = np.zeros(len(cards)), []
    for n in range(len(seen)):
        off = np.abs(middle - seen.middle[n])
        off[:, 0] = np.minimum(off[:, 0], np.abs(other - seen.middle[n, 0]))
        near = (off < card_frame.SAME).all(1) if len(middle) else np.zeros(0, bool)
        if near.any():
            mine = int(np.where(near, off.sum(1), np.inf).argmin())
            body[mine] = max(body[mine], seen.weight[n])
        else:
            alone.append(n)
    unread = np.tile(index_reader.combined(np.zeros((0, index_reader.SIZE))), (len(alone), 1))
    none, there = np.zeros(len(alone)), seen.middle[alone].reshape(-1, 2)
    belief = np.array([card.belief for card in cards]).reshape(-1, index_reader.SIZE)
    return Candidates(
        np.concatenate([middle, there]),
        np.concatenate([belief, unread]),
        np.concatenate([upper, none]),
        np.concatenate([lower, none]),
        np.concatenate([side, none]),
        np.concatenate([other, there[:, 0]]),
        np.concatenate([body, seen.weight[alone]]),
        np.ones(len(cards) + len(alone)),
        numbered([card.own for card in cards] + [()] * len(alone)),
        _sure(np.concatenate([belief, unread])),
        np.full((len(cards) + len(alone), 3), 1 / 3),
        np.full((len(cards) + len(alone), index_reader.SIZE), 1 / index_reader.SIZE),
        np.zeros((len(cards) + len(alone), *card_classifier.CELLS)),
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


def looked_at(cards: Candidates, axes: Doubles, picture: Shrunk, found: Found, whole: Net) -> Candidates:
    """The same, which lie so (n, 2, 3) in pixels, with the chance that each is a card: by what was read, by whole cards
    and corners, by whether the card that was read lies elsewhere, by a close look and by the card map.
    """
    views = card_classifier.look(picture, axes, whole)
    chance = _chance(features(cards, views.kinds, found.kinds.shares(axes)) @ place_model.load().candidate)
    return replace(cards, present=chance, kinds=views.kinds, faces=views.cards, over=views.over)


def features(cards: Candidates, kinds: Doubles, shares: Doubles) -> Doubles:
    """What tells a card from none, (n, 7), in the order of `place_model.CANDIDATE_FEATURES`.

    kinds, shares: chances (n, 3) that none, a face or a back shows, by a close look and by the card map.
    """
    named = cards.belief[:, :NONE]
    best, sure = named.argmax(1), named.max(1)
    same = (best[None] == best[:, None]) & ~np.eye(len(cards), dtype=bool)
    elsewhere = np.where(same, sure[None], 0.0).max(1)
    none, bare = (np.clip(chances[:, 0], SETTINGS.held, 1 - SETTINGS.held) for chances in (kinds, shares))
    return np.column_stack(
        [
            np.ones(len(cards)),
            np.minimum(cards.body, SETTINGS.most),
            np.log(none / (1 - none)),
            sure,
            cards.index,
            elsewhere * (1 - sure),
            np.log(bare / (1 - bare)),
        ]
    )


def _chance(odds: Doubles) -> Doubles:
    return np.asarray(1 / (1 + np.exp(-odds)))
