"""A hand over some cards while others are moved, and a question of whose answers none is right."""

from dataclasses import replace
from itertools import product

import pytest

from rules.cards import FACE_DOWN, GONE, Card, Seen, deck
from rules.catalogue import GAMES
from rules.following import belief as following
from rules.following.belief import Belief
from rules.following.evidence import Evidence
from rules.following.likely_looks import proposals
from rules.following.line import renamed
from rules.following.other_ways import with_taken_shown
from rules.following.priors import CLEAR, LOOKS_EXPLAINED
from rules.layouts import FOUNDATION, TURNED, WASTE
from rules.looks import lying
from rules.pyramid.position import PyramidPosition
from tests.rules.test_following import Played, begun, made, seen, told


def opened(name: str, seed: int, moves: int) -> tuple[Played, Belief]:
    """A game of which so many moves were seen, one of which took cards."""
    played, belief = begun(GAMES[name], seed)
    while len(played.moves) < moves or played.look()[FOUNDATION] is GONE:
        assert played.move()
        belief = following.followed(belief, seen(played.look()))
    assert told(belief) == made(played) and belief.is_clear
    return played, belief


def covered(look: dict[str, Seen], places: list[str]) -> Evidence:
    """The look in which nothing shows at these places."""
    return seen({place: GONE if place in places else card for place, card in look.items()})


def free(look: dict[str, Seen]) -> list[str]:
    """The faces of a pyramid."""
    return [place for place, card in look.items() if place.startswith("pyramid") and isinstance(card, Card)]


def test_a_hand_over_a_card_and_the_foundation_has_taken_nothing() -> None:
    played, belief = opened("easy-pyramid", 3, 4)
    hidden = free(played.look())[0]
    while True:
        count = len(played.moves)
        assert played.move()
        belief = following.followed(belief, covered(played.look(), [hidden, FOUNDATION]))
        assert not belief.best.event.violations
        belief = following.followed(belief, seen(played.look()))
        assert told(belief) == made(played)
        if len(played.moves) - count == 1 and len(played.moves) > 8:
            break


@pytest.mark.parametrize("seed", range(4))
def test_a_pair_taken_is_no_less_likely_for_a_hand_over_the_foundation(seed: int) -> None:
    played, belief = opened("relaxed-pyramid", seed, 6)
    while True:
        before = belief
        assert played.move()
        belief = following.followed(belief, seen(played.look()))
        pair = played.moves[-1]
        if pair.kind == "pair" and WASTE in pair.places and any(place.startswith("pyramid") for place in pair.places):
            break
    hidden = [place for place in free(played.look()) if place not in pair.places][-2:]
    after = following.followed(before, covered(played.look(), [*hidden, FOUNDATION]))
    right = [line for line in after.lines if set(line.moves) == set(belief.best.moves)]
    assert len(right) == 1 and right[0].log > -CLEAR
    assert FOUNDATION not in dict(lying(right[0].position))
    # If the one that the foundation shows later was taken unseen it is known then, and that is no new move.
    top = played.look()[FOUNDATION]
    *states, last = right[0].states
    assert isinstance(last.position, PyramidPosition) and last.position.gone_cards and top in pair.cards
    gone = tuple(FACE_DOWN if card == top else card for card in last.position.gone_cards)
    moves = tuple(renamed(move, top, FACE_DOWN) for move in last.moves)
    last = replace(last, position=replace(last.position, gone_cards=gone), moves=moves)
    unseen = replace(right[0], log=0.0, states=(*states, last))
    later = following.followed(replace(after, lines=(unseen,)), seen(played.look()))
    assert later.is_clear and later.best.event.kind == "nothing" and told(later) == made(played)
    # Where it is not known what has gone, or not as a card that nobody saw, nothing is made up.
    for others in (None, last.position.gone_cards and tuple(c for c in gone if c is not FACE_DOWN)):
        bare = replace(last, position=replace(last.position, gone_cards=others, foundation=None))
        shown = with_taken_shown(replace(unseen, states=(*states, bare)), played.look(), played.game)
        assert shown.states[-1].position.gone_cards == others and top in shown.states[-1].moves[-1].cards


def test_where_something_is_seen_to_lie_over_the_cards_nobody_took_what_does_not_show() -> None:
    accused = {False: 0, True: 0}
    for seed, is_covered in product(range(2), accused):
        played, belief = opened("relaxed-pyramid", seed, 3)
        for _ in range(6):
            assert played.move() and played.move()
            look = covered(played.look(), free(played.look())[-2:])
            after = following.followed(belief, replace(look, is_covered=is_covered))
            accused[is_covered] += bool(after.broken)
            belief = following.followed(after, seen(played.look()))
    assert accused[True] == 0 < accused[False]


