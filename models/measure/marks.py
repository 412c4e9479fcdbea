"""Where a picture's indices stand: what blur and glare are measured by."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.measure.pictures import Picture
from rules.cards import Card
from vision.detect import multiscale
from vision.errors import PictureError
from vision.image.shrunk import Shrunk
from vision.reader import Reader
from vision.recognize import index_reader
from vision.recognize.index_crops import heights
from vision.recognize.index_reader import CARDS, NONE

# A reading less sure than this of a card is not counted on.
SURE = 0.5
# Half sides of an index with its suit, in rank heights around the middle between the two.
HALF_WIDTH, LOW, HIGH = 0.6, -0.6, 1.7


@dataclass(frozen=True, slots=True)
class Marks:
    """cards: for each face-up card the frames (n, 2, 3) of its indices. height: median rank height in pixels.
    width: median width of a card in pixels. quads: (n, 4, 2) of cards on which light may fall.
    """

    cards: tuple[np.ndarray, ...]
    height: float
    width: float
    quads: np.ndarray


def from_truth(picture: Picture) -> Marks | None:
    """From a drawn picture's own truth; None where no card shows an index."""
    known = [card for card in picture.cards if card.frames is not None and card.quad_xy is not None]
    if not known:
        return None
    quads = np.stack([card.quad_xy for card in known if card.quad_xy is not None])
    frames = tuple(card.frames for card in known if card.frames is not None)
    return _marks(frames, quads)


def from_reading(picture: Picture, reader: Reader) -> Marks | None:
    """From what the reader finds on the undisturbed picture; None where it reads no card."""
    try:
        answer = reader.read_pixels(picture.pixels, layout=picture.layout)
    except PictureError:
        return None
    found = multiscale.search(picture.pixels, reader.search)
    readings = index_reader.read(Shrunk(picture.pixels), found.frames, reader.patch)
    readings = readings.take(np.flatnonzero(readings.beliefs[:, :NONE].max(1) > SURE))
    faces = [card for card in answer.cards if isinstance(card.card, Card) and card.card in CARDS]
    cards, quads = [], []
    for card in faces:
        best = [CARDS[int(b)] if b < len(CARDS) else None for b in readings.beliefs[:, :NONE].argmax(1)]
        quad = np.array(card.quad_xy, np.float32)
        mine = [
            k
            for k, frame in enumerate(readings.frames)
            if best[k] == card.card and cv2.pointPolygonTest(quad, tuple(map(float, frame[:, 2])), True) > -4
        ]
        if mine:
            cards.append(readings.frames[mine])
            quads.append(quad)
    return _marks(tuple(cards), np.stack(quads)) if cards else None


def _marks(cards: tuple[np.ndarray, ...], quads: np.ndarray) -> Marks:
    height = float(np.median(np.concatenate([heights(frames) for frames in cards])))
    width = float(np.median(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)))
    return Marks(cards, height, width, quads)


def index_points(frames: np.ndarray) -> np.ndarray:
    """(n, 9, 2) pixels over the rank and the suit of each frame (n, 2, 3)."""
    grid = np.array(
        [(u, v, 1.0) for u in (-HALF_WIDTH, 0, HALF_WIDTH) for v in (LOW, (LOW + HIGH) / 2, HIGH)], np.float32
    )
    return np.einsum("nij,kj->nki", frames, grid)
