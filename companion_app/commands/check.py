"""`cardtable check`: what is wrong with a layout."""

from typing import Annotated, Any, Literal

import typer
from rich.console import Console

from companion_app.commands.base import Deck, GameId, Json, Lang, Output, Rules, Status, Subjects, opened
from companion_app.commands.positions import each, position_of
from companion_app.commands.showing import show_faults
from companion_app.languages import Language
from companion_app.sources import Source
from companion_app.terminal.folders import with_folders


def check(
    subjects: Subjects,
    game: GameId,
    stage: Annotated[Literal["deal", "play"], typer.Option(help="A fresh deal, or a game under way.")] = "play",
    rules: Rules = None,
    as_json: Json = False,
    lang: Lang = None,
    deck: Deck = None,
) -> None:
    """Check layouts, of a folder those of all its pictures: every fault at once."""
    out, chosen = opened(game, rules, as_json, lang)
    each(with_folders(subjects), out, lambda source: _check(source, chosen, stage, out))


def _check(source: Source, game: Any, stage: Literal["deal", "play"], out: Output) -> None:
    from companion_app.tables.spreads import with_foreign
    from rules.looks import layout_faults

    seen = position_of(source, game, out.language)
    faults = (*with_foreign(layout_faults(seen.position, game, stage), seen.foreign), *seen.beside)
    if faults:
        out.note(Status.FINDINGS)
    out.answer({"game": game.id, "faults": [fault.to_json() for fault in faults]}, show)


def show(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """The faults for people."""
    show_faults(console, language, answer["faults"])
    if not answer["faults"]:
        console.print(f"[green]✓[/green] {language.say('check.fine')}")
