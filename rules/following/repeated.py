"""The same doubt seen again: of one card, wherever it lies, one look is much like the last, so what both say wrongly is
no second witness."""

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
    """The look with its doubts weighed by what was said before of the card that is read at each place, wherever that
    lay, or of the one that lay there: each card that may lie at a place besides the likeliest one counts for more, if
    earlier looks spoke against it too."""
    lay = [(place, card) for place, card in lying(line.position) if isinstance(card, Card) and line.said.get(place)]
    of_card = {card: line.said[place] for place, card in lay}
    there = {place: line.said[place] for place, _ in lay}
    chances = dict(evidence.chances)
    for place, told in evidence.chances.items():
        best = evidence.best(place)
        if isinstance(best, Card) and (said := of_card.get(best, there.get(place))):
            chances[place] = _weighed(told, said, best)
    return Evidence(chances)


def _weighed(told: Mapping[Seen, float], said: Mapping[Seen, float], best: Card) -> dict[Seen, float]:
    out = dict(told)
    for seen, chance in told.items():
        if seen == best or not isinstance(seen, Card) or chance < LEAST:
            continue
        again = min(math.log(told[best] / chance), max(0.0, spoken_for(said, best) - spoken_for(said, seen)))
        out[seen] = chance * math.exp(REPEATED * again)
    return out
