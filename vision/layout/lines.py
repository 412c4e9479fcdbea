"""Layouts of lines: half rows beside a base column, outer columns beside those.

Where the rows lie is plain once the table is rectified: all cards of a row are equally far down. Which column is the
base column is told by what follows from it: bases in the first four rows, half rows that begin equally far from it and
have no holes, cards that show the side towards it where others lie on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.layouts import Layout, Line
from rules.rows.places import CELLAR, Side, Stack, base_place
from rules.rows.shapes import BASES
from vision.cards.candidates import Candidates
from vision.layout import one_line
from vision.recognize.index_reader import CARDS

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Settings:
    """Log-odds of what is seen of a layout, and lengths in card sides: from how people lay cards, tried on drawn
    validation tables.
    """

    off_row: float = 0.1  # standard deviation of a card from the middle of its row
    row_reach: float = 0.28  # a card farther from every row is of none
    base_reach: float = 0.32  # a card so near the base column is a base
    clear: float = 0.8  # nearer to the base column than this, and no base: no half row begins there
    step: float = 0.02  # of the row pitches tried
    base: float = 2.0  # a base in its place; missing it costs as much
    crowding: float = 3.0  # a card where none can lie
    cellar: float = 0.7  # a card in the cellar
    shown: float = 1.5  # a card that shows the side on which nothing can lie
    ragged: tuple[float, float] = (0.04, 0.16)  # so exactly do the neatest and the most careless players lay half rows
    most_uneven: float = 2.0  # what two neighbours cost at most that lie otherwise apart than most,
    alike: float = 1.0  # and what each is worth that lies as far
    hole: float = 2.0  # a hole in a half row
    late: float = 0.4  # a half row that begins so many steps farther out than most may have lost its first card
    stray: float = 2.0  # a card of no place
    near_side: float = 10.0  # players sit at the near side: what it weighs that the table is seen straight from there
    open_step: float = 1.55  # neighbours farther apart have a hole between them
    column_reach: float = 0.3  # cards of an outer column lie so near one line
    suits: float = 1.77  # two bases of one suit


SETTINGS = Settings()
SIGN: Final[dict[Side | None, int]] = {"left": -1, "right": 1}


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows that cards lie in: row r is `origin` + r · `pitch` down, at the left edge; `slope` more a card width to
    the right. `of`: the row of each of n cards; `off`: how far it lies from its middle.
    """

    pitch: float
    origin: float
    slope: float
    of: Ints
    off: Doubles


@dataclass(frozen=True, slots=True)
class Missed:
    """A card that may have been missed: its middle (2,), the log-odds that it lies there, and its neighbours."""

    middle: Doubles
    odds: float
    between: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """Which candidate lies at each place, for a layout seen this way up (`turned`: from the far side); the log-odds of
    it against others, and the number of candidates that lie on no place.
    """

    layout: Layout
    turned: bool
    at: dict[str, int]
    score: float
    strays: float
    rows: Rows
    base: float = 0.0  # where the base column lies, across
    first: int = 0  # the row of the first base
    missed: Mapping[str, Missed] = field(default_factory=dict)  # cards in holes, which were not found
    off: frozenset[int] = frozenset()  # the candidates that lie on no place
    rivals: tuple[tuple[float, dict[str, int]], ...] = ()

    def told(self, place: str) -> float:
        """The chance that this place was told rightly."""
        against = [score for score, at in self.rivals if at.get(place) != self.at.get(place)]
        return float(1 / (1 + np.exp(np.minimum(np.array(against) - self.score, 0.0)).sum()))

    def lost(self) -> dict[str, Missed]:
        """The cards that were missed, in card units as the candidates came."""
        return {place: replace(one, middle=self.back(one.middle)) for place, one in self.missed.items()}

    def seen(self, cards: Candidates) -> Doubles:
        """The middles (n, 2) of cards, this way up."""
        return -cards.middle if self.turned else cards.middle

    def back(self, at: Doubles) -> Doubles:
        """A point (2,) of the layout this way up, in card units as the candidates came."""
        return -at if self.turned else at

    def base_spot(self, row: int) -> Doubles:
        """The middle (2,) of a card in the base column, row from 0, this way up."""
        r = row + self.first
        return np.array([self.base, self.rows.origin + self.rows.slope * self.base + r * self.rows.pitch])

    def spot(self, row: int) -> Doubles:
        """The same in card units as the candidates came."""
        return self.back(self.base_spot(row))


