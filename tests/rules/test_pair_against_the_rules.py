"""What the foundation shows of a pair that broke a rule, and a joker turned up upon a joker."""

from dataclasses import replace

import pytest

from rules.cards import FACE_DOWN, GONE, Card, Seen
from rules.catalogue import GAMES
from rules.following import belief as following
from rules.following.evidence import Evidence
from rules.layouts import FOUNDATION, STOCK, WASTE
from rules.pyramid.pairing import pairs_up
from rules.violation import Violation
from tests.rules.test_following import Played, begun, seen, turn_up

JOKER = Card.parse("JK")


def covered_pair(look: dict[str, Seen], played: Played) -> tuple[str, str]:
    """A free card of the pyramid and one from under others that make a pair."""
    free = [place for place in look if place.startswith("pyramid 7")]
    covered = [place for place in look if place.startswith(("pyramid 5", "pyramid 6"))]
    return next((a, b) for a in free for b in covered if pairs_up(look[a], look[b], played.game.options))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(3, 9))
def test_of_a_pair_with_a_covered_card_the_foundation_may_show_the_free_one(seed: int) -> None:
    played, belief = begun(GAMES["math-pyramid"], seed)
    look = played.look()
    free, covered = covered_pair(look, played)
    after = look | {free: GONE, covered: GONE, FOUNDATION: look[free]}
    # Of the gap between other cards a camera is not sure.
    evidence = Evidence(seen(after).chances | {covered: {GONE: 0.36, FACE_DOWN: 0.37}})
    for _ in range(2):
        belief = following.followed(belief, evidence)
    assert belief.broken
    assert [(each.breach, each.cards[0]) for each in belief.best.event.violations] == [("covered", look[covered])]


def test_what_all_stories_call_broken_is_told_and_the_rest_stays_open() -> None:
    played, belief = begun(GAMES["math-pyramid"], 3)
    look = played.look()
    free, covered = covered_pair(look, played)
    for _ in range(2):
        belief = following.followed(belief, seen(look | {free: GONE, covered: GONE, FOUNDATION: look[free]}))
    pair, redealt = belief.best, Violation("stock-not-empty", (STOCK,))
    more = replace(pair, event=replace(pair.event, violations=(*pair.event.violations, redealt)))
    open_ = replace(belief, lines=(more, replace(pair, log=-1.0, odd=None)))
    assert not open_.is_clear and open_.broken == pair.event.violations
    # A rule is broken without a card of its own, too.
    alike = replace(open_, lines=(more, replace(more, log=-1.0, odd=None)))
    assert alike.broken == more.event.violations


def with_jokers_next(count: int) -> Played:
    """A game in whose stock that many jokers lie on top."""
    played = Played(GAMES["math-pyramid-jokers"], 1)
    cards = [card for card in played.truth.stock_cards or () if card != JOKER]
    rows = tuple(tuple(cards.pop() if card == JOKER else card for card in row) for row in played.truth.rows)
    stock = (*[JOKER] * count, *cards, *[JOKER] * (3 - count))
    played.truth = replace(played.truth, rows=rows, stock_cards=stock)
    played.view = played.family.show(played.truth, played.game)
    return played


@pytest.mark.parametrize("jokers", (1, 2))
def test_nobody_can_tell_whether_a_joker_was_turned_up_upon_a_joker(jokers: int) -> None:
    played = with_jokers_next(jokers)
    belief = following.start(played.game, seen(played.look()))
    turn_up(played)
    left = len(played.truth.stock_cards or ())
    belief = following.counted(following.followed(belief, seen(played.look())), left, None)
    if jokers > 1:
        turn_up(played)
    belief = following.followed(belief, seen(played.look()))
    assert played.look()[WASTE] == JOKER
    assert belief.is_clear and belief.stock_count == (left - 1, left)
