"""English text, three cards at a time: the game ends after a full pass in which no stock card was played."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules.cards import Card
from rules.catalogue import Game, find_game
from rules.pyramid.full import FullPosition, known_position, random_deal
from rules.pyramid.hints import hints
from rules.pyramid.legality import legal_moves, outcome, play, violations
from rules.pyramid.moves import REDEAL
from rules.pyramid.notation import fresh, parse_position, position_text
from rules.pyramid.position import PyramidPosition
from rules.pyramid.search import Limits, solve
from rules.record import Record, replay
from rules.review import review
from tests.oracle_endings.judging import Judge
from tests.oracle_endings.playing import Rule, World

THREE = find_game("math-pyramid-three", {"rows": "3"})


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(code) for code in text.split())


def idle_table(*, played: bool | None) -> PyramidPosition:
    """The stock is gone through, nothing can be removed now, but in a new pass the four leaves with the nine."""
    full = FullPosition((cards("5S"), cards("2S 3S"), cards("4H 6D 7C")), (), cards("9H QC KD JH TD AC"))
    return replace(full.to_position(), stock_played=played)


def test_ends_after_an_idle_pass_binds_every_redeal() -> None:
    rows = (cards("5S"), cards("2S 3S"), cards("4H 5D 7C"))
    idle = replace(FullPosition(rows, (), cards("9H QC QD")).to_position(), stock_played=False)
    assert [broken.breach for broken in violations(idle, REDEAL, THREE)] == ["no-pass-left"]
    assert outcome(idle, THREE) == "lost"
    for played in (True, None):
        assert not violations(replace(idle, stock_played=played), REDEAL, THREE)
    assert not violations(idle, REDEAL, find_game("tuts-tomb", {"rows": "3"}))


def test_a_limit_to_the_passes_takes_the_place_of_the_idle_pass() -> None:
    assert not find_game("math-pyramid-three", {"passes": "3"}).ends_after_idle_pass
    assert THREE.ends_after_idle_pass


def test_ends_after_an_idle_pass_is_known_to_hint() -> None:
    rows = (cards("5S"), cards("2S 3S"), cards("4H 5D 7C"))
    table = FullPosition(rows, (), cards("9H QC QD")).to_position()
    found = hints(replace(table, stock_played=False), THREE, rng=Random(1))
    assert (found.hints, found.verdict) == ((), "lost")
    for played in (True, None):
        found = hints(replace(table, stock_played=played), THREE, rng=Random(1))
        assert [hint.move for hint in found.hints] == [REDEAL]


def test_ends_after_an_idle_pass_is_known_to_records_and_review() -> None:
    start = fresh(random_deal(THREE, Random(4)))
    position, moves = start, []
    while turning := [move for move in legal_moves(position, THREE) if move.kind == "turn"]:
        moves.append(turning[0])
        position = play(position, turning[0], THREE)
    stopped = replay(Record(THREE, start, (*moves, REDEAL))).stopped
    assert stopped is not None
    assert [broken.breach for broken in stopped.violations] == ["no-pass-left"]
    seen = review(Record(THREE, start, tuple(moves)))
    last = known_position(position, THREE)
    assert last is not None
    assert last.stock_played is False
    assert (seen.lost_at is not None) == (seen.verdict == "winnable" and solve(last, THREE).verdict == "lost")


def test_whether_a_stock_card_was_played_is_kept_in_texts() -> None:
    for played in (True, False, None):
        table = idle_table(played=played)
        assert parse_position(position_text(table)) == table
        assert PyramidPosition.from_json(table.to_json()) == table


@pytest.mark.parametrize("draw", ["1", "3"])
def test_the_search_agrees_with_brute_force_where_an_idle_pass_ends_the_game(draw: str) -> None:
    rng, verdicts = Random(f"idle {draw}"), dict[str, int]()
    for _ in range(60):
        game = find_game("math-pyramid-three", {"rows": rng.choice("45"), "total": "6", "draw": draw})
        position = fresh(random_deal(game, rng))
        for _ in range(rng.randrange(16)):
            moves = legal_moves(position, game)
            if moves and outcome(position, game) == "open":
                position = play(position, rng.choice((*moves, moves[-1], moves[-1])), game)
        full = known_position(position, game)
        assert full is not None
        found = solve(full, game, Limits(None))
        judge = Judge(_rule(game), frozenset(), 10**7)
        assert found.verdict == ("winnable" if judge.can_be_won(_world(full)) else "lost")
        verdicts[found.verdict] = verdicts.get(found.verdict, 0) + 1
        after = position
        for move in found.moves:
            after = play(after, move, game)
        assert found.verdict == "lost" or outcome(after, game) == "won"
    assert min(verdicts.values()) >= 5


def _rule(game: Game) -> Rule:
    return Rule.of_options(game.options.to_json(), idle_ends=True)


def _world(full: FullPosition) -> World:
    pyramid = tuple(None if card is None else card.worth for row in full.rows for card in row)
    stock, waste = (tuple(card.worth for card in pile) for pile in (full.stock, full.waste))
    return World(pyramid, stock, waste, None, None, full.stock_played)
