"""A placing on a layout of lines: which candidate lies at each place, first as a draft with its log-odds alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.layouts import Layout, Line
from rules.rows.places import CELLAR, Side, base_place
from rules.rows.shapes import BASES
from vision.cards.candidates import Candidates
from vision.layout import one_line
from vision.layout.foundations import Foundations
from vision.layout.one_line import Evidence, Ways
from vision.recognize.index_reader import CARDS

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]

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

    def down(self, row: int, across: float) -> float:
        """How far down a row lies, so far across."""
        return self.origin + self.slope * across + row * self.pitch


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
    off: frozenset[int] = frozenset()  # the candidates that lie on no place,
    sided: frozenset[int] = frozenset()  # and those that lie where their other side shows
    along: Mapping[str, float] = field(default_factory=dict)  # the chances of the cards up to each place of a line
    rivals: tuple[tuple[float, dict[str, int]], ...] = ()
    unseen: float = 0.0  # so many cards of the deck lie in sight and were not found, as the foundations tell,
    counted: float = 0.0  # if it is they who tell it, which is this likely

    def told(self, place: str) -> float:
        """The chance that this place was told rightly."""
        against = [score for score, at in self.rivals if at.get(place) != self.at.get(place)]
        return self.along.get(place, 1.0) / float(1 + np.exp(np.minimum(np.array(against) - self.score, 0.0)).sum())

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
        return np.array([self.base, self.rows.down(row + self.first, self.base)])

    def spot(self, row: int) -> Doubles:
        """The same in card units as the candidates came."""
        return self.back(self.base_spot(row))


@dataclass(frozen=True, slots=True)
class Seen:
    """n candidates as they lie from a base column: across, and (2, n) where by either side that may show; down, chance
    that there is a card, row from the first base, and whether they lie in it. step: how far apart most neighbours of a
    half row lie; worth: log-odds of each step. By side, −1 left, 1 right: what speaks for each to lie in a half row (0:
    in a column), how far out it lies then, and which do in each row, whatever base is the first. foundations: what
    they may show; first: the row of the first base; known: half rows by side, candidates and base, which are the same
    whatever else lies there.
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
    worth: tuple[float, ...]
    of: dict[int, Evidence]
    out: dict[int, list[float]]
    beyond: dict[tuple[int, int], list[int]]
    foundations: Foundations
    first: int = 0
    known: dict[tuple[int, tuple[int, ...], int | None], HalfRow] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HalfRow:
    """The cards that lie in a half row, the inner ones first: how far apart they lie, how far from the base column it
    begins, the log-odds of all that, and all ways to lie.
    """

    cards: Ints
    steps: Doubles
    begin: float
    score: float
    ways: Ways


@dataclass(frozen=True, slots=True)
class Laid:
    """The cards of a line, the inner ones first, and the steps between them: the likeliest of all ways. usual: how far
    apart all cards lie as a rule; late: how much farther out than others the line begins.
    """

    line: Line
    cards: Ints
    steps: Doubles
    usual: float
    late: float
    ways: Ways


@dataclass
class Tally:
    """A placing in the making: the bases, what lies on each line, which candidates are told of, and log-odds."""

    used: NDArray[np.bool_]
    bases: dict[str, int] = field(default_factory=dict)
    laid: list[Laid] = field(default_factory=list)
    score: float = 0.0

    def base(self, line: Line) -> int | None:
        """The card that lies in the row of a half row in the base column."""
        if line.stack.kind == "column":
            return None
        return self.bases.get(base_place(line.stack.row) if line.stack.row <= BASES else CELLAR)

    def put(self, line: Line, mine: Ints, steps: Doubles, begins: tuple[float, float], ways: Ways) -> None:
        """Cards `mine` lie on a line, the inner ones first, these steps apart: the likeliest of all ways. begins: how
        far apart all cards lie as a rule, and how much farther out than others this line begins.
        """
        self.laid.append(Laid(line, mine, steps, *begins, ways))
        self.score += one_line.length(len(mine), line.fresh)


