"""A card looked at as a whole: what the card net says of its face or back, by pips, courts and outline.

The printed corner is the surest witness of a card, and sometimes hidden, mirrored away or small. The rest of the face
says the same again: many pips of one suit, as many as the rank, or a court.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.shrunk import Shrunk
from vision.nets.session import Net
from vision.recognize import index_crops, index_reader

Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]

# A view of a card in pixels, and how far it reaches in half sides of the card.
WIDTH, HEIGHT = 48, 64
REACH = 1.12
# Cells of a view, down and across, of which each is judged by itself.
CELLS = (8, 6)
_DOWN, _ACROSS = ((np.arange(n) * 2 + 1 - n) * REACH / n for n in CELLS)
# Their middles, in half sides of the card.
MIDDLES = np.stack(np.meshgrid(_ACROSS, _DOWN), -1).reshape(-1, 2)


def cut(picture: Shrunk, axes: Doubles, reach: float = REACH) -> Bytes:
    """Views (n, 64, 48, 3) uint8 RGB of cards with axes (n, 2, 3) in pixels of the whole picture; its edges go on.
    With another reach, in half sides, they are larger or smaller, and the card in them is not.
    """
    width, height = round(WIDTH * reach / REACH), round(HEIGHT * reach / REACH)
    out = np.zeros((len(axes), height, width, 3), np.uint8)
    # A view's pixel (j, i) in card coordinates.
    to_card = [
        [2 * reach / width, 0, reach / width - reach],
        [0, 2 * reach / height, reach / height - reach],
        [0, 0, 1],
    ]
    maps = axes.astype(np.float64) @ np.array(to_card)
    steps = np.sqrt(np.abs(np.linalg.det(maps[:, :, :2])))
    levels = np.floor(np.log2(np.maximum(steps, 1e-3) / index_crops.SETTINGS.coarse)).astype(int) + 1
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for view, m, level in zip(out, maps, np.maximum(levels, 0).tolist(), strict=True):
        source = picture.level(level)
        scale = source.shape[1] / picture.levels[0].shape[1]
        m = m * scale
        m[:, 2] += scale / 2 - 0.5
        cv2.warpAffine(source, m, (width, height), view, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return out


@dataclass(frozen=True, slots=True)
class Views:
    """What whole cards show: `kinds` (n, 3), chances that none lies there, a face, a back; `cards` (n, 54), which card
    it is if it is a face, in the order of a belief, the last being one of no deck; `over` (n, 8, 6), how much of each
    cell of a card something hides which is no card, 0..1.
    """

    kinds: Doubles
    cards: Doubles
    over: Doubles

    def one(self, number: int) -> Views:
        """Of one of them, n being 1."""
        at = slice(number, number + 1)
        return Views(self.kinds[at], self.cards[at], self.over[at])

    @classmethod
    def joined(cls, parts: Sequence[Views]) -> Views:
        """Of all of several."""
        every = (cls(np.zeros((0, 3)), np.zeros((0, index_reader.SIZE)), np.zeros((0, *CELLS))), *parts)
        return cls(*(np.concatenate([getattr(part, name) for part in every]) for name in cls.__slots__))


def look(picture: Shrunk, axes: Doubles, net: Net) -> Views:
    """Look at the cards with axes (n, 2, 3) in pixels."""
    if not len(axes):
        return Views.joined(())
    temperature = net.manifest.get("temperature", {"kind": 1.0, "rank": 1.0, "suit": 1.0})
    out, over = net(index_crops.whitened(cut(picture, axes)))
    kinds = index_reader.softmax(out[:, :3], temperature["kind"])
    hidden = 1 / (1 + np.exp(-over[:, 0].astype(np.float64)))
    return Views(kinds, index_reader.beliefs_of(out[:, 3:], temperature), np.asarray(hidden))
