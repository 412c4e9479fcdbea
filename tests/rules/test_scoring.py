"""Scores against the figures of the rules."""

from __future__ import annotations

import pytest

from rules.cards import Card
from rules.catalogue import PYRAMID_GAMES, find_game
from rules.errors import NotNotedError, RuleError
from rules.layouts import pyramid_place
from rules.pyramid.moves import pair, single
from rules.pyramid.notation import parse_position
from rules.scoring import ParGame, cards_left, par, par_game, points, score_position

ACE, QUEEN, KING = Card.parse("AS"), Card.parse("QH"), Card.parse("KD")


def test_cards_left_counts_the_pyramid_read_or_not() -> None:
    game = find_game("math-pyramid", {"rows": "3"})
    position = parse_position("?? / !! 4S / -- -- KD ; stock=5 ; waste=3C")
    assert cards_left(position, game).to_json() == {"scheme": "cards-left", "score": 4, "parts": {"pyramid": 4}}
    assert score_position("cards-left", parse_position("-- / -- -- / -- -- --"), game).score == 0


def test_cards_left_counts_every_card_off_the_foundation_where_the_goal_is_all() -> None:
    game = find_game("pyramid", {"rows": "3", "goal": "all"})
    position = parse_position("?? / ?? 4S / -- -- KD ; stock=5 ; waste_cards=3C 4C ; turned=5C")
    assert cards_left(position, game).score == 4 + 5 + 2 + 1
    with pytest.raises(NotNotedError, match="stock"):
        cards_left(parse_position("?? / ?? 4S / -- -- KD ; stock=yes ; waste=4C"), game)


@pytest.mark.parametrize("scheme", ["points", "par"])
def test_one_position_cannot_give_the_other_schemes(scheme: str) -> None:
    with pytest.raises(NotNotedError, match="record"):
        score_position(scheme, parse_position("-- / -- --"), PYRAMID_GAMES["pyramid"])
    with pytest.raises(RuleError, match="no scoring scheme"):
        score_position("golf", parse_position("-- / -- --"), PYRAMID_GAMES["pyramid"])


def test_points_are_at_most_1290_for_seven_rows_and_52_cards() -> None:
    places = [pyramid_place(row, column) for row in range(7, 0, -1) for column in range(1, row + 1)]
    moves = [pair(ACE, places[0], QUEEN, "waste")]
    moves += [pair(ACE, place, QUEEN, "waste") for place in places[1:24]]
    moves += [single(KING, place) for place in places[24:]]
    score = points(moves, PYRAMID_GAMES["math-pyramid"])
    assert score.to_json()["parts"] == {"pairs": 120, "singles": 20, "rows": 1150}
    assert score.score == 1290


def test_with_fewer_rows_the_last_row_bonuses_count() -> None:
    game = find_game("math-pyramid", {"rows": "3"})
    bottom = [single(KING, pyramid_place(3, column)) for column in (1, 2, 3)]
    assert points(bottom[:2], game).score == 10
    assert points(bottom, game).score == 15 + 150
    assert points([*bottom, *(single(KING, pyramid_place(2, c)) for c in (1, 2))], game).score == 25 + 150 + 250


@pytest.mark.parametrize(
    ("played", "score"),
    [
        (ParGame(1, 0, 0), 50),
        (ParGame(1, 0, 12), 38),
        (ParGame(2, 0, 20), 15),
        (ParGame(3, 0, 20), 0),
        (ParGame(None, 6, 10), -16),
    ],
)
def test_par_scores_one_game(played: ParGame, score: int) -> None:
    assert par_game(played) == score


def test_a_par_match_is_six_games_with_three_passes_and_a_net_zero_is_par() -> None:
    game = find_game("pyramid", {"passes": "3"})
    match = [ParGame(2, 0, 20), ParGame(None, 5, 10)] * 3
    assert par(match, game).score == 0
    with pytest.raises(RuleError, match="6 games"):
        par(match[:5], game)
    with pytest.raises(RuleError, match="passes 3"):
        par(match, PYRAMID_GAMES["pyramid"])
    with pytest.raises(RuleError, match="deals"):
        par_game(ParGame(4, 0, 0))
