"""The table that one picture shows before a layout is sought: seen straight from above, with every card on it once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.cards import candidates, homography, index_marks
from vision.cards.candidates import Candidates
from vision.cards.card_list import CardList
from vision.cards.homography import Plane
from vision.detect import outline_fit
from vision.detect.multiscale import Found
from vision.image.shrunk import Shrunk
from vision.layout import likelihood
from vision.layout.likelihood import Explained
from vision.nets.session import Net
from vision.posterior.observation import STANDS, Kind, Query, observe
from vision.posterior.spotted import Spotted, judged
from vision.recognize import card_classifier, card_frame
from vision.recognize.index_reader import READ, Readings

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settings:
    """Which finds are of one deck: cards of one table are of one size, the far ones smaller. Set by judgement."""

    alike: float = 2.5  # times as wide as the usual card on which an index was read at most, and that as they,
    cards: int = 2  # if there are so many of these
    upper: float = 0.6  # half sides, across and up, within which a place lies in the picture if its upper part does


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Table:
    """What lies ready while a layout is sought in one picture.

    listed: the cards read in it. nets: the one that reads windows, and the one that looks at whole cards. axes:
    (n, 2, 3) of the n candidates, in pixels.
    """

    picture: Shrunk
    found: Found
    listed: CardList
    nets: tuple[Net, Net]
    plane: Plane
    cards: Candidates
    axes: Doubles

    @property
    def readings(self) -> Readings:
        """All indices that were read."""
        return self.listed.readings

    @property
    def usual(self) -> Doubles:
        """Where this deck's upper left index stands, (2, 3) in half sides."""
        return self.listed.usual

    def take(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Table:
        """The same with some of the candidates."""
        return replace(self, cards=self.cards.take(which), axes=self.axes[which])

    def shows(self, axes: Doubles) -> bool:
        """Whether the upper part of a place (2, 3) lies inside the picture."""
        height, width = self.picture.levels[0].shape[:2]
        upper = [axes[:, 2] + side * SETTINGS.upper * axes[:, 0] - SETTINGS.upper * axes[:, 1] for side in (-1, 1)]
        return all(0 <= x < width and 0 <= y < height for x, y in upper)

    def turned(self, over: NDArray[np.bool_]) -> Table:
        """The same with those candidates (n,) the other way up, as they lie in the layout, and looked at so."""
        axes = self.axes.copy()
        axes[over] = card_frame.over(axes[over])
        return self._looked_at(over, axes)

    def sided(self, other: NDArray[np.bool_]) -> Table:
        """The same with those candidates (n,) where they lie if their other side shows, and looked at there."""
        cards = self.cards.sided(other)
        return replace(self, cards=cards)._looked_at(other, card_frame.axes_of_all(cards.quads(self.plane)))

    def _looked_at(self, which: NDArray[np.bool_], axes: Doubles) -> Table:
        """The same with those candidates (n,) lying as axes (n, 2, 3) say, and looked at so."""
        if not which.any():
            return self
        kinds, faces, over = self.cards.kinds.copy(), self.cards.faces.copy(), self.cards.over.copy()
        views = card_classifier.look(self.picture, axes[which], self.nets[1])
        kinds[which], faces[which], over[which] = views.kinds, views.cards, views.over
        axes = np.where(which[:, None, None], axes, self.axes)
        return replace(self, axes=axes, cards=replace(self.cards, kinds=kinds, faces=faces, over=over))

    def bare(self, at: Doubles) -> Doubles:
        """The chance (n,) that the card map shows the table at points (n, 2) of the picture; those outside are left
        out.
        """
        height, width = self.picture.levels[0].shape[:2]
        inside = ((at >= 0) & (at < [width, height])).all(1)
        return np.asarray(self.found.kinds.at(at[inside])[:, 0], np.float64)

    def lying(self, place: str, number: int) -> Query:
        """What to look at in a place on which that candidate lies."""
        mine = self.cards.read_on(number, self.readings)
        return Query(place, self.axes[number], mine, view=self.cards.view(number))

    def empty(
        self, place: str, axes: Doubles, *, kind: Kind = "place", found: bool = False, among: Readings | None = None
    ) -> Query:
        """What to look at where a card may lie that is no candidate: whatever indices, or those among some, stand
        there.
        """
        readings = self.readings if among is None else among
        fits, _ = card_frame.misfit(axes, readings.frames)
        mine = readings.take(np.flatnonzero(fits < card_frame.REACH * STANDS))
        return Query(place, axes, mine, found=found, kind=kind)

    def judged(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Spotted]]:
        """What lies at these places, each with what was seen of it, so that it is not looked at again."""
        seen = observe(self.picture, queries, self.found, self.nets, self.usual)
        return zip(seen.queries, judged(seen), strict=True)


@dataclass(frozen=True, slots=True)
class Arranged:
    """A layout: its id, its places, its piles, the cards `beside` them, all yet to be looked at; `outside` names places
    beyond the picture's edge. also: other layouts in which the same cards may lie, for all that is left of them.
    """

    layout: str
    places: tuple[Query, ...]
    piles: tuple[Query, ...]
    beside: tuple[Query, ...]
    outside: tuple[str, ...]
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposed:
    """A layout in which the cards may lie: its id; what it makes of them, which tells how likely it is that they lie in
    a layout so; the chance that they do not lie in it otherwise, if they do; all of it, worked out; and whether the
    cards it misses may be backs like the cloth, which are missed all together.
    """

    layout: str
    explained: Explained
    stands: float
    arranged: Callable[[], Arranged]
    may_hide: bool = True

    @property
    def odds(self) -> float:
        """The log-odds of it against cards that lie anywhere."""
        return likelihood.odds(self.explained)


def seen(picture: Shrunk, found: Found, listed: CardList, nets: tuple[Net, Net]) -> Table | None:
    """The table of a picture; None where no card was found to tell how it lies."""
    readings, usual = listed.readings, listed.usual
    found = _of_one_size(found, readings)
    plane = homography.rectify(found.cards, found.corners, index_marks.twins(readings, usual[:, 2] / 2))
    return None if plane is None else on_plane(plane, picture, found, listed, nets)


def on_plane(plane: Plane, picture: Shrunk, found: Found, listed: CardList, nets: tuple[Net, Net]) -> Table:
    """The table of a picture that lies so."""
    readings = listed.readings
    cards = candidates.candidates(plane, found, listed)
    axes = card_frame.axes_of_all(cards.quads(plane)) if len(cards) else np.zeros((0, 2, 3))
    if len(cards):
        cards = candidates.looked_at(cards.with_faint(axes, readings), axes, picture, found, nets[1])
    return Table(picture, found, listed, nets, plane, cards, axes)


def _of_one_size(found: Found, readings: Readings) -> Found:
    """The same without finds that are far smaller or larger than those on which an index was read: confetti, a tray."""
    widths = found.cards.widths()
    owner = card_frame.owners(card_frame.axes_of_all(found.cards.quads()), readings)
    own = np.unique(owner[(owner >= 0) & (readings.is_index() > READ)])
    if len(own) < SETTINGS.cards:
        return found
    usual = float(np.median(widths[own]))
    kept = (widths > usual / SETTINGS.alike) & (widths < usual * SETTINGS.alike)
    if kept.all():
        return found
    own_corners = outline_fit.standing(found.cards.take(~kept), found.corners)
    return replace(found, cards=found.cards.take(kept), corners=found.corners.take(~own_corners))
