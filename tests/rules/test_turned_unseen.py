"""Cards of the stock turned up between two looks, several at a time: the next look shows the last one alone."""

from dataclasses import replace

import pytest

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card
from rules.catalogue import GAMES
from rules.following import belief as following
from rules.following.changes import _as_shown
from rules.following.evidence import Evidence
from rules.following.line import Event, Line, State
from rules.following.priors import CLEAR
from rules.layouts import FOUNDATION, TURNED, WASTE
from rules.looks import lying
from rules.pyramid.moves import REDEAL, pair, single, turn
from rules.pyramid.pairing import pairs_up
from rules.pyramid.position import PyramidPosition
from tests.rules.test_following import Played, begun, seen, turn_up


def with_a_pair_after(turns: int, seed: int) -> tuple[Played, str] | None:
    """A game whose waste, after so many turns, shows a card that makes a pair with a free one, and where that lies."""
    played = Played(GAMES["tuts-tomb"], seed)
    for _ in range(turns):
        turn_up(played)
    look = played.look()
    free = [place for place in look if place.startswith("pyramid 7")]
    options = played.game.options
    place = next((at for at in free if pairs_up(look[at], look[WASTE], options)), None)  # type: ignore[arg-type]
    return None if place is None else (played, place)


@pytest.mark.parametrize("seed", [seed for seed in range(40) if with_a_pair_after(2, seed)])
def test_a_card_is_not_told_of_a_turn_of_which_it_need_not_be(seed: int) -> None:
    """What lies uppermost once the waste's card was taken may have been turned up after it, or have lain below it."""
    played, place = with_a_pair_after(2, seed) or pytest.fail()
    belief = following.start(played.game, seen(Played(played.game, seed).look()))
    look = played.look()
    taken = pair(look[place], place, look[WASTE], WASTE)
    played.truth, played.view = (played.family.play(one, taken, played.game) for one in (played.truth, played.view))
    turn_up(played)
    for _ in range(2):
        belief = following.unread(belief)
    belief = following.followed(belief, seen(played.look() | {FOUNDATION: look[place]}))
    stock = Played(played.game, seed).truth.stock_cards
    assert stock is not None
    right = [line for line in belief.lines if line.log > -3 and line.position.stock_count == len(stock) - 9]
    assert right
    for line in right:
        turned = [card for move in line.moves if move.kind == "turn" for card in move.cards]
        assert all(card in (FACE_DOWN, true) for card, true in zip(turned, stock, strict=False))
        assert isinstance(dict(lying(line.position))[WASTE], Card)


def with_two_that_pair_next(seed: int) -> tuple[Played, str]:
    """A game whose stock has two cards on top that make a pair with the same free card, and where that lies."""
    played = Played(GAMES["easy-pyramid"], seed)
    look, options = played.look(), played.game.options
    cards = list(played.truth.stock_cards or ())
    for place in (at for at in look if at.startswith("pyramid 7")):
        fit = [card for card in cards if pairs_up(look[place], card, options)]  # type: ignore[arg-type]
        if len(fit) > 1:
            stock = (*fit[:2], *(card for card in cards if card not in fit[:2]))
            played.truth = replace(played.truth, stock_cards=stock)
            played.view = played.family.show(played.truth, played.game)
            return played, place
    pytest.fail("no two cards of the stock pair up with one that is free")


@pytest.mark.parametrize("seed", range(4))
def test_behind_a_hand_another_card_of_the_rank_may_have_been_turned_up_and_taken(seed: int) -> None:
    played, place = with_two_that_pair_next(seed)
    belief = following.start(played.game, seen(played.look()))
    (first,) = turn_up(played)
    belief = following.followed(belief, seen(played.look()))
    (second,) = turn_up(played)
    taken = pair(played.look()[place], place, second, WASTE)
    played.truth, played.view = (played.family.play(one, taken, played.game) for one in (played.truth, played.view))
    turn_up(played)
    played.top = taken.cards[0]
    for _ in range(2):
        belief = following.unread(belief)
    belief = following.followed(belief, seen(played.look()))
    assert not belief.is_clear
    told = [line.position.waste_cards for line in (belief.best, *belief.rivals)]
    assert any(first in (cards or ()) for cards in told) and any(first not in (cards or ()) for cards in told)


@pytest.mark.parametrize(("name", "place"), (("king-tut", TURNED), ("easy-pyramid", WASTE)))
def test_a_card_turned_up_is_no_less_known_for_a_picture_in_which_it_looks_like_a_back(name: str, place: str) -> None:
    played = Played(GAMES[name], 2)
    belief = following.start(played.game, seen(played.look()))
    for _ in range(2):
        turn_up(played)
        belief = following.followed(belief, seen(played.look()))
    known = belief.best.position
    look = {at: {card: 0.6} for at, card in played.look().items()}
    belief = following.followed(belief, Evidence(look | {place: {FACE_DOWN: 0.5, UNREADABLE: 0.3}}))
    assert belief.best.event.kind in ("misread", "nothing")
    assert belief.best.position == known


def test_whether_a_turned_card_left_before_or_after_the_next_turn_makes_no_other_story() -> None:
    played = Played(GAMES["king-tut"], 1)
    place, start = "pyramid 7 1", played.view
    (first,), (second,) = turn_up(played), turn_up(played)
    card, turns = played.look()[place], [turn((one,), held=True) for one in (first, second)]
    assert isinstance(start, PyramidPosition) and isinstance(played.view, PyramidPosition)
    orders = (
        (turns[0], pair(card, place, first, TURNED), turns[1]),
        (*turns, pair(card, place, first, WASTE)),
        (*turns, pair(card, place, second, TURNED)),
    )
    lines = [Line(0.0, (State(start), State(played.view, moves)), Event("moves")) for moves in orders]
    before, after, another = (line.story for line in lines)
    assert before == after != another


