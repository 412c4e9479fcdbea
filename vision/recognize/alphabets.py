"""The letters that decks print on aces and courts, and what they mean: a letter is not a rank.

A *D* is a queen in most of Europe, a *V* a jack in France and a queen in the Netherlands. The patch net tells which
sign is printed; which rank that is follows from all signs of a table, for one deck prints one alphabet.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rules.cards import Rank
from vision.image.shrunk import Shrunk
from vision.nets.session import Net
from vision.recognize import index_crops
from vision.recognize.index_reader import CARDS, Readings, softmax

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

LETTERS: Final = (*"1BCDEFGHLMNPRSTUVWXYZ", "Kn", "Д")
"""Signs of aces and courts besides A, J, Q and K, in the order of their classes."""

# The classes of the patch net: A, 2 … 10, J, Q, K, joker, no index; then the letters.
RANKS: Final = len(Rank)
PLAIN: Final = RANKS + 2
SIGNS: Final = PLAIN + len(LETTERS)
# Signs that look alike are one.
_ALIKE: Final = {"В": "B", "К": "K", "Т": "T", "Á": "A"}
_USUAL: Final = {"A": int(Rank.ACE) - 1, "J": int(Rank.JACK) - 1, "Q": int(Rank.QUEEN) - 1, "K": int(Rank.KING) - 1}

# Ace, jack, queen and king by country, and how many of a hundred tables are laid with such a deck: by how widely these
# are sold. Where a country's decks differ each kind stands by itself.
_KNOWN: Final = (
    ("A J Q K", 70.0),  # English, and sold everywhere
    ("A B D K", 6.0),  # German, Austrian, Danish, Hungarian, Norwegian
    ("1 V D R", 4.0),  # French, Belgian
    ("A V D R", 2.0),  # French, Portuguese, Swiss
    ("T В Д К", 3.0),  # Russian, Ukrainian, Bulgarian
    ("A В Д К", 1.0),
    ("E Kn D K", 2.0),  # Swedish
    ("A Kn D K", 2.0),  # Danish, Norwegian, Swedish
    ("A J D K", 1.0),  # Finnish, Croatian
    ("A B V H", 2.0),  # Dutch
    ("A W D K", 2.0),  # Polish
    ("A F D R", 1.0),  # Italian
    ("A S C R", 1.0),  # Spanish
    ("A G D K", 1.0),  # Icelandic
    ("A S D K", 1.0),  # Czech, Slovak
)
# Any letters may mean any courts on decks that are not among these.
_UNKNOWN: Final = 1.0
# What is printed is read as something else altogether this often; and the prints of one rank are misread alike, so
# that each of its cards is not a witness of its own.
_ASTRAY, _ONE = 0.02, 0.5
# So likely it stays that a single card is of another deck than all others of its table.
_APART: Final = 0.02
# Windows with more of a chance to be an index, and then of an ace or a court, tell of the alphabet.
_INDEX, _LETTER = 0.5, 0.1
# The outputs of the patch net: ranks, joker and none; suits; the window's correction; then the letters.
_CORRECTED: Final = 25


def sign_of(text: str) -> int:
    """The class of a printed sign; raises ValueError for one that has none."""
    text = _ALIKE.get(text, text)
    if text in _USUAL:
        return _USUAL[text]
    if text.isdigit() and 2 <= int(text) <= 10:
        return int(text) - 1
    return PLAIN + LETTERS.index(text)


@dataclass(frozen=True, slots=True)
class Alphabets:
    """k alphabets: signs (k, 38, 15), how often each prints a sign for a rank, a joker or nothing; prior (k,)."""

    signs: Doubles
    prior: Doubles

    def told(self, chances: Doubles) -> Doubles:
        """The chance (k,) of each alphabet on a table on which such signs were read, (n, 38)."""
        fits = np.einsum("ns,ksr->nk", chances, self.signs)
        odds = np.log(self.prior) + _ONE * np.log(fits * (1 - _ASTRAY) + _ASTRAY).sum(0)
        weight = np.exp(odds - odds.max())
        return np.asarray(weight / weight.sum())

    def ranks(self, chances: Doubles, told: Doubles) -> Doubles:
        """Chances (n, 15) of each rank, joker and nothing by signs read (n, 38), if alphabets are so likely (k,)."""
        likely = told * (1 - _APART) + self.prior * _APART
        out = chances @ np.einsum("k,ksr->sr", likely, self.signs) + 1e-12
        return np.asarray(out / out.sum(1, keepdims=True))


@lru_cache(maxsize=1)
def known() -> Alphabets:
    """Those there are, and one that stands for all others."""
    courts = [_USUAL[letter] for letter in "JQK"]
    numbers = np.zeros((SIGNS, PLAIN))
    numbers[:PLAIN] = np.eye(PLAIN)
    numbers[list(_USUAL.values())] = 0.0
    every = [numbers.copy() for _ in (*_KNOWN, None)]
    for signs, (letters, _) in zip(every, _KNOWN, strict=False):
        for letter, rank in zip(letters.split(), _USUAL.values(), strict=True):
            signs[sign_of(letter), rank] = 1.0
    every[-1][_USUAL["A"], _USUAL["A"]] = 1.0
    any_court = [*courts, *range(PLAIN, SIGNS)]
    every[-1][np.ix_(any_court, courts)] = 1 / len(any_court)
    shares = np.array([*(share for _, share in _KNOWN), _UNKNOWN])
    return Alphabets(np.stack(every), shares / shares.sum())


@dataclass(frozen=True, slots=True)
class Spelling(Net):
    """The patch net of a table on which alphabets are so likely, told (k,): it says ranks where the net says signs."""

    net: Net
    told: Doubles

    def __call__(self, batch: Floats, **switches: bool) -> list[Floats]:
        """As of the net, its output (n, 25) without the letters."""
        out, *others = self.net(batch, **switches)
        heat = _heat(self)
        ranks = known().ranks(_signs(out, heat), self.told)
        spelt = np.column_stack([heat * np.log(ranks), out[:, PLAIN:_CORRECTED]])
        return [np.asarray(spelt, np.float32), *others]

    def taught(self, picture: Shrunk, readings: Readings) -> Spelling:
        """The same for the table on which these were read, by the letters on it."""
        letters = readings.beliefs[:, : len(CARDS)].reshape(-1, len(CARDS) // RANKS, RANKS)[:, :, list(_USUAL.values())]
        frames = readings.frames[(readings.is_index() > _INDEX) & (letters.sum((1, 2)) > _LETTER)]
        if not len(frames):
            return self
        out = self.net(index_crops.whitened(index_crops.cut(picture, frames)))[0]
        return replace(self, told=known().told(_signs(out, _heat(self))))

    @property
    def is_usual(self) -> bool:
        """Whether the likeliest alphabet is the one that is likeliest of any table."""
        return bool(self.told.argmax() == known().prior.argmax())


def spelling(net: Net) -> Spelling:
    """The net of a table of which nothing is known yet."""
    return Spelling(net.session, net.manifest, net, known().prior)


def _heat(net: Net) -> float:
    return float(net.manifest.get("temperature", {"rank": 1.0})["rank"])


def signs_of(out: Floats) -> Floats:
    """Logits (n, 38) of the signs in outputs (n, 48) of the patch net."""
    return np.asarray(np.column_stack([out[:, :PLAIN], out[:, _CORRECTED:]]), np.float32)


def _signs(out: Floats, temperature: float) -> Doubles:
    return softmax(signs_of(out), temperature)
