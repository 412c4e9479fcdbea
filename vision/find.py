"""The search net over a picture at several scales: indices and cards, in pixels of the picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import decode
from vision.decode import Corners
from vision.instances import CardFinds, Votes, card_votes, group, merge_scales
from vision.net import Net
from vision.windows import heights

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How the search net is used."""

    longest: int = 1600  # longest side of the largest scale; printed ranks of 10 px need the pixels, more costs time
    smallest: int = 360  # longest side of the smallest scale: a lone card that fills the picture is found there
    heat: float = 0.25  # kept low on purpose: the patch net rejects what is no index
    corner: float = 0.25  # heat of a card's corner; a lone corner counts for little
    heights: tuple[float, float] = (6.0, 46.0)  # rank heights in pixels of one scale that the net was trained on
    cards: int = 1000  # longest side of the scales at which whole cards are sought: they need no fine print
    near: float = 0.45  # two finds closer than this many rank heights are one


SETTINGS = SearchSettings()


@dataclass(frozen=True, slots=True)
class Kinds:
    """What shows at each point of the picture: chances (3, h, w) of no card, a face, a back; a cell is `cell`
    pixels wide and high.
    """

    chances: Floats
    cell: tuple[float, float]

    def at(self, points: NDArray[np.floating]) -> Floats:
        """Chances (n, 3) at pixels (n, 2); no card beyond the picture."""
        x, y = (np.floor(points[:, k] / self.cell[k]).astype(int) for k in (0, 1))
        h, w = self.chances.shape[1:]
        inside = (x >= 0) & (y >= 0) & (x < w) & (y < h)
        out = np.zeros((len(points), 3), np.float32)
        out[:, 0] = 1
        out[inside] = self.chances[:, y[inside], x[inside]].T
        return out


@dataclass(frozen=True, slots=True)
class Found:
    """Index frames (n, 2, 3) with heat (n,), the corners of cards and the cards themselves, all in pixels of the
    picture.
    """

    frames: Floats
    heat: Floats
    corners: Corners
    cards: CardFinds
    kinds: Kinds


def scales_of(height: int, width: int, settings: SearchSettings = SETTINGS) -> list[float]:
    """Factors at which the picture is searched, the largest first, each half the one before."""
    side = max(height, width)
    factor = min(1.0, settings.longest / side)
    factors = [factor]
    while factors[-1] * side / 2 >= settings.smallest:
        factors.append(factors[-1] / 2)
    return factors


def search(picture: Bytes, net: Net, settings: SearchSettings = SETTINGS) -> Found:
    """Everything the search net finds in a picture (h, w, 3) uint8 RGB.

    The coarse scales come first and say where cards lie; the finest is searched only there.
    """
    frames, heat, votes, corners, kinds = [], [], [], [], []
    region: Box | None = None
    for factor in reversed(scales_of(picture.shape[0], picture.shape[1], settings)):
        size = (round(picture.shape[1] * factor), round(picture.shape[0] * factor))
        coarse = max(size) <= max(settings.cards, settings.smallest * 2)
        x, y = picture.shape[1] / size[0], picture.shape[0] / size[1]
        box = (0, 0, *size) if coarse or region is None else _scaled(region, 1 / x, 1 / y, size)
        point_map, card_map = net(padded(_part(picture, box, size)))
        found = decode.decode_indices(point_map[0], settings.heat)
        h = heights(found.frames)
        fits = (h >= settings.heights[0]) & (h <= settings.heights[1])
        at = found.frames[fits]
        at[:, :, 2] += box[:2]
        frames.append(at * np.array([x, y], np.float32)[None, :, None])
        heat.append(found.heat[fits])
        if coarse:
            votes.append((card_votes(card_map[0], size), x, y))
            kinds.append(Kinds(decode.softmax(card_map[0][:3]), (8 * x, 8 * y)))
            corners.append(decode.decode_corners(point_map[0], settings.corner).scaled(x, y))
            region = _region(kinds[-1], frames, picture.shape[:2])
    merged = np.concatenate(frames), np.concatenate(heat)
    keep = distinct(*merged, settings.near)
    return Found(merged[0][keep], merged[1][keep], decode.together(corners), _cards(votes), kinds[-1])


