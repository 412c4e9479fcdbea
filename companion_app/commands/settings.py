"""`cardtable settings show`: every setting, its value and where it may be set."""

from typing import Any

import typer
from rich.console import Console

from companion_app.commands.base import Json, Lang, output
from companion_app.commands.examples import examples
from companion_app.commands.usage import Verb, Verbs
from companion_app.languages import Language
from companion_app.settings import Settings, cache_folder, decks_folder, settings_file, sources

settings_app = typer.Typer(cls=Verbs, help="The settings.", no_args_is_help=True)


@settings_app.callback()
def settings() -> None:
    """The settings."""


@settings_app.command("show", cls=Verb, epilog=examples("settings show"))
def show_settings(as_json: Json = False, lang: Lang = None) -> None:
    """Show every setting with its value and where that comes from, and the file they can be put into."""
    out = output(as_json, lang)
    folders = {"file": str(settings_file()), "cache": str(cache_folder()), "decks": str(decks_folder())}
    out.answer({"settings": Settings().model_dump(), "sources": sources(), **folders}, show)
    out.end()


def show(console: Console, language: Language, data: dict[str, Any]) -> None:
    """The settings for people, one a line, as they are written in the file."""
    for name, value in data["settings"].items():
        note = language.say(f"setting.{name}")
        source = language.say(f"settings.{data['sources'][name]}")
        console.print(f"{name} = {value!r}  # {note}; CARDTABLE_{name.upper()} ({source})", markup=False)
    console.print(f"{data['file']}\n{data['cache']}\n{data['decks']}", markup=False)
