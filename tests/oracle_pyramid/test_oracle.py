"""The referee of the pyramid family judged by rules written anew; at length: ``python -m tests.oracle_pyramid``."""

from __future__ import annotations

from itertools import islice
from random import Random

from tests.oracle_pyramid.breaches import breaches
from tests.oracle_pyramid.cases import games, gaps, steps
from tests.oracle_pyramid.judge import Tally, judge_breach, judge_game, judge_moves, told_of, told_of_game

WRONG = ("alarm", "twice", "illegal", "needless turn", "missed")


def test_moves_between_two_looks_are_told_or_among_the_alternatives_and_no_card_leaves_twice() -> None:
    tally = Tally()
    for case in islice(gaps(Random(14)), 1200):
        told = told_of(case)
        tally.add(case, told, judge_moves(case, told))
    assert tally.of("missed") <= 0.002 * 1200
    assert tally.of("twice", "illegal", "needless turn") == 0, tally.examples
    assert len(tally.cases) == 6 and min(tally.cases.values()) >= 40


def test_no_legal_step_is_called_a_breach_the_hand_included() -> None:
    tally = Tally()
    for case in islice(steps(Random(15)), 1500):
        told = told_of(case)
        tally.add(case, told, judge_moves(case, told))
    assert tally.of(*WRONG) == 0, tally.examples


def test_broken_rules_are_named_with_their_cards_and_none_is_excused() -> None:
    tally = Tally()
    for case in islice(breaches(Random(16)), 1500):
        told = told_of(case)
        tally.add(case, told, judge_breach(case, told))
    counted = 1500 - tally.of("otherwise")
    assert tally.of("excused") == 0, tally.examples
    assert tally.of("misnamed") <= 0.005 * counted and counted >= 1100
    assert len(tally.cases) == 9


def test_whole_games_of_pictures_are_followed_without_an_alarm() -> None:
    tally = Tally()
    for game in islice(games(Random(17)), 40):
        told = told_of_game(game)
        tally.add(game, told, judge_game(game, told))
    assert tally.of("alarm") == 0, tally.examples
