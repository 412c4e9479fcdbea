"""The referee: legal play explained as a camera sees it, planted breaches named, whole games followed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

import pytest

from rules.cards import FACE_DOWN, GONE, Card
from rules.catalogue import PYRAMID_GAMES, Game, find_game
from rules.errors import PositionError
from rules.layouts import parse_pyramid_place, pyramid_place
from rules.pyramid.legality import covering, free_places, play
from rules.pyramid.moves import REDEAL, Move
from rules.pyramid.notation import parse_position
from rules.pyramid.pairing import leaves_alone, pairs_up
from rules.pyramid.position import PyramidPosition
from rules.pyramid.referee import explain, explain_game
from tests.rules.tables import Played, as_laid, camera_view, random_game

THREE = {"rows": "3"}
SMALL = find_game("math-pyramid", THREE)


def kinds(moves: tuple[Move, ...]) -> list[str]:
    return [str(move) for move in moves]


def breaches(before: str, after: str, game: Game = SMALL) -> list[tuple[str, ...]]:
    """Each violation as its breach and places."""
    found = explain(parse_position(before), parse_position(after), game)
    return [(violation.breach, *violation.places) for violation in found.violations]


@pytest.mark.parametrize("game_id", list(PYRAMID_GAMES))
def test_every_step_of_random_legal_play_is_explained_by_the_move_made(game_id: str) -> None:
    game, rng = PYRAMID_GAMES[game_id], Random(31)
    steps = 0
    while steps < 120:
        played = list(random_game(game, rng))
        for before, after in pairwise(played):
            known = explain(as_laid(before.position, game), as_laid(after.position, game), game)
            assert after.move is not None
            assert (known.violations, known.undone) == ((), ())
            assert set(known.moves[0].places) == set(after.move.places) and len(known.moves) == 1
            assert known.moves[0].cards == after.move.cards or game.options.face == "down"
            seen = explain(camera_view(before, game), camera_view(after, game), game)
            assert (seen.violations, seen.undone) == ((), ())
            assert seen.moves[0].kind == after.move.kind
            steps += 1


@pytest.mark.parametrize("game_id", list(PYRAMID_GAMES))
def test_gaps_of_up_to_four_moves_are_explained_and_lead_to_the_same_table(game_id: str) -> None:
    game, rng = PYRAMID_GAMES[game_id], Random(32)
    for _ in range(3):
        played = list(random_game(game, rng))
        index = 0
        while index < len(played) - 1:
            following = min(len(played) - 1, index + rng.randint(2, 4))
            before, after = (as_laid(one.position, game) for one in (played[index], played[following]))
            found = explain(before, after, game)
            assert found.violations == () and len(found.moves) <= following - index
            followed = replace(found.position, stock_played=None).to_json()
            assert followed == after.to_json() | {"pass": found.position.pass_number}
            index = following


def test_moves_found_are_legal_where_all_is_known() -> None:
    game, rng = PYRAMID_GAMES["easy-pyramid"], Random(33)
    played = list(random_game(game, rng))
    for before, after in zip(played, played[3:], strict=False):
        state = before.position
        for move in explain(before.position, after.position, game).moves:
            state = play(state, move, game)
        assert state.rows == after.position.rows and state.waste_cards == after.position.waste_cards


@pytest.mark.parametrize("pile", [True, False])
def test_two_moves_between_pictures_are_never_called_a_breach(pile: bool) -> None:
    rng = Random(34)
    for game in PYRAMID_GAMES.values():
        for _ in range(2):
            views = [camera_view(one, game, pile=pile) for one in random_game(game, rng)]
            for before, after in zip(views, views[2:], strict=False):
                assert explain(before, after, game).violations == ()


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ("5C/QS 3S/JC 9D 7S; stock=yes; waste=JK", [["turn JK"]]),
        ("5C/QS 3S/JC 9D JK; stock=yes; waste=JK; waste_cards=JK JK", []),
        ("5C/QS 3S/JC 9D 7S; stock=yes; waste=4C", []),
    ],
    ids=["another may be in the stock", "all three are seen", "no joker on the waste"],
)
def test_a_joker_turned_onto_a_joker_looks_like_nothing_and_is_told_beside_it(
    before: str, told: list[list[str]]
) -> None:
    look = parse_position(before)
    found = explain(look, replace(look, waste_cards=None), find_game("math-pyramid-jokers", THREE))
    assert (found.moves, found.violations, found.undone) == ((), (), ())
    assert [kinds(way) for way in found.alternatives] == told


def free_cards(position: PyramidPosition, game: Game) -> list[str]:
    return [place for place in free_places(position, game) if place.startswith("pyramid")]


def planted(played: Played, game: Game, rng: Random) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Places whose cards could be taken wrongly, with the breach that would be."""
    position, options = played.position, game.options
    lying = {place: position.look(place) for place in _places(position) if position.look(place) is not GONE}
    free = set(free_cards(position, game))
    cards = {place: card for place, card in lying.items() if isinstance(card, Card)}
    pairs = list(combinations(cards, 2))
    rng.shuffle(pairs)
    for first, second in pairs:
        adds_up = pairs_up(cards[first], cards[second], options)
        on_top = first in covering(position, second) or second in covering(position, first)
        if adds_up and len({first, second} & free) == 1 and not (options.overlap and on_top):
            yield "covered", (first, second)
            break
    for first, second in pairs:
        alone = leaves_alone(cards[first], options) or leaves_alone(cards[second], options)
        if {first, second} <= free and not alone and not pairs_up(cards[first], cards[second], options):
            yield "wrong-total", (first, second)
            break
    lone = [place for place in free if not leaves_alone(cards[place], options)]
    if lone:
        yield "card-vanished", (rng.choice(lone),)


