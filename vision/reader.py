"""The reader: bytes of a picture in, a TableReading out."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rules.cards import GONE, Seen
from rules.layouts import LAYOUTS, STOCK, TURNED
from vision.advice import quality, refused
from vision.advice.quality import Signs
from vision.cards import loose_cards
from vision.cards.card_list import CardList, listed
from vision.deck_prints import NO_PRINTS
from vision.decks import selection
from vision.decks.profile import Profile
from vision.detect import multiscale
from vision.detect.multiscale import Found
from vision.errors import PictureError
from vision.image import picture
from vision.image.shrunk import Shrunk
from vision.layout import arrange, by_hand, hypotheses, in_place, side_by_side, table
from vision.layout.by_hand import ByHand
from vision.layout.in_place import Asked, InPlace
from vision.layout.table import Arranged, Table
from vision.nets import session
from vision.posterior import calibration, loose, one_deck, place_model, told, unmatched
from vision.posterior.known import NOTHING_KNOWN, Known
from vision.posterior.observation import Observed, observe, without_cards
from vision.posterior.spotted import claims, decided, judged
from vision.reading import Advice, SeenCard, TableReading
from vision.recognize import ink_prior, prints
from vision.recognize.card_frame import TALL
from vision.recognize.index_reader import NONE, Readings

Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Trust:
    """When to ask instead of guess; set by judgement and tried on validation tables."""

    index: float = 0.2  # a reading with less of a chance to be of an index is none
    sure: float = 0.5  # a picture in which no index is read this surely shows no readable card
    shown: float = 0.8  # where the card map is so sure, cards show:
    faces: float = 1.5  # with faces on so much of the picture, in cards, it is too blurred to read one,
    backs: float = 0.5  # and with backs on less than that there are none


TRUST = Trust()
NETS = ("search", "patch", "card")
AUTO = "auto"  # the layout is to be found out
# A picture may be decoded at a part of its size that leaves this longest side, if its ranks are then high enough.
ENOUGH = 1800
WHOLE = 1 << 30  # a longest side that no picture has: none is reduced
# Advice that tells of print nobody could make out: then no card is called foreign for want of an index.
HIDING = ("sharper", "dark", "closer", "glare")


Decode = Callable[[bytes, int], picture.Reduced]
"""Decodes a picture file, a large one reduced as far as leaves this longest side; raises PictureError."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The nets, loaded and warm. Reading keeps no state: the same picture always gives the same answer.

    May be called from several threads: pictures are decoded side by side, the rest is done for one after the other.
    """

    search: session.Net
    patch: session.Net
    card: session.Net
    decks: tuple[Profile, ...] = ()  # taught decks, one of which may lie on the table
    deck: str = selection.AUTO  # the name of the one that does; or `auto`, or `none`
    decode: Decode = picture.decode_reduced  # here, or in a process of its own (`vision.image.decoder`)
    turn: AbstractContextManager[object] = field(default_factory=threading.Lock)  # held while the nets are at work

    @classmethod
    def load(cls, threads: int = 2, decode: Decode = picture.decode_reduced) -> Reader:
        """Load the nets; raises ModelError where a file is missing or is not what its manifest says."""
        search, patch, card = (session.load(name, threads) for name in NETS)
        for weights in (place_model, prints, hypotheses, quality, calibration):
            weights.load()
        reader = cls(search, patch, card, decode=decode)
        reader.patch(np.zeros((1, 3, 48, 48), np.float32))
        return reader

    def read(self, data: bytes, *, layout: Asked = AUTO, known: Known = NOTHING_KNOWN) -> TableReading:
        """Read a picture file.

        layout: ``auto`` finds the layout, None reads a spread, else the id of a layout (``pyramid-7``), or a pyramid
        whose places, or outer cards, are known. known: what was known before the picture was seen.

        Raises PictureError: no usable picture, no cards, or not the layout asked for; ProfileError
        where the deck asked for was not taught, or to another net. Nothing of a picture refused stays in memory.
        """
        try:
            return self._read_file(data, layout, known)
        except PictureError as error:
            _forget(error)
            raise

    def _read_file(self, data: bytes, layout: Asked, known: Known) -> TableReading:
        start = time.perf_counter()
        reduced = self.decode(data, ENOUGH)
        spent = time.perf_counter() - start
        with self.turn:
            begun = time.perf_counter()
            shrunk = Shrunk(reduced.image)
            found = multiscale.search(shrunk, self.search)
            if reduced.covers == 1 or not _is_fine(found):
                if isinstance(layout, InPlace | ByHand):
                    layout = layout.scaled(1 / reduced.covers)
                reading = self._read_well(shrunk, found, layout, [begun - spent, begun, time.perf_counter()], known)
                return reading.enlarged(reduced.covers, reduced.width, reduced.height)
        spent = time.perf_counter() - begun + spent
        del shrunk, found, reduced
        start = time.perf_counter()
        image = self.decode(data, WHOLE).image
        return self.read_pixels(image, layout=layout, known=known, spent=spent + time.perf_counter() - start)

    def read_pixels(
        self, image: Bytes, *, layout: Asked = AUTO, known: Known = NOTHING_KNOWN, spent: float = 0.0
    ) -> TableReading:
        """Read an upright picture (h, w, 3) uint8 RGB, on which so many seconds were spent; otherwise as ``read``."""
        with self.turn:
            begun = time.perf_counter()
            shrunk = Shrunk(image)
            found = multiscale.search(shrunk, self.search)
            return self._read_well(shrunk, found, layout, [begun - spent, begun, time.perf_counter()], known)

    def _read_well(self, shrunk: Shrunk, found: Found, layout: Asked, clock: list[float], known: Known) -> TableReading:
        """The reading of what was found; where a pyramid is mostly in doubt, or the one asked for is not told at all,
        of the picture turned by a quarter, if less is in doubt then: the nets see other things there."""
        try:
            first = self._read(shrunk, found, layout, clock, known)
        except PictureError as error:
            again = self._read_turned(shrunk, layout, known) if error.code == "no-layout" else None
            if again is None or again.is_poor:
                raise
            return again
        again = self._read_turned(shrunk, layout, known) if first.is_poor else None
        return first if again is None else min(first, again, key=lambda reading: len(reading.doubts))

    def _read_turned(self, shrunk: Shrunk, layout: Asked, known: Known) -> TableReading | None:
        """The pyramid read from the picture turned by a quarter; None where none is told, or none was asked for."""
        if not isinstance(layout, str) or (layout != AUTO and LAYOUTS[layout].lines):
            return None
        begun = time.perf_counter()
        turned = Shrunk(np.ascontiguousarray(np.rot90(shrunk.levels[0])))
        found = multiscale.search(turned, self.search)
        with suppress(PictureError):
            reading = self._read(turned, found, layout, [begun, begun, time.perf_counter()], known)
            if reading.layout is not None and not LAYOUTS[reading.layout].lines:
                return reading.turned_back()
        return None

    def _read(
        self, shrunk: Shrunk, found: Found, layout: Asked, clock: list[float], known: Known = NOTHING_KNOWN
    ) -> TableReading:
        """The reading of what was found; `clock`: when the work began, and when decoding and searching were done, as if
        the turn had not been waited for."""
        try:
            return self._told(shrunk, found, layout, clock, known)
        except PictureError as error:
            error.advice = error.advice or refused.advise(error, shrunk, found, self.search)
            raise

    def _told(self, shrunk: Shrunk, found: Found, layout: Asked, clock: list[float], known: Known) -> TableReading:
        chosen = selection.read(shrunk, found, self.patch, self.decks, self.deck)
        reader, readings = replace(self, patch=chosen.net), _readings(shrunk, chosen.readings)
        if isinstance(layout, ByHand):
            found, readings = by_hand.within(layout, found, readings)
        read = listed(found, readings)
        clock.append(time.perf_counter())
        # Where no index can be read a whole card may yet be; if none is either, that is what is wrong with the picture.
        unread = _unread(shrunk, found, readings)
        try:
            _, arranged, seen = reader._observed(shrunk, found, read, layout)
        except PictureError as error:
            if unread is not None:
                raise unread from error
            raise
        if chosen.deck is not None:
            # Only the corners of a taught deck were taught: the net of whole cards does not know its faces.
            seen = without_cards(seen)
        spotted = judged(seen, known)
        if unread and not any(s.is_plain for s in spotted):
            raise unread
        if arranged is None and not any(s.present > 0.5 for s in spotted):
            raise PictureError("no-cards")
        twice = one_deck.TWICE if arranged is not None else one_deck.SEEN_TWICE
        if one_deck.of_two(claims(spotted)).any():
            twice = one_deck.TWO_DECKS
        cards = decided(spotted, twice)
        printed = told.shown_prints(seen, cards)
        if arranged is None:
            spotted, cards = loose.lying(spotted, cards)
        advised = quality.advise(shrunk, found, readings, spotted, arranged.outside if arranged else ())
        if any(a.code == "sharper" for a in advised):
            cards, printed = decided(spotted, twice, "soft"), NO_PRINTS
        cards = tuple(told.as_pile(card) for card in cards)
        if twice == one_deck.TWO_DECKS:
            again = one_deck.of_two(claims(spotted)).tolist()
            places = tuple(s.place for s, other in zip(spotted, again, strict=True) if other and s.place)
            advised = (*advised, Advice("mixed", places))
        if not any(a.code in HIDING for a in advised):
            cards = tuple(told.as_foreign(c, s) for c, s in zip(cards, spotted, strict=True))
        if arranged is not None:
            first = len(arranged.places) + len(arranged.piles)
            cards = (*cards[:first], *loose.strays(cards[first:]))
            lost = unmatched.unplaced(readings, [card.card for card in cards[:first]])
            cards = unmatched.doubted(cards, lost)
        clock.append(time.perf_counter())
        times = dict(zip(("decode", "find", "read", "arrange"), np.diff(clock) * 1000, strict=True))
        times["total"] = np.float64((clock[-1] - clock[0]) * 1000)
        reading = _reading(
            shrunk.levels[0],
            arranged,
            cards,
            advised,
            {k: round(float(v), 1) for k, v in times.items()},
        )
        if arranged is not None and unmatched.beyond(cards, lost):
            reading = replace(reading, doubts=(*reading.doubts, *_unseen_piles(reading)))
        return replace(reading, deck=chosen.deck, prints=printed)

    def observe_pixels(self, image: Bytes, *, layout: Asked) -> tuple[Table | None, Observed, Signs]:
        """The table of a picture (h, w, 3), also where no layout is asked for, and what is seen at every place before
        anything is decided, and the signs that advice is told by; raises as ``read``.
        """
        shrunk = Shrunk(image)
        found = multiscale.search(shrunk, self.search)
        chosen = selection.read(shrunk, found, self.patch, self.decks, self.deck)
        readings = _readings(shrunk, chosen.readings)
        read = listed(found, readings)
        laid, _, seen = self._observed(shrunk, found, read, layout)
        signs = quality.looked_at(shrunk, found, readings, judged(seen))[1]
        return laid or self._table(shrunk, found, read), seen, signs

    def _observed(
        self, shrunk: Shrunk, found: Found, read: CardList, layout: Asked
    ) -> tuple[Table | None, Arranged | None, Observed]:
        """The table and its layout, where one is sought and there is one, and what is seen at every place."""
        if isinstance(layout, ByHand):
            laid = by_hand.seen(layout, shrunk, found, read, (self.patch, self.card))
        else:
            laid = None if layout is None else self._table(shrunk, found, read)
        arranged = self._arranged(laid, found, read.readings, layout)
        return laid, arranged, self._looked_at(shrunk, found, read, arranged)

    def _looked_at(self, shrunk: Shrunk, found: Found, read: CardList, arranged: Arranged | None) -> Observed:
        """What is seen at every place of a layout, or of every card where there is none."""
        if arranged is not None:
            queries = (*arranged.places, *arranged.piles, *arranged.beside)
        else:
            queries = loose_cards.spread(read, found)
        return observe(shrunk, queries, found, (self.patch, self.card), read.usual, printed=True)

    def _table(self, shrunk: Shrunk, found: Found, read: CardList) -> Table | None:
        return table.seen(shrunk, found, read, (self.patch, self.card))

    def _arranged(self, laid: Table | None, found: Found, readings: Readings, layout: Asked) -> Arranged | None:
        """The layout in which the cards of a table lie; of a picture in which it was not asked for, none."""
        if layout is None:
            return None
        if isinstance(layout, InPlace):
            if laid is None:
                raise PictureError("no-layout")
            return in_place.arranged(laid, layout)
        if isinstance(layout, ByHand):
            if laid is None or not len(laid.cards):
                raise PictureError("no-cards")
            pointed = by_hand.arranged(laid, layout)
            if pointed is None:
                raise PictureError("no-layout")
            return pointed
        arranged = _told(laid, layout)
        halves = side_by_side.halves(found, readings) if side_by_side.may_be(arranged, found, readings) else ()
        if (
            halves
            and laid
            and all(
                side_by_side.stands_alone(_told(self._table(laid.picture, half[0], listed(*half)), AUTO))
                for half in halves
            )
        ):
            raise PictureError("two-layouts")
        if layout == AUTO:
            return arranged
        if arranged is None:
            raise PictureError("no-layout")
        if len(arranged.outside) * 3 > len(arranged.places):
            raise PictureError("outside", advice=(Advice("outside", arranged.outside),))
        return arranged


def _told(laid: Table | None, layout: str) -> Arranged | None:
    """The layout that the cards of a table lie in: the one asked for, or the one that stands out."""
    if laid is None:
        return None
    return arrange.arrange(laid, tuple(LAYOUTS.values()) if layout == AUTO else (LAYOUTS[layout],))


def _readings(shrunk: Shrunk, readings: Readings) -> Readings:
    """Those that may be of an index, with their suits weighed by their inks."""
    return ink_prior.weighed(shrunk, readings.take(readings.is_index() > TRUST.index))


def _is_fine(found: Found) -> bool:
    """Whether the print on what was seen is finer than can be read; where nothing at all was seen, nothing is."""
    return bool(len(found.frames) or len(found.cards)) and multiscale.typical_height(found) < multiscale.SETTINGS.fine


def _forget(error: BaseException | None) -> None:
    """Empties the frames that an error came through. They hold the picture, and some of them the error itself: a ring
    that would keep hundreds of megabytes until the collector comes by."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