@pytest.mark.parametrize("seed", range(6))
def test_backs_under_a_hand_were_not_taken_unseen(seed: int) -> None:
    """With three moves between two looks the cards taken may well have been covered before."""
    played, belief = opened("king-tut", seed, 4)
    backs = [place for place, card in played.look().items() if card is FACE_DOWN and place.startswith("pyramid")]
    for _ in range(3):
        assert played.move()
    hidden = [place for place in backs[:4] if played.look()[place] is FACE_DOWN]
    assert len(hidden) >= 3
    evidence, look = covered(played.look(), hidden), played.look()
    ways = [way for line in belief.lines for way in proposals(line, evidence, played.game)]
    tried = [look for _, _, look in sorted(ways, key=lambda one: -one[0])[:LOOKS_EXPLAINED]]
    assert any(all(one.get(place, GONE) == seen for place, seen in look.items()) for one in tried)
    belief = following.followed(belief, evidence)
    lies = dict(lying(belief.best.position))
    assert all(lies[place] is FACE_DOWN for place in hidden)
    assert not belief.best.event.violations


def test_where_no_way_told_is_right_what_all_agree_on_stands_and_the_game_goes_on() -> None:
    played, belief = opened("easy-pyramid", 3, 4)
    agreed = made(played)
    while played.moves[-1].kind != "turn" or played.look()[WASTE] is GONE:  # type: ignore[attr-defined]
        agreed, earlier = made(played), dict(played.look())
        assert played.move()
        now, belief = belief, following.followed(belief, seen(played.look()))
    look = played.look()
    either = [card for card in deck() if card not in look.values()][:2]
    now = following.followed(now, Evidence({**seen(look).chances, WASTE: {either[0]: 0.5, either[1]: 0.48}}))
    assert now.rivals
    after = following.none_of_these(now)
    assert after.is_clear and after.best.broken == len(agreed)
    assert told(after) == agreed
    position = after.best.position
    assert isinstance(position, PyramidPosition)
    assert all(look[place] == card for place, card in lying(position) if place in look and place != WASTE)
    assert position.waste in either and after.stock_count is not None
    assert after.stock_count[0] < after.stock_count[1]
    for _ in range(3):
        assert played.move()
        after = following.followed(after, seen(played.look()))
        assert not after.best.event.violations
        assert after.best.broken == len(agreed)
    back = following.followed(following.none_of_these(now), seen(earlier))
    assert back.best.event.kind == "undone" and back.best.broken is None
    assert told(back) == agreed


def test_a_card_turned_up_in_doubt_is_asked_about_though_much_else_is_misread() -> None:
    played, belief = opened("easy-pyramid", 3, 4)
    while played.moves[-1].kind != "turn" or played.look()[WASTE] is GONE:  # type: ignore[attr-defined]
        assert played.move()
        before, belief = belief, following.followed(belief, seen(played.look()))
    look = played.look()
    other, *unseen = [card for card in deck() if card not in look.values()]
    chances = dict(seen(look).chances)
    for place, wrong in zip([*free(look)[:4], FOUNDATION], unseen, strict=False):
        chances[place] = {wrong: 0.5, look[place]: 0.2}
    chances[WASTE] = {other: 0.54, look[WASTE]: 0.42}
    asked = following.followed(before, Evidence(chances))
    ways = [line.moves[-1].cards for line in (asked.best, *asked.rivals)]
    assert ((other,) in ways) and ((look[WASTE],) in ways)


def test_a_card_told_otherwise_was_it_when_it_was_turned_up_too() -> None:
    played, belief = opened("king-tut", 3, 4)
    while played.moves[-1].kind != "turn":
        assert played.move()
        before, belief = belief, following.followed(belief, seen(played.look()))
    look = played.look()
    wrong = next(card for card in deck() if card not in look.values())
    asked = following.followed(before, Evidence({**seen(look).chances, TURNED: {wrong: 0.55, look[TURNED]: 0.44}}))
    for _ in range(2):
        asked = following.followed(asked, seen(look))
    assert asked.is_clear and told(asked) == made(played)
    assert asked.best.moves[-1].cards == (look[TURNED],)
    by_hand = following.told(belief, TURNED, wrong)
    assert by_hand.best.moves[-1].cards == (wrong,)
    # Nothing is turned up where nothing lies: the record ends before.
    emptied = following.told(belief, TURNED, GONE).best
    assert emptied.moves == belief.best.moves and emptied.position.look(TURNED) is GONE
    assert emptied.broken == len(emptied.moves) - 1
