"""`cardtable report`: all that helps to look into a problem, packed into one file that stays with you."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from zipfile import ZIP_DEFLATED, ZipFile

import typer
from rich.console import Console

from companion_app.commands.base import Deck, Json, Lang, Output, output
from companion_app.commands.usage import WrongUsage
from companion_app.languages import Language
from companion_app.sources import read_picture
from companion_app.terminal.consoles import json_line
from companion_app.troubles import as_trouble


def report(
    pictures: Annotated[
        list[str] | None, typer.Argument(metavar="[PICTURE...]", help="Pictures with which it goes wrong.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The file to pack it into.", dir_okay=False)
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
    deck: Deck = None,
) -> None:
    """Pack a problem report: versions, settings, the pictures given and how they are read. Nothing is sent."""
    from companion_app.serving.reporting import ABOUT, about

    out = output(as_json, lang)
    path = file or Path(f"cardtable-report-{datetime.now():%Y%m%d-%H%M%S}.zip")
    try:
        with ZipFile(path, "x", ZIP_DEFLATED) as packed:
            packed.writestr(ABOUT, json_line(about()))
            with out.progress("", len(pictures or ())) as done:
                for number, picture in enumerate(pictures or [], start=1):
                    _pack(packed, number, picture, out)
                    done(1)
            held = packed.namelist()
    except OSError as error:
        raise WrongUsage("usage.file", hint="--out", name=path, why=error) from error
    out.answer({"file": str(path), "holds": held}, show)
    out.end()


def _pack(packed: ZipFile, number: int, picture: str, out: Output) -> None:
    """One picture, upright and without the notes of its file, and what is read in it or why nothing is."""
    from companion_app.drawing.photo import upright_jpeg
    from companion_app.tables.compose import AUTO, compose, read_answer, read_as
    from companion_app.wiring import eyes

    try:
        content = read_picture(picture, out.language)
        packed.writestr(f"picture-{number}.jpg", upright_jpeg(content))
        answer = read_answer(Path(picture).name, compose(read_as(eyes(), content, AUTO), None))
    except Exception as error:
        # That it fails may be the very problem.
        trouble = as_trouble(error, out.language)
        answer = {"error": {"code": trouble.code, "message": trouble.message, "cause": repr(error)}}
    packed.writestr(f"picture-{number}.json", json_line(answer))


def show(console: Console, language: Language, data: dict[str, Any]) -> None:
    """What was packed, for people."""
    console.print(language.say("report.packed", file=data["file"]), markup=False)
    for name in data["holds"]:
        console.print(f"  {name}", markup=False)
