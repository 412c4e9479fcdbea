"""`cardtable follow`: one game from its pictures in order, or from a video."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import Console

from companion_app.commands.base import Deck, Json, Lang, Output, Rules, Status, chosen_game, output
from companion_app.commands.showing import show_breaches, show_faults, show_position
from companion_app.commands.usage import WrongUsage
from companion_app.languages import Language
from companion_app.languages.phrases import move_phrase, places_phrase
from companion_app.sources import read_picture

AUTO = "auto"
MOST_MISREAD = 6
"""Places that are named as misread; where more were, the table was hidden, or the picture a poor one."""
TOLD = ("start", "nothing", "hidden")
"""Explanations that have a sentence of their own."""
MOST_OPEN = 3
"""Moves of another way that are told for people; the JSON answer tells all of them."""


def follow(
    pictures: Annotated[list[str], typer.Argument(metavar="PICTURE...|VIDEO", help="Pictures in order, or a video.")],
    game: Annotated[str, typer.Option("--game", metavar="ID|auto", help="The game played.")] = AUTO,
    rules: Rules = None,
    as_json: Json = False,
    lang: Lang = None,
    deck: Deck = None,
) -> None:
    """Follow a game: the moves made, what was taken back, misread or against the rules, and its record."""
    out = output(as_json, lang)
    if rules and game.lower() == AUTO:
        raise WrongUsage("usage.rule-of-game")
    chosen = None if game.lower() == AUTO else chosen_game(game, rules, out)
    from companion_app.tables.following import Follower
    from companion_app.wiring import eyes

    begun: list[Follower] = []

    def open_eyes() -> None:
        begun.append(Follower(eyes(), chosen))

    out.attempt(open_eyes)
    if begun:
        for name in pictures:
            out.attempt(lambda name=name: _each(name, begun[0], out), picture={"file": name})
        if begun[0].belief is not None:
            out.attempt(lambda: out.answer({"record": begun[0].record()}, show_record))
    out.end()


def _each(name: str, follower: Any, out: Output) -> None:
    """Follow one picture, or a video."""
    from companion_app.tables.following import follow_answer

    for where, picture in _pictures(name, out.language):
        answer = follow_answer(follower.look(picture))
        if answer["violations"] or answer["explanation"] == "another-table":
            out.note(Status.FINDINGS)
        out.answer({"picture": where, **answer}, show)


def _pictures(name: str, language: Language) -> Iterator[tuple[dict[str, Any], bytes]]:
    from companion_app.camera.videos import is_video, still_views

    if not is_video(name):
        yield {"file": name}, read_picture(name, language)
        return
    for second, picture in still_views(name, language):
        yield {"file": name, "second": round(second, 1)}, picture


def show(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """What one picture came to, for people."""
    console.print(_name(answer["picture"]), style="bold", markup=False)
    for move in answer["moves"]:
        console.print("  " + move_phrase(language, move), markup=False)
    if answer["undone"]:
        taken = "; ".join(move_phrase(language, move) for move in answer["undone"])
        console.print(f"  {language.say('next.undone')}: {taken}", markup=False)
    if answer["explanation"] in TOLD:
        console.print("  " + language.say(f"follow.{answer['explanation']}"), markup=False)
    if "another-table" in (answer["explanation"], *(o["explanation"] for o in _options(answer)[:1])):
        console.print("  " + language.say("anew.another-table"), markup=False)
    if len(answer["misread"]) > MOST_MISREAD:
        console.print("  " + language.say("follow.hidden"), markup=False)
    elif answer["misread"] and answer["explanation"] != "hidden":
        console.print(f"  {language.say('follow.misread')}: {places_phrase(language, answer['misread'])}", markup=False)
    show_breaches(console, language, answer["violations"])
    # What has been open for long was told when it came up.
    new = [option for option in _options(answer)[1:] if len(option["moves"]) <= MOST_OPEN]
    if new:
        console.print("  " + language.say("follow.question"), markup=False)
        for option in new:
            console.print("    " + _option(language, option), markup=False)
    is_begun = answer["explanation"] == "start"
    if is_begun:
        show_position(console, language, answer["position"])
    # A card that was not found is told until it is; other faults of a game in play are told as what led to them.
    show_faults(console, language, [fault for fault in answer["faults"] if is_begun or fault["kind"] == "missing-card"])


def _options(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return answer["question"]["options"] if answer["question"] else []


def _option(language: Language, option: dict[str, Any]) -> str:
    if option["explanation"] == "another-table":
        return language.say("anew.another-table")
    if option["moves"]:
        return "; ".join(move_phrase(language, move) for move in option["moves"])
    if option["misread"]:
        return f"{language.say('follow.misread')}: {places_phrase(language, option['misread'])}"
    return language.say("follow.nothing")


def _name(picture: dict[str, Any]) -> str:
    return f"{picture['file']}, {picture['second']} s" if "second" in picture else str(picture["file"])


def show_record(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """The record of the game."""
    console.print()
    console.print(answer["record"], markup=False, highlight=False, end="")
