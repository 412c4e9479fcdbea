"""The referee of the row family: legal steps are recognised, breaches are named, cards put back are undone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from random import Random

import pytest

from rules.cards import GONE, UNREADABLE, Card
from rules.catalogue import ROW_GAMES, Game
from rules.errors import PositionError
from rules.rows.breaches import moved
from rules.rows.dealing import random_deal
from rules.rows.in_play import is_locked
from rules.rows.legality import legal_moves, play, violations
from rules.rows.moves import REVERSE, RowMove, direction, foundation
from rules.rows.notation import parse_position
from rules.rows.places import parse_place
from rules.rows.position import RowPosition
from rules.rows.referee import Told, explain, explain_game
from rules.rows.shapes import BASES

from .tables import camera_view, random_steps, some_position

STEPS = 340
"""Steps for each of the six games: more than 2000 in all."""

ARCYDZIELO, PIWNICA, ULUBIONY = (ROW_GAMES[name] for name in ("arcydzielo", "piwnica", "ulubiony"))


def card(code: str) -> Card:
    return Card.parse(code)


def unseen(move: RowMove) -> bool:
    """Whether a move changes nothing that a camera sees."""
    return move.kind in ("direction", "reverse") or (move.kind == "base" and len(move.places) == 1)


def replays(start: RowPosition, told: Told, game: Game) -> list[RowPosition]:
    """Where each way of an explanation leads."""
    ends = []
    for moves in (told.moves, *told.alternatives):
        position = start
        for move in moves:
            position = play(position, move, game)
        ends.append(position)
    return ends


@pytest.mark.parametrize("game_id", list(ROW_GAMES))
def test_every_random_legal_step_is_recognised_as_a_camera_sees_it(game_id: str) -> None:
    game, single, steps = ROW_GAMES[game_id], 0, 0
    for number, (before, move, after) in enumerate(islice(random_steps(game, Random(31)), STEPS)):
        shown = camera_view(after) if number % 2 else after
        told = explain(before, shown, game)
        assert not told.violations and not told.undone, (move, before)
        assert all(camera_view(end) == camera_view(after) for end in replays(before, told, game))
        if number % 2 and unseen(move):
            continue
        steps += 1
        single += not told.alternatives
        assert (move,) in (told.moves, *told.alternatives), (move, before)
        if not number % 2:
            assert told.position == after
    assert single / steps >= 0.95


@pytest.mark.parametrize("game_id", list(ROW_GAMES))
def test_up_to_four_moves_between_two_looks_are_explained(game_id: str) -> None:
    game, rng = ROW_GAMES[game_id], Random(32)
    for _ in range(25):
        before = position = some_position(game, rng)
        for _ in range(rng.randint(2, 4)):
            moves = legal_moves(position, game)
            position = play(position, rng.choice(moves), game) if moves else position
        told = explain(before, camera_view(position), game)
        assert not told.violations and not told.undone and len(told.moves) <= 4
        assert all(camera_view(end) == camera_view(position) for end in replays(before, told, game))


def planted(game: Game, rng: Random) -> Iterator[tuple[RowPosition, RowMove, RowPosition]]:
    """Without end: a card taken from anywhere but the foundations to anywhere, against the rules."""
    while True:
        before = some_position(game, rng)
        places = [(place, lying) for place, lying in before.lying() if not place.startswith("base")]
        if before.direction is None or not places:
            continue
        place, lying = rng.choice(places)
        stack = rng.choice(list(before.stacks()))
        cards, found = before.cards_in(stack) or (), parse_place(place)
        if found is None or found[0] == stack or (stack.kind == "cellar" and cards):
            continue
        kinds = {"cellar": "cellar", "base": "foundation" if cards else "base"}
        kind = kinds.get(stack.kind, "build" if cards else "fill")
        upper = stack.kind == "column" and bool(before.reversed)
        move = RowMove(kind, (lying,), (place, stack.place(1 if upper or not cards else len(cards) + 1)))  # type: ignore[arg-type]
        if stack.kind == "base":
            move = replace(move, places=(place, stack.place(1)))
        if violations(before, move, game):
            yield before, move, moved(before, move, game)


@pytest.mark.parametrize("game_id", list(ROW_GAMES))
def test_planted_breaches_are_flagged_with_their_cards(game_id: str) -> None:
    """Those that no legal line leads to."""
    game, kinds, legal = ROW_GAMES[game_id], set[str](), 0
    for before, move, after in islice(planted(game, Random(33)), 60):
        told = explain(before, camera_view(after), game)
        assert not told.undone
        if not told.violations:
            legal += 1
            continue
        expected = violations(before, move, game)
        assert {found.breach for found in told.violations} == {found.breach for found in expected}, (move, before)
        assert all(set(move.cards) <= set(found.cards) for found in told.violations)
        kinds |= {found.breach for found in expected}
    assert legal <= 10
    assert kinds >= {"covered", "wrong-suit-or-rank"}


def test_a_card_taken_from_the_locked_cellar_is_named() -> None:
    rng, checked = Random(34), 0
    while checked < 25:
        before = some_position(ARCYDZIELO, rng)
        if not isinstance(before.cellar, Card) or not is_locked(before, ARCYDZIELO) or before.direction is None:
            continue
        opened = replace(before, left=(*before.left[:4], ()))
        for move in legal_moves(opened, ARCYDZIELO):
            if move.places and move.places[0] == "cellar" and not move.places[1].startswith("left 5"):
                after = play(opened, move, ARCYDZIELO)
                told = explain(before, camera_view(replace(after, left=(*after.left[:4], before.left[4]))), ARCYDZIELO)
                assert [(found.breach, found.cards) for found in told.violations] == [("locked-cellar", move.cards)]
                checked += 1


def broken(before: RowPosition, after: RowPosition, game: Game) -> list[tuple[str, tuple[Card, ...]]]:
    """Each violation between two looks as its breach and cards."""
    told = explain(before, camera_view(after), game)
    return [(found.breach, found.cards) for found in told.violations]  # type: ignore[misc]


def test_polish_text_the_cellar_takes_one_card_a_second_one_is_named() -> None:
    deal = replace(random_deal(ARCYDZIELO, Random(41)), direction="up")
    held, second = deal.left[0][-1], deal.left[1][-1]
    full = replace(deal, cellar=held, left=(deal.left[0][:-1], *deal.left[1:]))
    after = replace(full, cellar=second, left=(full.left[0], full.left[1][:-1], *full.left[2:]))
    assert broken(full, after, ARCYDZIELO) == [("cellar-full", (second, held))]


@pytest.mark.parametrize("at", [0, 2])
def test_a_card_laid_under_others_of_another_row_or_of_its_own_is_at_a_wrong_place(at: int) -> None:
    deal = replace(random_deal(ARCYDZIELO, Random(42)), direction="up")
    (*first, end), other = deal.left[0], deal.left[1]
    under = replace(deal, left=(tuple(first), (*other[:at], end, *other[at:]), *deal.left[2:]))
    assert broken(deal, under, ARCYDZIELO) == [("wrong-place", (end,))]
    shifted = replace(deal, left=((*first[:at], end, *first[at:]), *deal.left[1:]))
    assert broken(deal, shifted, ARCYDZIELO) == [("wrong-place", (end,))]


def test_polish_text_an_empty_auxiliary_half_row_stays_empty() -> None:
    before = parse_position(
        TWO.replace("5H 2S", "5H 6H").replace("/ 6H", "/ 9C").replace("/ 2C", "/ -") + " ; direction=up"
    )
    filled = replace(before, left=((card("5H"),), *before.left[1:]), right=(*before.right[:4], (card("6H"),)))
    assert broken(before, filled, ARCYDZIELO) == [("row-stays-empty", (card("6H"),))]
    known = explain_game([filled, before, camera_view(filled)], ARCYDZIELO)
    assert (known.violations, [str(move) for move in known.undone]) == ((), ["build 6H"])


def undealt(deal: RowPosition, bases: int) -> RowPosition:
    """The deal without its last bases."""
    left = BASES - bases
    return replace(
        deal, bases=(*deal.bases[:left], *(GONE,) * bases), base_cards=(*deal.base_cards[:left], *(None,) * bases)
    )


@pytest.mark.parametrize("game_id", ["nowy-domator", "ulubiony"])
def test_cards_dealt_between_two_looks_are_no_breach_but_moves_before_the_deal_is_finished_are(game_id: str) -> None:
    game = ROW_GAMES[game_id]
    deal = random_deal(game, Random(43))
    begun = undealt(deal, 1)
    begun = replace(begun, right=(*deal.right[:3], deal.right[3][:2], *deal.right[4:]))
    told = explain(begun, camera_view(deal), game)
    assert (told.moves, told.violations, told.undone) == ((), (), ())
    assert camera_view(told.position) == camera_view(deal)
    end = begun.left[0][-1]
    moved_too_early = replace(begun, left=(begun.left[0][:-1], (*begun.left[1], end), *begun.left[2:]))
    assert broken(begun, moved_too_early, game) == [("deal-unfinished", (end,))]


def test_polish_text_ulubiony_the_direction_may_be_chosen_while_cards_are_dealt() -> None:
    deal = random_deal(ULUBIONY, Random(44))
    begun = replace(undealt(deal, 1), right=(*deal.right[:3], deal.right[3][:2]))
    told = explain(begun, replace(deal, direction="down"), ULUBIONY)
    assert (told.moves, told.violations, told.position.direction) == ((direction("down"),), (), "down")


def test_a_base_card_dealt_to_a_row_goes_to_the_base_column_once_its_rank_is_fixed() -> None:
    game = ROW_GAMES["nowy-domator"]
    deal = random_deal(game, Random(45))
    begun = replace(undealt(deal, 3), left=((deal.bases[1], *deal.left[0][1:]), *deal.left[1:]))
    told = explain(begun, camera_view(deal), game)
    assert (told.moves, told.violations) == ((), ())


@pytest.mark.parametrize("game_id", list(ROW_GAMES))
def test_a_wrong_first_build_on_a_fresh_deal_is_never_taken_back(game_id: str) -> None:
    game, rng, reversible = ROW_GAMES[game_id], Random(46), 0
    while reversible < 15:
        deal = random_deal(game, rng)
        for place, stack in product((place for place, _ in deal.lying()), deal.stacks()):
            found, cards = parse_place(place), deal.cards_in(stack)
            source = deal.cards_in(found[0]) if found else None
            if not found or not source or not cards or found[0] == stack or {found[0].kind, stack.kind} != {"half"}:
                continue
            move = RowMove("build", source[-1:], (found[0].place(len(source)), stack.place(len(cards) + 1)))
            back = RowMove("build", move.cards, move.places[::-1])
            after = moved(deal, move, game)
            if len(source) < 2 or not violations(deal, move, game) or violations(after, back, game):
                continue
            reversible += 1
            told = explain(deal, camera_view(after), game)
            assert (told.moves, told.undone) == ((), ())
            assert [(each.breach, each.places[0], each.cards[0]) for each in told.violations] == [
                (each.breach, move.places[0], move.cards[0]) for each in violations(deal, move, game)
            ]


def test_a_card_back_from_a_foundation_is_a_breach_where_no_earlier_look_shows_it() -> None:
    after = parse_position(TWO.replace("AS", "2S", 1).replace("5H 2S", "5H") + " ; direction=up")
    before = replace(after, bases=(card("AS"), *after.bases[1:]), left=((card("5H"), card("2S")), *after.left[1:]))
    told = explain(after, camera_view(before), ARCYDZIELO)
    assert told.undone == ()
    assert next((each.breach, each.cards) for each in told.violations) == ("not-in-play", (card("2S"),))


def test_a_joker_among_the_rows_is_refused() -> None:
    plain = parse_position(TWO)
    joker = replace(plain, left=((Card.parse("JK"),), *plain.left[1:]))
    for looks in ((plain, joker), (joker, plain)):
        with pytest.raises(PositionError, match="left 1 1 holds a joker, which does not belong to the deck of arcydz"):
            explain(*looks, ARCYDZIELO)


def test_a_card_laid_back_where_it_never_lay_in_the_game_is_a_breach() -> None:
    first = parse_position(
        "base=AS AH AD AC ; left=9D 5C / 6C / 7S / 8D / 2D ; right=- / - / - / - / 2C ; cellar=-- ; direction=up"
    )
    built = replace(first, left=((card("9D"),), (card("6C"), card("5C")), *first.left[2:]))
    odd = replace(built, left=((card("9D"),), (card("6C"),), (card("7S"), card("5C")), *first.left[3:]))
    whole = explain_game([first, built, odd], ARCYDZIELO)
    assert [(found.breach, found.cards) for found in whole.violations] == [
        ("wrong-suit-or-rank", (card("5C"), card("7S")))
    ]
    back = explain_game([first, built, camera_view(first)], ARCYDZIELO)
    assert (back.violations, [str(move) for move in back.undone]) == ((), ["build 5C"])


def test_cards_that_come_go_and_change_are_named() -> None:
    rng = Random(35)
    for game in ROW_GAMES.values():
        deal = replace(random_deal(game, rng), direction="up")
        last = deal.left[1][-1]
        gone = replace(deal, left=(deal.left[0], deal.left[1][:-1], *deal.left[2:]))
        assert [(v.breach, v.places, v.cards) for v in explain(deal, gone, game).violations] == [
            ("card-vanished", (f"left 2 {len(deal.left[1])}",), (last,))
        ]
        assert [(v.breach, v.cards) for v in explain(gone, deal, game).violations] == [("card-appeared", (last,))]
        other = deal.right[2][0]
        changed = replace(deal, left=(deal.left[0], (*deal.left[1][:-1], other), *deal.left[2:]))
        assert ("card-changed", (last, other)) in [(v.breach, v.cards) for v in explain(deal, changed, game).violations]


def test_what_is_told_and_contradicts_what_was_known_is_a_breach() -> None:
    deal = replace(random_deal(ULUBIONY, Random(36)), direction="up", reversed=True)
    told = explain(deal, replace(deal, direction="down", reversed=False), ULUBIONY)
    assert [found.breach for found in told.violations] == ["wrong-direction", "already-reversed"]
    other = replace(random_deal(PIWNICA, Random(36)), bases=tuple(map(card, ("2S", "9S", "4D", "5C"))))
    chosen = replace(other, base_cards=(card("2S"), None, card("4D"), card("5C")), free_centre=(2,))
    swapped = replace(other, base_cards=(None, card("9S"), card("4D"), card("5C")), free_centre=(1,))
    assert [found.breach for found in explain(chosen, swapped, PIWNICA).violations] == ["wrong-base"]


def test_choices_told_with_the_later_look_are_moves() -> None:
    deal = random_deal(ULUBIONY, Random(37))
    assert explain(deal, replace(deal, direction="down"), ULUBIONY).moves == (direction("down"),)
    assert explain(deal, replace(deal, direction="down", reversed=True), ULUBIONY).moves == (direction("down"), REVERSE)
    assert explain(deal, deal, ULUBIONY).moves == ()


TWO = "base=AS AH AD AC ; left=5H 2S / 6H / 7S / 8D / 2D ; right=- / - / - / - / 2C ; cellar=--"


def test_a_foundation_card_before_the_direction_is_known_may_follow_its_choice() -> None:
    before = parse_position(TWO)
    move = foundation(card("2S"), "left 1 2", 1)
    told = explain(before, camera_view(play(before, move, ARCYDZIELO)), ARCYDZIELO)
    assert (told.moves, told.alternatives) == ((move,), ((direction("up"), move),))
    assert told.position.direction == "up"


def test_cards_put_back_are_moves_undone() -> None:
    before = parse_position(TWO + " ; direction=up")
    after = play(before, foundation(card("2S"), "left 1 2", 1), ARCYDZIELO)
    told = explain_game([before, after, camera_view(before)], ARCYDZIELO)
    assert (told.moves, told.violations) == ((), ())
    assert told.undone == (foundation(card("2S"), "left 1 2", 1),)
    assert (told.position.direction, told.position.bases) == ("up", before.bases)
    cellar = play(before, RowMove("cellar", (card("7S"),), ("left 3 1", "cellar")), ARCYDZIELO)
    whole = explain_game([before, cellar, before, after], ARCYDZIELO)
    assert (whole.moves, whole.violations) == ((foundation(card("2S"), "left 1 2", 1),), ())
    assert [move.kind for move in whole.undone] == ["cellar"]


def test_a_whole_game_goes_on_after_a_breach() -> None:
    before = parse_position(TWO + " ; direction=up")
    odd = replace(before, left=((card("5H"),), (card("6H"), card("2S")), *before.left[2:]))
    move = foundation(card("2S"), "left 1 2", 1)
    told = explain_game([before, odd, play(before, move, ARCYDZIELO)], ARCYDZIELO)
    assert [(found.breach, found.cards) for found in told.violations] == [
        ("wrong-suit-or-rank", (card("2S"), card("6H")))
    ]
    assert (told.moves, told.position.bases[0]) == ((move,), card("2S"))


def test_a_card_that_could_not_be_read_is_learnt_where_it_lies_or_goes() -> None:
    before = parse_position(TWO + " ; direction=up")
    hidden = replace(before, left=((card("5H"), UNREADABLE), *before.left[1:]))
    move = foundation(card("2S"), "left 1 2", 1)
    after = play(before, move, ARCYDZIELO)
    assert explain(hidden, after, ARCYDZIELO).moves == (move,)
    assert explain(hidden, before, ARCYDZIELO).position.left == before.left
    smudged = replace(after, left=((UNREADABLE,), *after.left[1:]))
    told = explain(before, smudged, ARCYDZIELO)
    assert (told.moves, told.position.left[0]) == ((move,), (card("5H"),))


def test_what_is_outside_a_picture_is_not_held_against_anyone() -> None:
    for before, _, after in islice(random_steps(ULUBIONY, Random(38)), 40):
        told = explain(before, replace(camera_view(after), left_column=None, right_column=None), ULUBIONY)
        assert not any("column" in place for found in told.violations for place in found.places)
        hidden = replace(before, left_column=None)
        assert not explain(hidden, replace(before, left_column=None, right_column=None), ULUBIONY).violations


def test_positions_of_another_layout_are_refused() -> None:
    with pytest.raises(PositionError, match="ulubiony has 4 half rows a side, the position has 5"):
        explain(random_deal(ARCYDZIELO, Random(1)), random_deal(ARCYDZIELO, Random(1)), ULUBIONY)
    with pytest.raises(PositionError, match="at least two"):
        explain_game([], ARCYDZIELO)
