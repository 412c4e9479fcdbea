"""Eyes that know the user's decks: the reader, with what it was taught, and the teaching."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion_app.deck_files import DeckFiles, checked_name
from vision import choose, lesson, teach
from vision.picture import decode
from vision.profile import Profile, ProfileError

if TYPE_CHECKING:
    from rules.cards import Card
    from vision.reader import Reader
    from vision.reading import TableReading


class DeckEyes:
    """Reads pictures with the deck chosen. Files are read again only where one changed."""

    def __init__(self, reader: Reader, files: DeckFiles, deck: str = choose.AUTO) -> None:
        self._reader = reader
        self.files = files
        self.deck = deck
        self._seen: dict[str, int] = {}
        self._decks: tuple[Profile, ...] = ()

    def read(self, data: bytes, *, layout: str | None = "auto") -> TableReading:
        """As the reader's; raises PictureError, and ProfileError where the deck chosen is not there."""
        return self.reader().read(data, layout=layout)

    def reader(self) -> Reader:
        """The reader with every deck taught so far, and the one chosen."""
        if self.deck not in (choose.AUTO, choose.NO_DECK, *self.files.names()):
            raise ProfileError("no-deck", self.deck)
        return replace(self._reader, decks=self.decks(), deck=self.deck)

    def decks(self) -> tuple[Profile, ...]:
        """The decks taught, by name."""
        stamps = self.files.stamps()
        if stamps != self._seen:
            self._decks = self.files.all(self._reader.patch)
            # Learning anew for another net writes files.
            self._seen = self.files.stamps()
        return self._decks

    def teach(self, name: str, pictures: Sequence[bytes], order: Sequence[Card], told: Sequence[str]) -> Profile:
        """Learn a deck from photographs of its cards laid in this order, and keep it; `told` names the photographs.

        Raises PictureError, or ProfileError: deck-name, no-rows, wrong-count, which-way, other-order, too-few.
        """
        checked_name(name)
        plain = replace(self._reader, decks=(), deck=choose.NO_DECK)
        photographs = [lesson.laid(decode(picture), plain.search, plain.patch) for picture in pictures]
        profile, others = teach.learn(name, lesson.lesson(photographs, order), plain.patch, told)
        if others:
            said = "; ".join(f"{other.looks} ≠ {other.told}" for other in others[:6])
            raise ProfileError("other-order", said)
        self.files.save(profile)
        return profile
