"""Row games in the commands: positions as texts, and their words in every language."""

import json
from random import Random

import pytest

from rules.catalogue import ROW_GAMES
from rules.rows.dealing import random_deal
from rules.rows.legality import legal_moves, play
from rules.rows.moves import direction
from rules.rows.position import RowPosition
from tests.companion_app.test_cli import answers, run


def two_looks(game_id: str) -> tuple[RowPosition, RowPosition]:
    """A deal with the direction chosen, and the same after a move of one card."""
    game = ROW_GAMES[game_id]
    before = play(random_deal(game, Random(9)), direction("up"), game)
    move = next(move for move in legal_moves(before, game) if len(move.cards) == 1 and len(move.places) == 2)
    return before, play(before, move, game)


def text(position: RowPosition) -> str:
    return json.dumps(position.to_json())


@pytest.mark.parametrize("game_id", list(ROW_GAMES))
def test_check_referee_and_score_take_positions_of_every_row_game(game_id: str) -> None:
    before, after = two_looks(game_id)
    fine = run("check", "--json", "--game", game_id, "--stage", "deal", text(before))
    assert (fine.exit_code, answers(fine)[0]["faults"]) == (0, [])
    told = run("referee", "--json", "--game", game_id, text(before), text(after))
    (answer,) = answers(told)
    assert (told.exit_code, len(answer["moves"]), answer["violations"]) == (0, 1, [])
    assert answer["position"] == after.to_json()
    scored = answers(run("score", "--json", "--scheme", "foundation", "--game", game_id, text(before)))[0]
    left = answers(run("score", "--json", "--game", game_id, text(before)))[0]
    assert scored["score"] + left["score"] == 52 and scored["score"] <= 4


def test_a_breach_is_told_in_words_with_the_table_drawn() -> None:
    before, _ = two_looks("arcydzielo")
    card, end = before.left[0][-1], before.right[3][-1]
    assert card.suit != end.suit  # type: ignore[union-attr]
    left = (before.left[0][:-1], *before.left[1:])
    right = (*before.right[:3], (*before.right[3], card), before.right[4])
    odd = {**before.to_json(), "left": [[str(c) for c in row] for row in left]}
    odd["right"] = [[str(c) for c in row] for row in right]
    told = run("referee", "--game", "arcydzielo", text(before), json.dumps(odd))
    assert told.exit_code == 1
    assert "Wrong suit or rank" in told.stdout and "left row 1, card 5" in told.stdout
    assert "Foundations go up" in told.stdout and "cellar" in told.stdout
    polish = run("referee", "--lang", "pl", "--game", "arcydzielo", text(before), json.dumps(odd))
    assert "Zły kolor lub wartość" in polish.stdout


def test_every_place_move_and_breach_of_the_row_games_has_its_words() -> None:
    from companion_app.languages import CODES, language
    from companion_app.languages.phrases import move_phrase
    from rules.rows.moves import ROW_MOVE_KINDS

    for spoken in map(language, CODES):
        for kind in ROW_MOVE_KINDS:
            place = "up" if kind == "direction" else "left 1 2"
            assert move_phrase(spoken, {"kind": kind, "cards": ["5H"], "places": [place]})
        for place in ("base 1", "left 1 2", "right 5 1", "left column 3", "right column 1", "cellar"):
            assert spoken.place(place) != place or (spoken.code, place) in (("en", "base 1"), ("en", "cellar")), place


def test_a_rule_that_does_not_go_with_the_game_is_wrong_use() -> None:
    before, _ = two_looks("arcydzielo")
    result = run("check", "--game", "arcydzielo", "--rule", "build_on_columns=yes", text(before))
    assert result.exit_code == 2 and "needs vertical rows at the sides" in result.stderr


def test_a_position_of_the_other_family_is_told() -> None:
    before, _ = two_looks("arcydzielo")
    assert "pyramid" in run("check", "--game", "pyramid", text(before)).stderr
    assert "here “base” is missing" in run("check", "--game", "arcydzielo", '{"pyramid": [["KS"]]}').stderr
