"""A patience played at the terminal, for people: the table, the moves by number, and what was asked."""

from typing import Any

from rich.console import Console

from companion_app.commands.games import catalogue_table
from companion_app.commands.score import show as show_score
from companion_app.commands.showing import show_breaches, show_position
from companion_app.languages import Language
from companion_app.languages.phrases import hint_lines, move_phrase
from companion_app.terminal.play_session import WORDS

WITH_TABLE = ("start", "move", "undo", "redo", "show")
MADE = ("move", "undo", "redo")


def show(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """One answer: what was done, and as much of the table as it calls for."""
    did = answer["did"]
    if did in MADE:
        _show_made(console, language, answer)
    if did in WITH_TABLE:
        show_table(console, language, answer)
    elif did == "moves":
        show_moves(console, language, answer)
    elif did in OTHERS:
        OTHERS[did](console, language, answer)


def show_table(console: Console, language: Language, answer: dict[str, Any]) -> None:
    """The table with the moves there are, or how the game ended."""
    show_position(console, language, answer["position"])
    if answer["position"].get("pass", 1) > 1:
        console.print(language.say("play.pass", n=answer["position"]["pass"]))
    if answer["outcome"] == "won":
        console.print(f"[bold green]{language.say('verdict.won')}[/bold green]")
    elif answer["outcome"] == "lost":
        console.print(f"[bold]{language.say('play.lost')}[/bold]")
    show_moves(console, language, answer)


def show_moves(console: Console, language: Language, answer: dict[str, Any], only: list[int] | None = None) -> None:
    """Every legal move with its number, or those of some numbers."""
    width = len(str(len(answer["moves"])))
    for number, move in enumerate(answer["moves"], start=1):
        if only is None or number in only:
            console.print(f"[cyan]{number:{width + 1}}[/cyan]  {move_phrase(language, move)}")
    if not answer["moves"] and answer["outcome"] == "open":
        console.print(language.say("hint.none"))


def _show_made(console: Console, language: Language, answer: dict[str, Any]) -> None:
    if answer["move"] is None:
        console.print(language.say(f"play.nothing-to-{answer['did']}"))
        return
    move, turned = answer["move"], ""
    if move["kind"] == "turn":
        turned = ": " + ", ".join(language.card(card) for card in move["cards"])
    label = "" if answer["did"] == "move" else f"{language.say('change.' + answer['did'])}: "
    console.print(f"[bold]{label}{move_phrase(language, move)}{turned}[/bold]")


def _show_hint(console: Console, language: Language, answer: dict[str, Any]) -> None:
    hint = answer["hint"]
    if hint["says"]:
        console.print(hint["says"])
    console.print(language.say(f"verdict.{hint['verdict']}"), style="dim")
    if "area" in hint:
        console.print(language.say("hint.look", areas=hint["area"]))
    if "move" in hint:
        number = answer["moves"].index(hint["move"]) + 1 if hint["move"] in answer["moves"] else ""
        console.print(f"[bold]{move_phrase(language, hint['move'])}[/bold]  [cyan]{number}[/cyan]")
    for line in hint_lines(language, hint["why"]) if "why" in hint else ():
        console.print(f"   [dim]{line}[/dim]")


def _show_illegal(console: Console, language: Language, answer: dict[str, Any]) -> None:
    console.print(language.say("play.illegal", move=move_phrase(language, answer["move"])))
    show_breaches(console, language, answer["violations"])


def _show_several(console: Console, language: Language, answer: dict[str, Any]) -> None:
    console.print(language.say("play.several"))
    show_moves(console, language, answer, answer["fitting"])


def _show_partners(console: Console, language: Language, answer: dict[str, Any]) -> None:
    card = language.card(answer["card"])
    if not answer["partners"]:
        console.print(f"{card}: {language.say('play.no-partner')}")
    for other in answer["partners"]:
        place = f" ({language.place(other['place'])})" if other["place"] else ""
        console.print(f"{card} + {language.card(other['card'])}: {language.say('play.where.' + other['where'])}{place}")


def _show_rules(console: Console, language: Language, answer: dict[str, Any]) -> None:
    console.print(catalogue_table([answer["rules"]], language))


def _show_saved(console: Console, language: Language, answer: dict[str, Any]) -> None:
    console.print(language.say("play.saved", name=answer["saved"]), markup=False)


def _show_help(console: Console, language: Language, answer: dict[str, Any]) -> None:
    console.print(language.say("play.help.move"), markup=False)
    words = {word: language.say(f"play.word.{word}") for word in WORDS}
    width = max(map(len, words.values()))
    for word, spoken in words.items():
        console.print(f"[cyan]{spoken:{width}}[/cyan]  {language.say(f'play.help.{word}')}")


def _show_end(console: Console, language: Language, answer: dict[str, Any]) -> None:
    if answer["outcome"] == "open":
        console.print(language.say("play.left-open"))
    for score in answer["scores"]:
        show_score(console, language, score)
    aids = answer["aids"]
    console.print(language.say("play.aids", made=answer["made"], **aids), style="dim")


OTHERS = {
    "hint": _show_hint,
    "illegal": _show_illegal,
    "several": _show_several,
    "partners": _show_partners,
    "rules": _show_rules,
    "save": _show_saved,
    "help": _show_help,
    "quit": _show_end,
}
