"""A deal laid afresh and another table are told as such; moved, misread and bumped cards are not."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from rules.cards import GONE, UNREADABLE, Card, Seen
from rules.catalogue import ROW_GAMES, Game
from rules.rows.dealing import random_deal
from rules.rows.legality import legal_moves, play
from rules.rows.position import RowPosition
from rules.rows.referee import Told, explain, explain_game

from .tables import camera_view, mid_game

GAMES = list(ROW_GAMES)
ARCYDZIELO, PIWNICA = ROW_GAMES["arcydzielo"], ROW_GAMES["piwnica"]


def played(game: Game, rng: Random, moves: int) -> RowPosition:
    """A deal after so many legal moves."""
    position = random_deal(game, rng)
    for _ in range(moves):
        legal = legal_moves(position, game)
        position = play(position, rng.choice(legal), game) if legal else position
    return position


def is_told_as(told: Told, table: str) -> bool:
    return (told.table, told.moves, told.alternatives, told.violations, told.undone) == (table, (), (), (), ())


@pytest.mark.parametrize("game_id", GAMES)
def test_a_new_deal_laid_is_told_as_such_and_not_as_breaches(game_id: str) -> None:
    game, rng = ROW_GAMES[game_id], Random(71)
    for number in range(40):
        before = (played(game, rng, number // 2), mid_game(game, rng))[number % 2]
        deal = random_deal(game, rng)
        told = explain(before, camera_view(deal), game)
        assert is_told_as(told, "new-deal"), (before, deal, told)
        assert told.position == deal
        chosen = replace(deal, direction="down")
        assert explain(before, chosen, game).position == chosen


@pytest.mark.parametrize("game_id", GAMES)
def test_another_table_is_told_as_such_and_not_as_breaches(game_id: str) -> None:
    game, rng = ROW_GAMES[game_id], Random(72)
    for number in range(40):
        before = (random_deal(game, rng), played(game, rng, 20))[number % 2]
        other = played(game, rng, 12)
        if other.cellar in (None, GONE) and not other.left[0]:
            continue
        other = replace(other, left=(other.left[0][:-1], *other.left[1:]))
        told = explain(before, camera_view(other), game)
        assert is_told_as(told, "another-table")
        assert camera_view(told.position).left == other.left


@pytest.mark.parametrize("game_id", GAMES)
def test_moved_misread_and_bumped_cards_are_the_same_table(game_id: str) -> None:
    game, rng = ROW_GAMES[game_id], Random(73)
    for number in range(30):
        before = replace(played(game, rng, number), direction="up")
        rows = [list(row) for row in (*before.left, *before.right)]
        for change in (exchange_rows, turn_a_row, misread, carry):
            after = [list(row) for row in rows]
            change(after, rng)
            look = with_rows(before, after)
            assert explain(before, camera_view(look), game).table == "same", change


def with_rows(position: RowPosition, rows: list[list[Seen]]) -> RowPosition:
    halves = [tuple(row) for row in rows]
    return replace(position, left=tuple(halves[: position.row_count]), right=tuple(halves[position.row_count :]))


def exchange_rows(rows: list[list[Seen]], rng: Random) -> None:
    one, other = rng.sample(range(len(rows)), 2)
    rows[one], rows[other] = rows[other], rows[one]


def turn_a_row(rows: list[list[Seen]], rng: Random) -> None:
    rng.choice(rows).reverse()


def misread(rows: list[list[Seen]], rng: Random) -> None:
    cards = [card for row in rows for card in row]
    for _ in range(5):
        row = rng.choice([row for row in rows if row])
        row[rng.randrange(len(row))] = rng.choice([*cards, UNREADABLE])


def carry(rows: list[list[Seen]], rng: Random) -> None:
    for _ in range(6):
        rng.choice(rows).append(rng.choice([row for row in rows if row]).pop())


def test_an_ending_with_few_cards_left_stays_the_same_table() -> None:
    rng = Random(74)
    for _ in range(60):
        before = mid_game(ARCYDZIELO, rng)
        cards = [card for _, card in before.lying()]
        rows = [*before.left, *before.right]
        if sum(map(len, rows)) > 8 or len(cards) != len(set(cards)):
            continue
        rng.shuffle(rows)
        look = camera_view(replace(before, left=tuple(rows[:5]), right=tuple(rows[5:])))
        assert explain(before, look, ARCYDZIELO).table == "same"


def test_a_deal_put_back_after_a_few_moves_is_taken_back_and_a_new_one_begins_the_record_anew() -> None:
    rng = Random(75)
    deal = replace(random_deal(PIWNICA, rng), direction="up")
    looks = [deal]
    for _ in range(3):
        visible = [move for move in legal_moves(looks[-1], PIWNICA) if len(move.places) == 2]
        looks.append(play(looks[-1], visible[0], PIWNICA))
    back = explain_game([*looks, camera_view(deal)], PIWNICA)
    assert (back.table, back.violations, len(back.undone)) == ("same", (), 3)
    other = random_deal(PIWNICA, rng)
    anew = explain_game([*looks, camera_view(other)], PIWNICA)
    assert is_told_as(anew, "new-deal") and anew.position == other


def test_what_an_earlier_look_could_not_read_is_not_held_against_the_later_one() -> None:
    deal = random_deal(ARCYDZIELO, Random(76))
    blurred = replace(deal, left=tuple((UNREADABLE,) * len(row) for row in deal.left))
    assert explain(blurred, camera_view(deal), ARCYDZIELO).table == "same"
    assert all(isinstance(card, Card) for _, card in islice(deal.lying(), 10))
