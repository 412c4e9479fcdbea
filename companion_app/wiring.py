"""Builds the real parts; the commands are the only ones to ask for them."""

import importlib
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING

from companion_app.errors import UnreadableTrouble
from companion_app.languages import language
from companion_app.settings import Settings, decks_folder

if TYPE_CHECKING:
    from companion_app.decks.deck_eyes import DeckEyes
    from companion_app.tables.compose import Eyes
    from vision.reader import Reader

asked_deck: ContextVar[str | None] = ContextVar("asked_deck", default=None)  # the `--deck` of the running command


def eyes() -> "Eyes":
    """The reader of pictures, with the user's decks: the one of `--deck`, else of the settings."""
    return deck_eyes(asked_deck.get() or Settings().deck)


@cache
def deck_eyes(deck: str) -> "DeckEyes":
    """Eyes that read with this deck; once per process."""
    reader = plain_reader()
    from companion_app.decks.deck_eyes import DeckEyes
    from companion_app.decks.deck_files import DeckFiles

    return DeckEyes(reader, DeckFiles(decks_folder()), deck)


@cache
def plain_reader() -> "Reader":
    """The nets, loaded and warm; once per process."""
    from companion_app.decoding import decoder

    # It begins while OpenCV and the nets are loaded here.
    decoder().warm()
    check_libraries()
    from vision.reader import Reader

    return Reader.load(decode=decoder())


def check_libraries() -> None:
    """Raise UnreadableTrouble with what to install where OpenCV lacks a library of the system."""
    try:
        importlib.import_module("cv2")
    except ImportError as error:
        spoken = language(Settings().language)
        raise UnreadableTrouble("no-library", spoken.say("error.no-library", why=error)) from error
