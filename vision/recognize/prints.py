"""How indices are printed: the glyph of a rank and the sign and ink of a suit, in a few numbers that no net makes.

One deck prints a rank alike on all four of its cards, and a suit on all thirteen. What windows on one print differ by,
and decks among each other, is learnt once from drawn scenes (`python -m models.training.train_prints`): probabilistic
linear discriminant analysis (S. Ioffe, 2006), with one latent print for each rank and each suit of a deck.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.image.shrunk import Shrunk
from vision.nets import session
from vision.nets.session import ModelError
from vision.recognize import index_crops
from vision.recognize.index_crops import LEFT, SPAN, TOP

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]

# Sides of a window in cells: of light, in which shapes are told, and of colour.
LIGHT, COLOUR = 24, 8
_ACROSS, _DOWN = (np.add(start, (np.arange(LIGHT) + 0.5) * SPAN / LIGHT) for start in (LEFT, TOP))
# The cells (24, 24) of a rank and of the sign below it, with what corrections leave around them.
RANK_BOX: Final = (np.abs(_ACROSS) < 0.7) & (np.abs(_DOWN) < 0.7)[:, None]
SUIT_BOX: Final = (np.abs(_ACROSS) < 0.8) & ((_DOWN > 0.4) & (_DOWN < 2.0))[:, None]
# What colours weigh beside shapes, of length 1.
INK: Final = 0.375
# Log-odds that prints are worth are held off so far: a blurred window is like no print at all.
MOST: Final = 40.0


@dataclass(frozen=True, slots=True)
class Space:
    """Where prints of k classes lie: middle (m,) of the cells, axes (m, d) on which windows on one print differ by 1,
    the mean (k, d) of each class, and the variance (d,) of decks about it.
    """

    middle: Doubles
    axes: Doubles
    means: Doubles
    spread: Doubles

    def at(self, cells: Floats) -> Doubles:
        """Places (n, d) of cells (n, m)."""
        return np.asarray((cells - self.middle) @ self.axes)

    def likelier(self, at: Doubles, chances: Doubles, seen: Doubles, known: Doubles | None = None) -> Doubles:
        """How much likelier (n, k) in log-odds each print is of each class by the other prints of this deck than by
        what is known of all decks.

        at: (n, d); chances: (n, k) of which class each is; seen: (n,) 1 where a print was seen at all, else 0. known:
        (k, 1 + d) of each class how many were seen in earlier pictures, and the sum of their prints.
        """
        weight = chances * seen[:, None]
        count, total = weight.sum(0) - weight, (weight.T @ at)[None] - weight[:, :, None] * at[:, None]
        if known is not None:
            count, total = count + known[:, 0], total + known[:, 1:]
        variance = 1 / (1 / self.spread + count[:, :, None])
        mean = variance * (self.means / self.spread + total)
        here, all_decks = (
            (at[:, None] - middle) ** 2 / (1 + around) + np.log1p(around)
            for middle, around in ((mean, variance), (self.means[None], self.spread))
        )
        return np.asarray(np.clip((all_decks - here).sum(2) / 2 * seen[:, None], -MOST, MOST))


@lru_cache(maxsize=1)
def load() -> tuple[Space, Space]:
    """Those of ranks and of suits in ``models/prints.json``; raises ModelError where they are missing or changed."""
    weights = session.weights("prints")
    try:
        rank, suit = (
            Space(*(np.array(weights[of][name], np.float64) for name in Space.__slots__)) for of in ("rank", "suit")
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"model 'prints' cannot be loaded: {error}") from error
    return rank, suit


def cells(windows: Floats) -> tuple[Floats, Floats]:
    """What windows (n, 3, 48, 48) of `index_crops.whitened` show of rank and suit, (n, m) each: shapes in light of mean
    0 and length 1, and of the suit the colours as well.
    """
    light, colour = index_crops.means(windows.min(1, keepdims=True), LIGHT), index_crops.means(windows, COLOUR)
    rank, suit = (_even(light[:, box.reshape(-1)]) for box in (RANK_BOX, SUIT_BOX))
    return rank, np.concatenate([suit, INK * colour], axis=1)


def seen(picture: Shrunk, frames: Floats, places: NDArray[np.intp], count: int) -> tuple[Doubles, Doubles, Doubles]:
    """The prints of places (count, d) of rank and of suit, the mean over the indices in frames (n, 2, 3) on each, and
    whether any was seen there (count,); places: (n,) the number of each.
    """
    of = np.bincount(places, minlength=count).astype(np.float64)
    spaces, windows = load(), index_crops.whitened(index_crops.cut(picture, frames))
    out = []
    for space, shown in zip(spaces, cells(windows), strict=True):
        mean = np.zeros((count, space.axes.shape[1]))
        np.add.at(mean, places, space.at(shown))
        out.append(mean / np.maximum(of, 1)[:, None])
    return out[0], out[1], np.minimum(of, 1.0)


def _even(light: Floats) -> Floats:
    light = light - light.mean(1, keepdims=True)
    return np.asarray(light / np.maximum(np.linalg.norm(light, axis=1, keepdims=True), 1e-6), np.float32)
