"""`cardtable review`: after the game, could the deal be won, how, and which move lost the win."""

from typing import Annotated, Any

import typer
from rich.console import Console

from companion_app.commands.base import Json, Lang, Output, Status, output, seconds_option
from companion_app.commands.positions import each
from companion_app.hints.preparing import prepare_search
from companion_app.languages import Language
from companion_app.languages.phrases import breach_phrase, length_phrase, move_phrase, percent
from companion_app.settings import Settings
from companion_app.sources import Source
from companion_app.terminal.records import games_of


def review(
    games: Annotated[list[str], typer.Argument(metavar="GAME...", help="Records of games; - is stdin.")],
    limit_seconds: Annotated[float | None, seconds_option(0.01, "Time for one game.")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Look back at finished games: could they be won, how, and where was the win lost."""
    out = output(as_json, lang)
    limit = limit_seconds or Settings().solve_seconds
    each(games, out, lambda source: _review(source, limit, out), out.language.say("review.progress"))


def _review(source: Source, seconds: float, out: Output) -> None:
    from rules.review import review as look_back

    for played in games_of(source, out.language):
        prepare_search(played.record.game, out.messages, out.language)
        found = look_back(played.record, seconds=seconds)
        answer = {"game": played.record.game.id, **found.to_json()}
        answer["moves"] = [move.to_json() for move in played.record.moves]
        if played.stopped:
            answer["stopped"] = played.stopped.to_json()
            out.note(Status.FINDINGS)
        if found.verdict == "undecided":
            out.note(Status.UNDECIDED)
        out.answer(answer, show)


def show(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """The look back for people."""
    show_stop(console, language, answer)
    console.print(f"[bold]{language.say('review.' + answer['verdict'])}[/bold]")
    if answer["unseen"]:
        console.print(language.count("review.unseen", answer["unseen"]))
    if answer["verdict"] == "depends":
        shares = {end: percent(language, share) for end, share in answer["share"].items()}
        console.print(language.say("review.share", **shares))
    if answer["won"]:
        console.print(language.say("review.won"))
    elif answer["lost_at"] is not None:
        move = move_phrase(language, answer["moves"][answer["lost_at"] - 1])
        console.print(language.say("review.lost-at", n=answer["lost_at"], move=move))
    if answer["cards_left"]:
        console.print(language.say("review.fewest" if answer["exact"] else "review.found", n=answer["cards_left"]))
    if answer["verdict"] == "winnable" and answer["line"]:
        console.print(length_phrase(language, len(answer["line"]), answer["shortest"]))
    for number, move in enumerate(answer["line"], start=1):
        console.print(f"{number:3}. {move_phrase(language, move)}")


def show_stop(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """The line at which a record stopped, if it did."""
    if answer.get("stopped"):
        stopped = answer["stopped"]
        broken = "; ".join(breach_phrase(language, breach) for breach in stopped["violations"])
        console.print(
            language.say("record.stopped", line=stopped["line"], why=broken or language.say("record.no-move")),
            markup=False,
        )
