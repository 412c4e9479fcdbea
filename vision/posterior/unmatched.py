"""Cards surely read that no place of a layout shows: where one of them lies, nothing is surely gone, and where several
lie amid a pyramid, it is not the pyramid that was made out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rules.cards import GONE, Seen
from vision.reading import SeenCard
from vision.recognize import card_frame
from vision.recognize.index_reader import FACES, NONE, READ, Readings

# So near a place, in half sides of a card from its middle, that it may be of the card there: a card found off its place
# by half a width is not taken for the one that lies there.
NEAR = 1.5
# So many cards lie on the places of a pyramid, none of which shows them, if it was put where it does not lie: so it was
# on six drawn validation tables, all of them read wrongly and three surely, and on none of 1800 read rightly.
SEVERAL = 2


def unplaced(readings: Readings, named: Sequence[Seen]) -> Readings:
    """The indices surely read of cards that are not among the `named`."""
    shown = [
        n
        for n, belief in enumerate(readings.beliefs[:, :NONE])
        if belief.max() > READ and FACES[int(belief.argmax())] not in named
    ]
    return readings.take(np.array(shown, np.intp))


def doubted(cards: Sequence[SeenCard], lost: Readings) -> tuple[SeenCard, ...]:
    """The cards of a layout; in doubt are those places that seem empty where an index lies that no place shows, and all
    of them where several cards lie so in the pyramid.
    """
    amid = _lie_at([card for card in cards if card.place.startswith("pyramid")], lost, 1.0).any(0)
    misplaced = len(np.unique(lost.beliefs[amid, :NONE].argmax(1))) >= SEVERAL
    at = np.asarray(_lie_at(cards, lost, NEAR).any(1))
    return tuple(
        replace(card, doubtful=True) if misplaced or (card.card is GONE and near) else card
        for card, near in zip(cards, at, strict=True)
    )


def beyond(cards: Sequence[SeenCard], lost: Readings) -> bool:
    """Whether one of the indices lies at none of the places: then a pile may have been missed."""
    return bool((~_lie_at(cards, lost, NEAR).any(0)).any())


def _lie_at(cards: Sequence[SeenCard], lost: Readings, reach: float) -> NDArray[np.bool_]:
    """Which of m indices lie less than `reach` half sides from the middles of n cards, (n, m)."""
    if not len(cards) or not len(lost):
        return np.zeros((len(cards), len(lost)), bool)
    axes = card_frame.axes_of_all(np.array([card.quad_xy for card in cards]))
    off = np.linalg.solve(axes[:, :, :2], (lost.frames[None, :, :, 2] - axes[:, None, :, 2]).transpose(0, 2, 1))
    return np.asarray(np.abs(off).max(1) < reach)
