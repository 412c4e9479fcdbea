"""Endings whose unseen cards do not matter: proven, and held against an oracle that lays and plays every world."""

from __future__ import annotations

from typing import Any

import pytest

from companion_app.hints.advise import advise
from rules.catalogue import find_game
from rules.hint_parts import CERTAIN_LOSS, CERTAIN_WIN
from rules.pyramid.hint_records import Hints
from rules.pyramid.position import PyramidPosition
from tests.oracle_endings.comparing import Differences, cases, compare

GONE_ROWS = [[None] * size for size in range(3, 8)]


def answer(game: str, position: dict[str, Any], **rules: str) -> Hints:
    return advise(PyramidPosition.from_json(position), find_game(game, rules), 2.0)


def ending(first: list[str | None], second: list[str | None], **known: Any) -> dict[str, Any]:
    return {"pyramid": [first, second, *GONE_ROWS], **known}


@pytest.mark.parametrize("waste", ["2H", "5H", None])
def test_a_winning_line_that_needs_nothing_unseen_is_proven_and_first(waste: str | None) -> None:
    """King of spades at the apex over five of diamonds and eight of clubs: whatever the stock holds."""
    found = answer("relaxed-pyramid", ending(["KS"], ["5D", "8C"], stock=True, waste=waste))
    best = found.hints[0]
    assert found.verdict == "winnable"
    assert [str(move) for move in best.line] == ["pair 5D 8C", "single KS"]
    assert (best.certainty, best.win) == ("proven", CERTAIN_WIN)


def test_with_goal_all_an_unseen_stock_is_no_proven_win() -> None:
    found = answer("relaxed-pyramid", ending(["KS"], ["5D", "8C"], stock=True, waste="2H"), goal="all")
    assert found.verdict != "winnable"
    assert all(hint.win != CERTAIN_WIN for hint in found.hints)


def test_a_loss_that_no_order_of_the_unseen_can_mend_is_proven() -> None:
    """The eight can leave with a five alone, and all fives have gone."""
    gone = ["5S", "8S", "5H", "8H", "5C", "8D", "5D", "8C"]
    table = {"pyramid": [["8C"], [None, None], [None] * 3], "waste": "2H", "stock": True, "gone_cards": gone[:7]}
    found = answer("relaxed-pyramid", table, rows="3")
    assert found.verdict == "lost"
    assert {(hint.certainty, hint.win) for hint in found.hints} == {("proven", CERTAIN_LOSS)}


def test_a_partner_that_surely_comes_with_a_second_pass_is_proven_by_a_way_to_play() -> None:
    """A five is among the three cards of the stock, and each can be looked at in time: one pass is enough here."""
    rows = [["8C"], [None, None], [None] * 3]
    left = ["5C", "2C", "3C"]
    deck = find_game("relaxed-pyramid", {"rows": "3"}).options.deck
    gone = [str(card) for card in deck if str(card) not in {"8C", "9C", *left}]
    table = {"pyramid": rows, "waste": "9C", "waste_cards": ["9C"], "stock": 3, "gone_cards": gone}
    found = answer("relaxed-pyramid", table, rows="3")
    assert (found.verdict, found.hints[0].win) == ("winnable", CERTAIN_WIN)
    two = {"pyramid": [[None], ["8C", "5S"], [None] * 3], **{key: table[key] for key in ("waste", "waste_cards")}}
    gone = [card for card in gone if card not in ("5S", "8D")]
    hidden = {**two, "stock": 4, "gone_cards": gone}
    assert answer("relaxed-pyramid", hidden, rows="3").hints[0].win == CERTAIN_WIN


def test_face_down_cards_of_the_pyramid_may_be_any_that_are_unseen() -> None:
    """One face-down card, one of the stock: 4 and 9 are left, so whichever lies on the pyramid, the other comes."""
    deck = find_game("pyramid", {"rows": "3"}).options.deck
    rows = [["??"], ["KS", None], [None] * 3]
    gone = [str(card) for card in deck if str(card) not in {"KS", "4C", "9C"}]
    table = {"pyramid": rows, "waste": None, "turned": None, "stock": 1, "gone_cards": gone}
    found = answer("pyramid", table, rows="3")
    assert (found.verdict, found.hints[0].certainty) == ("winnable", "proven")
    gone = [card for card in gone if card != "3C"]
    other = answer("pyramid", {**table, "stock": 2, "gone_cards": gone}, rows="3")
    assert other.verdict == "undecided"


def test_a_won_table_has_no_hint_and_is_winnable() -> None:
    found = answer("relaxed-pyramid", ending([None], [None, None], stock=True, waste="2H"))
    assert (found.hints, found.verdict) == ((), "winnable")


def test_a_move_that_cannot_be_listed_is_no_loss() -> None:
    """The card that lies on the waste is not read: with it the last card of the pyramid may leave."""
    table = {"pyramid": [["8C"], [None, None], [None] * 3], "waste": "!!", "stock": 1}
    assert answer("relaxed-pyramid", table, rows="3").verdict != "lost"


def test_endings_agree_with_the_oracle_over_every_way_the_unseen_cards_may_lie() -> None:
    found = Differences()
    for case in cases(seed=20):
        if found.positions.total() >= 120:
            break
        compare(case, found)
    assert [(kind, case.game, case.options, case.position) for kind, case, _ in found.wrong] == []
    assert min(found.positions[verdict] for verdict in ("winnable", "lost", "undecided")) >= 10
