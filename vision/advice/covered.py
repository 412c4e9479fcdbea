"""Cards on which something lies that is no card: a hand, a cup, a phone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vision.posterior.spotted import Spotted


@dataclass(frozen=True, slots=True)
class Limits:
    """When something lies on a card; set between clean drawn tables and those on which a thing lies
    (`models.measure.advice`), nearer to the latter, for advice that is not needed annoys.
    """

    share: float = 0.12  # of a card that is hidden
    print: float = 0.8  # of a back that is print which so large a share of all others of a table shows no less


LIMITS = Limits()


def covered(spotted: Sequence[Spotted]) -> Iterator[str]:
    """The places of cards on which something lies, by the net that looks at whole cards: it knows faces. What a back
    shows the others show as well; of one alone nobody can tell.
    """
    shown = [s for s in spotted if s.present > 0.5 and s.hidden is not None]
    cells = np.array([s.hidden for s in shown])
    backs = np.array([s.face < 0.5 for s in shown], bool)
    for number, one in enumerate(shown):
        over = np.nan_to_num(cells[number])
        if backs[number]:
            others = cells[backs & (np.arange(len(shown)) != number)]
            print_ = np.quantile(np.nan_to_num(others, nan=1.0), LIMITS.print, axis=0) if len(others) else 1.0
            over = np.maximum(over - print_, 0.0)
        if over.mean() > LIMITS.share:
            yield one.place
