"""Played games, by which following is measured: they are legal, they look as they lie, and a short one is followed."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

import cv2
import numpy as np
import pytest

from companion_app.tables.following import Follower
from models.measure import breaches, filmed, follow, played, telling, watched
from models.training import decks
from rules.cards import FACE_DOWN, GONE, Card, Seen, deck
from rules.catalogue import GAMES
from rules.families import family_of
from rules.family import AnyMove
from rules.following.line import Event, Line, State
from rules.layouts import WASTE
from rules.looks import explain_by_moves, lying, position_from_places
from rules.pyramid.moves import Move, pair, single, turn
from rules.pyramid.pairing import pairs_up
from rules.pyramid.position import PyramidPosition
from rules.rows import moves as row_moves
from vision.reader import Reader


def by_pen(rng: np.random.Generator) -> decks.Deck:
    return decks.draw_deck("by pen", rng, validation=True, by_pen=True)


@pytest.mark.parametrize("seed", range(8))
def test_where_stock_and_waste_are_empty_no_pass_too_many_is_planted(seed: int) -> None:
    game = GAMES["relaxed-pyramid"]
    dealt = played.play(game, Random(seed), most=0)[0].view
    assert isinstance(dealt, PyramidPosition)
    bare = replace(dealt, stock=False, stock_count=0, stock_cards=(), waste=GONE, waste_cards=())
    found = breaches.plant(bare, game, Random(seed))
    assert found is not None and found.move.kind != "redeal"


@pytest.mark.parametrize("seed", range(8))
def test_a_card_that_the_next_one_of_the_stock_takes_is_not_planted_alone_where_that_one_is_known(seed: int) -> None:
    game = GAMES["easy-pyramid"]
    dealt = played.play(game, Random(seed), most=0)[0].view
    assert isinstance(dealt, PyramidPosition)
    rest = [card for card in deck() if card not in dict(lying(dealt)).values()]
    alone = {move.cards[0]: move for kind, move in breaches._pyramid_moves(dealt, game) if kind == "alone"}
    card, partner = next((card, one) for card in alone for one in rest if pairs_up(card, one, game.options))
    known = replace(dealt, stock_cards=(partner, *(one for one in rest if one != partner)))
    for position, legal in ((dealt, False), (known, True)):
        after = breaches._done(position, alone[card], game)
        assert breaches._may_be_legal(position, after, game) is legal


@pytest.mark.parametrize("name", GAMES)
def test_a_played_game_is_legal_and_the_same_again(name: str) -> None:
    game = GAMES[name]
    turns = played.play(game, Random(3), most=12)
    assert [turn.move for turn in turns] == [turn.move for turn in played.play(game, Random(3), most=12)]
    family = family_of(game)
    for before, after in pairwise(turns):
        assert after.move is not None
        assert family.violations(before.view, after.move, game) == ()


def test_a_picture_shows_what_lies_there_and_cards_stay_where_they_lie() -> None:
    game = GAMES["relaxed-pyramid"]
    first, second = (shot for _, shot in zip(range(2), played.shots(game, 1, 5, by_pen, most=2), strict=False))
    for shot in (first, second):
        assert shot.picture.pixels.shape == (960, 1280, 3)
        look = played.shown(shot.turn, game)
        shown = {place: slot for place, slot in (shot.picture.places or {}).items() if slot and place.startswith("pyr")}
        assert shown == {place: str(card) for place, card in look.items() if isinstance(card, Card) and place in shown}
    both = set(first.picture.places_xy or {}) & set(second.picture.places_xy or {}) - {"stock", "waste", "foundation"}
    moved = [
        np.abs(first.picture.places_xy[place] - second.picture.places_xy[place]).max()  # type: ignore[index]
        for place in both
    ]
    assert max(moved) < 40  # the camera sways, the cards do not


def test_a_half_covered_picture_is_another_one() -> None:
    picture = np.full((240, 320, 3), 90, np.uint8)
    covered = played.half_covered(picture, np.random.default_rng(1))
    share = (np.abs(covered.astype(int) - 90).max(2) > 20).mean()
    assert 0.2 < share < 0.85


def test_a_short_game_is_followed_to_the_move() -> None:
    game = GAMES["relaxed-pyramid"]
    follower = Follower(Reader.load(2), game)
    shots = [shot for shot in played.shots(game, 4, 5, by_pen, most=6) if not shot.fault]
    for shot in shots:
        image = np.ascontiguousarray(shot.picture.pixels[..., ::-1])
        belief = follower.look(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes())
        assert not belief.best.event.violations
    told = dict(lying(belief.best.position))
    truth = played.shown(shots[-1].turn, game)
    assert all(told.get(place) == seen for place, seen in truth.items() if place.startswith("pyramid"))
    made = [turn.move for turn in played.play(game, Random("5 relaxed-pyramid 4"), 6) if turn.move is not None]
    assert telling.same(belief.best.moves, made)


@pytest.mark.parametrize("name", ["relaxed-pyramid", "pyramid", "arcydzielo", "ulubiony"])
def test_a_planted_breach_breaks_the_rules_it_says_and_no_legal_moves_lead_there(name: str) -> None:
    game = GAMES[name]
    turns = played.play(game, Random(3), most=12)
    found = played.planted(game, turns, Random(5))
    assert len(found) == played.PLANTS
    for number, plant in found.items():
        before = turns[number].view
        assert {each.breach for each in family_of(game).violations(before, plant.move, game)} == plant.rules != set()
        told = explain_by_moves(before, position_from_places(game, dict(lying(plant.position))), game)
        assert told is None or not told.is_plain


@pytest.mark.parametrize("name", ["arcydzielo", "ulubiony"])
def test_a_move_that_may_have_been_taken_back_is_not_planted(name: str) -> None:
    game = GAMES[name]
    here = played.play(game, Random(3), most=0)[0].view
    once = breaches.plant(here, game, Random(5))
    assert once is not None
    again = breaches.plant(here, game, Random(5), [once.position])
    assert again is not None and dict(lying(again.position)) != dict(lying(once.position))


def test_a_stock_turned_over_once_too_often_takes_the_turned_card_along() -> None:
    game = GAMES["king-tut"]
    dealt = played.play(game, Random(3), most=0)[0].view
    assert isinstance(dealt, PyramidPosition)
    gone = tuple((GONE,) * len(row) for row in dealt.rows)
    last, below = Card.parse("8D"), Card.parse("AH")
    piles = replace(dealt, rows=gone, stock=False, stock_count=0, stock_cards=(), turned=last, pass_number=9)
    found = breaches.plant(replace(piles, waste=below, waste_cards=(below,)), game, Random(1))
    assert found is not None and found.move.kind == "redeal"
    assert isinstance(found.position, PyramidPosition) and found.position.turned is GONE


def test_pictures_of_a_broken_rule_stand_beside_the_game_which_goes_on() -> None:
    shots = list(played.shots(GAMES["arcydzielo"], 1, 5, by_pen, most=6))
    with_plants = [shot for shot in shots if shot.plant is not None]
    assert len(with_plants) == played.PLANTS
    for shot in with_plants:
        *broken, restored = shot.aside
        assert len(broken) == breaches.LOOKS and shot.plant is not None
        assert all(one.turn.view == shot.plant.position != shot.turn.view for one in broken)
        assert restored.turn.view == shot.turn.view
        assert np.abs(broken[0].picture.pixels.astype(int) - broken[1].picture.pixels).max() > 0  # the camera sways


def test_a_short_game_is_followed_and_its_broken_rules_named_by_the_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played.shots, "__kwdefaults__", {"most": 6})
    told = follow.follow_game(Reader.load(2), follow.What("arcydzielo", 0, 500), by_pen)
    asked_for = ("planted", "named", "still accused", "accused", "exact", "silently wrong", "records played")
    assert [told.counts[name] for name in asked_for] == [2, 2, 0, 0, 1, 0, 1]


def test_moves_are_told_apart_by_the_cards_that_were_seen() -> None:
    one, two, three = (Card.parse(code) for code in ("AS", "2D", "3C"))

    def turned(*cards: Seen) -> Move:
        return turn(cards, held=False)

    made = [turned(one, two), turned(two, three)]
    assert telling.same([turned(FACE_DOWN, two), turned(two, three)], made)
    assert not telling.same([turned(three, FACE_DOWN), turned(FACE_DOWN, two)], made)
    assert not telling.same(made[:1], made)
    # What the first one told may be, the second one must be.
    assert telling.same([turned(FACE_DOWN, two), turned(one, FACE_DOWN)], [turned(one, two), turned(three, two)])


def line_of(*looks: tuple[AnyMove, ...]) -> Line:
    """A line that tells these moves, those of each look for themselves."""
    dealt = played.play(GAMES["relaxed-pyramid"], Random(1), most=0)[0].view
    return Line(0.0, (State(dealt), *(State(dealt, moves) for moves in looks)), Event("moves"))


def test_of_a_card_moved_twice_between_two_looks_it_counts_where_it_came_to_lie() -> None:
    card = Card.parse("2S")
    filled, played_on = row_moves.fill(card, "left 4 6", "left 1 1"), row_moves.foundation(card, "left 1 1", 1)
    at_once = [row_moves.foundation(card, "left 4 6", 1)]
    assert telling.same(telling.told_by(line_of((filled, played_on))), at_once)
    assert telling.told_by(line_of((filled,), (played_on,))) == [filled, played_on]


def test_a_way_is_right_whose_seen_cards_are_however_many_nobody_saw() -> None:
    one, two, king = (Card.parse(code) for code in ("AS", "QD", "KC"))
    taken = pair(one, "pyramid 7 1", two, WASTE)
    made = [turn((two,), held=False), turn((king,), held=False), single(king, WASTE), taken]
    unseen = turn((FACE_DOWN,), held=False)
    right = line_of((unseen, taken)), line_of((made[0], unseen, single(FACE_DOWN, WASTE), taken))
    wrong = line_of((turn((one,), held=False), taken)), line_of((unseen,)), line_of((taken, taken))
    assert all(telling.is_right(line, made) for line in right)
    assert not any(telling.is_right(line, made) for line in wrong)


def test_a_short_film_is_watched_to_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    game, frames = GAMES["nowy-domator"], []

    def short(*what: object) -> Iterator[filmed.Filmed]:
        for scene in filmed.film(*what, most=3):  # type: ignore[arg-type]
            frames.append(scene)
            yield scene

    monkeypatch.setattr(watched, "film", short)
    told = watched.watch_film(Reader.load(2), (game.id, 1, 710), by_pen)
    assert [told.counts[name] for name in ("exact", "silently wrong", "accused", "records played")] == [1, 0, 0, 1]
    assert told.counts["frames"] == len(frames) > 30
    assert len({scene.turn.move for scene in frames if scene.at_rest}) == len({scene.turn.move for scene in frames})
    assert all(0 < seconds < 10 for seconds in told.told)


def test_watching_a_table_on_which_nothing_moves_takes_little() -> None:
    share, grown = watched.idle(Reader.load(1), 0.4, by_pen)
    assert share > 0 and grown < 100


def test_a_card_that_is_laid_down_as_a_base_shows_and_one_that_lies_there_already_does_not() -> None:
    card = Card.parse("8H")
    assert played.is_shown(row_moves.new_base(card, "left 1 5", 1)) and not played.is_shown(
        row_moves.base_choice(card, 1)
    )
    assert played.is_shown(None) and not played.is_shown(row_moves.direction("up"))


def test_of_two_ways_that_are_right_the_one_is_taken_that_leaves_out_less() -> None:
    king, taken, other = map(Card.parse, ("KD", "2D", "JC"))
    made = [turn((king,), held=False), single(king, WASTE), pair(other, "pyramid 6 6", taken, WASTE)]
    without = [turn((king,), held=False), turn((taken,), held=False), made[2]]
    whole, less = (line_of(tuple(moves)) for moves in (made, without))
    assert telling.tells(whole, made) > telling.tells(less, made)
    # Nor is it the one of which less is known.
    unseen = line_of((*made[:2], turn((FACE_DOWN,) * 3, held=False), pair(other, "pyramid 6 6", FACE_DOWN, WASTE)))
    assert telling.tells(whole, made) > telling.tells(unseen, made)