def _places(position: PyramidPosition) -> list[str]:
    return [pyramid_place(row, column) for row in range(1, position.row_count + 1) for column in range(1, row + 1)]


def without(position: PyramidPosition, places: tuple[str, ...]) -> PyramidPosition:
    """The cards at those places taken away by a hand that knows no rules."""
    spots = {parse_pyramid_place(place) for place in places}
    rows = tuple(
        tuple(GONE if (r, c) in spots else card for c, card in enumerate(row, start=1))
        for r, row in enumerate(position.rows, start=1)
    )
    return replace(position, rows=rows, foundation=None, gone_cards=None)


def test_planted_breaches_are_named_with_their_cards_as_known_and_as_pictures() -> None:
    rng, count = Random(35), 0
    for game in PYRAMID_GAMES.values():
        for played in list(random_game(game, rng))[::5]:
            for breach, places in planted(played, game, rng):
                before, after = (as_laid(one, game) for one in (played.position, without(played.position, places)))
                found = explain(before, after, game)
                named = [one for one in found.violations if one.breach == breach]
                assert named and set(places) & set(named[0].places), (game.id, breach, places)
                if breach != "card-vanished":
                    seen = [_as_picture(one) for one in (before, after)]
                    assert breach in [one.breach for one in explain(seen[0], seen[1], game).violations]
                count += 1
    assert count > 80


def _as_picture(position: PyramidPosition) -> PyramidPosition:
    return PyramidPosition(rows=position.rows, stock=position.stock, waste=position.waste, turned=position.turned)


BEFORE = "2S / 9S 4S / 6S 7H 4D ; stock=5 ; waste_cards=2C 3C ; turned=-- ; pass=1 ; foundation=KD"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("2S / -- 4S / 6S 7H -- ; stock=5 ; waste=3C", ("covered", "pyramid 2 1", "pyramid 3 1", "pyramid 3 2")),
        ("2S / 9S 4S / -- 7H -- ; stock=5 ; waste=3C", ("wrong-total", "pyramid 3 1", "pyramid 3 3")),
        ("2S / 9S 4S / 6S 7H -- ; stock=5 ; waste=3C", ("card-vanished", "pyramid 3 3")),
        ("2S / 9S 4S / 6S 8H 4D ; stock=5 ; waste=3C", ("card-changed", "pyramid 3 2")),
        ("2S / 9S 4S / ?? 7H 4D ; stock=5 ; waste=3C", ("card-changed", "pyramid 3 1")),
        ("2S / 9S 4S / 6S 7H 4D ; stock=5 ; waste=QC", ("card-changed", "waste")),
        ("2S / 9S 4S / 6S 7H 4D ; stock=5 ; waste=--", ("card-vanished", "waste")),
        ("2S / 9S 4S / 6S 7H 4D ; stock=8 ; waste=3C", ("card-appeared", "stock")),
    ],
)
def test_each_breach_is_named_at_its_place(after: str, expected: tuple[str, ...]) -> None:
    assert breaches(BEFORE, after) == [expected]


