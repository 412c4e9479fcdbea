"""What the referee says for people."""

import json

import pytest

from companion_app.languages import CODES, language
from tests.companion_app.command_line import run

BEFORE = [["2S"], ["9S", "4S"], ["6S", "7H", "4D"], ["5S", "5D", "8S", "8D"]]
AFTER = [*BEFORE[:3], [None] * 4]


@pytest.mark.parametrize("code", CODES)
def test_other_moves_that_explain_a_change_are_told_too(code: str) -> None:
    rest = {"stock": 5, "waste": None, "turned": None, "pass": 1}
    tables = [json.dumps({"pyramid": rows} | rest) for rows in (BEFORE, AFTER)]
    done = run("referee", "--game", "math-pyramid", "--rule", "rows=4", "--lang", code, *tables)
    assert done.exit_code == 0, done.output
    spoken = language(code)
    five, eight = ([spoken.card(f"{rank}{suit}") for suit in "SD"] for rank in "58")
    moves = [spoken.say("move.pair", cards=f"{five[a]} + {eight[b]}") for a, b in ((0, 0), (1, 1), (0, 1), (1, 0))]
    assert all(move in done.output for move in moves)
    (other,) = [line for line in done.output.splitlines() if line.startswith(spoken.say("next.alternatives"))]
    assert moves[2] in other and moves[3] in other