def rows_of(middle: Doubles, weight: Doubles, layout: Layout) -> Rows:
    """The rows that most cards (n, 2) lie in."""
    pitch = layout.pitches["row"]
    pitches = np.arange(pitch.closest, pitch.widest, SETTINGS.step)
    best, x, y = (-np.inf, pitch.typical, 0.0), middle[:, 0], middle[:, 1]
    for origin in y[np.argsort(-weight)[:8]]:
        steps = (y - origin) / pitches[:, None]
        off = (steps - np.round(steps)) * pitches[:, None] / SETTINGS.off_row
        # What lies on rows by chance is taken off: close ones meet everything.
        chance = SETTINGS.off_row * np.sqrt(2 * np.pi) / pitches
        score = np.exp(-(off**2) / 2) @ weight - chance * weight.sum()
        if score.max() > best[0]:
            best = float(score.max()), float(pitches[score.argmax()]), float(origin)
    _, step, origin, slope = *best, 0.0
    for _ in range(4):
        down = y - slope * x - origin
        row = np.round(down / step)
        on = np.abs(down - row * step) < SETTINGS.row_reach
        if len(set(row[on].tolist())) < 2:
            break
        root = np.sqrt(weight[on])
        columns = np.column_stack([row[on], np.ones(on.sum()), x[on]]) * root[:, None]
        hold = np.diag([1e-6, 1e-6, 1.0])
        step, origin, slope = np.linalg.solve(columns.T @ columns + hold, columns.T @ (y[on] * root)).tolist()
    down = y - slope * x - origin
    row = np.round(down / step).astype(np.intp)
    return Rows(step, origin, slope, row, np.abs(down - row * step))


def placed(cards: Candidates, layout: Layout, near_side: float) -> Placed | None:
    """The best placing of cards on a layout of lines, either way up; None where there are no rows.

    near_side: how far what the rectified table shows lowest lies nearest to the camera, −1 to 1.
    """
    found: list[Placed] = []
    for turned, seen in ((False, cards), (True, cards.turned())):
        prior = SETTINGS.near_side * (-near_side if turned else near_side) / 2
        found += [replace(p, turned=turned, score=p.score + prior) for p in _ways(seen, layout)]
    if not found:
        return None
    found.sort(key=lambda p: -p.score)
    return replace(found[0], rivals=tuple((p.score, p.at) for p in found[1:]))


def _ways(cards: Candidates, layout: Layout) -> Iterator[Placed]:
    """Placings on a layout this way up: each base column, each row of the first base."""
    weight = cards.present
    if len(cards) < 3 or weight.sum() < 3:
        return
    rows = rows_of(cards.middle, weight, layout)
    on = rows.off < SETTINGS.row_reach
    x = cards.middle[:, 0]
    starts = _columns_in(x[on], rows.of[on], weight[on])
    least, most = int(rows.of[on].min()), int(rows.of[on].max())
    for base in starts:
        seen = _from_base(cards, rows, base)
        choices = _column_choices(seen, layout)
        for first in range(min(least, most - layout.rows + 1), max(least, most - layout.rows + 1) + 1):
            here = replace(seen, row=rows.of - first, first=first)
            for chosen in choices:
                yield replace(_with_columns(here, layout, chosen), base=base, first=first)


def _columns_in(x: Doubles, row: Ints, weight: Doubles) -> list[float]:
    """Where the base column may be: every place at which cards of two rows lie, once."""
    out: list[float] = []
    for start in np.sort(x):
        near = np.abs(x - start) < SETTINGS.base_reach / 2
        if len(set(row[near].tolist())) < 2:
            continue
        middle = float(np.average(x[near], weights=weight[near] + 1e-6))
        if not out or middle - out[-1] > SETTINGS.base_reach / 2:
            out.append(middle)
    return out