def test_a_card_that_appears_where_none_was_is_told() -> None:
    before = "2S / 9S 4S / -- 7H 4D ; stock=5 ; waste=3C ; gone_cards=QS AD"
    assert breaches(before, "2S / 9S 4S / 5C 7H 4D ; stock=5 ; waste=3C") == [("card-appeared", "pyramid 3 1")]


def test_a_card_from_within_the_waste_is_not_in_play() -> None:
    before = "2S / 9S 4S / 6S 7H JD ; stock=5 ; waste_cards=2C 3C ; turned=-- ; pass=1"
    after = "2S / 9S 4S / 6S 7H -- ; stock=5 ; waste_cards=3C ; turned=-- ; pass=1"
    assert breaches(before, after) == [("not-in-play", "waste")]


@pytest.mark.parametrize("taken", ["-- -- --", "6S 3H 4D"])
def test_three_cards_that_make_the_total_cannot_leave_at_once(taken: str) -> None:
    before = "2S / 9S 4S / 6S 3H 4D ; stock=5 ; waste_cards=2C 3C ; turned=-- ; pass=1"
    expected = [("wrong-count", "pyramid 3 1", "pyramid 3 2", "pyramid 3 3")] if "--" in taken else []
    assert breaches(before, f"2S / 9S 4S / {taken} ; stock=5 ; waste=3C ; turned=--") == expected


def test_a_king_from_within_the_waste_is_not_in_play() -> None:
    before = "2S / 9S 4S / 6S 7H JD ; stock=5 ; waste_cards=KC 3C ; turned=-- ; pass=1"
    assert breaches(before, "2S / 9S 4S / 6S 7H JD ; stock=5 ; waste_cards=3C") == [("not-in-play", "waste")]


def test_english_text_three_cards_turned_at_a_time_are_not_two() -> None:
    game = find_game("math-pyramid-three", THREE)
    before = "2S / 9S 4S / 6S 7H JD ; stock=9 ; waste=-- ; pass=1"
    found = explain(parse_position(before), parse_position("2S / 9S 4S / 6S 7H JD ; stock=7 ; waste=5C"), game)
    assert [(one.breach, one.cards) for one in found.violations] == [("wrong-count", (FACE_DOWN, Card.parse("5C")))]
    assert breaches(before, "2S / 9S 4S / 6S 7H JD ; stock=6 ; waste=5C", game) == []


def test_a_card_of_the_stock_that_does_not_come_next_is_not_in_play() -> None:
    easy = find_game("easy-pyramid", THREE)
    before = "2S / 9S 4S / 6S 7H JD ; stock_cards=2H 3H 4H 5H 8H 9H QH ; waste=-- ; pass=2"
    assert breaches(before, "2S / 9S 4S / 6S 7H JD ; stock=yes ; waste=QH", easy) == [("not-in-play", "stock")]
    assert breaches(before, "2S / 9S 4S / 6S 7H JD ; stock=yes ; waste=2H", easy) == []


def test_a_waste_turned_over_before_the_stock_was_gone_through_is_named() -> None:
    easy = find_game("easy-pyramid", THREE)
    before = "2S / 9S 4S / 6S 7H JD ; stock=5 ; waste_cards=2C 3C 8C ; pass=1"
    after = "2S / 9S 4S / 6S 7H JD ; stock=yes ; waste=--"
    assert breaches(before, after, easy) == [("stock-not-empty", "stock")]
    assert breaches(before, after) == [("stock-not-empty", "stock"), ("no-pass-left", "waste", "stock")]
    few = explain(parse_position(before.replace("2C 3C 8C", "2C 3C")), parse_position(after), easy)
    assert (few.violations, kinds(few.undone)) == ((), ["turn 3C", "turn 2C"])


def test_a_held_card_laid_down_by_itself_is_a_turn_of_no_card() -> None:
    game = find_game("pyramid", THREE | {"face": "up"})
    before = "2S / 9S 4S / 6S 7H JD ; stock=0 ; waste_cards=2C 3C ; turned=5H ; pass=1"
    assert breaches(before, "2S / 9S 4S / 6S 7H JD ; stock=no ; waste=5H ; turned=--", game) == [
        ("stock-empty", "stock")
    ]
    still = before.replace("stock=0", "stock=4"), "2S / 9S 4S / 6S 7H JD ; stock=4 ; waste=5H ; turned=--"
    assert breaches(*still, game) == [("wrong-count", "stock")]


