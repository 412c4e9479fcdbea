"""The command line `cardtable`."""

import logging
from typing import Annotated, Any

import typer
from rich.logging import RichHandler

from companion_app.commands.base import Status, end_quietly, output
from companion_app.commands.check import check
from companion_app.commands.decks import decks_app
from companion_app.commands.examples import examples
from companion_app.commands.follow import follow
from companion_app.commands.games import games
from companion_app.commands.hint import hint
from companion_app.commands.models import models_app
from companion_app.commands.play import play
from companion_app.commands.read import read
from companion_app.commands.referee import referee
from companion_app.commands.report import report
from companion_app.commands.review import review
from companion_app.commands.score import score
from companion_app.commands.serve import serve
from companion_app.commands.settings import settings_app
from companion_app.commands.simulate import simulate
from companion_app.commands.solve import solve_deals
from companion_app.commands.stats import stats
from companion_app.commands.usage import WRONG_USAGE, Verb, Verbs, speak, told, usage_language
from companion_app.commands.watch import watch
from companion_app.ending import end_in_time
from companion_app.settings import strange_settings, wrong_settings
from companion_app.terminal.consoles import people_console, prepare_streams

INTERRUPTED = 130
"""The exit status after Ctrl+C, as shells have it."""


class Commands(Verbs):
    """The commands; whatever goes wrong, none ends in a traceback, or in a status that means something else."""

    def main(self, *arguments: Any, **settings: Any) -> Any:
        """Run the command line, on streams that take every sign."""
        prepare_streams()
        return super().main(*arguments, **settings)

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Take a command line apart; what is wrong with it is told in its language."""
        spoken = usage_language(args)
        try:
            return super().make_context(info_name, args, parent, **{"obj": spoken, **extra})
        except WRONG_USAGE as error:
            raise told(error, spoken) from error

    def invoke(self, ctx: typer.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            end_quietly()
        except KeyboardInterrupt as error:
            raise typer.Exit(INTERRUPTED) from error
        except typer.Abort:
            speak(ctx.obj)
            raise
        except typer.Exit:
            raise
        except WRONG_USAGE as error:
            raise told(error, ctx.obj) from error
        except Exception as error:
            out = output(False, None)
            out.failed(error)
            out.end()


class App(typer.Typer):
    """The program: called, it takes over its process."""

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        """Run the command line of this process."""
        end_in_time()
        return super().__call__(*arguments, **settings)


app = App(
    name="cardtable",
    cls=Commands,
    help="From a photograph of a patience laid with real cards to what lies there, what is wrong and the best move.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)


def tell_version(wanted: bool) -> None:
    """Print the version and end, where that is asked for."""
    if wanted:
        from importlib.metadata import version

        typer.echo(f"cardtable {version('cardtable')}")
        raise typer.Exit(int(Status.FINE))


@app.callback()
def start(
    told: Annotated[
        bool, typer.Option("--version", callback=tell_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """From a photograph of a patience laid with real cards to what lies there, what is wrong and the best move."""
    messages = people_console(stderr=True)
    logging.basicConfig(level=logging.WARNING, format="%(message)s", handlers=[RichHandler(console=messages)])
    for line in strange_settings():
        messages.print(line, style="yellow", markup=False)
    wrong = wrong_settings()
    for line in wrong:
        messages.print(line, style="red", markup=False)
    if wrong:
        raise typer.Exit(int(Status.USAGE))


for command in (games, play, read, check, hint, referee, follow, watch, score, review, stats, simulate, serve, report):
    app.command(cls=Verb, epilog=examples(command.__name__))(command)
app.command("solve", cls=Verb, epilog=examples("solve"))(solve_deals)
app.add_typer(decks_app, name="decks", epilog=examples("decks"))
app.add_typer(models_app, name="models")
app.add_typer(settings_app, name="settings")
