"""Pictures read one after another, or many at once over all cores or a cluster: the same answers in the same order."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from typing import Any

from companion_app.ending import end_with
from companion_app.errors import Trouble, UnreadableTrouble
from companion_app.languages import Language, language
from companion_app.sources import read_picture
from companion_app.troubles import explained
from companion_app.workers import workers

MOST_ALONE = 12
"""So many pictures are read sooner by one than others are called and have their nets loaded."""
PICTURES_EACH = 4
DIGEST_SIGNS = 16


@dataclass(frozen=True, slots=True)
class Asked:
    """What every picture is asked. The game goes by its id and changed rules, which every worker understands; without
    one the layout is found (``auto``), or none is looked for."""

    game: str | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    auto: bool = True
    deck: str | None = None
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture to be read: its bytes, or why there are none."""

    name: str
    content: bytes = b""
    trouble: tuple[str, str] | None = None

    def digest(self, asked: Asked) -> str:
        """The same for the same bytes asked the same; empty where there are none."""
        if self.trouble:
            return ""
        how = repr((asked.game, sorted(asked.rules.items()), asked.auto, asked.deck))
        return sha256(how.encode() + b"\0" + self.content).hexdigest()[:DIGEST_SIGNS]


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a picture: the answer of `read`, or code and message of what is wrong with it."""

    name: str
    digest: str
    answer: dict[str, Any] | None
    trouble: tuple[str, str] | None = None

    def failure(self) -> Trouble | None:
        """The trouble, to be told."""
        return UnreadableTrouble(*self.trouble) if self.trouble else None


def photo(name: str, spoken: Language) -> Photo:
    """A picture with its bytes."""
    try:
        return Photo(name, read_picture(name, spoken))
    except Exception as error:
        trouble = explained(error, spoken)
        return Photo(name, b"", (trouble.code, trouble.message))


def read_all(photos: Iterable[Photo], asked: Asked, count: int, scheduler: str | None = None) -> Iterator[Answered]:
    """What comes of each of ``count`` pictures, in their order, as soon as it is known; raises UsageTrouble where a
    cluster cannot be had. No more of the pictures are held than are being read."""
    if scheduler is None and count <= MOST_ALONE:
        yield from (read_one(each, asked) for each in photos)
        return
    from joblib import Parallel, cpu_count, delayed

    parent = os.getpid() if scheduler is None else None
    with workers(scheduler, min(cpu_count(), -(-count // PICTURES_EACH))):
        yield from Parallel(return_as="generator")(delayed(read_one)(each, asked, parent) for each in photos)


def read_one(each: Photo, asked: Asked, parent: int | None = None) -> Answered:
    """What comes of one picture; nothing is raised. A worker of this computer ends with its ``parent``."""
    digest = each.digest(asked)
    if each.trouble:
        return Answered(each.name, digest, None, each.trouble)
    if parent is not None:
        end_with(parent)
        _one_of_many(parent)
    try:
        return Answered(each.name, digest, _answer(each, asked))
    except Exception as error:
        trouble = explained(error, language(asked.language))
        return Answered(each.name, digest, None, (trouble.code, trouble.message))


def _answer(each: Photo, asked: Asked) -> dict[str, Any]:
    from companion_app import wiring

    wiring.asked_deck.set(asked.deck)
    # The process that decodes begins while all else is loaded.
    eyes = wiring.eyes()
    from companion_app.tables.compose import compose, layout_asked, read_answer, read_as
    from rules.catalogue import find_game

    game = find_game(asked.game, asked.rules) if asked.game else None
    reading = read_as(eyes, each.content, layout_asked(game, auto=asked.auto))
    return read_answer(each.name, compose(reading, game))


@cache
def _one_of_many(parent: int) -> None:
    """Where every core reads a picture none of them calls for others."""
    if os.getpid() != parent:
        import cv2

        cv2.setNumThreads(1)
