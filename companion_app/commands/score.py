"""`cardtable score`: the score a picture can give."""

from typing import Annotated, Any

import typer
from rich.console import Console

from companion_app.commands.base import Deck, GameId, Json, Lang, Output, Rules, Subjects, opened
from companion_app.commands.positions import each, position_of
from companion_app.languages import Language
from companion_app.sources import Source

CARDS_LEFT = "cards-left"


def _scheme(value: str) -> str:
    if value != CARDS_LEFT:
        raise typer.BadParameter(f"a picture can give only {CARDS_LEFT}")
    return value


def score(
    subjects: Subjects,
    game: GameId,
    scheme: Annotated[str, typer.Option(callback=_scheme, metavar="NAME", help="The scheme: cards-left.")] = CARDS_LEFT,
    rules: Rules = None,
    as_json: Json = False,
    lang: Lang = None,
    deck: Deck = None,
) -> None:
    """Score tables: the cards left in the pyramid; 0 is perfect."""
    out, chosen = opened(game, rules, as_json, lang)
    each(subjects, out, lambda source: _score(source, chosen, scheme, out))


def _score(source: Source, game: Any, scheme: str, out: Output) -> None:
    from rules.scoring import score_position

    out.answer(score_position(scheme, position_of(source, game, out.language).position, game).to_json(), show)


def show(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """The score for people."""
    console.print(f"[bold]{answer['score']}[/bold] {language.count('score.cards-left', answer['score'])}")
