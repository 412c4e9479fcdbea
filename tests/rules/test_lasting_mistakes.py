"""A deck that the reader takes for another one: what it errs in again and again is corrected, asked about or settled by
a person, and is no broken rule."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen, deck
from rules.catalogue import GAMES
from rules.families import family_of
from rules.family import AnyMove
from rules.following import belief as following
from rules.following.belief import Belief
from rules.following.evidence import Evidence
from rules.following.line import SETTLED
from rules.layouts import TURNED, WASTE
from rules.looks import lying, told_twice
from rules.pyramid.position import PyramidPosition
from tests.rules.test_following import SURE, Played, begun, seen, told
from tests.rules.test_following import made as moves_made

ROWS = ("wiezniowie", "arcydzielo", "ulubiony")


def inner(look: Mapping[str, Seen]) -> list[str]:
    """The second place of each half row: others lie above, and no legal move takes its card."""
    return [place for place, card in look.items() if place.endswith(" 2") and "base" not in place and card is not GONE]


def after(belief: Belief, evidence: Evidence, looks: int) -> Belief:
    for _ in range(looks):
        belief = following.followed(belief, evidence)
    return belief


@pytest.mark.parametrize("looks", [2, 6, 30])
def test_however_often_a_card_was_misread_a_few_looks_at_the_right_one_correct_it(looks: int) -> None:
    played, belief = begun(GAMES["relaxed-pyramid"], 8)
    look = played.look()
    # So that a card that nobody saw is taken for it.
    hidden = next(card for card in map(Card.parse, ("QS", "QC", "QD", "QH")) if card not in look.values())
    wrong = seen(look, wrong={"pyramid 2 1": hidden})
    doubted = Evidence({**wrong.chances, "pyramid 2 1": {hidden: 0.9, look["pyramid 2 1"]: 0.02}})
    belief = after(following.start(played.game, doubted), wrong, looks)
    assert dict(lying(belief.best.position))["pyramid 2 1"] == hidden
    said = belief.best.said["pyramid 2 1"]
    assert max(said.values()) - min(said.values()) <= -SETTLED + 0.01
    for _ in range(4):
        belief = following.followed(belief, seen(look))
        assert not belief.best.event.violations and belief.is_clear
    assert dict(lying(belief.best.position))["pyramid 2 1"] == look["pyramid 2 1"]


@pytest.mark.parametrize("name", ROWS)
def test_what_a_person_said_of_a_card_of_a_row_stands_against_all_looks(name: str) -> None:
    played, _ = begun(GAMES[name], 3)
    look = played.look()
    here, there = inner(look)[:2]
    wrong = seen(look, wrong={here: look[there], there: look[here]})
    belief = following.start(played.game, wrong)
    for place in (here, there):
        belief = following.told(belief, place, look[place])
    for _ in range(12):
        belief = following.followed(belief, wrong)
        assert belief.is_clear and not belief.best.event.violations
        assert not belief.doubts
    assert all(dict(lying(belief.best.position))[place] == look[place] for place in (here, there))


@pytest.mark.parametrize("name", ROWS)
def test_covered_cards_that_show_in_each_others_places_were_not_moved(name: str) -> None:
    played, _ = begun(GAMES[name], 3)
    look = played.look()
    here, there = inner(look)[:2]
    both = {here: {look[here]: 0.9, look[there]: 0.02}, there: {look[there]: 0.9, look[here]: 0.02}}
    belief = following.start(played.game, Evidence({**seen(look).chances, **both}))
    belief = after(belief, seen(look), 20)
    for _ in range(4):
        belief = following.followed(belief, seen(look, wrong={here: look[there], there: look[here]}))
        assert not belief.best.event.violations


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("name", ROWS)
def test_two_moves_beside_cards_read_in_each_others_places_are_told(name: str, swapped: bool) -> None:
    """Also where the looks before took the two for each other, if these were in doubt."""
    both = (one for seed in range(30) if (one := Played(GAMES[name], seed)).move() and one.move())
    played = next(one for one in both if len(set(moves_made(one))) > 1)
    first = Played(played.game, played.seed)
    look, now = first.look(), played.look()
    here, there = [place for place in inner(look) if now[place] == look[place]][:2]
    if swapped:
        doubted = {here: {look[there]: 0.6, look[here]: 0.39}, there: {look[here]: 0.6, look[there]: 0.39}}
        belief = following.start(played.game, Evidence({**seen(look).chances, **doubted}))
    else:
        belief = after(following.start(played.game, seen(look)), seen(look), 2)
    wrong = {} if swapped else {here: look[there], there: look[here]}
    evidence = dict(seen(now, wrong=wrong).chances)
    others = [card for card in deck() if card not in now.values()]
    for place in set(inner(now)) - {here, there}:
        evidence[place] = {now[place]: 0.5, **dict.fromkeys(others[:2], 0.2)}
    belief = following.followed(belief, Evidence(evidence))
    assert not belief.best.event.violations
    assert sorted(told(belief)) == sorted(moves_made(played))


def test_a_back_among_cards_that_lie_face_up_is_no_card_that_came() -> None:
    game = GAMES["relaxed-pyramid"]
    assert game.options.face == "up"
    played, belief = begun(game, 5)
    while sum(card is GONE for place, card in played.look().items() if place.startswith("pyramid 7")) == 0:
        assert played.move()
        belief = following.followed(belief, seen(played.look()))
    look = played.look()
    empty = next(place for place, card in look.items() if place.startswith("pyramid 7") and card is GONE)
    phantom = Evidence({place: {card: SURE} for place, card in look.items()} | {empty: {FACE_DOWN: 0.9, GONE: 0.05}})
    after_it = following.followed(belief, phantom)
    assert after_it.best.event.kind in ("nothing", "hidden") and after_it.is_clear
    assert dict(lying(after_it.best.position))[empty] is GONE
    down = next(each for each in GAMES.values() if each.family == "pyramid" and each.options.face == "down")
    assert phantom.laid_in(down).best(empty) is FACE_DOWN


def test_a_back_beside_the_one_card_turned_up_is_no_pile() -> None:
    card = Card.parse("10H")
    read = Evidence({TURNED: {card: SURE}, WASTE: {FACE_DOWN: 0.54, GONE: 0.46}})
    assert read.laid_in(GAMES["math-pyramid"]).best(WASTE) == card
    held = read.laid_in(GAMES["pyramid"])
    assert held.best(TURNED) == card and held.best(WASTE) in (GONE, UNREADABLE)


def test_a_card_told_in_two_places_is_in_doubt_at_both() -> None:
    _, belief = begun(GAMES["relaxed-pyramid"], 8)
    position = belief.best.position
    assert isinstance(position, PyramidPosition) and not belief.doubts and not told_twice(position)
    card = position.rows[2][1]
    assert isinstance(card, Card)
    twice = replace(position, waste=card, waste_cards=(card,))
    assert told_twice(twice) == {card}
    line = replace(belief.best, states=(replace(belief.best.states[-1], position=twice),))
    assert replace(belief, lines=(line,)).doubts == ("pyramid 3 2",)
    # The uppermost card of a pile is one of those listed of it.
    other = Card.parse("KS") if card != Card.parse("KS") else Card.parse("KH")
    position = replace(position, rows=tuple(tuple(GONE for _ in row) for row in position.rows))
    assert not told_twice(replace(position, waste=other, waste_cards=(other,), foundation=card, gone_cards=(card,)))


def made(played: Played, move: AnyMove) -> None:
    """Make a move, in truth and as it is seen."""
    family, game = played.family, played.game
    move = family.fill(move, played.truth)
    played.truth = family.play(played.truth, move, game)
    played.view = family.look(family.play(played.view, move, game), played.truth, game)
    played.top = move.cards[0] if move.kind in ("pair", "single") else played.top


def test_a_card_that_was_held_and_cannot_be_seen_any_more_may_have_left_before_another_pair() -> None:
    game = GAMES["pyramid"]
    assert game.options.turned == "held"
    for seed in range(100):
        played, belief = begun(game, seed)
        made(played, next(move for move in family_of(game).legal_moves(played.view, game) if move.kind == "turn"))
        belief = following.followed(belief, seen(played.look()))
        pairs = [move for move in family_of(game).legal_moves(played.view, game) if move.kind == "pair"]
        held = next((move for move in pairs if TURNED in move.places), None)
        other = next((move for move in pairs if held and not set(move.places) & set(held.places)), None)
        if held and other:
            break
    else:
        raise AssertionError("no such deal")
    made(played, held)
    made(played, other)
    chances = {place: {card: SURE} for place, card in played.look().items()}
    belief = following.followed(belief, Evidence({**chances, TURNED: {}}))
    assert {frozenset(move.cards) for move in belief.best.event.moves} == {
        frozenset(held.cards),
        frozenset(other.cards),
    }
    assert not belief.best.event.violations


def test_a_card_turned_up_that_cannot_be_read_may_have_left_with_another_one() -> None:
    game = GAMES["math-pyramid"]
    for seed in range(200):
        played, belief = begun(game, seed)
        for _ in range(2):
            made(played, next(move for move in family_of(game).legal_moves(played.view, game) if move.kind == "turn"))
            before, belief = belief, following.followed(belief, seen(played.look()))
        pair = next(
            (
                move
                for move in family_of(game).legal_moves(played.view, game)
                if move.kind == "pair" and WASTE in move.places
            ),
            None,
        )
        if pair is not None:
            break
    else:
        raise AssertionError("no such deal")
    # A joker, or a card of a deck that the reader takes for a back.
    top = played.look()
    belief = following.followed(before, Evidence({**seen(top).chances, WASTE: {FACE_DOWN: SURE}}))
    assert belief.best.event.kind == "moves" and belief.best.event.moves[0].kind == "turn"
    made(played, pair)
    belief = following.followed(belief, seen(played.look()))
    assert [move.kind for move in belief.best.event.moves] == ["pair"]
    assert not belief.best.event.violations


def test_a_blurred_picture_turns_no_card() -> None:
    game = GAMES["math-pyramid"]
    played, belief = begun(game, 1)
    made(played, next(move for move in family_of(game).legal_moves(played.view, game) if move.kind == "turn"))
    belief = following.followed(belief, seen(played.look()))
    blurred = Evidence({place: {UNREADABLE: 0.6} for place, card in played.look().items() if card is not GONE})
    assert following.followed(belief, blurred).best.event.moves == ()
