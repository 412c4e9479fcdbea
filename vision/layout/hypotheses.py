"""Which place of a pyramid each grid point is: where the apex lies and which way is up.

A card can be gone only when both cards on it are gone, so what remains always hangs together from the apex; piles lie
below. How likely a placing is follows from a few features of it, by weights fitted with
``python -m models.training.train_placing`` to the placings of drawn pyramids; they are kept in ``models/placing.json``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.cards import Rank
from rules.layouts import LAYOUTS, PILES
from vision.detect.multiscale import Kinds
from vision.layout.lattice import Grid
from vision.layout.likelihood import ALSO, NEARLY, RIVAL
from vision.layout.shown_cells import Cells, cells_on, present
from vision.nets import session
from vision.nets.session import ModelError
from vision.recognize import card_frame

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]
# Which card lies at each taken place (k, r) of a pyramid.
Taken = dict[tuple[int, int], int]


FEATURES: Final = (
    "cards in their places",
    "empty places with cards on them",
    "cards beside",
    "near side down",
    "covered cards lie otherwise",
    "cards below",
    "cards shown beside",
    "looks like cards",
)
_OF: Final = {name: number for number, name in enumerate(FEATURES)}
# Those that the cards in place tell alone.
_IN_PLACE: Final = _OF["cards beside"] + 1


@dataclass(frozen=True, slots=True)
class Settings:
    """Where cards are looked for, and how closely. Set by judgement, tried on drawn validation tables."""

    close: int = 4  # placings of each way up that are weighed in full; the cards in place sort out the rest
    unseen: int = 6  # so many rows above the highest card may have been missed (backs far away, small and alike)
    fewer: float = 0.05  # log-odds less of each row less: of two that fit as well the larger one, whose rows are gone
    below: float = 0.85  # a pile's middle lies more than so many card heights below the last row's


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Clues:
    """What is known of n cards before they are placed.

    middles: (n, 2) pixels. faces: (n,) chances that they lie face up, nan where that is not known.
    worth: (n,) what each counts, 1 for a card by itself, FAINT for one that only the layout makes one.
    kinds: what the card map shows. bare: (n,) chances that none is a card, and none: chances (m,) that no card lies as
    axes (m, 2, 3) say, looked at closely; asked for where placings are close. courts: whether a card higher than a
    ten was read.
    """

    middles: Doubles
    faces: Doubles
    worth: Doubles
    kinds: Kinds
    bare: Doubles
    none: Callable[[Doubles], Doubles]
    courts: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """A grid turned the right way up with its apex at (0, 0), the rows it has, and how well the cards agree: the
    features (k,) of that and their score, as log-odds.
    """

    grid: Grid
    rows: int
    score: float
    rivals: tuple[tuple[float, Taken], ...] = ()  # the score of other placings, and which card lies where by them
    sizes: tuple[tuple[float, int], ...] = ()  # the score of the same with other numbers of rows, empty ones below
    features: Doubles | None = None

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
        return tuple(rows for more, rows in odds if 1 / (1 + np.exp(-more)) >= least)

    def _chance(self, otherwise: Iterable[bool]) -> float:
        """The chance that the rivals are wrong that say otherwise."""
        scores = [score for (score, _), other in zip(self.rivals, otherwise, strict=True) if other]
        margin = self.score - max(scores, default=-np.inf)
        return float(1 / (1 + np.exp(-margin)))


@lru_cache(maxsize=1)
def load() -> Doubles:
    """The weights (k,) of the features in ``models/placing.json``; raises ModelError where they are missing, changed,
    or of other features.
    """
    kept = session.weights("placing")
    try:
        return np.array([kept["pyramid"][name] for name in FEATURES], np.float64)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"model 'placing' cannot be loaded: {error}") from error


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
    found = looked_at(placings(grids, rows, clues), clues)
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


def placings(grids: list[Grid], rows: tuple[int, ...], clues: Clues) -> list[list[Placed]]:
    """The likeliest placings on each grid, either way up, but for those too far from the best to be its rivals."""
    weights, ways = load(), list[tuple[float, int, int, Grid, Doubles]]()
    piled = weights[_OF["cards below"]] * len(PILES)
    for number, grid in enumerate(grids):
        # Of its cards each adds what it is worth at most, on a place or below.
        most = weights[_OF["cards in their places"]] * clues.worth[list(grid.at)].sum()
        for way, laid in ((1, grid), (-1, turned(grid))):
            upright = _way_up(laid)
            ways.append((float(most + piled + upright @ weights), number, way, laid, upright))
    found: list[list[Placed]] = [[] for _ in grids]
    cells: dict[int, Cells] = {}
    top = -np.inf
    for bound, number, way, laid, upright in sorted(ways, key=lambda one: -one[0]):
        if bound < top - RIVAL:
            break
        for features, k0, r0, n in _likeliest(laid, rows, clues.worth, clues.kinds):
            features += upright
            prior = SETTINGS.fewer * (n - max(rows))
            if clues.courts and LAYOUTS[f"pyramid-{n}"].highest < Rank.JACK:
                # Courts where none are laid were misread, each of them.
                prior -= NEARLY
            if features @ weights + prior + piled < top - RIVAL:
                continue
            here = moved(laid, k0, r0)
            if number not in cells:
                cells[number] = cells_on(grids[number], clues.kinds)
            features[_OF["covered cards lie otherwise"] :][:2] = _about(here, n, clues)
            features[_OF["cards shown beside"]] = cells[number].beside(here, n, way, (k0, r0))
            score = float(features @ weights) + prior
            found[number].append(Placed(here, n, score, features=features))
            top = max(top, score)
    return [placings for placings in found if placings]


def looked_at(found: list[list[Placed]], clues: Clues, within: float = NEARLY) -> list[list[Placed]]:
    """The same placings, those nearly as good as the best scored anew by a close look at their places, where they put
    cards in different ones; within: how much worse in log-odds, by default so much that it cannot be told of.
    """
    least = max(placed.score for placings in found for placed in placings) - within
    looks: dict[frozenset[tuple[tuple[int, int], int]], float] = {}
    near = sorted((p for placings in found for p in placings if p.score > least), key=lambda p: -p.score)
    if len({frozenset(placed.taken().items()) for placed in near}) < 2:
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
    assert placed.features is not None
    features = placed.features.copy()
    features[_OF["looks like cards"]] = looks
    return replace(placed, score=placed.score + float((features - placed.features) @ load()), features=features)


def _looks_right(placed: Placed, clues: Clues) -> float:
    """How surely cards lie where this placing says, as log-odds."""
    taken = placed.taken()
    hidden = sorted(present(placed.grid, placed.rows) - taken.keys())
    places = [card_frame.axes_of(placed.grid.quad_around(k / 2, r)) for k, r in hidden]
    none = clues.none(np.array(places).reshape(-1, 2, 3))
    none = np.clip(np.concatenate([clues.bare[list(taken.values())], none]), ALSO, 1 - ALSO)
    return float(-np.log(none / (1 - none)).sum())


def _likeliest(grid: Grid, rows: tuple[int, ...], worth: Doubles, kinds: Kinds) -> list[tuple[Doubles, int, int, int]]:
    """The best placings of one way up by the cards in place alone: features, apex (k, r), and number of rows."""
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
    inside = _in_place(taken, bare, k0 - low[0], r0 - low[1], most)
    of = []
    for n, below in zip(rows, piles, strict=True):
        away = each.sum() - np.minimum(below, len(PILES)) - inside[:, n - 1, 0]
        of.append(np.column_stack([inside[:, n - 1], away]))
    features = np.concatenate(of)
    scores = features @ load()[:_IN_PLACE]
    ks, rs, ns = np.tile(k0, len(rows)), np.tile(r0, len(rows)), np.repeat(rows, len(k0))
    order = np.lexsort((ns, rs, ks, scores))[::-1][: SETTINGS.close]
    others = np.zeros(len(FEATURES) - _IN_PLACE)
    return [(np.append(features[i], others), int(ks[i]), int(rs[i]), int(ns[i])) for i in order]


def beside(grid: Grid, count: int, rows: int) -> list[int]:
    """Which of `count` cards lie on no place of a pyramid of so many rows, though perhaps on a grid point beyond it."""
    on = {n for n, (k, r) in grid.at.items() if 0 <= r < rows and abs(k) <= r}
    return [n for n in range(count) if n not in on]


def _parity(nodes: set[tuple[int, int]]) -> int:
    odd = sum((k - r) % 2 for k, r in nodes)
    return int(odd * 2 > len(nodes))


def _in_place(taken: Doubles, bare: Doubles, k0: Ints, r0: Ints, most: int) -> Doubles:
    """How well cards at the places `taken` (rows, half pitches; what each is worth) agree with pyramids of 1 to `most`
    rows, features (n, most, 2) for n apexes; `bare`: how much the table shows where none lies.
    """
    k, r = np.array([(2 * c - r, r) for r in range(most) for c in range(r + 1)]).T
    at_r, at_k = r0[:, None] + r, k0[:, None] + k
    inside = taken[at_r, at_k]
    # What lies on an empty place hangs in the air.
    hanging = bare[at_r, at_k] * np.maximum(taken[at_r + 1, at_k - 1], taken[at_r + 1, at_k + 1])
    last = np.cumsum(np.arange(1, most + 1))
    cards = np.cumsum(inside, axis=1)[:, last - 1]
    hung = np.cumsum(np.column_stack([np.zeros(len(k0)), hanging]), axis=1)[:, last - np.arange(1, most + 1)]
    return np.stack([cards, hung], axis=2)


def _bare(grid: Grid, kinds: Kinds, taken: Doubles, low: Ints) -> Doubles:
    """How much the table shows at each grid point of `taken`, the first of which is `low` (k, r): none where a card was
    found, little where the card map shows a card that was not made out.
    """
    r, k = np.nonzero(taken == 0)
    # A card on which others lie shows a strip as high as rows are apart: its middle, and halfway to its upper edge.
    strip = np.array(list(product((-1, 0, 1), (1, 2)))) / 4 / [grid.pitch, 1] - [0, 1 / 2 / grid.row]
    at = np.column_stack([(k + low[0]) / 2, r + low[1]])[:, None] + strip
    none = kinds.at(grid.pixels(at.reshape(-1, 2)))[:, 0].reshape(-1, len(strip)).mean(1)
    out = np.zeros_like(taken)
    out[r, k] = np.clip(none, 0, 1)
    return out


def _carries(at: Taken, k: int, r: int) -> bool:
    """Whether a card lies on the one at (k, r)."""
    return (k - 1, r + 1) in at or (k + 1, r + 1) in at


def _way_up(grid: Grid) -> Doubles:
    """Features of this way up, wherever the apex lies: most players sit below the picture."""
    down = grid.pixels(np.array([[0.0, 1.0], [0.0, 0.0]]))
    out = np.zeros(len(FEATURES))
    out[_OF["near side down"]] = down[0, 1] > down[1, 1]
    return out


def _about(grid: Grid, rows: int, clues: Clues) -> tuple[float, float]:
    """Features of a pyramid of so many rows with its apex there: covered cards that lie otherwise than most of them,
    cards below it where piles lie.
    """
    worth, faces = clues.worth, clues.faces
    at = {node: n for n, node in grid.at.items()}
    under = [n for n, (k, r) in grid.at.items() if 0 <= r < rows and abs(k) <= r and _carries(at, k, r)]
    known = np.array([n for n in under if not np.isnan(faces[n])], np.intp)
    up = float((worth[known] * faces[known]).sum())
    otherwise = min(up, float(worth[known].sum()) - up)
    off = np.array(beside(grid, len(worth), rows), np.intp)
    y = grid.units(clues.middles[off[worth[off] > 0.5]])[:, 1]
    clear = SETTINGS.below / grid.row
    below = float((y > rows - 1 + clear).sum() - (y < -clear).sum())
    return otherwise, float(np.clip(below, -len(PILES), len(PILES)))
