"""A deck's own way of being read: what its indices look like, learnt from the deck itself.

A profile judges a window by the patch net's features and by the window's pixels, made coarse. Both lie on a few axes
that tell this deck's ranks apart, its suits, and its indices from anything else (linear discriminants); the nearest
class mean wins. How much the net's own heads are listened to as well was fitted on cards left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.cards import Card
from vision.nets.session import Net
from vision.recognize import index_crops
from vision.recognize.prints import COLOUR, LIGHT

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]

RANK_OUT, NONE_OUT, SUIT_OUT, SHIFT_OUT = slice(0, 13), 14, slice(15, 19), slice(19, 25)
# Numbers of a window: the light of its fine cells, in which shapes of ranks are told, and the colours of the coarse.
PIXELS = LIGHT * LIGHT + 3 * COLOUR * COLOUR
SIZE = 128 + PIXELS
# A deck's own heads know no joker; so little is left for it.
_JOKER = 1e-4


@dataclass(frozen=True, slots=True)
class Judge:
    """Tells `k` classes apart: axes (896, d) from the mean window, class means (k, d) on them, the temperature of its
    chances, and the weight of the net's own logits beside them.
    """

    axes: Doubles
    means: Doubles
    temperature: float = 1.0
    anchor: float = 0.0

    def distances(self, centred: Doubles) -> Doubles:
        """Squared distances (n, k) from the classes, in standard deviations within a class."""
        at = centred @ self.axes
        return np.asarray(((at[:, None] - self.means[None]) ** 2).sum(2))

    def log_chances(self, distances: Doubles, own: Doubles) -> Doubles:
        """Log chances (n, k) from distances and the net's own logits (n, k)."""
        z = -0.5 * distances / self.temperature + self.anchor * own
        z = z - z.max(1, keepdims=True)
        return np.asarray(z - np.log(np.exp(z).sum(1, keepdims=True)))


@dataclass(frozen=True, slots=True)
class Head:
    """All that reads a deck: the mean window (896,), judges of rank and suit, the axis (896,) that tells an index from
    other things, and the weights (6,) of the chance of being one; `shift` (897, 6) leads from a centred window, and 1,
    to its correction. `prints` (k, 576): the light of this deck's cards' indices, each of mean 0 and length 1, 0 beyond
    the index.
    """

    middle: Doubles
    rank: Judge
    suit: Judge
    index_axis: Doubles
    index_weights: Doubles
    shift: Doubles
    prints: Doubles

    def signs(self, inputs: Doubles, rank: Doubles, suit: Doubles, own_none: Doubles) -> Doubles:
        """(n, 6): what speaks for an index, from distances to ranks and suits, the net's own `none` logit and how like
        this deck's prints it is.
        """
        along = (inputs - self.middle) @ self.index_axis
        near = [np.sqrt(rank.min(1)), np.sqrt(suit.min(1)), along, own_none, self.likeness(inputs)]
        return np.column_stack([*near, np.ones(len(inputs))])

    def likeness(self, inputs: Doubles) -> Doubles:
        """How like the most similar of this deck's indices windows with these inputs (n, 896) look, (n,) up to 1."""
        return np.asarray((prints_of(inputs, np.asarray(self.prints.any(0))) @ self.prints.T).max(1))

    def corrections(self, inputs: Doubles) -> Doubles:
        """Corrections (n, 6) of windows with these inputs (n, 896)."""
        return np.asarray((inputs - self.middle) @ self.shift[:-1] + self.shift[-1])

    def logits(self, out: Floats, inputs: Doubles) -> tuple[Doubles, Doubles]:
        """Log chances of rank (n, 15) and suit (n, 4) of outputs (n, 25) and inputs (n, 896)."""
        centred = inputs - self.middle
        own = out.astype(np.float64)
        rank, suit = self.rank.distances(centred), self.suit.distances(centred)
        weighed = np.clip(self.signs(inputs, rank, suit, own_none(own)) @ self.index_weights, -30, 30)
        index = 1 / (1 + np.exp(-weighed))
        ranks = np.exp(self.rank.log_chances(rank, own[:, RANK_OUT])) * index[:, None] * (1 - _JOKER)
        whole = np.column_stack([ranks, index * _JOKER, 1 - index])
        return np.log(np.maximum(whole, 1e-12)), self.suit.log_chances(suit, own[:, SUIT_OUT])


