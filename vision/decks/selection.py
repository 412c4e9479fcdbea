"""Which deck lies on the table: its profile reads where one was asked for, or explains the picture clearly better."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.decks.profile import SHIFT_OUT, Profile, ProfileError, deck_net, inputs_of
from vision.detect.multiscale import Found, distinct
from vision.image.shrunk import Shrunk
from vision.nets.session import Net
from vision.recognize import alphabets, card_frame, index_crops, index_reader
from vision.recognize.index_reader import NONE, READ, Readings

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

AUTO, NO_DECK = "auto", "none"
# Where as many as this share of the finds or of the faces are read, the nets know the deck: nothing else is tried.
KNOWN = 0.7
# A deck is chosen by itself where it reads so many more indices surely, and so many times as many.
MORE, TIMES = 2, 1.5
# And where half of them are so like its prints: on its own tables half were by 0.82 and more, on those of decks of
# other letters by 0.63 at most.
ALIKE = 0.7
# No correction of a window is believed that is larger than this, in index units.
FURTHEST = 0.5


@dataclass(frozen=True, slots=True)
class Chosen:
    """The net that reads this picture, what it reads, and the name of the deck whose net it is; None the usual one."""

    net: Net
    readings: Readings
    deck: str | None = None


def read(picture: Shrunk, found: Found, net: Net, decks: tuple[Profile, ...], wanted: str = AUTO) -> Chosen:
    """Read every index found with the nets alone, with the deck asked for unless another one plainly lies there, or
    with the one that explains it best.

    Raises ProfileError (no-deck) where there is no profile of the name asked for.
    """
    usual = _spelt(picture, found, net)
    sure = int(_sure(usual.readings).sum())
    # On a strange deck few indices are found at all, and those are misread, surely now and then.
    finds = max(int((usual.readings.is_index() > 0.5).sum()), int((found.cards.face > 0.5).sum()), 1)
    if wanted not in (AUTO, NO_DECK):
        deck = next((deck for deck in decks if deck.name == wanted), None)
        if deck is None:
            raise ProfileError("no-deck", wanted)
        asked = _with(picture, found, net, deck)
        known = int(_sure(asked.readings).sum())
        # Another deck lies there, and one that the nets know: its own profile would make a mess of it.
        return usual if sure > KNOWN * finds and sure >= max(known + MORE, TIMES * known) else asked
    if wanted == NO_DECK or not decks or sure > KNOWN * finds:
        return usual
    best, most = usual, sure
    for deck in decks:
        other = _with(picture, found, net, deck)
        count = int(_sure(other.readings).sum())
        if count >= max(sure + MORE, TIMES * sure) and count > most and _alike(picture, other, deck):
            best, most = other, count
    return best


def _spelt(picture: Shrunk, found: Found, net: Net) -> Chosen:
    """Read by the nets alone, and again where the letters read are of another alphabet than most decks have."""
    first = alphabets.spelling(net)
    readings = index_reader.read(picture, found.frames, first)
    own = first.taught(picture, readings)
    return Chosen(own, readings if own.is_usual else index_reader.read(picture, found.frames, own))


def _sure(readings: Readings) -> NDArray[np.bool_]:
    return np.asarray(readings.beliefs[:, :NONE].max(1, initial=0.0) > READ)


def _alike(picture: Shrunk, chosen: Chosen, deck: Profile) -> bool:
    """Whether half of the indices read surely look like those that the deck was taught with."""
    batch = index_crops.whitened(index_crops.cut(picture, chosen.readings.frames[_sure(chosen.readings)]))
    # The usual net's features: the deck's own net passes them on.
    return bool(np.median(deck.head.likeness(inputs_of(batch, chosen.net(batch)[1]))) > ALIKE)


def _with(picture: Shrunk, found: Found, net: Net, deck: Profile) -> Chosen:
    own = deck_net(net, deck)
    offset = np.tile(deck.lesson.offset.astype(np.float32), (len(found.frames), 1))
    # The search net does not know the deck: it is looked for at both ends of every card as well.
    ends = [card_frame.looked_for(card_frame.axes_of(q), deck.lesson.place, (False, True)) for q in found.cards.quads()]
    ends.append(_at_corners(found, deck.lesson.place))
    frames = np.concatenate([index_crops.corrected(found.frames, offset), *ends]).astype(np.float32)
    frames = _settled(picture, frames, own)
    readings = index_reader.read(picture, frames, own)
    kept = distinct(readings.frames, readings.beliefs[:, :NONE].max(1, initial=0.0), index_reader.SETTINGS.same)
    return Chosen(own, readings.take(kept), deck.name)


def _at_corners(found: Found, place: Doubles) -> Floats:
    """Frames (n, 2, 3) of the indices that cards have at the corners found, as large as the nearest card asks for.

    Of a card under others nothing may show but a corner with its index.
    """
    # Of some corners the map does not tell the ways in which the edges run.
    corners = found.corners.take(np.flatnonzero(found.corners.edge.any(1) & found.corners.other.any(1)))
    if not len(corners) or not len(found.cards):
        return np.zeros((0, 2, 3), np.float32)
    # Half a card's height in half widths: windows are square on the card.
    shape = float(place[0, 0] / place[1, 1])
    flat = card_frame.axes_of_all(found.cards.quads())[:, :, :2] / [1.0, shape]
    far = np.linalg.norm(corners.at_xy[:, None] - found.cards.middle_xy[None], axis=2)
    to_card = np.linalg.inv(flat)[far.argmin(1)]
    right, down = corners.edge.astype(np.float64), corners.other.astype(np.float64)
    over = right[:, 0] * down[:, 1] < right[:, 1] * down[:, 0]
    right, down = np.where(over[:, None], down, right), np.where(over[:, None], right, down)
    sides = [side / np.linalg.norm(to_card @ side[:, :, None], axis=1) for side in (right, down)]
    axes = np.stack([sides[0], sides[1] * shape], axis=2)
    frames = axes @ place
    frames[:, :, 2] += corners.at_xy + axes.sum(2)
    return np.asarray(frames, np.float32)


def _settled(picture: Shrunk, frames: Floats, own: Net) -> Floats:
    """The frames (n, 2, 3) as the deck's net corrects them: outlines, and finds on a strange deck, are not exact."""
    if not len(frames):
        return frames
    shift = own(index_crops.whitened(index_crops.cut(picture, frames)))[0][:, SHIFT_OUT]
    return index_crops.corrected(frames, np.clip(shift, -FURTHEST, FURTHEST))
