"""The command line in every language: its help, what it says is wrong, and what the rules say of bad texts."""

import json
from errno import ENOENT, ENOSPC
from functools import cache
from sqlite3 import DatabaseError, connect

import pytest

from companion_app.commands.usage import helped_in, said_in
from companion_app.languages import CODES, DEFAULT, language
from companion_app.library.store import StoreTrouble
from companion_app.settings import Settings, told_language
from companion_app.troubles import as_trouble
from tests.companion_app.command_line import answers, run
from tests.companion_app.keys import help_texts
from tests.companion_app.test_settings import file

__all__ = ["file"]

OTHERS = [code for code in CODES if code != DEFAULT]
ROWS = {"left": [[]] * 6, "right": [[]] * 6}
BASE = {"base": ["AS", "AH", "AD", "AC"]}
PYRAMID = {"pyramid": [["2S"], ["3S", "4S"], ["5S", "6S", "7S"]]}
DEAL = "6D 4H 5D AC 6S 5C 3D 2D 4D AS 5H 2C 4S 3H 4C 6C 3C 3S 2S AH 5S AD 6H 2H"
POSITIONS = [
    PYRAMID | more
    for more in (
        *({"stock": 3, "stock_cards": ["2H"]}, {"waste": "2H", "waste_cards": ["3H"]}, {"stock_cards": "2H"}),
        *({"stock_cards": [None]}, {"stock": True, "stock_cards": []}, {"stock_played": 3}, {"stock": 1.5}),
        *({"pass": "x"}, {"pass": 0}, {"waste": "ZZ"}, {"pyramid": 3}, {"pyramid": [["2S"]]}, {"pyramid": [[]]}),
    )
]
ROW_POSITIONS = [
    BASE | more
    for more in (
        *({}, ROWS | {"base": ["AS"]}, ROWS | {"left": []}, ROWS | {"left": 3}, ROWS | {"left": ["2S"]}),
        *(ROWS | {"left": [["2S", None, "3S"], *[[]] * 5]}, ROWS | {"direction": "x"}, ROWS | {"reversed": 1}),
        *(ROWS | {"free_centre": [9]}, ROWS | {"free_centre": "x"}, {"left": [[]], "right": [[]]}),
        ROWS | {"free_centre": [1], "base_cards": ["AS", None, None, None]},
    )
]
RECORDS = (
    *("game: nope", "game: relaxed-pyramid", "game: ulubiony", "game: relaxed-pyramid\nrules: rows"),
    *("game: easy-pyramid\ndeal: 5H", "game: relaxed-pyramid\nposition: KS ; foo=3", "game: piwnica\nposition: foo=3"),
    *(
        "game: relaxed-pyramid\nposition: KS ; stock=x",
        "game: relaxed-pyramid\nposition: KS",
        "game: piwnica\ndeal: AS",
    ),
    "game: relaxed-pyramid\nrules: draw=3 turned=held\ndeal: 5H",
)
DEALS = {
    "relaxed-pyramid": ("5H 6H", "ZZ", ","),
    "ulubiony": ("AS / 2S", DEAL, "/ / / /"),
    "arcydzielo": ("AS / 2S / 3S", DEAL),
}
COMMON_ENGLISH = {"the", "is", "not", "of", "and", "cannot", "this", "be", "must", "error", "such", "lists", "cards"}


def messages(*arguments: str, code: str, stdin: str | None = None) -> list[str]:
    """What is wrong with each thing given, as the answers of a command say it."""
    found = answers(run(*arguments, "--json", "--lang", code, stdin=stdin))
    return [str(answer["error"]["message"]) for answer in found]


@cache
def texts_of_errors(code: str) -> list[str]:
    """What is said of every bad text."""
    pyramids, rows = (list(map(json.dumps, each)) for each in (POSITIONS, ROW_POSITIONS))
    records = [f"{text}\n" for text in RECORDS]
    found = messages("check", "--game", "relaxed-pyramid", *pyramids, code=code)
    found += messages("check", "--game", "arcydzielo", *rows, code=code)
    found += messages("review", *records, code=code)
    for game, lines in DEALS.items():
        found += messages("solve", "--game", game, "-", code=code, stdin="\n".join(lines))
    assert len(found) == len(pyramids) + len(rows) + len(records) + sum(map(len, DEALS.values()))
    return found


@pytest.mark.parametrize("code", OTHERS)
def test_what_is_wrong_with_a_text_is_told_in_the_language_asked_for(code: str) -> None:
    detail = language(code).say("error.position", why="").split("(")[-1].rstrip(" )")
    for english, said in zip(texts_of_errors(DEFAULT), texts_of_errors(code), strict=True):
        assert said != english and detail not in said, said
        assert not COMMON_ENGLISH & set(said.replace("“", " ").replace("”", " ").split()), said


