"""The row family as records, scores and simulations use it."""

from __future__ import annotations

from random import Random

import pytest

from rules.cards import Card
from rules.catalogue import ROW_GAMES, find_game
from rules.errors import NotNotedError, PositionError, RuleError
from rules.families import family_of
from rules.family import Thought
from rules.rows.family import RowFamily
from rules.rows.legality import cards_off, is_legal, play
from rules.rows.moves import direction
from rules.rows.notation import parse_position
from rules.scoring import score_position

from .tables import some_position


@pytest.mark.parametrize("game_id", list(ROW_GAMES))
def test_starts_of_records_round_trip_and_scores_add_up_to_the_deck(game_id: str) -> None:
    game = ROW_GAMES[game_id]
    family, rng = family_of(game), Random(61)
    deal = family.deal(game, rng)
    assert list(family.start_texts(deal, game)) == ["deal"]
    assert family.parse_start(family.start_texts(deal, game), game) == deal
    for _ in range(5):
        position = some_position(game, rng)
        assert family.parse_start(family.start_texts(position, game), game) == position
        left, done = (score_position(scheme, position, game).score for scheme in ("cards-left", "foundation"))
        assert (left, left + done) == (cards_off(position, game), 52)
        assert list(family.truths(position, game, rng, 5)) == [position]
        moves = family.legal_moves(position, game)
        assert not moves or is_legal(position, family.greedy(position, moves, game), game)


def test_polish_text_ulubiony_a_player_chooses_the_direction_blindly() -> None:
    game = ROW_GAMES["ulubiony"]
    deal = RowFamily().deal(game, Random(62))
    assert (deal.direction, RowFamily().show(deal, game).direction) == (None, "up")
    other = ROW_GAMES["arcydzielo"]
    assert RowFamily().show(RowFamily().deal(other, Random(62)), other).direction is None


def test_a_hint_is_a_legal_move() -> None:
    game = ROW_GAMES["arcydzielo"]
    nearly = parse_position(
        "base=JS KH KD KC ; base_cards=AS AH AD AC ; left=KS QS / - / - / - / - ; right=- / - / - / - / - ; "
        "cellar=-- ; direction=up"
    )
    family = RowFamily()
    line = family.hint(nearly, game, Random(1), Thought(samples=1))
    position = nearly
    for move in line:
        position = play(position, move, game)
    assert family.outcome(position, game) == "won"
    assert family.solve(nearly, game, None).verdict == "winnable"


def test_what_a_position_does_not_tell_cannot_be_scored() -> None:
    deal = RowFamily().deal(ROW_GAMES["ulubiony"], Random(63))
    data = {key: value for key, value in deal.to_json().items() if key != "left_column"}
    with pytest.raises(NotNotedError, match="columns or a cellar"):
        score_position("cards-left", type(deal).from_json(data), ROW_GAMES["ulubiony"])
    with pytest.raises(RuleError, match="score of the rows family"):
        score_position("foundation", deal, find_game("pyramid"))


def test_moves_of_a_record_are_named_by_kind() -> None:
    family = RowFamily()
    assert family.move("direction", (), ("up",)) == direction("up")
    with pytest.raises(PositionError, match="no move of the row family"):
        family.move("pair", (Card.parse("5H"),), ("left 1 1",))
    with pytest.raises(PositionError, match="deal or position"):
        family.parse_start({}, ROW_GAMES["arcydzielo"])
