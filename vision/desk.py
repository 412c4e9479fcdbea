"""Looking at places: what the search found there, what the map shows, and a second look where an index should be."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision import closeup, evidence, sites
from vision.decode import Corners
from vision.evidence import Readings
from vision.find import Kinds
from vision.net import Net
from vision.proposals import Flat
from vision.windows import Shrunk

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spotted:
    """What was seen at one place.

    Chances that a card lies there and that its face shows, belief (54,) of which card it is, corners (4, 2) in pixels,
    and the chance that it is the place it is taken for.
    """

    place: str
    present: float
    face: float
    belief: Doubles
    quad_xy: Doubles
    told: float = 1.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A place to look at: its name, the find that lies there, its axes (2, 3), and whether its two halves are
    covered.
    """

    place: str
    number: int | None
    axes: Doubles
    covered: tuple[bool, bool] = (False, False)
    fringe: bool = False  # nothing was found of what it lies on: beyond the part of the table that was made out
    told: float = 1.0  # the chance that it is the place it is taken for


@dataclass(frozen=True, slots=True)
class Glance:
    """What a place shows by itself: chances that no card shows, that what shows is a face, that an index does, that the
    card lies face up by both; belief (54,) of which card it is.
    """

    none: float
    up: float
    index: float
    face: float
    belief: Doubles


# A place with both its covering cards gone and no card found is empty with this chance; one that still carries cards
# hardly is.
EMPTY = 0.985
CARRYING = 0.93
# Where the map shows a face to this share at such a place, one lies there as likely as not; the odds grow e-fold with
# so much more. On drawn validation tables three cards not found showed 0.78 to 0.97, four of 514 empty places 0.6 to
# 0.8.
UNFOUND = 0.85, 0.06
# Where the map shows some card to this share the net of whole cards is asked, and one lies there with this chance at
# least: on drawn validation tables 20 of 25 cards not found showed so, and 35 of 764 empty places. Its logarithmic odds
# of a face at which one is as likely as not: 7 and more for 13 of the 25, under 5 for all but three of the others.
HINT, LIKELY = 0.3, 4.0
# It is asked about the place and those around it, so far off in half sides, where the map shows a card to this share,
# but for those nearer than so much to a card that was made out: from 25° places are off by so much. On drawn validation
# tables 4 of 797 empty places had odds over 3, and 7 of 9 cards not found.
AROUND = np.stack(np.meshgrid(np.arange(-0.9, 1.0, 0.3), np.arange(-0.6, 0.7, 0.3)), axis=2).reshape(-1, 2)
SHOWING, APART = 0.5, 0.7
# However sure the map is, a back full of art is taken for a face, and a court card for a back, this often; this often a
# face shows no index that can be read, and a back one that seems to be read surely.
MISTAKEN, UNREAD, MISREAD = 0.03, 0.04, 0.001
# Logarithmic odds of a face by itself, and the worth of those by its looks and by an index on it: fitted to 5591 places
# of drawn validation tables.
FACE = -1.1, 1.15, 1.3
# A place that carries a card is there, though the table seems to show, this often: a hole amid found cards may be a
# fault of the layout, one beyond them is more likely a card not made out.
HOLE, UNMADE = 0.4, 0.65
# A covered card lies otherwise than most covered cards of its table this often: by mistake, or the apex.
ODD = 0.05
# Covered cards look alike, so that what they show together weighs as much as so many of them would alone.
ALIKE = 3.0


# So like one another covered cards may be before they are taken for backs, and how fast: on drawn validation tables
# the likeness of 1870 faces was under 0.64, that of half of 1930 backs was more. So many cards must lie there.
TWINS, ENOUGH = (0.5, 15.0), 3
# So much of a card, in its half sides, is kept from where the row above ends: cards are laid unevenly.
CLEAR = 0.12
# The middle of the suit lies so many rank heights below the rank's. Where the row above begins no further below it than
# EDGE, half of the suit is hidden or more, and another suit was read so often: on drawn validation tables 4 of 36.
SUIT, EDGE, HIDDEN = 1.1, 0.13, 0.1