@dataclass(frozen=True, slots=True)
class Figures:
    """How well a deck's cards are told apart when each is read by what was learnt from the others: shares right of its
    windows; `windows` of `cards` cards were learnt from.
    """

    cards: int
    windows: int
    rank_right: float
    suit_right: float
    usual_right: float  # the nets alone, both rank and suit


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a deck was learnt from: wide windows (n, 64, 64, 3) uint8 RGB of its indices with their cards, windows
    (m, 64, 64, 3) of other things, where an index stands: its frame (2, 3) in half sides of the card, and its extent
    (2,) from the window's middle in index units; `offset` (6,): the correction that mostly leads to that frame from
    what the search net finds on this deck.
    """

    windows: Bytes
    cards: tuple[Card, ...]
    others: Bytes
    place: Doubles
    extent: Doubles
    offset: Doubles


@dataclass(frozen=True, slots=True)
class Profile:
    """A deck's profile. `net`: sha256 of the patch net that it was made with and alone goes with; `sources`: names of
    the pictures it was made from.
    """

    name: str
    net: str
    head: Head
    lesson: Lesson
    figures: Figures
    sources: tuple[str, ...] = ()
    made: str = ""


MESSAGES = {
    "no-deck": "No deck of the name {detail} was taught.",
    "deck-name": "A deck cannot be called {detail}; letters, digits, spaces, - and _ make a name.",
    "no-rows": "No cards are seen. Lay them apart, face up, on a cloth of another colour.",
    "wrong-count": "As many cards must be seen as were told: {detail}.",
    "which-way": "The rows run up and down in the picture. Turn it so that the first row is on top.",
    "other-order": "Cards do not lie as told: {detail}.",
    "too-few": "At least two cards of every rank and every suit are needed; too few of {detail}.",
    "other-net": "The profile of the deck {detail} was made with other nets. Teach the deck again.",
    "broken-profile": "The file of this deck is damaged ({detail}). Teach the deck again.",
}


class ProfileError(Exception):
    """A deck that cannot be taught or used; ``code`` (a key of MESSAGES) says why, the message also what to do."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(MESSAGES[code].format(detail=detail))
        self.code = code
        self.detail = detail
        self.message = str(self)


@dataclass(frozen=True, slots=True)
class DeckNet(Net):
    """The patch net with a deck's own heads in place of its own."""

    head: Head = field(kw_only=True)

    def __call__(self, batch: Floats, **switches: bool) -> list[Floats]:
        """As the net's own: (n, 25) and (n, 128) for windows (n, 3, 48, 48)."""
        # A dataclass with slots is made anew, so that `super()` without its arguments would not find itself.
        out, features, *_ = Net.__call__(self, batch, **switches)
        if not len(out):
            return [out, features]
        warmth = self.manifest.get("temperature", {"rank": 1.0, "suit": 1.0})
        inputs = inputs_of(batch, features)
        rank, suit = self.head.logits(out, inputs)
        out = out.copy()
        out[:, SHIFT_OUT] = self.head.corrections(inputs)
        # The reader divides by these temperatures; the deck's chances have their own.
        out[:, :15], out[:, SUIT_OUT] = rank * warmth["rank"], suit * warmth["suit"]
        return [out, features]


def own_none(out: Doubles) -> Doubles:
    """The net's own logit (n,) of `no index` against its best rank."""
    return np.asarray(np.clip(out[:, NONE_OUT] - out[:, RANK_OUT].max(1), -12, 12))


def inputs_of(batch: Floats, features: Floats) -> Doubles:
    """What a profile judges by (n, 896): features (n, 128), and of windows (n, 3, 48, 48) the darkest channel in fine
    cells and the colours in coarse ones.
    """
    light, colour = index_crops.means(batch.min(1, keepdims=True), LIGHT), index_crops.means(batch, COLOUR)
    return np.concatenate([features, light, colour], axis=1).astype(np.float64)


def prints_of(inputs: Doubles, kept: NDArray[np.bool_], at: int = -PIXELS) -> Doubles:
    """The light (n, 576) of windows with inputs (n, 896), of mean 0 and length 1 on the cells kept, 0 elsewhere.

    at: where among the inputs the light begins.
    """
    out = np.zeros((len(inputs), LIGHT * LIGHT))
    light = inputs[:, at:][:, : LIGHT * LIGHT][:, kept]
    light = light - light.mean(1, keepdims=True)
    out[:, kept] = light / np.maximum(np.linalg.norm(light, axis=1, keepdims=True), 1e-6)
    return out


def deck_net(net: Net, profile: Profile) -> DeckNet:
    """The net that reads this deck; raises ProfileError where the profile was made with another net."""
    if net.manifest.get("sha256") != profile.net:
        raise ProfileError("other-net", profile.name)
    return DeckNet(net.session, net.manifest, head=profile.head)
