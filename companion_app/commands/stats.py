"""`cardtable stats`: figures of the games that are kept."""

from typing import Any

from rich.console import Console
from rich.table import Table

from companion_app.commands.base import Json, Lang, Output, output
from companion_app.languages import Language
from companion_app.settings import GAMES_FILE, games_folder


def stats(as_json: Json = False, lang: Lang = None) -> None:
    """Figures of the games that you played: won, streaks, cards left, best scores, with help and without."""
    out = output(as_json, lang)
    out.attempt(lambda: _stats(out))
    out.end()


def _stats(out: Output) -> None:
    from companion_app.library.archive import Archive
    from companion_app.library.statistics import statistics
    from companion_app.library.store import Store

    found = []
    if (games_folder() / GAMES_FILE).exists():
        store = Store(games_folder())
        try:
            found = statistics(Archive(store).games())
        finally:
            store.close()
    if not found:
        out.messages.print(out.language.say("stats.none"), markup=False)
    for each in found:
        out.answer(each.to_json(), show)


def show(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """The figures of one game for people."""
    from companion_app.views.statistics_view import figures_view
    from rules.catalogue import find_game

    game = find_game(answer["game"], {name: str(value) for name, value in answer["rules"].items()})
    view = figures_view(language, game, answer)
    rules = f"  {', '.join(view.rules)}" if view.rules else ""
    console.print(f"[bold]{view.name}[/bold]{rules}")
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("")
    for title in view.columns:
        table.add_column(title, justify="right")
    for label, values in view.lines:
        table.add_row(label, *values)
    if view.lines:
        console.print(table)
    for line in view.notes:
        console.print(line, style="dim", markup=False)
