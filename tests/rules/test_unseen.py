"""What no picture shows: a card that leaves alone, taken between two looks; and a poor look at a table that changed."""

import pytest

from rules.cards import GONE, Card, Seen, deck
from rules.catalogue import GAMES
from rules.following import belief as following
from rules.following.belief import Belief
from rules.following.evidence import Evidence
from rules.following.likely_looks import proposals
from rules.layouts import FOUNDATION, STOCK
from rules.pyramid.position import PyramidPosition
from tests.rules.test_following import begun, seen


def after_a_pair(all_kings_seen: bool) -> Belief:
    """What is believed once a card turned up and one of the pyramid were taken, while nobody looked."""
    played, _ = begun(GAMES["pyramid"], 4)
    look, kings = played.look(), [card for card in deck() if card.worth == 13]
    if all_kings_seen:
        others = [place for place, card in look.items() if place.startswith("pyramid") and card not in kings]
        look |= dict(zip(others, [king for king in kings if king not in look.values()], strict=False))
    free = {card: place for place, card in look.items() if place.startswith("pyramid 7") and isinstance(card, Card)}
    stock = [card for card in deck() if card not in look.values()]
    turned, partner = next((one, card) for one in stock for card in free if one.worth + card.worth == 13)
    belief = following.unread(following.start(played.game, seen(look)))
    return following.followed(belief, seen({**look, free[partner]: GONE, FOUNDATION: turned}))


def test_a_king_that_no_look_showed_may_have_been_taken_and_is_no_question() -> None:
    belief = after_a_pair(all_kings_seen=False)
    kinds = {tuple(move.kind for move in line.moves): line for line in reversed(belief.lines)}
    told, unseen = kinds["turn", "pair"], kinds["turn", "single", "turn", "pair"]
    assert belief.best is told and belief.is_clear
    assert unseen.log > -9 and unseen.story == told.story
    stocks = [line.position.stock_count for line in (told, unseen) if isinstance(line.position, PyramidPosition)]
    assert stocks == [23, 22]


def test_no_king_is_taken_unseen_where_all_were_seen() -> None:
    belief = after_a_pair(all_kings_seen=True)
    kinds = [tuple(move.kind for move in line.moves) for line in belief.lines]
    assert kinds[0] == ("turn", "pair") and ("turn", "single", "turn", "pair") not in kinds


def test_a_look_that_misreads_many_cards_where_others_moved_is_among_those_tried() -> None:
    played, belief = begun(GAMES["nowy-domator"], 4)
    before = played.look()
    assert played.move() and played.move()
    look = played.look()
    still = [place for place, card in look.items() if isinstance(card, Card) and before[place] == card]
    spare = [card for card in look.values() if isinstance(card, Card)]
    wrong = {place: {spare[-n]: 0.5, spare[-n - 8]: 0.4, look[place]: 0.02} for n, place in enumerate(still[:7], 1)}
    evidence = Evidence({**seen(look).chances, **wrong})
    tried = [one for _, line, one in proposals(belief.best, evidence, played.game) if line is belief.best]
    assert any(all(one.get(place, GONE) == card for place, card in look.items() if place != STOCK) for one in tried)


def with_two_places_left(seed: int) -> tuple[dict[str, Seen], Belief, dict[str, Seen]] | None:
    """A row game before and after two moves that left two places empty, and what is believed before them."""
    played, belief = begun(GAMES["arcydzielo"], seed)
    before = played.look()
    assert played.move() and played.move()
    look = played.look()
    return (before, belief, look) if sum(look.get(at, GONE) is GONE for at in before) == 2 else None


@pytest.mark.parametrize("seed", [seed for seed in range(16) if with_two_places_left(seed)])
def test_the_last_card_of_a_row_that_is_read_nowhere_is_thought_to_lie_there_still(seed: int) -> None:
    before, belief, look = with_two_places_left(seed) or pytest.fail()
    stands = [at for at, card in look.items() if isinstance(card, Card) and before.get(at) == card]
    missed = max((at for at in stands if at.startswith(("left", "right"))), key=lambda at: at.rpartition(" ")[2])
    doubted = [at for at in stands if at != missed][:7]
    spare = [card for card in look.values() if isinstance(card, Card) and card != look[missed]]
    unsure = {at: {spare[-n]: 0.5, spare[-n - 8]: 0.4, look[at]: 0.02} for n, at in enumerate(doubted, 1)}
    chances = {at: one for at, one in (seen(look).chances | unsure).items() if at != missed}
    tried = [one for _, line, one in proposals(belief.best, Evidence(chances), belief.game) if line is belief.best]
    shown = {at: look.get(at, GONE) for at in before | look if look.get(at, GONE) != before.get(at, GONE)}
    expected = {**shown, missed: look[missed]}
    assert any(all(one.get(at, GONE) == card for at, card in expected.items()) for one in tried)
