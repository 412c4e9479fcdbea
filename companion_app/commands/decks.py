"""`cardtable decks`: the decks it was taught, and teaching one."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from companion_app.commands.base import Json, Lang, output
from companion_app.commands.examples import examples
from companion_app.commands.usage import Verb, Verbs
from companion_app.decks.deck_answer import deck_answer, draft_answer, draft_phrase, figures_phrase
from companion_app.languages import Language
from companion_app.sources import read_picture

if TYPE_CHECKING:
    from companion_app.decks.deck_eyes import DeckEyes
    from rules.cards import Card

decks_app = typer.Typer(cls=Verbs, help="The decks taught.", invoke_without_command=True)

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
        drafts = _eyes().drafts.all()
        for draft in drafts:
            out.answer(draft_answer(draft), show)
        if not found and not drafts:
            out.messages.print(out.language.say("decks.none"), markup=False)

    out.attempt(list_all)
    out.end()


@decks_app.command("teach", cls=Verb, epilog=examples("decks teach"))
def teach(
    name: Name,
    pictures: Annotated[list[str], typer.Argument(metavar="PICTURE...", help="Photographs of the cards laid out.")],
    order: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS", help="The cards in the order they lie; without it those missing, A to K of S H D C."
        ),
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Learn a deck from photographs of its cards laid out in a known order, all at once or some at a time."""
    out = output(as_json, lang)

    def work() -> None:
        from companion_app.decks.deck_drafts import Draft

        sent = [read_picture(picture, out.language) for picture in pictures]
        names = [Path(picture).name for picture in pictures]
        cards = told_order(order)
        with out.messages.status(out.language.say("decks.learning")) if out.messages.is_terminal else nullcontext():
            taught = _eyes().teach(name, sent, cards, names)
        out.answer(draft_answer(taught) if isinstance(taught, Draft) else deck_answer(taught), show)

    out.attempt(work, deck=name)
    out.end()


@decks_app.command("forget", cls=Verb, epilog=examples("decks forget"))
def forget(name: Name, as_json: Json = False, lang: Lang = None) -> None:
    """Forget a deck."""
    out = output(as_json, lang)

    def work() -> None:
        _eyes().forget(name)
        out.answer({"deck": name, "forgotten": True}, _forgotten)

    out.attempt(work, deck=name)
    out.end()


def _eyes() -> "DeckEyes":
    from companion_app.wiring import deck_eyes

    return deck_eyes("auto")


def told_order(text: str | None) -> "list[Card] | None":
    """The cards of `--order`, None without it; raises CardError."""
    from rules.cards import Card

    return [Card.parse(code) for code in text.replace(",", " ").split()] if text else None


def show(console: Console, language: Language, data: dict[str, Any]) -> None:
    """One deck for people, taught or shown in part."""
    said = draft_phrase(language, data) if "missing" in data else figures_phrase(language, data)
    console.print(f"[bold]{escape(data['deck'])}[/bold]  {escape(said)}")


def _forgotten(console: Console, language: Language, data: dict[str, Any]) -> None:
    console.print(language.say("decks.forgotten", name=data["deck"]), markup=False)
