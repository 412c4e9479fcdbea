"""What every command shares: its options, its output and its exit status."""

import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Annotated, Any

import typer
from rich.console import Console

from companion_app.commands.usage import WrongUsage
from companion_app.errors import Trouble
from companion_app.languages import CODES, Language, language
from companion_app.settings import told_language
from companion_app.terminal.consoles import json_line, people_console
from companion_app.terminal.progressing import Bar, progress
from companion_app.troubles import as_trouble, explained
from companion_app.wiring import asked_deck

SCHEMA = 1


class Status(IntEnum):
    """Exit statuses of the contract."""

    FINE = 0
    FINDINGS = 1
    USAGE = 2
    UNREADABLE = 3
    UNDECIDED = 4


PRECEDENCE = (Status.USAGE, Status.UNREADABLE, Status.UNDECIDED, Status.FINDINGS, Status.FINE)


def _language_code(value: str | None) -> str | None:
    if value is not None and value not in CODES:
        raise WrongUsage("usage.choose", values=", ".join(CODES))
    return value


def _deck(value: str | None) -> str | None:
    """Keeps the deck where the eyes of the running command look for it."""
    asked_deck.set(value)
    return value


MOST_SECONDS = 86_400.0


def _number(value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        raise WrongUsage("usage.give-number")
    return value


def seconds_option(least: float, said: str) -> Any:
    """An option of seconds, a day at most."""
    return typer.Option(min=least, max=MOST_SECONDS, callback=_number, help=said)


def _rule(value: list[str]) -> list[str]:
    for item in value:
        if "=" not in item:
            raise WrongUsage("error.rule-pair", text=repr(item))
    return value


def complete_game(begun: str) -> list[tuple[str, str]]:
    """The games whose id begins so, each with its name, for the completion of shells."""
    from rules.catalogue import GAMES

    name = told_language()
    return [(game.id, game.names[name]) for game in GAMES.values() if game.id.startswith(begun.lower())]


def complete_language(begun: str) -> list[tuple[str, str]]:
    """The languages whose code begins so, each with its name."""
    return [(code, language(code).say("language.name")) for code in CODES if code.startswith(begun.lower())]


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")]
Lang = Annotated[
    str | None,
    typer.Option(
        "--lang",
        callback=_language_code,
        metavar="en|fi|pl|nb",
        autocompletion=complete_language,
        help="Language of the texts.",
    ),
]
Deck = Annotated[
    str | None,
    typer.Option(
        "--deck", callback=_deck, metavar="NAME|auto|none", help="The deck laid, as `cardtable decks` lists them."
    ),
]
Subjects = Annotated[list[str], typer.Argument(metavar="PICTURE|POSITION...", help="Pictures or positions.")]
GameId = Annotated[
    str,
    typer.Option(
        "--game", metavar="ID", autocompletion=complete_game, help="The game, as `cardtable games` lists them."
    ),
]
Scheduler = Annotated[
    str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Work on the Dask cluster of this scheduler.")
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule", callback=lambda value: _rule(value or []), metavar="NAME=VALUE", help="Change one rule; repeatable."
    ),
]


@dataclass(slots=True)
class Output:
    """Prints answers, each as JSON or for people, remembers what happened, and ends the command with its status."""

    as_json: bool
    language: Language
    statuses: set[Status] = field(default_factory=lambda: {Status.FINE})
    people: Console = field(default_factory=people_console)
    messages: Console = field(default_factory=lambda: people_console(stderr=True))
    bar: Bar | None = None

    def answer(self, data: dict[str, Any], show: Callable[[Console, Language, dict[str, Any]], None]) -> None:
        """Print one answer; `show` writes it for people."""
        if self.as_json:
            with self.bar.aside() if self.bar and sys.stdout.isatty() else nullcontext():
                typer.echo(json_line({"schema": SCHEMA, **data}))
        else:
            with self.bar.aside() if self.bar and self.people.is_terminal else nullcontext():
                show(self.people, self.language, data)

    @contextmanager
    def progress(self, title: str, total: int | None) -> Iterator[Bar]:
        """A bar that shows how far the command has come, and makes room for answers."""
        with progress(self.messages, title, total) as self.bar:
            try:
                yield self.bar
            finally:
                self.bar = None

    def trouble(self, trouble: Trouble, **data: object) -> None:
        """Say what could not be read and go on; `data` names what it was."""
        self.statuses.add(Status(trouble.exit_status))
        named = {name: value for name, value in data.items() if value is not None}
        if self.as_json:
            error = {"code": trouble.code, "message": trouble.message}
            typer.echo(json_line({"schema": SCHEMA, **named, "error": error}))
        label = next((str(value.get("file")) for value in named.values() if isinstance(value, dict)), "")
        label = label.replace("\n", " ")
        self.messages.print(f"{label}: {trouble.message}" if label else trouble.message, style="red", markup=False)

    def attempt(self, work: Callable[[], None], **data: object) -> None:
        """Do the work of one answer; any trouble of it becomes its answer."""
        try:
            work()
        except (BrokenPipeError, typer.Exit):
            raise
        except Exception as error:
            self.failed(error, **data)

    def failed(self, error: Exception, **data: object) -> None:
        """Say what went wrong, and of what nobody foresaw the reason."""
        self.trouble(explained(error, self.language), **data)

    def note(self, status: Status) -> None:
        """Remember that something happened."""
        self.statuses.add(status)

    def end(self) -> None:
        """Leave with the status that takes precedence."""
        raise typer.Exit(int(next(status for status in PRECEDENCE if status in self.statuses)))


def end_quietly() -> None:
    """End the command where nobody reads on what it prints: that is no failure."""
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - a device, not a file
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    raise typer.Exit(int(Status.FINE))


def output(as_json: bool, lang: str | None) -> Output:
    """The output of a command; without `--lang` in the language of the settings."""
    return Output(as_json, language(lang or told_language()))


def opened(game_id: str, rules: list[str] | None, as_json: bool, lang: str | None) -> tuple[Output, Any]:
    """The output of a command about one game, and the game; a wrong one ends the command with status 2."""
    out = output(as_json, lang)
    return out, chosen_game(game_id, rules, out)


def chosen_game(game_id: str, rules: list[str] | None, out: Output) -> Any:
    """The game of `--game` under its `--rule` options; a wrong one ends the command with status 2."""
    from rules.catalogue import find_game

    try:
        return find_game(game_id, dict(rule_pair(text) for text in rules or []))
    except Exception as error:
        trouble = as_trouble(error, out.language)
        trouble.exit_status = Status.USAGE
        out.trouble(trouble)
        out.end()


def rule_pair(text: str) -> tuple[str, str]:
    """Name and value of `name=value`."""
    name, _, value = text.partition("=")
    return name.strip(), value.strip()
