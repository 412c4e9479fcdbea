"""Every card of a spread, fan or heap: those that were read, and finds that may be cards though nothing was."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.cards.card_list import CardList
from vision.detect.multiscale import Found
from vision.posterior.observation import Query, none_read
from vision.recognize import card_frame

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settings:
    """Which finds may be cards. Set by judgement, tried on drawn pictures of loose cards."""

    row: float = 60.0  # cards lie in one row that are so near to each other down the picture, in pixels


SETTINGS = Settings()


def spread(listed: CardList, found: Found) -> tuple[Query, ...]:
    """The cards of a list, and the finds that may be more, in the order of reading: from top to bottom, then from left
    to right.
    """
    axes = card_frame.axes_of_all(found.cards.quads())
    cards = [listed.lying(number) for number in range(len(listed))]
    quads = [card_frame.corners_of(query.axes) for query in cards]
    for number in range(len(axes)):
        if number in listed.home or _shadowed(axes[number], cards):
            continue
        own = card_frame.corners_of(axes[number])
        over = max((card_frame.shared(own, quad) for quad in quads), default=0.0)
        cards.append(Query("", axes[number], none_read(), (), over=over, kind="loose"))
    cards.sort(key=lambda query: (round(float(query.axes[1, 2]) / SETTINGS.row), float(query.axes[0, 2])))
    return tuple(replace(query, place=f"table {k + 1}") for k, query in enumerate(cards))


def _shadowed(axes: Doubles, cards: list[Query]) -> bool:
    """True for a find that lies in the middle of a card already named."""
    inverse = np.linalg.inv(axes[:, :2])
    return any(float(np.abs(inverse @ (query.axes[:, 2] - axes[:, 2])).max()) / 2 < card_frame.SAME for query in cards)