@pytest.mark.parametrize("seed", range(3))
def test_who_turns_two_between_looks_turns_four_where_one_of_them_is_hidden(seed: int) -> None:
    played = Played(GAMES["easy-pyramid"], seed)
    belief = following.start(played.game, seen(played.look()))
    for _ in range(4):
        turn_up(played), turn_up(played)
        belief = following.followed(belief, seen(played.look()))
    for _ in range(4):
        turn_up(played)
    belief = following.followed(following.unread(belief), seen(played.look()))
    fewest, most = belief.stock_count or pytest.fail()
    assert fewest <= len(played.truth.stock_cards or ()) <= most


@pytest.mark.parametrize("name", ["tuts-tomb", "easy-pyramid", "math-pyramid"])
def test_what_cannot_be_read_where_the_foundation_may_be_is_no_card_in_a_deal(name: str) -> None:
    """A thing beside the cards is now and then taken for one; the stock is known all the same."""
    played = Played(GAMES[name], 1)
    deal = Evidence(seen(played.look()).chances | {FOUNDATION: {FACE_DOWN: 0.63, GONE: 0.37}})
    belief = following.start(played.game, deal)
    count = len(played.truth.stock_cards or ())
    assert belief.stock_count == (count, count)
    assert dict(lying(belief.best.position))[FOUNDATION] is GONE
    # Once cards are gone there may be one.
    less = Evidence(deal.chances | {"pyramid 7 1": {GONE: 0.99}, "pyramid 7 2": {GONE: 0.99}})
    assert dict(lying(following.start(played.game, less).best.position))[FOUNDATION] is not GONE


def test_how_many_cards_a_person_counts_in_the_stock_tells_how_many_were_turned_up() -> None:
    played, belief = begun(GAMES["math-pyramid"], 3)
    stock = len(played.truth.stock_cards)  # type: ignore[union-attr,arg-type]
    turn_up(played)
    turn_up(played)
    belief = following.followed(belief, seen(played.look()))
    for left in (stock - 1, stock - 2):
        said = following.counted(belief, left, None)
        assert said.stock_count == (left, left)
        assert [move.kind for move in said.best.moves] == ["turn"] * (stock - left)
    # Of what no way leads to the number alone is taken over.
    none = following.counted(belief, 1, None)
    assert none.stock_count == (1, 1) and len(none.lines) == len(belief.lines)


@pytest.mark.parametrize("seed", range(3))
def test_behind_a_hand_the_stock_may_have_been_gone_through_and_begun_anew(seed: int) -> None:
    played, belief = begun(GAMES["tuts-tomb"], seed)
    assert played.truth.stock_count == 24
    for _ in range(3):
        turn_up(played)
        turn_up(played)
        belief = following.followed(belief, seen(played.look()))
    belief = following.unread(following.counted(belief, 6, 1))
    turn_up(played)
    turn_up(played)
    played.truth, played.view = (played.family.play(one, REDEAL, played.game) for one in (played.truth, played.view))
    turn_up(played)
    belief = following.followed(belief, seen(played.look()))
    positions = [line.position for line in belief.lines if line.log > -CLEAR]
    assert (21, 2) in [(one.stock_count, one.pass_number) for one in positions if isinstance(one, PyramidPosition)]


def test_a_card_that_was_taken_after_another_of_the_waste_may_have_lain_below_that() -> None:
    king, taken, other = map(Card.parse, ("KH", "JS", "2S"))
    turned = turn((FACE_DOWN, FACE_DOWN, taken), held=False)
    unseen = turn((FACE_DOWN,) * 3, held=False)
    out = pair(other, "pyramid 4 1", taken, WASTE)
    assert _as_shown((turned, out)) == (turned, out)
    assert _as_shown((single(king, WASTE), turned, out)) == (single(king, WASTE), unseen, out)
    # Behind a hand one may have been taken that nobody sees to be gone.
    assert _as_shown((turned,)) == (turned,) and _as_shown((turned,), True) == (unseen,)
    held = turn((taken,), held=True), pair(other, "pyramid 4 1", taken, TURNED)
    assert _as_shown((single(king, WASTE), *held)) == (single(king, WASTE), *held)


def test_while_nothing_was_seen_another_card_may_have_come_up_and_been_taken() -> None:
    game = GAMES["relaxed-pyramid"]
    for seed in range(40):
        played = Played(game, seed)
        turn_up(played)
        look = played.look()
        free = [place for place in look if place.startswith("pyramid 7")]
        place = next((at for at in free if pairs_up(look[at], look[WASTE], game.options)), None)  # type: ignore[arg-type]
        if place is not None:
            break
    assert place is not None
    belief = following.start(game, seen(look))
    belief = replace(belief, lines=(replace(belief.best, pace=(0, 10, 0, 0)),))
    later = {**look, place: GONE, FOUNDATION: look[place], WASTE: played.truth.stock_cards[0]}
    after = following.followed(following.unread(belief), seen(later))
    told: dict[bool, float] = {}
    for line in after.lines:
        taken = next((move for move in line.moves if move.kind == "pair"), None)
        if taken is not None and len(line.moves) == 4:
            told.setdefault(FACE_DOWN in taken.cards, line.log)
    assert told[True] > told[False] - CLEAR and not after.is_clear
