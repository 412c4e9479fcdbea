"""Input that cannot be: each has its own clear message, in the language asked for, and a status of its own."""

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from companion_app.languages import CODES, language
from companion_app.troubles import as_trouble
from rules.catalogue import find_game
from rules.errors import PositionError, RulesError
from tests.companion_app.command_line import answers, run

Serve = Callable[..., httpx.Client]
GAME = ("--game", "relaxed-pyramid")
LEVELS = 5000
DEEP = {
    "list": "[" * LEVELS + "]" * LEVELS,
    "pyramid": '{"pyramid": ' + "[" * LEVELS + "]" * LEVELS + "}",
    "position": '{"position": ' * LEVELS + "1" + "}" * LEVELS,
    "unclosed": "[" * LEVELS,
}
COMMANDS = (("check", *GAME), ("hint", *GAME), ("score", *GAME), ("review",))


ROWS_TWICE = {"base": ["AS", "AH", "AD", "AC"], "left": [["2S", "2S"], [], [], [], []], "right": [[], [], [], [], []]}


@pytest.mark.parametrize("text", DEEP.values(), ids=list(DEEP))
@pytest.mark.parametrize("command", COMMANDS, ids=[command[0] for command in COMMANDS])
def test_json_nested_5000_deep_cannot_be_read_by_any_command(
    command: tuple[str, ...], text: str, tmp_path: Path
) -> None:
    (tmp_path / "deep.json").write_text(text)
    for given, stdin in ((text, None), (str(tmp_path / "deep.json"), None), ("-", text)):
        result = run(*command, "--json", given, stdin=stdin)
        assert result.exit_code == 3
        assert [answer["error"]["code"] for answer in answers(result)] == ["position"]
        assert len(result.stderr) < 1000


@pytest.mark.parametrize("levels", [100, 900, 980])
def test_json_nested_less_deep_is_no_card(levels: int) -> None:
    result = run("check", *GAME, "--rule", "rows=3", '{"pyramid": [[' + "[" * levels + "]" * levels + "]]}")
    assert result.exit_code == 3
    assert len(result.stderr) < 1000


@pytest.mark.parametrize("text", DEEP.values(), ids=list(DEEP))
def test_json_nested_5000_deep_is_no_deal_no_table_and_no_position_of_the_page(serve: Serve, text: str) -> None:
    assert run("solve", *GAME, "-", stdin=text).exit_code == 3
    assert run("referee", *GAME, text, text).exit_code == 3
    client = serve()
    for answer in (
        client.post("/tables", data={"position": text}),
        client.post(f"{table(client)}/text", data={"position": text}),
    ):
        assert answer.status_code == 422, answer.text
        assert answer.json()["code"] in ("position", "card")


def table(client: httpx.Client) -> str:
    """The path of a table laid from a text."""
    return client.post("/tables", data={"position": '{"pyramid": [["KS"], [null, null], [null, null, null]]}'}).url.path


SMALL = '{{"pyramid": [["KS"], [null, null], [null, null, null]], {0}}}'
BAD = {
    "empty list": ("[]", "There is no position in this."),
    "no object": ("[3]", "an object in curly brackets, not 3"),
    "no json": ("{", "it is no JSON (line 1, character 2)"),
    "no pyramid": ("{}", "a list of rows from the apex"),
    "row too long": ('{"pyramid": [["KS", "QS"]]}', "Row 1 of a pyramid has 1 places, not 2"),
    "rows of another game": ('{"pyramid": [["KS"]]}', "has 3 rows, but this position has 1"),
    "no card": ('{"pyramid": [["XY"], [null, null], [null, null, null]]}', "'XY' is no card"),
    "negative stock": (SMALL.format('"stock": -3'), "the number of its cards, from 0 to 99, not -3"),
    "stock beyond any deck": (SMALL.format('"stock": 100000000000'), "from 0 to 99, not 100000000000"),
    "stock is a text": (SMALL.format('"stock": "three"'), "the number of its cards, from 0 to 99, not 'three'"),
    "pass 0": (SMALL.format('"pass": 0'), "a number from 1, not 0"),
    "pass beyond the rule": (SMALL.format('"pass": 2'), "Pass 2 is told, but relaxed-pyramid has at most 1"),
}


@pytest.mark.parametrize(("text", "said"), BAD.values(), ids=list(BAD))
def test_each_wrong_position_has_a_message_of_its_own(text: str, said: str) -> None:
    result = run("check", *GAME, "--rule", "rows=3", "--json", text)
    assert result.exit_code == 3
    assert said in answers(result)[0]["error"]["message"]


def test_a_folder_given_as_a_picture_is_called_one(tmp_path: Path) -> None:
    result = run("read", "--json", str(tmp_path))
    assert (result.exit_code, answers(result)[0]["error"]["code"]) == (3, "folder")
    assert answers(result)[0]["error"]["message"] == f"{tmp_path} is a folder. Name a file in it."


