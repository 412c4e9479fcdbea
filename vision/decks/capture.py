"""From photographs of a deck laid out in a told order to the windows it is learnt from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.cards import Card
from vision.cards import bodies, homography
from vision.cards.bodies import Bodies
from vision.decks import augmentation, index_locator
from vision.decks.augmentation import MARGIN
from vision.decks.profile import Lesson, ProfileError
from vision.detect import multiscale, outline_fit
from vision.detect.multiscale import Found
from vision.image.shrunk import Shrunk
from vision.nets.session import Net
from vision.recognize import card_frame, index_crops, index_reader
from vision.recognize.index_reader import CARDS, NONE, READ, Readings

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a photograph of a lesson shows. Set by judgement, tried on drawn decks."""

    row: float = 0.5  # cards whose middles lie so far (in card heights) above or below one another are of other rows
    plain: float = 0.4  # one with less than this share of the usual witnesses is none: laid out they all lie open
    same: float = 0.4  # two cards of a lesson, laid side by side, share no more than this of each other
    few: int = 4  # of so few cards no rows are made: they are shown from left to right,
    outlined: int = 3  # each with so many of its corners in sight
    astray: float = 0.3  # a find whose window's middle is so far (half sides) from the deck's index's is something else
    found: float = 0.15  # what the finds of fewer ends than this share have in common may be chance
    mostly: float = 0.6  # usual readings that were read contradict where this share of them does;
    other: float = 0.9  # if so many of these are different cards, they lie in another order
    shown: int = 6  # of which so many are named
    others: int = 104  # indices beside which it is looked for what is none,
    beside: tuple[float, float] = (0.8, 2.5)  # so many rank heights away,
    sized: float = 2.2  # or in windows so many times too large or too small


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Laid:
    """The cards of one photograph in the order they lie, rows from the top: the axes (2, 3) of each, and how many each
    row has; `upright`: the rows run across the picture.
    """

    picture: Shrunk
    found: Found
    readings: Readings
    axes: list[Doubles]
    rows: tuple[int, ...]
    upright: bool

    def turned(self) -> Laid:
        """The same photograph seen from the other side of the table."""
        axes = [card_frame.over(a) for a in reversed(self.axes)]
        return Laid(self.picture, self.found, self.readings, axes, self.rows[::-1], self.upright)


def laid(image: Bytes, search: Net, patch: Net) -> Laid:
    """The cards of a photograph (h, w, 3) uint8 RGB, in rows; raises ProfileError (no-rows) where none are seen."""
    shrunk = Shrunk(image)
    found = multiscale.search(shrunk, search)
    readings = index_reader.read(shrunk, found.frames, patch)
    few = int((found.cards.face > 0.5).sum()) <= SETTINGS.few
    plane = None if few else homography.rectify(found.cards, found.corners)
    if plane is None:
        return _shown(shrunk, found, readings)
    seen = bodies.bodies(plane, found.cards, found.corners)
    seen = seen.take(_apart(seen))
    middles = seen.middle[seen.weight > SETTINGS.plain * float(np.median(seen.weight))] if len(seen) else seen.middle
    if not len(middles):
        raise ProfileError("no-rows")
    rows: list[list[Doubles]] = []
    for middle in middles[np.argsort(middles[:, 1])]:
        if rows and abs(middle[1] - np.mean([m[1] for m in rows[-1]])) < SETTINGS.row:
            rows[-1].append(middle)
        else:
            rows.append([middle])
    ordered = [middle for row in rows for middle in sorted(row, key=lambda m: float(m[0]))]
    half = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    axes = [card_frame.axes_of(plane.pixels(middle + half)) for middle in ordered]
    right = np.mean([a[:, 0] for a in axes], axis=0)
    flipped = [card_frame.over(a) for a in reversed(axes)]
    lengths = tuple(len(row) for row in rows)
    if right[0] < 0:
        axes, lengths = flipped, lengths[::-1]
    return Laid(shrunk, found, readings, axes, lengths, bool(abs(right[0]) > abs(right[1])))