def _unread(shrunk: Shrunk, found: Found, readings: Readings) -> PictureError | None:
    """What is wrong with a picture in which there are no cards, or none with an index that can be read; raises
    PictureError where it is blurred, for then no whole card can be read either.
    """
    if len(readings) and (readings.beliefs[:, :NONE].max(1) > TRUST.sure).any():
        return None
    if picture.is_blurred(shrunk.levels[0]):
        raise PictureError("too-blurred")
    chances = found.kinds.chances
    faces, backs = ((chances[k] > TRUST.shown).sum() * found.kinds.cell[0] * found.kinds.cell[1] for k in (1, 2))
    size = float(np.median(found.cards.widths()) ** 2 * TALL) if len(found.cards) else np.inf
    if faces > TRUST.faces * size and faces > backs and len(found.frames):
        return PictureError("too-blurred")
    if backs < TRUST.backs * size:
        return PictureError("too-blurred" if quality.is_soft(shrunk, readings) else "no-cards")
    return None


def _unseen_piles(reading: TableReading) -> tuple[str, ...]:
    """The piles that are called empty only because nothing was found of them."""
    empty = (pile for pile in told.PILES if reading.places.get(pile) is GONE)
    return tuple(pile for pile in empty if pile not in reading.doubts)


def _reading(
    image: Bytes,
    arranged: Arranged | None,
    cards: tuple[SeenCard, ...],
    advised: tuple[Advice, ...],
    times: dict[str, float],
) -> TableReading:
    h, w = image.shape[:2]
    shown = tuple(c for c in cards if c.card is not GONE)
    doubts = tuple(c.place for c in cards if c.doubtful)
    foreign = tuple(c.place for c in shown if c.foreign)
    if arranged is None:
        return TableReading(w, h, None, shown, {}, doubts, advised, times, foreign)
    beside = {f"table {number}" for number in range(1, len(arranged.beside) + 1)}
    places: dict[str, Seen | bool] = {c.place: c.card for c in cards if c.place != STOCK and c.place not in beside}
    for spot in (spot for layout in arranged.also for spot in LAYOUTS[layout].spots):
        places.setdefault(spot.place, GONE)
    if LAYOUTS[arranged.layout].piles:
        named = {c.place for c in shown}
        places[STOCK] = STOCK in named
        for pile in told.PILES:
            places.setdefault(pile, GONE)
        if TURNED in named:
            # A card lies on the stock, so the stock itself is there, or was until just now: not to be seen.
            del places[STOCK]
    empty = {c.place: c.alternatives for c in cards if c.card is GONE and c.place not in beside}
    return TableReading(
        w, h, arranged.layout, shown, places, doubts, advised, times, foreign, also=arranged.also, empty=empty
    )
