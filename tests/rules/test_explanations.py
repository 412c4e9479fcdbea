"""What the referee once told wrongly, one test for each point."""

from __future__ import annotations

from typing import Any

from rules.cards import FACE_DOWN, Card
from rules.catalogue import find_game
from rules.pyramid.complete import complete
from rules.pyramid.legality import removals
from rules.pyramid.notation import parse_position
from rules.pyramid.position import PyramidPosition
from rules.pyramid.referee import Told, explain, explain_game

THREE = {"rows": "3"}
RELAXED = find_game("relaxed-pyramid", THREE)
HELD = find_game("pyramid", THREE | {"face": "up"})


def told(before: str, after: str, game: Any = RELAXED) -> Told:
    """The explanation of two looks given as texts."""
    return explain(parse_position(before), parse_position(after), game)


def moves(found: Told) -> list[str]:
    """Each move told."""
    return [str(move) for move in found.moves]


def breaches(found: Told) -> list[tuple[str, list[str]]]:
    """Each breach with its cards."""
    return [(one.breach, [str(card) for card in one.cards]) for one in found.violations]


def test_no_card_leaves_twice_when_the_second_removal_lies_on_the_foundation() -> None:
    before = "2S / 7C KC / AD QD KH ; stock=yes ; waste=-- ; foundation=--"
    found = told(before, "2S / 7C KC / -- -- -- ; stock=yes ; waste=-- ; foundation=KH")
    assert (moves(found), found.alternatives, found.violations) == (["pair AD QD", "single KH"], (), ())


def test_an_unknown_card_is_none_that_left_in_the_same_explanation() -> None:
    before = "2S / 7C 9C / 4C 4D KH ; stock=no ; waste=9H ; foundation=QH"
    after = "2S / 7C 9C / -- -- KH ; stock=no ; waste=3H ; foundation={}"
    found = told(before, after.format("9S"))
    assert [card for move in found.moves for card in move.cards if str(card)[0] == "9"] == [
        Card.parse("9H"),
        Card.parse("9S"),
    ]
    found = told(before, after.format("9H"))
    assert found.violations, "the nine of hearts lay on top, so it cannot have left last"
    for way in (found.moves, *found.alternatives):
        gone = [card for move in way for card in move.cards if isinstance(card, Card)]
        assert len(gone) == len(set(gone))


def test_a_known_waste_top_is_kept_when_its_list_ends_in_an_unknown_card() -> None:
    game = find_game("relaxed-pyramid", {"total": "6", "rows": "3"})
    look = PyramidPosition.from_json(
        {
            "pyramid": [["6D"], ["4H", "5D"], ["AC", "6S", "5C"]],
            "stock": 3,
            "waste": "AS",
            "pass": 1,
            "gone_cards": ["2D", "4D", "3D", "3H"],
        }
    )
    known = complete(look, game)
    assert known.waste == Card.parse("AS")
    assert known.waste_cards is not None and known.waste_cards[-2:] == (FACE_DOWN, Card.parse("AS"))
    assert "pair 5C AS" in [str(move) for move in removals(known, game)]


def test_a_pair_with_the_waste_top_is_seen_where_stock_and_gone_cards_are_counted() -> None:
    before = "2S / 7C KC / 9D 4D JH ; stock=21 ; turned=AH ; waste=QH ; foundation=QS ; gone_cards=6S 7H QS AS ; pass=1"
    found = told(before, "2S / 7C KC / 9D 4D JH ; stock=yes ; turned=-- ; waste=JD ; foundation=AH", HELD)
    assert moves(found) == ["pair AH QH"]


def test_a_card_held_in_the_hand_pairs_though_no_look_ever_showed_it() -> None:
    before = "2S / 7C KC / 8H 9S -- ; stock=no ; turned=-- ; waste=JS ; foundation=7H"
    found = told(before, "2S / 7C KC / -- 9S -- ; stock=no ; turned=-- ; waste=JS ; foundation=5D", HELD)
    assert (moves(found), found.violations, found.undone) == (["pair 8H 5D"], (), ())
    assert found.moves[0].places == ("pyramid 3 1", "turned")


def test_a_card_cannot_be_held_in_the_hand_where_every_card_is_counted() -> None:
    game = find_game("pyramid", {"total": "5", "rows": "5", "face": "up"})
    cards = "AS / 2S 3S / 4S AH 2H / 3H 4H AD 2D / 3D 4D AC 2C 3C ; stock=0 ; turned=-- ; waste_cards=5S 5H"
    before = parse_position(cards + " ; gone_cards=4C 5C 5D ; pass=1")
    gone = parse_position(cards.replace("2C 3C ;", "2C -- ;"))
    assert breaches(explain(before, gone, game)) == [("card-vanished", ["3C"])]


def test_in_whole_games_a_card_held_in_the_hand_is_never_called_taken_back() -> None:
    texts = [
        "2S / 7C KC / 8H 9S JH ; stock=yes ; turned=-- ; waste=-- ; foundation=--",
        "2S / 7C KC / 8H 9S JH ; stock=yes ; turned=-- ; waste=-- ; foundation=--",
        "2S / 7C KC / 8H 9S JH ; stock=yes ; turned=-- ; waste=3C ; foundation=--",
        "2S / 7C KC / -- 9S JH ; stock=yes ; turned=-- ; waste=3C ; foundation=5D",
    ]
    found = explain_game([parse_position(text) for text in texts], HELD)
    assert (moves(found)[-1], found.violations, found.undone) == ("pair 8H 5D", (), ())


