"""What no picture shows: a card that leaves alone, taken between two looks; and a poor look at a table that changed."""

from rules.cards import GONE, Card, deck
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
