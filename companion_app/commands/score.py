"""`cardtable score`: the score of a table, of the record of a game, or of a match."""

from typing import Annotated, Any

import typer
from rich.console import Console

from companion_app.commands.base import Deck, GameId, Json, Lang, Output, Rules, Status, Subjects, opened
from companion_app.commands.positions import each, position_of
from companion_app.commands.review import show_stop
from companion_app.commands.usage import WrongUsage
from companion_app.languages import Language
from companion_app.languages.phrases import score_parts, score_phrase
from companion_app.sources import Source, sources
from companion_app.terminal.records import games_of

SCHEMES = ("cards-left", "foundation", "points", "par")
CARDS_LEFT, PAR = "cards-left", "par"
FROM_A_TABLE = ("cards-left", "foundation")


def _scheme(value: str) -> str:
    if value not in SCHEMES:
        raise WrongUsage("usage.choose", values=", ".join(SCHEMES))
    return value


def score(
    subjects: Subjects,
    game: GameId,
    scheme: Annotated[
        str, typer.Option(callback=_scheme, metavar="|".join(SCHEMES), help="The scheme; par wants six games.")
    ] = CARDS_LEFT,
    rules: Rules = None,
    as_json: Json = False,
    lang: Lang = None,
    deck: Deck = None,
) -> None:
    """Score tables (cards-left, foundation) and records of games (points, and par over six of them)."""
    out, chosen = opened(game, rules, as_json, lang)
    if scheme == PAR:
        out.attempt(lambda: _match(list(sources(subjects, out.language)), chosen, out))
        out.end()
    each(subjects, out, lambda source: _score(source, chosen, scheme, out))


def _score(source: Source, game: Any, scheme: str, out: Output) -> None:
    from rules.scoring import score_position, score_records

    if source.record is None and scheme in FROM_A_TABLE:
        answer = score_position(scheme, position_of(source, game, out.language).position, game).to_json()
        out.answer(answer, show)
        return
    for played in games_of(source, out.language, game):
        _answer(score_records(scheme, [played]).to_json(), [played], out)


def _match(found: list[Source], game: Any, out: Output) -> None:
    from rules.scoring import score_records

    games = [played for source in found for played in games_of(source, out.language, game)]
    _answer(score_records(PAR, games).to_json(), games, out)


def _answer(answer: dict[str, Any], games: list[Any], out: Output) -> None:
    stopped = [played.stopped.to_json() for played in games if played.stopped]
    if stopped:
        out.note(Status.FINDINGS)
        answer["stopped"] = stopped[0]
    out.answer(answer, show)


def show(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """The score for people, with its parts where it has several."""
    show_stop(console, language, answer)
    console.print(f"[bold]{answer['score']}[/bold] {score_phrase(language, answer)}")
    if parts := score_parts(language, answer):
        console.print(", ".join(parts), style="dim")