def test_norwegian_rules_one_pass_a_waste_turned_over_is_a_pass_too_many() -> None:
    before = "2S / 9S 4S / 6S 7H JD ; stock=0 ; waste_cards=2C 3C ; pass=1"
    after = "2S / 9S 4S / 6S 7H JD ; stock=yes ; waste=--"
    assert breaches(before, after) == [("no-pass-left", "waste", "stock")]
    easy = find_game("easy-pyramid", THREE)
    found = explain(parse_position(before), parse_position(after), easy)
    assert (found.moves, found.position.pass_number) == ((REDEAL,), 2)
    assert found.position.stock_cards == (Card.parse("2C"), Card.parse("3C"))


def test_english_text_read_strictly_turning_while_a_pair_is_free_is_a_breach() -> None:
    game = find_game("math-pyramid", THREE | {"turn_when": "stuck"})
    before = "2S / 9S 4S / 6S 7H 4D ; stock=5 ; waste=-- ; turned=-- ; pass=1"
    after = "2S / 9S 4S / 6S 7H 4D ; stock=4 ; waste=8C"
    assert breaches(before, after, game) == [("pair-available", "pyramid 3 1", "pyramid 3 2")]
    assert breaches(before, after) == []


def test_cards_put_back_are_moves_undone() -> None:
    full = "2S / 9S 4S / 6S 7H 4D ; stock=5 ; waste=3C ; turned=-- ; pass=1"
    taken = "2S / 9S 4S / -- -- 4D ; stock=5 ; waste=3C ; turned=-- ; pass=1"
    found = explain(parse_position(taken), parse_position(full), SMALL)
    assert (found.moves, found.violations, kinds(found.undone)) == ((), (), ["pair 6S 7H"])
    assert found.to_json()["undone"][0]["kind"] == "pair"


def test_a_card_turned_face_up_by_the_rules_is_learnt() -> None:
    game = find_game("pyramid", THREE)
    before = parse_position("?? / ?? ?? / 6S 7H 4D ; stock=15 ; waste=-- ; turned=--")
    after = parse_position("?? / 9S ?? / -- -- 4D ; stock=15 ; waste=-- ; turned=--")
    found = explain(before, after, game)
    assert (kinds(found.moves), found.violations) == (["pair 6S 7H"], ())
    assert found.position.at(2, 1) == Card.parse("9S")


def test_a_card_turned_and_taken_between_two_pictures_is_learnt_from_the_foundation() -> None:
    before = parse_position("2S / 9S 4S / 6S 7H 4D ; stock=yes ; waste=3C ; foundation=KD")
    after = parse_position("2S / 9S 4S / 6S 7H -- ; stock=yes ; waste=3C ; foundation=9C")
    assert kinds(explain(before, after, SMALL).moves) == ["turn 9C", "pair 4D 9C"]


def test_a_card_that_left_while_the_foundation_stayed_the_same_has_vanished() -> None:
    before = "2S / 9S 4S / 6S 7H 4D ; stock=yes ; waste=3C ; foundation=KD"
    assert breaches(before, "2S / 9S 4S / 6S 7H -- ; stock=yes ; waste=3C ; foundation=KD") == [
        ("card-vanished", "pyramid 3 3")
    ]


def test_a_held_card_may_be_out_of_sight_in_the_hand() -> None:
    game = find_game("pyramid", THREE)
    before = parse_position("?? / ?? ?? / 6S 7H 4D ; stock=yes ; waste=3C ; turned=5C")
    after = parse_position("?? / ?? ?? / 6S 7H 4D ; stock=yes ; waste=3C ; turned=--")
    found = explain(before, after, game)
    assert (found.moves, found.violations, found.position.turned) == ((), (), Card.parse("5C"))


def test_other_ways_that_explain_a_change_as_well_are_alternatives() -> None:
    before = parse_position("2S / 9S 4S / 6S 7H 4D / 5S 5D 8S 8D ; stock=5 ; waste=-- ; turned=-- ; pass=1")
    after = parse_position("2S / 9S 4S / 6S 7H 4D / -- -- -- -- ; stock=5 ; waste=-- ; turned=-- ; pass=1")
    found = explain(before, after, find_game("math-pyramid", {"rows": "4"}))
    assert sorted(kinds(found.moves)) == ["pair 5D 8D", "pair 5S 8S"]
    assert [sorted(kinds(moves)) for moves in found.alternatives] == [["pair 5D 8S", "pair 5S 8D"]]


