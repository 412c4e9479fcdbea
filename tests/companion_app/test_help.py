"""Help that teaches, the completion of shells, and how far a long command has come."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from companion_app.cli import app
from companion_app.commands.examples import EXAMPLES
from companion_app.languages import CODES
from companion_app.terminal.progressing import progress
from rules.catalogue import GAMES
from tests.companion_app.command_line import run
from tests.companion_app.damage import DEAL
from tests.companion_app.test_terminal import SMALL_GAME
from tests.test_docs import verbs


def test_every_command_has_examples() -> None:
    assert set(verbs()) | {"decks"} == set(EXAMPLES)


@pytest.mark.parametrize("command", EXAMPLES)
def test_the_help_of_a_command_shows_its_examples(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    shown = run(*command.split(), "--help")
    assert shown.exit_code == 0
    assert all(example in shown.stdout for example in EXAMPLES[command])


def commands_in(example: str) -> Iterator[list[str]]:
    """The words of every `cardtable …` of a line that a shell would run."""
    for part in example.partition("<")[0].split("|"):
        words = shlex.split(part)
        if "cardtable" in words:
            yield words[words.index("cardtable") + 1 :]


@pytest.mark.parametrize("example", [line for lines in EXAMPLES.values() for line in lines])
def test_an_example_is_one_that_the_command_line_takes(example: str) -> None:
    told = list(commands_in(example))
    assert told
    for words in told:
        command: Any = typer.main.get_command(app)
        while words and hasattr(command, "commands") and words[0] in command.commands:
            command, words = command.commands[words[0]], words[1:]
        # What is wrong with a flag, a value or a missing argument is raised here.
        command.make_context("cardtable", list(words), resilient_parsing=False)


def shell_asks(**variables: str) -> str:
    """What the program, called by its name, answers to a shell."""
    return CliRunner().invoke(app, [], prog_name="cardtable", env=variables).stdout


def completed(begun: str) -> set[str]:
    """What bash is offered for a line that ends so."""
    number = len(shlex.split(begun)) - (not begun.endswith(" "))
    return set(shell_asks(_CARDTABLE_COMPLETE="complete_bash", COMP_WORDS=begun, COMP_CWORD=str(number)).split())


def test_a_shell_completes_commands_games_and_languages() -> None:
    assert completed("cardtable re") == {"read", "referee", "review", "report"}
    assert completed("cardtable hint --game math-") == {game for game in GAMES if game.startswith("math-")}
    assert completed("cardtable play --lang ") == set(CODES)
    assert completed("cardtable read --game a") == {"auto", "arcydzielo"}
    assert completed("cardtable games ki") == {"king-tut"}


def test_the_completion_of_a_shell_can_be_installed() -> None:
    assert "--install-completion" in run("--help").stdout
    for shell, said in (
        ("bash", "complete -o default -F _cardtable_completion cardtable"),
        ("zsh", "#compdef cardtable"),
    ):
        assert said in shell_asks(_CARDTABLE_COMPLETE=f"source_{shell}")


@contextmanager
def told(*, is_terminal: bool) -> Iterator[tuple[Console, StringIO]]:
    text = StringIO()
    yield Console(file=text, force_terminal=is_terminal, width=80), text


def test_a_terminal_shows_how_far_a_command_is_and_a_file_of_messages_nothing() -> None:
    for is_terminal in (True, False):
        with told(is_terminal=is_terminal) as (console, text):
            with progress(console, "Pictures [1]", 3) as done:
                done(1)
                done(1)
            assert ("2/3" in text.getvalue() and "Pictures [1]" in text.getvalue()) == is_terminal
            assert is_terminal or not text.getvalue()
    with told(is_terminal=True) as (console, text), progress(console, "deals", None) as done:
        done(7)
    assert "7/?" in text.getvalue()


def test_answers_are_printed_whole_beside_the_bar(tmp_path: Path) -> None:
    """Both go to one terminal here: what is left to be seen of the bar must not stand in an answer's line."""
    import pty

    deals = tmp_path / "deals.txt"
    deals.write_text(f"{DEAL}\n" * 3)
    outer, inner = pty.openpty()
    command = [sys.executable, "-m", "companion_app", "solve", *SMALL_GAME, "--rule", "total=6", "--json", str(deals)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=inner, stderr=inner) as process:
        os.close(inner)
        text = b""
        with suppress(OSError):  # how a terminal says that nobody is left
            while piece := os.read(outer, 4096):
                text += piece
        assert process.wait(60) == 0
    os.close(outer)
    assert b"2/3" in text
    lines = [line.rpartition(b"\x1b[2K")[2].strip() for line in text.splitlines() if b'"deal"' in line]
    assert [json.loads(line)["verdict"] for line in lines] == ["winnable"] * 3
