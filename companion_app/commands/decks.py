"""`cardtable decks`: the decks it was taught, and teaching one."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from companion_app.commands.base import Json, Lang, output
from companion_app.deck_answer import deck_answer, figures_phrase
from companion_app.languages import Language
from companion_app.sources import read_picture

if TYPE_CHECKING:
    from companion_app.deck_eyes import DeckEyes
    from rules.cards import Card

decks_app = typer.Typer(help="The decks taught.", invoke_without_command=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The deck's name.")]


@decks_app.callback()
def decks(context: typer.Context, as_json: Json = False, lang: Lang = None) -> None:
    """List the decks taught, or teach one, or forget one."""
    if context.invoked_subcommand is not None:
        return
    out = output(as_json, lang)

    def list_all() -> None:
        found = _eyes().decks()
        for deck in found:
            out.answer(deck_answer(deck), show)
        if not found:
            out.messages.print(out.language.say("decks.none"), markup=False)

    out.attempt(list_all)
    out.end()


@decks_app.command("teach")
def teach(
    name: Name,
    pictures: Annotated[list[str], typer.Argument(metavar="PICTURE...", help="Photographs of the cards laid out.")],
    order: Annotated[
        str | None,
        typer.Option(metavar="CARDS", help="The cards in the order they lie; without it A to K of S, H, D, C."),
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Learn a deck from photographs of its cards laid out in a known order."""
    out = output(as_json, lang)

    def work() -> None:
        sent = [read_picture(picture, out.language) for picture in pictures]
        names = [Path(picture).name for picture in pictures]
        out.answer(deck_answer(_eyes().teach(name, sent, told_order(order), names)), show)

    out.attempt(work, deck=name)
    out.end()


@decks_app.command("forget")
def forget(name: Name, as_json: Json = False, lang: Lang = None) -> None:
    """Forget a deck."""
    out = output(as_json, lang)

    def work() -> None:
        _eyes().files.forget(name)
        out.answer({"deck": name, "forgotten": True}, _forgotten)

    out.attempt(work, deck=name)
    out.end()


def _eyes() -> "DeckEyes":
    from companion_app.wiring import deck_eyes

    return deck_eyes("auto")


def told_order(text: str | None) -> "list[Card]":
    """The cards of `--order`, by default the whole deck, ace to king of spades, hearts, diamonds, clubs.

    Raises CardError.
    """
    from rules.cards import Card
    from vision.evidence import CARDS

    return [Card.parse(code) for code in text.replace(",", " ").split()] if text else list(CARDS)


def show(console: Console, language: Language, data: dict[str, Any]) -> None:
    """One deck for people."""
    console.print(f"[bold]{escape(data['deck'])}[/bold]  {escape(figures_phrase(language, data))}")


def _forgotten(console: Console, language: Language, data: dict[str, Any]) -> None:
    console.print(language.say("decks.forgotten", name=data["deck"]), markup=False)
