"""What a command was given: pictures and positions, from files, from text on the command line or from stdin."""

import json
import re
import reprlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from companion_app.errors import Trouble, UnreadableTrouble, unreadable
from companion_app.languages import Language
from companion_app.settings import GAMES_FILE, Settings, games_folder

STDIN = "-"
_GAME_ID = re.compile(r"[\w-]{12}")
"""Ids of kept games look so; a file may be called so too, and goes before."""
MOST_TEXT = 4 * 1024 * 1024
"""Bytes of a text of positions or records: some ten thousand of them."""
MOST_LINE_BYTES = 20_000
_FIRST_BYTES = 4000
"""Enough of a file to tell the record of a game from a picture."""


@dataclass(frozen=True, slots=True)
class Source:
    """One thing to look at: a picture's bytes, a position object, the text of a record, or the trouble with it."""

    name: str
    picture: bytes | None = None
    position: dict[str, Any] | None = None
    trouble: Trouble | None = None
    record: str | None = None


def sources(arguments: Sequence[str], language: Language) -> Iterator[Source]:
    """Every picture and position named, in the order given; one that cannot be read comes with its trouble."""
    for argument in arguments:
        try:
            yield from _of(argument, language)
        except Trouble as trouble:
            yield Source("text" if _is_json(argument) else argument, trouble=trouble)


def _of(argument: str, language: Language) -> Iterator[Source]:
    if _is_json(argument):
        yield from _positions("text", argument, language)
        return
    if _is_record(argument):
        yield Source("text", record=argument)
        return
    kept = _kept_record(argument)
    if kept is not None:
        yield Source(argument, record=kept)
        return
    content = read_picture(argument, language)
    if argument.lower().endswith(".json") or content.lstrip()[:1] in (b"{", b"["):
        yield from _positions(argument, _text(content, language), language)
    elif _is_record(content[:_FIRST_BYTES].decode("utf-8", errors="replace")):
        yield Source(argument, record=_text(content, language))
    else:
        yield Source(argument, picture=content)


def _kept_record(argument: str) -> str | None:
    """The record of a kept game whose id was given; None where it is the name of a file, or no id."""
    if not _GAME_ID.fullmatch(argument) or Path(argument).exists() or not (games_folder() / GAMES_FILE).exists():
        return None
    from companion_app.library.store import Store

    store = Store(games_folder())
    try:
        return store.record(argument)
    finally:
        store.close()


def _text(content: bytes, language: Language) -> str:
    if len(content) > MOST_TEXT:
        raise _no_position("long-text", language, most=MOST_TEXT)
    return content.decode("utf-8", errors="replace")


def _is_json(argument: str) -> bool:
    return argument.lstrip()[:1] in ("{", "[")


def _is_record(text: str) -> bool:
    from rules.record import looks_like_record

    return looks_like_record(text)


def file_trouble(name: str, error: OSError, language: Language) -> UnreadableTrouble:
    """Why a file cannot be read: a folder, none of that name, or what the system says."""
    if isinstance(error, IsADirectoryError):
        return UnreadableTrouble("folder", language.say("error.folder", name=name))
    if isinstance(error, FileNotFoundError):
        return UnreadableTrouble("no-file", language.say("error.no-file", why=name))
    return UnreadableTrouble("file", language.say("error.file", name=name, why=error))


def _positions(name: str, text: str, language: Language) -> Iterator[Source]:
    for found in parse_positions(text, language):
        yield Source(name, position=found)


def parse_positions(text: str, language: Language) -> list[dict[str, Any]]:
    """Position objects of a JSON text: one, a list, or one per line; an answer of `read` counts as its position.
    Raises UnreadableTrouble."""
    if len(text) > MOST_TEXT:
        raise _no_position("long-text", language, most=MOST_TEXT)
    try:
        values = _values_in(text, language)
    except RecursionError as error:
        raise _no_position("nested", language) from error
    if not values:
        raise _no_position("no-position", language)
    return [_position_in(value, language) for value in values]


def _values_in(text: str, language: Language) -> list[Any]:
    try:
        whole = json.loads(text)
    except ValueError as error:
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError:
            line, column = (getattr(error, name, 1) for name in ("lineno", "colno"))
            raise _no_position("no-json", language, line=line, column=column) from error
    return whole if isinstance(whole, list) else [whole]


def _position_in(value: object, language: Language) -> dict[str, Any]:
    if isinstance(value, dict) and "pyramid" not in value and isinstance(value.get("position"), dict):
        value = value["position"]
    if not isinstance(value, dict):
        raise _no_position("no-object", language, value=reprlib.repr(value))
    return value


def _no_position(key: str, language: Language, **values: object) -> UnreadableTrouble:
    return UnreadableTrouble("position", language.say(f"error.{key}", **values))


def read_picture(name: str, language: Language) -> bytes:
    """The bytes of one picture file, or of stdin; raises UnreadableTrouble, also where they are more than the setting
    `max_bytes`, of which no more is read."""
    most = Settings().max_bytes
    if name == STDIN:
        content = sys.stdin.buffer.read(most + 1)
    else:
        try:
            with Path(name).open("rb") as file:
                content = file.read(most + 1)
        except OSError as error:
            raise file_trouble(name, error, language) from error
        except ValueError as error:  # a name with NUL
            raise UnreadableTrouble("no-file", language.say("error.no-file", why=name)) from error
    if len(content) > most:
        raise unreadable("too-large", language)
    return content


def read_lines(name: str, language: Language) -> Iterator[str]:
    """The lines of a text file, or of stdin, empty ones left out; of a far too long one only the beginning. Raises
    UnreadableTrouble."""
    if name == STDIN:
        yield from _lines_of(sys.stdin.buffer)
        return
    try:
        with Path(name).open("rb") as file:
            yield from _lines_of(file)
    except OSError as error:
        raise file_trouble(name, error, language) from error
    except ValueError as error:
        raise UnreadableTrouble("no-file", language.say("error.no-file", why=name)) from error


def _lines_of(file: BinaryIO) -> Iterator[str]:
    goes_on = False
    while piece := file.readline(MOST_LINE_BYTES):
        begins, goes_on = not goes_on, not piece.endswith(b"\n")
        line = piece.decode("utf-8", errors="replace").strip()
        if begins and line:
            yield line