Box = tuple[int, int, int, int]  # left, top, right, bottom in pixels
# A cell belongs to the searched region if a card shows there with this chance; low, for a missed card is worse than
# some time.
_SHOWS = 0.25
_MARGIN = 3  # cells added around the region


def _region(kinds: Kinds, frames: list[Floats], shape: tuple[int, int]) -> Box | None:
    """Where in the picture cards or indices were seen at the coarse scales; None where nothing was."""
    ys, xs = np.nonzero(kinds.chances[0] < 1 - _SHOWS)
    at = np.concatenate([f[:, :, 2] for f in frames])
    xs = np.concatenate([(xs + 0.5) * kinds.cell[0], at[:, 0]])
    ys = np.concatenate([(ys + 0.5) * kinds.cell[1], at[:, 1]])
    if not len(xs):
        return None
    x, y = _MARGIN * kinds.cell[0], _MARGIN * kinds.cell[1]
    h, w = shape
    return max(0, int(xs.min() - x)), max(0, int(ys.min() - y)), min(w, int(xs.max() + x)), min(h, int(ys.max() + y))


def _scaled(box: Box, x: float, y: float, size: tuple[int, int]) -> Box:
    """A box at another scale, on even pixels, inside a picture of `size` (width, height)."""
    left, top = int(box[0] * x) // 2 * 2, int(box[1] * y) // 2 * 2
    return left, top, min(size[0], int(np.ceil(box[2] * x))), min(size[1], int(np.ceil(box[3] * y)))


def _part(picture: Bytes, box: Box, size: tuple[int, int]) -> Bytes:
    """The part in `box` of the picture scaled to `size` (width, height)."""
    h, w = picture.shape[:2]
    if (w, h) != size:
        x, y = w / size[0], h / size[1]
        cut = picture[round(box[1] * y) : round(box[3] * y), round(box[0] * x) : round(box[2] * x)]
        return np.asarray(cv2.resize(cut, (box[2] - box[0], box[3] - box[1]), interpolation=cv2.INTER_AREA), np.uint8)
    return picture[box[1] : box[3], box[0] : box[2]]


def padded(picture: Bytes) -> Floats:
    """Input of the search net: (1, 3, h, w) float32 in 0..1, padded right and below to multiples of 32."""
    h, w = picture.shape[:2]
    out = np.zeros((1, 3, -(-h // 32) * 32, -(-w // 32) * 32), np.float32)
    np.multiply(picture.transpose(2, 0, 1), np.float32(1 / 255), out=out[0, :, :h, :w])
    return out


def _cards(votes: list[tuple[Votes, float, float]]) -> CardFinds:
    """The cards of the coarse scales, coarsest first in `votes`; the coarser ones are asked only for what is large
    or missing.
    """
    found: list[CardFinds] = []
    for scale, x, y in reversed(votes):
        found.append(group(scale).scaled(x, y))
        if len(found[-1]) >= _FEW and float(found[-1].net_width.max()) < _LARGE:
            break
    return merge_scales(found)


# With this many cards found, none of them wider than this at its scale, a coarser scale has nothing to add.
_FEW, _LARGE = 3, 110.0


def distinct(frames: Floats, heat: Floats, near: float) -> NDArray[np.intp]:
    """Which finds to keep so that no two lie within `near` rank heights of each other: the hotter ones."""
    if not len(frames):
        return np.zeros(0, np.intp)
    tall, at = heights(frames), frames[:, :, 2]
    apart = np.linalg.norm(at[:, None] - at[None], axis=2)
    close = apart <= near * np.minimum(tall[:, None], tall[None])
    left, kept = np.ones(len(frames), bool), []
    for k in np.argsort(-heat):
        if left[k]:
            kept.append(int(k))
            left &= ~close[k]
    return np.array(kept, np.intp)
