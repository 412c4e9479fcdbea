"""After the game: verdict, best line and the move that lost the win, against a brute force over every position."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules.cards import FACE_DOWN
from rules.catalogue import Game, find_game
from rules.errors import PositionError
from rules.families import family_of
from rules.pyramid.full import known_position
from rules.pyramid.position import PyramidPosition
from rules.record import Record, read_record, replay
from rules.review import review
from tests.rules.tables import fresh, random_game
from tests.rules_search.brute import TooManyStates, fewest_left
from tests.rules_search.cases import as_brute

SMALL = {"rows": "4", "total": "6", "passes": "1"}
LIMIT = 60_000


def random_record(seed: int) -> Record:
    game = find_game("easy-pyramid", {**SMALL, "turned": "held" if seed % 2 else "laid"})
    steps = list(random_game(game, Random(seed)))
    return Record(game, steps[0].position, tuple(step.move for step in steps if step.move))


def fewest(position: PyramidPosition, game: Game) -> int:
    full = known_position(position, game)
    assert full is not None
    return fewest_left(*as_brute(full, game), LIMIT)


def test_verdict_best_line_and_the_losing_move_agree_with_the_brute_force() -> None:
    checked = lost = 0
    for seed in range(60):
        record = random_record(seed)
        try:
            left = [fewest(position, record.game) for position in replay(record).positions]
        except TooManyStates:
            continue
        found = review(record)
        assert found.exact
        assert found.verdict == ("lost" if left[0] else "winnable")
        assert found.cards_left == left[0]
        if found.won:
            assert found.lost_at is None
        else:
            assert found.lost_at == (next((n for n, count in enumerate(left) if count), None) if not left[0] else None)
            line = replay(Record(record.game, record.start, found.line))
            assert line.stopped is None
            assert line.position.left_in_pyramid() == left[0]
        checked += 1
        lost += found.lost_at is not None
    assert checked >= 40
    assert lost >= 8


def test_an_unfinished_game_that_can_still_be_won_has_lost_nothing() -> None:
    record = next(
        record for record in map(random_record, range(50)) if review(replace(record, moves=())).verdict == "winnable"
    )
    found = review(replace(record, moves=record.moves[:1]))
    assert found.lost_at in (None, 1)
    assert review(replace(record, moves=())).lost_at is None


def hide_last(record: Record, count: int) -> Record:
    """The record of a game broken off before the last cards of the stock were turned."""
    stock = record.start.stock_cards
    hidden = replace(record.start, stock_cards=(*stock[:-count], *(FACE_DOWN,) * count))
    return Record(record.game, hidden, ())


@pytest.mark.parametrize("count", [2, 3])
def test_cards_never_seen_are_looked_at_in_every_order_and_said(count: int) -> None:
    verdicts = set()
    for seed in range(12):
        record = hide_last(random_record(seed), count)
        found = review(record)
        starts = list(family_of(record.game).truths(record.start, record.game, Random(1), 120))
        wins = sum(fewest(start, record.game) == 0 for start in starts)
        assert found.unseen == count
        assert found.exact
        assert found.share is not None
        assert found.share.estimate == wins / len(starts)
        assert found.verdict == ("winnable" if wins == len(starts) else "depends" if wins else "lost")
        assert found.line == ()
        verdicts.add(found.verdict)
    assert len(verdicts) >= 2


def test_more_cards_never_seen_give_a_share_with_an_interval() -> None:
    record = hide_last(random_record(3), 12)
    found = review(record, rng=Random(4))
    assert (found.verdict, found.exact, found.unseen) == ("depends", False, 12)
    assert found.share is not None
    assert found.share.low <= found.share.estimate <= found.share.high
    assert found.share.high - found.share.low > 0.02


def test_the_one_card_never_seen_is_known_because_all_the_others_are() -> None:
    record = random_record(5)
    assert review(hide_last(record, 1)).unseen == 0


def test_a_game_won_was_winnable_whatever_was_never_seen() -> None:
    text = "game: math-pyramid\nrules: total=6 rows=3\ndeal: 6D 6S 6C AC 5C 6H " + "?? " * 18
    moves = ["single 6H @ pyramid 3 3", "pair AC 5C @ pyramid 3 1, pyramid 3 2", "single 6S @ pyramid 2 1"]
    moves += ["single 6C @ pyramid 2 2", "single 6D @ pyramid 1 1"]
    found = review(read_record("\n".join([text, *moves])).record)
    assert (found.verdict, found.won, found.exact, found.unseen) == ("winnable", True, True, 18)
    assert len(found.line) == 5


def test_a_record_that_breaks_a_rule_cannot_be_reviewed() -> None:
    record = random_record(1)
    with pytest.raises(PositionError, match="cannot be played"):
        review(replace(record, moves=(family_of(record.game).move("redeal", (), ("waste", "stock")),)))


def test_time_that_runs_out_is_said() -> None:
    ticks = iter(range(10**9))
    game = find_game("easy-pyramid")
    start = replace(fresh(game, Random(1)))
    hidden = replace(start, stock_cards=(FACE_DOWN,) * len(start.stock_cards or ()))
    found = review(Record(game, hidden), seconds=3.0, clock=lambda: float(next(ticks)), rng=Random(1))
    assert (found.verdict, found.exact, found.unseen) == ("depends", False, 24)
