"""A pyramid from the candidates on a table: which of them lies where, and what may lie where none was found."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.cards import Card, Rank
from vision.cards.candidates import Candidates
from vision.layout import hypotheses, lattice, off_layout, piles
from vision.layout.table import Arranged, Table
from vision.posterior.observation import Query, none_read
from vision.recognize import card_classifier, card_frame
from vision.recognize.index_reader import FACES

Doubles = NDArray[np.float64]


# Cards higher than a ten, and the chance with which so many are read before a court lies on the table.
COURTS = np.array([isinstance(face, Card) and (face.rank or 0) > Rank.TEN for face in FACES] + [False])


@dataclass(frozen=True, slots=True)
class Settings:
    """When a pyramid is told."""

    court: float = 0.95  # cards higher than a ten read with this chance,
    courts: int = 2  # so many of them, and a court lies on the table
    strays: float = 0.2  # sure cards off the pyramid for each on it, beside one, before it is none, or the wrong one
    told: float = 0.9  # chance that a named placing is right: of 298 placed rightly on drawn tables all had more;
    # or else, though it may lie another way, what it scores without a close look: all of it is asked about then. Of 140
    # drawn pictures of other things, taken for pyramids of five sizes, none reached 4.6
    there: float = 5.0
    plain: float = 0.95  # where nobody named it: of 381 all but one in a hundred had more, of ten heaps and fans none
    least: float = 0.5  # so much a placing scores at least; where nobody named it,
    fits: float = 0.27  # this share of what so many cards can score: of 406 all but one in a hundred did
    imagined: float = 1.5  # cards that may be imagined for each one found, if it was named;
    alone: float = 3.0  # if no others lie about: above a last row of seven there are three for each
    card: float = 0.05  # a candidate with less of a chance to be a card is none


SETTINGS = Settings()


def arrange(table: Table, rows: tuple[int, ...]) -> Arranged | None:
    """The pyramid of one of the given numbers of rows that fits best; None where no pyramid is seen."""
    table = table.take(table.cards.present > SETTINGS.card)
    if not len(table.cards):
        return None
    placed = _placed(table, rows)
    if placed is None or placed.score < SETTINGS.least or not stands(placed, named=len(rows) == 1):
        return None
    kept = np.flatnonzero((table.cards.present > 0.5) | _confirmed(placed, len(table.cards)))
    table, placed = table.take(kept), placed.keeping(kept)
    # Cards show wherever they lie: a close look tells one placing from another, not a pyramid from a heap.
    fits = placed.score - placed.looks >= SETTINGS.fits * (2 * len(placed.taken()) + 1)
    if len(rows) > 1 and not fits:
        return None
    # Who says how large the pyramid is may lay as many cards beside it as they like.
    off = _strays(placed, table)
    if len(rows) > 1 and off > 1 + SETTINGS.strays * _settled_cards(placed):
        return None
    # From here on down is the player's down: every card's axes agree with the grid's.
    table = table.turned(_against(table.axes, placed.grid))
    spots, outside = _spots(table, placed)
    # Nor is a pyramid cut off by the edge of the picture told from loose cards by a close look.
    if not fits and len(outside) * 3 > len(spots):
        return None
    # A pyramid most of whose cards would have to be imagined is none; more may where the player says there is one.
    imagined = sum(spot.carries and not spot.found for spot in spots)
    most = 1.0 if len(rows) > 1 else SETTINGS.imagined if off else SETTINGS.alone
    if imagined > most * _settled_cards(placed):
        return None
    below = piles.piles(table, placed, off_layout.loose(table, spots))
    beside = off_layout.strays(table, placed.grid, (*spots, *below))
    return Arranged(f"pyramid-{placed.rows}", tuple(spots), below, beside, tuple(outside), table.usual)


def stands(placed: hypotheses.Placed, *, named: bool) -> bool:
    """Whether a placing is right, or if the player named it, whether one of them is: then all of it is asked about."""
    if not named:
        return placed.stands() >= SETTINGS.plain
    return placed.stands() >= SETTINGS.told or placed.score - placed.looks >= SETTINGS.there


def _placed(table: Table, rows: tuple[int, ...]) -> hypotheses.Placed | None:
    """The best placing of the candidates."""
    cards, readings = table.cards, table.readings
    to_pixels = np.asarray(np.linalg.inv(table.plane.homography), np.float64)
    grids = lattice.fits(cards.middle, cards.witnesses * cards.present, to_pixels)
    if not grids:
        return None
    courts = int((readings.beliefs[:, COURTS].sum(1) > SETTINGS.court).sum()) >= SETTINGS.courts
    clues = hypotheses.Clues(
        table.axes[:, :, 2],
        _down_votes(cards, table.axes),
        cards.face,
        cards.present,
        table.found.kinds,
        cards.kinds[:, 0],
        cards.index,
        lambda places: np.asarray(card_classifier.look(table.picture, places, table.nets[1]).kinds[:, 0]),
        courts,
        SETTINGS.fits if len(rows) > 1 else -np.inf,
    )
    return hypotheses.best(grids, rows, clues)


def _down_votes(cards: Candidates, axes: Doubles) -> Doubles:
    """The downward directions (n, 2) of the indices read on each card; nothing where both ends show theirs."""
    down = axes[:, :, 1] / np.maximum(np.linalg.norm(axes[:, :, 1], axis=1, keepdims=True), 1e-6)
    return np.asarray(down * (cards.upper - cards.lower)[:, None])


def _spots(table: Table, placed: hypotheses.Placed) -> tuple[list[Query], list[str]]:
    """The places of the pyramid that lie in the picture, and the names of those that do not."""
    taken = {place: number for number, place in placed.grid.at.items()}
    covered = _carrying(set(taken), placed.rows)
    spots, outside = [], []
    for r in range(placed.rows):
        for c in range(r + 1):
            node, name = (2 * c - r, r), f"pyramid {r + 1} {c + 1}"
            number, carries = taken.get(node), any(covered.get(node, ()))
            if number is not None:
                spot = table.lying(name, number)
            else:
                spot = Query(name, card_frame.axes_of(placed.grid.quad_around(c - r / 2, r)), none_read(), found=False)
            if not spot.found and not table.shows(spot.axes):
                outside.append(name)
                continue
            told, ends = placed.told(node if spot.found else None), (False,) if carries else (False, True)
            spots.append(replace(spot, ends=ends, carries=carries, told=told))
    return spots, outside


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


def _strays(placed: hypotheses.Placed, table: Table) -> int:
    """How many surely seen cards lie neither on a place nor where piles lie: many of them speak against a pyramid."""
    plain, middles = table.cards.plain, table.axes[:, :, 2]
    off = [n for n in hypotheses.beside(placed.grid, len(middles), placed.rows) if plain[n]]
    flat = (placed.grid.units(middles[off].reshape(-1, 2)) - [0, placed.rows - 1]) * [
        placed.grid.pitch,
        placed.grid.row,
    ]
    return int((flat[:, 1] < 0.85).sum())


def _against(axes: Doubles, grid: lattice.Grid) -> NDArray[np.bool_]:
    """Which cards (n, 2, 3) lie the other way up than the grid, (n,)."""
    at = grid.units(axes[:, :, 2])
    step = np.array([0, 0.2])
    down = grid.pixels(at + step) - grid.pixels(at - step)
    return np.asarray((down * axes[:, :, 1]).sum(1) < 0)


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
