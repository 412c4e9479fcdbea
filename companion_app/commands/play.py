"""`cardtable play`: a patience played at the terminal, with the cards that the computer deals."""

import secrets
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from companion_app.commands.base import (
    Deck,
    Json,
    Lang,
    Output,
    Rules,
    Status,
    chosen_game,
    complete_game,
    output,
    seconds_option,
)
from companion_app.commands.hint import found_in
from companion_app.commands.usage import WrongUsage
from companion_app.errors import UsageTrouble
from companion_app.hints.preparing import prepare_search
from companion_app.settings import Settings
from companion_app.sources import STDIN, read_lines, sources

SEEDS = 1_000_000
PROMPT = "> "
BETWEEN = ";"


def play(
    subject: Annotated[
        str | None, typer.Argument(metavar="PICTURE|POSITION|GAME", help="A table or record to go on from.")
    ] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="ID", help="The game; a record names its own.", autocompletion=complete_game),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Which deal, or how the unseen cards lie; told at the start.")
    ] = None,
    seconds: Annotated[float | None, seconds_option(0.05, "Time a hint may take.")] = None,
    rules: Rules = None,
    as_json: Json = False,
    lang: Lang = None,
    deck: Deck = None,
) -> None:
    """Play a patience at the terminal: moves by number or by their cards, hints in four steps, undo, score."""
    out = output(as_json, lang)
    if game is None and (subject is None or rules):
        raise WrongUsage("usage.game-or-record")
    chosen = chosen_game(game, rules, out) if game else None
    drawn = secrets.randbelow(SEEDS) if seed is None else seed
    limit = seconds or Settings().hint_seconds
    begun: list[Any] = []
    out.attempt(lambda: begun.append(_begin(subject, chosen, drawn, out)))
    if begun:
        if begun[0].drawn:
            told = "play.dealt" if subject is None else "play.drawn"
            out.messages.print(out.language.say(told, seed=drawn, game=begun[0].game.id), markup=False)
        _converse(_session(begun[0], drawn if begun[0].drawn else None, limit, out), out)
    out.end()


def _begin(subject: str | None, game: Any, seed: int, out: Output) -> Any:
    """The sitting: a fresh deal, or a table or record to go on from; raises what is wrong with that."""
    from companion_app.commands.positions import position_of
    from companion_app.hints.advise import refuse_impossible
    from companion_app.terminal import sitting
    from companion_app.terminal.records import games_of

    if subject is None:
        return sitting.dealt(game, seed)
    source = next(sources([subject], out.language))
    if source.trouble:
        raise source.trouble
    if source.record is not None:
        played = games_of(source, out.language, game)[-1]
        return sitting.gone_on(played, seed)
    if game is None:
        raise UsageTrouble("game", out.language.say("play.which-game"))
    seen = position_of(source, game, out.language)
    refuse_impossible(seen.position, game, out.language)
    return sitting.laid(game, seen.position, seed)


def _session(begun: Any, seed: int | None, seconds: float, out: Output) -> Any:
    from companion_app.terminal.play_session import Session

    def think(work: Any) -> Any:
        prepare_search(begun.game, out.messages, out.language)
        return found_in(seconds, work, out)

    return Session(begun, seed, out.language, think)


def _converse(session: Any, out: Output) -> None:
    """Answer line after line until one says quit, or none is left."""
    from companion_app.commands.play_showing import show

    out.answer(session.state("start"), show)
    for line in _lines(out):
        if session.is_end(line):
            break
        _answer(session, line, out)
    out.answer(session.ended(), show)


def _answer(session: Any, line: str, out: Output) -> None:
    """Answer a line. A person is told what is wrong and types another; a script's status tells of it."""
    before = set(out.statuses)
    out.attempt(partial(_answered, session, line, out), line=line)
    if _by_a_person():
        out.statuses = before


def _answered(session: Any, line: str, out: Output) -> None:
    from companion_app.commands.play_showing import show

    answer = session.answer(line)
    if answer["did"] == "illegal":
        out.note(Status.FINDINGS)
    out.answer(answer, show)


def _by_a_person() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _lines(out: Output) -> Iterator[str]:
    """What is typed, several to a line parted by semicolons; of a script each is shown as if it had been typed."""
    by_person = _by_a_person()
    for typed in _typed(out) if by_person else read_lines(STDIN, out.language):
        for line in filter(None, map(str.strip, typed.split(BETWEEN))):
            if not by_person and not out.as_json:
                out.people.print(f"{PROMPT}{line}", style="dim", markup=False)
            yield line


def _typed(out: Output) -> Iterator[str]:
    """The lines that a person types; they can be edited and called back where the system has that."""
    with suppress(ImportError):
        import readline  # noqa: F401
    out.messages.print(out.language.say("play.how"), markup=False)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    while True:
        try:
            yield input("" if out.as_json else PROMPT)
        except EOFError:
            out.messages.print()
            return
