"""The search of the row family against a brute force on small games, and its lines against the rules on real deals."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules.cards import UNREADABLE
from rules.catalogue import ROW_GAMES, find_game
from rules.rows import components, core, departures, frontier, reversal, states, stepping, suits
from rules.rows.dealing import random_deal
from rules.rows.legality import cards_off, outcome, play, violations
from rules.rows.lines import played
from rules.rows.notation import parse_deal
from rules.rows.search import Limits, solve, warm_up
from rules.rows.trial import Trial
from tests.rules_rows.tables import mid_game
from tests.rules_search.row_brute import TooManyStates, most_laid
from tests.rules_search.row_cases import GAMES, Case, random_case

LIMIT = 8000
CASES = 60


def searched(case: Case) -> Trial:
    trial = Trial(case.board)
    while not trial.settled:
        trial.run(200)
    return trial


@pytest.mark.parametrize("game", GAMES)
def test_small_deals_agree_with_the_brute_force(game: str) -> None:
    rng = Random(game)
    verdicts = []
    while len(verdicts) < CASES:
        case = random_case(game, rng)
        try:
            most = most_laid(case.state, case.rule, LIMIT)
        except TooManyStates:
            continue
        trial = searched(case)
        won = most == 4 * case.rule.ranks
        assert (trial.won, trial.lost) == (won, not won), case
        assert trial.most_done == most, case
        verdicts.append(won)
    assert set(verdicts) == {True, False}
    assert len(verdicts) == CASES and CASES * len(GAMES) >= 200


@pytest.mark.parametrize("game", GAMES)
def test_lines_on_small_boards_can_be_played_and_shortened(game: str) -> None:
    rng = Random(game + " lines")
    for _ in range(40):
        case = random_case(game, rng)
        trial = Trial(case.board)
        trial.run(400)
        for line in (trial.line(shorten=False), trial.line(shorten=True)):
            done = played(case.board, line)
            assert done is not None
            assert len(done) == len(line)
            assert case.board.cards_done + sum(step.where == suits.DONE for step in done) == trial.most_done
        assert len(trial.line(shorten=True)) <= len(trial.line(shorten=False))


@pytest.mark.parametrize("game_id", sorted(ROW_GAMES))
def test_lines_found_on_real_deals_are_legal_and_win(game_id: str) -> None:
    game = find_game(game_id)
    rng = Random(game_id)
    for _ in range(4):
        position = random_deal(game, rng)
        found = solve(position, game, Limits(None, 5000), fewest=True)
        for move in found.moves:
            assert not violations(position, move, game)
            position = play(position, move, game)
        assert cards_off(position, game) == found.cards_left
        assert (outcome(position, game) == "won") == (found.verdict == "winnable")


LONG_RUN = (
    "AD AS AH AC / 4H 9C 4S 10D 2H 5H 7D 2D JD 7C 3C QC 8S 7S 6H 2C JH KD QS 8H 6D 7H 3D 9D / "
    "9H KH KC 8C 8D 10S QD 5S 3S KS 5C 5D 3H JC 9S JS 4C 6S 6C 4D 2S 10H QH 10C"
)
"""A deal on whose way to the win a run of eleven cards of one suit can lie in more ways than the search looks at."""


@pytest.mark.parametrize("shorten", [True, False])
def test_a_line_past_more_arrangements_than_are_looked_at_can_be_played(shorten: bool) -> None:
    game = find_game("arcydzielo")
    position = parse_deal(LONG_RUN, game)
    found = solve(position, game, Limits(None), shorten=shorten)
    for move in found.moves:
        position = play(position, move, game)
    assert (found.verdict, outcome(position, game)) == ("winnable", "won")


@pytest.mark.parametrize("game_id", sorted(ROW_GAMES))
def test_a_winning_line_stays_won_from_each_of_its_positions(game_id: str) -> None:
    game = find_game(game_id)
    rng = Random(game_id)
    found = None
    for _ in range(200):
        position = random_deal(game, rng)
        found = solve(position, game, Limits(None, 5000))
        if found.verdict == "winnable":
            break
    assert found is not None
    assert found.verdict == "winnable"
    for number, move in enumerate(found.moves):
        position = play(position, move, game)
        if number % 20 == 0:
            assert solve(position, game, Limits(None, 5000), shorten=False).verdict == "winnable"


def test_limits_are_kept_and_told() -> None:
    game = find_game("arcydzielo")
    position = random_deal(game, Random(3))
    assert solve(position, game, Limits(None, 1)).verdict == "undecided"
    ticks = iter(range(100))
    assert solve(position, game, Limits(seconds=0.5, clock=lambda: float(next(ticks)))).verdict == "undecided"


def test_a_card_that_is_not_known_leaves_it_undecided() -> None:
    game = find_game("wiezniowie")
    deal = random_deal(game, Random(1))
    hidden = replace(deal, left=((UNREADABLE, *deal.left[0][1:]), *deal.left[1:]))
    assert solve(hidden, game).verdict == "undecided"


@pytest.mark.parametrize("rules", [{}, {"build_on_columns": "yes"}])
def test_where_a_reversal_is_not_known_only_what_holds_either_way_is_told(rules: dict[str, str]) -> None:
    game, rng, told = find_game("ulubiony", rules), Random(12), set[str]()
    for _ in range(30):
        position = mid_game(game, rng)
        unknown = solve(replace(position, reversed=None), game, Limits(None, 5000), fewest=True)
        for turned in (False, True):
            world = replace(position, reversed=turned)
            known = solve(world, game, Limits(None, 5000), fewest=True)
            if unknown.verdict != "undecided":
                assert known.verdict in ("undecided", unknown.verdict)
            for move in unknown.moves:
                world = play(world, move, game)
            assert unknown.cards_left >= known.cards_left or known.verdict == "undecided"
            assert not unknown.moves or cards_off(world, game) == unknown.cards_left
        told.add(unknown.verdict)
    assert {"winnable", "lost"} <= told


def test_nothing_is_compiled_after_the_warm_up() -> None:
    warm_up()
    before = _versions()
    for game_id in ("arcydzielo", "piwnica", "ulubiony"):
        game = find_game(game_id)
        solve(random_deal(game, Random(8)), game, Limits(None, 300), fewest=True)
    assert _versions() == before


def _versions() -> dict[str, int]:
    return {
        f"{module.__name__}.{name}": len(function.signatures)
        for module in (components, core, departures, frontier, reversal, states, stepping, suits)
        for name, function in vars(module).items()
        if hasattr(function, "signatures")
    }
