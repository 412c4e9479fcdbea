"""Cards surely read that no place of a layout shows: where one of them lies, nothing is surely gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rules.cards import GONE, Seen
from vision import sites
from vision.evidence import FACES, NONE, Readings
from vision.reading import SeenCard

Doubles = NDArray[np.float64]

# An index read this surely is one of a card that lies there.
SURE = 0.9
# So near a place, in half sides of a card from its middle, that it may be of the card there: a card found off its place
# by half a width is not taken for the one that lies there.
NEAR = 1.5


def unplaced(readings: Readings, named: Sequence[Seen]) -> Doubles:
    """Where indices (n, 2) were surely read of cards that are not among the `named`."""
    shown = [
        n
        for n, belief in enumerate(readings.beliefs[:, :NONE])
        if belief.max() >= SURE and FACES[int(belief.argmax())] not in named
    ]
    return np.asarray(readings.frames[shown, :, 2], np.float64)


def doubted(cards: Sequence[SeenCard], indices: Doubles) -> tuple[SeenCard, ...]:
    """The cards of a layout; a place that seems empty is in doubt where an index lies (n, 2) that no place shows."""
    return tuple(
        replace(card, doubtful=True) if card.card is GONE and _lie_at(card, indices).any() else card for card in cards
    )


def beyond(cards: Sequence[SeenCard], indices: Doubles) -> bool:
    """Whether one of the indices (n, 2) lies at none of the places: then a pile may have been missed."""
    at = np.zeros(len(indices), bool)
    for card in cards:
        at |= _lie_at(card, indices)
    return bool((~at).any())


def _lie_at(card: SeenCard, indices: Doubles) -> NDArray[np.bool_]:
    axes = sites.axes_of(np.array(card.quad_xy))
    return np.asarray(np.abs(np.linalg.solve(axes[:, :2], (indices - axes[:, 2]).T)).max(0, initial=0) < NEAR)
