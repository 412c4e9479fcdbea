"""`cardtable games`: the catalogue."""

from typing import Any

from rich.console import Console
from rich.table import Table

from companion_app.commands.base import Json, Lang, output
from companion_app.languages import Language


def games(as_json: Json = False, lang: Lang = None) -> None:
    """List the games: id, layout, names, options and one line of rules."""
    from rules.catalogue import GAMES

    out = output(as_json, lang)
    if as_json:
        for game in GAMES.values():
            out.answer(game.to_json(), show)
    else:
        out.people.print(catalogue_table([game.to_json() for game in GAMES.values()], out.language))
    out.end()


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
