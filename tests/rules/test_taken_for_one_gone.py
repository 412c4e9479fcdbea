"""A card that looks like one which was built upon: that one cannot lie there, however often it is read."""

import pytest

from rules.cards import Card
from rules.catalogue import GAMES
from rules.following import belief as following
from rules.following.belief import Belief
from rules.following.line import cards_gone
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
