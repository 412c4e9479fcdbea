"""A card looked at as a whole: what the card net says of its face or back, by pips, courts and outline.

The printed corner is the surest witness of a card, and sometimes hidden, mirrored away or small. The rest of the face
says the same again: many pips of one suit, as many as the rank, or a court.
"""

from __future__ import annotations

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
# The view's pixel (j, i) in card coordinates, as a (3, 3) map.
_TO_CARD = np.array(
    [
        [2 * REACH / WIDTH, 0, REACH / WIDTH - REACH],
        [0, 2 * REACH / HEIGHT, REACH / HEIGHT - REACH],
        [0, 0, 1],
    ]
)
# One pixel of a view may cover this many picture pixels before a smaller copy of the picture is looked at instead.
_COARSE = 1.5
# The part of a view that no card of the next row hides, in pixels; how much it is smoothed, and the noise in it.
UPPER = np.s_[5:30, 4:-4]
SOFT, NOISE = 1.2, 20.0


def cut(picture: Shrunk, axes: Doubles) -> Bytes:
    """Views (n, 64, 48, 3) uint8 RGB of cards with axes (n, 2, 3) in pixels of the whole picture; its edges go on."""
    out = np.zeros((len(axes), HEIGHT, WIDTH, 3), np.uint8)
    maps = axes.astype(np.float64) @ _TO_CARD
    steps = np.sqrt(np.abs(np.linalg.det(maps[:, :, :2])))
    levels = np.floor(np.log2(np.maximum(steps, 1e-3) / _COARSE)).astype(int) + 1
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for view, m, level in zip(out, maps, np.maximum(levels, 0).tolist(), strict=True):
        source = picture.level(level)
        scale = source.shape[1] / picture.levels[0].shape[1]
        m = m * scale
        m[:, 2] += scale / 2 - 0.5
        cv2.warpAffine(source, m, (WIDTH, HEIGHT), view, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return out


@dataclass(frozen=True, slots=True)
class Views:
    """What whole cards show: `kinds` (n, 3), chances that none lies there, a face, a back; `cards` (n, 54), which card
    it is if it is a face, in the order of a belief, the last being one of no deck.
    """

    kinds: Doubles
    cards: Doubles


def look(picture: Shrunk, axes: Doubles, net: Net) -> Views:
    """Look at the cards with axes (n, 2, 3) in pixels."""
    if not len(axes):
        return Views(np.zeros((0, 3)), np.zeros((0, index_reader.SIZE)))
    temperature = net.manifest.get("temperature", {"kind": 1.0, "rank": 1.0, "suit": 1.0})
    out = net(index_crops.whitened(cut(picture, axes)))[0]
    kinds = index_reader.softmax(out[:, :3], temperature["kind"])
    return Views(kinds, index_reader.beliefs_of(out[:, 3:], temperature))


def likeness(views: Bytes) -> Doubles:
    """How like each of some covered cards is to the others, (n,), -1 to 1 in the mean: views (n, 64, 48, 3) of them, of
    which the upper part is compared.
    """
    if len(views) < 2:
        return np.zeros(len(views))
    upper = np.stack([cv2.GaussianBlur(view[UPPER].astype(np.float32), (0, 0), SOFT) for view in views])
    upper -= upper.mean((1, 2), keepdims=True)
    flat = (upper / np.sqrt((upper**2).mean((1, 2, 3), keepdims=True) + NOISE)).reshape(len(views), -1)
    # Not by the threads of a matrix product, that go on waiting for more while the nets want the processor.
    alike = np.einsum("ik,jk->ij", flat, flat) / flat.shape[1]
    return np.asarray((alike.sum(1) - alike.diagonal()) / (len(views) - 1), np.float64)
