"""`cardtable games`: the catalogue."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from companion_app.commands.base import Json, Lang, Output, Rules, chosen_game, complete_game, output
from companion_app.commands.usage import WrongUsage
from companion_app.errors import UnreadableTrouble
from companion_app.languages import Language


def games(
    game: Annotated[
        str | None, typer.Argument(metavar="ID", autocompletion=complete_game, help="Only this game.")
    ] = None,
    rules: Rules = None,
    as_sheet: Annotated[
        bool, typer.Option("--sheet", help="Its rules as one page of HTML, to be printed on a sheet of A4.")
    ] = False,
    file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.html", help="The file for the sheet.", dir_okay=False)
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """List the games: id, layout, names, options and one line of rules; or print the rules of one on a sheet."""
    from rules.catalogue import GAMES

    out = output(as_json, lang)
    if game is None and (rules or as_sheet):
        raise WrongUsage("usage.games-id")
    if file is not None and not as_sheet:
        raise WrongUsage("usage.out-of-sheet")
    if as_sheet and as_json:
        raise WrongUsage("usage.sheet-no-json")
    chosen = [chosen_game(game, rules, out)] if game is not None else list(GAMES.values())
    if as_sheet:
        out.attempt(lambda: _sheet(chosen[0], file, out))
    elif as_json:
        for each in chosen:
            out.answer(each.to_json(), show)
    else:
        out.people.print(catalogue_table([each.to_json() for each in chosen], out.language))
    out.end()


def _sheet(game: Any, file: Path | None, out: Output) -> None:
    from companion_app.views.rule_sheet import sheet

    page = sheet(game, out.language)
    if file is None:
        typer.echo(page)
        return
    try:
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        raise UnreadableTrouble("not-kept", out.language.say("error.not-kept", name=file, why=error)) from error
    out.messages.print(out.language.say("play.saved", name=file), markup=False)


def show(console: Console, language: Language, game: dict[str, Any]) -> None:
    """One game for people."""
    console.print(catalogue_table([game], language))


def catalogue_table(games: list[dict[str, Any]], language: Language) -> Table:
    """The games as a table in a language."""
    table = Table(box=None, padding=(0, 2, 1, 0), show_header=False)
    for game in games:
        options = ", ".join(_option(language, game, name) for name in game["options"])
        text = f"[bold]{game['names'][language.code]}[/bold]  {game['layout']}\n{game['summary'][language.code]}"
        table.add_row(f"[cyan]{game['id']}[/cyan]", f"{text}\n[dim]{options}[/dim]")
    return table


def _option(language: Language, game: dict[str, Any], name: str) -> str:
    """An option with its value, marked where the sources leave it open and the value is our reading of them."""
    text = f"{name} {game['options'][name]}"
    return f"{text} ({language.say('games.our-reading')})" if name in game["our_reading"] else text
