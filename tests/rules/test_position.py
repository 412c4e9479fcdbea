"""Positions: JSON, canonical text, what follows, and sampling of what is not known."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, parse_seen
from rules.catalogue import PYRAMID_GAMES
from rules.errors import CardError, PositionError
from rules.pyramid.complete import complete
from rules.pyramid.full import known_position, random_deal, sample_full, unseen_cards
from rules.pyramid.notation import deal_text, parse_deal, parse_position, position_text
from rules.pyramid.position import PyramidPosition, known_cards
from tests.rules.tables import camera_view, fresh, random_game

codes = st.sampled_from([None, "??", "!!", "JK", "AS", "10H", "KD", "5C", "7S"])
listed = st.lists(st.sampled_from(["??", "2C", "3C", "4C", "JK"]), max_size=5)
games = st.sampled_from(list(PYRAMID_GAMES.values()))


@st.composite
def position_objects(draw: st.DrawFn) -> dict[str, Any]:
    """Objects as in the contract, each key there or not."""
    rows = draw(st.integers(3, 7))
    data: dict[str, Any] = {"pyramid": [[draw(codes) for _ in range(row)] for row in range(1, rows + 1)]}
    for key, values in (("turned", codes), ("foundation", codes), ("gone_cards", listed), ("pass", st.integers(1, 3))):
        if draw(st.booleans()):
            data[key] = draw(values)
    if draw(st.booleans()):
        data["stock"] = draw(st.one_of(st.booleans(), st.integers(0, 30)))
    elif draw(st.booleans()):
        data["stock_cards"] = draw(listed)
    data |= draw(
        st.one_of(st.just({}), st.fixed_dictionaries({"waste": codes}), st.fixed_dictionaries({"waste_cards": listed}))
    )
    return data


@given(position_objects())
@settings(max_examples=150, deadline=None)
def test_positions_round_trip_through_json_and_canonical_text(data: dict[str, Any]) -> None:
    position = PyramidPosition.from_json(data)
    printed = position.to_json()
    assert PyramidPosition.from_json(printed) == position
    assert parse_position(position_text(position)) == position
    assert printed["pyramid"] == data["pyramid"]
    for key in ("turned", "foundation", "pass", "waste", "gone_cards", "stock_cards", "waste_cards"):
        if key in data:
            assert printed[key] == data[key]
    if "stock" in data:
        assert printed["stock"] == (data["stock"] or False)


def test_absent_is_not_known_and_null_is_empty() -> None:
    rows = [["AS"], ["2S", "3S"], ["4S", "5S", "6S"]]
    position = PyramidPosition.from_json({"pyramid": rows, "turned": None})
    assert (position.turned, position.waste, position.stock) == (GONE, None, None)
    assert position.to_json() == {"pyramid": rows, "turned": None}


@pytest.mark.parametrize(
    "extra",
    [
        {"stock": 3, "stock_cards": ["AS"]},
        {"stock": False, "stock_cards": ["AS"]},
        {"stock": -1},
        {"stock": "many"},
        {"waste": "2S", "waste_cards": ["2S", "3S"]},
        {"waste": None, "waste_cards": ["3S"]},
        {"pass": 0},
        {"pass": "first"},
        {"stock_cards": "AS"},
        {"stock_cards": [None]},
        {"waste": "11S"},
        {"pyramid": [["AS"], ["2S"]]},
        {"pyramid": "AS"},
    ],
)
def test_keys_that_contradict_each_other_are_refused(extra: dict[str, Any]) -> None:
    with pytest.raises((PositionError, CardError)):
        PyramidPosition.from_json({"pyramid": [["AS"], ["4H", "5H"]]} | extra)


@pytest.mark.parametrize("text", ["KS / 2H", "KS ; stock=many", "KS ; colour=red", "KS ; waste", "K S"])
def test_texts_that_are_no_position_are_refused(text: str) -> None:
    with pytest.raises((PositionError, CardError)):
        parse_position(text)


def test_a_picture_gives_a_position_with_unseen_places_unreadable_and_unseen_piles_unknown() -> None:
    game = PYRAMID_GAMES["math-pyramid"].with_rules({"rows": "3"})
    places = {f"pyramid {r} {c}": parse_seen("AS" if c == 1 else None) for r in (1, 2, 3) for c in range(1, r + 1)}
    del places["pyramid 2 1"]
    position = PyramidPosition.from_places(game, places | {"stock": True, "waste": parse_seen("!!")})
    assert position.at(2, 1) is UNREADABLE
    assert position.at(2, 2) is GONE
    assert (position.stock, position.waste, position.turned, position.foundation) == (True, UNREADABLE, None, None)
    assert position.look("stock") is FACE_DOWN and position.look("pyramid 9 1") is None


@given(games, st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_deals_round_trip_through_the_line_of_solve(game: Any, seed: int) -> None:
    deal = random_deal(game, Random(seed))
    assert parse_deal(deal_text(deal), game) == deal
    assert known_position(deal.to_position(), game) == deal
    if game.options.apex is not None:
        assert deal.rows[0][0] == game.options.apex


@pytest.mark.parametrize("text", ["", "AS 2S", "AS " * 52])
def test_a_deal_without_every_card_once_is_refused(text: str) -> None:
    with pytest.raises(PositionError):
        parse_deal(text, PYRAMID_GAMES["math-pyramid"])


def test_a_deal_of_king_tut_has_the_king_of_spades_at_the_apex() -> None:
    deal = deal_text(random_deal(PYRAMID_GAMES["king-tut"], Random(1))).split()
    with pytest.raises(PositionError, match="KS at the apex"):
        parse_deal(" ".join(deal[1:] + deal[:1]), PYRAMID_GAMES["king-tut"])


@pytest.mark.parametrize("game_id", list(PYRAMID_GAMES))
def test_samples_fit_everything_the_picture_shows(game_id: str) -> None:
    game, rng = PYRAMID_GAMES[game_id], Random(7)
    size = len(game.options.deck)
    for played in random_game(game, rng):
        view = camera_view(played, game)
        full = sample_full(view, game, rng)
        lying = [card for row in full.rows for card in row if card is not None] + [*full.stock, *full.waste]
        lying += [full.turned] if full.turned is not None else []
        assert not Counter(lying) - Counter(game.options.deck)
        assert bool(full.stock) == view.stock
        assert (full.waste[-1] if full.waste else GONE) == view.waste
        assert (full.turned or GONE) == view.turned
        for row, seen_row in zip(full.rows, view.rows, strict=True):
            for card, seen in zip(row, seen_row, strict=True):
                assert (card or GONE) == seen or (seen is FACE_DOWN and card is not None)
        assert size - len(lying) >= game.options.pyramid_size - view.left_in_pyramid()


def test_cards_sampled_as_gone_left_in_pairs_that_make_the_total() -> None:
    game, rng = PYRAMID_GAMES["relaxed-pyramid"], Random(3)
    views = [camera_view(played, game, pile=False) for played in random_game(game, rng)]
    for view in views:
        full = sample_full(view, game, rng)
        lying = [card for row in full.rows for card in row if card] + [*full.stock, *full.waste]
        gone = Counter(card.worth for card in (Counter(game.options.deck) - Counter(lying)).elements())
        assert all(gone[worth] == gone[13 - worth] for worth in range(1, 7))


def test_a_fresh_deal_is_known_to_be_one_and_nothing_is_sampled_as_gone() -> None:
    game = PYRAMID_GAMES["pyramid"]
    view = camera_view(next(random_game(game, Random(4))), game)
    assert complete(view, game).stock_count == 24
    assert len(sample_full(view, game, Random(5)).stock) == 24


def test_the_split_of_unseen_cards_is_sampled_and_not_assumed() -> None:
    game, rng = PYRAMID_GAMES["easy-pyramid"], Random(6)
    view = camera_view(list(random_game(game, rng))[12], game, pile=False)
    samples = [sample_full(view, game, rng) for _ in range(60)]
    assert len({len(sample.stock) for sample in samples}) > 5
    assert {sample.pass_number for sample in samples} == {1, 2}


def test_a_card_seen_twice_cannot_be_sampled() -> None:
    game = PYRAMID_GAMES["relaxed-pyramid"]
    position = fresh(game, Random(8))
    twice = PyramidPosition(rows=((position.at(2, 1),), *position.rows[1:]), stock=True)
    with pytest.raises(PositionError, match="more often"):
        sample_full(twice, game, Random(1))


def test_unseen_cards_are_the_deck_without_all_that_is_named() -> None:
    game = PYRAMID_GAMES["relaxed-pyramid"]
    position = fresh(game, Random(9))
    assert unseen_cards(position, game) == ()
    hidden = PyramidPosition(rows=position.rows, stock=True)
    assert sorted(map(str, unseen_cards(hidden, game))) == sorted(map(str, position.stock_cards or ()))
    assert all(isinstance(card, Card) for card in known_cards([FACE_DOWN, GONE, Card.parse("AS")]))


def test_a_null_stock_is_empty_and_an_absent_one_is_not_known() -> None:
    rows = [[None], [None, None], [None, None, None]]
    assert PyramidPosition.from_json({"pyramid": rows, "stock": None}).stock is False
    assert PyramidPosition.from_json({"pyramid": rows}).stock is None
