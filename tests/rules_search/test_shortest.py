"""Lines of which it is said that none is shorter, in the midst of pyramid games: against a brute force."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count, permutations
from random import Random

import pytest

from rules.cards import FACE_DOWN, Card
from rules.catalogue import PYRAMID_GAMES, Game, find_game
from rules.hint_parts import CERTAIN_WIN
from rules.pyramid.findings import Budget
from rules.pyramid.full import FullPosition, random_deal
from rules.pyramid.hint_records import Hints
from rules.pyramid.hints import hints, improving_hints
from rules.pyramid.legality import legal_moves, outcome, play
from rules.pyramid.position import PyramidPosition
from rules.pyramid.search import Limits, solve
from rules.pyramid.worlds import played
from tests.rules_search.brute import TooManyStates, fewest_moves
from tests.rules_search.cases import as_brute, random_game, random_start

LIMIT = 6_000
ENOUGH = Budget(states=50_000, worlds=1, shortest=True)


def mid_game(rng: Random) -> tuple[Game, FullPosition, int]:
    """A game under any options, a position that can be won in it, and in how many moves by the brute force."""
    while True:
        game = random_game(rng)
        start = random_start(game, rng)
        try:
            fewest = fewest_moves(*as_brute(start, game), LIMIT)
        except TooManyStates:
            continue
        if fewest:
            return game, start, fewest


def check_lines(found: Hints, start: FullPosition, game: Game) -> None:
    """Every line of a hint begins with its move, is legal, and wins."""
    for hint in found.hints:
        if hint.win == CERTAIN_WIN:
            assert hint.line[:1] == (hint.move,)
            position = start.to_position()
            for move in hint.line:
                position = play(position, move, game)
            assert outcome(position, game) == "won"


def test_the_best_hint_wins_in_as_few_moves_as_the_brute_force_and_says_so() -> None:
    rng = Random(41)
    for _ in range(80):
        game, start, fewest = mid_game(rng)
        found = hints(start.to_position(), game, rng=Random(0), budget=ENOUGH)
        told = [(len(hint.line), hint.shortest) for hint in found.hints if hint.win == CERTAIN_WIN]
        assert told[0] == (fewest, True), (game.options, start)
        assert told == [(length, length == fewest) for length, _ in sorted(told)], (game.options, start)
        check_lines(found, start, game)


def test_each_move_that_wins_has_the_shortest_line_that_begins_with_it() -> None:
    rng, longer = Random(42), 0
    for _ in range(25):
        game, start, fewest = mid_game(rng)
        found = hints(start.to_position(), game, rng=Random(0), budget=ENOUGH)
        for hint in found.hints:
            after = played(start, hint.move, game.options)
            assert after is not None
            beyond = fewest_moves(*as_brute(after, game), 10 * LIMIT)
            length = None if beyond is None else 1 + beyond
            assert (len(hint.line) if hint.win == CERTAIN_WIN else None) == length, (game.options, start, hint.move)
            longer += length is not None and length > fewest
    assert longer > 5


@pytest.mark.parametrize("states", [1, 3, 10, 40])
def test_with_too_little_work_nothing_is_said_that_the_brute_force_knows_better(states: int) -> None:
    rng, open_ = Random(43), 0
    for _ in range(40):
        game, start, fewest = mid_game(rng)
        found = hints(start.to_position(), game, rng=Random(0), budget=Budget(states=states, worlds=1, shortest=True))
        lines = [hint for hint in found.hints if hint.line and hint.win == CERTAIN_WIN]
        assert all(len(hint.line) == fewest for hint in lines if hint.shortest), (game.options, start)
        assert all(len(hint.line) >= fewest for hint in lines)
        open_ += any(not hint.shortest for hint in lines[:1])
    assert open_ or states > 1


def test_an_idle_pass_that_ends_the_game_is_counted_in_the_shortest_line() -> None:
    """The rules alone are the oracle, for the brute force does not know that one."""
    game = find_game("math-pyramid-three", {"rows": "3", "total": "6"})
    rng, won = Random(5), 0
    while won < 12:
        start = replace(random_start(game, rng), stock_played=rng.random() < 0.5)
        fewest = fewest_by_play(start.to_position(), game)
        if fewest:
            found = hints(start.to_position(), game, rng=Random(0), budget=ENOUGH)
            assert (len(found.hints[0].line), found.hints[0].shortest) == (fewest, True), start
            won += 1


def fewest_by_play(start: PyramidPosition, game: Game) -> int | None:
    """The fewest moves that win, breadth first; None where it cannot be won or is too large."""
    seen, now, moves = {start}, [start], 0
    while now and len(seen) < 600:
        if any(outcome(position, game) == "won" for position in now):
            return moves
        following = {play(position, move, game) for position in now for move in legal_moves(position, game)} - seen
        seen |= following
        now, moves = list(following), moves + 1
    return None


def hidden(start: FullPosition, game: Game, unseen: int) -> PyramidPosition:
    """A position as its player knows it who has not seen the last cards of the stock, and knows all that has gone."""
    lying = {card for row in start.rows for card in row} | {*start.stock, *start.waste, start.turned}
    gone = tuple(card for card in game.options.deck if card not in lying)
    known = start.stock[: len(start.stock) - unseen]
    full = start.to_position()
    stock = (*known, *(FACE_DOWN,) * unseen)
    return replace(full, stock_cards=stock, gone_cards=gone, foundation=gone[-1] if gone else full.foundation)


def test_where_cards_are_unseen_no_line_is_called_shortest_that_is_not_so_in_every_case() -> None:
    """However the unseen cards lie, the brute force finds no shorter line where a hint says that none is."""
    rng, claimed, open_ = Random(44), 0, 0
    for _ in range(250):
        game = find_game("easy-pyramid", {"rows": "3", "total": rng.choice(("6", "8"))})
        start = random_start(game, rng)
        if len(start.stock) < 3 or len(start.stock) > 7:
            continue
        unseen = rng.choice((2, 3))
        found = hints(hidden(start, game, unseen), game, rng=Random(0), budget=ENOUGH)
        lines = [hint for hint in found.hints if hint.line and hint.win == CERTAIN_WIN]
        if not lines:
            continue
        known, rest = start.stock[: len(start.stock) - unseen], start.stock[len(start.stock) - unseen :]
        worlds = [replace(start, stock=(*known, *order)) for order in permutations(rest)]
        fewest = [fewest_moves(*as_brute(world, game), 10 * LIMIT) or 99 for world in worlds]
        assert all(len(hint.line) <= min(fewest) for hint in lines if hint.shortest), (game.options, start)
        claimed += any(hint.shortest for hint in lines)
        open_ += any(not hint.shortest for hint in lines)
    assert min(claimed, open_) > 5


@pytest.mark.parametrize(("under", "fewest"), [("8D", 2), ("QD", 4)])
def test_a_line_that_an_unseen_card_may_make_shorter_is_not_called_the_shortest(under: str, fewest: int) -> None:
    game = find_game("relaxed-pyramid", {"rows": "3"})
    rows = ((Card.parse("5S"),), (Card.parse("9D"), None), (None, None, None))
    stock, top = tuple(map(Card.parse, ("2C", "8H"))), Card.parse("4H")
    truth = FullPosition(rows, stock, (Card.parse(under), top))
    seen = replace(truth.to_position(), waste_cards=(FACE_DOWN, top))
    assert fewest_moves(*as_brute(truth, game), LIMIT) == fewest
    best, known = (hints(each, game, rng=Random(0), budget=ENOUGH).hints[0] for each in (seen, truth.to_position()))
    assert (len(best.line), best.shortest) == (4, False)
    assert (len(known.line), known.shortest) == (fewest, True)


def test_a_line_that_removes_what_any_win_must_remove_is_the_shortest_whatever_is_unseen() -> None:
    game = find_game("relaxed-pyramid", {"rows": "3"})
    rows = ((Card.parse("5S"),), (Card.parse("9D"), None), (None, None, None))
    truth = FullPosition(rows, (Card.parse("2C"),), tuple(map(Card.parse, ("8D", "4H"))))
    seen = replace(truth.to_position(), stock_cards=(FACE_DOWN,))
    best = hints(seen, game, rng=Random(0), budget=ENOUGH).hints[0]
    assert (len(best.line), best.shortest) == (2, True)


def test_without_room_to_remember_states_no_line_is_called_shortest() -> None:
    game = find_game("math-pyramid", {"turned": "held", "passes": "3"})
    start = random_deal(game, Random(3))
    assert solve(start, game, Limits(None), shortest=True).shortest
    assert not solve(start, game, Limits(None, entries=1 << 8), shortest=True).shortest


def test_the_first_answer_proves_nothing_about_length_and_the_last_one_does() -> None:
    game = find_game("easy-pyramid")
    rng, lengths = Random(12), list[list[int]]()
    while len(lengths) < 2:
        start = random_deal(game, rng)
        if solve(start, game, Limits(None, 2_000)).verdict != "winnable":
            continue
        ticks = count()
        thinking = improving_hints(start.to_position(), game, rng=Random(1), seconds=1e6, clock=partial(next, ticks))
        answers = list(thinking)
        assert [answer.settled for answer in answers] == [False] * (len(answers) - 1) + [True]
        assert not answers[0].hints[0].shortest
        assert answers[-1].hints[0].shortest
        lengths.append([len(answer.hints[0].line) for answer in answers])
        assert lengths[-1] == sorted(lengths[-1], reverse=True)
    assert any(told[-1] < told[0] for told in lengths)


@pytest.mark.parametrize("game_id", sorted(PYRAMID_GAMES))
def test_moves_that_win_are_ordered_by_the_length_of_their_lines(game_id: str) -> None:
    game = find_game(game_id)
    rng, tried = Random(game_id), 0
    while tried < 3:
        position = random_deal(game, rng).to_position()
        for _ in range(12):
            found = hints(position, game, rng=Random(0), budget=Budget(states=1))
            if not found.hints:
                break
            position = play(position, rng.choice(found.hints).move, game)
        found = hints(position, game, rng=Random(0), budget=Budget(states=5_000, shortest=True))
        wins = [hint.win == CERTAIN_WIN for hint in found.hints]
        lengths = [len(hint.line) for hint in found.hints if hint.win == CERTAIN_WIN]
        assert wins == sorted(wins, reverse=True)
        assert lengths == sorted(lengths)
        tried += 1
