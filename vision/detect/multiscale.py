"""The search net over a picture at several scales: indices and cards, in pixels of the picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import colour_adaptation, heatmaps, outline_fit
from vision.detect.card_voting import STRIDE, CardFinds, card_votes, group, merge_scales
from vision.detect.heatmaps import Corners
from vision.image.shrunk import Box, Part, Shrunk
from vision.nets.session import Net
from vision.recognize import index_reader
from vision.recognize.index_crops import heights, typical

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How the search net is used."""

    # Longest side of the scale at which cards are sought. On drawn validation tables 94 % of the places were told
    # rightly at 700, 96 % at 800, 97 % at 960.
    whole: int = 960
    least: int = 320  # no scale is coarser; a lone card that fills the picture is found there
    heat: float = 0.25  # of an index, of a corner, and chance that a card shows: kept low on purpose, for the patch net
    # rejects what is no index, a lone corner counts for little, and a missed card is worse than some time
    heights: tuple[float, float] = (6.0, 46.0)  # rank heights in pixels of one scale that the net was trained on
    # On drawn scenes kept out of training the net finds 98 % of the ranks from 9 px up, 95 % at 7 px, 69 % at 5 px.
    clear: float = 9.5  # rank height in pixels of one scale from which a finer scale finds no more
    fine: float = 13.0  # rank height aimed at with a finer scale
    large: float = 28.0  # rank height in pixels of one scale up to which a finer scale gives the better frame
    hot: float = 0.4  # heat of the finds that call for a finer scale; fainter ones are mostly pips and print
    budget: float = 1.9e6  # pixels searched at the finer scale at most, for the time they take


SETTINGS = SearchSettings()


# Points of a card, in half sides, at which it is asked what shows all over it; so near its edges.
INSIDE = 0.8
ALL_OVER = np.array([(a, b) for b in np.linspace(-INSIDE, INSIDE, 7) for a in np.linspace(-INSIDE, INSIDE, 5)])


@dataclass(frozen=True, slots=True)
class Kinds:
    """What shows at each point of a part of the picture: chances (3, h, w) of no card, a face, a back; a cell is
    `cell` pixels wide and high, the first begins at pixel `origin`.
    """

    chances: Floats
    cell: tuple[float, float]
    origin: tuple[float, float] = (0.0, 0.0)

    def at(self, points: NDArray[np.floating]) -> Floats:
        """Chances (n, 3) at pixels (n, 2); no card beyond the part."""
        x, y = (np.floor((points[:, k] - self.origin[k]) / self.cell[k]).astype(int) for k in (0, 1))
        h, w = self.chances.shape[1:]
        inside = (x >= 0) & (y >= 0) & (x < w) & (y < h)
        out = np.zeros((len(points), 3), np.float32)
        out[:, 0] = 1
        out[inside] = self.chances[:, y[inside], x[inside]].T
        return out

    def shares(self, axes: NDArray[np.float64], points: NDArray[np.float64] = ALL_OVER) -> NDArray[np.float64]:
        """Shares (n, 3) of cards with axes (n, 2, 3) in pixels that show as none, a face and a back; points (k, 2):
        where they are looked at, in half sides.
        """
        at = np.einsum("nij,kj->nki", axes[:, :, :2], points) + axes[:, None, :, 2]
        return np.asarray(self.at(at.reshape(-1, 2)).reshape(len(axes), -1, 3).mean(1), np.float64)


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


@dataclass(frozen=True, slots=True)
class Look:
    """One part of the picture at one scale, as the net sees it: its index finds in pixels of the picture, their rank
    heights (n,) in pixels of the scale, and both maps (15, h/4, w/4) and (11, h/8, w/8), the second one if asked for.
    """

    part: Part
    frames: Floats
    heat: Floats
    tall: Floats
    points: Floats
    cards: Floats

    def trained(self, limits: tuple[float, float]) -> NDArray[np.bool_]:
        """Which finds are of a size that the net was trained on."""
        return np.asarray((self.tall >= limits[0]) & (self.tall <= limits[1]))

    def by_colour(self) -> Look:
        """The same with the colours of the picture heard on what shows where."""
        kinds = colour_adaptation.told_by_colour(self.cards[:3], self.part.image, STRIDE)
        return replace(self, cards=np.concatenate([kinds, self.cards[3:]]))

    def kinds(self) -> Kinds:
        """What shows where."""
        x, y = self.part.step
        return Kinds(heatmaps.softmax(self.cards[:3]), (STRIDE * x, STRIDE * y), self.part.origin)

    def corners(self, threshold: float) -> Corners:
        """The corners of cards, in pixels of the picture."""
        return heatmaps.decode_corners(self.points, threshold).moved(self.part.step, self.part.origin)

    def whole_cards(self) -> CardFinds:
        """The cards found as wholes, in pixels of the picture."""
        h, w = self.part.image.shape[:2]
        return group(card_votes(self.cards, (w, h))).moved(self.part.step, self.part.origin)