@dataclass(frozen=True, slots=True)
class Draft:
    """A placing whose log-odds are known, before its places are counted out."""

    layout: Layout
    seen: Seen
    tally: Tally
    base: float
    strays: float
    score: float
    turned: bool = False

    def placed(self) -> Placed:
        """The placing."""
        at: dict[str, int] = {}
        missed: dict[str, Missed] = {}
        along: dict[str, float] = {}
        tally, rows, first = self.tally, self.seen.rows, self.seen.first
        unseen, known, often = self._unseen()
        # In the order in which they lie over each other.
        for laid in sorted(tally.laid, key=lambda laid: laid.line.stack.kind != "column"):
            if laid.line.stack.kind != "column":
                at |= tally.bases
            self._count(laid, often, at, missed, along)
        off = frozenset(np.flatnonzero(~tally.used).tolist())
        x = self.seen.cards.middle[:, 0]
        sided = frozenset(n for laid in tally.laid for n in laid.cards.tolist() if self._across(laid, n) != x[n])
        way = self.layout, self.turned, at, self.score, self.strays, rows, self.base, first
        return Placed(*way, missed, off, sided, along, unseen=unseen, counted=known)

    def _across(self, laid: Laid, number: int) -> float:
        """How far across a card of a line lies: where the side of it shows that it shows there."""
        cards = self.seen.cards
        ends = float(cards.middle[number, 0]), float(cards.other[number])
        if laid.line.stack.kind == "column":
            middle = float(np.median(cards.middle[laid.cards, 0]))
            return min(ends, key=lambda x: abs(x - middle))
        sign = SIGN[laid.line.stack.side]
        out = self.base + sign * self.seen.out[sign][number]
        return min(ends, key=lambda x: abs(x - out))

    def _unseen(self) -> tuple[float, float, float]:
        """How many cards lie in sight and were not found, and the chance that this is known: a deck has so many, and
        what is not under a foundation lies in sight. And how often a card was missed.
        """
        tally, cards = self.tally, self.seen.cards
        laid = [n for place, n in tally.bases.items() if place != CELLAR]
        seen = len(tally.bases) + sum(len(laid.cards) for laid in tally.laid)
        hidden, known = self.seen.foundations.hidden(cards.belief[laid])
        lie = len(CARDS) - hidden
        often = known * one_line.skipped(seen, lie) + (1 - known) * one_line.SETTINGS.skipped
        return lie - seen, known, often

    def _count(
        self, laid: Laid, often: float, at: dict[str, int], missed: dict[str, Missed], along: dict[str, float]
    ) -> None:
        """Counts the places of a line outward, those of cards missed in its holes as well."""
        line, mine = laid.line, laid.cards
        usual = one_line.usual_step(laid.steps, laid.usual)
        first = usual + laid.late * (laid.late > one_line.SETTINGS.late * laid.usual)
        steps = np.concatenate([[first], laid.steps])[: len(mine)]
        before = [self.tally.base(line), *mine.tolist()]
        uneven = self._uneven(line.stack.kind)
        gone = one_line.missed(steps, usual, uneven, often)
        numbers = 1 + np.arange(len(mine)) + np.cumsum(gone)
        places = [line.stack.place(int(number)) for number in numbers]
        at |= zip(places, mine.tolist(), strict=True)
        along |= zip(places, laid.ways.told(), strict=True)
        way = np.array([0.0, 1.0] if line.stack.kind == "column" else [SIGN[line.stack.side], 0.0])
        for k in np.flatnonzero(gone).tolist():
            for n in range(1, int(gone[k]) + 1):
                outer = np.array([self._across(laid, int(mine[k])), self.seen.y[mine[k]]])
                middle = outer - way * steps[k] * (1 - n / (gone[k] + 1))
                odds = one_line.overlooked(float(steps[k]), usual, uneven, often, n)
                place = line.stack.place(int(numbers[k] - gone[k]) + n - 1)
                missed[place] = Missed(middle, odds, tuple(card for card in before[k : k + 2] if card is not None))

    def _uneven(self, kind: str) -> float:
        """How much the steps of the half rows, or of the columns, differ from what is usual in each."""
        lines = [laid for laid in self.tally.laid if laid.line.stack.kind == kind]
        off = [laid.steps - one_line.usual_step(laid.steps, laid.usual) for laid in lines]
        return one_line.scatter(np.concatenate(off)) if sum(map(len, off)) else 0.0
