"""Files of readings: one row a card (CSV), or one answer a line (JSON). What is there need not be read again."""

import contextlib
import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from companion_app.errors import UnreadableTrouble, UsageTrouble
from companion_app.languages import Language
from companion_app.terminal.many_pictures import Answered

COLUMNS = ("file", "place", "card", "probability", "doubtful", "error", "cards", "digest")
"""``cards``: how many rows the picture has, so that one which was cut off is known. ``digest``: of the picture's bytes
and what was asked of it."""
CSV, LINES = ".csv", ".jsonl"
SCHEMA = 1
PART = ".part"


class ReadingFile:
    """A file that answers are added to, one picture at a time; raises UsageTrouble where its name is of no kind known
    or it holds something else, UnreadableTrouble where it cannot be written. Not for two writers at once."""

    def __init__(self, name: str, spoken: Language) -> None:
        self.path = Path(name)
        self._spoken = spoken
        self._is_csv = self.path.suffix.lower() == CSV
        if self.path.suffix.lower() not in (CSV, LINES):
            raise UsageTrouble("out", spoken.say("out.kind", name=name))
        self._texts, self._found = self._held()

    def has(self, name: str, digest: str) -> bool:
        """Whether the picture was read already, with these bytes and asked the same."""
        return bool(digest) and self._found.get(name, ("", ""))[0] == digest

    def error(self, name: str) -> str:
        """The code of what was wrong with a picture that is there; empty where nothing was."""
        return self._found[name][1]

    def changed(self, names: Iterable[str]) -> list[str]:
        """Those of some names that are there, to be read again."""
        return [name for name in names if name in self._found]

    @contextlib.contextmanager
    def adding(self, without: Iterable[str]) -> Iterator[Callable[[Answered], None]]:
        """A function that adds an answer, which is then safe from whatever comes. What was cut off, and the pictures
        ``without`` which the file is to go on, are taken out first."""
        kept = {name: text for name, text in self._texts.items() if name not in set(without)}
        try:
            self._rewrite(kept)
            with self.path.open("a", encoding="utf-8", errors="surrogateescape", newline="") as file:
                yield lambda answered: self._add(file, answered)
        except OSError as error:
            raise self._unwritten(error) from error

    def _add(self, file: IO[str], answered: Answered) -> None:
        file.write(csv_text(answered) if self._is_csv else json_text(answered))
        file.flush()

    def _rewrite(self, kept: dict[str, str]) -> None:
        """The whole file anew, at one stroke."""
        part = self.path.with_name(self.path.name + PART)
        with part.open("w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(_row(COLUMNS) if self._is_csv else "")
            file.writelines(kept.values())
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.path)

    def _held(self) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
        """The text of each picture that is there in full, and its digest and error."""
        try:
            text = self.path.read_bytes().decode("utf-8", errors="surrogateescape")
        except FileNotFoundError:
            return {}, {}
        except OSError as error:
            raise self._unwritten(error) from error
        held = _csv_held(text) if self._is_csv else _lines_held(text)
        if held is None:
            raise UsageTrouble("out", self._spoken.say("out.other", name=self.path))
        texts, found = {}, {}
        for name, digest, error, own in held:
            texts[name], found[name] = own, (digest, error)
        return texts, found

    def _unwritten(self, error: OSError) -> UnreadableTrouble:
        return UnreadableTrouble("not-kept", self._spoken.say("error.not-kept", name=self.path, why=error))


Held = tuple[str, str, str, str]
"""Name, digest and error of a picture, and its text in the file."""


def csv_text(answered: Answered) -> str:
    """The rows of a picture: one for each card, or one that says what is wrong with it."""
    if answered.answer is None:
        code = answered.trouble[0] if answered.trouble else ""
        return _row((answered.name, "", "", "", "", code, 1, answered.digest))
    cards = answered.answer["cards"]
    empty = {"place": "", "card": "", "probability": "", "doubtful": False}
    return "".join(
        _row(
            (
                answered.name,
                card["place"],
                card["card"] or "",
                card["probability"],
                "yes" if card["doubtful"] else "no",
                "",
                max(1, len(cards)),
                answered.digest,
            )
        )
        for card in cards or [empty]
    )


def json_text(answered: Answered) -> str:
    """The answer of `read --json` on a line, with its digest."""
    if answered.answer is not None:
        data: dict[str, Any] = answered.answer
    else:
        code, message = answered.trouble or ("", "")
        data = {"picture": {"file": answered.name}, "error": {"code": code, "message": message}}
    return json.dumps({"schema": SCHEMA, **data, "digest": answered.digest}) + "\n"


def _row(values: Sequence[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(values)
    return text.getvalue()


def _csv_held(text: str) -> list[Held] | None:
    """Every picture whose rows are all there; None where the text is no such file."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if rows and not text.endswith("\n"):
        rows.pop()  # cut off in the middle
    if not rows:
        return [] if ",".join(COLUMNS).startswith(text.strip()) else None
    head, *rows = rows
    if rows and len(rows[-1]) != len(COLUMNS):
        rows.pop()
    if tuple(head) != COLUMNS or any(len(row) != len(COLUMNS) for row in rows):
        return None
    pictures: dict[str, list[list[str]]] = {}
    for row in rows:
        pictures.setdefault(row[0], []).append(row)
    return [
        (name, own[0][-1], own[0][5], "".join(map(_row, own)))
        for name, own in pictures.items()
        if own[0][6] == str(len(own))
    ]


def _lines_held(text: str) -> list[Held] | None:
    held: list[Held] = []
    *lines, _ = text.split("\n")  # what stands after the last line's end was cut off
    for line in lines:
        try:
            data = json.loads(line)
            name, digest = data["picture"]["file"], data["digest"]
            held.append((name, digest, data.get("error", {}).get("code", ""), line + "\n"))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
    return held if held or text.startswith("{") or not text.strip() else None