def test_every_text_of_help_is_in_the_catalogues() -> None:
    assert len(help_texts()) > 60
    for text in help_texts():
        told = {code: helped_in(language(code), text) for code in CODES}
        assert told.pop(DEFAULT) == text and text not in told.values(), text


@pytest.mark.parametrize("code", OTHERS)
def test_help_is_shown_in_the_language_of_the_settings_or_the_flag(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spoken = language(code)
    monkeypatch.setenv("COLUMNS", "200")
    by_flag = run("solve", "--lang", code, "--help").stdout
    monkeypatch.setenv("CARDTABLE_LANGUAGE", code)
    shown = run("solve", "--help").stdout
    assert shown == by_flag
    for key in ("usage.usage", "usage.arguments", "usage.options", "usage.required", "usage.examples", "help.this"):
        assert spoken.say(key) in shown, key
    assert spoken.say("help.solve") in shown and spoken.say("help.solve.seconds") in shown
    assert spoken.say("help.referee") in run("--help").stdout
    for english in ("Usage", "Options", "required", "For example", "Solve deals", "Show this"):
        assert english not in shown
    monkeypatch.setenv("CARDTABLE_LANGUAGE", "en")
    assert "Solve deals exactly" in run("solve", "--help").stdout and "Usage: " in run("solve", "--help").stdout


WRONG = {
    ("hint", "--gaem", "x"): "No such option",
    ("hnt",): "No such command",
    ("hint",): "Missing",
    ("hint", "--game"): "requires an argument",
    ("hint", "--json=3", "x"): "does not take a value",
    ("hint", "--game", "pyramid", "a", "b"): "unexpected extra argument",
    ("hint", "--game", "pyramid", "--seconds", "x", "a"): "Invalid value",
    ("hint", "--game", "pyramid", "--seconds", "0", "a"): "Invalid value",
    ("check", "--game", "pyramid", "--stage", "x", "a"): "Invalid value",
    ("simulate", "--game", "pyramid", "--deals", "1.5"): "Invalid value",
    ("games", "--rule", "x"): "Invalid value",
    ("games", "--sheet"): "name the game",
    ("score", "--game", "pyramid", "--scheme", "x", "a"): "choose one of",
    ("serve", "--port", "99999"): "Invalid value",
    ("--foo",): "No such option",
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_command_used_wrongly_is_told_so_in_every_language(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("CARDTABLE_LANGUAGE", "en")
    english = run(*words)
    assert english.exit_code == 2 and WRONG[words] in english.stderr
    told = {english.stderr}
    for code in OTHERS:
        monkeypatch.setenv("CARDTABLE_LANGUAGE", code)
        done = run(*words)
        assert done.exit_code == 2 and WRONG[words] not in done.stderr and "Input should" not in done.stderr
        assert language(code).say("usage.error") in done.stderr or words == ("hnt",)
        told.add(done.stderr)
    assert len(told) == len(CODES)


def test_what_typer_says_otherwise_stays_as_it_is() -> None:
    assert said_in(language("fi"), "Something quite new.") == "Something quite new."


def test_the_language_of_wrong_settings_is_the_one_they_ask_for(file: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDTABLE_LANGUAGE", "nb")
    monkeypatch.setenv("CARDTABLE_PORT", "x")
    monkeypatch.setenv("CARDTABLE_HOTS", "1")
    assert told_language() == "nb"
    done = run("games")
    assert done.exit_code == 2 and "CARDTABLE_PORT: verdien skal være et heltall" in done.stderr
    assert "en slik innstilling finnes ikke; mente du CARDTABLE_HOST?" in done.stderr
    monkeypatch.delenv("CARDTABLE_PORT")
    shown = run("settings", "show").stdout
    assert all(language("nb").say(f"setting.{name}") in shown for name in Settings.model_fields)


@pytest.mark.parametrize("code", CODES)
def test_why_the_system_refuses_something_is_told_in_the_language(code: str) -> None:
    spoken = language(code)
    for number, name in ((ENOENT, "ENOENT"), (ENOSPC, "ENOSPC")):
        assert spoken.reason(OSError(number, "No such thing")) == spoken.say(f"system.{name}")
    assert spoken.reason(OSError(9999, "Something rare")) == "Something rare"
    try:
        connect(":memory:").execute("ATTACH 'no-such-folder/x' AS other")
    except DatabaseError as error:
        trouble = as_trouble(StoreTrouble("store-damaged", why=error), spoken)
        assert spoken.say("system.SQLITE_CANTOPEN") in trouble.message
    else:
        pytest.fail("there is no such folder")
