"""The same doubt seen again is no second witness, wherever the card lies by then."""

from dataclasses import replace

import pytest

from rules.cards import Card, deck
from rules.catalogue import GAMES
from rules.following.evidence import Evidence
from rules.following.repeated import weighed_anew
from rules.looks import lying
from tests.rules.test_following import begun


@pytest.mark.parametrize("moved", [False, True], ids=["where it lay", "elsewhere"])
def test_a_card_doubted_twice_alike_is_hardly_surer_than_once(moved: bool) -> None:
    _, belief = begun(GAMES["arcydzielo"], 3)
    cards = [(place, card) for place, card in lying(belief.best.position) if isinstance(card, Card)]
    (place, card), (elsewhere, _) = cards[0], cards[5]
    other = next(one for _, one in cards[6:] if one.rank == card.rank)
    line = replace(belief.best, said={**belief.best.said, place: {card: -0.1, other: -2.3}})
    look = Evidence({elsewhere if moved else place: {card: 0.9, other: 0.1}})
    [chances] = weighed_anew(look, line).chances.values()
    assert chances[card] == 0.9
    assert 0.3 < chances[other] < 0.6


def test_of_a_card_that_was_never_seen_every_look_counts() -> None:
    _, belief = begun(GAMES["relaxed-pyramid"], 8)
    known = dict(lying(belief.best.position)).values()
    hidden, other = [card for card in deck() if card not in known][:2]
    look = Evidence({"waste": {hidden: 0.9, other: 0.1}})
    assert weighed_anew(look, belief.best).chances == look.chances