def test_a_five_taken_alone_from_the_waste_is_a_wrong_total_and_no_pass_too_many() -> None:
    before = "JH / 5D 6H / 3H KS 4C ; stock=no ; waste=5H ; foundation=6D"
    found = told(before, "JH / 5D 6H / 3H KS 4C ; stock=no ; waste=JC ; foundation=5H")
    assert breaches(found) == [("wrong-total", ["5H"])]


def test_a_card_put_alone_on_the_foundation_after_it_was_turned_is_a_wrong_total() -> None:
    before = "JH / 5D 6H / 3H KS 4C ; stock=yes ; waste=5H ; foundation=6D"
    found = told(before, "JH / 5D 6H / 3H KS 4C ; stock=yes ; waste=5H ; foundation=2H")
    assert breaches(found) == [("wrong-total", ["2H"])]


def test_what_two_equally_likely_ways_disagree_on_is_not_known() -> None:
    game = find_game("math-pyramid-three", THREE)
    found = told("JH / 5D 6H / 3H KS 4C ; stock=yes ; waste=--", "JH / 5D 6H / 3H KS 4C ; stock=no ; waste=2C", game)
    assert {len(way[0].cards) for way in (found.moves, *found.alternatives)} == {1, 2, 3}
    assert (found.position.waste_cards, found.position.stock) == (None, False)


def test_a_card_may_be_turned_only_when_stuck_also_where_the_pair_shows_later() -> None:
    game = find_game("pyramid", THREE | {"face": "up", "turn_when": "stuck"})
    before = "2S / 7C KC / JH 9S 3S ; stock=20 ; turned=-- ; waste=-- ; foundation=QS ; pass=1"
    found = told(before, "2S / 7C KC / JH 9S -- ; stock=yes ; turned=-- ; waste=-- ; foundation=10D", game)
    ways = [[move.kind for move in way] for way in (found.moves, *found.alternatives)]
    assert ways == [["pair"], ["turn", "pair"]]


DEAL = "2S / 7C KC / 8H 9S JH ; stock=yes ; waste=-- ; foundation=--"
OTHER = "3D / QC 4C / 10H AS 6D ; stock=yes ; waste=-- ; foundation=--"


def test_a_new_deal_is_told_as_such() -> None:
    found = told("2S / 7C -- / 8H -- -- ; stock=yes ; waste=3C ; foundation=JH", OTHER)
    assert (found.table, found.moves, found.violations, found.undone) == ("new-deal", (), (), ())
    assert found.to_json()["table"] == "new-deal" and found.position.stock_count == 46
    again = explain_game([parse_position(DEAL), parse_position(OTHER)], RELAXED)
    assert (again.table, again.position) == ("new-deal", complete(parse_position(OTHER), RELAXED))


def test_after_a_new_deal_the_record_begins_anew() -> None:
    first = "2S / 7C KC / 8H 5S JH ; stock=yes ; waste=-- ; foundation=--"
    texts = [first, first.replace("8H 5S", "-- --").replace("foundation=--", "foundation=5S"), OTHER]
    later = OTHER.replace("waste=--", "waste=5C")
    found = explain_game([parse_position(text) for text in (*texts, later)], RELAXED)
    assert (moves(found), found.table, found.violations) == (["turn 5C"], "new-deal", ())


def test_another_table_is_told_as_such_and_does_not_lose_the_game() -> None:
    game = find_game("relaxed-pyramid", {"rows": "4"})
    here = "2S / 7C KC / 8H 9S JH / 3C 5C 10D 2D ; stock=yes ; waste=-- ; foundation=--"
    there = "4H / 3D QC / AD 4C 10H / AS 6D 9C -- ; stock=yes ; waste=8C ; foundation=KS"
    found = told(here, there, game)
    assert (found.table, found.moves, found.violations) == ("another-table", (), ())
    back = here.replace("3C 5C 10D 2D", "-- 5C -- 2D").replace("foundation=--", "foundation=3C")
    again = explain_game([parse_position(text) for text in (here, there, back)], game)
    assert (again.table, moves(again), again.violations) == ("same", ["pair 3C 10D"], ())


def test_a_few_cards_changed_are_no_other_table() -> None:
    found = told(DEAL, "2S / 7C KC / 3H 4D JH ; stock=yes ; waste=-- ; foundation=--")
    assert (found.table, len(found.violations)) == ("same", 2)


def test_english_text_a_waste_turned_over_after_an_idle_pass_is_a_pass_too_many() -> None:
    game = find_game("math-pyramid-three", THREE)
    before = "2S / 7C KC / 8H 9S JH ; stock=no ; waste_cards=2C 3C 4C 6C ; gone_cards=5H 8S ; pass=2 ; stock_played={}"
    after = "2S / 7C KC / 8H 9S JH ; stock=yes ; waste=--"
    assert breaches(told(before.format("no"), after, game)) == [("no-pass-left", [])]
    found = told(before.format("yes"), after, game)
    assert (moves(found), found.violations, found.position.stock_played) == (["redeal"], (), False)


def test_whether_a_stock_card_was_played_is_followed_from_look_to_look() -> None:
    game = find_game("math-pyramid-three", THREE)
    deal = "2S / 7C KC / 8H 9S JH ; stock=yes ; waste=-- ; foundation=--"
    texts = [deal, deal.replace("waste=--", "waste=5C"), deal.replace("8H", "--").replace("waste=--", "waste=3D")]
    found = explain_game([parse_position(text) for text in texts[:2]], game)
    assert found.position.stock_played is False
    found = explain_game([parse_position(text) for text in texts], game)
    assert (moves(found)[-1], found.position.stock_played) == ("pair 8H 5C", True)
