"""The cards of one line, a half row or a column: which of the candidates lie there, and how many were missed.

One likelihood tells both. Each candidate lies there or is none; neighbours lie a step apart, or so many steps as cards
were missed between them; what another card lies on shows one side and not the other. The line is the likeliest way
through its candidates, from the inner end outward, and how likely each of them is to be on it follows from all ways.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rules.layouts import HALF_ROW_PITCHES
from vision.cards.candidates import Candidates
from vision.recognize.index_reader import RANKS

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Settings:
    """Lengths in card sides, chances and log-odds: from how people lay cards, tried on drawn validation tables."""

    overlap: tuple[float, float] = (0.85, 0.98)  # neighbours nearer overlap so far that one index is hidden, or none is
    shown: float = 1.5  # a card that shows the side on which no other lies,
    amiss: float = -3.0  # one that shows the other side, or both (of 9400 two dozen did), or one side alone though no
    # other lies on it (of 13 000 twenty did), or an index though it is hidden as far as this:
    narrow: tuple[float, float] = (0.1, 0.2)  # an index is hidden on a card that shows less of itself, read on more
    unread: float = 4.5  # log-odds less of a card that shows no index: of 92 likely ones 91 were none, of 8 sure ones 2
    lies: float = 1.0  # most that it is worth that a candidate lies in the line, and what more of log-odds it has it
    # costs that it does not: so much at most beside one that does, for the same card may have been found twice, but
    most: float = 4.0  # so much more at most where it is surely read, or none is near; and that it lies beside the line
    near: float = 0.25  # so near two candidates may be one
    skipped: float = 0.03  # how often a card is missed
    astray: float = 0.02  # how often one lies anywhere,
    anywhere: float = 0.5  # cards of no line being so dense along it
    loose: float = 0.06  # steps of one line differ so much at least, for it is not known exactly how far it is laid
    hole: float = -2.6  # a missed card is looked for where such log-odds speak for it
    holes: int = 4  # so many side by side at most
    elsewhere: float = 0.2  # each card more or less in all holes than were not found is so much less likely
    late: float = 0.4  # one that begins so many steps farther out than most may have lost its first card
    own: float = 2.0  # how far apart all cards lie tells as much of a line as so many of its own steps,
    rounds: int = 2  # which are counted so often
    longer: float = 0.5  # each card more than in a fresh deal
    shorter: float = 0.15  # each card less,
    emptied: float = 0.5  # and none at all


SETTINGS = Settings()
_LAID = HALF_ROW_PITCHES["card"]
_FINE = 100  # steps are told apart by hundredths of a card
_NORMAL = 1.48  # the standard deviation of what is spread normally, in medians of how far off it is
_FAINT = -15.0  # less likely ways are left out


def length(count: int, fresh: int) -> float:
    """Log-odds of so many cards in a line of so many in a fresh deal."""
    gone = SETTINGS.emptied if not count else 0.0
    return -SETTINGS.longer * max(count - fresh, 0) - SETTINGS.shorter * max(fresh - count, 0) - gone


@dataclass(frozen=True, slots=True)
class Evidence:
    """Log-odds of n candidates: of each in the line; of it being none, far from one that lies there and beside one; of
    what it shows where it lies open, and where another card lies on it. side: 1 where it shows the end alone that stays
    open, −1 the other one. index: the chance that one was read on it.
    """

    lies: list[float]
    gone: list[float]
    again: list[float]
    bare: list[float]
    under: list[float]
    side: list[float]
    index: list[float]


def evidence(cards: Candidates, shows: Doubles, off: Doubles, against: Doubles | float = 0.0) -> Evidence:
    """What speaks for each candidate; shows: (n,) 1 where it shows the end alone that stays open, −1 the other one;
    off: (n,) how many standard deviations it lies beside the line; against: (n,) more that speaks against each.
    """
    present = np.clip(cards.present, 1e-3, 1 - 1e-3)
    odds = np.log(present / (1 - present))
    index = cards.index
    odds -= SETTINGS.unread * (1 - index)
    more = np.maximum(odds - SETTINGS.lies, 0.0)
    amiss = np.where((cards.other == cards.middle[:, 0]) | (shows == 0), SETTINGS.amiss, 0.0)
    side = np.where(shows > 0, SETTINGS.shown, amiss)
    least, most = SETTINGS.lies, SETTINGS.most
    return Evidence(
        (np.minimum(odds, SETTINGS.lies) - np.minimum(off**2 / 2, most) - against).tolist(),
        (-np.minimum(more, least + most)).tolist(),
        (-np.minimum(more, least + most * cards.sure)).tolist(),
        (index * SETTINGS.amiss * (shows != 0)).tolist(),
        (index * side).tolist(),
        shows.tolist(),
        index.tolist(),
    )


@lru_cache(maxsize=1024)
def _worth_of_steps(usual: float, uneven: float) -> tuple[float, ...]:
    step = np.arange(0.0, SETTINGS.holes * _LAID.widest, 1 / _FINE)
    dense = np.full(len(step), SETTINGS.astray * SETTINGS.anywhere)
    for missed in range(3):
        off = (step - (missed + 1) * usual) / uneven
        share = SETTINGS.skipped**missed / np.sqrt(2 * np.pi * (missed + 1)) / uneven
        dense += share * np.exp(-(off**2) / 2 / (missed + 1))
    return tuple(np.log(dense / SETTINGS.anywhere).tolist())


def steps_worth(usual: float, uneven: float) -> tuple[float, ...]:
    """Log-odds of neighbours a step apart, by hundredths of a card, where they usually lie so far apart, give or take a
    standard deviation; nothing tells where that is not known, which is 0 then.
    """
    return _worth_of_steps(round(usual, 2), round(uneven, 3)) if usual > 0 else (0.0,)


def worth(step: float, by: Sequence[float]) -> float:
    """Log-odds of a step, from those of all."""
    return by[min(max(int(step * _FINE + 0.5), 0), len(by) - 1)]


@dataclass(frozen=True, slots=True)
class Ways:
    """All ways through n candidates of a line, which lie so far out: from 0, the inner end, past candidates 1 … n to
    n + 1, the outer one. after: for each where the way may go on, and the log-odds of that.
    """

    after: list[list[tuple[int, float]]]

    def likeliest(self) -> tuple[list[int], float]:
        """The candidates on the likeliest way, from 0, and its log-odds."""
        end = len(self.after)
        best, back = [0.0] + [-np.inf] * end, [0] * (end + 1)
        for here, ways in enumerate(self.after):
            for there, odds in ways:
                if best[here] + odds > best[there]:
                    best[there], back[there] = best[here] + odds, here
        out, at = [], back[end]
        while at:
            out.append(at - 1)
            at = back[at]
        return out[::-1], best[end]

    def chances(self) -> Doubles:
        """The chance (n,) that each candidate lies in the line, by all ways."""
        end = len(self.after)
        before, beyond = np.full(end + 1, -np.inf), np.full(end + 1, -np.inf)
        before[0] = beyond[end] = 0.0
        for here, ways in enumerate(self.after):
            for there, odds in ways:
                before[there] = np.logaddexp(before[there], before[here] + odds)
        for here in range(end - 1, -1, -1):
            for there, odds in self.after[here]:
                beyond[here] = np.logaddexp(beyond[here], beyond[there] + odds)
        return np.asarray(np.exp(before + beyond - before[end])[1:end])

    def told(self) -> list[float]:
        """For each candidate on the likeliest way the chance that it is the card it is taken for, counted from 0: that
        those up to it lie there and none between them does.
        """
        kept, chances = self.likeliest()[0], self.chances()
        chances[~np.isin(np.arange(len(chances)), kept)] *= -1
        return [float(np.prod(np.where(chances[: k + 1] < 0, 1 + chances[: k + 1], chances[: k + 1]))) for k in kept]


def ways(at: Sequence[float], mine: Sequence[int], of: Evidence, by: Sequence[float]) -> Ways:
    """The ways through candidates `mine`, which lie so far out, the inner ones first.

    by: log-odds of all steps.
    """
    count, after, last = len(mine), list[list[tuple[int, float]]](), len(by) - 1
    none = [_none(k, at, mine, of) for k in range(count)]
    for here in range(count + 1):
        out, passed = list[tuple[int, float]](), 0.0
        inner = mine[here - 1] if here else -1
        for there in range(here, count):
            odds = passed + of.lies[mine[there]]
            if here:
                step = at[there] - at[here - 1]
                odds += by[min(int(step * _FINE + 0.5), last)]
                odds += _seen_of(inner, step, of)
            out.append((there + 1, odds))
            passed += none[there]
            if passed < _FAINT:
                break
        else:
            out.append((count + 1, passed + (of.bare[inner] if here else 0.0)))
        after.append(out)
    return Ways(after)


def _seen_of(inner: int, step: float, of: Evidence) -> float:
    """Log-odds of what a candidate shows that has a neighbour a step on: another card lies on it, or none does."""
    least, most = SETTINGS.overlap
    if step >= most:
        return of.bare[inner]
    if step <= least:
        return _covered(inner, step, of)
    bare = (step - least) / (most - least)
    return math.log(bare * math.exp(of.bare[inner]) + (1 - bare) * math.exp(of.under[inner]))


def _covered(inner: int, step: float, of: Evidence) -> float:
    """Log-odds of what a candidate shows on which another card lies, a step on."""
    least, most = SETTINGS.narrow
    if step >= most:
        return of.under[inner]
    return of.under[inner] + SETTINGS.amiss * min((most - step) / (most - least), 1.0) * of.index[inner]


def _none(k: int, at: Sequence[float], mine: Sequence[int], of: Evidence) -> float:
    """Log-odds of candidate k being none."""
    beside = [n for n in (k - 1, k + 1) if 0 <= n < len(at) and abs(at[n] - at[k]) < SETTINGS.near]
    if any(of.side[mine[k]] * of.side[mine[n]] < 0 for n in beside):
        # Of one card the two ends were read apart.
        return max(of.gone[mine[k]], -SETTINGS.lies)
    return (of.again if beside else of.gone)[mine[k]]


def usual_step(steps: Doubles, usual: float) -> float:
    """How far apart the neighbours of a line lie that has these steps, where those of all lines usually lie so far: a
    long step may be several.
    """
    own = usual
    for _ in range(SETTINGS.rounds if usual > 0 else 0):
        counts = np.maximum(np.round(steps / own), 1)
        own = float((steps.sum() + SETTINGS.own * usual) / (counts.sum() + SETTINGS.own))
    return own


def scatter(steps: Doubles) -> float:
    """The standard deviation of steps, by the median of how far off they are."""
    return _NORMAL * float(np.median(np.abs(steps - np.median(steps)))) if len(steps) else np.inf


def skipped(seen: int, lie: float) -> float:
    """How often a card is missed where so many are seen of so many that lie in sight."""
    # As if a suit more lay there, of which as many are missed as usual.
    return (max(lie - seen, 0.0) + SETTINGS.skipped * RANKS) / (max(lie, 0.0) + RANKS)


def missed(steps: Doubles, usual: float, uneven: float, often: float) -> Ints:
    """How many cards may have been missed between neighbours so far apart, where so often one is; none where it is not
    known how far apart they usually lie, which is 0 then.
    """
    if usual <= 0:
        return np.zeros(len(steps), np.intp)
    shares = [_shares(float(step), usual, uneven, often) for step in steps]
    holes = [overlooked(float(step), usual, uneven, often, 1) > SETTINGS.hole for step in steps]
    gone = np.array([1 + int(np.argmax(share[1:])) for share in shares], np.intp)
    return np.where(holes, gone, 0).astype(np.intp)


def overlooked(step: float, usual: float, uneven: float, often: float, number: int) -> float:
    """The log-odds that so many cards, or more, were missed between neighbours so far apart, where so often one is."""
    share = _shares(step, usual, uneven, often)
    return float(np.log(share[number:].sum() + 1e-9) - np.log(share[:number].sum()))


def _shares(step: float, usual: float, uneven: float, often: float) -> Doubles:
    """How likely a step is with none, one … cards missed in it, as the worth of steps has it."""
    count = np.arange(SETTINGS.holes + 1)
    spread = np.hypot(uneven, SETTINGS.loose) * np.sqrt(count + 1)
    off = (step - (count + 1) * max(usual, _LAID.closest)) / spread
    share = often**count * np.exp(-(off**2) / 2) / np.sqrt(2 * np.pi) / spread
    share[0] += SETTINGS.astray * SETTINGS.anywhere
    return np.asarray(share)


def as_counted(there: Sequence[float], unseen: float, known: float) -> list[float]:
    """The chance that a card lies in each hole, once the deck is counted: as many do as were not found, or about so
    many, for a card may be missed where it leaves no hole.

    there: the same, of each hole alone. unseen: how many cards in sight were not found; known: the chance that this is
    so.
    """
    out = []
    for n, chance in enumerate(there):
        others = np.ones(1)
        for other in (*there[:n], *there[n + 1 :]):
            others = np.convolve(others, [1 - other, other])
        off = np.abs(np.arange(len(there) + 1) - unseen)
        fits = known * SETTINGS.elsewhere**off + (1 - known) * SETTINGS.elsewhere
        lies, gone = chance * float(others @ fits[1:]), (1 - chance) * float(others @ fits[:-1])
        out.append(lies / max(lies + gone, 1e-300))
    return out
