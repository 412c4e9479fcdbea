"""The catalogue against the table of the rules, and the layouts."""

from __future__ import annotations

import json

import pytest

from rules.cards import Card, deck
from rules.catalogue import GAMES, LANGUAGES, PYRAMID_GAMES, ROW_GAMES, Game, find_game
from rules.errors import RuleError, UnknownGameError
from rules.layouts import LAYOUTS, parse_pyramid_place, pyramid_place
from rules.options import OPTION_VALUES, Options, option_text

DEFAULTS = "total 13, rows 7, face up, apex none, turned laid, passes 1, draw 1, goal pyramid, turn_when always"
DIFFERENT = {
    "pyramid": {"face": "down", "turned": "held"},
    "king-tut": {"face": "down", "turned": "held", "apex": "KS"},
    "tuts-tomb": {"draw": 3, "passes": "unlimited", "overlap": "yes"},
    "relaxed-pyramid": {},
    "easy-pyramid": {"passes": 2},
    "math-pyramid": {},
    "math-pyramid-jokers": {"jokers": 3},
    "math-pyramid-ten": {"total": 10, "rows": 6},
    "math-pyramid-nine": {"total": 9, "rows": 6},
    "math-pyramid-three": {"draw": 3, "passes": "unlimited"},
}


def test_the_ten_games_have_the_options_of_the_sources() -> None:
    assert list(PYRAMID_GAMES) == list(DIFFERENT)
    plain = Options().to_json()
    assert all(f"{name} {plain[name]}" in DEFAULTS for name in list(plain)[:9])
    assert (plain["overlap"], plain["jokers"]) == ("no", 0)
    for game_id, differences in DIFFERENT.items():
        assert GAMES[game_id].options.to_json() == plain | differences, game_id


@pytest.mark.parametrize(
    ("game_id", "deck_size", "stock"),
    [("pyramid", 52, 24), ("math-pyramid-ten", 40, 19), ("math-pyramid-nine", 36, 15), ("math-pyramid-jokers", 55, 27)],
)
def test_english_text_deck_and_stock_sizes(game_id: str, deck_size: int, stock: int) -> None:
    options = GAMES[game_id].options
    assert (len(options.deck), options.stock_size) == (deck_size, stock)


def test_every_game_has_a_name_and_a_line_of_rules_in_four_languages() -> None:
    for game in GAMES.values():
        for texts in (game.names, game.summary):
            assert sorted(texts) == sorted(LANGUAGES)
            assert all(text == text.strip() and text for text in texts.values())
            assert len(set(texts.values())) >= 3, game.id
        json.dumps(game.to_json())


def test_what_is_our_reading_is_marked() -> None:
    assert all("turn_when" in game.our_reading for game in PYRAMID_GAMES.values())
    assert "rows" in GAMES["math-pyramid-nine"].our_reading
    assert {"draw", "passes", "overlap"} <= set(GAMES["tuts-tomb"].our_reading)
    assert "face" in GAMES["king-tut"].our_reading and GAMES["king-tut"].either_face


def test_point_7_the_norwegian_text_says_itself_when_a_game_is_lost() -> None:
    unmarked = [game.id for game in PYRAMID_GAMES.values() if "lost_when" not in game.our_reading]
    assert unmarked == ["relaxed-pyramid", "easy-pyramid"]


WON = {
    "en": "won when all cards",
    "fi": "on voitettu, kun kaikki",
    "pl": "wygrywa się, gdy wszystkie",
    "nb": "vunnet når",
}


@pytest.mark.parametrize("game", ROW_GAMES.values(), ids=list(ROW_GAMES))
def test_point_7_every_row_games_line_says_when_it_is_won(game: Game) -> None:
    assert {code for code, text in game.summary.items() if WON[code] in text} == set(LANGUAGES)


