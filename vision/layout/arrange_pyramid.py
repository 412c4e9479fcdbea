"""A pyramid from the candidates on a table: which of them lies where, and what may lie where none was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rules.cards import Card, Rank
from rules.layouts import PILES, Layout
from vision.layout import hypotheses, lattice, likelihood, off_layout, piles
from vision.layout.likelihood import Explained
from vision.layout.table import Arranged, Proposed, Table
from vision.posterior.observation import Query, none_read
from vision.recognize import card_classifier, card_frame
from vision.recognize.index_reader import FACES, READ

Doubles = NDArray[np.float64]


# Cards higher than a ten.
COURTS = np.array([isinstance(face, Card) and (face.rank or 0) > Rank.TEN for face in FACES] + [False])


# So many of them read, and a court lies on the table.
COURTS_READ = 2


def propose(table: Table, layouts: Sequence[Layout]) -> Proposed | None:
    """The pyramid of these that fits best; None where nothing lies as in one."""
    table = table.take(table.cards.present > likelihood.ALSO)
    rows = tuple(sorted((layout.rows for layout in layouts), reverse=True))
    placed = _placed(table, rows) if rows and len(table.cards) else None
    if placed is None:
        return None
    kept = np.flatnonzero((table.cards.present > 0.5) | _confirmed(placed, len(table.cards)))
    mine, where = table.take(kept), placed.keeping(kept)
    return Proposed(
        f"pyramid-{where.rows}",
        _explained(mine, where),
        where.stands(),
        lambda: arranged(mine, where),
        not _covers_faces(mine, where),
    )


def _covers_faces(table: Table, placed: hypotheses.Placed) -> bool:
    """Whether covered cards were found that lie face up: those that were missed do so as well, and would be seen."""
    taken = placed.taken()
    carrying = _carrying(set(taken), placed.rows)
    covered = [number for node, number in taken.items() if any(carrying.get(node, (False,)))]
    sure = table.cards.present[covered] * table.cards.face[covered]
    return bool(sure.sum() * 2 > len(covered))


def _explained(table: Table, placed: hypotheses.Placed) -> Explained:
    """What a placing makes of the candidates."""
    grid, taken, present = placed.grid, placed.taken(), table.cards.present
    mine = np.isin(np.arange(len(present)), list(taken.values()))
    below = (grid.units(table.axes[:, :, 2])[:, 1] - (placed.rows - 1)) * grid.row >= hypotheses.SETTINGS.below
    cards, rest, piled = (float(present[which].sum()) for which in (mine, ~mine, ~mine & below))
    # Piles are laid to a pyramid, not a pyramid to piles.
    piled = min(piled, len(PILES), cards / 2)
    carrying = _carrying(set(taken), placed.rows)
    missed = [(k / 2, r) for (k, r), over in carrying.items() if any(over) and (k, r) not in taken]
    return Explained(cards, rest - piled, piled, table.bare(grid.pixels(np.array(missed).reshape(-1, 2))), 0)


def arranged(table: Table, placed: hypotheses.Placed) -> Arranged:
    """The pyramid placed so."""
    # From here on down is the player's down: every card's axes agree with the grid's.
    table = table.turned(_against(table.axes, placed.grid))
    spots, outside = _spots(table, placed)
    below = piles.piles(table, placed, off_layout.loose(table, spots))
    beside = off_layout.strays(table, placed.grid, (*spots, *below))
    also = tuple(f"pyramid-{rows}" for rows in placed.may_have(likelihood.ALSO))
    return Arranged(f"pyramid-{placed.rows}", tuple(spots), below, beside, tuple(outside), also)


def _placed(table: Table, rows: tuple[int, ...]) -> hypotheses.Placed | None:
    """The best placing of the candidates."""
    cards, readings = table.cards, table.readings
    to_pixels = np.asarray(np.linalg.inv(table.plane.homography), np.float64)
    grids = lattice.fits(cards.middle, cards.witnesses * cards.present, to_pixels)
    if not grids:
        return None
    courts = int((readings.beliefs[:, COURTS].sum(1) > READ).sum()) >= COURTS_READ
    clues = hypotheses.Clues(
        table.axes[:, :, 2],
        cards.face,
        cards.present,
        table.found.kinds,
        cards.kinds[:, 0],
        lambda places: np.asarray(card_classifier.look(table.picture, places, table.nets[1]).kinds[:, 0]),
        courts,
    )
    return hypotheses.best(grids, rows, clues)


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
            over = tuple(f"pyramid {r + 2} {c + side}" for side in (1, 2)) if carries else ()
            spots.append(replace(spot, ends=ends, carries=carries, covered_by=over, told=told))
    return spots, outside


def _confirmed(placed: hypotheses.Placed, count: int) -> NDArray[np.bool_]:
    """Which of `count` cards lie on places of the pyramid that carry other cards, (count,)."""
    taken = placed.taken()
    carrying = _carrying(set(taken), placed.rows)
    out = np.zeros(count, bool)
    out[[number for node, number in taken.items() if any(carrying.get(node, (False,)))]] = True
    return out


def _against(axes: Doubles, grid: lattice.Grid) -> NDArray[np.bool_]:
    """Which cards (n, 2, 3) lie the other way up than the grid, (n,)."""
    at = grid.units(axes[:, :, 2])
    step = np.array([0, 0.5])
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
