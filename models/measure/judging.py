"""What a reading got right and wrong, against the truth of its picture."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import cv2
import numpy as np

from models.measure.pictures import Picture, Slot, TrueCard
from rules.cards import FACE_DOWN, GONE, JOKER, UNREADABLE, seen_code
from vision.errors import PictureError
from vision.posterior.known import NOTHING_KNOWN, Known
from vision.reader import Reader
from vision.reading import SeenCard, TableReading

NO_CARD = ("??", "!!")


def read(reader: Reader, picture: Picture, known: Known = NOTHING_KNOWN) -> TableReading | None:
    """The reading of a picture in its layout, by what was known before; None where it is refused."""
    try:
        return reader.read_pixels(picture.pixels, layout=picture.layout, known=known)
    except PictureError:
        return None


@dataclass(frozen=True, slots=True)
class Miss:
    """One thing read wrongly or not at all; quads (4, 2) in pixels where they are known."""

    place: str
    truth: str
    read: str
    chance: float
    sure: bool
    truth_xy: np.ndarray | None = None
    read_xy: np.ndarray | None = None


@dataclass
class Judged:
    """Counts of one picture (summed over many), the chances given with whether they were right, and the misses.

    Counts: pictures, unanswered, exact; wanted (readable face-up cards), found; named, right, doubted (right, yet asked
    about), sure_wrong; slots, slots_wrong; for each state of a place (up, down, gone) state_X, state_X_right;
    cards (face-up and face-down ones of a layout); of cards without a layout outlined, those rightly named of which the
    truth says where they lie, and off, those of them whose outline has less than half in common with that.
    """

    counts: Counter[str] = field(default_factory=Counter)
    answers: list[tuple[float, bool]] = field(default_factory=list)
    misses: list[Miss] = field(default_factory=list)


def judge(picture: Picture, reading: TableReading | None) -> Judged:
    """Compare; None is a picture that was refused."""
    out = _places(picture, reading) if picture.places is not None else _loose(picture, reading)
    out.counts["pictures"] += 1
    if reading is None:
        out.counts["unanswered"] += 1
        out.misses[:] = [Miss("picture", "table", "refused", 0.0, False)]
    return out


def _loose(picture: Picture, reading: TableReading | None) -> Judged:
    out = Judged()
    shown = [c for c in reading.cards if _names_card(c)] if reading else []
    jokers = any(card.code == "JK" for card in picture.cards)
    shown = [c for c in shown if c.card is not JOKER or jokers]
    left = list(picture.cards)
    hidden = Counter(picture.hidden)
    wrong: list[SeenCard] = []
    # Surer and nearer readings take a true card first, so that a second reading of it is the surplus one.
    for card in sorted(shown, key=lambda c: -c.probability):
        mine = [t for t in left if t.code == seen_code(card.card)]
        if mine:
            truth = min(mine, key=lambda t: _apart(t, card))
            left = [t for t in left if t is not truth]
            out.counts["right"] += 1
            out.counts["found"] += truth.readable
            out.counts["outlined"] += truth.quad_xy is not None
            out.counts["off"] += truth.quad_xy is not None and _common(truth.quad_xy, card) < 0.5
            out.counts["doubted"] += card.doubtful
            out.answers.append((card.probability, True))
        elif hidden[str(seen_code(card.card))] > 0:
            hidden[str(seen_code(card.card))] -= 1
        else:
            wrong.append(card)
            out.answers.append((card.probability, False))
    spared = wrong[: picture.spare]
    wrong = wrong[picture.spare :]
    out.counts["named"] += len(shown) - len(spared)
    out.counts["wanted"] += sum(t.readable for t in picture.cards)
    out.counts["sure_wrong"] += sum(not c.doubtful for c in wrong)
    missed = [t for t in left if t.readable]
    out.counts["exact"] += not wrong and not missed
    for card in sorted(wrong, key=lambda c: -c.probability):
        miss, truth = _wrong_card(card, missed)
        missed = [t for t in missed if t is not truth]
        out.misses.append(miss)
    out.misses += [Miss(t.place, t.code, "none", 0.0, False, t.quad_xy) for t in missed]
    return out


def _names_card(card: SeenCard) -> bool:
    return card.card not in (FACE_DOWN, UNREADABLE, GONE)


def _apart(truth: TrueCard, card: SeenCard) -> float:
    if truth.quad_xy is None:
        return 0.0
    return float(np.linalg.norm(truth.quad_xy.mean(0) - np.array(card.quad_xy).mean(0)))


def _common(quad_xy: np.ndarray, card: SeenCard) -> float:
    """The share that two outlines have in common of what they cover together."""
    quads = [np.array(quad, np.float32) for quad in (quad_xy, card.quad_xy)]
    common = float(cv2.intersectConvexConvex(*quads)[0])
    return common / (sum(abs(float(cv2.contourArea(quad))) for quad in quads) - common)


def _wrong_card(card: SeenCard, missed: list[TrueCard]) -> tuple[Miss, TrueCard | None]:
    """A surplus card, and the missed card that lies where it was seen, if any."""
    quad = np.array(card.quad_xy, np.float32)
    reach = float(np.linalg.norm(quad[2] - quad[0])) / 2
    near = [t for t in missed if t.quad_xy is not None and _apart(t, card) < reach]
    truth = min(near, key=lambda t: _apart(t, card)) if near else None
    code, at = (truth.code, truth.quad_xy) if truth else ("none", None)
    return Miss(card.place, code, str(seen_code(card.card)), card.probability, not card.doubtful, at, quad), truth


def state_of(slot: Slot) -> str:
    """up, down or gone; of the stock: there or gone."""
    if isinstance(slot, bool):
        return "down" if slot else "gone"
    return "gone" if slot is None else "down" if slot == "??" else "up"


def _places(picture: Picture, reading: TableReading | None) -> Judged:
    out = Judged()
    want = dict(picture.places or {})
    got: dict[str, Slot] = {}
    if reading:
        got = {place: seen if isinstance(seen, bool) else seen_code(seen) for place, seen in reading.places.items()}
    doubts = set(reading.doubts) if reading else set()
    seen = {card.place: card for card in reading.cards} if reading else {}
    shows = {card.place: card for card in picture.cards if card.code == want.get(card.place)}
    for place, slot in want.items():
        _slot(out, place, slot, got, doubts)
        if place in shows and shows[place].readable:
            out.counts["wanted"] += 1
            out.counts["found"] += got.get(place, "!!") == slot
    surplus = [place for place, slot in got.items() if place not in want and slot not in (None, False)]
    out.counts["slots_wrong"] += len(surplus)
    out.counts["sure_wrong"] += sum(place not in doubts and got[place] != "!!" for place in surplus)
    for card in seen.values():
        code = seen_code(card.card)
        if code != "!!":
            out.counts["named"] += 1
            out.answers.append((card.probability, _is_so(card, want)))
    out.counts["exact"] += not out.counts["slots_wrong"]
    xy = picture.places_xy or {}
    wrong = [place for place in want if got.get(place, "absent") != want[place]] + surplus
    for place in wrong:
        read = str(got.get(place, "absent"))
        card = seen.get(place)
        quad = np.array(card.quad_xy, np.float32) if card else None
        sure = place not in doubts and read not in ("!!", "absent")
        chance = card.probability if card else 0.0
        out.misses.append(Miss(place, str(want.get(place, "no place")), read, chance, sure, xy.get(place), quad))
    return out


def _slot(out: Judged, place: str, slot: Slot, got: dict[str, Slot], doubts: set[str]) -> None:
    absent = place not in got
    right = not absent and got[place] == slot and type(got[place]) is type(slot)
    out.counts["slots"] += 1
    if right and slot not in (None, True, False):
        out.counts["right"] += 1
        out.counts["doubted"] += place in doubts
    if not right:
        out.counts["slots_wrong"] += 1
        out.counts["sure_wrong"] += not absent and place not in doubts and got[place] != "!!"
    state = state_of(slot)
    kind = "place" if place.startswith("pyramid") else "pile"
    out.counts[f"{kind}_{state}"] += 1
    out.counts[f"{kind}_{state}_right"] += not absent and state_of(got[place]) == state


def _is_so(card: SeenCard, want: dict[str, Slot]) -> bool:
    if card.place == "stock":
        return want.get("stock") is True
    return card.place in want and want[card.place] == seen_code(card.card)