@dataclass(frozen=True, slots=True)
class Desk:
    """What lies ready while the places of one picture are looked at.

    net, whole: the one that reads windows, and the one that looks at whole cards. owner: which find each reading
    belongs to. axes: of every find. usual: where this deck's indices stand. row: rows stand this many card heights
    apart.
    """

    picture: Shrunk
    net: Net
    whole: Net
    readings: Readings
    owner: NDArray[np.intp]
    axes: list[Doubles]
    cards: Flat
    usual: Doubles
    kinds: Kinds
    corners: Corners
    row: float

    def shows(self, axes: Doubles) -> bool:
        """Whether the upper part of a place lies inside the picture."""
        height, width = self.picture.levels[0].shape[:2]
        upper = [axes[:, 2] + side * 0.6 * axes[:, 0] - 0.6 * axes[:, 1] for side in (-1, 1)]
        return all(0 <= x < width and 0 <= y < height for x, y in upper)

    def is_card(self, number: int) -> bool:
        """Whether a card shows where this find lies (a find off the grid may be a thing on the table)."""
        return self.bare(self.axes[number]) < 0.5

    def look(self, spots: list[Spot]) -> list[Spotted]:
        """Everything known about these places; all their second looks are read together."""
        mine = [self.readings.take(np.flatnonzero(self.owner == (-2 if s.number is None else s.number))) for s in spots]
        frames = [self._wanted(spot, known) for spot, known in zip(spots, mine, strict=True)]
        second = evidence.read(self.picture, np.concatenate(frames), self.net) if frames else None
        looks, at = [], 0
        for spot, known, looked in zip(spots, mine, frames, strict=True):
            if len(looked) and second is not None:
                known = evidence.joined(known, second.take(np.arange(at, at + len(looked))))
                at += len(looked)
            looks.append(self._glance(spot, self._half_seen(spot, known) if spot.covered[0] else known))
        looks = self._less_alike(spots, looks)
        upward = _upward([look.face for spot, look in zip(spots, looks, strict=True) if any(spot.covered)])
        lying = np.array([spot.axes for spot in spots if spot.number is not None]).reshape(-1, 2, 3)
        return [self._judged(spot, look, upward, lying) for spot, look in zip(spots, looks, strict=True)]

    def _less_alike(self, spots: list[Spot], looks: list[Glance]) -> list[Glance]:
        """The same, covered cards that look like one another taken for backs: no two faces are the same."""
        under = [n for n, spot in enumerate(spots) if any(spot.covered) and spot.number is not None]
        if len(under) < ENOUGH:
            return looks
        alike = closeup.likeness(closeup.cut(self.picture, np.stack([spots[n].axes for n in under])))
        out = list(looks)
        for n, like in zip(under, alike.tolist(), strict=True):
            odds = _odds(looks[n].face) - TWINS[1] * max(like - TWINS[0], 0.0)
            out[n] = replace(looks[n], face=float(1 / (1 + np.exp(-odds))))
        return out

    def _wanted(self, spot: Spot, known: Readings) -> NDArray[np.float32]:
        """Frames (n, 2, 3) of the ends of a place that lie open and where nothing sure was read before."""
        ends = (False,) if any(spot.covered) else (False, True)
        sure = known.is_index() > 0.9
        done = {bool(t) for t in sites.misfit(spot.axes, known.frames[sure])[1]} if sure.any() else set()
        wanted = tuple(end for end in ends if end not in done)
        if not wanted or (spot.number is None and not any(spot.covered)):
            return np.zeros((0, 2, 3), np.float32)
        return sites.looked_for(spot.axes, self.usual, wanted)

    def _half_seen(self, spot: Spot, mine: Readings) -> Readings:
        """The readings of a covered place, less sure of the suit where the row above hides half of it."""
        if not len(mine):
            return mine
        inside = sites.inside(spot.axes, mine.frames)
        clear = 2 * self.row - 1 - (inside[:, 1, 2] + SUIT * inside[:, 1, 1])
        hidden = (inside[:, 1, 1] > 0) & (clear < EDGE * inside[:, 1, 1])
        return evidence.unsuited(mine, np.where(hidden, HIDDEN, 0.0))

    def _glance(self, spot: Spot, mine: Readings) -> Glance:
        """What one place shows by itself."""
        index = _index_shown(mine, spot.axes, 1 if any(spot.covered) else 2)
        none, up = self._kind(spot.axes, spot.covered)
        if spot.number is not None and not np.isnan(found := float(self.cards.face[spot.number])):
            # The map sees the whole card, the find only what voted for it.
            up = (up + found) / 2
        return Glance(none, up, index, face_up(up, index), evidence.combined(_on_card(mine, spot.axes)))

    def _judged(self, spot: Spot, look: Glance, upward: float, lying: Doubles) -> Spotted:
        """What lies at a place, where covered cards lie face up with the chance `upward`.

        lying: axes (n, 2, 3) of the cards that were made out.
        """
        covered = any(spot.covered)
        face = _in_accord(look.face, upward) if covered else look.face
        quad = sites.corners_of(spot.axes)
        if spot.number is not None:
            present = 0.995 if look.none < 0.7 else 0.9
            if not covered and face < 0.5:
                # The rules turn such a card face up: what looks like a back may be the table between cards. On drawn
                # validation tables the net of whole cards told it from none with 0.95 at most, and real ones with 0.97.
                present = min(present, 1 - self.none_at(spot.axes))
            return Spotted(spot.place, present, face, look.belief, quad, spot.told)
        # Nothing was found, yet what carries a card is there, seen or not.
        if not covered:
            none, shown, _ = self.below(spot.axes).tolist()
            present = max(1 - EMPTY, float(1 / (1 + np.exp((UNFOUND[0] - shown) / UNFOUND[1]))))
            axes, odds = self._face_about(spot.axes, lying)
            if odds > LIKELY:
                face, quad = 1 / (1 + float(np.exp(-odds))), sites.corners_of(axes)
            hint = HINT if 1 - none > HINT or odds > LIKELY / 2 else 0.0
            present = max(present, hint, 1 / (1 + float(np.exp(LIKELY - odds))))
        elif upward < 0.5:
            # Through a hole among backs one would see backs.
            present = CARRYING if look.none < 0.7 else UNMADE
        else:
            # A face without its index is the lower half of the card above, seen through a hole.
            shows = look.none < 0.7 and (look.up < 0.5 or look.index > 0.3)
            present = max(CARRYING if shows else (UNMADE if spot.fringe else HOLE), look.index * 0.97)
        return Spotted(spot.place, present, face, look.belief, quad, spot.told)

    def _kind(self, axes: Doubles, covered: tuple[bool, bool]) -> tuple[float, float]:
        """Chances that no card shows at a place, and that a card that shows there is a face.

        Taken from the part of the place that no other card can hide.
        """
        low = -1 + 2 * self.row * 0.85 if any(covered) else 0.85
        grid = np.array([(a, b) for a in (-0.75, -0.4, 0, 0.4, 0.75) for b in np.linspace(-0.85, low, 4)])
        chance = self.kinds.at(grid @ axes[:, :2].T + axes[:, 2]).mean(0)
        return float(chance[0]), float(chance[1] / max(float(chance[1] + chance[2]), 1e-6))

    def none_at(self, axes: Doubles) -> float:
        """The chance, by a close look, that no card lies at `axes`."""
        return float(closeup.look(self.picture, axes[None], self.whole).kinds[0, 0])

    def _face_about(self, axes: Doubles, lying: Doubles) -> tuple[Doubles, float]:
        """Where, near `axes` and apart from cards `lying` (n, 2, 3), a card most likely lies face up, and the
        logarithmic odds that one does; looked at only where the map shows some card.
        """
        places = _shifted(axes, AROUND)
        shown = 1 - self.shares(places)[:, 0] > SHOWING
        for card in lying:
            off = np.linalg.solve(card[:, :2], (places[:, :, 2] - card[:, 2]).T)
            shown &= np.abs(off).max(0) > APART
        if not shown.any():
            return axes, -np.inf
        places = places[shown]
        face = closeup.look(self.picture, places, self.whole).kinds[:, 1]
        best = int(face.argmax())
        return places[best], _odds(float(face[best]))

    def bare(self, axes: Doubles) -> float:
        """Chance that no card shows at `axes`."""
        return self._kind(axes, (False, False))[0]

    def below(self, axes: Doubles) -> Doubles:
        """Chances (3,) that no card, a face or a back shows on the part of `axes` that no card of the row above
        reaches.
        """
        low = min(1 - 2 * self.row + CLEAR, 0.6)
        grid = np.array([(a, b) for a in (-0.7, -0.35, 0, 0.35, 0.7) for b in np.linspace(low, 0.85, 4)])
        return np.asarray(self.kinds.at(grid @ axes[:, :2].T + axes[:, 2]).mean(0), np.float64)

    def back_shows(self, axes: Doubles) -> float:
        """Share of a card at `axes` that looks like a back."""
        return float(self.shares(axes[None])[0, 2])

    def shares(self, axes: Doubles) -> Doubles:
        """Shares (n, 3) of cards at axes (n, 2, 3) that look like no card, a face and a back."""
        grid = np.array([(a, b) for a in (-0.7, 0, 0.7) for b in (-0.75, -0.25, 0.25, 0.75)])
        at = np.einsum("nij,kj->nki", axes[:, :, :2], grid) + axes[:, None, :, 2]
        return np.asarray(self.kinds.at(at.reshape(-1, 2)).reshape(len(axes), -1, 3).mean(1), np.float64)


