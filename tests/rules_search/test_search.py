"""The exact search against the brute force, and its lines against the rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from rules.cards import Card
from rules.catalogue import PYRAMID_GAMES, Game, find_game
from rules.errors import PositionError
from rules.pyramid.full import FullPosition, random_deal
from rules.pyramid.legality import outcome, play
from rules.pyramid.search import Limits, Searcher, Solution, solve
from rules.pyramid.shares import KNOWN_SHARES, KnownShare
from tests.rules_search.brute import TooManyStates, fewest_left, fewest_moves
from tests.rules_search.cases import as_brute, matched_start, random_game, random_start, sized_game

CASES = 400
"""Cases under any combination of options, wherever those of the verdicts are not all there are."""
CASES_A_RULE_SET = 150
"""Cases under each of the thirteen rule sets whose verdicts are told: 1950 in all."""


def replay(start: FullPosition, game: Game, solution: Solution) -> str:
    """Plays the line by the rules alone (an illegal move raises) and says how the game stands."""
    position = start.to_position()
    for move in solution.moves:
        position = play(position, move, game)
    return outcome(position, game)


def verdict_as_the_brute_force(game: Game, start: FullPosition) -> str | None:
    """The verdict of both on one case, None where the case is too large for the brute force; asserts that they agree
    on it and on the fewest cards left, and that a line that wins can be played."""
    try:
        fewest = fewest_left(*as_brute(start, game), 20_000)
    except TooManyStates:
        return None
    found = solve(start, game, fewest=True)
    assert found.verdict == ("lost" if fewest else "winnable"), (game.options, start)
    assert found.cards_left_exact, (game.options, start)
    assert found.cards_left == fewest, (game.options, start)
    if found.verdict == "winnable":
        assert replay(start, game, found) == "won", (game.options, start)
    return found.verdict


def test_no_difference_from_the_brute_force_under_any_options() -> None:
    rng = Random(20)
    seen: Counter[str] = Counter()
    while sum(seen.values()) < CASES:
        game = random_game(rng)
        verdict = verdict_as_the_brute_force(game, random_start(game, rng))
        seen[verdict] += verdict is not None
    assert min(seen["winnable"], seen["lost"]) > CASES // 10


@pytest.mark.parametrize("known", KNOWN_SHARES, ids=lambda known: known.name.replace(" ", "-"))
def test_the_shortest_line_is_as_long_as_that_of_the_brute_force(known: KnownShare) -> None:
    rng, seen = Random(known.name), 0
    while seen < 30:
        game = sized_game(known.rules, rng)
        start = matched_start(game, rng) if game.options.rows < 5 else random_start(game, rng)
        try:
            fewest = fewest_moves(*as_brute(start, game), 20_000)
        except TooManyStates:
            continue
        found = solve(start, game, shortest=True)
        assert found.shortest == (fewest is not None)
        if fewest is not None:
            assert len(found.moves) == fewest, (game.options, start)
            assert replay(start, game, found) == "won"
            seen += 1


def test_under_any_options_too_the_shortest_line_is_as_long_as_that_of_the_brute_force() -> None:
    rng, seen = Random(21), 0
    while seen < 150:
        game = random_game(rng)
        start = random_start(game, rng)
        try:
            fewest = fewest_moves(*as_brute(start, game), 20_000)
        except TooManyStates:
            continue
        found = solve(start, game, shortest=True)
        assert (len(found.moves) if found.shortest else None) == fewest, (game.options, start)
        seen += fewest is not None


def test_a_line_for_which_the_states_do_not_suffice_is_not_called_the_shortest() -> None:
    game = find_game("math-pyramid", {"turned": "held", "passes": "3"})
    start = random_deal(game, Random(3))
    whole, cut = (solve(start, game, Limits(None, states), shortest=True) for states in (10**9, 2_000))
    assert whole.verdict == cut.verdict == "winnable"
    assert whole.shortest
    assert not cut.shortest
    assert len(whole.moves) <= len(cut.moves)
    assert replay(start, game, whole) == replay(start, game, cut) == "won"


@pytest.mark.parametrize("known", KNOWN_SHARES, ids=lambda known: known.name.replace(" ", "-"))
def test_no_difference_from_the_brute_force_under_the_rules_of_the_verdicts(known: KnownShare) -> None:
    rng = Random(known.name)
    seen: Counter[str] = Counter()
    while sum(seen.values()) < CASES_A_RULE_SET:
        game = sized_game(known.rules, rng)
        matched = game.options.rows < 5 and rng.random() < 0.7
        verdict = verdict_as_the_brute_force(game, (matched_start if matched else random_start)(game, rng))
        seen[verdict] += verdict is not None
    assert sum(seen.values()) == CASES_A_RULE_SET
    assert min(seen["winnable"], seen["lost"]) >= CASES_A_RULE_SET // 10


def test_the_rules_of_the_verdicts_are_those_that_the_brute_force_is_asked_about() -> None:
    """1000 decided cases in all, over one to three and unlimited passes, both goals, overlap, three cards at a time."""
    assert len(KNOWN_SHARES) * CASES_A_RULE_SET >= 1000
    games = [find_game("math-pyramid", known.rules).options for known in KNOWN_SHARES]
    told = {(each.turned, each.draw, each.goal, each.overlap, each.passes) for each in games}
    plain = {(turned, 1, "pyramid", False, passes) for turned in ("laid", "held") for passes in (1, 2, 3, None)}
    all_gone, overlap = ("held", 1, "all", False, 1), {("held", 1, "pyramid", True, passes) for passes in (1, None)}
    assert told == plain | {all_gone} | overlap | {("laid", 3, "pyramid", False, passes) for passes in (1, None)}


@pytest.mark.parametrize("game_id", sorted(PYRAMID_GAMES))
def test_every_line_of_a_real_deal_is_legal_and_wins(game_id: str) -> None:
    game = find_game(game_id)
    rng = Random(5)
    searcher = Searcher(game)
    won = 0
    for _ in range(12):
        start = random_deal(game, rng)
        found = searcher.solve(start, Limits(states=20_000))
        if found.verdict == "winnable":
            assert replay(start, game, found) == "won"
            won += 1
        else:
            assert found.moves == ()
    if game.options.passes != 1:
        assert won


def test_a_table_kept_from_another_deal_changes_nothing() -> None:
    game = find_game("easy-pyramid", {"rows": "5", "total": "9"})
    rng = Random(8)
    searcher = Searcher(game)
    for _ in range(20):
        start = random_deal(game, rng)
        stock = list(start.stock)
        rng.shuffle(stock)
        for order in (start, replace(start, stock=tuple(stock))):
            assert searcher.solve(order).verdict == solve(order, game).verdict


def test_a_limit_of_states_or_time_ends_in_undecided() -> None:
    game = find_game("math-pyramid", {"turned": "held"})
    ticks = iter(range(0, 10_000_000, 1000))
    hard = _hard_deal(game)
    assert solve(hard, game, Limits(seconds=1.0, clock=lambda: float(next(ticks)))).verdict == "undecided"
    assert solve(hard, game, Limits(states=1)).verdict == "undecided"
    assert solve(hard, game, Limits(entries=1 << 10)).verdict == "undecided"


def _hard_deal(game: Game) -> FullPosition:
    """A deal that takes many states to decide."""
    rng = Random(1)
    while True:
        deal = random_deal(game, rng)
        if solve(deal, game, Limits(states=60_000)).verdict == "undecided":
            return deal


def test_an_empty_pyramid_is_won_without_a_move() -> None:
    game = find_game("math-pyramid", {"rows": "3"})
    start = FullPosition(tuple((None,) * size for size in range(1, 4)), (Card.parse("4H"),))
    found = solve(start, game)
    assert (found.verdict, found.moves, found.cards_left) == ("winnable", (), 0)


def test_a_gap_under_lying_cards_is_searched_as_it_lies() -> None:
    game = find_game("math-pyramid", {"rows": "3"})
    rows = ((Card.parse("KS"),), (None, None), (Card.parse("KH"), Card.parse("4H"), Card.parse("9H")))
    found = solve(FullPosition(rows), game)
    assert found.verdict == "winnable"
    assert replay(FullPosition(rows), game, found) == "won"


def test_a_pyramid_of_other_rows_is_refused() -> None:
    with pytest.raises(PositionError):
        solve(FullPosition(((Card.parse("KS"),),)), find_game("math-pyramid"))


def test_a_line_made_shorter_still_wins() -> None:
    game = find_game("math-pyramid", {"passes": "unlimited", "draw": "3"})
    rng = Random(14)
    first = shorter = 0
    for _ in range(12):
        start = random_deal(game, rng)
        plain, short = (
            solve(start, game, Limits(states=20_000)),
            solve(start, game, Limits(states=30_000), shorten=5_000),
        )
        if plain.verdict == "winnable":
            assert replay(start, game, short) == "won"
            first, shorter = first + len(plain.moves), shorter + len(short.moves)
    assert 0 < shorter < first
