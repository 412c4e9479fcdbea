"""Legality: the texts' rules one by one, an independent oracle, and properties of random play."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from rules.cards import FACE_DOWN, GONE, Card
from rules.catalogue import PYRAMID_GAMES, Game, find_game
from rules.errors import IllegalMove
from rules.pyramid.legality import free_places, is_legal, legal_moves, outcome, play, violations
from rules.pyramid.moves import REDEAL, Move, pair, single, turn
from rules.pyramid.notation import parse_position
from rules.pyramid.position import PyramidPosition
from rules.violation import Violation
from tests.rules.tables import fresh, random_game

THREE = {"rows": "3"}


def card(code: str) -> Card:
    return Card.parse(code)


def breaches(position: PyramidPosition, move: Move, game: Game) -> list[str]:
    return [violation.breach for violation in violations(position, move, game)]


def test_two_free_cards_that_make_the_total_leave_together_and_a_king_alone() -> None:
    game = find_game("math-pyramid", THREE)
    position = parse_position("2S / 3S 4S / 6S 7H KD ; stock=5 ; turned=-- ; waste=-- ; gone_cards=")
    assert {str(move) for move in legal_moves(position, game)} == {"single KD", "pair 6S 7H", "turn ??"}
    after = play(position, pair(card("6S"), "pyramid 3 1", card("7H"), "pyramid 3 2"), game)
    assert after.rows[2] == (GONE, GONE, card("KD"))
    assert set(free_places(after, game)) == {"pyramid 2 1", "pyramid 3 3"}
    assert after.gone_cards == (card("6S"), card("7H"))
    assert play(after, single(card("KD"), "pyramid 3 3"), game).foundation == card("KD")


def test_a_covered_card_is_not_free_and_the_breach_names_what_covers_it() -> None:
    game = find_game("math-pyramid", THREE)
    position = parse_position("2S / 9S 4S / 6S 7H 4D ; stock=5")
    move = pair(card("9S"), "pyramid 2 1", card("4D"), "pyramid 3 3")
    assert violations(position, move, game) == (
        Violation("covered", ("pyramid 2 1", "pyramid 3 1", "pyramid 3 2"), (card("9S"), card("6S"), card("7H"))),
    )
    with pytest.raises(IllegalMove, match="covered") as raised:
        play(position, move, game)
    assert raised.value.violations == violations(position, move, game)


def test_every_broken_rule_is_told_at_once() -> None:
    game = find_game("math-pyramid", THREE)
    position = parse_position("2S / 9S 4S / 6S 7H 4D ; stock=5 ; waste=--")
    move = pair(card("9S"), "pyramid 2 1", card("3D"), "waste")
    assert breaches(position, move, game) == ["covered", "not-in-play", "wrong-total"]


@pytest.mark.parametrize(
    ("move", "breach"),
    [
        (single(card("6S"), "pyramid 3 1"), "wrong-total"),
        (pair(card("6S"), "pyramid 3 1", card("4D"), "pyramid 3 3"), "wrong-total"),
        (pair(card("6S"), "pyramid 3 1", card("7C"), "stock"), "not-in-play"),
        (pair(card("6S"), "pyramid 3 1", card("7C"), "foundation"), "not-in-play"),
        (pair(card("6S"), "pyramid 3 1", card("7C"), "turned"), "not-in-play"),
        (pair(card("6S"), "pyramid 3 1", card("7D"), "pyramid 3 2"), "not-in-play"),
        (pair(card("6S"), "pyramid 3 1", card("7C"), "pyramid 4 1"), "not-in-play"),
        (pair(card("6S"), "pyramid 3 1", card("6S"), "pyramid 3 1"), "wrong-count"),
        (turn((card("7C"),), held=False), "not-in-play"),
        (turn((FACE_DOWN,) * 2, held=False), "wrong-count"),
        (REDEAL, "stock-not-empty"),
    ],
)
def test_each_breach_has_its_name(move: Move, breach: str) -> None:
    game = find_game("math-pyramid", THREE)
    position = parse_position("2S / 9S 4S / 6S 7H 4D ; stock_cards=8C 7C ; waste_cards=2C 3C ; turned=-- ; pass=1")
    assert breach in breaches(position, move, game)


def test_finnish_rules_the_card_just_turned_may_pair_with_the_waste_top_it_will_cover() -> None:
    game = find_game("pyramid", THREE)
    position = parse_position("?? / ?? ?? / 6S QH 4D ; stock_cards=8C ; waste_cards=2C 5C ; turned=8D ; pass=1")
    move = pair(card("8D"), "turned", card("5C"), "waste")
    assert move in legal_moves(position, game)
    after = play(position, move, game)
    assert (after.turned, after.waste) == (GONE, card("2C"))
    turned = play(position, turn((card("8C"),), held=True), game)
    assert (turned.turned, turned.waste_cards) == (card("8C"), (card("2C"), card("5C"), card("8D")))


def test_norwegian_rules_a_turned_card_lies_on_the_waste_and_only_its_top_is_in_play() -> None:
    game = find_game("relaxed-pyramid", THREE)
    position = parse_position("AS / AC AD / 6S QH 4D ; stock_cards=8C ; waste_cards=2C 5C ; pass=1")
    after = play(position, turn((card("8C"),), held=False), game)
    assert (after.waste, after.stock) == (card("8C"), False)
    assert breaches(after, pair(card("8C"), "waste", card("5C"), "waste"), game) == ["wrong-count"]
    assert not any(move.kind in ("pair", "redeal") for move in legal_moves(after, game))


def test_norwegian_rules_win_with_cards_left_in_stock() -> None:
    position = parse_position("-- / -- -- / -- -- -- ; stock=20 ; waste=2C")
    assert outcome(position, find_game("relaxed-pyramid", THREE)) == "won"
    assert outcome(position, find_game("relaxed-pyramid", THREE | {"goal": "all"})) == "open"
    empty = parse_position("-- / -- -- / -- -- -- ; stock=0 ; waste=-- ; turned=--")
    assert outcome(empty, find_game("relaxed-pyramid", THREE | {"goal": "all"})) == "won"


def test_norwegian_easy_level_has_two_passes_and_a_redeal_keeps_the_order() -> None:
    game = find_game("easy-pyramid", THREE)
    position = parse_position("AS / AC AD / 6S QH 4D ; stock=0 ; waste_cards=2C 5C 8C ; turned=-- ; pass=1")
    again = play(position, REDEAL, game)
    assert (again.stock_cards, again.waste, again.pass_number) == ((card("2C"), card("5C"), card("8C")), GONE, 2)
    second = parse_position("AS / AC AD / 6S QH 4D ; stock=0 ; waste_cards=2C 5C 8C ; turned=-- ; pass=2")
    assert breaches(second, REDEAL, game) == ["no-pass-left"]
    assert outcome(second, game) == "lost"


def test_the_held_card_goes_to_the_waste_when_the_stock_is_turned_over() -> None:
    game = find_game("pyramid", THREE | {"passes": "2"})
    position = parse_position("?? / ?? ?? / 6S QH 4D ; stock=0 ; waste_cards=2C 5C ; turned=KD ; pass=1")
    assert play(position, REDEAL, game).stock_cards == (card("2C"), card("5C"), card("KD"))


def test_english_text_three_cards_at_a_time_and_only_the_uppermost_in_play() -> None:
    game = find_game("math-pyramid-three", THREE)
    position = parse_position("AS / AC AD / 6S QH 4D ; stock_cards=8C 7C 9C 2C ; waste=-- ; pass=1")
    after = play(position, turn((card("8C"), card("7C"), card("9C")), held=False), game)
    assert {str(move) for move in legal_moves(after, game)} == {"pair 4D 9C", "turn 2C"}
    played = play(after, pair(card("4D"), "pyramid 3 3", card("9C"), "waste"), game)
    assert "pair 6S 7C" in {str(move) for move in legal_moves(played, game)}
    assert breaches(after, turn((FACE_DOWN,) * 3, held=False), game) == ["wrong-count"]


def test_english_text_the_game_ends_after_a_pass_in_which_nothing_could_be_played() -> None:
    game = find_game("math-pyramid-three", THREE)
    lost = parse_position("AS / AC AD / 6S 5H 4D ; stock_cards=2C 2D ; waste_cards=3C ; turned=-- ; pass=4")
    assert outcome(lost, game) == "lost"
    saved = parse_position("AS / AC AD / 6S 5H 4D ; stock_cards=2C 9D ; waste_cards=3C ; turned=-- ; pass=4")
    assert outcome(saved, game) == "open"


@pytest.mark.parametrize("game_id", ["pyramid", "math-pyramid"])
def test_finnish_and_english_texts_read_strictly_a_card_is_turned_only_when_nothing_can_be_removed(
    game_id: str,
) -> None:
    game = find_game(game_id, THREE | {"turn_when": "stuck"})
    position = parse_position("2S / 3S 4S / 6S 7H KD ; stock_cards=8C ; turned=-- ; waste=-- ; pass=1")
    move = turn((card("8C"),), held=game.options.turned == "held")
    assert violations(position, move, game) == (Violation("pair-available", ("pyramid 3 3",), (card("KD"),)),)
    assert is_legal(position, move, find_game(game_id, THREE))
    assert all(move.kind != "turn" for move in legal_moves(position, game))


def test_overlap_lets_a_card_pair_with_the_single_card_that_still_covers_it() -> None:
    position = parse_position("2S / 9S 6D / -- 4H 7D ; stock=5 ; waste=--")
    move = pair(card("9S"), "pyramid 2 1", card("4H"), "pyramid 3 2")
    game = find_game("math-pyramid", THREE | {"overlap": "yes"})
    assert move in legal_moves(position, game)
    assert play(position, move, game).rows[1][0] is GONE
    assert breaches(position, move, find_game("math-pyramid", THREE)) == ["covered"]
    two_above = parse_position("2S / 9S 6D / 2H 4H 7D ; stock=5 ; waste=--")
    assert breaches(two_above, move, game) == ["covered"]


def test_a_joker_pairs_with_any_card_but_the_total_and_with_another_joker() -> None:
    game = find_game("math-pyramid-jokers", THREE)
    position = parse_position("2S / 9S 6D / JK 4H KD ; stock=0 ; waste=JK ; turned=--")
    assert {str(move) for move in legal_moves(position, game)} == {
        "single KD",
        "pair JK 4H",
        "pair JK JK",
        "pair 4H JK",
    }
    assert breaches(position, pair(card("JK"), "waste", card("KD"), "pyramid 3 3"), game) == ["wrong-total"]
    assert breaches(position, single(card("JK"), "waste"), game) == ["wrong-total"]


def test_english_text_ten_goes_alone_and_two_fives_are_a_pair() -> None:
    game = find_game("math-pyramid-ten", THREE)
    position = parse_position("2S / 9S 6D / 5S 5H 10D ; stock=0 ; waste=-- ; turned=--")
    assert {str(move) for move in legal_moves(position, game)} == {"single 10D", "pair 5S 5H"}


def test_a_face_down_card_freed_stays_unknown_until_it_is_seen() -> None:
    game = find_game("pyramid", THREE)
    position = parse_position("?? / ?? ?? / 6S 7H 4D ; stock=0 ; waste=-- ; turned=--")
    after = play(position, pair(card("6S"), "pyramid 3 1", card("7H"), "pyramid 3 2"), game)
    assert "pyramid 2 1" in free_places(after, game)
    assert legal_moves(after, game) == () and outcome(after, game) == "open"
    assert is_legal(after, pair(card("9S"), "pyramid 2 1", card("4D"), "pyramid 3 3"), game)


def test_what_is_not_known_is_not_held_against_a_move() -> None:
    game = find_game("easy-pyramid", THREE)
    position = parse_position("AS / AC AD / 6S QH 4D")
    assert is_legal(position, turn((FACE_DOWN,), held=False), game)
    assert is_legal(position, REDEAL, game)
    assert is_legal(position, pair(card("6S"), "pyramid 3 1", card("7C"), "waste"), game)


OPTION_SETS = [
    {},
    {"turned": "held", "passes": "2"},
    {"overlap": "yes", "passes": "3"},
    {"draw": "3", "passes": "unlimited"},
    {"jokers": "2", "turned": "held", "goal": "all"},
    {"turn_when": "stuck", "overlap": "yes", "turned": "held", "passes": "2"},
    {"total": "9", "face": "down", "turn_when": "stuck"},
]


def oracle(position: PyramidPosition, game: Game) -> set[frozenset[str]]:
    """The places of every legal removal, worked out afresh from the wording of the rules."""
    total, rows = game.options.total, position.rows
    lying = {(r, c): rows[r][c] for r in range(len(rows)) for c in range(r + 1) if rows[r][c] is not GONE}
    on_top = {(r, c): [(r + 1, c + d) for d in (0, 1) if (r + 1, c + d) in lying] for r, c in lying}
    names = {spot: f"pyramid {spot[0] + 1} {spot[1] + 1}" for spot in lying}
    usable: dict[str, Card] = {names[spot]: lying[spot] for spot in lying if not on_top[spot]}
    if position.waste_cards:
        usable["waste"] = position.waste_cards[-1]
    if game.options.turned == "held" and position.turned is not GONE:
        usable["turned"] = position.turned

    def fits(one: Card, other: Card) -> bool:
        if "JK" in (str(one), str(other)):
            return total not in (one.worth, other.worth)
        return one.worth + other.worth == total

    found = {frozenset([place]) for place, one in usable.items() if one.worth == total}
    found |= {frozenset(two) for two in combinations(usable, 2) if fits(usable[two[0]], usable[two[1]])}
    if game.options.overlap:
        for spot, tops in on_top.items():
            if len(tops) == 1 and not on_top[tops[0]] and fits(lying[spot], lying[tops[0]]):
                found.add(frozenset([names[spot], names[tops[0]]]))
    return found


@pytest.mark.parametrize("options", OPTION_SETS, ids=str)
def test_legal_removals_are_those_of_an_independent_oracle(options: dict[str, str]) -> None:
    rng, checked = Random(11), 0
    game = find_game("math-pyramid", {"rows": "5"} | options)
    for _ in range(6):
        for played in random_game(game, rng):
            moves = legal_moves(played.position, game)
            taken = {frozenset(move.places) for move in moves if move.kind in ("pair", "single")}
            assert taken == oracle(played.position, game)
            turnable = any(move.kind == "turn" for move in moves)
            assert turnable == bool(played.position.stock and (game.options.turn_when == "always" or not taken))
            checked += 1
    assert checked > 40


@pytest.mark.parametrize("game_id", list(PYRAMID_GAMES))
def test_in_random_play_no_card_is_lost_and_every_move_is_undone_by_dropping_it(game_id: str) -> None:
    game, rng = PYRAMID_GAMES[game_id], Random(12)
    size = len(game.options.deck)
    for _ in range(3):
        last = fresh(game, rng)
        for played in random_game(game, rng):
            now = played.position
            lying = now.left_in_pyramid() + (now.stock_count or 0) + len(now.waste_cards or ())
            lying += now.turned not in (GONE, None)
            assert lying + len(now.gone_cards or ()) == size
            assert hash(now) == hash(PyramidPosition.from_json(now.to_json()))
            last = now
        assert outcome(last, game) in ("won", "lost", "open")
        if not legal_moves(last, game):
            assert outcome(last, game) in ("won", "lost")


def test_moves_round_trip_through_json() -> None:
    game, rng = PYRAMID_GAMES["easy-pyramid"], Random(13)
    for played in random_game(game, rng):
        if played.move is not None:
            assert Move.from_json(played.move.to_json()) == played.move
    assert REDEAL.to_json() == {"kind": "redeal", "cards": [], "places": ["waste", "stock"]}


def test_a_card_face_down_under_a_single_free_one_may_leave_with_it_so_that_the_game_is_not_lost() -> None:
    game = find_game("tuts-tomb", {"rows": "3", "face": "down", "passes": "1"})
    position = parse_position("?? / 9S -- / -- -- -- ; stock=no ; waste=-- ; turned=--")
    assert outcome(position, game) == "open"
    assert outcome(position, game.with_rules({"overlap": "no"})) == "lost"
