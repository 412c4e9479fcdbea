"""All that is seen of a place, whatever the layout: what was found there, the map, the whole card, its indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vision.detect import outline_fit
from vision.detect.multiscale import ALL_OVER, Found
from vision.image.shrunk import Shrunk
from vision.nets.session import Net
from vision.recognize import backs, card_classifier, card_frame, index_reader, prints
from vision.recognize.card_classifier import Views
from vision.recognize.index_reader import READ, Readings

Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]
Kind = Literal["place", "pile", "stock", "loose"]

# So much of a card around it is kept clear of, in half sides: cards are laid unevenly.
_CLEAR = 1.06
# An index that stands farther from its place than so much of the usual reach is of another card.
STANDS = 1.3
# Where the net of whole cards sees a back more surely than this, no index is looked for; and so many covered cards that
# are seen so tell what the deck's back looks like.
BACK, BACKS = 0.99, 2


@dataclass(frozen=True, slots=True)
class Query:
    """A place to look at: its axes (2, 3); the indices read there and at which ends more may show, False the upper one,
    True the turned one; whether a card was found there.

    carries: other cards lie on it, so one lies here; covered_by: the places of those, where they are asked about too.
    over: the share of it that lies where a card was read, of a find on which nothing was. prior: log-odds that its
    layout gives to nothing and to a back there. told: the chance that it is the place it is taken for. kind:
    `place`, `pile`, `stock`, or `loose` of a card that lies in no layout. view: what the net of whole cards said of it,
    if it was looked at already, and second: what was read at its ends where nothing was read before.
    """

    place: str
    axes: Doubles
    readings: Readings
    ends: tuple[bool, ...] = (False, True)
    found: bool = True
    carries: bool = False
    covered_by: tuple[str, ...] = ()
    over: float = 0.0
    prior: tuple[float, float] = (0.0, 0.0)
    told: float = 1.0
    kind: Kind = "place"
    view: Views | None = None
    second: Readings | None = None

    @property
    def lies(self) -> bool:
        """Whether a card is thought to lie there before it is looked at."""
        return self.found or self.carries


@dataclass(frozen=True, slots=True)
class Observed:
    """What was seen at n places, in the order in which cards were laid; the `queries` know it if they are asked again.

    shown, alone: shares (n, 3) of no card, a face and a back on the part of each that no other card hides, and of that
    the part under which none lies. part: (n,) how much of each is not hidden. corners: (n,) heat of the outer corners
    found where each has its own. kinds (n, 3) and cards (n, 54): what the net of whole cards says. belief (n, 54) of
    its indices, and the chance (n,) that there are any. alike (n,): how like each covered card is to the other covered
    ones. deck (n, 3): of a pile, whether the backs of its deck are known, how like them it is, and how far off in
    colour; edges (n,): how sharply a pile stands out from the table. rank_print, suit_print (n, d): how its indices are
    printed, and printed (n,) 1 where that was seen, else 0. hidden (n, 8, 6): how much of each cell of them something
    hides which is no card, nan where another card does.
    """

    queries: tuple[Query, ...]
    shown: Doubles
    alone: Doubles
    part: Doubles
    corners: Doubles
    kinds: Doubles
    cards: Doubles
    belief: Doubles
    index: Doubles
    alike: Doubles
    deck: Doubles
    edges: Doubles
    rank_print: Doubles
    suit_print: Doubles
    printed: Doubles
    hidden: Doubles

    def __len__(self) -> int:
        return len(self.queries)


def observe(
    picture: Shrunk,
    queries: Sequence[Query],
    found: Found,
    nets: tuple[Net, Net],
    usual: Doubles,
    *,
    printed: bool = False,
) -> Observed:
    """Look at places, those laid later after those they lie on.

    nets: the one that reads windows, and the one that looks at whole cards. usual: where this deck's upper left index
    stands, (2, 3) in half sides. printed: look how indices are printed, too, by which all cards of a table are told
    together.
    """
    axes = np.array([query.axes for query in queries]).reshape(-1, 2, 3)
    views = _views(picture, queries, nets[1])
    kinds = views.kinds
    second = _read(picture, queries, kinds[:, 2] > BACK, nets[0], usual)
    known = [index_reader.joined(query.readings, more) for query, more in zip(queries, second, strict=True)]
    loose = np.array([query.kind == "loose" for query in queries], bool)
    lies = np.array([query.lies for query in queries], bool)
    hidden, over = _overlaps(axes, lies & ~loose, ALL_OVER)
    covered, _ = _overlaps(axes, lies & ~loose, card_classifier.MIDDLES)
    at = np.einsum("nij,kj->nki", axes[:, :, :2], ALL_OVER) + axes[:, None, :, 2]
    shares = found.kinds.at(at.reshape(-1, 2)).reshape(len(axes), len(ALL_OVER), 3).astype(np.float64)
    off, turned = _standing(axes, known)
    stands = [o < card_frame.REACH * STANDS for o in off]
    own = [readings.take(which) for readings, which in zip(known, stands, strict=True)]
    ends = [t[which] for t, which in zip(turned, stands, strict=True)]
    belief = index_reader.each_combined([index_reader.by_print(readings) for readings in own])
    index = np.array([_index(*one) for one in zip(queries, own, ends, strict=True)])
    return Observed(
        tuple(
            replace(query, view=views.one(n), second=more)
            for n, (query, more) in enumerate(zip(queries, second, strict=True))
        ),
        _mean(shares, ~hidden),
        _mean(shares, ~hidden & ~over),
        np.asarray((~hidden).mean(1)),
        outline_fit.heat(axes, found.corners),
        kinds,
        views.cards,
        belief,
        index,
        *_covers(picture, queries, kinds),
        *_prints(picture, own if printed else [none_read()] * len(queries)),
        np.where(covered.reshape(views.over.shape), np.nan, views.over),
    )


def _prints(picture: Shrunk, own: Sequence[Readings]) -> tuple[Doubles, Doubles, Doubles]:
    """How the indices of each place are printed, as far as they were read as such."""
    shown = [readings.take(readings.is_index() > READ) for readings in own]
    places = np.repeat(np.arange(len(own)), [len(readings) for readings in shown])
    frames = np.concatenate([*(readings.frames for readings in shown), none_read().frames])
    return prints.seen(picture, frames, places, len(own))


def _views(picture: Shrunk, queries: Sequence[Query], whole: Net) -> Views:
    """What the net of whole cards says of each place."""
    new = [query.axes for query in queries if query.view is None]
    looked = card_classifier.look(picture, np.array(new).reshape(-1, 2, 3), whole)
    number = iter(range(len(new)))
    known = [looked.one(next(number)) if query.view is None else query.view for query in queries]
    return Views.joined(known)


def _read(picture: Shrunk, queries: Sequence[Query], backs: Flags, net: Net, usual: Doubles) -> list[Readings]:
    """The indices that are looked for at each place where nothing sure was read before and no back is seen."""
    axes = np.array([query.axes for query in queries]).reshape(-1, 2, 3)
    _, turned = _standing(axes, [query.readings for query in queries])
    frames = [
        none_read().frames if back or query.second is not None else _wanted(query, ends, usual)
        for query, ends, back in zip(queries, turned, backs, strict=True)
    ]
    read = index_reader.read(picture, np.concatenate([*frames, none_read().frames]), net)
    parts = np.split(np.arange(len(read)), np.cumsum([len(looked) for looked in frames])[:-1]) if frames else []
    return [
        read.take(part) if query.second is None else query.second for query, part in zip(queries, parts, strict=True)
    ]


def _wanted(query: Query, turned: Flags, usual: Doubles) -> NDArray[np.float32]:
    """Frames (n, 2, 3) of the ends of a place that lie open and where nothing sure was read before."""
    done = set(turned[query.readings.is_index() > READ].tolist())
    wanted = tuple(end for end in query.ends if end not in done)
    if not wanted or not query.lies:
        return none_read().frames
    return card_frame.looked_for(query.axes, usual, wanted)


def _standing(axes: Doubles, of: Sequence[Readings]) -> tuple[list[Doubles], list[Flags]]:
    """For the readings of each place how far they stand from where they should, and whether they are turned ones."""
    counts = [len(readings) for readings in of]
    frames = np.concatenate([*(readings.frames for readings in of), none_read().frames])
    off, turned = card_frame.standing(np.repeat(axes, counts, axis=0), frames)
    parts = [slice(*ends) for ends in pairwise(np.cumsum([0, *counts]).tolist())]
    return [off[part] for part in parts], [turned[part] for part in parts]


def _index(query: Query, readings: Readings, turned: Flags) -> float:
    """The chance that a card shows its indices: the mean over the ends that lie open. One chance find on a back is not
    enough where the other end shows none.
    """
    if not len(readings):
        return 0.0
    best = [float(readings.is_index()[turned == end].max(initial=0.0)) for end in (False, True)]
    return sum(best) / 2 if len(query.ends) > 1 else max(best)


def _overlaps(axes: Doubles, lies: Flags, points: Doubles) -> tuple[Flags, Flags]:
    """Which of some points (k, 2) of each place, (n, k), another card hides, and on which that place lies on another
    one.
    """
    count = len(axes)
    if not count:
        return np.zeros((0, len(points)), bool), np.zeros((0, len(points)), bool)
    at = np.einsum("nij,kj->nki", axes[:, :, :2], points) + axes[:, None, :, 2]
    inverse = np.linalg.inv(axes[:, :, :2])
    x, y = (at[:, :, None, side] - axes[:, side, 2] for side in (0, 1))
    across, down = (np.abs(inverse[:, side, 0] * x + inverse[:, side, 1] * y) for side in (0, 1))
    number = np.arange(count)
    inside = (across < _CLEAR) & (down < _CLEAR)
    on = inside & np.asarray(lies & (number != number[:, None]))[:, None]
    later = np.asarray(number > number[:, None])
    return np.asarray((on & later[:, None]).any(2)), np.asarray((on & ~later[:, None]).any(2))


def _mean(shares: Doubles, which: Flags) -> Doubles:
    """The mean (n, 3) over some of the points; over all where there are none."""
    weight = np.where(which.any(axis=1, keepdims=True), which, True).astype(np.float64)
    return np.asarray(np.einsum("nk,nkc->nc", weight, shares) / weight.sum(axis=1, keepdims=True))


def _covers(picture: Shrunk, queries: Sequence[Query], kinds: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """How like each covered card is to the others, (n,), how like each pile is to those that are backs, (n, 3), and how
    sharply it stands out, (n,).
    """
    axes = np.array([query.axes for query in queries]).reshape(-1, 2, 3)
    covered = np.array([query.carries and query.found for query in queries], bool)
    piles = np.array([query.kind in ("pile", "stock") for query in queries], bool)
    alike, deck, edges = np.zeros(len(queries)), np.zeros((len(queries), 3)), np.zeros(len(queries))
    views = card_classifier.cut(picture, axes[covered])
    if len(views) > 2:
        alike[covered] = backs.likeness(views)
    if piles.any():
        edges[piles] = backs.edges(picture, axes[piles])
        known = views[kinds[covered, 2] > BACK]
        if len(known) >= BACKS:
            deck[piles] = np.column_stack(
                [np.ones(piles.sum()), *backs.likeness_to(card_classifier.cut(picture, axes[piles]), known)]
            )
    return alike, deck, edges


def none_read() -> Readings:
    """No index at all."""
    return Readings(np.zeros((0, 2, 3), np.float32), np.zeros((0, index_reader.SIZE)))


def without_cards(seen: Observed) -> Observed:
    """The same without what the net of whole cards says of which card it is."""
    return replace(seen, cards=np.full_like(seen.cards, 1 / index_reader.SIZE))
