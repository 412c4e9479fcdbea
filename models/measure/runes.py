"""Deliberately strange decks: runes for ranks, odd shapes or nothing but colours for suits, drawn with lines and
polygons alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from models.training import backs, layouts, scenes
from models.training.decks import CODES, HEIGHT, WIDTH, Deck, Index

# Polylines in a box of width 0.6 and height 1 (y down), one rune a rank.
RUNES: dict[str, list[list[tuple[float, float]]]] = {
    "A": [[(0.05, 1), (0.05, 0), (0.55, 0.3)], [(0.05, 0.35), (0.55, 0.65)]],
    "2": [[(0.05, 1), (0.05, 0), (0.55, 0.5), (0.55, 1)]],
    "3": [[(0.05, 0), (0.05, 1)], [(0.05, 0.25), (0.5, 0.5), (0.05, 0.75)]],
    "4": [[(0.3, 0), (0.3, 1)], [(0.0, 0.3), (0.6, 0.6)]],
    "5": [[(0.05, 1), (0.05, 0), (0.55, 0.25), (0.05, 0.5), (0.55, 1)]],
    "6": [[(0.5, 0), (0.05, 0.5), (0.5, 1)]],
    "7": [[(0.0, 0), (0.6, 1)], [(0.6, 0), (0.0, 1)]],
    "8": [[(0.05, 1), (0.05, 0), (0.55, 0.3), (0.05, 0.6)]],
    "9": [[(0.05, 0), (0.05, 1)], [(0.55, 0), (0.55, 1)], [(0.05, 0.35), (0.55, 0.65)]],
    "10": [[(0.3, 0), (0.3, 1)]],
    "J": [[(0.0, 0.35), (0.3, 0), (0.6, 0.35)], [(0.3, 0), (0.3, 1)]],
    "Q": [[(0.05, 1), (0.05, 0), (0.3, 0.4), (0.55, 0), (0.55, 1)]],
    "K": [[(0.3, 0), (0.6, 0.35), (0.3, 0.7), (0.0, 0.35), (0.3, 0)], [(0.3, 0.7), (0.0, 1)], [(0.3, 0.7), (0.6, 1)]],
}
INKS = {"S": (70, 40, 110), "H": (190, 90, 20), "D": (20, 110, 110), "C": (90, 70, 30)}


def rune(rank: str, height: float, pen: int) -> np.ndarray:
    """Mask (h, w) uint8 of a rank, `height` pixels high."""
    mask = np.zeros((round(height) + 2 * pen, round(height * 0.6) + 2 * pen), np.uint8)
    for line in RUNES[rank]:
        points = np.array(line) * height + pen
        cv2.polylines(mask, [np.round(points * 16).astype(np.int32)], False, 255, pen, cv2.LINE_AA, 4)
    return mask


def sign(suit: str, size: float) -> np.ndarray:
    """Mask (size, size) uint8 of a suit: a ring, a triangle on its head, a step, two bars."""
    n = round(size)
    mask = np.zeros((n, n), np.uint8)
    if suit == "S":
        cv2.circle(mask, (n // 2, n // 2), round(n * 0.38), 255, max(2, n // 5), cv2.LINE_AA)
    elif suit == "H":
        cv2.fillPoly(mask, [np.array([(0, 0), (n - 1, 0), (n // 2, n - 1)], np.int32)], 255, cv2.LINE_AA)
    elif suit == "D":
        mask[: n // 2, : n // 2] = mask[n // 2 :, n // 2 :] = 255
    else:
        mask[: n // 3] = mask[n - n // 3 :] = 255
    return mask


def _print(face: np.ndarray, mask: np.ndarray, centre: tuple[float, float], ink: tuple[int, int, int]) -> None:
    h, w = mask.shape
    x, y = round(centre[0] - w / 2), round(centre[1] - h / 2)
    area = face[y : y + h, x : x + w]
    share = mask[: area.shape[0], : area.shape[1], None].astype(np.float32) / 255
    area[:] = (area * (1 - share) + np.array(ink, np.float32) * share).astype(np.uint8)


COLOURS = {"S": (40, 60, 190), "H": (205, 30, 40), "D": (30, 140, 50), "C": (190, 120, 10)}


def coloured_deck(rng: np.random.Generator) -> Deck:
    """The 52 faces, with a large rune in two corners and no sign at all: the colour alone tells the suit."""
    height, x, y = 54.0, 36.0, 42.0
    faces: dict[str, np.ndarray] = {}
    indices: dict[str, list[Index]] = {}
    for code in CODES:
        rank, ink = code[:-1], COLOURS[code[-1]]
        face = np.full((HEIGHT, WIDTH, 3), 246, np.uint8)
        _print(face, rune(rank, 120, 14), (WIDTH / 2, HEIGHT / 2), ink)
        index = Index((x, y), height, height * 0.6, (x, y), height * 0.6)
        for side in (face, face[::-1, ::-1]):
            _print(side, rune(rank, height, 8), index.rank_xy, ink)
        faces[code], indices[code] = face, [index, index.opposite()]
    return Deck("coloured", faces, [backs.draw_back(rng) for _ in range(2)], indices, aspect=0.66)


def strange_deck(rng: np.random.Generator) -> Deck:
    """The 52 faces, with a big sign in the middle of each and an index in two corners."""
    height, size, x, y = 40.0, 30.0, 26.0, 34.0
    faces: dict[str, np.ndarray] = {}
    indices: dict[str, list[Index]] = {}
    for code in CODES:
        rank, suit = code[:-1], code[-1]
        face = np.full((HEIGHT, WIDTH, 3), 248, np.uint8)
        _print(face, sign(suit, 110), (WIDTH / 2, HEIGHT / 2), INKS[suit])
        index = Index((x, y), height, height * 0.6, (x, y + height / 2 + 8 + size / 2), size)
        for side in (face, face[::-1, ::-1]):
            _print(side, rune(rank, height, 6), index.rank_xy, INKS[suit])
            _print(side, sign(suit, size), index.suit_xy, INKS[suit])
        faces[code], indices[code] = face, [index, index.opposite()]
    return Deck("strange", faces, [backs.draw_back(rng) for _ in range(2)], indices, aspect=0.69)


def photograph(deck: Deck, order: Sequence[str], seed: int, columns: int, *, side: int) -> np.ndarray:
    """Cards in rows, laid by hand, in even light: (side, side, 3) uint8 RGB."""
    rng = np.random.default_rng(seed)
    height, rows = 1 / deck.aspect, -(-len(order) // columns)
    laid = [
        layouts.Laid(
            (k % columns - (columns - 1) / 2) * 1.14 + float(rng.normal(0, 0.015)),
            (k // columns - (rows - 1) / 2) * height * 1.12 + float(rng.normal(0, 0.015)),
            float(rng.normal(0, 0.025)),
        )
        for k in range(len(order))
    ]
    painter = scenes.Painter([], [np.full((64, 64, 3), (30, 90, 60), np.uint8)], rng)
    scale = side / (columns * 1.14 + 1)
    view = np.array([[scale, 0, side / 2], [0, scale * 0.96, side / 2], [0, -0.01, 1]])
    shown = replace(deck, faces={code: deck.faces[code] for code in order})
    painter.rng = InOrder(rng, list(order))  # type: ignore[assignment]
    scene = painter.paint(shown, laid, view, size=side, px=scale, hands=0, strange=0, develop=lambda image, *_: image)
    assert len(scene.cards) == len(order)
    return np.asarray(cv2.GaussianBlur(scene.image, (0, 0), 0.6), np.uint8)


class InOrder:
    """A generator whose permutation of the cards is the order told."""

    def __init__(self, rng: np.random.Generator, order: list[str]) -> None:
        self._rng, self._order = rng, order

    def permutation(self, values: list[str]) -> list[str]:
        assert sorted(values) == sorted(self._order)
        return self._order

    def random(self) -> float:
        # No card in the table's colour, none bent, none with a painted edge.
        return 0.999

    def __getattr__(self, name: str) -> object:
        return getattr(self._rng, name)