def _apart(seen: Bodies) -> NDArray[np.intp]:
    """Which cards to believe in: those with witnesses enough, and of two that lie mostly over one another the one with
    more (a card laid askew is seen twice, for its corners agree on no middle).
    """
    kept: list[int] = []
    for number in np.argsort(-seen.weight):
        off = np.abs(seen.middle[kept] - seen.middle[number]) if kept else np.ones((1, 2))
        if (
            seen.weight[number] >= bodies.SETTINGS.needed
            and float(np.maximum(1 - off, 0).prod(1).max()) < SETTINGS.same
        ):
            kept.append(int(number))
    return np.array(sorted(kept), np.intp)


def _shown(shrunk: Shrunk, found: Found, readings: Readings) -> Laid:
    """The cards of a photograph of a few, from left to right; raises ProfileError: no-rows where none are seen,
    wrong-count where some are not seen well.
    """
    faces = found.cards.take(np.flatnonzero(found.cards.face > 0.5))
    if not len(faces):
        raise ProfileError("no-rows")
    clear = int((outline_fit.held(faces, found.corners) >= SETTINGS.outlined).sum())
    if clear < len(faces):
        raise ProfileError("wrong-count", f"{clear} ≠ {len(faces)}")
    axes = [card_frame.axes_of(quad) for quad in faces.quads()]
    axes = sorted((card_frame.over(a) if a[1, 1] < 0 else a for a in axes), key=lambda a: float(a[0, 2]))
    return Laid(shrunk, found, readings, axes, (len(axes),), upright=True)


def checked(photograph: Laid, told: Sequence[Card]) -> Laid:
    """The photograph turned the right way for cards told in this order; raises ProfileError: which-way, other-order."""
    return photograph if len(photograph.axes) <= SETTINGS.few else _right_way(photograph, list(told))


def lesson(photographs: Sequence[Laid], order: Sequence[Card]) -> Lesson:
    """What these photographs teach when their cards lie in this order, one photograph after the other.

    Raises ProfileError: wrong-count (not as many cards as told), which-way (it cannot be told which row is the first),
    other-order (cards the nets read surely are not those told).
    """
    count = sum(len(p.axes) for p in photographs)
    if count != len(order):
        rows = "; ".join(" + ".join(str(n) for n in p.rows) for p in photographs)
        raise ProfileError("wrong-count", f"{count} ≠ {len(order)} ({rows})")
    parts, at = [], 0
    for photograph in photographs:
        told = list(order[at : at + len(photograph.axes)])
        at += len(told)
        parts.append((checked(photograph, told), told))
    printed = index_locator.imprint([p.picture for p, _ in parts], [p.axes for p, _ in parts])
    place = printed.frame
    offset = _offset([p for p, _ in parts], place)
    indices, cards, others = [], [], []
    rng = np.random.default_rng(0)
    for photograph, told in parts:
        frames, owners = _indices(photograph, place)
        indices.append(index_crops.cut(photograph.picture, frames, MARGIN))
        cards += [told[k] for k in owners]
        others.append(index_crops.cut(photograph.picture, _others(photograph, frames, rng), MARGIN))
    windows = np.concatenate(indices)
    others.append(augmentation.patterns(windows, rng))
    return Lesson(windows, tuple(cards), np.concatenate(others), place, printed.extent, offset)


def _agreement(photograph: Laid, told: list[Card]) -> tuple[int, list[tuple[int, Card]]]:
    """How many cards the nets surely read as told, and those they surely read as others: (number, card).

    A card that was surely seen where it was told is in no other place: there the nets misread.
    """
    owner = card_frame.owners(np.array(photograph.axes).reshape(-1, 2, 3), photograph.readings)
    agreed: set[Card] = set()
    others = []
    for number in range(len(told)):
        mine = photograph.readings.beliefs[owner == number]
        belief = index_reader.combined(mine)[:NONE]
        if len(mine) and float(belief.max()) > READ and int(belief.argmax()) < len(CARDS):
            card = CARDS[int(belief.argmax())]
            if card == told[number]:
                agreed.add(card)
            else:
                others.append((number, card))
    return len(agreed), [(number, card) for number, card in others if card not in agreed]


