"""The same doubt seen again: of one card, wherever it lies, one look is much like the last, so what both say wrongly is
no second witness."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from rules.cards import Card, Seen
from rules.following.evidence import LEAST, Evidence
from rules.following.line import Line, cards_gone, spoken_for
from rules.layouts import FOUNDATION
from rules.looks import lying

REPEATED: Final = 0.75
"""So much of what a look says of two cards at a place counts no more, as far as earlier looks said the same. Set by
judgement: which card is taken for which is mostly a matter of the deck, the lamp and the camera, and these stay."""


def weighed_anew(evidence: Evidence, line: Line) -> Evidence:
    """The look with its doubts weighed by what was said before of the card that is read at each place, wherever that
    lay, or of the one that lay there: each card that may lie at a place besides the likeliest one counts for more, if
    earlier looks spoke against it too. What is read as a card that is gone is another one: of that the same misreading
    counts once.
    """
    lay = [(place, card) for place, card in lying(line.position) if isinstance(card, Card) and line.said.get(place)]
    of_card = {card: line.said[place] for place, card in lay}
    there = {place: line.said[place] for place, _ in lay}
    chances = dict(evidence.chances)
    missed, gone = [card for card in line.taken_for if card not in evidence.look.values()], cards_gone(line)
    for place, told in evidence.chances.items():
        best = evidence.best(place)
        if not isinstance(best, Card):
            continue
        if said := of_card.get(best, there.get(place)):
            chances[place] = _weighed(told, said, best)
        for card in missed if best in gone and place != FOUNDATION else ():
            likely = math.exp(evidence.log(place, card) + line.taken_for[card].get(best, 0.0))
            chances[place] = {**chances[place], card: max(chances[place].get(card, 0.0), min(told[best], likely))}
    return replace(evidence, chances=chances)


def _weighed(told: Mapping[Seen, float], said: Mapping[Seen, float], best: Card) -> dict[Seen, float]:
    out = dict(told)
    for seen, chance in told.items():
        if seen == best or not isinstance(seen, Card) or chance < LEAST:
            continue
        again = min(math.log(told[best] / chance), max(0.0, spoken_for(said, best) - spoken_for(said, seen)))
        out[seen] = chance * math.exp(REPEATED * again)
    return out