@pytest.mark.parametrize("code", ["fi", "pl", "nb"])
@pytest.mark.parametrize(("text", "said"), BAD.values(), ids=list(BAD))
def test_error_details_are_told_in_the_language_asked_for(code: str, text: str, said: str) -> None:
    result = run("check", *GAME, "--rule", "rows=3", "--json", "--lang", code, text)
    message = answers(result)[0]["error"]["message"]
    assert said not in message
    assert not any(f" {word} " in f" {message} " for word in ("is", "the", "of", "position", "not", "cannot"))


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(
    ("rules", "named"),
    [
        ({"colour": "red"}, ("colour", "overlap")),
        ({"passes": "4"}, ("passes", "4", "unlimited")),
        ({"total": "6"}, ("6", "24", "7", "28")),
        ({"total": "10", "rows": "5", "apex": "KS"}, ("KS", "10")),
    ],
)
def test_a_wrong_rule_is_told_in_the_language_asked_for(
    code: str, rules: dict[str, str], named: tuple[str, ...]
) -> None:
    with pytest.raises(RulesError) as caught:
        find_game("relaxed-pyramid", rules)
    told = as_trouble(caught.value, language(code)).message
    assert all(value in told for value in named)
    assert str(caught.value) not in told


@pytest.mark.parametrize("code", ["fi", "pl", "nb"])
def test_what_has_no_sentence_of_its_own_keeps_the_english_text_as_a_detail(code: str) -> None:
    told = as_trouble(PositionError("something rare"), language(code)).message
    assert told.endswith("something rare)")
    assert told.index("(") > 10


@pytest.mark.parametrize(("field", "value"), [("stock", "25"), ("stock", "many"), ("pass", "2"), ("pass", "0")])
def test_a_number_of_the_page_that_cannot_be_is_told_with_those_that_can(serve: Serve, field: str, value: str) -> None:
    client = serve()
    position = json.dumps({"pyramid": [[None] * row for row in range(1, 8)]})
    path = client.post("/tables", data={"position": position, "game": "relaxed-pyramid"}).url.path
    answer = client.post(f"{path}/piles", data={field: value}, headers={"accept-language": "fi"})
    assert answer.status_code == 400
    assert "anna luku väliltä" in answer.json()["detail"]


def coded_errors() -> set[str]:
    """Every code that an error of the rules is raised with, by the source of the rules."""
    found = set()
    for path in (Path(__file__).parents[2] / "rules").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.endswith("Error"):
                found |= {arg.value for arg in node.args[1:2] if isinstance(arg, ast.Constant)}
    return found


def test_every_error_of_the_rules_that_has_a_code_has_a_sentence_in_each_language() -> None:
    codes = coded_errors()
    assert {"pass-beyond", "no-card", "draw-held", "par-games"} <= codes
    assert [code for code in codes for spoken in CODES if f"error.{code}" not in language(spoken)] == []


@pytest.mark.parametrize(("action", "data"), [("settle", {"place": "moon", "card": "KS"}), ("piles", {"stock": "x"})])
def test_what_the_desk_refuses_is_told_in_the_language_asked_for(
    serve: Serve, action: str, data: dict[str, str]
) -> None:
    client = serve()
    path = table(client)
    said = {
        code: client.post(f"{path}/{action}", data=data, headers={"accept-language": code}).json()["detail"]
        for code in CODES
    }
    assert len(set(said.values())) == len(CODES)
    assert all("moon" in text or "x" in text for text in said.values())


@pytest.mark.parametrize(
    ("game", "position", "told"),
    [
        ("arcydzielo", ROWS_TWICE, "2 of spades (left row 1, card 1; left row 1, card 2)"),
        ("king-tut", {"pyramid": [["2S"], ["2S", "KD"], ["3S", "4S", "JK"]]}, "2 of spades (row 1, place 1"),
        ("king-tut", {"pyramid": [["2S"], ["5S", "KD"], ["3S", "4S", "JK"]]}, "joker (row 3, place 3)"),
        ("king-tut", {"pyramid": [["2S"], ["5S", "KD"], ["3S", "4S", "6S"]], "stock": 50}, "56 cards"),
    ],
    ids=["twice in a row game", "twice", "foreign", "too many"],
)
def test_a_hint_names_what_cannot_be_instead_of_too_little_time(game: str, position: dict[str, Any], told: str) -> None:
    rule = [] if game == "arcydzielo" else ["--rule", "rows=3"]
    result = run("hint", "--game", game, *rule, "--json", json.dumps(position))
    (answer,) = answers(result)
    assert result.exit_code == 3 and told in answer["error"]["message"]
