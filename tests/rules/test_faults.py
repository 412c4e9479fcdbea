"""Layout faults: each kind planted and found at its place, none in random legal play."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.catalogue import PYRAMID_GAMES, find_game
from rules.layouts import parse_pyramid_place
from rules.pyramid.faults import Fault, layout_faults
from rules.pyramid.notation import parse_position
from rules.pyramid.position import PyramidPosition
from tests.rules.tables import as_laid, camera_view, fresh, random_game


def card(code: str) -> Card:
    return Card.parse(code)


def put(position: PyramidPosition, place: str, seen: Seen) -> PyramidPosition:
    """The position with something else at a place of the pyramid."""
    spot = parse_pyramid_place(place)
    assert spot is not None
    rows = [list(row) for row in position.rows]
    rows[spot[0] - 1][spot[1] - 1] = seen
    return replace(position, rows=tuple(map(tuple, rows)))


def deal(game_id: str = "math-pyramid", seed: int = 1) -> PyramidPosition:
    """A fresh deal as it lies on the table, the stock a closed pile."""
    game = PYRAMID_GAMES[game_id]
    laid = as_laid(fresh(game, Random(seed)), game)
    return PyramidPosition(rows=laid.rows, stock=True, waste=GONE, turned=GONE, foundation=GONE)


@pytest.mark.parametrize("game_id", list(PYRAMID_GAMES))
def test_random_legal_play_never_yields_faults(game_id: str) -> None:
    game, rng = PYRAMID_GAMES[game_id], Random(21)
    for _ in range(3):
        for number, played in enumerate(random_game(game, rng)):
            for view in (as_laid(played.position, game), camera_view(played, game)):
                assert layout_faults(view, game) == ()
                if number == 0:
                    assert layout_faults(view, game, "deal") == ()


def test_a_card_that_lies_twice_is_named_with_both_places() -> None:
    position = put(deal(), "pyramid 7 1", deal().at(1, 1))
    apex = deal().at(1, 1)
    assert layout_faults(position, PYRAMID_GAMES["math-pyramid"]) == (
        Fault("duplicate-card", ("pyramid 1 1", "pyramid 7 1"), (apex, apex)),
    )


def test_jokers_are_alike_and_only_their_number_counts() -> None:
    game = PYRAMID_GAMES["math-pyramid-jokers"]
    position = parse_position(
        "JK / JK 2S / JK 3S 4S / 5S 6S 7S 8S / 9S 10S JS QS KS / AH 2H 3H 4H 5H 6H / 7H 8H 9H 10H JH QH KH"
    )
    assert layout_faults(position, game) == ()
    more = put(position, "pyramid 7 7", card("JK"))
    assert [fault.kind for fault in layout_faults(more, game)] == ["wrong-count"]
    assert [fault.kind for fault in layout_faults(position, PYRAMID_GAMES["math-pyramid"])] == ["foreign-card"] * 3


def test_a_card_above_the_total_is_foreign() -> None:
    position = put(deal("math-pyramid-ten"), "pyramid 3 2", card("QH"))
    faults = layout_faults(position, PYRAMID_GAMES["math-pyramid-ten"])
    assert faults == (Fault("foreign-card", ("pyramid 3 2",), (card("QH"),)),)


def test_a_gap_in_a_fresh_deal_is_a_missing_card_and_in_play_it_is_not() -> None:
    position, game = put(deal(), "pyramid 7 4", GONE), PYRAMID_GAMES["math-pyramid"]
    assert layout_faults(position, game, "deal") == (Fault("missing-card", ("pyramid 7 4",), ()),)
    assert layout_faults(position, game, "play") == ()


def test_a_missing_card_is_named_where_all_else_is_known() -> None:
    game = PYRAMID_GAMES["math-pyramid"]
    full = fresh(game, Random(2))
    lost = (full.stock_cards or ())[5]
    rest = tuple(one for one in full.stock_cards or () if one != lost)
    position = replace(full, stock=None, stock_count=None, stock_cards=rest)
    assert layout_faults(position, game, "deal") == (
        Fault("wrong-count", ("stock",)),
        Fault("missing-card", (), (lost,)),
    )
    assert Fault("missing-card", (), (lost,)) in layout_faults(position, game, "play")
    gap = put(full, "pyramid 2 1", GONE)
    assert layout_faults(gap, game, "deal") == (Fault("missing-card", ("pyramid 2 1",), (full.at(2, 1),)),)


def test_a_stock_of_the_wrong_size_is_a_wrong_count() -> None:
    position = replace(deal(), stock_count=23)
    assert layout_faults(position, PYRAMID_GAMES["math-pyramid"], "deal") == (Fault("wrong-count", ("stock",)),)
    many = replace(deal(), stock_count=30)
    assert [fault.kind for fault in layout_faults(many, PYRAMID_GAMES["math-pyramid"])] == ["wrong-count"]


def test_a_pyramid_of_other_rows_is_a_wrong_count() -> None:
    faults = layout_faults(deal("math-pyramid-ten"), PYRAMID_GAMES["math-pyramid"])
    assert [fault.kind for fault in faults] == ["wrong-count"] and len(faults[0].places) == 21


def test_cards_where_a_fresh_deal_or_the_game_has_none_are_misplaced() -> None:
    game = PYRAMID_GAMES["math-pyramid"]
    spare = card("AS") if card("AS") not in [one for row in deal().rows for one in row] else None
    position = replace(deal(), waste=UNREADABLE if spare is None else spare, waste_cards=None)
    assert [fault.places for fault in layout_faults(position, game, "deal") if fault.kind == "misplaced"] == [
        ("waste",)
    ]
    held = parse_position(
        "-- / -- -- / -- -- -- / 2S -- -- -- / -- 3S -- -- -- / -- -- -- -- -- -- / -- -- -- -- -- -- -- ; turned=4S"
    )
    assert Fault("misplaced", ("turned",), (card("4S"),)) in layout_faults(held, game)


def test_a_card_taken_from_under_others_leaves_them_misplaced() -> None:
    position = put(deal(), "pyramid 6 3", GONE)
    cards = (GONE, position.at(7, 3), position.at(7, 4))
    expected = Fault("misplaced", ("pyramid 6 3", "pyramid 7 3", "pyramid 7 4"), cards)
    assert layout_faults(position, PYRAMID_GAMES["math-pyramid"]) == (expected,)


def test_finnish_rules_covered_cards_lie_face_down_and_freed_ones_are_turned_up() -> None:
    game = PYRAMID_GAMES["pyramid"]
    position = put(put(deal("pyramid"), "pyramid 3 2", card("JK")), "pyramid 7 2", FACE_DOWN)
    kinds = {(fault.kind, fault.places) for fault in layout_faults(position, game)}
    assert kinds == {
        ("foreign-card", ("pyramid 3 2",)),
        ("should-be-face-down", ("pyramid 3 2",)),
        ("should-be-face-up", ("pyramid 7 2",)),
    }


def test_norwegian_rules_all_cards_lie_face_up() -> None:
    position = put(deal("relaxed-pyramid"), "pyramid 2 1", FACE_DOWN)
    faults = layout_faults(position, PYRAMID_GAMES["relaxed-pyramid"])
    assert faults == (Fault("should-be-face-up", ("pyramid 2 1",), (FACE_DOWN,)),)


def test_king_tut_may_be_laid_face_up_or_face_down_but_not_mixed() -> None:
    game, up = PYRAMID_GAMES["king-tut"], find_game("king-tut", {"face": "up"})
    down = deal("king-tut")
    laid_up = as_laid(fresh(game, Random(1)), up)
    face_up = PyramidPosition(rows=laid_up.rows, stock=True)
    assert layout_faults(down, game) == layout_faults(face_up, game) == ()
    mixed = put(face_up, "pyramid 4 2", FACE_DOWN)
    assert [fault.kind for fault in layout_faults(mixed, game)] == ["should-be-face-up"]
    strict = find_game("king-tut", {"face": "down"})
    assert {fault.kind for fault in layout_faults(face_up, strict)} == {"should-be-face-down"}


def test_king_tut_with_another_card_at_the_apex_is_told_with_where_the_king_lies() -> None:
    game = find_game("king-tut", {"face": "up"})
    laid = as_laid(fresh(game, Random(1)), game)
    other = laid.at(4, 2)
    swapped = put(put(PyramidPosition(rows=laid.rows, stock=True), "pyramid 1 1", other), "pyramid 4 2", card("KS"))
    expected = Fault("wrong-apex", ("pyramid 1 1", "pyramid 4 2"), (other, card("KS")))
    assert layout_faults(swapped, game) == (expected,)


def test_every_fault_is_told_at_once_each_with_its_place() -> None:
    position = put(put(deal(), "pyramid 7 1", deal().at(1, 1)), "pyramid 7 2", UNREADABLE)
    position = put(position, "pyramid 5 5", card("JK"))
    kinds = {fault.kind for fault in layout_faults(position, PYRAMID_GAMES["math-pyramid"], "deal")}
    assert kinds == {"duplicate-card", "unreadable", "foreign-card"}
    unreadable = Fault("unreadable", ("pyramid 7 2",), (UNREADABLE,))
    assert unreadable in layout_faults(position, PYRAMID_GAMES["math-pyramid"])
    assert unreadable.to_json() == {"kind": "unreadable", "places": ["pyramid 7 2"], "cards": ["!!"]}