def test_every_value_of_every_option_round_trips() -> None:
    for name, values in OPTION_VALUES.items():
        for text in values:
            needed = {"rows": "3"} | ({"turned": "laid"} if name == "draw" else {})
            game = find_game("math-pyramid", needed | {name: text})
            assert option_text(game.options, name) == text
            assert game.layout == f"pyramid-{game.options.rows}"


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"colour": "red"}, "no rule 'colour'.*total, rows"),
        ({"passes": "4"}, "passes cannot be '4'.*unlimited"),
        ({"total": "6"}, "24 cards.*7 rows need 28"),
        ({"total": "5", "rows": "6"}, "20 cards.*6 rows need 21"),
        ({"apex": "KS", "total": "10", "rows": "5"}, "apex KS is not in the deck"),
        ({"draw": "3", "turned": "held"}, "draw 3 needs turned laid"),
    ],
)
def test_a_wrong_name_value_or_combination_is_told_clearly(rules: dict[str, str], says: str) -> None:
    with pytest.raises(RuleError, match=says):
        find_game("math-pyramid", rules)


def test_a_deck_just_large_enough_is_allowed_and_leaves_no_stock() -> None:
    assert find_game("math-pyramid", {"total": "7"}).options.stock_size == 0


def test_an_unknown_game_is_told_with_those_there_are() -> None:
    with pytest.raises(UnknownGameError, match="king-tut"):
        find_game("tut")


def test_changed_options_are_remembered_and_the_catalogue_stays() -> None:
    game = find_game("king-tut", {"passes": "Unlimited", "face": "up"})
    assert (game.options.passes, game.changed, game.either_face) == (None, ("face", "passes"), False)
    assert GAMES["king-tut"].changed == () and GAMES["king-tut"].options.passes == 1
    assert game.with_rules({"passes": "2"}).changed == ("face", "passes")


def test_each_row_lies_half_over_the_one_above_it() -> None:
    for rows in range(3, 8):
        layout = LAYOUTS[f"pyramid-{rows}"]
        spots = {spot.place: spot for spot in layout.spots}
        assert len(spots) == rows * (rows + 1) // 2
        for spot in layout.spots:
            last = spot.place.startswith(f"pyramid {rows} ")
            assert len(spot.covered_by) == (0 if last else 2)
            x, y = layout.centre(spot.at)
            for cover in spot.covered_by:
                right, down = layout.centre(spots[cover].at)
                assert abs(right - x) == pytest.approx(layout.typical["column"] / 2)
                assert down - y == pytest.approx(layout.typical["row"])
                assert spot.place in spots[cover].covers
        assert layout.centre(layout.spots[0].at) == (0, 0)


def test_norwegian_text_stock_left_waste_to_its_right_foundation_on_the_right() -> None:
    layout = LAYOUTS["pyramid-7"]
    piles = {pile.place: layout.centre(pile.at) for pile in layout.piles}
    lowest = max(layout.centre(spot.at)[1] for spot in layout.spots)
    assert piles["stock"][0] < piles["waste"][0] < piles["foundation"][0]
    assert all(down > lowest for _, down in piles.values())


def test_a_seven_row_pyramid_has_exactly_1430_reachable_shapes() -> None:
    spots = {spot.place: spot.covered_by for spot in LAYOUTS["pyramid-7"].spots}
    shapes, todo = {frozenset(spots)}, [frozenset(spots)]
    while todo:
        shape = todo.pop()
        for place in shape:
            smaller = shape - {place}
            if not shape & set(spots[place]) and smaller not in shapes:
                shapes.add(smaller)
                todo.append(smaller)
    assert len(shapes) == 1430


def test_places_round_trip_and_others_are_refused() -> None:
    assert parse_pyramid_place(pyramid_place(7, 3)) == (7, 3)
    assert [parse_pyramid_place(text) for text in ("stock", "pyramid 2 3", "pyramid 0 0", "pyramid x 1")] == [None] * 4


def test_every_layout_knows_the_highest_rank_of_the_games_laid_so() -> None:
    for layout in LAYOUTS.values():
        dealt = [card.worth for game in GAMES.values() if game.layout == layout.id for card in deck_of(game)]
        assert layout.highest == max(dealt, default=13), layout.id


def deck_of(game: Game) -> tuple[Card, ...]:
    return game.rules.deck if isinstance(game.rules, Options) else deck()
