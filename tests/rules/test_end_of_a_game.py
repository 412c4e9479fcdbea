"""The picture of a game just won: however many moves its player makes between two, he looks before he goes on."""

from dataclasses import replace

import pytest

from rules.cards import FACE_DOWN, GONE, Card, Seen
from rules.catalogue import GAMES
from rules.following import belief as following
from rules.following.belief import Belief
from rules.following.priors import CLEAR
from rules.layouts import FOUNDATION, STOCK, WASTE
from rules.looks import lying
from rules.pyramid.position import PyramidPosition
from tests.rules.test_following import seen

GAME = GAMES["easy-pyramid"]
TOP, TURNED, BELOW = Card.parse("3H"), Card.parse("10H"), Card.parse("2C")


def by_twos(top: Card, second: Card | None = None) -> tuple[Belief, dict[str, Seen]]:
    """The last card of a pyramid, or one more beside the way, and what a player left of it who makes two moves between
    two looks."""
    rows = [[GONE] * row for row in range(1, 8)]
    faces: list[list[Seen]] = [list(row) for row in rows]
    faces[0][0] = top
    if second is not None:
        faces[1][0] = second
    position = PyramidPosition(
        rows=tuple(map(tuple, faces)),
        stock=True,
        stock_cards=(FACE_DOWN,) * 3,
        stock_count=3,
        waste=TURNED,
        waste_cards=(FACE_DOWN, FACE_DOWN, TURNED),
        foundation=Card.parse("7S"),
        pass_number=2,
    )
    look = dict(lying(position))
    belief = following.start(GAME, seen(look), position)
    return replace(belief, lines=tuple(replace(line, pace=(0, 30, 0, 0)) for line in belief.lines)), look


def test_who_has_won_turned_no_card_after_it() -> None:
    belief, look = by_twos(TOP)
    after = following.followed(belief, seen({**look, "pyramid 1 1": GONE, WASTE: BELOW, FOUNDATION: TURNED}))
    turned_on = [line.log for line in after.lines if [move.kind for move in line.moves] == ["pair", "turn"]]
    assert [move.kind for move in after.best.moves] == ["pair"] and max(turned_on) < -CLEAR


def test_while_a_card_is_left_two_moves_are_as_likely_as_ever() -> None:
    belief, look = by_twos(Card.parse("9S"), TOP)
    after = following.followed(belief, seen({**look, "pyramid 2 1": GONE, WASTE: BELOW, FOUNDATION: TURNED}))
    assert [move.kind for move in after.best.moves] == ["pair", "turn"]


@pytest.mark.parametrize("king", ("KS", "KD"))
def test_a_turn_that_may_have_come_before_the_last_card_left_costs_nothing(king: str) -> None:
    belief, look = by_twos(Card.parse(king))
    left = {**look, "pyramid 1 1": GONE, WASTE: BELOW, FOUNDATION: Card.parse(king)}
    after = following.followed(belief, seen(left))
    assert after.is_clear and sorted(move.kind for move in after.best.moves) == ["single", "turn"]
    assert look[STOCK] is not GONE
