"""The same doubt seen again: of a card that lies still, one look is much like the last, so what both say wrongly is no
second witness."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from rules.cards import Card, Seen
from rules.following.evidence import LEAST, Evidence
from rules.following.line import Line, spoken_for
from rules.looks import lying

REPEATED: Final = 0.75
"""So much of what a look says of two cards at a place counts no more, as far as earlier looks said the same. Set by
judgement: which card is taken for which is mostly a matter of the deck, the lamp and the camera, and these stay."""


def weighed_anew(evidence: Evidence, line: Line) -> Evidence:
    """The look with its doubts weighed by what was said before of the cards that lie there: each card that may lie at a
    place besides the likeliest one counts for more, if earlier looks spoke against it too."""
    chances = dict(evidence.chances)
    for place, card in lying(line.position):
        told, said = chances.get(place), line.said.get(place)
        if told and said and isinstance(card, Card) and isinstance(evidence.best(place), Card):
            chances[place] = _weighed(told, said, evidence.best(place))
    return Evidence(chances)


def _weighed(told: Mapping[Seen, float], said: Mapping[Seen, float], best: Seen | None) -> dict[Seen, float]:
    assert best is not None
    out = dict(told)
    for seen, chance in told.items():
        if seen == best or not isinstance(seen, Card) or chance < LEAST:
            continue
        again = min(math.log(told[best] / chance), max(0.0, spoken_for(said, best) - spoken_for(said, seen)))
        out[seen] = chance * math.exp(REPEATED * again)
    return out