def _from_base(cards: Candidates, rows: Rows, base: float) -> _Seen:
    """The candidates as they lie from a base column there, the first base in row 0."""
    x, row = _across(cards, base), rows.of
    on = rows.off < SETTINGS.row_reach
    step = _usual_step(x[on], row[on])
    ways = np.stack([cards.middle[:, 0], cards.other]) - base
    uneven = _uneven(cards.middle[on, 0], row[on])
    return _Seen(x, ways, cards.middle[:, 1], cards.present, row, on, cards, rows, step, uneven)


def _column_choices(seen: _Seen, layout: Layout) -> list[dict[Stack, list[int]]]:
    """The outer columns that may be there: each as it lies, or not at all."""
    choices: list[dict[Stack, list[int]]] = [{}]
    for line in layout.lines:
        if line.stack.kind == "column":
            chain = _column(seen, SIGN[line.stack.side], layout)
            choices = [
                {**known, line.stack: taken}
                for known in choices
                for taken in ([], chain)
                if taken or not known.get(line.stack)
            ]
    return choices


def _across(cards: Candidates, base: float) -> Doubles:
    """How far right of the base column each of n candidates lies. Of a card whose sides look alike that side shows that
    no other hides, the one towards the base column; of a base either may.
    """
    x = cards.middle[:, 0] - base
    return np.where((cards.side * x > 0) & (np.abs(x) >= SETTINGS.base_reach), cards.other - base, x)


@dataclass(frozen=True, slots=True)
class _Seen:
    """n candidates as they lie from a base column: across, and (2, n) where by either side that may show; down, chance
    that there is a card, row from the first base, and whether they lie in it. step: how far apart most neighbours of a
    half row lie; uneven: how much that differs, as a standard deviation. first: the row of the first base; known: half
    rows by row, side, base and columns, which are the same whatever that is.
    """

    x: Doubles
    ways: Doubles
    y: Doubles
    weight: Doubles
    row: Ints
    on: NDArray[np.bool_]
    cards: Candidates
    rows: Rows
    step: float
    uneven: float
    first: int = 0
    known: dict[tuple[int, int, int | None, bytes], _HalfRow] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _HalfRow:
    """The candidates `near` that are told of by a half row, and of them the cards that lie in it, the inner ones first:
    how far apart they lie, how far from the base column it begins, and the log-odds of all that.
    """

    near: Ints
    cards: Ints
    steps: Doubles
    begin: float
    score: float


def _usual_step(x: Doubles, row: Ints) -> float:
    """How far apart most neighbours of a half row lie."""
    steps = [
        np.diff(np.sort(x[(row == r) & (sign * x > SETTINGS.base_reach)])) for r in np.unique(row) for sign in (-1, 1)
    ]
    every = np.concatenate(steps) if steps else np.zeros(0)
    return float(np.median(every)) if len(every) else 1.0


def _uneven(x: Doubles, row: Ints) -> float:
    """How much the steps between neighbours in a row differ, wherever the base column lies: a standard deviation."""
    steps = np.concatenate([np.diff(np.sort(x[row == r])) for r in np.unique(row)])
    # It is 1.48 times the median of how far off they are.
    off = 1.48 * float(np.median(np.abs(steps - np.median(steps)))) if len(steps) else np.inf
    return float(np.clip(off, *SETTINGS.ragged))


@dataclass
class _Tally:
    """A placing in the making: what lies where, which candidates are told of, what was missed, and log-odds."""

    at: dict[str, int]
    used: NDArray[np.bool_]
    missed: dict[str, Missed]
    score: float = 0.0

    def base(self, line: Line) -> int | None:
        """The card that lies in the row of a half row in the base column."""
        if line.stack.kind == "column":
            return None
        return self.at.get(base_place(line.stack.row) if line.stack.row <= BASES else CELLAR)

    def put(self, line: Line, mine: Ints, steps: Doubles, usual: float, seen: _Seen) -> None:
        """Cards `mine` lie on a line, the inner ones first, each so far beyond the one before by `steps`; the first so
        far beyond where the line would have another one.
        """
        before = [self.base(line), *mine.tolist()]
        gone = one_line.missed(steps, usual)
        numbers = 1 + np.arange(len(mine)) + np.cumsum(gone)
        self.at |= {line.stack.place(int(number)): int(card) for number, card in zip(numbers, mine, strict=True)}
        way = np.array([0.0, 1.0] if line.stack.kind == "column" else [SIGN[line.stack.side], 0.0])
        for k in np.flatnonzero(gone).tolist():
            for n in range(1, int(gone[k]) + 1):
                at = seen.cards.middle[mine[k]] - way * steps[k] * (1 - n / (gone[k] + 1))
                odds = one_line.overlooked(float(steps[k]), usual, n)
                place = line.stack.place(int(numbers[k] - gone[k]) + n - 1)
                self.missed[place] = Missed(at, odds, tuple(card for card in before[k : k + 2] if card is not None))
        self.score += float(seen.weight[mine].sum()) + one_line.length(len(mine), line.fresh)


