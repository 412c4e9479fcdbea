"""The cards of one line, a half row or a column: which of the candidates lie there, and how many were missed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.rows.places import Side
from vision.cards.candidates import Candidates

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Settings:
    """Lengths in card sides, chances and log-odds: from how people lay cards, tried on drawn validation tables."""

    least: float = 0.16  # cards of one line lie farther apart than that
    overlap: float = 0.85  # neighbours nearer than this overlap so far that one index is hidden
    weak: float = 0.6  # of two at one place the one read less surely than this is none, and amid a step of usual length
    plain: float = 0.95  # a card read so surely needs no other witness,
    whole: float = 1.0  # nor does one with witnesses of a whole card so heavy; of others, and of those
    unread: float = 0.9  # on which nothing was read and that are there with less of a chance than this,
    missing: float = 1.6  # one is only where neighbours are so many times farther apart than most,
    hole: float = -2.6  # and is looked for where such log-odds speak for it:
    # of 5000 short steps on 600 drawn tables 4 in 80 that were 1.3 times as long as usual missed a card, 10 in 37 that
    steep: float = 6.0  # were 1.5 times as long, and 5 in 11 that were 1.7 times as long: half do that are so much
    even: float = 0.68  # longer, in usual ones;
    close: float = 0.35  # of 20 000 steps longer than this none under 1.6 times did, and all over 1.8 times
    longer: float = 0.5  # each card more than in a fresh deal
    shorter: float = 0.15  # each card less,
    emptied: float = 0.5  # and none at all


SETTINGS = Settings()


def length(count: int, fresh: int) -> float:
    """Log-odds of so many cards in a line of so many in a fresh deal."""
    gone = SETTINGS.emptied if not count else 0.0
    return -SETTINGS.longer * max(count - fresh, 0) - SETTINGS.shorter * max(fresh - count, 0) - gone


def lying(cards: Candidates, mine: Ints, along: Doubles, hidden: Flags, step: float) -> Flags:
    """Which of the cards of a line, inner ones first, lie there: what an outer card hides cannot have been read, and
    two cards do not lie at one place.

    along: how far out each of n lies. hidden: whether only that end of it was read that a neighbour would hide. step:
    how far apart most neighbours lie.
    """
    kept, outer, last = np.ones(len(mine), bool), np.inf, -1
    sure = cards.sure[mine]
    alone = (cards.body[mine] < SETTINGS.whole) & (sure < SETTINGS.plain)
    faint = (cards.index[mine] < 0.5) & (cards.present[mine] < SETTINGS.unread) | (cards.present[mine] < 0.5)
    for k in range(len(mine) - 1, -1, -1):
        apart, inner = outer - along[k], along[k - 1] if k else -np.inf
        one = apart < SETTINGS.least and not (sure[k] < sure[last] and k and is_hole(outer - inner, step))
        if one and min(sure[k], sure[last]) < SETTINGS.weak:
            # One card, found by its index and, a little off, as a whole: the one surely read stays.
            kept[k if sure[k] < sure[last] else last] = False
            last = k if kept[k] else last
            continue
        covered = alone[k] and hidden[k] and apart < SETTINGS.overlap
        # What was hardly read, and seen by nothing else, is a card only where one is missing.
        weak = alone[k] or faint[k]
        crowded = apart < SETTINGS.least or outer - inner < SETTINGS.missing * step
        packed = sure[k] < SETTINGS.weak and step > 0 and not is_hole(outer - inner, step)
        kept[k] = not covered and not (weak and crowded) and not packed
        if kept[k]:
            outer, last = float(along[k]), k
    return kept


def missed(steps: Doubles, usual: float) -> Ints:
    """How many cards may have been missed between neighbours so far apart."""
    gone = np.maximum(np.round(steps / max(usual, SETTINGS.least)) - 1, 1)
    return np.array([n if is_hole(float(step), usual) else 0 for n, step in zip(gone, steps, strict=True)], np.intp)


def is_hole(step: float, usual: float) -> bool:
    """Whether a card may have been missed between neighbours so far apart; not where it is not known how far apart
    they usually lie, which is 0 then.
    """
    return usual > 0 and overlooked(step, usual, 1) > SETTINGS.hole


def overlooked(step: float, usual: float, number: int) -> float:
    """The log-odds that so many cards, or more, were missed between neighbours so far apart."""
    steep = SETTINGS.steep * max(usual / SETTINGS.close, 1.0) ** 2
    return steep * (step / max(usual, SETTINGS.least) - number - SETTINGS.even)


def hidden(cards: Candidates, mine: Ints, side: Side | None) -> Flags:
    """Of which cards only that end was read that an outer neighbour hides: the upper one in a half row on the left,
    where the lower right corner shows, the lower one elsewhere.
    """
    ends = (cards.upper[mine], cards.lower[mine])
    shown, covered = ends[::-1] if side == "left" else ends
    return np.asarray((shown < 0.5) & (covered >= 0.5))
