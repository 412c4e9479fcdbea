"""A layout carried on from an earlier picture of the same table, where too few cards are left to tell it by themselves,
or where it was put a row or a place beside where it lies.

Cards that both pictures show tell how the table has moved in the picture; then every place lies where it lay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import FACE_DOWN, GONE, Card, Seen
from rules.layouts import LAYOUTS, PILES, STOCK, TURNED
from vision.reading import Quad, SeenCard, TableReading

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settings:
    """When a layout may be carried on. Set by judgement."""

    common: int = 2  # cards, at least, that lie as the earlier picture had them, one of them the same card,
    others: int = (
        3  # or so many that may be other ones, or all there are: of a pyramid that is gone only piles are left
    )
    apart: float = 12.0  # pixels by which corners of such cards may lie off
    near: float = 0.4  # a card so near to a place, in card sides, lies there
    shifted: int = 4  # so many cards, at least, that lie at other places than before, all shifted alike


SETTINGS = Settings()
Places = Mapping[str, Quad]


def places_of(reading: TableReading, before: Places | None = None) -> dict[str, Quad]:
    """Where each place of a layout was seen, in pixels of this picture; those seen only before as they lay then, moved
    as the table has moved: with too few cards to tell how, as these have moved at the mean.
    """
    now = {card.place: card.quad_xy for card in reading.cards}
    missing = {place: quad for place, quad in (before or {}).items() if place not in now}
    if not missing:
        return now
    moved = _moved(before or {}, now)
    if moved is None:
        moved = _shifted(before or {}, now)
    return now | {place: _as_quad(_seen_through(moved, np.array(quad))) for place, quad in missing.items()}


def carried(spread: TableReading, layout: str, known: Mapping[str, Seen], before: Places) -> TableReading | None:
    """A picture read without a layout (`spread`), as one of this layout; None where it does not show enough of the same
    cards. known: what lay at each place; before: where the places lay in the earlier picture.
    """
    at = {card: place for place, card in known.items() if isinstance(card, Card) and place in before}
    shown = {card.card: card.quad_xy for card in spread.cards if card.card in at and not card.doubtful}
    same = [(before[at[card]], quad) for card, quad in shown.items() if isinstance(card, Card)]
    near = _near(spread, before)
    moved = _homography([*same, *near])
    left = sum(seen is not GONE for place, seen in known.items() if place not in PILES)
    enough = min(SETTINGS.others, max(left, SETTINGS.common))
    if moved is None or not (_agreeing(moved, same) or _agreeing(moved, near) >= enough):
        return None
    there = {place: _seen_through(moved, np.array(quad)) for place, quad in before.items()}
    cards: list[SeenCard] = []
    for card in spread.cards:
        # The turned card may lie on the stock: what shows its face there is the one, what shows its back the other.
        beside = TURNED if card.card is FACE_DOWN else STOCK if TURNED in there else None
        place = min(
            (name for name in there if name != beside), key=lambda name: _off(there[name], np.array(card.quad_xy))
        )
        if _off(there[place], np.array(card.quad_xy)) < SETTINGS.near:
            cards = [other for other in cards if other.place != place] + [replace(card, place=place)]
    seen = {card.place: card for card in cards}
    places: dict[str, Seen | bool] = {place: card.card for place, card in seen.items() if place != STOCK}
    for place in there:
        if place not in seen and place != STOCK:
            places[place] = GONE
    for spot in LAYOUTS[layout].spots:
        places.setdefault(spot.place, GONE)
    if STOCK in there and (STOCK in seen or not _is_covered(there[STOCK], cards)):
        places[STOCK] = STOCK in seen and seen[STOCK].card is FACE_DOWN
    doubts = tuple(card.place for card in cards if card.doubtful)
    foreign = tuple(card.place for card in cards if card.foreign)
    return replace(spread, layout=layout, cards=tuple(cards), places=places, doubts=doubts, foreign=foreign)


def _is_covered(place: Doubles, cards: Sequence[SeenCard]) -> bool:
    """Whether a card of another place lies over the middle of this one."""
    x, y = place.mean(0).tolist()
    return any(cv2.pointPolygonTest(np.array(card.quad_xy, np.float32), (x, y), False) >= 0 for card in cards)


def is_shifted(reading: TableReading, known: Mapping[str, Seen]) -> bool:
    """Whether a layout was put a row or a place beside where it lies: more of the cards that are known lie, all shifted
    alike, at other places than at theirs. known: what lay at each place."""
    layout = LAYOUTS[reading.layout or ""]
    at = {spot.place: np.array(layout.centre(spot.at, layout.typical)) for spot in layout.spots}
    lay = {card: at[place] for place, card in known.items() if isinstance(card, Card) and place in at}
    shifts = Counter(
        tuple(np.round(at[card.place] - lay[card.card], 2).tolist())
        for card in reading.cards
        if card.place in at and card.card in lay
    )
    stayed = shifts.pop((0.0, 0.0), 0)
    most = max(shifts.values(), default=0)
    return most >= SETTINGS.shifted and most > stayed


def _agreeing(moved: Doubles, pairs: list[tuple[Quad, Quad]]) -> int:
    """How many of these cards lie where they would if the table has moved so."""
    return sum(_off(_seen_through(moved, np.array(place)), np.array(card)) < SETTINGS.near for place, card in pairs)


def _near(spread: TableReading, before: Places) -> list[tuple[Quad, Quad]]:
    """Places and the cards that lie there if the camera has hardly moved; where it has, they agree with nothing."""
    out = []
    for card in spread.cards:
        place = min(before, key=lambda name: _off(np.array(before[name]), np.array(card.quad_xy)))
        if _off(np.array(before[place]), np.array(card.quad_xy)) < SETTINGS.near:
            out.append((before[place], card.quad_xy))
    return out


def _moved(before: Places, now: Places) -> Doubles | None:
    """How the places moved from one picture to the next."""
    return _homography([(before[place], now[place]) for place in before.keys() & now.keys()])


def _shifted(before: Places, now: Places) -> Doubles:
    """By how much the places both have moved, at the mean: not at all where there are none."""
    pairs = [np.array(now[place]) - np.array(before[place]) for place in before.keys() & now.keys()]
    x, y = np.mean(pairs, (0, 1)) if pairs else (0.0, 0.0)
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def _homography(pairs: list[tuple[Quad, Quad]]) -> Doubles | None:
    """The homography (3, 3) under which these cards lie where they were seen; None where too few do."""
    if len(pairs) < SETTINGS.common:
        return None
    source, target = (np.array([pair[k] for pair in pairs], np.float64).reshape(-1, 2) for k in (0, 1))
    found, kept = cv2.findHomography(source, target, cv2.RANSAC, SETTINGS.apart)
    if found is None or kept.sum() < 4 * SETTINGS.common:
        return None
    return np.asarray(found, np.float64)


def _seen_through(moved: Doubles, corners: Doubles) -> Doubles:
    return np.asarray(cv2.perspectiveTransform(corners[None].astype(np.float64), moved)[0])


def _as_quad(corners: Doubles) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def _off(place: Doubles, card: Doubles) -> float:
    """How far the middle of a card lies from that of a place, in sides of the place."""
    sides = np.column_stack([place[1] - place[0], place[3] - place[0]])
    if abs(np.linalg.det(sides)) < 1e-6:
        return float(np.inf)
    return float(np.abs(np.linalg.solve(sides, card.mean(0) - place.mean(0))).max())
