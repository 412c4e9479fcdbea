"""`cardtable read`: what lies on the table."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from companion_app.commands.base import (
    Deck,
    Json,
    Lang,
    Output,
    Rules,
    Scheduler,
    Status,
    chosen_game,
    complete_game,
    output,
)
from companion_app.commands.showing import show_faults, show_position
from companion_app.commands.usage import WrongUsage
from companion_app.errors import UnreadableTrouble
from companion_app.languages import Language
from companion_app.languages.phrases import advice_phrase, missing_phrases
from companion_app.sources import STDIN
from companion_app.tables.spreads import is_counted
from companion_app.terminal.folders import with_folders
from companion_app.terminal.many_pictures import Answered, Asked, photo, read_all
from companion_app.terminal.reading_files import ReadingFile
from rules.cards import deck

AUTO, NONE = "auto", "none"


def complete_game_read(begun: str) -> list[tuple[str, str]]:
    """The games, and what may stand in place of one."""
    return [(word, "") for word in (AUTO, NONE) if word.startswith(begun.lower())] + complete_game(begun)


def read(
    pictures: Annotated[list[str], typer.Argument(metavar="PICTURE|FOLDER...", help="Pictures; - is stdin.")],
    game: Annotated[
        str,
        typer.Option("--game", metavar="ID|auto|none", autocompletion=complete_game_read, help="The game laid."),
    ] = AUTO,
    rules: Rules = None,
    whole: Annotated[
        bool, typer.Option("--whole-deck", help="All cards of a deck lie there: name those that are missing.")
    ] = False,
    recursive: Annotated[
        bool, typer.Option("--recursive", help="Of a folder also the pictures in its folders.")
    ] = False,
    out_file: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE.csv|FILE.jsonl", help="Add to this file; what it has is passed over."),
    ] = None,
    scheduler: Scheduler = None,
    as_json: Json = False,
    lang: Lang = None,
    deck: Deck = None,
) -> None:
    """Read pictures, or all of a folder: every card, the layout, the games that fit, doubts and faults."""
    out = output(as_json, lang)
    if rules and game.lower() in (AUTO, NONE):
        raise WrongUsage("usage.rule-of-game")
    if whole and game.lower() != NONE:
        raise WrongUsage("usage.whole-deck")
    chosen = None if game.lower() in (AUTO, NONE) else chosen_game(game, rules, out)
    texts = {name: str(chosen.rules.to_json()[name]) for name in chosen.changed} if chosen else {}
    asked = Asked(chosen.id if chosen else None, texts, game.lower() == AUTO, deck, out.language.code)
    names = with_folders(pictures, recursive=recursive)
    if out_file is None:
        out.attempt(lambda: _read_all(names, asked, (scheduler, whole), out))
    else:
        out.attempt(lambda: _read_into(ReadingFile(out_file, out.language), names, asked, scheduler, out))
    out.end()


def _read_all(names: list[str], asked: Asked, how: tuple[str | None, bool], out: Output) -> None:
    """Print what comes of every picture; `how`: over which cluster, and whether the whole deck should lie there."""
    scheduler, whole = how
    photos = (photo(name, out.language) for name in names)
    with out.progress(out.language.say("read.progress"), len(names)) as done:
        for answered in read_all(photos, asked, len(names), scheduler):
            _tell(answered, asked, out, show_whole if whole else show)
            if whole and answered.answer is not None and answered.answer["missing"]:
                out.note(Status.FINDINGS)
            done(1)


def _tell(answered: Answered, asked: Asked, out: Output, shown: Any) -> None:
    trouble, answer = answered.failure(), answered.answer
    if trouble is not None or answer is None:
        out.trouble(trouble or UnreadableTrouble("internal"), picture={"file": answered.name})
        return
    if answer["faults"]:
        out.note(Status.FINDINGS)
    out.answer(answer, shown)
    if asked.auto and answer["position"] is None:
        out.messages.print(f"{answered.name}: {out.language.say('error.no-layout')}", markup=False)


def _read_into(file: ReadingFile, names: list[str], asked: Asked, scheduler: str | None, out: Output) -> None:
    """Add what comes of every picture that the file has not yet; people are told how many, programs what."""
    passed, wanted = _sorted_out(file, list(dict.fromkeys(names)), asked, out)
    again = file.changed(wanted)
    photos = (photo(name, out.language) for name in wanted)
    unread = 0
    with (
        file.adding(again) as add,
        out.progress(out.language.say("read.progress"), len(wanted)) as done,
    ):
        for answered in read_all(photos, asked, len(wanted), scheduler):
            add(answered)
            unread += answered.answer is None
            _tell(answered, asked, out, lambda *_: None)
            done(1)
    read = len(wanted) - unread
    told = {"read": read, "unread": unread, "passed": len(passed), "again": len(again), "file": file.path}
    out.messages.print(out.language.say("read.into", **told), markup=False)


def _sorted_out(file: ReadingFile, names: list[str], asked: Asked, out: Output) -> tuple[list[str], list[str]]:
    """The pictures that the file has already, and those to be read; what is wrong with the former still counts."""
    passed: list[str] = []
    wanted: list[str] = []
    for name in names:
        there = name != STDIN and bool(file.changed([name]))
        known = there and file.has(name, photo(name, out.language).digest(asked))
        (passed if known else wanted).append(name)
    if any(file.error(name) for name in passed):
        out.note(Status.UNREADABLE)
    return passed, wanted


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
