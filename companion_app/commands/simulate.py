"""`cardtable simulate`: how often a policy wins a game."""

import time
from typing import Annotated, Any

import typer
from rich.console import Console

from companion_app.commands.base import GameId, Json, Lang, Output, Rules, Scheduler, Status, opened, seconds_option
from companion_app.commands.usage import WrongUsage
from companion_app.hints.preparing import tell_compiling
from companion_app.languages import Language
from companion_app.languages.phrases import percent

POLICIES = ("hint", "greedy", "random", "perfect")
MOST_DEALS = 1_000_000
HINT_SECONDS = 0.05
PERFECT_SECONDS = 60.0
SHARE_DIGITS = 4
COUNT_DIGITS = 3


def _policy(value: str) -> str:
    if value not in POLICIES:
        raise WrongUsage("usage.choose", values=", ".join(POLICIES))
    return value


def simulate(
    game: GameId,
    deals: Annotated[int, typer.Option(min=1, max=MOST_DEALS, metavar="N", help="How many deals to play.")] = 100,
    seed: Annotated[int, typer.Option(metavar="S", help="Which deals: the same for every policy.")] = 1,
    policy: Annotated[str, typer.Option(callback=_policy, metavar="|".join(POLICIES), help="Who plays.")] = "hint",
    seconds: Annotated[
        float | None,
        seconds_option(0.001, "Processor time for one hint (0.05), or for one deal played perfectly (60)."),
    ] = None,
    scheduler: Scheduler = None,
    rules: Rules = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Play deals by a policy that sees no more than a player would, and count the wins."""
    out, chosen = opened(game, rules, as_json, lang)
    thinking = seconds or (PERFECT_SECONDS if policy == "perfect" else HINT_SECONDS)
    out.attempt(lambda: _simulate(chosen, deals, (policy, seed, thinking), scheduler, out))
    out.end()


def _simulate(game: Any, deals: int, how: tuple[str, int, float], scheduler: str | None, out: Output) -> None:
    from companion_app.hints.simulating import Plan, play_all, prepare

    policy, seed, seconds = how
    texts = {name: str(value) for name, value in game.rules.to_json().items() if name in game.changed}
    plan = Plan(game.id, texts, policy, seed, seconds)  # type: ignore[arg-type]
    if scheduler is None:
        tell_compiling(lambda: prepare(plan), out.messages, out.language)
    began = time.perf_counter()
    with out.progress(f"{game.id} · {policy}", deals) as done:
        games = play_all(plan, deals, scheduler=scheduler, told=done)
    answer = {"game": game.id, "rules": texts, "policy": policy, "deals": deals, "seed": seed} | summary(games)
    answer["milliseconds"]["total"] = round((time.perf_counter() - began) * 1000, 1)
    if answer["undecided"]:
        out.note(Status.UNDECIDED)
    out.answer(answer, show)


def summary(games: list[Any]) -> dict[str, Any]:
    """Wins with their share and its 95 % interval, the mean of the cards left with its, deals that were not decided in
    the time given (counted as lost), moves and processor time of a game."""
    from rules.intervals import mean_interval, share_interval

    won = sum(played.won for played in games)
    win, left = share_interval(won, len(games)), mean_interval([float(played.cards_left) for played in games])
    return {
        "won": won,
        "win": {end: round(getattr(win, end), SHARE_DIGITS) for end in ("estimate", "low", "high")},
        "cards_left": {end: round(getattr(left, end), COUNT_DIGITS) for end in ("estimate", "low", "high")},
        "undecided": sum(not played.decided for played in games),
        "moves": round(sum(played.moves for played in games) / len(games), 1),
        "milliseconds": {"game": round(1000 * sum(played.seconds for played in games) / len(games), 1)},
    }


def show(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """The figures for people."""
    win, left = answer["win"], answer["cards_left"]
    shares = {end: percent(language, share, 1) for end, share in win.items()}
    console.print(f"[bold]{answer['game']}[/bold]  {answer['policy']}")
    console.print(language.say("simulate.won", won=answer["won"], deals=answer["deals"], **shares))
    console.print(language.say("simulate.left", **{end: round(count, 2) for end, count in left.items()}))
    if answer["undecided"]:
        console.print(language.say("simulate.undecided", n=answer["undecided"]))
    console.print(language.say("simulate.time", ms=round(answer["milliseconds"]["game"])))
