"""What the windows say: readings of printed indices, and how several add up to one card.

A belief is a (54,) float64 array of chances: 52 cards in the order of ``CARDS``, then joker, then nothing readable
(NONE).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.cards import JOKER, Card, Rank, Suit
from vision.image.shrunk import Shrunk
from vision.nets.session import Net
from vision.recognize import index_crops

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

_SUITS: Final = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
CARDS: Final = tuple(Card(rank, suit) for suit in _SUITS for rank in Rank)
FACES: Final = (*CARDS, JOKER)
SUITS: Final = len(_SUITS)
RANKS: Final = len(Rank)
JOKER_AT: Final = len(CARDS)
NONE: Final = JOKER_AT + 1
SIZE: Final = NONE + 1
READ: Final = 0.9
"""What is read with more of a chance than this counts as read, be it a card, its suit, or that there is an index."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How often an index is looked at; set by judgement, tried on validation scenes."""

    sure: float = 0.98  # a first reading this sure, be it of a card or of none, stands: a second would change nothing
    most: float = 0.8  # the net corrects a frame by so much at most, in its own units
    nudge: float = 0.09  # what is still unsure is checked in windows so much larger, smaller, and farther to a side
    same: float = 0.5  # rank heights within which two readings are of the same print: the net corrects both towards it
    agree: float = 0.8  # a second print adds less than a second witness would: both are of one fashion, in one light


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Readings:
    """Indices read: frames (n, 2, 3) in pixels as corrected, beliefs (n, 54)."""

    frames: Floats
    beliefs: Doubles

    def __len__(self) -> int:
        return len(self.frames)

    def take(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Readings:
        """Some of them."""
        return Readings(self.frames[which], self.beliefs[which])

    def is_index(self) -> Doubles:
        """The chance that there is an index at all, (n,)."""
        return np.asarray(1 - self.beliefs[:, NONE])


def joined(a: Readings, b: Readings) -> Readings:
    """Both lists as one."""
    return Readings(np.concatenate([a.frames, b.frames]), np.concatenate([a.beliefs, b.beliefs]))


def softmax(x: Floats, temperature: float) -> Doubles:
    """Chances along the rows of logits (n, k)."""
    z = x.astype(np.float64) / temperature
    z = np.exp(z - z.max(1, keepdims=True))
    return np.asarray(z / z.sum(1, keepdims=True))


def beliefs_of(out: Floats, temperature: dict[str, float]) -> Doubles:
    """Beliefs (n, 54) of the patch net's outputs (n, 25 or more) at these temperatures of rank and suit."""
    rank, suit = softmax(out[:, :15], temperature["rank"]), softmax(out[:, 15:19], temperature["suit"])
    both = (suit[:, :, None] * rank[:, None, :13]).reshape(len(out), 52)
    return np.concatenate([both, rank[:, 13:14], rank[:, 14:15]], axis=1)


def read(picture: Shrunk, frames: Floats, net: Net) -> Readings:
    """Read the indices in these frames (n, 2, 3).

    The net corrects each window and reads again; what is then still unsure is read in windows a little off as well, and
    the mean counts: a misreading seldom survives being looked at from all sides, a right one does.
    """
    if not len(frames):
        return Readings(np.zeros((0, 2, 3), np.float32), np.zeros((0, SIZE)))
    temperature = net.manifest.get("temperature", {"rank": 1.0, "suit": 1.0})
    first = _run(picture, frames, net)
    moved = index_crops.corrected(frames, np.clip(first[:, 19:25], -SETTINGS.most, SETTINGS.most))
    moved = np.where(_sound(moved)[:, None, None], moved, frames)
    beliefs = beliefs_of(first, temperature)
    # What is surely no index at first sight is not looked at again, nor what could hardly be surer.
    again = np.flatnonzero(beliefs.max(1) < SETTINGS.sure)
    if len(again):
        beliefs[again] = beliefs_of(_run(picture, moved[again], net), temperature)
        unsure = again[(beliefs[again].max(1) < SETTINGS.sure) & (beliefs[again, NONE] < READ)]
        if len(unsure):
            around = np.concatenate(_nudged(moved[unsure]))
            views = beliefs_of(_run(picture, around, net), temperature).reshape(-1, len(unsure), SIZE)
            beliefs[unsure] = (beliefs[unsure] + views.sum(0)) / (1 + len(views))
    return Readings(moved, beliefs)


def _nudged(frames: Floats) -> list[Floats]:
    """Frames (n, 2, 3) made smaller and larger, and moved to the left and to the right."""
    out = [frames.copy() for _ in range(4)]
    for sign, size, side in zip((-1, 1), out[:2], out[2:], strict=True):
        size[:, :, :2] *= 1 + sign * SETTINGS.nudge
        side[:, :, 2] += sign * SETTINGS.nudge * frames[:, :, 0]
    return out


def _run(picture: Shrunk, frames: Floats, net: Net) -> Floats:
    return net(index_crops.whitened(index_crops.cut(picture, frames)))[0]


def _sound(moved: Floats) -> NDArray[np.bool_]:
    """Corrections that mirror no window."""
    return np.asarray(np.linalg.det(moved[:, :, :2].astype(np.float64)) > 0)


def by_print(readings: Readings) -> Doubles:
    """Beliefs (m, 54) of the prints that were read: a second reading of a print is no second witness, and their mean
    counts."""
    if len(readings) < 2:
        return readings.beliefs
    frames = readings.frames.astype(np.float64)
    off = frames[:, :, 2] - frames[:, None, :, 2]
    same = np.linalg.norm(np.linalg.solve(frames[:, None, :, :2], off[..., None])[..., 0], axis=2) < SETTINGS.same
    left, prints = np.ones(len(readings), bool), []
    for first in np.argsort(readings.beliefs[:, NONE]):
        if left[first]:
            prints.append(readings.beliefs[same[first] & left].mean(0))
            left &= ~same[first]
    return np.array(prints)


def combined(beliefs: Doubles) -> Doubles:
    """One belief (54,) from those of several windows on the same card (n, 54); all `nothing` where there is none."""
    return np.asarray(each_combined([beliefs])[0])


def each_combined(of: Sequence[Doubles]) -> Doubles:
    """One belief for each card (m, 54) from those of the windows on it, as many arrays (n, 54).

    Windows that hold no index say nothing about which card it is, so each reading is weighed by its chance of being
    an index.
    """
    most = max((len(beliefs) for beliefs in of), default=0)
    windows = np.zeros((len(of), max(most, 1), SIZE))
    windows[:, :, NONE] = 1.0
    for mine, beliefs in zip(windows, of, strict=True):
        mine[: len(beliefs)] = beliefs[np.argsort(-(1 - beliefs[:, NONE]))]
    faces, index = windows[:, :, :NONE], 1 - windows[:, :, NONE:]
    weight = np.where(np.arange(windows.shape[1]) == 0, 1.0, SETTINGS.agree)[:, None]
    # A window that is no index at chance 1 - c is uniform over the faces to that part; that none at all is one is
    # taken out.
    blank = np.maximum((1 - index) / NONE, 1e-9)
    log, base = (weight * np.log(faces + blank)).sum(1), (weight * np.log(blank)).sum(1)
    highest = log.max(1, keepdims=True)
    p = np.maximum(np.exp(log - highest) - np.exp(base - highest), 1e-12)
    nothing = np.prod(1 - index, axis=1)
    return np.concatenate([p / p.sum(1, keepdims=True) * (1 - nothing), nothing], axis=1)
