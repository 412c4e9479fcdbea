"""Help and usage errors in the language of the person: what typer says by itself it says in English alone.

The language is that of `--lang` where the command line has it, else that of the settings. Texts of help are written
down in English where a command is declared; the catalogues have them under `help.…`, and they are looked up by their
English text when help is shown.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from inspect import cleandoc
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from companion_app.languages import CODES, DEFAULT, Language, language
from companion_app.settings import told_language

LANG = "--lang"
HELP = "help."
ENGLISH_USAGE = "Usage: "
EXAMPLES = "For example:"

WRONG_USAGE = next(base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException")
"""What the command line raises by itself; typer may bring a click of its own."""

SAID = (
    (r"No such option: (?P<name>\S+?)(?: \(Possible options: (?P<others>.*)\))?", "usage.no-option"),
    (r"No such command '(?P<name>.*?)'\.(?: Did you mean (?P<others>.*)\?)?", "usage.no-command"),
    (r"Missing command\.", "usage.missing-command"),
    (r"Missing \w+ (?P<name>.*?)\.", "usage.missing"),
    (r"Option (?P<name>.*) requires an argument\.", "usage.needs-value"),
    (r"Option (?P<name>.*) does not take a value\.", "usage.no-value"),
    (r"Got unexpected extra argument(?:s|\(s\))? \((?P<name>.*)\)", "usage.too-much"),
    (r"Invalid value for (?P<name>.*?): (?P<why>.*)", "usage.invalid"),
    (r"Invalid value: (?P<why>.*)", "usage.invalid-here"),
    (r"(?P<value>'.*') is not a valid (?:int|integer)( range)?\.?", "usage.no-integer"),
    (r"(?P<value>'.*') is not a valid (?:float|number)( range)?\.?", "usage.no-number"),
    (r"(?P<value>.*) is not in the range (?P<range>.*?)\.?", "usage.range"),
    (r"(?:Value error, )?'.*' is not one of (?P<values>.*?)\.?", "usage.choose"),
    (r"Input should be a valid integer.*", "settings.wrong.int_type"),
    (r"Input should be a valid number.*", "settings.wrong.float_type"),
    (r"Input should be greater than or equal to (?P<ge>.*)", "settings.wrong.greater_than_equal"),
    (r"Input should be less than or equal to (?P<le>.*)", "settings.wrong.less_than_equal"),
    (r"\w+ (?P<name>'.*') is a directory\.", "usage.folder"),
    (r"\w+ (?P<name>'.*') is not writable\.", "usage.not-writable"),
)
"""What typer says, and the message that says the same."""


class WrongUsage(typer.BadParameter):
    """A command used wrongly, said by the key of a message. hint: the option it is about."""

    def __init__(self, key: str, /, *, hint: str | None = None, **values: object) -> None:
        super().__init__(language(DEFAULT).say(key, **values), param_hint=hint)
        self.key, self.values = key, values


def usage_language(arguments: Sequence[str]) -> Language:
    """The language in which to tell what is wrong with a command line, and its help."""
    words = [word for argument in arguments for word in argument.split("=", 1)]
    named = words[words.index(LANG) + 1 :][:1] if LANG in words else []
    return language(named[0] if named and named[0] in CODES else told_language())


def said_in(spoken: Language, text: str) -> str:
    """What typer says, in a language; as it is where the language has no message for it."""
    for pattern, key in SAID:
        found = re.fullmatch(pattern, text, re.DOTALL)
        if found:
            values = {name: value for name, value in found.groupdict().items() if value is not None}
            if "why" in values:
                values["why"] = said_in(spoken, values["why"])
            others = values.pop("others", "")
            return spoken.say(key, **values) + (f" {spoken.say('usage.meant', others=others)}" if others else "")
    return text


def told(error: Any, spoken: Language) -> Any:
    """A usage error that says what is wrong in a language."""
    speak(spoken)
    if spoken.code != DEFAULT:
        if isinstance(error, WrongUsage):
            error.message = spoken.say(error.key, **error.values)
        text = said_in(spoken, error.format_message())
        error.format_message = lambda: text
    return error


@cache
def help_keys() -> dict[str, str]:
    """The keys of the texts of help, by their English."""
    english = language(DEFAULT)
    names = [key.removeprefix(HELP) for key in english.messages if key.startswith(HELP)]
    return {english.say(f"help.{name}"): f"help.{name}" for name in names}


def helped_in(spoken: Language, text: str) -> str:
    """A text of help in a language."""
    key = help_keys().get(" ".join(cleandoc(text).split()))
    return spoken.say(key) if key else text


@cache
def _titles() -> dict[str, str]:
    """What typer calls the parts of its help and errors."""
    from typer import rich_utils

    names = ("ARGUMENTS_PANEL_TITLE", "OPTIONS_PANEL_TITLE", "COMMANDS_PANEL_TITLE", "ERRORS_PANEL_TITLE")
    names += ("RICH_HELP", "DEFAULT_STRING", "REQUIRED_LONG_STRING", "ABORTED_TEXT")
    return {name: getattr(rich_utils, name) for name in names if hasattr(rich_utils, name)}


def speak(spoken: Language) -> None:
    """Have typer call the parts of its help and errors as the language does, from now on. What shows them takes a while
    to load, and most commands show none."""
    from typer import rich_utils

    titles = _titles()
    if spoken.code != DEFAULT:
        titles = titles | {
            "ARGUMENTS_PANEL_TITLE": spoken.say("usage.arguments"),
            "OPTIONS_PANEL_TITLE": spoken.say("usage.options"),
            "COMMANDS_PANEL_TITLE": spoken.say("usage.commands"),
            "ERRORS_PANEL_TITLE": spoken.say("usage.error"),
            "RICH_HELP": spoken.say("usage.try", command="[blue]'{command_path} {help_option}'[/]"),
            "DEFAULT_STRING": f"[{spoken.say('usage.default')}: {{}}]",
            "REQUIRED_LONG_STRING": f"[{spoken.say('usage.required')}]",
            "ABORTED_TEXT": spoken.say("usage.aborted"),
        }
    for name, text in titles.items():
        setattr(rich_utils, name, text)


class _Speaking:
    """A command that shows its usage and its help in the language of its context."""

    def get_usage(self, ctx: typer.Context) -> str:
        """The line of usage."""
        said: str = super().get_usage(ctx)  # type: ignore[misc]
        return said.replace(ENGLISH_USAGE, f"{_spoken(ctx).say('usage.usage')} ", 1)

    def format_help(self, ctx: typer.Context, formatter: Any) -> None:
        """Show the help."""
        with _in_words(self, ctx):
            super().format_help(ctx, formatter)  # type: ignore[misc]


class Verb(_Speaking, TyperCommand):
    """A command of its own."""


class Verbs(_Speaking, TyperGroup):
    """A group of commands."""


def _spoken(ctx: typer.Context) -> Language:
    return ctx.obj if isinstance(ctx.obj, Language) else language(told_language())


@contextmanager
def _in_words(command: Any, ctx: typer.Context) -> Iterator[None]:
    """The help of a command, of its options and of its commands in the language of the context, meanwhile."""
    spoken = _spoken(ctx)
    speak(spoken)
    with ExitStack() as after:
        shown = [command, *command.get_params(ctx), *getattr(command, "commands", {}).values()]
        for each in shown if spoken.code != DEFAULT else ():
            for name in ("help", "short_help", "epilog"):
                english = getattr(each, name, None)
                if english:
                    after.callback(setattr, each, name, english)
                    setattr(each, name, _whole(spoken, english))
        yield


def _whole(spoken: Language, text: str) -> str:
    """A text of help; of an epilog what stands before the examples."""
    if text.startswith(EXAMPLES):
        return text.replace(EXAMPLES, spoken.say("usage.examples"), 1)
    return helped_in(spoken, text)
