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