def _with_columns(seen: _Seen, layout: Layout, columns: dict[Stack, list[int]]) -> Placed:
    """The placing with these outer columns, and its log-odds."""
    tally = _Tally({}, np.zeros(len(seen.x), bool), {})
    steps = np.concatenate([np.zeros(0), *(np.diff(seen.y[chain]) for chain in columns.values())])
    usual = float(np.median(steps)) if len(steps) > 1 else 0.0
    for line in layout.lines:
        if line.stack.kind == "column":
            _put_column(seen, line, np.array(columns.get(line.stack, []), np.intp), tally, usual)
    columned = tally.used.tobytes()
    on = seen.on & ~tally.used & (seen.row >= 0) & (seen.row < layout.rows)
    bases, cost = _bases(seen, on, layout)
    tally.at |= bases
    tally.used[list(bases.values())] = True
    tally.score += cost
    halves = [
        (line, _known_half_row(seen, line, tally, columned)) for line in layout.lines if line.stack.kind == "half"
    ]
    begins = [half.begin for _, half in halves if len(half.cards)]
    for line, half in halves:
        late = half.begin - float(np.median(begins)) if begins else 0.0
        first = seen.step + late * (late > SETTINGS.late * seen.step)
        steps = np.concatenate([[first], half.steps])[: len(half.cards)]
        tally.put(line, half.cards, steps, seen.step, seen)
    off = frozenset(np.flatnonzero(~tally.used).tolist())
    strays = float(seen.weight[~tally.used].sum())
    score = tally.score - _ragged(begins, seen.uneven) - SETTINGS.stray * strays
    return Placed(layout, False, tally.at, score, strays, seen.rows, missed=tally.missed, off=off)


def _put_column(seen: _Seen, line: Line, chain: Ints, tally: _Tally, usual: float) -> None:
    tally.used[chain] = True
    down = seen.y[chain]
    kept = one_line.lying(seen.cards, chain, down, one_line.hidden(seen.cards, chain, None), usual)
    tally.put(line, chain[kept], np.diff(down[kept], prepend=down[kept][:1] - usual), usual, seen)


def _known_half_row(seen: _Seen, line: Line, tally: _Tally, columned: bytes) -> _HalfRow:
    """What lies in a half row, told of in the tally; columned: which candidates are told of by columns."""
    row, sign, base = line.stack.row - 1 + seen.first, SIGN[line.stack.side], tally.base(line)
    key = row, sign, base, columned
    if key not in seen.known:
        seen.known[key] = _half_row(seen, line, seen.on & ~tally.used, base)
    half = seen.known[key]
    tally.used[half.near] = True
    tally.score += half.score
    return half


def _half_row(seen: _Seen, line: Line, free: NDArray[np.bool_], base: int | None) -> _HalfRow:
    """What may lie in a half row of candidates that are told of by no column and by no base; base: the card that lies
    in its row of the base column.
    """
    sign = SIGN[line.stack.side]
    # A card of no base whose one side would lie in the base column shows the other.
    out = np.where(np.abs(seen.x) < SETTINGS.base_reach, (sign * seen.ways).max(0), sign * seen.x)
    near = np.flatnonzero(free & (seen.row == line.stack.row - 1) & (out > 0))
    near = near[np.argsort(out[near])]
    mine = near[(out[near] > SETTINGS.clear) | (seen.cards.body[near] >= one_line.SETTINGS.whole)]
    hidden = one_line.hidden(seen.cards, mine, line.stack.side)
    mine = mine[one_line.lying(seen.cards, mine, out[mine], hidden, seen.step)]
    steps, weight = np.diff(out[mine]), seen.weight[mine]
    score = -SETTINGS.crowding * float(weight[out[mine] < SETTINGS.clear].sum())
    score -= SETTINGS.hole * float(((steps > SETTINGS.open_step) * np.minimum(weight[1:], weight[:-1])).sum())
    score -= _off(steps - seen.step, seen.uneven)
    score += _shows(seen, mine, sign)
    # From the card that lies in its row of the base column, so that begins and steps differ alike.
    begin = float(out[mine[0]] - (out[base] if base is not None else 0.0)) if len(mine) else 0.0
    return _HalfRow(near, mine, steps, begin, score)


