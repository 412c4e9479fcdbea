"""A pyramid from cards and index readings: what lies at every place, a decision each, with its doubt."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.cards import Card, Rank
from vision.cards import card_frame, proposals
from vision.cards.proposals import NEEDED, Flat
from vision.detect import outline_fit
from vision.detect.multiscale import Found, Kinds
from vision.image.shrunk import Shrunk
from vision.layout import homography, hypotheses, lattice, off_layout
from vision.layout.desk import Desk
from vision.layout.homography import Plane
from vision.layout.piles import OUTLINED, piles
from vision.nets.session import Net
from vision.posterior.observation import Query
from vision.recognize import card_classifier
from vision.recognize.index_reader import FACES, NONE, Readings

Doubles = NDArray[np.float64]


# Cards higher than a ten, and the chance with which so many are read before a court lies on the table.
COURTS = np.array([isinstance(face, Card) and (face.rank or 0) > Rank.TEN for face in FACES] + [False])
COURT, COURTS_READ = 0.95, 2


@dataclass(frozen=True, slots=True)
class Arranged:
    """A layout: its id, its places, its piles, the cards `beside` them, all yet to be looked at; `outside` names places
    beyond the picture's edge; usual: where this deck's upper left index stands, (2, 3) in half sides.
    """

    layout: str
    places: tuple[Query, ...]
    piles: tuple[Query, ...]
    beside: tuple[Query, ...]
    outside: tuple[str, ...]
    usual: Doubles


# Sure cards off the pyramid for each card on it, beside one, before it is no pyramid or the wrong one.
STRAYS = 0.2
# A placing told with less of a chance is no answer: every place would have to be asked about, and most be corrected.
# Where the apex was found it is told with 0.8 and more, however few cards are left.
TOLD = 0.64
# Where nobody says that a pyramid lies there it stands out: of 381 placed rightly on drawn validation tables all but
# one in a hundred were told with 0.95 and more, and none of ten seen in heaps and fans.
PLAIN = 0.95
# So much a placing scores at least.
LEAST = 0.5
# Where nobody says that a pyramid lies there, a placing scores this share at least of what so many cards can score: of
# 406 placed rightly on drawn validation tables all but one in a hundred scored 0.28 and more.
FITS = 0.27
# Cards that may be imagined for each one found, where the player says that a pyramid lies there; and if no others lie
# about: above a last row of seven, the only one made out, there are three for each of it.
IMAGINED, ALONE = 1.5, 3.0
# A find with nothing on it is none where the table shows with more than this chance. On drawn validation tables it
# showed with 0.1 at most on 1151 that were cards, with 0.8 on one that was not.
BARE = 0.5
# Cards of one table are of one size, the far ones smaller: in widths of the usual one with an index, where so many with
# one were found.
ALIKE, ALIKE_CARDS, ALIKE_INDEX = (0.4, 2.5), 2, 0.9


def arrange(
    picture: Shrunk, found: Found, readings: Readings, nets: tuple[Net, Net], rows: tuple[int, ...]
) -> Arranged | None:
    """The pyramid of one of the given numbers of rows that fits best; None where no pyramid is seen.

    nets: the one that reads windows, and the one that looks at whole cards.
    """
    net, whole = nets
    found = _of_one_size(found, readings)
    plane = homography.rectify(found.cards, found.corners)
    if plane is None:
        return None
    cards = proposals.propose(plane, found.cards, found.corners, readings)
    if not len(cards):
        return None
    middles = plane.pixels(cards.middle)
    axes = list(_axes(plane, cards.middle))
    owner = card_frame.owners(axes, readings)
    sure = cards.weight >= NEEDED
    votes = _down_votes(len(cards), readings, owner)
    to_pixels = np.asarray(np.linalg.inv(plane.homography), np.float64)
    courts = int((readings.beliefs[:, COURTS].sum(1) > COURT).sum()) >= COURTS_READ

    def none(places: Doubles) -> Doubles:
        return np.asarray(card_classifier.look(picture, places, whole).kinds[:, 0])

    def best(shown: Doubles) -> hypotheses.Placed | None:
        grids = lattice.fits(cards.middle, cards.weight * shown, to_pixels)
        worth = np.where(sure, 1.0, hypotheses.FAINT) * shown
        fits = FITS if len(rows) > 1 else -np.inf
        clues = hypotheses.Clues(middles, votes, cards.face, worth, found.kinds, np.array(axes), none, courts, fits)
        return hypotheses.best(grids, rows, clues) if grids else None

    shown, told = _shown(plane, cards, found.kinds), TOLD if len(rows) == 1 else PLAIN
    placed = best(shown)
    if len(rows) == 1 and not _holds(placed, told):
        # Edges in a cloth make cards: what looks like none from nearby counts no longer.
        placed = best(shown * (1 - none(np.array(axes))))
    if placed is None or not _holds(placed, told):
        return None
    kept = np.flatnonzero(sure | _confirmed(placed, len(cards)))
    cards, middles, axes, placed = cards.take(kept), middles[kept], [axes[n] for n in kept], placed.keeping(kept)
    grid = placed.grid
    # Cards show wherever they lie: a close look tells one placing from another, not a pyramid from a heap.
    fits = placed.score - placed.looks >= FITS * (2 * len(placed.taken()) + 1)
    if len(rows) > 1 and not fits:
        return None
    # Who says how large the pyramid is may lay as many cards beside it as they like.
    off = _strays(placed, middles, cards)
    if len(rows) > 1 and off > 1 + STRAYS * _settled_cards(placed):
        return None
    # From here on down is the player's down: every card's axes agree with the grid's.
    axes = [_towards(a, grid) for a in axes]
    owner = card_frame.owners(axes, readings)
    usual = card_frame.template(axes, readings, owner)
    desk = Desk(picture, net, whole, readings, owner, axes, cards, usual, found, grid.row)
    placed = _without_bare(desk, placed)
    spots, outside = _spots(desk, placed)
    # Nor is a pyramid cut off by the edge of the picture told from loose cards by a close look.
    if not fits and len(outside) * 3 > len(spots):
        return None
    # A pyramid most of whose cards would have to be imagined is none; more may where the player says there is one.
    imagined = sum(spot.carries and not spot.found for spot in spots)
    most = 1.0 if len(rows) > 1 else IMAGINED if off else ALONE
    if imagined > most * _settled_cards(placed):
        return None
    below = piles(desk, placed, middles, off_layout.loose(desk, spots))
    beside = off_layout.strays(desk, grid, (*spots, *below))
    return Arranged(f"pyramid-{placed.rows}", tuple(spots), below, beside, tuple(outside), usual)


def _holds(placed: hypotheses.Placed | None, told: float) -> bool:
    """Whether a placing can be believed that is to be told with this chance at least."""
    return placed is not None and placed.score >= LEAST and placed.stands() >= told


def _of_one_size(found: Found, readings: Readings) -> Found:
    """The same without finds that are far smaller or larger than those on which an index was read: confetti, a tray."""
    widths = found.cards.widths()
    owner = card_frame.owners([card_frame.axes_of(quad) for quad in found.cards.quads()], readings)
    own = np.unique(owner[(owner >= 0) & (readings.is_index() > ALIKE_INDEX)])
    if len(own) < ALIKE_CARDS:
        return found
    usual = float(np.median(widths[own]))
    kept = (widths > usual * ALIKE[0]) & (widths < usual * ALIKE[1])
    if kept.all():
        return found
    own_corners = outline_fit.standing(found.cards.take(~kept), found.corners)
    return replace(found, cards=found.cards.take(kept), corners=found.corners.take(~own_corners))


def _without_bare(desk: Desk, placed: hypotheses.Placed) -> hypotheses.Placed:
    """The same without finds on which no card lies and which the table shows through."""
    while True:
        taken = placed.taken()
        carrying = _carrying(set(taken), placed.rows)
        gone = {
            number
            for node, number in taken.items()
            if not any(carrying.get(node, (False,))) and desk.below(desk.axes[number])[0] > BARE
        }
        if not gone:
            return placed
        at = {number: node for number, node in placed.grid.at.items() if number not in gone}
        placed = replace(placed, grid=replace(placed.grid, at=at))


def _spots(desk: Desk, placed: hypotheses.Placed) -> tuple[list[Query], list[str]]:
    """The places of the pyramid that lie in the picture, and the names of those that do not."""
    taken = {place: number for number, place in placed.grid.at.items()}
    covered = _carrying(set(taken), placed.rows)
    spots, outside = [], []
    for r in range(placed.rows):
        for c in range(r + 1):
            node, name = (2 * c - r, r), f"pyramid {r + 1} {c + 1}"
            number = taken.get(node)
            place = (
                desk.axes[number] if number is not None else card_frame.axes_of(placed.grid.quad_around(c - r / 2, r))
            )
            if number is None and not desk.shows(place):
                outside.append(name)
            else:
                told = placed.told(node if number is not None else None)
                spots.append(desk.query(name, number, place, carries=any(covered.get(node, ())), told=told))
    return spots, outside


def _shown(plane: Plane, cards: Flat, kinds: Kinds) -> Doubles:
    """What each of n cards counts by the card map, (n,): one of few witnesses as far as any card shows there, for
    corners seen in a cloth make cards of the table; one of enough wholly, for the map may miss its back.
    """
    grid = np.array([(a, b) for a in (-0.3, 0.0, 0.3) for b in (-0.3, 0.0, 0.3)])
    at = plane.pixels((cards.middle[:, None] + grid).reshape(-1, 2))
    none = kinds.at(at)[:, 0].reshape(len(cards), -1).mean(1)
    return np.asarray(np.where(cards.weight >= NEEDED, 1.0, 1 - none), np.float64)


def _confirmed(placed: hypotheses.Placed, count: int) -> NDArray[np.bool_]:
    """Which of `count` cards lie on places of the pyramid that carry other cards, (count,)."""
    taken = placed.taken()
    carrying = _carrying(set(taken), placed.rows)
    out = np.zeros(count, bool)
    out[[number for node, number in taken.items() if any(carrying.get(node, (False,)))]] = True
    return out


def _settled_cards(placed: hypotheses.Placed) -> int:
    """How many cards lie on places of the pyramid."""
    return len(placed.grid.at) - sum(not (0 <= r < placed.rows and abs(k) <= r) for k, r in placed.grid.at.values())


def _strays(placed: hypotheses.Placed, middles: Doubles, cards: Flat) -> int:
    """How many surely seen cards lie neither on a place nor where piles lie: many of them speak against a pyramid."""
    off = [n for n in hypotheses.beside(placed.grid, len(middles), placed.rows) if cards.weight[n] > OUTLINED]
    flat = (placed.grid.units(middles[off].reshape(-1, 2)) - [0, placed.rows - 1]) * [
        placed.grid.pitch,
        placed.grid.row,
    ]
    return int((flat[:, 1] < 0.85).sum())


def _axes(plane: Plane, middles: Doubles) -> Doubles:
    """(n, 2, 3) from card coordinates (half sides) to pixels for cards (n, 2) on the rectified table."""
    corners = middles[:, None] + np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    return card_frame.axes_of_all(plane.pixels(corners.reshape(-1, 2)).reshape(-1, 4, 2))


def _down_votes(n: int, readings: Readings, owner: NDArray[np.intp]) -> Doubles:
    """Sum of the downward directions of the indices read on each of n cards, (n, 2)."""
    votes = np.zeros((n, 2))
    for number in np.flatnonzero(owner >= 0):
        chance = float(1 - readings.beliefs[number, NONE])
        down = readings.frames[number, :, 1].astype(np.float64)
        votes[owner[number]] += chance * down / max(float(np.linalg.norm(down)), 1e-6)
    return votes


def _towards(axes: Doubles, grid: lattice.Grid) -> Doubles:
    x, y = grid.units(axes[:, 2][None])[0]
    down = grid.pixels(np.array([[x, y + 0.2]]))[0] - grid.pixels(np.array([[x, y - 0.2]]))[0]
    return card_frame.over(axes) if float(down @ axes[:, 1]) < 0 else axes


def _carrying(taken: set[tuple[int, int]], rows: int) -> dict[tuple[int, int], tuple[bool, bool]]:
    """For each place whether a card lies on its left half and on its right: one that was found, or one that
    carries others itself.
    """
    out: dict[tuple[int, int], tuple[bool, bool]] = {}
    for r in range(rows - 2, -1, -1):
        for k in range(-r, r + 1, 2):
            below = ((k - 1, r + 1), (k + 1, r + 1))
            left, right = (node in taken or any(out.get(node, (False, False))) for node in below)
            out[(k, r)] = (left, right)
    return out
