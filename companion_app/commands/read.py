"""`cardtable read`: what lies on the table."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from companion_app.commands.base import Deck, Json, Lang, Output, Rules, Status, chosen_game, output
from companion_app.commands.showing import show_faults, show_position
from companion_app.languages import Language
from companion_app.phrases import advice_phrase, missing_phrases
from companion_app.sources import read_picture
from companion_app.spreads import is_counted
from rules.cards import deck

AUTO, NONE = "auto", "none"


def read(
    pictures: Annotated[list[str], typer.Argument(metavar="PICTURE...", help="Pictures; - is stdin.")],
    game: Annotated[str, typer.Option("--game", metavar="ID|auto|none", help="The game laid.")] = AUTO,
    rules: Rules = None,
    whole: Annotated[
        bool, typer.Option("--whole-deck", help="All cards of a deck lie there: name those that are missing.")
    ] = False,
    as_json: Json = False,
    lang: Lang = None,
    deck: Deck = None,
) -> None:
    """Read pictures: every card, the layout, the games that fit, doubts and faults."""
    out = output(as_json, lang)
    if rules and game.lower() in (AUTO, NONE):
        raise typer.BadParameter("a rule is one of a game: name it with --game ID")
    if whole and game.lower() != NONE:
        raise typer.BadParameter("a whole deck is counted without a layout: add --game none")
    chosen = None if game.lower() in (AUTO, NONE) else chosen_game(game, rules, out)
    for picture in pictures:
        out.attempt(
            lambda picture=picture: _read(picture, chosen, (game.lower() == AUTO, whole), out),
            picture={"file": picture},
        )
    out.end()


def _read(picture: str, game: Any, asked: tuple[bool, bool], out: Output) -> None:
    """Answer for one picture; `asked`: to find the layout, and whether the whole deck should lie there."""
    from companion_app.compose import compose, layout_asked, read_answer, read_as
    from companion_app.wiring import eyes

    auto, whole = asked
    reading = read_as(eyes(), read_picture(picture, out.language), layout_asked(game, auto=auto))
    look = compose(reading, game)
    answer = read_answer(picture, look)
    if look.faults or (whole and answer["missing"]):
        out.note(Status.FINDINGS)
    out.answer(answer, show_whole if whole else show)
    if auto and look.position is None:
        out.messages.print(f"{picture}: {out.language.say('error.no-layout')}", markup=False)


def show_whole(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """One reading of a whole deck for people."""
    show(console, language, answer, whole=True)


def show(console: Console, language: Language, answer: dict[str, Any], *, whole: bool = False) -> None:
    """One reading for people; what is missing is told where a whole deck should lie there, or most of one does."""
    picture = answer["picture"]
    name = Path(picture["file"]).name
    total = answer["milliseconds"].get("total", 0)
    console.print(f"[bold]{escape(name)}[/bold]  {picture['width']} × {picture['height']}, {total:.0f} ms", markup=True)
    if answer["position"]:
        show_position(console, language, answer["position"])
    else:
        console.print(" ".join(card["card"] or "--" for card in answer["cards"]))
    if answer["games"]:
        console.print(f"{language.say('game.fits')}: {', '.join(answer['games'])}")
    for card in answer["cards"]:
        if card["doubtful"]:
            best = ", ".join(f"{language.card(code)} {language.percent(share)}" for code, share in card["alternatives"])
            console.print(f"[yellow]?[/yellow] {language.place(card['place'])}: {best}")
    show_faults(console, language, answer["faults"])
    if whole or is_counted(answer.get("missing", deck())):
        for line in missing_phrases(language, answer):
            console.print(line)
    for advice in answer["advice"]:
        console.print("» " + advice_phrase(language, advice["code"], advice["places"]), markup=False)
