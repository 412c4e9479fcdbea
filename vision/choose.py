"""Which deck lies on the table: its profile reads where one was asked for, or explains the picture clearly better."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision import evidence, sites, windows
from vision.evidence import NONE, Readings
from vision.find import Found
from vision.net import Net
from vision.profile import Profile, ProfileError, deck_net, inputs_of
from vision.windows import Shrunk

Floats = NDArray[np.float32]

AUTO, NO_DECK = "auto", "none"
# A reading this sure counts; where this share of the finds is read so, the nets know the deck: nothing else is tried.
SURE, KNOWN = 0.9, 0.7
# A deck is chosen by itself where it reads so many more indices surely, and so many times as many.
MORE, TIMES = 3, 1.5
# Share of the indices it reads surely that must look as those it was taught with do at their most usual.
ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Chosen:
    """The net that reads this picture, what it reads, and the name of the deck whose net it is; None the usual one."""

    net: Net
    readings: Readings
    deck: str | None = None


def read(picture: Shrunk, found: Found, net: Net, decks: tuple[Profile, ...], wanted: str = AUTO) -> Chosen:
    """Read every index found with the nets alone, with the deck asked for, or with the one that explains it best.

    Raises ProfileError (no-deck) where there is no profile of the name asked for.
    """
    if wanted not in (AUTO, NO_DECK):
        deck = next((deck for deck in decks if deck.name == wanted), None)
        if deck is None:
            raise ProfileError("no-deck", wanted)
        return _with(picture, found, net, deck)
    usual = Chosen(net, evidence.read(picture, found.frames, net))
    sure = _sure(usual.readings)
    finds = int((usual.readings.is_index() > 0.5).sum())
    if wanted == NO_DECK or not decks or sure.sum() > KNOWN * max(finds, 1):
        return usual
    best, most = usual, float(sure.sum())
    for deck in decks:
        other = _with(picture, found, net, deck)
        count = int(_sure(other.readings).sum())
        if count >= max(sure.sum() + MORE, TIMES * sure.sum()) and count > most and _alike(picture, other, deck):
            best, most = other, count
    return best


def _sure(readings: Readings) -> NDArray[np.bool_]:
    return np.asarray(readings.beliefs[:, :NONE].max(1, initial=0.0) > SURE)


def _alike(picture: Shrunk, chosen: Chosen, deck: Profile) -> bool:
    """Whether the indices read surely look like those that the deck was taught with."""
    frames = chosen.readings.frames[_sure(chosen.readings)]
    batch = windows.whitened(windows.cut(picture, frames))
    # The usual net's features: the deck's own net passes them on.
    inputs = inputs_of(batch, chosen.net(batch)[1])
    near = np.sqrt(deck.head.rank.distances(inputs - deck.head.middle).min(1))
    return bool((near <= deck.head.far).mean() >= ALIKE)


def _with(picture: Shrunk, found: Found, net: Net, deck: Profile) -> Chosen:
    own = deck_net(net, deck)
    frames = np.concatenate([found.frames, _unfound(found, deck)])
    return Chosen(own, evidence.read(picture, frames, own), deck.name)


def _unfound(found: Found, deck: Profile) -> Floats:
    """Frames (n, 2, 3) where this deck's indices stand on cards on which none was found."""
    frames = [np.zeros((0, 2, 3), np.float32)]
    for quad in found.cards.quads():
        axes = sites.axes_of(quad)
        if not len(found.frames) or float(sites.misfit(axes, found.frames)[0].min()) > sites.REACH:
            frames.append(sites.looked_for(axes, deck.lesson.place, (False, True)))
    return np.concatenate(frames)
