"""From candidates to the places of a layout of lines: what lies where, and what may have been missed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.layouts import Layout
from rules.rows.places import CELLAR, Stack, base_place, parse_place
from rules.rows.shapes import BASES
from vision.cards.candidates import SQUARE, Candidates
from vision.cards.homography import Plane
from vision.layout import likelihood, lines, one_line
from vision.layout.likelihood import Explained
from vision.layout.line_placing import SIGN, Missed, Placed
from vision.layout.table import Arranged, Proposed, Table
from vision.posterior.observation import Query, none_read
from vision.posterior.spotted import ASKING, Spotted
from vision.recognize import card_frame, index_reader
from vision.recognize.index_reader import CARDS, NONE, Readings, each_combined

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Settings:
    """What may lie where none was found. Set by judgement, tried on drawn validation tables."""

    end: float = 0.35  # so much of the table shows beyond the last card of a half row, in card widths, or it may go on
    misread: float = 0.1  # the chance that the index of a card missed in a hole is misread or not read at all;
    chance: float = 0.03  # that where none lies something looks like a card that is none of its neighbours,
    blank: float = 0.5  # or like no card; of 80 holes on 800 drawn tables 29 held a card;
    turned: float = -6.0  # log-odds of a card turned over by mistake
    tried: float = 0.12  # so far to both sides of there it is looked for as well


SETTINGS = Settings()


def propose(table: Table, layouts: Sequence[Layout]) -> Proposed | None:
    """The layout of these that fits best; None where nothing lies as in one."""
    table = table.take(table.cards.present > 0.5)
    side = _near_side(table.cards, table.plane)
    ways = [way for layout in layouts if (way := lines.placed(table.cards, layout, side)) is not None]
    if not ways:
        return None
    best = max(ways, key=lambda way: way.score)
    # Layouts that put the cards at the same places differ by what has gone from them alone.
    rivals = [way for way in ways if way is not best and _differ(best, way)]
    alone = 1 / (1 + np.exp(max((way.score for way in rivals), default=-np.inf) - best.score))
    stands = float(alone * np.mean([best.told(place) for place in best.at])) if best.at else 0.0
    alike = sorted(
        (best.score - way.score, way.layout.id) for way in ways if not any(way is one for one in (best, *rivals))
    )
    also = tuple(layout for less, layout in alike if 1 / (1 + np.exp(less)) >= likelihood.ALSO)
    return Proposed(best.layout.id, _explained(table, best), stands, lambda: _arranged(table, best, also))


def pointed(table: Table, layout: Layout, column: Doubles) -> Arranged | None:
    """The layout with its first and its last base there (2, 2), about, in card units; None where nothing lies so."""
    table = table.take(table.cards.present > 0.5)
    best = lines.placed(table.cards, layout, _near_side(table.cards, table.plane), column)
    return None if best is None else _arranged(table, best, ())


def _explained(table: Table, way: Placed) -> Explained:
    """What a placing makes of the candidates."""
    mine = list(way.at.values())
    bases = [row for row in range(BASES) if base_place(row + 1) not in way.at]
    missed = [hole.middle for hole in way.lost().values()] + [way.spot(row) for row in bases]
    bare = table.bare(table.plane.pixels(np.array(missed).reshape(-1, 2)))
    count = len({_line(place) for place in way.at})
    return Explained(float(table.cards.present[mine].sum()), way.strays, 0.0, bare, count)


def _arranged(table: Table, best: Placed, also: tuple[str, ...]) -> Arranged:
    """The layout placed so."""
    picture, plane, nets, usual = table.picture, table.plane, table.nets, table.usual
    readings = table.readings
    height, width = picture.levels[0].shape[:2]
    table = table.sided(np.isin(np.arange(len(table.cards)), list(best.sided)))
    cards = table.cards
    beyond, cut = _cut_off(best, cards, plane, (width, height))
    table = table.turned(np.full(len(cards), best.turned))
    known = _queries(best, table, cut)
    lying = _belief(known)
    lost = _lost(best, plane, lambda frames: index_reader.read(picture, frames, nets[0]), usual, lying)
    read = list(table.judged(lost))
    lost = [query for query, _ in read]
    there = [
        _lies_there(one, hole, cards.belief[list(hole.between), :NONE].max(0), lying)
        for (_, one), hole in zip(read, best.missed.values(), strict=True)
    ]
    there = one_line.as_counted(there, best.unseen, best.counted)
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
        also,
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


def _differ(way: Placed, other: Placed) -> bool:
    """Whether two placings put most of the cards at different places."""
    theirs = {n: place for place, n in other.at.items()}
    return sum(theirs.get(n) != place for place, n in way.at.items()) > len(way.at) / 2


def _queries(way: Placed, table: Table, cut: frozenset[str]) -> list[Query]:
    """The places on which cards lie, in the order in which they were laid. Beyond those cut off more may lie."""
    out = []
    for place, n in way.at.items():
        ends, told = _open_ends(place, way), min(way.told(place), ASKING.strange if place in cut else 1.0)
        known = replace(table.lying(place, n), ends=ends, carries=len(ends) == 1, told=told)
        out.append(replace(known, prior=_prior(known)))
    return out


def _prior(query: Query) -> tuple[float, float]:
    """Log-odds of nothing and of a back at a place of a line: an inner one is a place only because a card lies there,
    and all cards of these games lie face up.
    """
    return -np.inf if query.carries else 0.0, SETTINGS.turned


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
        axes = _axes(hole.middle + SETTINGS.tried * np.array([[-1], [0], [1]]) * along, plane)
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
        out.append(replace(query, place=_nearer(query.place, gone), told=told, prior=_prior(query)))
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
        * (own + next_to + SETTINGS.misread * (elsewhere + blank) + 1e-3)
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
