"""A pyramid from cards and index readings: what lies at every place, a decision each, with its doubt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision import evidence, lattice, placing, proposals, rectify, sites
from vision.evidence import NONE, Readings
from vision.find import Found, Kinds
from vision.net import Net
from vision.proposals import Flat
from vision.rectify import Plane
from vision.windows import Shrunk

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spotted:
    """What was seen at one place: chances that a card lies there and that its face shows, belief (54,) of which,
    corners (4, 2).
    """

    place: str
    present: float
    face: float
    belief: Doubles
    quad_xy: Doubles


@dataclass(frozen=True, slots=True)
class Arranged:
    """A pyramid of `rows` rows: its places, its piles; `outside` names places beyond the picture's edge; sureness
    of the fit 0..1.
    """

    rows: int
    places: tuple[Spotted, ...]
    piles: tuple[Spotted, ...]
    outside: tuple[str, ...]


# A place with both its covering cards gone and no card found is empty with this chance; one that still carries cards
# hardly is.
EMPTY = 0.985
CARRYING = 0.93
# Weight of witnesses of a card whose outline is plain: three corners and the card as a whole.
OUTLINED = 2.6
# Piles stand at least this far apart, in card widths; nearer finds are cards of one pile.
PILE_APART = 0.85
# Share of a card's area that must look like a back before a stock without an outline is believed in.
STOCK_SHOWS = 0.55


def arrange(picture: Shrunk, found: Found, readings: Readings, net: Net, rows: tuple[int, ...]) -> Arranged | None:
    """The pyramid of one of the given numbers of rows that fits best; None where no pyramid is seen."""
    plane = rectify.rectify(found.cards, found.corners)
    if plane is None:
        return None
    cards = proposals.propose(plane, found.cards, found.corners, readings)
    grid = lattice.fit(cards.middle, cards.weight, np.asarray(np.linalg.inv(plane.homography), np.float64))
    if grid is None:
        return None
    middles = plane.pixels(cards.middle)
    axes = [_axes(plane, middle) for middle in cards.middle]
    owner = sites.owners(axes, readings)
    placed = placing.place(grid, middles, rows, _down_votes(len(cards), readings, owner))
    grid = placed.grid
    if placed.score < 0.5 or _strays(placed, middles, cards) > max(1, _settled_cards(placed)):
        return None
    # From here on down is the player's down: every card's axes agree with the grid's.
    axes = [_towards(a, grid) for a in axes]
    owner = sites.owners(axes, readings)
    desk = _Desk(
        picture, net, readings, owner, axes, cards, sites.template(axes, readings, owner), found.kinds, grid.row
    )
    taken = {place: number for number, place in grid.at.items()}
    carrying = _carrying(set(taken), placed.rows)
    spotted, outside, missed = [], [], 0
    for r in range(placed.rows):
        for c in range(r + 1):
            node, name = (2 * c - r, r), f"pyramid {r + 1} {c + 1}"
            number = taken.get(node)
            a = axes[number] if number is not None else sites.axes_of(grid.quad_around(node[0] / 2, node[1]))
            if number is None and not desk.shows(a):
                outside.append(name)
                continue
            missed += number is None and any(carrying.get(node, (False, False)))
            spotted.append(desk.look(name, number, a, carrying.get(node, (False, False))))
    # A pyramid most of whose cards would have to be imagined is none.
    if missed > _settled_cards(placed):
        return None
    return Arranged(placed.rows, tuple(spotted), _piles(desk, placed, middles), tuple(outside))


def _settled_cards(placed: placing.Placed) -> int:
    """How many cards lie on places of the pyramid."""
    return len(placed.grid.at) - sum(not (0 <= r < placed.rows and abs(k) <= r) for k, r in placed.grid.at.values())


def _strays(placed: placing.Placed, middles: Doubles, cards: Flat) -> int:
    """How many surely seen cards lie neither on a place nor where piles lie: many of them speak against a pyramid."""
    off = [n for n in placing.beside(placed.grid, len(middles), placed.rows) if cards.weight[n] > OUTLINED]
    flat = (placed.grid.units(middles[off].reshape(-1, 2)) - [0, placed.rows - 1]) * [
        placed.grid.pitch,
        placed.grid.row,
    ]
    return int((flat[:, 1] < 0.85).sum())


def _axes(plane: Plane, middle: Doubles) -> Doubles:
    """(2, 3) from card coordinates (half sides) to pixels for a card on the rectified table."""
    return sites.axes_of(plane.pixels(middle + np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])))


@dataclass(frozen=True, slots=True)
class _Desk:
    """What lies ready while the places of one picture are looked at."""

    picture: Shrunk
    net: Net
    readings: Readings
    owner: NDArray[np.intp]
    axes: list[Doubles]
    cards: Flat
    usual: Doubles
    kinds: Kinds
    row: float  # rows stand this many card heights apart

    def shows(self, axes: Doubles) -> bool:
        """Whether the upper part of a place lies inside the picture."""
        height, width = self.picture.levels[0].shape[:2]
        upper = [axes[:, 2] + side * 0.6 * axes[:, 0] - 0.6 * axes[:, 1] for side in (-1, 1)]
        return all(0 <= x < width and 0 <= y < height for x, y in upper)

    def is_card(self, number: int) -> bool:
        """Whether a card shows where this find lies (a find off the grid may be a thing on the table)."""
        return self._kind(self.axes[number], (False, False))[0] < 0.5

    def look(self, name: str, number: int | None, axes: Doubles, carrying: tuple[bool, bool]) -> Spotted:
        """Everything known about one place: what the search found there, and a second look where its index should
        be.
        """
        mine = self.readings.take(np.flatnonzero(self.owner == (-2 if number is None else number)))
        if number is not None or any(carrying):
            ends = (False,) if any(carrying) else (False, True)
            mine = evidence.joined(mine, self._second_look(axes, ends, mine))
        belief = evidence.combined(_on_card(mine, axes))
        index = float(1 - belief[NONE])
        none, up = self._kind(axes, carrying)
        if number is None:
            # Nothing was found, yet what carries a card is there, seen or not.
            present = (1 - EMPTY) if not any(carrying) else (CARRYING if none < 0.7 else 0.4)
            present = max(present, index * 0.97) if any(carrying) else present
            return Spotted(name, present, _face(up, index), belief, _corners(axes))
        face = float(self.cards.face[number])
        # The map sees the whole card, the find only what voted for it.
        up = up if np.isnan(face) else (up + face) / 2
        return Spotted(name, 0.995 if none < 0.7 else 0.9, _face(up, index), belief, _corners(axes))

    def _kind(self, axes: Doubles, carrying: tuple[bool, bool]) -> tuple[float, float]:
        """Chances that no card shows at a place, and that a card that shows there is a face, from the part no
        other card can hide.
        """
        low = -1 + 2 * self.row * 0.85 if any(carrying) else 0.85
        grid = np.array([(a, b) for a in (-0.75, -0.4, 0, 0.4, 0.75) for b in np.linspace(-0.85, low, 4)])
        chance = self.kinds.at(grid @ axes[:, :2].T + axes[:, 2]).mean(0)
        return float(chance[0]), float(chance[1] / max(float(chance[1] + chance[2]), 1e-6))

    def _second_look(self, axes: Doubles, ends: tuple[bool, ...], mine: Readings) -> Readings:
        """Readings at the ends where nothing sure was read before."""
        sure = mine.is_index() > 0.9
        known = {bool(t) for t in sites.misfit(axes, mine.frames[sure])[1]} if sure.any() else set()
        wanted = tuple(end for end in ends if end not in known)
        if not wanted:
            return mine.take(np.zeros(0, np.intp))
        return evidence.read(self.picture, sites.looked_for(axes, self.usual, wanted), self.net)


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
    return sites.over(axes) if float(down @ axes[:, 1]) < 0 else axes


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


def _on_card(mine: Readings, axes: Doubles) -> Doubles:
    """Beliefs of the readings that still stand on this card after their windows were corrected."""
    if not len(mine):
        return mine.beliefs
    fits, _ = sites.misfit(axes, mine.frames)
    return np.asarray(mine.beliefs[fits < sites.REACH * 1.3])


def _face(from_card: float, from_index: float) -> float:
    """Chance that a card lies face up, from its looks and from an index read on it."""
    up = from_card * (0.06 + 0.94 * from_index)
    down = (1 - from_card) * (0.04 + 0.96 * (1 - from_index))
    return up / max(up + down, 1e-9)


def _corners(axes: Doubles) -> Doubles:
    return np.stack([axes[:, :2] @ np.array(s) + axes[:, 2] for s in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def _piles(desk: _Desk, placed: placing.Placed, middles: Doubles) -> tuple[Spotted, ...]:
    """Stock, waste, turned card and foundation: the piles below the last row, told apart by where they lie."""
    grid = placed.grid
    off = placing.beside(grid, len(middles), placed.rows)
    # Grid units to card sides, from the middle of the last row.
    flat = (grid.units(middles[off].reshape(-1, 2)) - [0, placed.rows - 1]) * [grid.pitch, grid.row]
    edge = (placed.rows - 1) / 2 * grid.pitch
    below = [
        (n, float(x))
        for n, (x, y) in zip(off, flat, strict=True)
        if 0.85 < y < 3.2 and abs(x) < edge + 3 and desk.is_card(n)
    ]
    # Cards of one pile lie over one another: the one with the most witnesses is its top.
    below.sort(key=lambda item: -float(desk.cards.weight[item[0]]))
    tops: list[tuple[int, float]] = []
    seen: dict[int, Spotted] = {}
    for n, x in below:
        if all(abs(x - other) > PILE_APART for _, other in tops):
            seen[n] = desk.look("", n, desk.axes[n], (False, False))
            if _is_top(seen[n], float(desk.cards.weight[n])):
                tops.append((n, x))
    left = sorted([t for t in tops if t[1] < 0.25][:2], key=lambda t: t[1])
    right = [t for t in tops if t[1] >= 0.25][:1]
    named: list[tuple[str, int]] = []
    if len(left) == 2:
        named += [("stock" if seen[left[0][0]].face < 0.5 else "turned", left[0][0]), ("waste", left[1][0])]
    elif left:
        n, x = left[0]
        named.append(("stock" if seen[n].face < 0.5 else ("waste" if x > -edge + 0.5 else "turned"), n))
    named += [("foundation", n) for n, _ in right]
    piles = [Spotted(name, seen[n].present, seen[n].face, seen[n].belief, seen[n].quad_xy) for name, n in named]
    if all(name not in ("stock", "turned") for name, _ in named):
        piles += _plain_stock(desk, placed, edge, [x for n, x in tops])
    return tuple(piles)


def _is_top(top: Spotted, weight: float) -> bool:
    """Whether a find below the pyramid is a pile's top: nothing lies on it, so a face shows an index, or at least
    most corners.
    """
    return top.face < 0.5 or float(top.belief[NONE]) < 0.5 or weight > OUTLINED


def _plain_stock(desk: _Desk, placed: placing.Placed, edge: float, taken: list[float]) -> list[Spotted]:
    """A stock whose outline was not made out (a back without a border on a cloth like it): where the map shows a
    back all over.
    """
    grid, most = placed.grid, STOCK_SHOWS
    best: Doubles | None = None
    for x in np.arange(-edge - 0.8, -edge + 1.0, 0.2):
        for y in np.arange(0.95, 2.4, 0.15):
            if any(abs(x - other) < 0.8 for other in taken):
                continue
            axes = sites.axes_of(grid.quad_around(x / grid.pitch, placed.rows - 1 + y / grid.row))
            grid_points = np.array([(a, b) for a in (-0.7, 0, 0.7) for b in (-0.75, -0.25, 0.25, 0.75)])
            chance = float(desk.kinds.at(grid_points @ axes[:, :2].T + axes[:, 2])[:, 2].mean())
            if chance > most:
                most, best = chance, axes
    if best is None:
        return []
    return [Spotted("stock", most, 0.02, evidence.combined(np.zeros((0, evidence.SIZE))), _corners(best))]