def search(picture: Bytes | Shrunk, net: Net, settings: SearchSettings = SETTINGS) -> Found:
    """Everything the search net finds in a picture (h, w, 3) uint8 RGB, or in one that was shrunk already.

    A coarse scale says where cards lie; there the picture is searched at the scale `whole`, and what is small even
    at that scale at a finer one.
    """
    shrunk = picture if isinstance(picture, Shrunk) else Shrunk(picture)
    height, width = shrunk.levels[0].shape[:2]
    everything, side = (0, 0, width, height), max(height, width)
    factor = min(1.0, settings.whole / side)
    looks = [_look(shrunk.part(everything, factor), net, settings).by_colour()]
    cards = [looks[0].whole_cards()]
    if _wanting(cards[0]) and side * factor / 2 >= settings.least:
        looks.append(_look(shrunk.part(everything, factor / 2), net, settings).by_colour())
        cards.append(looks[1].whole_cards())
    finer = [looks[0]]
    while (part := _finer(finer[-1], looks, settings)) is not None:
        finer.append(_look(shrunk.part(*part), net, settings, cards=False))
    finds = [*reversed(looks), *finer[1:]]
    fits = [look.trained(settings.heights) for look in finds]
    frames, heat = (
        np.concatenate([getattr(look, name)[which] for look, which in zip(finds, fits, strict=True)])
        for name in ("frames", "heat")
    )
    # Frames of small finds are inexact, so of two finds of a small index that of the finer scale counts.
    rank = np.concatenate(
        [n * (look.tall[which] < settings.large) for n, (look, which) in enumerate(zip(finds, fits, strict=True))]
    )
    keep = distinct(frames, heat + rank, index_reader.SETTINGS.same)
    corners = heatmaps.together([look.corners(settings.heat) for look in finds])
    whole = outline_fit.fitted(merge_scales(cards), corners)
    return Found(frames[keep], heat[keep], corners, whole, looks[0].kinds())


def typical_height(found: Found) -> float:
    """Median rank height in pixels of the picture; 0 where no index was found."""
    return typical(found.frames[found.heat > SETTINGS.hot])


def _look(part: Part, net: Net, settings: SearchSettings, *, cards: bool = True) -> Look:
    """What the net sees of a part; the card map only where it is asked for, for it takes a fifth of the work."""
    points, kinds = (maps[0] for maps in net(padded(part.image), cards=cards))
    found = heatmaps.decode_indices(points, settings.heat)
    frames = found.frames * np.array(part.step, np.float32)[None, :, None]
    frames[:, :, 2] += np.array(part.origin, np.float32)
    return Look(part, frames, found.heat, heights(found.frames), points, kinds)


_MARGIN = 3  # cells added around the region


def _finer(last: Look, looks: list[Look], settings: SearchSettings) -> tuple[Box, float] | None:
    """Which part of the picture to search at a finer scale than the last one, and its factor; None where nothing is
    too small, or where the picture holds no more.

    The first time that is wherever cards show, for of what is small some is missed; then only around what was found.
    """
    which = (last.heat > settings.hot) & (last.tall < settings.clear)
    if not which.any():
        return None
    found = last.frames[which]
    box = _region(looks) if last is looks[0] else _around(last, found)
    pixels = max(1, (box[2] - box[0]) * (box[3] - box[1]))
    wanted = last.part.factor * settings.fine / float(np.median(last.tall[which]))
    factor = min(1.0, wanted, float(np.sqrt(settings.budget / pixels)))
    return (box, factor) if factor > last.part.factor * _FINER else None


_FINER = 1.15  # a scale no finer than this beside the last one shows nothing new
_AROUND = 9  # rank heights looked at around small finds: their neighbours are as small, and may have been missed


def _around(look: Look, found: Floats) -> Box:
    at, reach = found[:, :, 2], _AROUND * heights(found)[:, None]
    return _within(look.part.box, (at - reach).min(0), (at + reach).max(0))


def _region(looks: list[Look]) -> Box:
    """Where cards or indices were seen; the whole picture where none were."""
    kinds = looks[0].kinds()
    ys, xs = np.nonzero(kinds.chances[0] < 1 - SETTINGS.heat)
    cells = np.column_stack([xs + 0.5, ys + 0.5]) * kinds.cell
    at = np.concatenate([cells, *(look.frames[:, :, 2] for look in looks)])
    if not len(at):
        return looks[0].part.box
    margin = _MARGIN * np.array(kinds.cell)
    return _within(looks[0].part.box, at.min(0) - margin, at.max(0) + margin)


def _within(box: Box, low: NDArray[np.floating], high: NDArray[np.floating]) -> Box:
    """The box from `low` to `high` (x, y), as far as it lies in another."""
    left, top = np.maximum(low, box[:2]).astype(int)
    right, bottom = np.minimum(np.ceil(high), box[2:]).astype(int)
    return int(left), int(top), int(right), int(bottom)


def padded(picture: Bytes) -> Floats:
    """Input of the search net: (1, 3, h, w) float32 in -0.5..0.5, padded right and below to multiples of 32."""
    h, w = picture.shape[:2]
    # Padded with black.
    out = np.full((1, 3, -(-h // 32) * 32, -(-w // 32) * 32), -0.5, np.float32)
    for plane, channel in zip(out[0, :, :h, :w], cv2.split(picture), strict=True):
        np.multiply(channel, np.float32(1 / 255), out=plane)
        plane -= 0.5
    return out


def _wanting(cards: CardFinds) -> bool:
    """Whether a coarser scale may hold more cards: few were found, or large ones."""
    return len(cards) < _FEW or float(np.quantile(cards.net_width, _MOST)) >= _LARGE


# With this many cards found, most of them less wide than this at its scale, a coarser scale has nothing to add: cards
# of one table are of one size, and what seems larger than the others is two that lie side by side.
_FEW, _LARGE, _MOST = 3, 110.0, 0.9


def distinct(frames: Floats, worth: Floats, near: float) -> NDArray[np.intp]:
    """Which finds to keep so that no two lie within `near` rank heights of each other: those worth most."""
    if not len(frames):
        return np.zeros(0, np.intp)
    tall, at = heights(frames), frames[:, :, 2]
    apart = np.linalg.norm(at[:, None] - at[None], axis=2)
    close = apart <= near * np.minimum(tall[:, None], tall[None])
    left, kept = np.ones(len(frames), bool), []
    for k in np.argsort(-worth):
        if left[k]:
            kept.append(int(k))
            left &= ~close[k]
    return np.array(kept, np.intp)
