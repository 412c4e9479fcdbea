"""Which place of a pyramid each grid point is: where the apex lies and which way is up.

A card can be gone only when both cards on it are gone, so what remains always hangs together from the apex; piles lie
below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from rules.cards import Rank
from rules.layouts import LAYOUTS, PILES
from vision.detect.multiscale import Kinds
from vision.layout.lattice import Grid
from vision.layout.likelihood import RIVAL
from vision.layout.shown_cells import Cells, cells_on, present
from vision.recognize import card_frame

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]
# Which card lies at each taken place (k, r) of a pyramid.
Taken = dict[tuple[int, int], int]


@dataclass(frozen=True, slots=True)
class Settings:
    """What placings are worth, in cards in their places: set by judgement, tried on drawn validation tables."""

    close: int = 4  # placings of each way up that are weighed in full; the cards in place sort out the rest
    unseen: int = 6  # so many rows above the highest card may have been missed (backs far away, small and alike)
    below: float = 0.85  # a pile's middle lies more than so many card heights below the last row's
    unsure: float = 0.25  # how empty a place counts at least where no card was found, though the card map shows one
    mixed: float = 1.0  # cost of a covered card that lies otherwise than most covered cards do
    strange: float = 2.4  # cost of a court read where no game laid so has any: so often an index is misread
    piled: float = 0.3  # worth of a card below a pyramid, where piles lie,
    margin: float = 0.8  # better by so much a placing is right three times in four (of 530 drawn three were wrong)
    nearly: float = 2.4  # placings so near to the best are looked at closely:
    looks: float = 0.3  # worth of the log-odds of a place,
    held: float = 0.05  # and the least chance
    hangs: float = 0.8  # cost of a card below a place that is empty, for each side
    fewer: float = 0.02  # and of each row less than seven
    near: float = 0.15  # worth of lying with its rows toward the near side, where most players sit,
    points: float = 0.6  # and of each covered card whose index points down,
    strip: tuple[tuple[float, ...], tuple[float, ...]] = ((-0.3, 0.0, 0.3), (-0.4, -0.25))  # where a card shows that
    # others lie on, in card sides across and down


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Clues:
    """What is known of n cards before they are placed.

    middles: (n, 2) pixels. down_votes: (n, 2) pixels, sum of the downward directions of indices read on each card that
    is partly covered; zero where none. faces: (n,) chances that they lie face up, nan where that is not known.
    worth: (n,) what each counts, 1 for a card by itself, FAINT for one that only the layout makes one.
    kinds: what the card map shows. bare: (n,) chances that none is a card, and none: chances (m,) that no card lies as
    axes (m, 2, 3) say, looked at closely; asked for where placings are close. courts: whether a card higher than a
    ten was read. fits: the share of what its cards can score that a placing scores at least, or none is worth a look.
    """

    middles: Doubles
    down_votes: Doubles
    faces: Doubles
    worth: Doubles
    kinds: Kinds
    bare: Doubles
    none: Callable[[Doubles], Doubles]
    courts: bool = False
    fits: float = -np.inf


@dataclass(frozen=True, slots=True)
class Placed:
    """A grid turned the right way up with its apex at (0, 0), the rows it has, and how well the cards agree."""

    grid: Grid
    rows: int
    score: float
    rivals: tuple[tuple[float, Taken], ...] = ()  # the score of other placings, and which card lies where by them
    looks: float = 0.0  # what of the score a close look at the places gave
    sizes: tuple[tuple[float, int], ...] = ()  # the score of the same with other numbers of rows, empty ones below

    def taken(self) -> Taken:
        """Which card lies at each taken place (k, r)."""
        return {(k, r): number for number, (k, r) in self.grid.at.items() if 0 <= r < self.rows and abs(k) <= r}

    def keeping(self, kept: Ints) -> Placed:
        """The same with the cards `kept` alone, numbered anew in that order."""
        number = {int(old): new for new, old in enumerate(kept)}
        at = {number[n]: node for n, node in self.grid.at.items() if n in number}
        # A card that is not kept cannot be one that is.
        rivals = tuple((score, {node: number.get(n, -1) for node, n in taken.items()}) for score, taken in self.rivals)
        return replace(self, grid=replace(self.grid, at=at), rivals=rivals)

    def told(self, node: tuple[int, int] | None = None) -> float:
        """The chance that what lies at a place, or by default all, was told rightly: low where a placing nearly as good
        says otherwise.
        """
        mine = self.taken()
        return self._chance(
            theirs != mine if node is None else theirs.get(node) != mine.get(node) for _, theirs in self.rivals
        )

    def stands(self) -> float:
        """The chance that no card of the pyramid belongs elsewhere in it, whatever more may be of it."""
        mine = {number: node for node, number in self.taken().items()}
        return self._chance(
            any(mine.get(number, node) != node for node, number in theirs.items()) for _, theirs in self.rivals
        )

    def may_have(self, least: float) -> tuple[int, ...]:
        """Other numbers of rows that the pyramid may have with at least this chance, the likeliest first."""
        odds = [(score - self.score, rows) for score, rows in sorted(self.sizes, reverse=True)]
        return tuple(rows for more, rows in odds if 1 / (1 + np.exp(-more / SETTINGS.margin)) >= least)

    def _chance(self, otherwise: Iterable[bool]) -> float:
        """The chance that the rivals are wrong that say otherwise."""
        scores = [score for (score, _), other in zip(self.rivals, otherwise, strict=True) if other]
        margin = self.score - max(scores, default=-np.inf)
        return float(1 / (1 + np.exp(-margin / SETTINGS.margin)))


def turned(grid: Grid) -> Grid:
    """The same grid seen from the other side of the table."""
    over = grid.homography @ np.diag([-1.0, -1.0, 1.0])
    return Grid(over, grid.pitch, grid.row, {n: (-k, -r) for n, (k, r) in grid.at.items()})


def moved(grid: Grid, k0: int, r0: int) -> Grid:
    """The same grid with (k0, r0) as its origin."""
    shift = np.array([[1, 0, k0 / 2], [0, 1, r0], [0, 0, 1]], np.float64)
    return Grid(grid.homography @ shift, grid.pitch, grid.row, {n: (k - k0, r - r0) for n, (k, r) in grid.at.items()})


def place(grid: Grid, rows: tuple[int, ...], clues: Clues) -> Placed:
    """The best placing over both ways up, every apex and the given numbers of rows."""
    return best([grid], rows, clues)


def best(grids: list[Grid], rows: tuple[int, ...], clues: Clues) -> Placed:
    """The best placing on any of the grids (one at least), over both ways up, every apex and the given numbers of rows.

    A placing on another grid is a rival where it puts most cards elsewhere, not where it lacks or adds one.
    """
    found = _looked_at(_placings(grids, rows, clues), clues)
    each = [max(placings, key=lambda placed: placed.score) for placings in found]
    number = max(range(len(each)), key=lambda n: each[n].score)
    first = each[number]
    rivals = [(other.score, other.taken()) for other in found[number] if other is not first]
    mine = {n: node for node, n in first.taken().items()}
    for other in each[:number] + each[number + 1 :]:
        theirs = {n: node for node, n in other.taken().items()}
        both = mine.keys() & theirs.keys()
        if sum(mine[n] != theirs[n] for n in both) * 2 > len(both):
            rivals.append((other.score, other.taken()))
    taken = first.taken()
    sizes = {other.rows: other.score for other in found[number] if other is not first and other.taken() == taken}
    return replace(first, rivals=tuple(rivals), sizes=tuple((score, rows) for rows, score in sizes.items()))


def _placings(grids: list[Grid], rows: tuple[int, ...], clues: Clues) -> list[list[Placed]]:
    """The likeliest placings on each grid, either way up, but for those too far from the best to be its rivals."""
    ways: list[tuple[float, int, int, Grid, float]] = []
    for number, grid in enumerate(grids):
        # Of its cards each adds what it is worth at most, on a place or below.
        most = float(clues.worth[list(grid.at)].sum()) + 1 + SETTINGS.piled * len(PILES)
        for way, laid in ((1, grid), (-1, turned(grid))):
            upright = _way_up(laid, clues)
            ways.append((most + upright, number, way, laid, upright))
    found: list[list[Placed]] = [[] for _ in grids]
    cells: dict[int, Cells] = {}
    top = -np.inf
    for bound, number, way, laid, upright in sorted(ways, key=lambda one: -one[0]):
        if bound < top - RIVAL * SETTINGS.margin:
            break
        for score, k0, r0, n in _likeliest(laid, rows, clues.worth, clues.kinds):
            strange = clues.courts and LAYOUTS[f"pyramid-{n}"].highest < Rank.JACK
            known = score + upright - (SETTINGS.strange if strange else 0.0)
            if known + SETTINGS.piled * len(PILES) < top - RIVAL * SETTINGS.margin:
                continue
            here = moved(laid, k0, r0)
            if number not in cells:
                cells[number] = cells_on(grids[number], clues.kinds)
            score = known + _about(here, n, clues) - cells[number].mismatch(here, n, way, (k0, r0))
            found[number].append(Placed(here, n, score))
            top = max(top, score)
    return [placings for placings in found if placings]


def _looked_at(found: list[list[Placed]], clues: Clues) -> list[list[Placed]]:
    """The same placings, those nearly as good as the best scored anew by a close look at their places, where they put
    cards in different ones.
    """
    least = max(placed.score for placings in found for placed in placings) - SETTINGS.nearly
    looks: dict[frozenset[tuple[tuple[int, int], int]], float] = {}
    near = sorted((p for placings in found for p in placings if p.score > least), key=lambda p: -p.score)
    some = any(p.score >= clues.fits * (2 * sum(clues.worth[n] > 0.5 for n in p.taken().values()) + 1) for p in near)
    if not some or len({frozenset(placed.taken().items()) for placed in near}) < 2:
        return found
    for placed in near:
        # Grids that hardly differ give the same placing: one look is enough.
        cards = frozenset(placed.taken().items())
        if cards not in looks:
            looks[cards] = _looks_right(placed, clues)
    return [
        [_looking(p, looks[frozenset(p.taken().items())]) if p.score > least else p for p in placings]
        for placings in found
    ]


def _looking(placed: Placed, looks: float) -> Placed:
    return replace(placed, score=placed.score + looks, looks=looks)


def _looks_right(placed: Placed, clues: Clues) -> float:
    """How far cards lie where this placing says."""
    taken = placed.taken()
    hidden = sorted(present(placed.grid, placed.rows) - taken.keys())
    places = [card_frame.axes_of(placed.grid.quad_around(k / 2, r)) for k, r in hidden]
    none = clues.none(np.array(places).reshape(-1, 2, 3))
    none = np.clip(np.concatenate([clues.bare[list(taken.values())], none]), SETTINGS.held, 1 - SETTINGS.held)
    return float(-SETTINGS.looks * np.log(none / (1 - none)).sum())


def _likeliest(grid: Grid, rows: tuple[int, ...], worth: Doubles, kinds: Kinds) -> list[tuple[float, int, int, int]]:
    """The best placings of one way up by the cards in place alone: score, apex (k, r), and number of rows."""
    nodes = set(grid.at.values())
    parity = _parity(nodes)
    fit = [(k, r, float(worth[n])) for n, (k, r) in grid.at.items() if (k - r) % 2 == parity]
    each = np.array([entry[2] for entry in fit])
    k, r = np.array([entry[:2] for entry in fit]).T
    r0, k0 = (
        axis.ravel()
        for axis in np.meshgrid(
            np.arange(r.min() - SETTINGS.unseen, r.max() + 1), np.arange(k.min() - 2, k.max() + 3), indexing="ij"
        )
    )
    r0, k0 = (v[(k0 - r0) % 2 == parity] for v in (r0, k0))
    low, most = np.array([k0.min() - max(rows), r0.min() - 1]), max(rows)
    taken = np.zeros((int(r0.max() + most - low[1]) + 1, int(k0.max() + most - low[0]) + 1))
    taken[r - low[1], k - low[0]] = each
    bare = _bare(grid, kinds, taken, low)
    # What lies where piles do costs nothing, as long as it is no more than piles.
    piles = [((r >= r0[:, None] + n - 1 + SETTINGS.below / grid.row) * each).sum(1) for n in rows]
    against = [each.sum() - np.minimum(p, len(PILES)) for p in piles]
    inside = _scores(taken, bare, k0 - low[0], r0 - low[1], most)
    scores = np.concatenate(
        [inside[:, n - 1] - a - SETTINGS.fewer * (7 - n) for n, a in zip(rows, against, strict=True)]
    )
    ks, rs, ns = np.tile(k0, len(rows)), np.tile(r0, len(rows)), np.repeat(rows, len(k0))
    order = np.lexsort((ns, rs, ks, scores))[::-1][: SETTINGS.close]
    return [(float(scores[i]), int(ks[i]), int(rs[i]), int(ns[i])) for i in order]


def beside(grid: Grid, count: int, rows: int) -> list[int]:
    """Which of `count` cards lie on no place of a pyramid of so many rows, though perhaps on a grid point beyond it."""
    on = {n for n, (k, r) in grid.at.items() if 0 <= r < rows and abs(k) <= r}
    return [n for n in range(count) if n not in on]


def _parity(nodes: set[tuple[int, int]]) -> int:
    odd = sum((k - r) % 2 for k, r in nodes)
    return int(odd * 2 > len(nodes))


def _scores(taken: Doubles, bare: Doubles, k0: Ints, r0: Ints, most: int) -> Doubles:
    """How well cards at the places `taken` (rows, half pitches; what each is worth) agree with pyramids of 1 to `most`
    rows, (n, most) for n apexes; `bare`: what a card costs that such a place should carry, were it empty.
    """
    k, r = np.array([(2 * c - r, r) for r in range(most) for c in range(r + 1)]).T
    at_r, at_k = r0[:, None] + r, k0[:, None] + k
    inside = taken[at_r, at_k]
    # A card hangs in the air where one of the places it lies on, if that is one of the pyramid, is empty.
    left, right = (inside * bare[at_r - 1, at_k + side] for side in (-1, 1))
    worth = inside * 2 - SETTINGS.hangs * (left * (k > -r) + right * (k < r))
    ends = np.cumsum(np.arange(1, most + 1)) - 1
    # Whatever remains hangs from the apex, so a pyramid without one is put in the wrong place.
    return np.asarray(np.cumsum(worth, axis=1)[:, ends] + 1.0 * (inside[:, :1] > 0))


def _bare(grid: Grid, kinds: Kinds, taken: Doubles, low: Ints) -> Doubles:
    """How much the table shows at each grid point of `taken`, the first of which is `low` (k, r): none where a card was
    found, little where the card map shows a card that was not made out.
    """
    r, k = np.nonzero(taken == 0)
    strip = np.array(list(product(*SETTINGS.strip))) / [grid.pitch, grid.row]
    at = np.column_stack([(k + low[0]) / 2, r + low[1]])[:, None] + strip
    none = kinds.at(grid.pixels(at.reshape(-1, 2)))[:, 0].reshape(-1, len(strip)).mean(1)
    out = np.zeros_like(taken)
    out[r, k] = SETTINGS.unsure + (1 - SETTINGS.unsure) * np.clip(none, 0, 1)
    return out


def _carries(at: Taken, k: int, r: int) -> bool:
    """Whether a card lies on the one at (k, r)."""
    return (k - 1, r + 1) in at or (k + 1, r + 1) in at


def _way_up(grid: Grid, clues: Clues) -> float:
    """Evidence for this way up, wherever the apex lies: indices on covered cards point down, and most players sit below
    the picture.
    """
    down = grid.pixels(np.array([[0.0, 1.0], [0.0, 0.0]]))
    score = SETTINGS.near if down[0, 1] > down[1, 1] else 0.0
    at = {node: n for n, node in grid.at.items()}
    covered = sorted(n for n, (k, r) in grid.at.items() if _carries(at, k, r))
    if not covered:
        return score
    k, r = np.array([grid.at[n] for n in covered]).T
    axis = grid.pixels(np.column_stack([k / 2, r + 0.5])) - grid.pixels(np.column_stack([k / 2, r - 0.5]))
    vote = clues.down_votes[covered]
    size = np.maximum(np.linalg.norm(axis, axis=1) * np.linalg.norm(vote, axis=1), 1e-6)
    return score + SETTINGS.points * float(((vote * axis).sum(1) / size).sum())


def _about(grid: Grid, rows: int, clues: Clues) -> float:
    """Evidence for a pyramid of so many rows with its apex there: its covered cards lie alike, piles lie below it."""
    worth, faces = clues.worth, clues.faces
    at = {node: n for n, node in grid.at.items()}
    under = [n for n, (k, r) in grid.at.items() if 0 <= r < rows and abs(k) <= r and _carries(at, k, r)]
    known = np.array([n for n in under if not np.isnan(faces[n])], np.intp)
    up = float((worth[known] * faces[known]).sum())
    score = -SETTINGS.mixed * min(up, float(worth[known].sum()) - up)
    off = np.array(beside(grid, len(worth), rows), np.intp)
    plain = off[worth[off] > 0.5]
    if not len(plain):
        return score
    y = grid.units(clues.middles[plain])[:, 1]
    clear = SETTINGS.below / grid.row
    below = float((y > rows - 1 + clear).sum() - (y < -clear).sum())
    return score + SETTINGS.piled * float(np.clip(below, -len(PILES), len(PILES)))
