"""The terminal: signs that it has not got, orders hidden in names, readers that leave early."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from companion_app.languages import CODES
from companion_app.terminal.consoles import harmless, plain_sign
from tests.companion_app.command_line import answers, run
from tests.companion_app.damage import DEAL, PLACED

PROGRAM = (sys.executable, "-m", "companion_app")
TWICE = '{"pyramid": [["2S"], ["KH", "6S"], [null, "6S", "4C"]], "stock": 20}'
SMALL_GAME = ("--game", "relaxed-pyramid", "--rule", "rows=3")


def program(*arguments: str | bytes, given: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a process of its own."""
    environment: Mapping[str, str] = os.environ | {"COLUMNS": "100"} | variables
    return subprocess.run([*PROGRAM, *arguments], input=given, env=environment, capture_output=True, check=False)


@pytest.mark.parametrize("code", CODES)
def test_a_console_without_suit_signs_gets_plain_letters(code: str) -> None:
    referee = program("referee", *SMALL_GAME, "--lang", code, TWICE, TWICE, PYTHONIOENCODING="ascii")
    assert b"Traceback" not in referee.stderr
    assert referee.returncode in (0, 1)
    text = referee.stdout.decode("ascii")
    assert "2S" in text and "6S" in text and "?" not in text
    assert program("games", "--lang", code, PYTHONIOENCODING="ascii").returncode == 0
    assert program("models", "verify", "--lang", code, PYTHONIOENCODING="ascii").returncode == 0


def test_json_stays_exact_on_a_console_without_the_signs() -> None:
    done = program("games", "--json", PYTHONIOENCODING="ascii")
    assert done.stdout == done.stdout.decode("ascii").encode()
    exact = program("games", "--json", PYTHONIOENCODING="utf-8")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        json.loads(line) for line in exact.stdout.splitlines()
    ]


def test_every_sign_of_the_languages_has_a_plain_form() -> None:
    from companion_app.languages import language

    signs = {sign for code in CODES for text in language(code).texts for sign in text}
    assert {sign for sign in signs if ord(sign) > 127 and plain_sign(sign) == "?"} == set()


NAMES = ("a\x1b[31mred.jpg", "a\rb.jpg", "a\x9b2Jb.jpg", "a\u202egpj.jpg", "\udcff\udcfe.jpg", "line\nline.jpg")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("json_too", [(), ("--json",)], ids=["people", "programs"])
def test_control_characters_of_file_names_never_reach_the_terminal(name: str, json_too: tuple[str, ...]) -> None:
    done = program("read", *json_too, os.fsencode(name), PYTHONIOENCODING="utf-8")
    assert done.returncode == 3
    written = (done.stdout + done.stderr).decode("utf-8")
    assert not [sign for sign in written if sign in "\x1b\r\x9b\u202e" or "\udc80" <= sign <= "\udcff"]
    assert len(done.stderr.splitlines()) <= 2
    if json_too:
        assert json.loads(done.stdout)["picture"]["file"] == name


def test_harmless_texts_keep_their_length_and_their_letters() -> None:
    assert harmless("väärä 1\u00a0000\nłódź") == "väärä 1\u00a0000\nłódź"
    assert harmless("\x1b\x07\x9b") == "␛␇\ufffd"


@pytest.mark.parametrize("json_too", [(), ("--json",)], ids=["people", "programs"])
def test_a_reader_that_leaves_early_ends_the_command_quietly(json_too: tuple[str, ...], tmp_path: Path) -> None:
    deals = tmp_path / "deals.txt"
    deals.write_text(f"{DEAL}\n" * 3000)
    command = [*PROGRAM, "solve", *SMALL_GAME, "--rule", "total=6", *json_too, str(deals)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()  # where the search is compiled first, that is said
        assert b"Error" not in said and b"Traceback" not in said and b"Exception" not in said
        assert process.wait(60) == 0


def test_what_nobody_foresaw_is_told_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise LookupError("no such thing as that")

    monkeypatch.setattr("rules.looks.layout_faults", fail)
    done = run("check", *SMALL_GAME, "--json", TWICE)
    error = answers(done)[0]["error"]
    assert (done.exit_code, error["code"]) == (3, "internal")
    assert "LookupError: no such thing as that" in error["message"]
    assert "The table is kept" not in done.output


@pytest.mark.parametrize("kind", ["pair AC 5C", "single 6S", "turn 3D", "redeal", "direction", "fill 2S", "base 2S"])
def test_review_of_a_move_without_places_ends_with_a_word(kind: str) -> None:
    done = run("review", "--limit-seconds", "0.1", "-", stdin=PLACED + f"2. {kind}\n3. {kind} @ pyramid\n")
    assert done.exit_code in (1, 4)
    assert "Traceback" not in done.output and "foresaw" not in done.output


@pytest.mark.parametrize("manifest", [b"{", b"[1]", b"\xff\xfe", b"[" * 100_000, b""])
def test_models_verify_tells_of_a_damaged_manifest(
    manifest: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "card.onnx").write_bytes(b"net")
    (tmp_path / "card.json").write_bytes(manifest)
    monkeypatch.setattr("companion_app.commands.models.files", lambda package: tmp_path)
    done = run("models", "verify", "--json")
    assert done.exit_code == 3
    assert [(found["model"], found["ok"], found["reason"]) for found in answers(done)] == [
        ("card", False, "damaged manifest")
    ]


def test_review_of_a_turn_without_places_knows_where_the_card_goes() -> None:
    told = "1. single 6S @ pyramid 3 2\n2. pair AC 5C @ pyramid 3 1, pyramid 3 3\n3. turn 3D"
    head = f"game: relaxed-pyramid\nrules: rows=3 total=6\ndeal: {DEAL}\n"
    short, whole = (run("review", "--json", "-", stdin=f"{head}{told}{end}\n") for end in ("", " @ stock, waste"))
    assert answers(short) == answers(whole)
