"""Positions, texts, deals and what follows from what is seen, for the row family."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import GONE, Card, Rank
from rules.catalogue import ROW_GAMES, Game
from rules.errors import CardError, PositionError
from rules.rows.complete import complete
from rules.rows.dealing import deal_cards, random_deal
from rules.rows.foundations import depths
from rules.rows.legality import legal_moves, play
from rules.rows.moves import REVERSE, RowMove, direction
from rules.rows.notation import deal_text, parse_deal, parse_position, position_text
from rules.rows.places import parse_place
from rules.rows.position import RowPosition

from .tables import camera_view, some_position

games = st.sampled_from(list(ROW_GAMES.values()))
ULUBIONY, PIWNICA = ROW_GAMES["ulubiony"], ROW_GAMES["piwnica"]


@given(games, st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_positions_round_trip_as_text_and_json(game: Game, seed: int) -> None:
    position = some_position(game, Random(seed))
    assert parse_position(position_text(position)) == position
    assert RowPosition.from_json(json.loads(json.dumps(position.to_json()))) == position
    for place, lying in position.lying():
        found = parse_place(place)
        assert found is not None and found[0].place(found[1]) == place
        assert position.look(place) == lying
    for move in legal_moves(position, game)[:5]:
        assert RowMove.from_json(json.loads(json.dumps(move.to_json()))) == move


@given(games, st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_deals_round_trip_and_hold_one_deck(game: Game, seed: int) -> None:
    deal = random_deal(game, Random(seed))
    assert parse_deal(deal_text(deal, game), game) == deal
    assert sorted(str(card) for _, card in deal.lying()) == sorted(map(str, game.row_options.deck))
    shape = game.row_options.shape
    assert tuple(map(len, deal.left)) == shape.left and tuple(map(len, deal.right)) == shape.right
    if game.row_options.bases != "centre":
        assert len({card.rank for card in deal.bases if isinstance(card, Card)}) == 1
        assert deal.base_cards == deal.bases


@given(games, st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_what_a_picture_cannot_show_follows_from_the_cards_seen(game: Game, seed: int) -> None:
    """Never a wrong direction or base card; always all that grown foundations tell where the bases have one rank."""
    position = some_position(game, Random(seed))
    told = complete(camera_view(position), game)
    assert told.direction in (None, position.direction) or position.direction is None
    for mine, true in zip(told.base_cards, position.base_cards, strict=True):
        assert mine in (None, true)
    if (
        game.row_options.bases == "aces"
        and position.direction
        and any((depth or 0) > 2 for depth in depths(position, game))
    ):
        assert told.direction == position.direction or 13 in depths(position, game)


def test_polish_text_the_card_at_the_sixth_place_fixes_the_rank_and_earlier_ones_move_to_the_bases() -> None:
    deck = list(ROW_GAMES["nowy-domator"].row_options.deck)
    Random(3).shuffle(deck)
    nines = [card for card in deck if card.rank == Rank.NINE]
    rest = [card for card in deck if card.rank != Rank.NINE]
    dealt = [rest[0], nines[0], rest[1], rest[2], rest[3], nines[1], *rest[4:20], nines[2], *rest[20:], nines[3]]
    deal = deal_cards(dealt, ROW_GAMES["nowy-domator"])
    assert deal.bases == (nines[1], nines[0], nines[2], nines[3])
    assert deal.left[0] == tuple(rest[:5][::-1])
    assert deal.right[0] == tuple(rest[5:10])
    first = deal_cards(dealt, ROW_GAMES["wiezniowie"])
    assert {card.rank for card in first.bases if isinstance(card, Card)} == {rest[0].rank}
    with pytest.raises(PositionError, match="its deck"):
        deal_cards(dealt[:-1], ROW_GAMES["wiezniowie"])


def test_a_deal_may_part_every_half_row_and_lie_in_either_way_in_ulubiony() -> None:
    deal = random_deal(ULUBIONY, Random(4))
    rows = [" ".join(map(str, row)) for row in (deal.bases, *deal.left, *deal.right, *deal.columns)]
    assert parse_deal(" / ".join(rows), ULUBIONY) == deal
    moved = replace(
        deal,
        left=(*deal.left[:2], deal.left[2][:-1], deal.left[3]),
        right=(*deal.right[:3], (*deal.right[3], deal.left[2][-1])),
    )
    assert parse_deal(deal_text(moved, ULUBIONY), ULUBIONY) == moved


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("AS AH AD AC", "groups bases / left half rows / right half rows; this line has 1 groups"),
        ("AS AH AD AC / 2S / 3S", "52 cards of its deck"),
        ("AS AH AD XX / 2S / 3S", "no card"),
    ],
)
def test_a_wrong_deal_is_told(text: str, says: str) -> None:
    with pytest.raises((PositionError, CardError), match=says):
        parse_deal(text, ROW_GAMES["arcydzielo"])


def test_a_deal_with_wrong_groups_or_bases_is_told() -> None:
    game = ROW_GAMES["arcydzielo"]
    bases, left, right = deal_text(random_deal(game, Random(5)), game).split(" / ")
    first, *others = left.split()
    with pytest.raises(PositionError, match="hold 4 / 24 / 24 cards, not 4 / 23 / 25"):
        parse_deal(f"{bases} / {' '.join(others)} / {right} {first}", game)
    ace, *aces = bases.split()
    with pytest.raises(PositionError, match="four aces"):
        parse_deal(f"{first} {' '.join(aces)} / {ace} {' '.join(others)} / {right}", game)
    with pytest.raises(PositionError, match="have one rank"):
        parse_deal(f"{first} {' '.join(aces)} / {ace} {' '.join(others)} / {right}", ROW_GAMES["wiezniowie"])


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"left": [], "right": []}, "there is no base"),
        ({"base": [None] * 3, "left": [], "right": []}, "has 4 places"),
        ({"base": [None] * 4, "left": [[]], "right": []}, "1 half rows on the left, but 0"),
        ({"base": [None] * 4, "left": [["5H", None, "6H"]], "right": [[]]}, "empty place between cards"),
        ({"base": [None] * 4, "left": [], "right": [], "direction": "left"}, "direction is up or down"),
        ({"base": [None] * 4, "left": [], "right": [], "reversed": 1}, "reversed is true or false"),
        ({"base": [None] * 4, "left": [], "right": [], "free_centre": [5]}, "free_centre names places 1 to 4"),
        ({"base": [None] * 4, "left": {}, "right": []}, "left is a list of half rows"),
    ],
)
def test_a_wrong_position_is_told(data: dict[str, object], says: str) -> None:
    with pytest.raises(PositionError, match=says):
        RowPosition.from_json(data)


def test_nulls_at_the_end_of_a_half_row_are_places_already_empty() -> None:
    position = RowPosition.from_json({"base": [None] * 4, "left": [["5H", None], None or []], "right": [[], [None]]})
    assert (position.left, position.right) == (((Card.parse("5H"),), ()), ((), ()))
    assert position.look("left 1 2") is GONE and position.look("left 9 1") is None and position.look("cellar") is None


def test_a_move_that_names_no_card_has_its_choice_as_its_place() -> None:
    assert direction("up").to_json() == {"kind": "direction", "cards": [], "places": ["up"]}
    assert REVERSE.to_json() == {"kind": "reverse", "cards": [], "places": []}
    assert [str(move) for move in (direction("down"), REVERSE)] == ["direction down", "reverse"]
    with pytest.raises(PositionError, match="no move of the row family"):
        RowMove.from_json({"kind": "pair"})


def test_in_piwnica_grown_foundations_tell_which_centre_card_is_the_base() -> None:
    told = 0
    for seed in range(60):
        deal = play(random_deal(PIWNICA, Random(seed)), direction("up"), PIWNICA)
        for choice in (move for move in legal_moves(deal, PIWNICA) if move.kind == "base"):
            chosen = play(deal, choice, PIWNICA)
            for move in legal_moves(chosen, PIWNICA):
                after = play(chosen, move, PIWNICA)
                undecided = any(one.kind == "base" for one in legal_moves(after, PIWNICA))
                if move.kind == "foundation" and move.places[1] == choice.places[0] and not undecided:
                    known = complete(replace(camera_view(after), direction="up"), PIWNICA)
                    assert (known.free_centre, known.base_cards) == (after.free_centre, after.base_cards)
                    told += 1
    assert told >= 3
