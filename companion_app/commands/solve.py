"""`cardtable solve`: can these deals be won?"""

from typing import Annotated, Any

import typer
from rich.console import Console

from companion_app.commands.base import GameId, Json, Lang, Output, Rules, Status, opened, seconds_option
from companion_app.hints.preparing import prepare_search
from companion_app.languages import Language
from companion_app.languages.phrases import move_phrase
from companion_app.settings import Settings
from companion_app.sources import STDIN, read_lines

MOST_QUOTED = 400


def solve_deals(
    deals: Annotated[str, typer.Argument(metavar="DEALS", help="File of deals, one a line; - is stdin.")],
    game: GameId,
    limit_seconds: Annotated[float | None, seconds_option(0.01, "Time for one deal.")] = None,
    shortest: Annotated[bool, typer.Option("--shortest", help="With the shortest line that wins.")] = False,
    rules: Rules = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Solve deals exactly: winnable, lost, or undecided in the time given."""
    out, chosen = opened(game, rules, as_json, lang)
    limit = limit_seconds or Settings().solve_seconds

    def every_deal() -> None:
        prepare_search(chosen, out.messages, out.language)
        total = None if deals == STDIN else sum(1 for _ in read_lines(deals, out.language))
        with out.progress(chosen.id, total) as done:
            for line in read_lines(deals, out.language):
                out.attempt(lambda line=line: _solve(line, chosen, (limit, shortest), out), deal=line[:MOST_QUOTED])
                done(1)

    out.attempt(every_deal)
    out.end()


def _search(deal: str, game: Any, seconds: float, *, shortest: bool) -> Any:
    """What the search of the game's family finds for a deal; raises what is wrong with it."""
    if game.family == "rows":
        from rules.rows import search as rows
        from rules.rows.notation import parse_deal as parse_row_deal

        return rows.solve(parse_row_deal(deal, game), game, rows.Limits(seconds=seconds), shortest=shortest)
    from rules.pyramid.notation import parse_deal
    from rules.pyramid.search import Limits, solve
    from rules.pyramid.shortening import SHORTEN_FIRST

    shorten = SHORTEN_FIRST if shortest else 0
    return solve(parse_deal(deal, game), game, Limits(seconds=seconds), shorten=shorten, shortest=shortest)


def _solve(deal: str, game: Any, wanted: tuple[float, bool], out: Output) -> None:
    """``wanted``: seconds, and whether the line is to be the shortest."""
    from rules.bounds import check_line

    seconds, shortest = wanted
    check_line(deal)
    found = _search(deal, game, seconds, shortest=shortest)
    answer = {
        "deal": deal,
        "verdict": found.verdict,
        "moves": [move.to_json() for move in found.moves],
        "states": found.states,
        "milliseconds": round(found.milliseconds, 1),
    }
    if shortest:
        answer["shortest"] = found.shortest
    if answer["verdict"] == "undecided":
        out.note(Status.UNDECIDED)
    out.answer(answer, show)


def show(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """One verdict for people, with the winning moves."""
    verdict = language.say("verdict." + answer["verdict"])
    console.print(f"[bold]{verdict}[/bold]  {language.number(answer['states'])} / {answer['milliseconds']:.0f} ms")
    for number, move in enumerate(answer["moves"] or (), start=1):
        console.print(f"{number:3}. {move_phrase(language, move)}")
