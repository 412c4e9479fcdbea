"""Faults of row layouts: none in legal play, each planted one named with its places and cards."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from rules.cards import FACE_DOWN, GONE, JOKER, UNREADABLE, Card, Seen
from rules.catalogue import ROW_GAMES, Game
from rules.errors import PositionError
from rules.fault import Fault, Stage
from rules.rows.complete import complete
from rules.rows.dealing import random_deal
from rules.rows.family import RowFamily
from rules.rows.faults import layout_faults
from rules.rows.hints import hints
from rules.rows.legality import legal_moves, outcome
from rules.rows.notation import parse_position
from rules.rows.position import RowPosition
from rules.rows.referee import explain
from rules.rows.search import solve

from .tables import camera_view, random_steps

ARCYDZIELO, DOMATOR, PIWNICA = (ROW_GAMES[name] for name in ("arcydzielo", "nowy-domator", "piwnica"))
ULUBIONY = ROW_GAMES["ulubiony"]


def card(code: str) -> Card:
    return Card.parse(code)


def kinds(position: RowPosition, game: Game, stage: Stage = "deal") -> list[str]:
    return [fault.kind for fault in layout_faults(position, game, stage)]


def with_card(position: RowPosition, seen: Seen) -> RowPosition:
    """Another card at the outer end of left half row 2."""
    row = (*position.left[1][:-1], seen)
    return replace(position, left=(position.left[0], row, *position.left[2:]))


@pytest.mark.parametrize("game_id", list(ROW_GAMES))
def test_deals_and_legal_play_have_no_faults(game_id: str) -> None:
    game, rng = ROW_GAMES[game_id], Random(41)
    for _ in range(10):
        deal = random_deal(game, rng)
        assert layout_faults(deal, game, "deal") == layout_faults(camera_view(deal), game, "deal") == ()
    for _, _, after in islice(random_steps(game, rng), 80):
        assert layout_faults(after, game) == ()
        assert layout_faults(camera_view(after), game) == ()


@pytest.mark.parametrize("game_id", list(ROW_GAMES))
def test_a_card_that_lies_twice_is_named_with_both_places_and_the_one_it_replaced(game_id: str) -> None:
    game = ROW_GAMES[game_id]
    deal = random_deal(game, Random(42))
    lost, twice = deal.left[1][-1], deal.right[0][0]
    place = f"left 2 {len(deal.left[1])}"
    assert layout_faults(with_card(deal, twice), game, "deal") == (
        Fault("duplicate-card", (place, "right 1 1"), (twice, twice)),
        Fault("missing-card", (), (lost,)),
    )


def test_gaps_of_a_fresh_deal_are_missing_cards_and_surplus_cards_a_wrong_count() -> None:
    deal = random_deal(DOMATOR, Random(43))
    lost = deal.left[1][-1]
    short = replace(deal, left=(deal.left[0], deal.left[1][:-1], *deal.left[2:]))
    assert layout_faults(short, DOMATOR, "deal") == (Fault("missing-card", ("left 2 5",), (lost,)),)
    moved = replace(short, right=((*deal.right[0], lost), *deal.right[1:]))
    assert layout_faults(moved, DOMATOR, "deal") == (
        Fault("wrong-count", ("right 1 6",), (lost,)),
        Fault("missing-card", ("left 2 5",)),
    )
    assert layout_faults(moved, DOMATOR, "play") == ()


def test_in_play_a_card_that_lies_nowhere_is_missing_where_all_else_is_known() -> None:
    deal = random_deal(ARCYDZIELO, Random(44))
    lost = deal.left[1][-1]
    short = replace(deal, left=(deal.left[0], deal.left[1][:-1], *deal.left[2:]))
    assert layout_faults(short, ARCYDZIELO) == (Fault("missing-card", (), (lost,)),)
    assert layout_faults(replace(short, cellar=None), ARCYDZIELO) == ()
    assert layout_faults(with_card(deal, UNREADABLE), ARCYDZIELO) == (
        Fault("unreadable", (f"left 2 {len(deal.left[1])}",), (UNREADABLE,)),
    )


def test_no_foundation_explains_a_missing_card_by_cards_that_lie_elsewhere() -> None:
    game = ROW_GAMES["wiezniowie-12"]
    deal = random_deal(game, Random(46))
    for row, side in ((row, side) for row in range(4) for side in ("left", "right")):
        lines = getattr(deal, side)
        short = replace(deal, **{side: (*lines[:row], lines[row][:-1], *lines[row + 1 :])})
        seen = replace(short, base_cards=(None,) * len(deal.bases), direction=None)
        lost = lines[row][-1]
        found = layout_faults(seen, game)
        # Where it follows the base it may have been played upon it.
        begins = {abs(int(lost.rank) - int(top.rank)) for top in deal.bases if isinstance(top, Card)} & {1, 12}
        assert found == (Fault("missing-card", (), (lost,)),) or begins


def test_a_card_that_must_lie_within_a_foundation_and_is_seen_elsewhere_lies_twice() -> None:
    deal = replace(random_deal(ARCYDZIELO, Random(45)), direction="up")
    suit = deal.bases[0].suit if isinstance(deal.bases[0], Card) else None
    grown = replace(deal, bases=(Card(card("3S").rank, suit), *deal.bases[1:]))
    twos = [place for place, lying in deal.lying() if lying == Card(card("2S").rank, suit)]
    found = layout_faults(grown, ARCYDZIELO)
    assert ("duplicate-card", ("base 1", *twos)) in [(fault.kind, fault.places) for fault in found]


def test_a_joker_is_foreign_and_a_card_face_down_is_told() -> None:
    deal = random_deal(PIWNICA, Random(46))
    assert "foreign-card" in kinds(with_card(deal, card("JK")), PIWNICA)
    assert kinds(with_card(deal, FACE_DOWN), PIWNICA) == ["should-be-face-up"]


def test_polish_text_the_bases_of_arcydzielo_are_the_aces() -> None:
    deal = random_deal(ARCYDZIELO, Random(47))
    swapped = replace(deal, bases=(deal.left[0][0], *deal.bases[1:]), base_cards=(None,) * 4)
    swapped = replace(swapped, left=((deal.bases[0], *deal.left[0][1:]), *deal.left[1:]))
    assert layout_faults(swapped, ARCYDZIELO, "deal") == (Fault("wrong-base", ("base 1",), (deal.left[0][0],)),)


def test_polish_text_the_bases_of_nowy_domator_have_one_rank_and_four_suits() -> None:
    deal = random_deal(DOMATOR, Random(48))
    other = next(one for one in deal.left[0] if one not in deal.bases)
    odd = replace(deal, bases=(*deal.bases[:3], other), base_cards=(None,) * 4)
    assert Fault("wrong-base", ("base 4",), (other,)) in layout_faults(odd, DOMATOR, "deal")
    text = "base=4S 5S 4D 4C ; left=- / - / - / - / - ; right=- / - / - / - / -"
    found = layout_faults(parse_position(text), DOMATOR)
    assert Fault("wrong-base", ("base 1", "base 2"), (card("4S"), card("5S"))) in found
    assert "wrong-base" not in kinds(parse_position(text), PIWNICA)


def test_an_empty_base_place_misses_its_card_but_in_piwnica() -> None:
    deal = random_deal(DOMATOR, Random(49))
    empty = replace(deal, bases=(GONE, *deal.bases[1:]), base_cards=(None, *deal.base_cards[1:]))
    assert layout_faults(empty, DOMATOR, "deal") == (Fault("missing-card", ("base 1",), (deal.bases[0],)),)
    assert "missing-card" in kinds(empty, DOMATOR, "play")


def test_cards_where_the_game_has_no_place_are_misplaced() -> None:
    deal = random_deal(ARCYDZIELO, Random(50))
    full = replace(deal, cellar=deal.left[0][-1], left=(deal.left[0][:-1], *deal.left[1:]))
    assert kinds(full, ARCYDZIELO) == ["missing-card", "misplaced"]
    assert kinds(full, ARCYDZIELO, "play") == []
    assert "misplaced" in kinds(replace(random_deal(DOMATOR, Random(1)), cellar=card("5H")), DOMATOR, "play")
    columns = replace(random_deal(DOMATOR, Random(1)), left_column=(card("5H"),))
    assert "misplaced" in kinds(columns, DOMATOR, "play")


def test_rows_on_which_nothing_is_built_do_not_grow() -> None:
    deal = random_deal(PIWNICA, Random(51))
    longer = replace(deal, left=(deal.left[0][:-1], *deal.left[1:4], (*deal.left[4], deal.left[0][-1])))
    assert [(fault.kind, fault.places) for fault in layout_faults(longer, PIWNICA)] == [("wrong-count", ("left 5 5",))]
    column = random_deal(ULUBIONY, Random(51))
    added = replace(column, left=(column.left[0][:-1], *column.left[1:]))
    added = replace(added, left_column=(*(column.left_column or ()), column.left[0][-1]))
    assert kinds(added, ULUBIONY, "play") == ["wrong-count"]


def test_polish_text_both_places_of_the_two_rows_of_four_of_ulubiony_are_right() -> None:
    deal = random_deal(ULUBIONY, Random(52))
    left, right = list(deal.left), list(deal.right)
    right[3] = (*right[3], left[2][-1])
    left[2] = left[2][:-1]
    moved = replace(deal, left=tuple(left), right=tuple(right))
    assert [len(row) for row in (*moved.left, *moved.right)] == [5, 5, 4, 4, 5, 5, 5, 5]
    assert layout_faults(moved, ULUBIONY, "deal") == ()
    left[1], left[2] = left[1][:-1], (*left[2], left[1][-1])
    wrong = replace(deal, left=tuple(left), right=tuple(right))
    assert set(kinds(wrong, ULUBIONY)) == {"wrong-count", "missing-card"}


def test_other_numbers_of_half_rows_are_one_fault() -> None:
    assert kinds(random_deal(ULUBIONY, Random(53)), ARCYDZIELO) == ["wrong-count"]


def test_every_fault_is_told_at_once() -> None:
    deal = random_deal(ARCYDZIELO, Random(54))
    twice = with_card(deal, deal.right[0][0])
    worse = replace(twice, right=(*twice.right[:4], (*twice.right[4][:-1], UNREADABLE)), cellar=card("JK"))
    assert set(kinds(worse, ARCYDZIELO)) == {"duplicate-card", "unreadable", "foreign-card", "misplaced"}


JOKER_IN_A_ROW = {"base": ["KS", "KH", "KD", "KC"], "left": [["JK"], [], [], [], []], "right": [[], [], [], [], []]}


@pytest.mark.parametrize("game_id", ["arcydzielo", "nowy-domator", "wiezniowie", "piwnica"])
def test_a_joker_in_a_row_position_is_a_foreign_card_and_refused_elsewhere(game_id: str) -> None:
    game, position = ROW_GAMES[game_id], RowPosition.from_json(JOKER_IN_A_ROW)
    assert Fault("foreign-card", ("left 1 1",), (JOKER,)) in layout_faults(position, game)
    for ask in (hints, solve, RowFamily().left_parts):
        with pytest.raises(
            PositionError, match=f"left 1 1 holds a joker, which does not belong to the deck of {game_id}"
        ):
            ask(replace(position, cellar=GONE), game)


@pytest.mark.parametrize("game_id", list(ROW_GAMES))
@pytest.mark.parametrize("key", ["base", "base_cards", "left", "left_column", "cellar"])
def test_a_joker_anywhere_crashes_nothing(game_id: str, key: str) -> None:
    game = ROW_GAMES[game_id]
    for deal in (random_deal(game, Random(9)), replace(random_deal(game, Random(9)), direction="up", cellar=None)):
        data = deal.to_json() | {"base_cards": ["AS", None, None, None]} | {"left_column": ["2S"], "cellar": "3S"}
        where = data[key] = ["JK", *data[key][1:]] if key != "cellar" else "JK"
        if key == "left":
            data[key] = [["JK"], *data[key][1:]]
        position = RowPosition.from_json(data)
        assert "JK" in str(where)
        assert "foreign-card" in kinds(position, game, "play") and "foreign-card" in kinds(position, game, "deal")
        complete(position, game)
        legal_moves(position, game)
        outcome(position, game)
        for ask in (hints, solve, RowFamily().left_parts, lambda one, game: explain(one, one, game)):
            with pytest.raises(PositionError, match="a joker, which does not belong"):
                ask(position, game)
