"""From candidates to the places of a layout of lines: what lies where, and what may have been missed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.layouts import Layout
from rules.rows.places import CELLAR, Stack, parse_place
from rules.rows.shapes import BASES
from vision.cards.candidates import SQUARE, Candidates
from vision.cards.homography import Plane
from vision.layout import lines
from vision.layout.line_placing import SIGN, Missed, Placed
from vision.layout.table import Arranged, Table
from vision.posterior.observation import Query, none_read, observe
from vision.posterior.spotted import Spotted, judged
from vision.recognize import card_frame, index_reader
from vision.recognize.index_reader import CARDS, NONE, Readings, each_combined

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Settings:
    """When a layout is told. Set by judgement, tried on drawn validation tables and on pictures without a layout."""

    card: float = 0.5  # less of a chance of a card, and a candidate is none
    stray: float = 0.15  # share of the cards that may lie on no place, where the player names the layout,
    some_bases: int = 2  # and bases, at least, where not all are seen; then also
    some: int = 12  # so many cards
    told: float = 0.7  # where nobody does, the chance that it is this placing and no other: all of it is asked about,
    other: float = 0.2  # others being those that put so large a share of the cards elsewhere;
    few: int = 16  # and cards on its places, at least,
    off: float = 0.1  # and the share that may lie on no place
    bases: int = 3  # bases, at least
    end: float = 0.35  # so much of the table shows beyond the last card of a half row, in card widths, or it may go on
    cut: float = 0.9  # the chance that a card at the edge of the picture is the last of its line: it is asked about
    misread: float = 0.1  # the chance that the index of a card missed in a hole is misread or not read at all;
    chance: float = 0.03  # that where none lies something looks like a card that is none of its neighbours,
    blank: float = 0.5  # or like no card; of 80 holes on 800 drawn tables 29 held a card;
    slips: float = 0.3  # so much less often a window slips to the index of a neighbour where a card lies in the hole
    tried: tuple[float, ...] = (-0.12, 0.0, 0.12)  # so far along its line from there it is looked for


SETTINGS = Settings()


def arrange(table: Table, layouts: Sequence[Layout]) -> Arranged | None:
    """The layout of these that fits best; None where none does. Of several only one that stands out is told."""
    table = table.take(table.cards.present > SETTINGS.card)
    picture, found, plane, nets, usual = table.picture, table.found, table.plane, table.nets, table.usual
    cards, readings = table.cards, table.readings
    if len(cards) < (SETTINGS.few if len(layouts) > 1 else 1):
        return None
    side = _near_side(cards, plane)
    found_ways = [way for layout in layouts if (way := lines.placed(cards, layout, side)) is not None]
    if not found_ways:
        return None
    best = max(found_ways, key=lambda way: way.score)
    others = [way for way in found_ways if way is not best]
    if not _stands_out(best, others, len(layouts) > 1):
        return None
    height, width = picture.levels[0].shape[:2]
    table = table.sided(np.isin(np.arange(len(cards)), list(best.sided)))
    cards = table.cards
    beyond, cut = _cut_off(best, cards, plane, (width, height))
    table = table.turned(np.full(len(cards), best.turned))
    known = _queries(best, table, cut)
    lying = _belief(known)
    lost = _lost(best, plane, lambda frames: index_reader.read(picture, frames, nets[0]), usual, lying)
    read = judged(observe(picture, lost, found, nets, usual))
    there = [
        _lies_there(one, hole, cards.belief[list(hole.between), :NONE].max(0), lying)
        for one, hole in zip(read, best.missed.values(), strict=True)
    ]
    places = (*_closed_up(known, lost, there), *_bare_spots(best, plane))
    inside = [bool(((query.axes[:, 2] >= 0) & (query.axes[:, 2] < [width, height])).all()) for query in places]
    return Arranged(
        best.layout.id,
        tuple(query for query, seen in zip(places, inside, strict=True) if seen),
        (),
        _beside(best, cards, plane, readings),
        (
            *(query.place for query, seen in zip(places, inside, strict=True) if not seen and query.place != CELLAR),
            *beyond,
        ),
        usual,
    )


def _cut_off(
    way: Placed, cards: Candidates, plane: Plane, size: tuple[int, int]
) -> tuple[tuple[str, ...], frozenset[str]]:
    """The places of a fresh deal on which a card may lie beyond the edge of a picture (width, height): those of half
    rows whose outer end does not show. And the places of the last cards in lines which that edge itself cuts.
    """
    beyond, cut = list[str](), set[str]()
    middle = way.seen(cards)
    dealt = zip(*way.layout.deals, strict=True)
    for line, counts in zip(way.layout.lines, dealt, strict=True):
        half = line.stack.kind == "half"
        along = np.array([SIGN[line.stack.side], 0.0] if half else [0.0, 1.0])
        mine = {place: middle[n] for place, n in way.at.items() if _line(place) == line.stack}
        place = max(mine, key=lambda place: float(mine[place] @ along), default=None)
        last = mine[place] if place is not None else way.base_spot(line.stack.row - 1)
        ends = plane.pixels(np.array([way.back(last + along * reach) for reach in (0.5, 0.5 + SETTINGS.end)]))
        inside = np.asarray(((ends >= 0) & (ends < size)).all(1))
        if place is not None and not inside[0]:
            cut.add(place)
        if half and not inside[1]:
            beyond += [line.stack.place(index) for index in range(len(mine) + 1, min(counts) + 1)]
    return tuple(beyond), frozenset(cut)


def _near_side(cards: Candidates, plane: Plane) -> float:
    """How far what lies lower on the rectified table lies lower in the picture, nearer to the camera: −1 to 1."""
    if not len(cards):
        return 1.0
    x, y = cards.middle.mean(0)
    above, below = plane.pixels(np.array([[x, y - 0.5], [x, y + 0.5]]))
    return float((below - above)[1] / max(float(np.linalg.norm(below - above)), 1e-9))


def _stands_out(best: Placed, others: Sequence[Placed], untold: bool) -> bool:
    """Whether the layout is there at all, and where nobody named it, whether no other is as likely."""
    lying = len(best.at)
    bases = sum(place.startswith("base") for place in best.at)
    if not untold:
        there = bases == BASES or (bases >= SETTINGS.some_bases and lying >= SETTINGS.some)
        return there and best.strays <= SETTINGS.stray * lying
    if lying < SETTINGS.few or bases < SETTINGS.bases or best.strays > SETTINGS.off * lying:
        return False
    # Layouts that put the cards at the same places differ by what has gone from them alone.
    rival = max((other.score for other in others if _differ(best, other)), default=-np.inf)
    sure = 1 / (1 + np.exp(rival - best.score))
    return bool(sure * np.mean([best.told(place) for place in best.at]) >= SETTINGS.told)


def _differ(way: Placed, other: Placed) -> bool:
    """Whether two placings put a good part of the cards at different places."""
    theirs = {n: place for place, n in other.at.items()}
    return sum(theirs.get(n) != place for place, n in way.at.items()) > SETTINGS.other * len(way.at)


def _queries(way: Placed, table: Table, cut: frozenset[str]) -> list[Query]:
    """The places on which cards lie, in the order in which they were laid. Beyond those cut off more may lie."""
    out = []
    for place, n in way.at.items():
        ends, told = _open_ends(place, way), min(way.told(place), SETTINGS.cut if place in cut else 1.0)
        out.append(replace(table.lying(place, n), ends=ends, carries=len(ends) == 1, told=told))
    return out


def _belief(known: Sequence[Query]) -> Doubles:
    """The chance (53,) with which each card was read at one of the places."""
    beliefs = each_combined([query.readings.beliefs for query in known])
    return np.asarray(beliefs[:, :NONE].max(0, initial=0.0))


def _lost(way: Placed, plane: Plane, read: Callable[[Floats], Readings], usual: Doubles, lying: Doubles) -> list[Query]:
    """The cards that may have been missed, each where most of an index of a card that lies nowhere else was read: its
    neighbours do not tell exactly where it lies between them.

    lying: (53,) the chance with which each card was read elsewhere.
    """
    out = []
    for place, hole in way.lost().items():
        along = np.array([0.0, 1.0] if "column" in place else [1.0, 0.0])
        axes = _axes(hole.middle + np.array(SETTINGS.tried)[:, None] * along, plane)
        axes = np.array([card_frame.over(own) if way.turned else own for own in axes])
        ends = _open_ends(place, way)
        found = read(np.concatenate([card_frame.looked_for(own, usual, ends) for own in axes]))
        best = int((found.beliefs[:, : len(CARDS)] @ (1 - lying[: len(CARDS)])).reshape(len(axes), -1).max(1).argmax())
        own = found.take(np.arange(len(found)) // len(ends) == best)
        out.append(Query(place, axes[best], own, ends, found=False, carries=True))
    return out


def _axes(middles: Doubles, plane: Plane) -> Doubles:
    """Axes (n, 2, 3) of cards that lie there (n, 2) on the rectified table."""
    corners = (middles[:, None] + SQUARE).reshape(-1, 2)
    return card_frame.axes_of_all(plane.pixels(corners).reshape(-1, 4, 2)) if len(middles) else np.zeros((0, 2, 3))


def _closed_up(known: Sequence[Query], lost: Sequence[Query], there: Sequence[float]) -> list[Query]:
    """All places with a card, in the order in which they were laid, without the cards missed in holes that hardly lie
    there: what lies beyond is told one place nearer. As far as it is not sure whether they do, it is asked about.

    there: the chance that each lies there.
    """
    holes = [(parse_place(query.place), chance) for query, chance in zip(lost, there, strict=True)]
    gone = [place for place, chance in holes if place is not None and chance <= 0.5]
    lying = [*known, *(query for query, chance in zip(lost, there, strict=True) if chance > 0.5)]
    order = {stack: n for n, stack in enumerate(dict.fromkeys(_line(query.place) for query in known))}
    lying.sort(key=lambda query: (order.get(_line(query.place), len(order)), _index(query.place)))
    out = []
    for query in lying:
        within = [chance for at, chance in holes if at and at[0] == _line(query.place) and at[1] <= _index(query.place)]
        told = query.told * float(np.prod([max(chance, 1 - chance) for chance in within]))
        out.append(replace(query, place=_nearer(query.place, gone), told=told))
    return out


def _lies_there(seen: Spotted, hole: Missed, beside: Doubles, lying: Doubles) -> float:
    """The chance that a card lies in a hole. If one does, it was read as one that lies nowhere else, or misread, also
    as one that does; if none does, what was read is an index of a neighbour, or nothing.

    beside: (53,) the chance with which each card is one of the two neighbours. lying: with which it was read anywhere.
    """
    # No patience of half rows is laid with jokers.
    read, lies = seen.belief[: len(CARDS)], lying[: len(CARDS)]
    own, next_to = float((read * (1 - lies)).max()), float(seen.belief @ beside)
    elsewhere = float((read * lies * (1 - beside[: len(CARDS)])).max())
    blank = max(1 - own - next_to - elsewhere, 0.0)
    shows = seen.present * seen.face * (1 - seen.foreign)
    odds = hole.odds + np.log(
        max(shows, 1e-6)
        * (own + SETTINGS.slips * next_to + SETTINGS.misread * (elsewhere + blank) + 1e-3)
        / (SETTINGS.chance * (own + elsewhere) + next_to + SETTINGS.blank * blank + 1e-3)
    )
    return float(1 / (1 + np.exp(-odds)))


def _line(place: str) -> Stack | str:
    known = parse_place(place)
    return known[0] if known is not None else place


def _index(place: str) -> int:
    known = parse_place(place)
    return known[1] if known is not None else 0


def _nearer(place: str, gone: Sequence[tuple[Stack, int]]) -> str:
    known = parse_place(place)
    if known is None:
        return place
    return known[0].place(known[1] - sum(stack == known[0] and index < known[1] for stack, index in gone))


def _open_ends(place: str, way: Placed) -> tuple[bool, ...]:
    """The ends of a card at which its index may show: False the upper one, True the turned one."""
    known = parse_place(place)
    if known is None or known[0].kind in ("base", "cellar"):
        return (False, True)
    stack, index = known
    if stack.place(index + 1) not in way.at:
        return (False, True)
    return (True,) if stack.kind == "half" and stack.side == "left" else (False,)


def _beside(way: Placed, cards: Candidates, plane: Plane, readings: Readings) -> tuple[Query, ...]:
    """Cards read that lie on no place, from the top left."""
    taken = set(way.at.values())
    axes = card_frame.axes_of_all(cards.quads(plane))
    off = [n for n in range(len(cards)) if n not in taken and n in way.off]
    off.sort(key=lambda n: (round(float(cards.middle[n, 1])), float(cards.middle[n, 0])))
    return tuple(Query("", axes[n], cards.read_on(n, readings), kind="loose") for n in off)


def _bare_spots(way: Placed, plane: Plane) -> list[Query]:
    """The places of their own on which no card was found: bases and the cellar."""
    bare = [
        (spot.place, BASES if spot.place == CELLAR else n)
        for n, spot in enumerate(way.layout.spots)
        if spot.place not in way.at
    ]
    return [
        Query(place, card_frame.axes_of(plane.pixels(way.spot(row) + SQUARE)), none_read(), found=False)
        for place, row in bare
    ]
