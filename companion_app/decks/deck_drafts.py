"""Decks shown bit by bit: the cards seen so far, kept between pictures until all of them are known."""

from __future__ import annotations

import contextlib
import io
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from companion_app.decks.deck_files import DAMAGED, JPEG_QUALITY, checked_name, keep, remove
from rules.cards import Card
from vision.decks.contact_sheet import SIZE
from vision.decks.profile import ProfileError
from vision.recognize.index_reader import CARDS

log = logging.getLogger(__name__)

ENDING = ".draft"


@dataclass(frozen=True, slots=True)
class Draft:
    """Cards (392, 280, 3) uint8 RGB cut out of pictures so far, by what they are; `order` tells the deck's cards,
    `last` those of the last picture, `sources` the names of the pictures.
    """

    name: str
    seen: Mapping[Card, np.ndarray] = field(default_factory=dict)
    order: tuple[Card, ...] = CARDS
    last: tuple[Card, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[Card, ...]:
        """The cards still to be shown, in their order."""
        return tuple(card for card in self.order if card not in self.seen)

    def shown(self, cards: Sequence[Card], cut: Sequence[np.ndarray], source: str) -> Draft:
        """With the cards of one more picture; a card shown before is replaced."""
        seen = {**self.seen, **dict(zip(cards, cut, strict=True))}
        return Draft(self.name, seen, self.order, tuple(cards), (*self.sources, source))

    def without(self, cards: Sequence[Card]) -> Draft:
        """With these cards to be shown once more."""
        seen = {card: image for card, image in self.seen.items() if card not in cards}
        return Draft(self.name, seen, self.order, (), self.sources)


class DraftFiles:
    """The drafts of one folder, which need not exist."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def all(self) -> list[Draft]:
        """Every draft, the one last shown a card first; a damaged one is left out."""
        found = sorted(self.folder.glob(f"*{ENDING}"), key=lambda path: -path.stat().st_mtime_ns)
        drafts = []
        for path in found:
            try:
                drafts.append(self.load(path.stem))
            except ProfileError:
                continue
        return [draft for draft in drafts if draft.seen]

    def load(self, name: str) -> Draft:
        """A draft, empty where there is none; one that is damaged is set aside and begins anew. Raises ProfileError
        (deck-name)."""
        path = self._path(name)
        if not path.exists():
            return Draft(name)
        try:
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
                about, sheet = json.loads(file["about"].tobytes()), cv2.imdecode(file["cards"], cv2.IMREAD_COLOR)
            told = {key: tuple(Card.parse(code) for code in about[key]) for key in ("seen", "order", "last")}
            cut = sheet[..., ::-1].reshape(-1, SIZE[1], SIZE[0], 3)
            seen = dict(zip(told["seen"], cut, strict=True))
            return Draft(name, seen, told["order"], told["last"], tuple(about["sources"]))
        except Exception as error:
            log.warning("what was shown of the deck %s is damaged and begins anew: %s", name, error)
            self._set_aside(path)
            return Draft(name)

    def save(self, draft: Draft) -> None:
        """Keep a draft; one without a card is removed. Raises UnreadableTrouble (not-kept)."""
        path = self._path(draft.name)
        if not draft.seen:
            remove(path)
            return
        lists = {"seen": draft.seen, "order": draft.order, "last": draft.last}
        about = {key: [str(card) for card in cards] for key, cards in lists.items()} | {"sources": draft.sources}
        tall = np.concatenate(list(draft.seen.values()))[..., ::-1]
        flags = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
        packed = np.asarray(cv2.imencode(".jpg", np.ascontiguousarray(tall), flags)[1]).ravel()
        out = io.BytesIO()
        np.savez(out, about=np.frombuffer(json.dumps(about).encode(), np.uint8), cards=packed)
        keep(path, out.getvalue())
        remove(path.with_suffix(DAMAGED))

    def forget(self, name: str) -> None:
        """Begin a deck anew; raises UnreadableTrouble (not-kept)."""
        remove(self._path(name))

    def _set_aside(self, path: Path) -> None:
        with contextlib.suppress(OSError):
            path.replace(path.with_suffix(DAMAGED))

    def _path(self, name: str) -> Path:
        return self.folder / f"{checked_name(name)}{ENDING}"
