"""A problem report: what the program runs on, and pictures with how they are read; packed here, sent nowhere."""

import os
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from companion_app.desk.refused import Refused
from companion_app.languages import Language
from companion_app.settings import Settings
from companion_app.tables.compose import compose, read_answer
from companion_app.tables.kept_table import chain_of
from companion_app.tables.table import Table
from companion_app.terminal.consoles import json_line
from companion_app.views.replay import PictureOf, game_json

PACKAGES = ("cardtable", "numpy", "opencv-python", "onnxruntime", "fastapi", "starlette", "uvicorn", "numba")
ABOUT = "about.json"


def about() -> dict[str, Any]:
    """What the program runs on: versions, the machine, and the settings."""
    return {
        "versions": {name: _version(name) for name in PACKAGES},
        "python": platform.python_version(),
        "system": platform.platform(),
        "processors": os.cpu_count(),
        "settings": Settings().model_dump(),
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def report_of_table(table: Table, spoken: Language, picture_of: PictureOf) -> bytes:
    """The report of a table, as the bytes of a ZIP file: its game, and each look's picture with how it was read."""
    held: dict[str, Any] = {"game.json": game_json(table, spoken)}
    for number, look in enumerate(chain_of(table), start=1):
        picture = look.picture or picture_of(look.look)
        held |= {f"picture-{number}.jpg": picture} if picture else {}
        if look.reading is not None:
            answer = read_answer(look.name, compose(look.reading, look.game, look.settled, look.stage))
            held[f"picture-{number}.json"] = answer
    return packed(held)


def report_of_refused(refused: Refused) -> bytes:
    """The report of a picture that could not be read, as the bytes of a ZIP file."""
    asked = {"game": refused.attempt.game, "layout": refused.attempt.layout, "error": {"code": refused.code}}
    return packed({"picture-1.jpg": refused.shown, "picture-1.json": asked})


def packed(held: Mapping[str, Any]) -> bytes:
    """A ZIP file with what the program runs on and these files: bytes as they are, all else as JSON."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, content in {ABOUT: about(), **held}.items():
            archive.writestr(name, content if isinstance(content, bytes) else json_line(content))
    return out.getvalue()
