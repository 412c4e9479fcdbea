"""A card that looks like one which was built upon or not yet taken: that one cannot lie there, however often it is
read."""

from typing import Any

import pytest

from rules.cards import FACE_DOWN, GONE, Card, Seen, deck
from rules.catalogue import GAMES
from rules.following import belief as following
from rules.following.belief import Belief
from rules.following.evidence import Evidence
from rules.following.line import cards_gone
from rules.layouts import FOUNDATION, TURNED, WASTE
from rules.looks import lying
from tests.rules.test_following import Played, begun, made, seen, told

LOOKS = 12


def played_on(name: str) -> tuple[Played, Belief, Card]:
    """A game seen well until a foundation hides a card, and that card."""
    for number in range(50):
        played, belief = begun(GAMES[name], number)
        while played.move():
            belief = following.followed(belief, seen(played.look()))
            if gone := cards_gone(belief.best):
                return played, belief, min(gone, key=str)
    raise AssertionError(name)


@pytest.mark.parametrize("name", ["piwnica", "arcydzielo", "ulubiony", "nowy-domator"])
def test_what_is_read_for_a_card_that_is_gone_is_the_card_that_lay_there(name: str) -> None:
    played, belief, gone = played_on(name)
    card = next(card for place, card in played.look().items() if place.startswith("right"))
    for _ in range(LOOKS):
        place = next((place for place, one in played.look().items() if one == card), "base")
        wrong = {} if place.startswith("base") else {place: gone}
        belief = following.followed(belief, seen(played.look(), wrong=wrong))
        assert not belief.best.event.violations and belief.is_clear
        assert sorted(told(belief)) == sorted(made(played))
        played.move()


def test_a_card_misread_from_the_deal_on_is_corrected_though_it_looks_most_like_one_that_is_gone() -> None:
    """A covered card is taken for one of the stock until that one is turned up. Then one is read at its place that is
    gone, and the true one less surely."""
    played, _ = begun(GAMES["relaxed-pyramid"], 5)
    look, place = played.look(), "pyramid 3 1"
    stock = played.truth.stock_cards or ()
    free = next(at for at, card in look.items() if at.startswith("pyramid 7") and card.worth == 13)  # type: ignore[union-attr]
    gone, taken_for = look[free], stock[0]
    belief = following.start(played.game, seen(look, wrong={place: taken_for}))
    left = {**look, free: GONE, FOUNDATION: gone}
    for _ in range(3):
        belief = following.followed(belief, seen(left, wrong={place: taken_for}))
    doubted: dict[Seen, float] = {gone: 0.6, look[place]: 0.3, taken_for: 0.05}
    turned = {**left, WASTE: taken_for}
    for _ in range(3):
        belief = following.followed(belief, Evidence({**seen(turned).chances, place: doubted}))
    assert dict(lying(belief.best.position))[place] == look[place] and belief.is_clear
    assert [move.kind for move in belief.best.moves] == ["single", "turn"]


@pytest.mark.parametrize("name", ("relaxed-pyramid", "math-pyramid"))
@pytest.mark.parametrize("seed", range(3))
def test_a_foundation_that_shows_a_card_that_was_not_taken_was_misread(name: str, seed: int) -> None:
    played, belief = begun(GAMES[name], seed)
    while not any(move.kind == "pair" for move in played.moves):  # type: ignore[attr-defined]
        assert played.move()
        look = played.look()
        other = next(card for card in deck() if card not in look.values() and card != played.top)
        wrong = {FOUNDATION: other} if isinstance(played.top, Card) else {}
        belief = following.followed(belief, seen(look, wrong=wrong))
    assert told(belief) == made(played)
    assert dict(lying(belief.best.position))[FOUNDATION] in played.moves[-1].cards  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(6))
def test_a_card_laid_on_one_that_a_person_named_is_not_taken_for_that_one(seed: int) -> None:
    played, belief = begun(GAMES["nowy-domator"], seed)
    while True:
        before, look = belief, played.look()
        assert played.move()
        move: Any = played.moves[-1]
        goal = move.places[-1]
        if move.kind == "foundation" and isinstance(look.get(goal), Card):
            break
        belief = following.followed(belief, seen(played.look()))
    top, card = look[goal], played.look()[goal]
    doubtful = Evidence({**seen(look).chances, goal: {top: 0.6, card: 0.39}})
    told_it = following.told(following.followed(before, doubtful), goal, top)
    after = following.followed(told_it, seen(played.look()))
    assert not after.best.event.violations and told(after) == made(played)
    # Read as before, with the other card where it lay, it is the same one.
    again = following.followed(told_it, seen({**look, goal: card}))
    assert dict(lying(again.best.position))[goal] == top


def test_what_may_be_a_card_beside_the_stock_of_a_fresh_deal_is_none_before_it_shows_again() -> None:
    played = Played(GAMES["pyramid"], 3)
    look = played.look()
    other = played.truth.stock_cards[3]
    doubtful = Evidence({**seen(look).chances, TURNED: {other: 0.6, FACE_DOWN: 0.3, GONE: 0.05}})
    belief = following.start(played.game, doubtful)
    assert dict(lying(belief.best.position)).get(TURNED, GONE) is GONE
    sure = following.start(played.game, seen({**look, TURNED: other}))
    assert dict(lying(sure.best.position))[TURNED] == other
    belief = following.followed(belief, seen({**look, TURNED: other}))
    assert [(move.kind, move.cards) for move in belief.best.moves] == [("turn", (other,))]