def _shifted(axes: Doubles, off: Doubles) -> Doubles:
    """Axes (n, 2, 3) so far `off` (n, 2) in half sides from others (2, 3)."""
    places = np.tile(axes, (len(off), 1, 1))
    places[:, :, 2] += off @ axes[:, :2].T
    return places


def _on_card(mine: Readings, axes: Doubles) -> Doubles:
    """Beliefs of the readings that still stand on this card after their windows were corrected."""
    if not len(mine):
        return mine.beliefs
    fits, _ = sites.misfit(axes, mine.frames)
    return np.asarray(mine.beliefs[fits < sites.REACH * 1.3])


def _index_shown(mine: Readings, axes: Doubles, ends: int) -> float:
    """Chance that the card shows its indices: the mean over the ends that lie open.

    One chance find on a back is not enough where the other end shows none.
    """
    if not len(mine):
        return 0.0
    fits, turned = sites.misfit(axes, mine.frames)
    chance = np.where(fits < sites.REACH * 1.3, mine.is_index(), 0.0)
    best = [float(chance[turned == end].max(initial=0.0)) for end in (False, True)]
    return max(best) if ends == 1 else sum(best) / 2


def face_up(from_card: float, from_index: float) -> float:
    """Chance that a card lies face up, from its looks and from an index read on it."""
    alone, looks, index = FACE
    odds = looks * _odds(from_card, MISTAKEN) + index * _odds(max(from_index, UNREAD), MISREAD)
    return float(1 / (1 + np.exp(-alone - odds)))


def _odds(chance: float, least: float = 1e-4) -> float:
    """Logarithm of the odds of a chance that is held off 0 and 1 by `least`."""
    held = min(max(chance, least), 1 - least)
    return float(np.log(held / (1 - held)))


def _upward(faces: list[float]) -> float:
    """Chance that a table is one whose covered cards lie face up, from the chance of each of them."""
    return float(1 / (1 + np.exp(-ALIKE * np.mean([_odds(face) for face in faces])))) if faces else 0.5


def _in_accord(face: float, upward: float) -> float:
    """Chance that a covered card lies face up, among covered cards that do so with the chance `upward`."""
    prior = upward * (1 - ODD) + (1 - upward) * ODD
    return float(1 / (1 + np.exp(-_odds(face) - _odds(prior))))
