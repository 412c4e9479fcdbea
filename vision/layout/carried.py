"""A layout carried on from an earlier picture of the same table, where too few cards are left to tell it by themselves,
or where it was put beside where it lies.

Cards that both pictures show tell how the table has moved in the picture; then every place lies where it lay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import GONE, Card, Seen
from rules.layouts import LAYOUTS, PILES, TURNED, parse_pyramid_place
from rules.rows.places import SIDES, Stack, base_place, parse_place
from rules.rows.shapes import BASES
from vision.layout import in_place
from vision.layout.by_hand import ByHand, corners_of
from vision.posterior.spotted import quad
from vision.reading import Quad, SeenCard, TableReading

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settings:
    """When a layout may be carried on. Set by judgement."""

    common: int = 2  # cards, at least, that lie as the earlier picture had them, one of them the same card,
    others: int = 3  # or so many that may be other ones, or all there are: of a pyramid that is gone piles are left,
    last: int = 4  # or, where no more cards than this are left, all that are seen
    apart: float = 12.0  # pixels by which corners of such cards may lie off
    unsure: float = 2.0  # pixels by which they are seen to lie off where they do not
    thrown: float = 4.0  # and by which their middles do where the picture has only moved
    told: float = 20.0  # a card is told if it is so many times as likely as any other
    spots: int = 5  # cards, at least, of which it is seen where the others would lie
    shifted: int = 3  # so many cards, at least, told at places that lie elsewhere


SETTINGS = Settings()
Places = Mapping[str, Quad]


def places_of(reading: TableReading, before: Places | None = None) -> dict[str, Quad]:
    """Where each place of a layout was seen, in pixels of this picture; those seen only before, or in doubt now, as
    they lay then, moved as the table has moved: with too few cards to tell how, as these have moved at the mean.
    """
    before = before or _by_geometry(reading)
    now = {card.place: card.quad_xy for card in reading.cards if not card.doubtful or card.place not in before}
    if before.keys() <= now.keys():
        return now
    moved = _moved(before, now)
    if moved is None:
        moved = _shifted(before, now)
    return {**_moved_by(moved, before), **now}


def _by_geometry(reading: TableReading) -> dict[str, Quad]:
    """Where all places of a pyramid lie, by those of which cards were seen."""
    layout = LAYOUTS.get(reading.layout or "")
    at = {spot.place: layout.centre(spot.at) for spot in layout.spots} if layout and not layout.lines else {}
    seen = {card.place: np.array(card.quad_xy) for card in reading.cards if card.place in at}
    if len(seen) < SETTINGS.spots:
        return {}
    units = np.array([at[place] for place in seen])
    found, _ = cv2.findHomography(units, np.array([card.mean(0) for card in seen.values()]))
    if found is None:
        return {}
    middles = cv2.perspectiveTransform(np.array(list(at.values()))[None], found)[0]
    shape = np.mean([card - card.mean(0) for card in seen.values()], axis=0)
    return {place: quad(shape + middle) for place, middle in zip(at, middles, strict=True)}


def carried_places(spread: TableReading, known: Mapping[str, Seen], before: Places) -> dict[str, Quad] | None:
    """Where the places lie in a picture read without a layout (`spread`); None where it does not show enough of the
    same cards. known: what lay at each place; before: where the places lay in the earlier picture. A card of a pyramid
    that was slid aside takes its place along.
    """
    # The turned card tells nothing: it lies on the waste once the next one is turned.
    lay = {place: card for place, card in known.items() if place in before and place != TURNED}
    at = {card: place for place, card in lay.items() if isinstance(card, Card)}
    shown = {card.card: card.quad_xy for card in spread.cards if card.card in at and _is_told(card)}
    same = [(before[at[card]], there) for card, there in shown.items() if isinstance(card, Card)]
    left = sum(seen is not GONE for place, seen in known.items() if place not in PILES)
    moved = _tracked(spread, same, left, before)
    if moved is None:
        # At the end of a game hardly a card is left to tell how the camera moved; mostly it hardly has.
        sure = [card for card in spread.cards if not card.doubtful]
        near = _near(sure, before)
        if left > SETTINGS.last or not 0 < len(near) == len(sure) < SETTINGS.others:
            return None
        moved = _shift(near)
    there = _moved_by(moved, before)
    for card, now in shown.items():
        place, lies = at[card], np.array(now).mean(0)
        # In a line of cards those beyond one that was drawn from amid move up to other places.
        if not parse_pyramid_place(place):
            continue
        if in_place.SETTINGS.near < _off(np.array(there[place]), np.array(now)) < in_place.SETTINGS.loose:
            there[place] = quad(np.array(there[place]) + lies - np.array(there[place]).mean(0))
    return there


def _tracked(spread: TableReading, same: list[tuple[Quad, Quad]], left: int, before: Places) -> Doubles | None:
    """How the table has moved, by the cards that are the same and those that lie where places do; None where these are
    too few. left: how many cards lay in the layout before."""
    # A back is like the next one, so what lies near is no witness where cards tell how far all has moved.
    moved = _homography(same) if len(same) >= SETTINGS.others else None
    if moved is None or _agreeing(moved, same) < SETTINGS.others:
        moved = _homography([*same, *_near(spread.cards, before)])
    # A single card tells about how far all has moved, and by that which others lie where places do.
    moved = _shift(same) if moved is None and same else moved
    if moved is None:
        return None
    near = _near(spread.cards, _moved_by(moved, before), before)
    moved = _homography([*same, *near]) if len(near) >= SETTINGS.common else None
    enough = min(SETTINGS.others, max(left, SETTINGS.common))
    enough_agree = moved is not None and (_agreeing(moved, same) or _agreeing(moved, near) >= enough)
    return moved if enough_agree else None


def _is_told(card: SeenCard) -> bool:
    """Whether it is told which card it is, though it may be in doubt to which place it belongs."""
    likely = sorted((chance for _, chance in card.alternatives), reverse=True)
    return not card.doubtful or (len(likely) > 1 and likely[0] > SETTINGS.told * likely[1])


def _moved_by(moved: Doubles, places: Places) -> dict[str, Quad]:
    return {place: quad(_seen_through(moved, np.array(there))) for place, there in places.items()}


def carried(spread: TableReading, layout: str, there: Places, known: Mapping[str, Seen]) -> TableReading:
    """A picture read without a layout (`spread`), as one of lines of cards: each of its cards on the place on which it
    lies. there: where the places lie in this picture; known: what lay at each."""
    near, places = [], (*there.items(), *_next(there, layout))
    for number, card in enumerate(spread.cards):
        for place, where in places:
            off = _off(np.array(where), np.array(card.quad_xy))
            if isinstance(card.card, Card) and known.get(place) == card.card and off < in_place.SETTINGS.loose:
                # What lay at a place is told there first: cards laid upon each other are near several places.
                near.append((off - in_place.SETTINGS.loose, place, number))
            elif off < in_place.SETTINGS.near:
                near.append((off, place, number))
    lying = in_place.nearest_first(near)
    cards = {place: replace(spread.cards[number], place=place) for place, number in lying.items()}
    empty = dict.fromkeys((*there, *(spot.place for spot in LAYOUTS[layout].spots)), GONE)
    return replace(
        spread,
        layout=layout,
        cards=tuple(cards.values()),
        places={**empty, **{place: card.card for place, card in cards.items()}},
        doubts=tuple(place for place, card in cards.items() if card.doubtful),
        foreign=tuple(place for place, card in cards.items() if card.foreign),
    )


def _next(there: Places, layout: str) -> Iterator[tuple[str, Quad]]:
    """Of each line of cards the place after the last one known, at which the next card would come to lie."""
    for line in LAYOUTS[layout].lines:
        known = [np.array(there[place]) for n in range(1, len(there) + 1) if (place := line.stack.place(n)) in there]
        # Where a place between two was never seen they tell no step.
        if len(known) > 1 and line.stack.place(len(known)) in there:
            step = (known[-1] - known[0]) / (len(known) - 1)
            yield line.stack.place(len(known) + 1), quad(known[-1] + step)


def is_elsewhere(reading: TableReading, there: Places) -> bool:
    """Whether a layout was put where it does not lie: some of its cards are told at places that lie elsewhere."""
    told = [card for card in reading.cards if card.place in there and card.place not in PILES]
    off = [_off(np.array(there[card.place]), np.array(card.quad_xy)) for card in told]
    return sum(each > in_place.SETTINGS.near for each in off) >= SETTINGS.shifted


def pointed_out(layout: str, there: Places, reading: TableReading) -> ByHand | None:
    """Half rows as a person would point them out, by where their places lie and how far the cards reach that were read;
    None where it is not known where the first and the last base lie: by themselves, or between the cards beside them.
    """
    middle = {place: np.array(at).mean(0) for place, at in there.items()}
    column = []
    for row in (1, BASES):
        beside = [middle[place] for side in SIDES if (place := Stack("half", side, row).place(1)) in middle]
        if base_place(row) in middle:
            column.append(middle[base_place(row)])
        elif len(beside) == len(SIDES):
            column.append(np.mean(beside, axis=0))
    if len(column) < 2:
        return None
    (x, y), cards = column[1] - column[0], np.array([card.quad_xy for card in reading.cards]).mean(1)
    across = cards @ [y, -x]
    points = zip(corners_of(layout), (*column, cards[across.argmin()], cards[across.argmax()]), strict=True)
    return ByHand(layout, {name: (float(x), float(y)) for name, (x, y) in points})


def with_piles(there: Places, reading: TableReading) -> dict[str, Quad]:
    """The places, its piles where the reading tells them, if they were not seen before or have not moved far; a card of
    the layout that it takes for a pile is none."""
    spots = [spot for place, spot in there.items() if place not in PILES]
    piles = [card for card in reading.cards if card.place in PILES and not any(_is_at(spot, card) for spot in spots)]
    near = [card for card in piles if _is_at(there.get(card.place, card.quad_xy), card, in_place.SETTINGS.loose)]
    return {**there, **{card.place: card.quad_xy for card in near}}


def agreeing(reading: TableReading, known: Mapping[str, Seen]) -> int:
    """At how many places of a layout a reading tells what lay there before."""
    return sum(reading.places.get(place) == seen for place, seen in known.items() if place not in PILES)


def regrouped(reading: TableReading, known: Mapping[str, Seen], there: Places) -> TableReading:
    """A reading of lines of cards; cards that it tells at the end of a line, or beside the layout, but that lie where
    those of another line lay are told in that one. A long row may reach as far as a column lies, and a short column
    seems no line. known: what lay at each place; there: where the places lie in this picture."""
    told = {card.place for card in reading.cards}
    free = [place for place in there if place not in told and parse_place(place) and isinstance(known.get(place), Card)]
    names = {}
    for card in reading.cards:
        stack = parse_place(card.place)
        is_last = stack is None or stack[0].place(stack[1] + 1) not in told
        if not free or not is_last or _is_at(there.get(card.place), card):
            continue
        place = min(free, key=lambda name: _off(np.array(there[name]), np.array(card.quad_xy)))
        if _is_at(there[place], card):
            names[card.place] = place
            free.remove(place)
    return _renamed(reading, names)


def _is_at(place: Quad | None, card: SeenCard, near: float = in_place.SETTINGS.near) -> bool:
    """Whether a card lies at a place, where it is known where that is."""
    return place is not None and _off(np.array(place), np.array(card.quad_xy)) < near


def _renamed(reading: TableReading, names: Mapping[str, str]) -> TableReading:
    """The same reading with other names of some places."""
    if not names:
        return reading
    cards = tuple(replace(card, place=names.get(card.place, card.place)) for card in reading.cards)
    places = {place: seen for place, seen in reading.places.items() if place not in names}
    return replace(
        reading,
        cards=cards,
        places=places | {card.place: card.card for card in cards if card.place in names.values()},
        doubts=tuple(names.get(place, place) for place in reading.doubts),
        foreign=tuple(names.get(place, place) for place in reading.foreign),
    )


def _agreeing(moved: Doubles, pairs: list[tuple[Quad, Quad]]) -> int:
    """How many of these cards lie where they would if the table has moved so."""
    return sum(
        _off(_seen_through(moved, np.array(place)), np.array(card)) < in_place.SETTINGS.near for place, card in pairs
    )


def _near(cards: Sequence[SeenCard], there: Places, before: Places | None = None) -> list[tuple[Quad, Quad]]:
    """Places and the cards that lie there now: each place as it lay ``before`` (``there``, if not given)."""
    out = []
    for card in cards if there else ():
        place = min(there, key=lambda name: _off(np.array(there[name]), np.array(card.quad_xy)))
        if _is_at(there[place], card):
            out.append(((before or there)[place], card.quad_xy))
    return out


def _moved(before: Places, now: Places) -> Doubles | None:
    """How the places moved from one picture to the next: as those of the layout, as far as there are enough, for cards
    are thrown upon piles less carefully."""
    both = [place for place in before if place in now]
    laid = [place for place in both if place not in PILES]
    return _homography([(before[place], now[place]) for place in (laid if len(laid) >= SETTINGS.others else both)])


def _shifted(before: Places, now: Places) -> Doubles:
    """By how much the places both have moved, at the mean: not at all where there are none."""
    return _shift([(before[place], now[place]) for place in before if place in now])


def _shift(pairs: list[tuple[Quad, Quad]]) -> Doubles:
    moves = [np.array(now) - np.array(was) for was, now in pairs]
    x, y = np.mean(moves, (0, 1)) if moves else (0.0, 0.0)
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def _homography(pairs: list[tuple[Quad, Quad]]) -> Doubles | None:
    """The homography (3, 3) under which these cards lie where they were seen; None where too few do. One that only
    turns, moves and enlarges is taken where it is as near, and one that only moves where the middles of all cards are
    near enough then: few cards tell little of places far from them."""
    if len(pairs) < SETTINGS.common:
        return None
    cards = _alike_way_up(pairs)
    moves = cards[1].mean(1) - cards[0].mean(1)
    if np.sqrt(np.square(moves - moves.mean(0)).sum(1).mean()) < SETTINGS.thrown:
        return _shift(pairs)
    source, target = (each.reshape(-1, 2) for each in cards)
    found, kept = cv2.findHomography(source, target, cv2.RANSAC, SETTINGS.apart)
    if found is None or kept.sum() < 4 * SETTINGS.common:
        return None
    source, target = source[kept.ravel() > 0], target[kept.ravel() > 0]
    plain, _ = cv2.estimateAffinePartial2D(source, target, method=cv2.LMEDS)
    ways = [np.asarray(found, np.float64)]
    if plain is not None:
        ways.append(np.vstack([plain, [0.0, 0.0, 1.0]]))
    off = [float(np.square(_seen_through(way, source) - target).sum(1).mean()) for way in ways]
    return ways[-1] if off[-1] < off[0] + SETTINGS.unsure**2 else ways[0]


def _alike_way_up(pairs: list[tuple[Quad, Quad]]) -> tuple[Doubles, Doubles]:
    """The corners (n, 4, 2) of where cards lay and lie, each card the same way up: it looks alike from both ends."""
    source, target = (np.array([pair[k] for pair in pairs], np.float64) for k in (0, 1))
    turned, _ = cv2.estimateAffinePartial2D(
        source.mean(1), target.mean(1), method=cv2.RANSAC, ransacReprojThreshold=SETTINGS.apart
    )
    if turned is not None:
        lay, lies = (each[:, 3] - each[:, 0] for each in (source, target))
        over = ((lay @ turned[:, :2].T) * lies).sum(1) < 0
        target[over] = np.roll(target[over], 2, axis=1)
    return source, target


def _seen_through(moved: Doubles, corners: Doubles) -> Doubles:
    return np.asarray(cv2.perspectiveTransform(corners[None].astype(np.float64), moved)[0])


def _off(place: Doubles, card: Doubles) -> float:
    """How far the middle of a card lies from that of a place, in sides of the place."""
    sides = np.column_stack([place[1] - place[0], place[3] - place[0]])
    if abs(np.linalg.det(sides)) < 1e-6:
        return float(np.inf)
    return float(np.abs(np.linalg.solve(sides, card.mean(0) - place.mean(0))).max())
