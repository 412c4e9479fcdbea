"""What a hand over the table leaves to be seen, what is told of it, and what comes back from under it."""

from dataclasses import replace

import pytest

from rules.cards import FACE_DOWN, GONE, Card
from rules.catalogue import GAMES
from rules.following import belief as following
from rules.following.evidence import Evidence
from rules.following.likely_looks import _as_if_right
from rules.following.line import State
from rules.following.priors import PRIORS
from rules.looks import lying
from rules.pyramid.position import PyramidPosition
from tests.rules.test_following import begun, seen
from tests.rules.test_told_otherwise import covered, free

PLACE = "pyramid 7 1"
LIES, READ = Card.parse("8S"), Card.parse("2C")


def test_a_card_that_is_surely_read_lies_under_no_hand() -> None:
    sure, unsure = (Evidence({PLACE: {READ: chance}}) for chance in (0.9998, 0.5))
    assert sure.log_hidden(PLACE, LIES) < sure.log(PLACE, LIES)
    assert unsure.log_hidden(PLACE, LIES) > sure.log_hidden(PLACE, LIES)
    # Mostly nothing is read there.
    assert Evidence({PLACE: {GONE: 0.9}}).log_hidden(PLACE, LIES) > unsure.log_hidden(PLACE, LIES)


@pytest.mark.parametrize("seed", range(3))
def test_who_was_not_told_of_a_broken_rule_seldom_puts_back_what_he_took(seed: int) -> None:
    played, belief = begun(GAMES["relaxed-pyramid"], seed)
    look = played.look()
    after = following.followed(belief, covered(look, free(look)[:2]))
    taken = next(line for line in after.lines if line.event.kind == "breach" and line.untold)
    assert _as_if_right(taken, seen(look)).log == pytest.approx(taken.log + 2 * PRIORS.back)
    assert _as_if_right(replace(taken, untold=()), seen(look)).log == pytest.approx(taken.log)


def test_ways_by_which_the_known_cards_of_the_piles_come_up_otherwise_are_kept_apart() -> None:
    _, belief = begun(GAMES["math-pyramid-three"], 1)
    position = belief.best.position
    assert isinstance(position, PyramidPosition)
    rest = (FACE_DOWN, FACE_DOWN)
    first, second, third = (FACE_DOWN, READ, *rest), (READ, FACE_DOWN, *rest), (FACE_DOWN, READ, *rest)
    lines = []
    for number, waste in enumerate((first, second, third)):
        there = replace(position, waste=waste[-1], waste_cards=waste, stock_count=20, stock_cards=(FACE_DOWN,) * 20)
        lines.append(replace(belief.best, log=-float(number), states=(State(there),)))
    kept = following._pruned(lines, belief.game)
    assert [line.position.waste_cards for line in kept] == [first, second]
    assert dict(lying(kept[0].position)) == dict(lying(kept[1].position))
