"""The rules of the row games, each test named after what the Polish texts ("Arcydzieło", "Piwnica", "Ulubiony") say."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from rules.cards import GONE, Card
from rules.catalogue import ROW_GAMES, Game, find_game
from rules.errors import IllegalMove, RuleError
from rules.rows.dealing import random_deal
from rules.rows.effects import after_move
from rules.rows.legality import cards_off, is_legal, legal_moves, outcome, play, violations
from rules.rows.moves import (
    REVERSE,
    ROW_MOVE_KINDS,
    RowMove,
    base_choice,
    build,
    direction,
    fill,
    foundation,
    new_base,
    to_cellar,
)
from rules.rows.notation import parse_position
from rules.rows.position import RowPosition

from .tables import mirrored, mirrored_move, random_steps

ARCYDZIELO, DOMATOR, PIWNICA = (ROW_GAMES[name] for name in ("arcydzielo", "nowy-domator", "piwnica"))
ULUBIONY, TWELVE = ROW_GAMES["ulubiony"], ROW_GAMES["wiezniowie-12"]

ACES = "base=AS AH AD AC ; base_cards=AS AH AD AC"


def card(code: str) -> Card:
    return Card.parse(code)


def breaches(position: RowPosition, move: RowMove, game: Game) -> list[str]:
    return [found.breach for found in violations(position, move, game)]


def five(left: str, right: str = "- / - / - / - / -", rest: str = "cellar=-- ; direction=up") -> RowPosition:
    """A position of five half rows a side with the four aces as bases."""
    return parse_position(f"{ACES} ; left={left} ; right={right} ; {rest}")


def test_polish_text_only_the_outer_card_of_a_half_row_is_playable() -> None:
    position = five("2S 5H / 3H / - / - / -")
    assert is_legal(position, build(card("5H"), "left 1 2", "left 2 2"), DOMATOR) is False
    assert breaches(position, foundation(card("2S"), "left 1 1", 1), ARCYDZIELO) == ["covered"]
    (found,) = violations(position, foundation(card("2S"), "left 1 1", 1), ARCYDZIELO)
    assert (found.places, found.cards) == (("left 1 1", "left 1 2"), (card("2S"), card("5H")))
    assert legal_moves(five("5H 2S / - / - / - / -"), ARCYDZIELO)[0] == foundation(card("2S"), "left 1 2", 1)


def test_polish_text_a_card_goes_onto_the_same_suit_one_rank_higher_or_lower() -> None:
    position = five("5H / 6H / 4H / 6S / 8H")
    for row, fits in ((2, True), (3, True), (4, False), (5, False)):
        move = build(card("5H"), "left 1 1", f"left {row} 2")
        assert breaches(position, move, ARCYDZIELO) == ([] if fits else ["wrong-suit-or-rank"]), row
    assert play(position, build(card("5H"), "left 1 1", "left 2 2"), ARCYDZIELO).left[:2] == (
        (),
        (card("6H"), card("5H")),
    )


def test_our_reading_rows_go_round_the_corner_where_the_bases_are_not_aces() -> None:
    position, move = five("KH / AH / - / - / -"), build(card("KH"), "left 1 1", "left 2 2")
    assert breaches(position, move, ARCYDZIELO) == ["wrong-suit-or-rank"]
    assert breaches(position, move, DOMATOR) == []
    assert breaches(position, move, ARCYDZIELO.with_rules({"round_the_corner": "yes"})) == []
    assert breaches(position, move, DOMATOR.with_rules({"round_the_corner": "no"})) == ["wrong-suit-or-rank"]


def test_polish_text_all_foundations_grow_in_the_one_direction_chosen() -> None:
    position = five("5H 2S / 5C KS / - / - / -")
    assert breaches(position, foundation(card("KS"), "left 2 2", 1), ARCYDZIELO) == ["wrong-direction"]
    assert breaches(replace(position, direction="down"), foundation(card("KS"), "left 2 2", 1), ARCYDZIELO) == []
    assert breaches(position, foundation(card("2S"), "left 1 2", 2), ARCYDZIELO) == ["wrong-suit-or-rank"]
    assert breaches(five("3S / - / - / - / -"), foundation(card("3S"), "left 1 1", 1), ARCYDZIELO) == [
        "wrong-suit-or-rank"
    ]
    assert breaches(position, direction("down"), ARCYDZIELO) == ["wrong-direction"]


def test_polish_text_foundations_run_round_the_corner_from_king_to_ace() -> None:
    text = (
        "base=KS 4H 4D 4C ; base_cards=4S 4H 4D 4C ; left=AS / - / - / - / - ; right=- / - / - / - / - ; direction=up"
    )
    assert breaches(parse_position(text), foundation(card("AS"), "left 1 1", 1), DOMATOR) == []


def test_a_card_on_a_foundation_shows_the_direction_where_it_was_not_known() -> None:
    position = replace(five("KS / 2H / - / - / -"), direction=None)
    after = play(position, foundation(card("KS"), "left 1 1", 1), ARCYDZIELO)
    assert after.direction == "down"
    assert breaches(after, foundation(card("2H"), "left 2 1", 2), ARCYDZIELO) == ["wrong-direction"]
    assert legal_moves(position, ARCYDZIELO)[:2] == (direction("up"), direction("down"))


def test_polish_text_nothing_comes_back_from_a_foundation() -> None:
    position = replace(five("3S / - / - / - / -"), bases=(card("2S"), *five("3S / - / - / - / -").bases[1:]))
    assert breaches(position, build(card("2S"), "base 1", "left 1 2"), ARCYDZIELO) == ["not-in-play"]


def test_polish_text_any_playable_card_fills_an_empty_main_half_row_and_auxiliary_ones_stay_empty() -> None:
    position = five("5H 9C / - / 2C / 2D / -", "- / - / - / - / 5D 6C")
    assert breaches(position, fill(card("9C"), "left 1 2", "left 2 1"), ARCYDZIELO) == []
    assert breaches(position, fill(card("9C"), "left 1 2", "left 5 1"), ARCYDZIELO) == ["row-stays-empty"]
    assert breaches(position, fill(card("9C"), "left 1 2", "left 5 1"), DOMATOR) == []
    assert breaches(position, fill(card("9C"), "left 1 2", "left 3 1"), ARCYDZIELO) == ["wrong-place"]


def test_polish_text_the_cellar_takes_any_one_playable_card() -> None:
    position = five("5H 9C / 7D / - / - / 3D", "- / - / - / - / 3C")
    after = play(position, to_cellar(card("9C"), "left 1 2"), ARCYDZIELO)
    assert after.cellar == card("9C") and after.left[0] == (card("5H"),)
    assert breaches(after, to_cellar(card("7D"), "left 2 1"), ARCYDZIELO) == ["cellar-full"]
    assert breaches(position, to_cellar(card("9C"), "left 1 2"), DOMATOR) == ["wrong-place"]


@pytest.mark.parametrize("side", ["left", "right"])
def test_polish_text_the_cellar_opens_when_one_auxiliary_half_row_is_gone(side: str) -> None:
    closed = five("9C / - / - / - / 3D", "- / - / - / - / 3C", "cellar=10C ; direction=up")
    move = build(card("10C"), "cellar", "left 1 2")
    assert breaches(closed, move, ARCYDZIELO) == ["locked-cellar"]
    opened = replace(closed, **{side: (*getattr(closed, side)[:4], ())})
    assert breaches(opened, move, ARCYDZIELO) == []
    assert play(opened, move, ARCYDZIELO).cellar is GONE
    assert is_legal(opened, fill(card("10C"), "cellar", "left 2 1"), ARCYDZIELO)


def test_option_building_on_auxiliary_half_rows_is_our_reading_in_arcydzielo_and_forbidden_in_piwnica() -> None:
    position, move = five("5H / - / - / - / 6H"), build(card("5H"), "left 1 1", "left 5 2")
    assert breaches(position, move, ARCYDZIELO) == []
    assert breaches(position, move, ARCYDZIELO.with_rules({"build_on_auxiliary": "no"})) == ["not-built-on"]
    assert breaches(position, move, PIWNICA) == ["not-built-on"]


CENTRE = "base=9S 3S 7D 5C ; base_cards=-- -- 7D 5C ; left=10S 4S / 8S / 6C / - / 2H ; right=6H / - / - / - / 3C"
PIWNICA_START = parse_position(f"{CENTRE} ; cellar=-- ; direction=up ; free_centre=none")


def test_polish_text_piwnica_the_player_picks_one_of_several_centre_cards_of_a_suit() -> None:
    choices = [move for move in legal_moves(PIWNICA_START, PIWNICA) if move.kind == "base"]
    assert choices == [base_choice(card("9S"), 1), base_choice(card("3S"), 2)]
    assert breaches(PIWNICA_START, base_choice(card("7D"), 3), PIWNICA) == ["wrong-base"]
    assert breaches(PIWNICA_START, foundation(card("4S"), "left 1 2", 2), PIWNICA) == ["base-not-chosen"]
    assert breaches(PIWNICA_START, to_cellar(card("9S"), "base 1"), PIWNICA) == ["not-in-play"]
    chosen = play(PIWNICA_START, base_choice(card("3S"), 2), PIWNICA)
    assert (chosen.free_centre, chosen.base_cards[1]) == ((1,), card("3S"))
    assert is_legal(chosen, foundation(card("4S"), "left 1 2", 2), PIWNICA)


def test_polish_text_piwnica_other_centre_cards_are_free_and_nothing_is_built_on_them() -> None:
    chosen = play(PIWNICA_START, base_choice(card("3S"), 2), PIWNICA)
    for move in (
        build(card("9S"), "base 1", "left 2 2"),
        to_cellar(card("9S"), "base 1"),
        fill(card("9S"), "base 1", "left 4 1"),
    ):
        assert breaches(chosen, move, PIWNICA) == []
        assert play(chosen, move, PIWNICA).bases[0] is GONE
    assert breaches(chosen, build(card("8S"), "left 2 1", "base 1"), PIWNICA) == ["not-built-on"]


def test_a_foundation_stays_that_of_its_base_and_a_free_centre_card_is_not_built_on() -> None:
    text = "base=2S 9S 4D 5C ; base_cards=2S -- 4D 5C ; left=10S / 3D / 6C / JD / - ; right=- / - / - / - / -"
    position = parse_position(f"{text} ; cellar=-- ; direction=up ; free_centre=2")
    assert breaches(position, foundation(card("10S"), "left 1 1", 2), PIWNICA) == ["not-built-on"]
    wrong = replace(position, bases=(*position.bases[:3], card("10D")))
    assert breaches(wrong, foundation(card("JD"), "left 4 1", 4), PIWNICA) == ["wrong-suit-or-rank"]
    assert breaches(wrong, foundation(card("6C"), "left 3 1", 4), PIWNICA) == ["wrong-suit-or-rank"]
    open_base = replace(position, base_cards=(None, None, None, card("5C")), free_centre=())
    assert breaches(open_base, foundation(card("10S"), "left 1 1", 2), PIWNICA) == ["base-not-chosen"]
    assert breaches(open_base, foundation(card("10S"), "left 1 1", 4), PIWNICA) == ["wrong-suit-or-rank"]


def test_polish_text_piwnica_a_free_centre_place_takes_a_base_for_a_suit_that_has_none() -> None:
    chosen = play(PIWNICA_START, base_choice(card("3S"), 2), PIWNICA)
    freed = play(chosen, build(card("9S"), "base 1", "left 2 2"), PIWNICA)
    assert breaches(freed, new_base(card("6H"), "right 1 1", 1), PIWNICA) == []
    assert breaches(freed, new_base(card("9S"), "left 2 2", 1), PIWNICA) == ["wrong-base"]
    after = play(freed, new_base(card("6H"), "right 1 1", 1), PIWNICA)
    assert (after.bases[0], after.base_cards[0], after.free_centre) == (card("6H"), card("6H"), ())
    assert breaches(after, new_base(card("2H"), "left 5 1", 1), PIWNICA) == ["wrong-base"]


COLUMNS = "left=6H / - / - / - ; right=- / - / - / - ; left_column=2S 7H 9C ; right_column=3S ; direction=up"
ULUBIONY_START = parse_position(f"{ACES} ; {COLUMNS} ; reversed=no")


def test_polish_text_ulubiony_a_vertical_row_plays_from_its_lower_end_until_both_are_reversed_once() -> None:
    low, high = to_row("9C", 3), foundation(card("2S"), "left column 1", 1)
    assert (breaches(ULUBIONY_START, low, ULUBIONY), breaches(ULUBIONY_START, high, ULUBIONY)) == ([], ["covered"])
    after = play(ULUBIONY_START, REVERSE, ULUBIONY)
    assert (breaches(after, low, ULUBIONY), breaches(after, high, ULUBIONY)) == (["covered"], [])
    assert play(after, high, ULUBIONY).left_column == (card("7H"), card("9C"))
    assert breaches(after, REVERSE, ULUBIONY) == ["already-reversed"]
    assert breaches(random_deal(DOMATOR, Random(1)), REVERSE, DOMATOR) == ["not-in-play"]


def to_row(code: str, index: int) -> RowMove:
    return fill(card(code), f"left column {index}", "left 2 1")


def test_where_a_reversal_is_not_known_a_lone_column_card_is_built_on_at_either_end_and_that_tells_it() -> None:
    game = find_game("ulubiony", {"build_on_columns": "yes"})
    text = f"{ACES} ; left=6H / - / - / - ; right=- / - / - / - ; left_column=5H ; right_column=9C 9D ; direction=up"
    position = parse_position(text)
    for place, turned in (("left column 1", True), ("left column 2", False)):
        move = build(card("6H"), "left 1 1", place)
        assert move in legal_moves(position, game)
        assert play(position, move, game).reversed is turned
    for place, turned in (("right column 1", True), ("right column 2", False)):
        assert play(position, fill(position.look(place), place, "left 2 1"), game).reversed is turned  # type: ignore[arg-type]


def test_polish_text_ulubiony_an_empty_vertical_row_stays_empty() -> None:
    empty = replace(ULUBIONY_START, right_column=())
    assert breaches(empty, fill(card("6H"), "left 1 1", "right column 1"), ULUBIONY) == ["row-stays-empty"]


def test_option_building_on_the_vertical_rows_is_off_in_ulubiony() -> None:
    position = replace(ULUBIONY_START, left_column=(card("2S"), card("7H")))
    move = build(card("6H"), "left 1 1", "left column 3")
    assert breaches(position, move, ULUBIONY) == ["not-built-on"]
    house = ULUBIONY.with_rules({"build_on_columns": "yes"})
    assert breaches(position, move, house) == []
    upper = replace(position, reversed=True, left_column=(card("7H"), card("2S")))
    assert play(upper, build(card("6H"), "left 1 1", "left column 1"), house).left_column == (
        card("6H"),
        card("7H"),
        card("2S"),
    )


def test_polish_text_ulubiony_chooses_the_direction_before_the_deal_is_finished_and_others_after_it() -> None:
    begun = parse_position(
        "base=7S -- -- -- ; left=- / - / - / - ; right=- / - / - / - ; left_column=- ; right_column=-"
    )
    assert breaches(begun, direction("up"), ULUBIONY) == []
    assert breaches(begun, direction("up"), TWELVE) == ["deal-unfinished"]
    assert breaches(
        replace(begun, left=((card("8S"),), (), (), ())), foundation(card("8S"), "left 1 1", 1), ULUBIONY
    ) == ["deal-unfinished"]
    assert breaches(random_deal(ULUBIONY, Random(1)), direction("up"), ULUBIONY) == []
    house = TWELVE.with_rules({"direction_chosen": "before"})
    assert breaches(begun, direction("up"), house) == []


def test_won_when_all_cards_are_on_the_foundations_and_lost_when_stuck() -> None:
    done = parse_position(
        "base=KS KH KD KC ; base_cards=AS AH AD AC ; left=- / - / - / - / - ; right=- / - / - / - / - ; "
        "cellar=-- ; direction=up"
    )
    assert (outcome(done, ARCYDZIELO), cards_off(done, ARCYDZIELO)) == ("won", 0)
    last = replace(done, bases=(card("QS"), *done.bases[1:]), left=((card("KS"),), *done.left[1:]))
    assert outcome(last, ARCYDZIELO) == "open"
    stuck = five(
        "3S 7H / 9D 5C / 8S 10C / QD QC / 4D JH", "4H 9S / 6C JD / 7D 2C 8C / QS 5D / KC JS", "cellar=KD ; direction=up"
    )

    assert (outcome(stuck, ARCYDZIELO), legal_moves(stuck, ARCYDZIELO)) == ("lost", ())


def test_shifting_the_only_card_of_a_half_row_about_is_no_way_on() -> None:
    position = five("9H / - / 5S 7D / - / -", "QC / - / - / - / -")
    assert {move.kind for move in legal_moves(position, DOMATOR)} == {"fill"}
    assert outcome(position, DOMATOR) == "open"
    assert outcome(five("9H / - / - / - / -"), DOMATOR) == "lost"


def test_an_illegal_move_is_refused_with_its_reasons() -> None:
    with pytest.raises(IllegalMove, match="wrong-suit-or-rank") as refused:
        play(five("5H / 6S / - / - / -"), build(card("5H"), "left 1 1", "left 2 2"), ARCYDZIELO)
    assert refused.value.violations[0].cards == (card("5H"), card("6S"))


def test_options_that_do_not_go_with_a_game_are_told() -> None:
    with pytest.raises(RuleError, match="build_on_columns needs outer vertical rows"):
        find_game("arcydzielo", {"build_on_columns": "yes"})
    with pytest.raises(RuleError, match="build_on_auxiliary needs auxiliary half rows"):
        find_game("wiezniowie-12", {"build_on_auxiliary": "yes"})
    for game_id in ("nowy-domator", "wiezniowie"):
        with pytest.raises(RuleError, match="build_on_auxiliary=no needs auxiliary half rows that stay empty"):
            find_game(game_id, {"build_on_auxiliary": "no"})
    with pytest.raises(RuleError, match="no rule 'total' in this game; the rules are build_on_auxiliary"):
        find_game("ulubiony", {"total": "10"})
    with pytest.raises(RuleError, match="no game of the pyramid family"):
        _ = ULUBIONY.options


@pytest.mark.parametrize("game_id", list(ROW_GAMES))
def test_legal_moves_are_all_conceivable_moves_that_break_no_rule(game_id: str) -> None:
    game = ROW_GAMES[game_id]
    for position, _, _ in islice(random_steps(game, Random(5)), 0, 40, 11):
        moves = legal_moves(position, game)
        assert len(moves) == len(set(moves))
        assert set(moves) == {move for move in conceivable(position) if not violations(position, move, game)}


def conceivable(position: RowPosition) -> list[RowMove]:
    """Every card to every place of every stack, as every kind of move, and what names no card."""
    places = [
        stack.place(index) for stack in position.stacks() for index in range(1, len(position.cards_in(stack) or ()) + 2)
    ]
    moves = [direction("up"), direction("down"), REVERSE]
    for place, lying in position.lying():
        moves.append(RowMove("base", (lying,), (place,)))
        moves += [RowMove(kind, (lying,), (place, goal)) for kind in ROW_MOVE_KINDS for goal in dict.fromkeys(places)]
    return [move for move in moves if move.kind not in ("reverse", "direction") or not move.cards]


@pytest.mark.parametrize("game_id", list(ROW_GAMES))
def test_the_mirrored_table_has_the_mirrored_moves(game_id: str) -> None:
    game = ROW_GAMES[game_id]
    for position, move, after in islice(random_steps(game, Random(6)), 60):
        moves = {mirrored_move(one) for one in legal_moves(position, game)}
        assert moves == set(legal_moves(mirrored(position), game))
        assert play(mirrored(position), mirrored_move(move), game) == mirrored(after)
        assert outcome(mirrored(position), game) == outcome(position, game)


@pytest.mark.parametrize("game_id", list(ROW_GAMES))
def test_a_move_keeps_every_other_card_and_can_be_taken_back(game_id: str) -> None:
    game = ROW_GAMES[game_id]
    for position, move, after in islice(random_steps(game, Random(7)), 80):
        before_off, after_off = cards_off(position, game), cards_off(after, game)
        grows = move.kind == "foundation" or (move.kind == "base" and len(move.places) == 2)
        assert after_off == before_off - grows
        moved = dict.fromkeys(move.cards)
        stay = [(place.split()[0], lying) for place, lying in position.lying() if lying not in moved]
        assert [pair for pair in stay if pair[0] != "base"] == [
            (place.split()[0], lying)
            for place, lying in after.lying()
            if lying not in moved and not place.startswith("base")
        ]
        if move.kind in ("build", "fill", "cellar") and move.places[0].split()[0] in ("left", "right"):
            back = RowMove("fill", move.cards, (move.places[1], move.places[0]))
            assert after_move(after, back, game).left == position.left
            assert after_move(after, back, game).right == position.right
