"""Records of games: text and back, and a wrong line that does not lose the game so far."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import FACE_DOWN, JOKER
from rules.catalogue import PYRAMID_GAMES, find_game
from rules.errors import PositionError, RuleError, UnknownGameError
from rules.families import family_of
from rules.pyramid.moves import Move
from rules.record import Record, looks_like_record, read_record, read_records, record_text, replay
from tests.rules.tables import fresh, random_game

SMALL = """
# a game of three rows
game: math-pyramid
rules: rows=3 total=6
deal: 6D / 4H 5D / AC 6S 5C / 3D 2D 4D AS 5H 2C 4S 3H 4C 6C 3C 3S 2S AH 5S AD 6H 2H
1. single 6S @ pyramid 3 2
2. pair AC 5C @ pyramid 3 1, pyramid 3 3
turn 3D @ stock, waste
"""


def played(game_id: str, seed: int, most: int = 60) -> Record:
    game, rng = PYRAMID_GAMES[game_id], Random(seed)
    games = list(random_game(game, rng, most))
    return Record(game, games[0].position, tuple(step.move for step in games if step.move))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(PYRAMID_GAMES)), st.integers(0, 10**6), st.integers(0, 40))
def test_a_record_comes_back_from_its_text(game_id: str, seed: int, skipped: int) -> None:
    record = played(game_id, seed)
    begun_later = replay(replace(record, moves=record.moves[:skipped]))
    later = Record(record.game, begun_later.position, record.moves[skipped:])
    for each in (record, later):
        again = read_record(record_text(each))
        assert again.record == each
        assert again.stopped is None
        assert record_text(again.record) == record_text(each)
        assert again.position == replay(each).position


def test_changed_rules_and_cards_never_seen_are_kept() -> None:
    game = find_game("pyramid", {"passes": "3", "apex": "KS"})
    start = fresh(game, Random(2))
    hidden = replace(start, stock_cards=(*(start.stock_cards or ())[:-2], FACE_DOWN, FACE_DOWN))
    text = record_text(Record(game, hidden))
    assert "rules: apex=KS passes=3" in text
    assert text.count("??") == 2
    assert read_record(text).record == Record(game, hidden)


def test_a_record_as_people_write_it() -> None:
    assert looks_like_record(SMALL)
    found = read_record(SMALL)
    assert [str(move) for move in found.record.moves] == ["single 6S", "pair AC 5C", "turn 3D"]
    assert found.stopped is None
    assert [str(card) for card in found.position.rows[1]] == ["4H", "5D"]
    assert len(found.positions) == 4


@pytest.mark.parametrize(
    ("line", "breach"),
    [
        ("4. pair 4H 5D @ pyramid 2 1, pyramid 2 2", ["wrong-total"]),
        ("4. single 6D @ pyramid 1 1", ["covered"]),
        ("4. redeal @ waste, stock", ["stock-not-empty", "no-pass-left"]),
        ("4. castle 4H", []),
        ("4. pair 4H 77", []),
        ("", None),
    ],
)
def test_a_wrong_line_stops_the_record_and_keeps_the_game_so_far(line: str, breach: list[str] | None) -> None:
    found = read_record(SMALL + line + "\nturn 2D @ stock, waste\n")
    assert len(found.record.moves) == (4 if breach is None else 3)
    if breach is None:
        assert found.stopped is None
        return
    assert found.stopped is not None
    assert [broken.breach for broken in found.stopped.violations] == breach
    assert found.stopped.why
    assert found.position == read_record(SMALL).position


def test_an_illegal_move_before_a_line_that_is_no_move_stops_it_first() -> None:
    found = read_record(SMALL + "single 6D @ pyramid 1 1\nwhat is this\n")
    assert found.stopped is not None
    assert found.stopped.violations[0].breach == "covered"


def test_several_games_in_one_text() -> None:
    assert [len(game.record.moves) for game in read_records(SMALL * 3)] == [3, 3, 3]
    with pytest.raises(PositionError, match="one game"):
        read_record(SMALL * 2)
    with pytest.raises(PositionError, match="no record"):
        read_records("1. turn 4H")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("game: chess\ndeal: 4H", UnknownGameError),
        ("game: pyramid\nrules: passes\ndeal: 4H", RuleError),
        ("game: pyramid\nrules: passes=9\ndeal: 4H", RuleError),
        ("game: pyramid\ndeal: 4H 4H", PositionError),
        (SMALL.replace("4H", "4D"), PositionError),
        ("game: pyramid\nposition: KS / 2H 3H", PositionError),
    ],
)
def test_a_beginning_that_cannot_be_read(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        read_record(text)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(PYRAMID_GAMES)), st.integers(0, 10**6))
def test_cards_not_known_at_first_are_learnt_from_the_moves(game_id: str, seed: int) -> None:
    record = played(game_id, seed)
    family, truth = family_of(record.game), record.start
    hidden = replace(
        truth,
        rows=tuple(tuple(FACE_DOWN for _ in row) for row in truth.rows),
        stock_cards=(FACE_DOWN,) * len(truth.stock_cards),
    )
    named: set[object] = {
        card for move in record.moves for card in move.cards if card is not FACE_DOWN and move.kind != "redeal"
    }
    learnt = family.learn(hidden, record.moves, record.game)
    for known, true in zip((*learnt.rows, learnt.stock_cards), (*truth.rows, truth.stock_cards), strict=True):
        for card, real in zip(known, true, strict=True):
            if real == JOKER:
                # Jokers are alike: one that was named says nothing of the others.
                assert card in (real, FACE_DOWN)
            else:
                assert card == (real if real in named else FACE_DOWN) or family.unseen(learnt) == 0


def test_every_truth_that_fits_is_yielded_once_where_there_are_few() -> None:
    game = find_game("math-pyramid")
    start = fresh(game, Random(5))
    stock = start.stock_cards or ()
    hidden = replace(start, stock_cards=(*stock[:-3], FACE_DOWN, FACE_DOWN, FACE_DOWN))
    found = list(family_of(game).truths(hidden, game, Random(1), 6))
    assert len({truth.stock_cards for truth in found}) == 6
    assert start.stock_cards in {truth.stock_cards for truth in found}
    assert len(list(family_of(game).truths(hidden, game, Random(1), 5))) == 5


def test_moves_of_another_kind_are_refused() -> None:
    with pytest.raises(PositionError, match="no move of the pyramid"):
        family_of(PYRAMID_GAMES["pyramid"]).move("castle", (), ())
    assert family_of(PYRAMID_GAMES["pyramid"]).move("redeal", (), ("waste", "stock")) == Move(
        "redeal", (), ("waste", "stock")
    )
