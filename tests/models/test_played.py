"""Played games, by which following is measured: they are legal, they look as they lie, and a short one is followed."""

from itertools import pairwise
from random import Random

import cv2
import numpy as np
import pytest

from companion_app.following import Follower
from models.measure import breaches, follow, played
from models.training import decks
from rules.cards import Card
from rules.catalogue import GAMES
from rules.families import family_of
from rules.looks import lying
from vision.reader import Reader


def by_pen(rng: np.random.Generator) -> decks.Deck:
    return decks.draw_deck("by pen", rng, validation=True, by_pen=True)


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
    assert follow.same(belief.best.moves, made)


@pytest.mark.parametrize("name", ["relaxed-pyramid", "pyramid", "arcydzielo", "ulubiony"])
def test_a_planted_breach_breaks_the_rules_it_says_and_no_legal_moves_lead_there(name: str) -> None:
    game = GAMES[name]
    turns, found = next(one for number in range(9) if (one := breaches.turns_with(game, number, 3)) is not None)
    legal, *broken, restored = turns[breaches.LEGAL - 1 :]
    assert len(broken) == breaches.BROKEN and all(turn.view == found.position != legal.view for turn in broken)
    assert restored.view == legal.view
    assert {each.breach for each in family_of(game).violations(legal.view, found.move, game)} == found.rules != set()


def test_a_planted_breach_is_named_by_the_camera() -> None:
    counts = breaches.follow_breach(Reader.load(2), ("arcydzielo", 0, 500), by_pen)
    assert (counts["planted"], counts["named"], counts["accused"], counts["still accused when put back"]) == (
        1,
        1,
        0,
        0,
    )