def _right_way(photograph: Laid, told: list[Card]) -> Laid:
    """The photograph turned so that what the nets read surely fits the order told."""
    turned = photograph.turned()
    (right, wrong), (other_right, other_wrong) = _agreement(photograph, told), _agreement(turned, told)
    if other_right > right + 2:
        photograph, right, wrong = turned, other_right, other_wrong
    elif not photograph.upright and right <= other_right + 2:
        raise ProfileError("which-way")
    # A deck that the nets read: what they surely read otherwise lies otherwise.
    if (
        len(wrong)
        and (right + len(wrong)) > SETTINGS.mostly * len(told)
        and (right > 2 * len(wrong) or _one_deck(wrong))
    ):
        ends = np.cumsum(photograph.rows)
        named = []
        for number, card in wrong[: SETTINGS.shown]:
            row = int(np.searchsorted(ends, number, side="right"))
            column = number - int(ends[row] - photograph.rows[row]) + 1
            named.append(f"{row + 1}/{column}: {card} ≠ {told[number]}")
        raise ProfileError("other-order", "; ".join(named))
    return photograph


def _one_deck(wrong: list[tuple[int, Card]]) -> bool:
    """Whether cards read otherwise than told are all different, as those of one deck are: then the order is another."""
    return len({card for _, card in wrong}) > SETTINGS.other * len(wrong)


def _offset(photographs: list[Laid], place: Doubles) -> Doubles:
    """The correction (6,) that mostly leads from the search net's finds on this deck to its index frames."""
    seen = []
    for p in photographs:
        for axes in p.axes:
            for end in index_locator.both(axes):
                inside = card_frame.inside(end, p.found.frames)
                off = np.linalg.norm(_middles(inside) - _middles(place[None]), axis=1)
                off = np.where(inside[:, 1, 1] > 0, off, np.inf)
                if len(off) and float(off.min()) < SETTINGS.astray:
                    best = inside[int(off.argmin())].astype(np.float32)
                    seen.append(index_crops.correction(best, place.astype(np.float32)))
    ends = 2 * sum(len(p.axes) for p in photographs)
    return np.median(seen, axis=0).astype(np.float64) if len(seen) > SETTINGS.found * ends else np.zeros(6)


def _middles(frames: NDArray[np.floating]) -> Doubles:
    """The middles (n, 2) of the windows of frames (n, 2, 3)."""
    return np.asarray(frames @ np.array([*index_locator.MIDDLE, 1.0]), np.float64)


def _indices(photograph: Laid, place: Doubles) -> tuple[Floats, list[int]]:
    """Frames (n, 2, 3) on both indices of every card, and whose they are."""
    frames = [card_frame.looked_for(axes, place, (False, True)) for axes in photograph.axes]
    return np.concatenate(frames), [number for number in range(len(photograph.axes)) for _ in range(2)]


def _others(photograph: Laid, frames: Floats, rng: np.random.Generator) -> Floats:
    """Frames (m, 2, 3) on what is no index: beside indices, turned, far too large or small, and anywhere."""
    some = frames[rng.permutation(len(frames))[: SETTINGS.others]]
    n = len(some)
    angle, far = rng.uniform(0, 2 * np.pi, n), rng.uniform(*SETTINGS.beside, n)
    beside = some.copy()
    beside[:, :, 2] += some[:, :, 0] * (np.cos(angle) * far)[:, None] + some[:, :, 1] * (np.sin(angle) * far)[:, None]
    # An index whose suit stands over its rank looks like one of another deck from the other side.
    turned = some.copy()
    turned[:, :, 2] = _middles(some)
    turned[:, :, :2] *= -1
    turned[:, :, 2] = 2 * turned[:, :, 2] - _middles(turned)
    across = some.copy()
    across[:, :, 0], across[:, :, 1] = some[:, :, 1], -some[:, :, 0]
    sized = some.copy()
    sized[:, :, :2] *= np.where(rng.random(n) < 0.5, 1 / SETTINGS.sized, SETTINGS.sized)[:, None, None]
    anywhere = some.copy()
    h, w = photograph.picture.levels[0].shape[:2]
    anywhere[:, :, 2] = rng.uniform(0, 1, (n, 2)) * [w, h]
    near = np.linalg.norm(anywhere[:, None, :, 2] - frames[None, :, :, 2], axis=2).min(1)
    anywhere = anywhere[near > index_crops.heights(anywhere)]
    return np.concatenate([beside, turned, across[: n // 2], sized, anywhere]).astype(np.float32)
