"""Hints of the row family: exact where all is known, honest where it is not."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random

import pytest

from rules.cards import UNREADABLE, Card
from rules.catalogue import ROW_GAMES, Game, find_game
from rules.rows.dealing import random_deal
from rules.rows.hint_records import REASONS, RowHints
from rules.rows.hints import RowBudget, hints, improving_hints
from rules.rows.legality import legal_moves, outcome, play
from rules.rows.position import RowPosition
from rules.rows.search import Limits, solve

ENOUGH = RowBudget(states=5000)
WHOLE = Limits(None, 5000)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(code) for code in text.split())


def late_position(**known: object) -> RowPosition:
    """A wiezniowie table near its end: up from the seven, five cards of spades and two of hearts still lie about."""
    table = RowPosition(
        cards("AS 4H 6D 6C"),
        cards("7S 7H 7D 7C"),
        (cards("2S 5H"), cards("6S"), cards("5S"), (), ()),
        (cards("6H"), cards("4S 3S"), (), (), ()),
        direction="up",
    )
    return replace(table, **known)  # type: ignore[arg-type]


def advice(position: RowPosition, game: Game) -> RowHints:
    return hints(position, game, budget=ENOUGH)


@pytest.mark.parametrize("game_id", sorted(ROW_GAMES))
def test_every_legal_move_is_listed_once_with_a_known_reason(game_id: str) -> None:
    game = find_game(game_id)
    position = random_deal(game, Random(2))
    found = advice(position, game)
    assert sorted(map(str, legal_moves(position, game))) == sorted(str(hint.move) for hint in found.hints)
    assert all(hint.reason.code in REASONS for hint in found.hints)
    assert all(hint.win.low <= hint.win.estimate <= hint.win.high for hint in found.hints)


@pytest.mark.parametrize("game_id", sorted(ROW_GAMES))
def test_hints_are_as_the_search_of_each_position_after_them(game_id: str) -> None:
    game = find_game(game_id)
    position = random_deal(game, Random(5))
    found = advice(position, game)
    assert found.verdict == solve(position, game, WHOLE).verdict
    for hint in found.hints:
        after = solve(play(position, hint.move, game), game, WHOLE, shorten=False)
        assert hint.certainty == "proven"
        assert (hint.win.estimate, hint.cards_left) == (float(after.verdict == "winnable"), after.cards_left)
    lost = [hint.win.estimate == 0 for hint in found.hints]
    assert lost == sorted(lost)


def test_the_line_of_the_best_hint_wins() -> None:
    game = find_game("arcydzielo")
    rng = Random(1)
    for _ in range(3):
        position = random_deal(game, rng)
        best = advice(position, game).hints[0]
        for move in best.line:
            position = play(position, move, game)
        assert not best.line or outcome(position, game) == "won"


def test_the_direction_that_alone_wins_is_recommended_for_that() -> None:
    game = find_game("ulubiony")
    rng = Random(3)
    while True:
        position = random_deal(game, rng)
        ways = {way: solve(replace(position, direction=way), game, WHOLE).verdict for way in ("up", "down")}
        if set(ways.values()) == {"winnable", "lost"}:
            break
    found = advice(position, game)
    directions = {hint.move.places[0]: hint for hint in found.hints if hint.move.kind == "direction"}
    for way, verdict in ways.items():
        wanted = "only-way-that-wins" if verdict == "winnable" else "fewest-this-way"
        assert directions[way].reason.code == wanted  # type: ignore[index]
    assert found.hints[0].move.kind == "direction"
    assert ways[found.hints[0].move.places[0]] == "winnable"  # type: ignore[index]


def test_polish_piwnica_the_base_of_a_suit_with_several_centre_cards_is_advised() -> None:
    game = find_game("piwnica")
    rng = Random(4)
    position = random_deal(game, rng)
    while not any(move.kind == "base" for move in legal_moves(position, game)):
        position = random_deal(game, rng)
    found = advice(position, game)
    chosen = [hint for hint in found.hints if hint.move.kind == "base"]
    assert chosen
    assert all(hint.reason.code in ("only-way-that-wins", "wins-this-way", "fewest-this-way") for hint in chosen)


def test_a_card_to_its_foundation_comes_first_and_never_hurts() -> None:
    found = advice(late_position(), find_game("wiezniowie"))
    assert found.verdict == "winnable"
    assert found.hints[0].reason.code == "never-hurts"


def test_a_card_that_cannot_be_read_leaves_everything_open() -> None:
    game = find_game("wiezniowie")
    position = late_position()
    hidden = replace(position, left=((UNREADABLE, position.left[0][1]), *position.left[1:]))
    found = advice(hidden, game)
    assert found.verdict == "undecided"
    assert {hint.certainty for hint in found.hints} == {"bound"}


def test_what_rests_on_not_knowing_whether_the_columns_are_reversed_is_not_proven() -> None:
    game = find_game("ulubiony")
    position = replace(random_deal(game, Random(11)), reversed=None)
    by_move = {str(hint.move): hint for hint in advice(position, game).hints}
    worlds = [replace(position, reversed=told) for told in (False, True)]
    for move in legal_moves(position, game):
        verdicts = set()
        for world in worlds:
            legal = move in legal_moves(world, game)
            verdicts.add(solve(play(world, move, game), game, WHOLE).verdict if legal else "illegal")
        if len(verdicts) > 1:
            assert by_move[str(move)].certainty == "bound"


def test_doubtful_places_that_a_proof_rests_on_are_told() -> None:
    game = find_game("wiezniowie")
    found = hints(late_position(), game, budget=ENOUGH, doubtful=("right 2 1",))
    assert all(hint.depends_on == ("right 2 1",) for hint in found.hints if hint.certainty == "proven")


def test_first_answers_get_better() -> None:
    game = find_game("arcydzielo")
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.01
        return now

    answers = list(improving_hints(random_deal(game, Random(1)), game, seconds=2.0, clock=clock))
    proven = [sum(hint.certainty == "proven" for hint in answer.hints) for answer in answers]
    assert len(answers) > 1
    assert proven == sorted(proven)
    assert proven[0] < proven[-1]


def test_a_line_for_which_there_was_no_time_is_made_shorter_by_a_later_answer() -> None:
    game = find_game("arcydzielo")
    ticks = count()
    answers = list(improving_hints(random_deal(game, Random(1)), game, seconds=100.0, clock=lambda: next(ticks) * 0.02))
    lines = [len(hint.line) for answer in answers for hint in answer.hints[:1] if hint.line]
    assert len(lines) > 1
    assert lines[-1] < lines[0]
    assert lines == sorted(lines, reverse=True)


def test_a_game_that_is_won_has_no_hints() -> None:
    game = find_game("wiezniowie")
    won = RowPosition(cards("KS KH KD KC"), cards("AS AH AD AC"), ((),) * 5, ((),) * 5, direction="up")
    found = advice(won, game)
    assert (found.hints, found.verdict) == ((), "winnable")


def test_fills_that_differ_in_the_empty_half_row_alone_are_one_hint() -> None:
    game = find_game("wiezniowie")
    found = advice(late_position(), game)
    fills = [hint.move for hint in found.hints if hint.move.kind == "fill"]
    legal = [move for move in legal_moves(late_position(), game) if move.kind == "fill"]
    cards_filled = {(move.cards, move.places[0]) for move in legal}
    assert len(legal) > len(cards_filled) == len(fills)
    assert {(move.cards, move.places[0]) for move in fills} == cards_filled
    line, position = found.hints[0].line, late_position()
    for move in line:
        position = play(position, move, game)
    assert outcome(position, game) == "won"
