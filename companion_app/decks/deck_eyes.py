"""Eyes that know the user's decks: the reader, with what it was taught, and the teaching."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion_app.decks.deck_files import DeckFiles, checked_name
from companion_app.decoding import pixels
from vision.decks import selection
from vision.decks.profile import Profile, ProfileError
from vision.layout.in_place import Asked
from vision.posterior.known import NOTHING_KNOWN, Known

if TYPE_CHECKING:
    from companion_app.decks.deck_drafts import Draft, DraftFiles
    from rules.cards import Card
    from vision.decks.profile import Lesson
    from vision.reader import Reader
    from vision.reading import TableReading


class DeckEyes:
    """Reads pictures with the deck chosen. Files are read again only where one changed."""

    def __init__(self, reader: Reader, files: DeckFiles, deck: str = selection.AUTO) -> None:
        self._reader = reader
        self.files = files
        self.deck = deck
        self._seen: dict[str, int] = {}
        self._decks: tuple[Profile, ...] = ()

    @property
    def drafts(self) -> DraftFiles:
        """The decks of which some cards were shown."""
        from companion_app.decks.deck_drafts import DraftFiles

        return DraftFiles(self.files.folder)

    def read(self, data: bytes, *, layout: Asked = "auto", known: Known = NOTHING_KNOWN) -> TableReading:
        """As the reader's; raises PictureError, and ProfileError where the deck chosen is not there."""
        return self.reader().read(data, layout=layout, known=known)

    def reader(self) -> Reader:
        """The reader with every deck taught so far, and the one chosen."""
        if self.deck not in (selection.AUTO, selection.NO_DECK, *self.files.names()):
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

    def forget(self, name: str) -> None:
        """Forget a deck, or what was shown of one; raises ProfileError (no-deck)."""
        draft = self.drafts.load(name)
        self.drafts.forget(name)
        if not draft.seen or name in self.files.names():
            self.files.forget(name)

    def teach(
        self, name: str, pictures: Sequence[bytes], order: Sequence[Card] | None, told: Sequence[str]
    ) -> Profile | Draft:
        """Learn a deck from photographs of its cards, laid in this order; keep it, or what was shown of it so far.

        order: of the cards shown; None for those not shown yet. `told` names the photographs.
        Raises PictureError, or ProfileError: deck-name, no-rows, wrong-count, which-way, other-order, too-few.
        """
        # Only who teaches a deck waits for what that takes.
        from vision.decks import capture, contact_sheet

        checked_name(name)
        plain = replace(self._reader, decks=(), deck=selection.NO_DECK)
        photographs = [capture.laid(pixels(picture), plain.search, plain.patch) for picture in pictures]
        draft = self.drafts.load(name)
        if order is not None and not draft.seen:
            draft = replace(draft, order=tuple(order))
        wanted = tuple(order) if order is not None else draft.missing
        count = sum(len(p.axes) for p in photographs)
        if not draft.seen and count == len(wanted):
            return self._learnt(name, capture.lesson(photographs, wanted), told, draft)
        if count > len(wanted):
            rows = "; ".join(" + ".join(str(n) for n in p.rows) for p in photographs)
            raise ProfileError("wrong-count", f"{count} ≠ {len(wanted)} ({rows})")
        for photograph, source in zip(photographs, told, strict=True):
            shown, wanted = wanted[: len(photograph.axes)], wanted[len(photograph.axes) :]
            draft = draft.shown(shown, contact_sheet.cut_out(capture.checked(photograph, shown)), source)
        self.drafts.save(draft)
        if draft.missing:
            return draft
        laid = contact_sheet.laid_out([draft.seen[card] for card in draft.order], plain.search)
        return self._learnt(name, capture.lesson([laid], draft.order), draft.sources, draft)

    def _learnt(self, name: str, shown: Lesson, told: Sequence[str], draft: Draft) -> Profile:
        """The deck learnt and kept; cards that contradict the others are to be shown once more."""
        from vision.decks.training import learn

        profile, others = learn(name, shown, self._reader.patch, told)
        if others:
            self.drafts.save(draft.without([other.told for other in others]))
            said = "; ".join(f"{other.looks} ≠ {other.told}" for other in others[:6])
            raise ProfileError("other-order", said)
        self.files.save(profile)
        self.drafts.forget(name)
        return profile
