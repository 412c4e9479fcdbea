"""The command line `cardtable`."""

import logging

import typer
from rich.logging import RichHandler

from companion_app.commands.base import Status
from companion_app.commands.check import check
from companion_app.commands.decks import decks_app
from companion_app.commands.games import games
from companion_app.commands.hint import hint
from companion_app.commands.models import models_app
from companion_app.commands.read import read
from companion_app.commands.referee import referee
from companion_app.commands.review import review
from companion_app.commands.score import score
from companion_app.commands.serve import serve
from companion_app.commands.settings import settings_app
from companion_app.commands.simulate import simulate
from companion_app.commands.solve import solve_deals
from companion_app.settings import wrong_settings

app = typer.Typer(
    name="cardtable",
    help="From a photograph of a patience laid with real cards to what lies there, what is wrong and the best move.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)


@app.callback()
def start() -> None:
    """From a photograph of a patience laid with real cards to what lies there, what is wrong and the best move."""
    from rich.console import Console

    messages = Console(stderr=True, highlight=False, soft_wrap=True)
    logging.basicConfig(level=logging.WARNING, format="%(message)s", handlers=[RichHandler(console=messages)])
    wrong = wrong_settings()
    for line in wrong:
        messages.print(line, style="red", markup=False)
    if wrong:
        raise typer.Exit(int(Status.USAGE))


for command in (games, read, check, hint, referee, score, review, simulate, serve):
    app.command()(command)
app.command("solve")(solve_deals)
app.add_typer(decks_app, name="decks")
app.add_typer(models_app, name="models")
app.add_typer(settings_app, name="settings")
