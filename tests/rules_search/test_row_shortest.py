"""Lines of row games of which it is said that none is shorter: against a breadth-first brute force."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules.cards import Card
from rules.catalogue import ROW_GAMES, Game, find_game
from rules.hint_parts import CERTAIN_WIN
from rules.rows import suits
from rules.rows.dealing import random_deal
from rules.rows.foundations import base_column
from rules.rows.hint_records import RowHint
from rules.rows.hints import RowBudget, hints
from rules.rows.legality import cards_off, outcome, play
from rules.rows.lines import played
from rules.rows.position import RowPosition
from rules.rows.search import Limits, solve
from rules.rows.shortening import Detours, Shortening
from tests.rules_rows.tables import mid_game
from tests.rules_search.row_brute import RowRule, State, TooManyStates, fewest_moves
from tests.rules_search.row_cases import GAMES, Case, random_case

LIMIT = 4_000
ANY = 999
ENOUGH = RowBudget(states=20_000, shortest=True)
WHOLE = Limits(None, 2_000)


def small(game: str, rng: Random) -> tuple[Case, int | None]:
    """A small game and in how many moves the brute force wins it."""
    while True:
        case = random_case(game, rng)
        try:
            return case, fewest_moves(case.state, case.rule, LIMIT)
        except TooManyStates:
            continue


def cards_to_lay(case: Case) -> int:
    return 4 * case.rule.ranks - case.board.cards_done


@pytest.mark.parametrize("game", GAMES)
def test_the_shortest_line_is_as_long_as_that_of_the_brute_force_and_can_be_played(game: str) -> None:
    rng, won = Random(game + " shortest"), 0
    while won < 20:
        case, fewest = small(game, rng)
        search = Detours(case.board, ANY)
        search.run(10**9)
        assert search.proven, case
        assert (search.best is None) == (fewest is None), case
        if fewest is None:
            continue
        line = played(case.board, search.line())
        assert line is not None
        assert len(line) == fewest == cards_to_lay(case) + (search.best or 0), case
        assert sum(step.where == suits.DONE for step in line) == cards_to_lay(case)
        won += 1


@pytest.mark.parametrize("game", GAMES)
def test_below_the_shortest_length_nothing_is_found_and_the_bound_is_kept(game: str) -> None:
    rng, longer = Random(game + " bound"), 0
    while longer < 10:
        case, fewest = small(game, rng)
        if fewest is None or fewest == cards_to_lay(case):
            continue
        needed = fewest - cards_to_lay(case)
        below, just = Detours(case.board, needed), Detours(case.board, needed + 1)
        below.run(10**9)
        just.run(10**9)
        assert (below.proven, below.best) == (True, None), case
        assert (just.proven, just.best) == (True, needed), case
        longer += 1


@pytest.mark.parametrize("states", [1, 4, 16])
def test_a_search_that_is_stopped_proves_nothing_that_the_brute_force_knows_better(states: int) -> None:
    rng, open_ = Random(states), 0
    for game in GAMES:
        for _ in range(6):
            case, fewest = small(game, rng)
            search = Detours(case.board, ANY)
            search.run(states)
            best = None if search.best is None else cards_to_lay(case) + search.best
            assert best is None or (fewest is not None and best >= fewest), case
            assert not search.proven or best == fewest, case
            open_ += not search.ended
    assert open_ or states > 4


def as_brute(position: RowPosition, game: Game) -> tuple[State, RowRule]:
    """A position with its bases and its direction chosen, in a game without outer columns, for the brute force."""
    options, foundations = game.row_options, base_column(position, game).foundations
    suit_numbers = {suit: number for number, suit in enumerate(foundations)}

    def card(seen: object) -> tuple[int, int]:
        assert isinstance(seen, Card) and seen.suit is not None
        return suit_numbers[seen.suit], seen.worth - 1

    half = [stack for stack in position.stacks() if stack.kind == "half"]
    half.sort(key=lambda stack: options.shape.is_auxiliary(stack.row))
    rows = tuple(tuple(map(card, position.cards_in(stack) or ())) for stack in half)
    cellar = card(position.cellar) if isinstance(position.cellar, Card) else None
    lying = [card for row in rows for card in row] + [cellar] * (cellar is not None)
    way = 1 if position.direction == "up" else -1
    piles = []
    for suit, row in foundations.items():
        height = 13 - sum(each[0] == suit_numbers[suit] for each in lying if each is not None)
        piles.append(((card(position.bases[row - 1])[1] - way * (height - 1)) % 13, height))
    rule = RowRule(
        ranks=13,
        main=sum(not options.shape.is_auxiliary(stack.row) for stack in half),
        up=way == 1,
        corner=options.round_the_corner,
        cellar=options.cellar,
        refill_auxiliary=options.refill_auxiliary,
        build_on_auxiliary=options.build_on_auxiliary,
        build_on_columns=False,
    )
    return (rows, (), (), cellar, tuple(piles), False), rule


def late(game: Game, rng: Random) -> tuple[RowPosition, int]:
    """A position with few cards off the foundations that can be won, and in how many moves by the brute force."""
    while True:
        position = mid_game(game, rng)
        if not 3 <= cards_off(position, game) <= 8:
            continue
        try:
            fewest = fewest_moves(*as_brute(position, game), LIMIT // 10)
        except TooManyStates:
            continue
        if fewest:
            return position, fewest


@pytest.mark.parametrize("game_id", ["arcydzielo", "nowy-domator", "wiezniowie"])
def test_hints_late_in_a_game_say_in_how_many_moves_the_brute_force_wins(game_id: str) -> None:
    game = find_game(game_id)
    rng, detours, longer = Random(game_id), 0, 0
    for _ in range(5):
        position, fewest = late(game, rng)
        found = hints(position, game, budget=ENOUGH)
        told = [(len(hint.line), hint.shortest) for hint in found.hints if hint.win == CERTAIN_WIN]
        assert told[0] == (fewest, True), position
        assert told == [(length, length == fewest) for length, _ in sorted(told)], position
        for hint in found.hints[:2]:
            check_line(hint, position, game)
        detours += fewest > cards_off(position, game)
        longer += told[-1][0] > fewest
    assert detours and longer


def check_line(hint: RowHint, position: RowPosition, game: Game) -> None:
    """The line of a hint that wins begins with its move, is legal, and wins."""
    if hint.win == CERTAIN_WIN:
        assert hint.line[:1] == (hint.move,)
        for move in hint.line:
            position = play(position, move, game)
        assert outcome(position, game) == "won"


@pytest.mark.parametrize("game_id", sorted(ROW_GAMES))
def test_moves_that_win_are_ordered_by_the_length_of_their_lines(game_id: str) -> None:
    game = find_game(game_id)
    position = random_deal(game, Random(game_id))
    while (found := hints(position, game, budget=RowBudget(states=300, shortest=True))).verdict != "winnable":
        position = random_deal(game, Random(str(found)))
    wins = [hint.win == CERTAIN_WIN for hint in found.hints]
    lines = [hint.line for hint in found.hints if hint.win == CERTAIN_WIN]
    lengths = [len(line) for line in lines if line]
    assert wins == sorted(wins, reverse=True)
    assert lengths == sorted(lengths) and lengths
    check_line(found.hints[0], position, game)


def test_solving_with_the_shortest_line_proves_it_and_without_room_it_does_not() -> None:
    game = find_game("piwnica")
    rng, proven = Random(3), 0
    while proven < 2:
        position = random_deal(game, rng)
        if solve(position, game, WHOLE, shorten=False).verdict != "winnable":
            continue
        found = solve(position, game, Limits(None), shortest=True)
        whole = Shortening(position, game, ANY)
        whole.work(None, lambda: False)
        assert (found.shortest, len(found.moves)) == (True, whole.length)
        assert whole.proven
        cramped = Shortening(position, game, ANY, most_nodes=1 << 12)
        cramped.work(None, lambda: False)
        proven += cramped.ended and not cramped.proven
        assert cramped.length >= whole.length


def test_where_it_is_not_known_whether_the_columns_are_reversed_no_line_is_called_the_shortest() -> None:
    game = find_game("ulubiony")
    rng, told = Random(9), 0
    while told < 3:
        position = replace(mid_game(game, rng), left_column=(), right_column=())
        if solve(replace(position, reversed=True), game, WHOLE).verdict == "winnable":
            answers = [hints(replace(position, reversed=known), game, budget=ENOUGH) for known in (None, True)]
            assert [answer.verdict for answer in answers] == ["winnable"] * 2
            assert [any(hint.shortest for hint in answer.hints) for answer in answers] == [False, True]
            told += 1
