"""`cardtable hint`: the best moves."""

from collections.abc import Callable
from typing import Annotated, Any

import typer
from rich.console import Console

from companion_app.commands.base import Deck, GameId, Json, Lang, Output, Rules, opened, seconds_option
from companion_app.commands.positions import each, position_of
from companion_app.hints.preparing import prepare_search
from companion_app.languages import Language
from companion_app.languages.phrases import hint_lines, move_phrase
from companion_app.settings import Settings
from companion_app.sources import Source

FIRST_SECONDS = 0.25


def hint(
    subject: Annotated[str, typer.Argument(metavar="PICTURE|POSITION", help="A picture or a position.")],
    game: GameId,
    seconds: Annotated[float | None, seconds_option(0.05, "Time the search may take.")] = None,
    rules: Rules = None,
    as_json: Json = False,
    lang: Lang = None,
    deck: Deck = None,
) -> None:
    """Rank the moves, best first, and say how sure that is."""
    out, chosen = opened(game, rules, as_json, lang)
    limit = seconds or Settings().hint_seconds
    each([subject], out, lambda source: _hint(source, chosen, limit, out))


def _hint(source: Source, game: Any, seconds: float, out: Output) -> None:
    from companion_app.hints.advise import advise, hint_answer, refuse_impossible

    seen = position_of(source, game, out.language)
    refuse_impossible(seen.position, game, out.language)
    prepare_search(game, out.messages, out.language)
    found = found_in(seconds, lambda span: advise(seen.position, game, span, seen.doubts), out)
    out.answer(hint_answer(found, out.language), show)


def found_in(seconds: float, think: Callable[[float], Any], out: Output) -> Any:
    """What is found in that time. A terminal shows meanwhile which move seemed best at first; programs see nothing of
    that."""
    if out.as_json or not out.messages.is_terminal or seconds <= 2 * FIRST_SECONDS:
        return think(seconds)
    first = think(FIRST_SECONDS).hints
    move = move_phrase(out.language, first[0].move.to_json()) if first else ""
    with out.messages.status(f"{out.language.say('hint.thinking')} {move}".strip()):
        return think(seconds - FIRST_SECONDS)


def show(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """The hints for people."""
    won = answer["verdict"] == "winnable" and not answer["hints"]
    console.print(f"[bold]{language.say('verdict.won' if won else 'verdict.' + answer['verdict'])}[/bold]")
    for number, found in enumerate(answer["hints"], start=1):
        console.print(f"[bold]{number}. {move_phrase(language, found['move'])}[/bold]")
        for line in hint_lines(language, found, answer["hints"]):
            console.print(f"   [dim]{line}[/dim]")
    if not answer["hints"] and not won:
        console.print(language.say("hint.none"))