def test_legal_moves_never_seen_stay_as_alternatives_of_a_likelier_breach() -> None:
    before = parse_position("2S / 9S 4S / 6S 7H 4D ; stock=yes ; waste=3C")
    after = parse_position("2S / 9S 4S / -- 7H -- ; stock=yes ; waste=3C")
    found = explain(before, after, SMALL)
    assert [violation.breach for violation in found.violations] == ["wrong-total"]
    assert any(len(moves) == 4 for moves in found.alternatives)


@pytest.mark.parametrize("game_id", ["pyramid", "easy-pyramid", "math-pyramid-three"])
def test_a_whole_game_of_pictures_is_followed_and_what_was_seen_stays_known(game_id: str) -> None:
    game, played = PYRAMID_GAMES[game_id], list(random_game(PYRAMID_GAMES[game_id], Random(36)))
    found = explain_game([camera_view(one, game) for one in played], game)
    assert found.violations == ()
    assert [move.kind for move in found.moves] == [one.move.kind for one in played if one.move]
    last = played[-1].position
    assert (found.position.stock_count, found.position.pass_number) == (last.stock_count, last.pass_number)
    assert len(found.position.gone_cards or ()) == len(last.gone_cards or ())


def test_a_wrong_frame_is_reported_and_does_not_lose_the_game_so_far() -> None:
    texts = [
        "2S / 9S 4S / 6S 7H 4D ; stock=5 ; waste=-- ; turned=-- ; pass=1",
        "2S / 9S 4S / -- -- 4D ; stock=5 ; waste=-- ; turned=-- ; pass=1",
        "2S / 9S 8S / -- -- 4D ; stock=5 ; waste=-- ; turned=-- ; pass=1",
        "2S / -- 4S / -- -- -- ; stock=5 ; waste=-- ; turned=-- ; pass=1",
    ]
    found = explain_game([parse_position(text) for text in texts], SMALL)
    assert kinds(found.moves) == ["pair 6S 7H", "pair 9S 4D"]
    assert [(one.breach, one.places) for one in found.violations] == [("card-changed", ("pyramid 2 2",))]


def test_a_game_goes_on_from_a_breach_that_is_let_stand() -> None:
    texts = [
        "2S / 9S 4S / 6S 7H 4D ; stock=5 ; waste=-- ; turned=-- ; pass=1",
        "2S / 9S 4S / 6S 7H -- ; stock=5 ; waste=-- ; turned=-- ; pass=1",
        "2S / 9S 4S / -- -- -- ; stock=5 ; waste=-- ; turned=-- ; pass=1",
    ]
    found = explain_game([parse_position(text) for text in texts], SMALL)
    assert kinds(found.moves) == ["pair 6S 7H"]
    assert [one.breach for one in found.violations] == ["card-vanished"]


def test_moves_taken_back_in_a_game_are_dropped_from_it() -> None:
    first = "2S / 9S 4S / 6S 7H 4D ; stock=5 ; waste=-- ; turned=-- ; pass=1"
    texts = [first, "2S / 9S 4S / 6S 7H 4D ; stock=4 ; waste=8C ; turned=-- ; pass=1", first]
    found = explain_game([parse_position(text) for text in texts], SMALL)
    assert (found.violations, kinds(found.undone), found.moves) == ((), ["turn 8C"], ())


def test_positions_of_other_rows_and_games_of_no_position_are_refused() -> None:
    with pytest.raises(PositionError, match="3 rows"):
        explain(parse_position("2S / 9S 4S"), parse_position("2S / 9S 4S"), SMALL)
    with pytest.raises(PositionError):
        explain_game([], SMALL)


def test_an_answer_takes_a_few_milliseconds_of_the_processor() -> None:
    game, rng = PYRAMID_GAMES["pyramid"], Random(37)
    views = [camera_view(one, game) for one in random_game(game, rng)]
    start = time.process_time()
    for before, after in zip(views, views[3:], strict=False):
        explain(before, after, game)
    assert (time.process_time() - start) / (len(views) - 3) < 0.05