def _bases(seen: _Seen, on: NDArray[np.bool_], layout: Layout) -> tuple[dict[str, int], float]:
    """The bases and the card in the cellar, and the log-odds of them."""
    out, score = dict[str, int](), 0.0
    cellar = any(spot.place == CELLAR for spot in layout.spots)
    for r in range(layout.rows):
        here = np.flatnonzero(on & (seen.row == r) & (np.abs(seen.x) < SETTINGS.base_reach))
        if r < BASES:
            score -= SETTINGS.base
        if not len(here):
            continue
        n = int(here[seen.weight[here].argmax()])
        if r < BASES:
            out[base_place(r + 1)] = n
            score += 2 * SETTINGS.base * float(seen.weight[n])
        elif cellar:
            out[CELLAR] = n
            score -= SETTINGS.cellar * float(seen.weight[n])
    return out, score + SETTINGS.suits * _twice(seen.cards, [n for place, n in out.items() if place != CELLAR])


def _twice(cards: Candidates, bases: list[int]) -> float:
    """How much likelier these bases are than four cards by chance, in units of `Settings.suits`: each has a suit of its
    own.
    """
    suits = cards.belief[bases, : len(CARDS)].reshape(len(bases), 4, len(CARDS) // 4).sum(2)
    both = float(sum(a @ b for n, a in enumerate(suits) for b in suits[:n]))
    pairs = len(bases) * (len(bases) - 1) / 2
    return pairs / 8 - both


def _column(seen: _Seen, sign: int, layout: Layout) -> list[int]:
    """The cards that may be an outer column on that side, from the top: those farthest out, near one line.

    Either side of them may show, whatever lies over the cards of half rows: each counts as lying no farther out than it
    surely does.
    """
    ways = sign * seen.ways
    out = np.flatnonzero((ways.min(0) > layout.pitches["aside"].closest) & (seen.weight > 0.5))
    if not len(out):
        return []
    far = float(ways[:, out].min(0).max())
    mine = out[np.abs(ways[:, out] - far).min(0) < 2 * SETTINGS.column_reach]
    nearer = np.abs(ways[:, mine] - far).argmin(0)
    middle = float(np.median(ways[nearer, mine]))
    mine = np.flatnonzero((np.abs(ways - middle).min(0) < SETTINGS.column_reach) & (seen.weight > 0.5))
    return [int(n) for n in mine[np.argsort(seen.y[mine])]]


def _shows(seen: _Seen, mine: Ints, sign: int) -> float:
    """How far the covered cards of a half row show the side towards the base column."""
    if len(mine) < 2:
        return 0.0
    covered = np.diff(sign * seen.x[mine]) < one_line.SETTINGS.overlap
    side = seen.cards.side[mine[:-1]] * sign
    # Of a card on the right the left side shows: −1.
    return -SETTINGS.shown * float((side * covered * seen.cards.index[mine[:-1]]).sum())


def _ragged(begins: list[float], uneven: float) -> float:
    """What it costs that half rows do not begin equally far from the base column."""
    return _off(np.array(begins) - np.median(begins), uneven) if len(begins) > 1 else 0.0


def _off(lengths: Doubles, uneven: float) -> float:
    """What it costs that cards lie so far off, with this standard deviation; less than nothing where they lie alike, as
    those of no line do not.
    """
    off = np.minimum((lengths / uneven) ** 2 / 2, SETTINGS.most_uneven)
    return float((off - SETTINGS.alike).sum())
