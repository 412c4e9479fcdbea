"""`cardtable referee`: which moves lie between two or more tables."""

from typing import Annotated, Any

import typer
from rich.console import Console

from companion_app.commands.base import Deck, GameId, Json, Lang, Output, Rules, Status, opened
from companion_app.commands.positions import Seen, position_of
from companion_app.commands.showing import show_breaches, show_position
from companion_app.errors import UsageTrouble
from companion_app.languages import Language
from companion_app.languages.phrases import move_phrase
from companion_app.sources import sources


def referee(
    tables: Annotated[list[str], typer.Argument(metavar="BEFORE AFTER...", help="Pictures or positions, in order.")],
    game: GameId,
    rules: Rules = None,
    as_json: Json = False,
    lang: Lang = None,
    deck: Deck = None,
) -> None:
    """Recognise the moves between tables, or name the breach."""
    out, chosen = opened(game, rules, as_json, lang)
    out.attempt(lambda: _referee(tables, chosen, out))
    out.end()


def _referee(tables: list[str], game: Any, out: Output) -> None:
    from rules.looks import explain_game

    found = list(sources(tables, out.language))
    if len(found) < 2:
        raise UsageTrouble("two-tables", out.language.say("error.two-tables"))
    seen: list[Seen] = []
    with out.progress("", len(found)) as done:
        for source in found:
            out.attempt(
                lambda source=source: seen.append(position_of(source, game, out.language)), source={"file": source.name}
            )
            done(1)
    if len(seen) < len(found):
        return
    doubts = tuple(dict.fromkeys(place for look in seen for place in look.doubts))
    answer = explain_game([look.position for look in seen], game).to_json()
    if answer["violations"] or answer.get("table") == "another-table":
        out.note(Status.FINDINGS)
    out.answer({**answer, "doubts": list(doubts)} if doubts else answer, show)


def show(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """Moves and breaches for people."""
    for number, move in enumerate(answer["moves"], start=1):
        console.print(f"{number}. {move_phrase(language, move)}")
    for other in answer["alternatives"]:
        console.print(
            f"[dim]{language.say('next.alternatives')}: {'; '.join(move_phrase(language, m) for m in other)}[/dim]"
        )
    undone = answer.get("undone", ())
    if undone:
        console.print(f"{language.say('next.undone')}: {'; '.join(move_phrase(language, move) for move in undone)}")
    if "table" in answer:
        console.print(language.say(f"anew.{answer['table']}"))
    elif not answer["moves"] and not answer["violations"] and not undone:
        console.print(language.say("next.none"))
    show_breaches(console, language, answer["violations"])
    show_position(console, language, answer["position"])
