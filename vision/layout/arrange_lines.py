"""From candidates to the places of a layout of lines: what lies where, and what may have been missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.layouts import Layout
from rules.rows.places import CELLAR, Stack, parse_place
from rules.rows.shapes import BASES
from vision import closeup, evidence, rectify, sites
from vision.arrange import Arranged
from vision.cards.candidates import SQUARE, Candidates, candidates, deck_site, looked_at
from vision.desk import Spotted
from vision.evidence import NONE, Readings
from vision.find import Found
from vision.layout import lines
from vision.layout.lines import Placed
from vision.net import Net
from vision.rectify import Plane
from vision.windows import Shrunk

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settings:
    """When a layout is told. Set by judgement, tried on drawn validation tables and on pictures without a layout."""

    card: float = 0.3  # less of a chance of a card, and a candidate is none
    stray: float = 0.15  # share of the cards that may lie on no place, where the player names the layout,
    some_bases: int = 2  # and bases, at least, where not all are seen; then also
    some: int = 12  # so many cards
    told: float = 0.7  # where nobody does, the chance that it is this placing and no other: all of it is asked about,
    other: float = 0.2  # others being those that put so large a share of the cards elsewhere;
    few: int = 16  # and cards on its places, at least,
    off: float = 0.1  # and the share that may lie on no place
    bases: int = 3  # bases, at least
    beyond: float = 0.9  # the chance that a place beyond a hole is the one it is taken for
    unfound: float = 0.05  # the odds of a card where nothing was found, beside what a close look says
    read: float = 0.5  # a card in a hole is one if it was read there more surely,
    sure: float = 0.9  # an index read more surely need not be looked for again


SETTINGS = Settings()


def arrange(
    picture: Shrunk, found: Found, readings: Readings, nets: tuple[Net, Net], layouts: Sequence[Layout]
) -> Arranged | None:
    """The layout of these that fits best; None where none does. Of several only one that stands out is told.

    nets: the one that reads windows, and the one that looks at whole cards.
    """
    plane = rectify.rectify(found.cards, found.corners)
    if plane is None:
        return None
    usual = deck_site(found, readings)
    cards = looked_at(candidates(plane, found, readings, usual[:, 2] / 2), plane, picture, nets[1])
    cards = cards.take(cards.present > SETTINGS.card)
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
    places = _spotted(picture, best, cards, plane)
    places = _closed_up(_read_again(picture, places, best, usual, nets[0]), best)
    return _with_bare_spots(
        Arranged(best.layout.id, places, (), _beside(best, cards, plane), ()), best, plane, picture, nets[1]
    )


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


def _spotted(picture: Shrunk, way: Placed, cards: Candidates, plane: Plane) -> tuple[Spotted, ...]:
    """What was seen at the places on which cards lie, in the order in which they were laid."""
    quads = cards.quads(plane)
    out = []
    for place, n in way.at.items():
        quad = np.roll(quads[n], 2, axis=0) if way.turned else quads[n]
        told = way.told(place) * (SETTINGS.beyond if place in way.beyond else 1.0)
        out.append(Spotted(place, float(cards.present[n]), float(cards.face[n]), cards.belief[n], quad, told))
    lost = way.lost()
    corners = _quads(np.array(list(lost.values())).reshape(-1, 2), plane)
    for place, quad in zip(lost, np.roll(corners, 2, axis=1) if way.turned else corners, strict=True):
        out.append(Spotted(place, SETTINGS.beyond, 1.0, _nothing(), quad, SETTINGS.beyond))
    return tuple(out)


def _nothing() -> Doubles:
    """The belief where nothing was read."""
    return evidence.combined(np.zeros((0, evidence.SIZE)))


def _quads(middles: Doubles, plane: Plane) -> Doubles:
    """Corners (n, 4, 2) in pixels of cards that lie there (n, 2) on the rectified table."""
    return plane.pixels((middles[:, None] + SQUARE).reshape(-1, 2)).reshape(-1, 4, 2)


def _read_again(
    picture: Shrunk, places: tuple[Spotted, ...], way: Placed, usual: Doubles, net: Net
) -> tuple[Spotted, ...]:
    """The same, where nothing sure was read looked at again where an index should be."""
    unsure = [n for n, s in enumerate(places) if float(s.belief[:NONE].max()) < SETTINGS.sure]
    if not unsure:
        return places
    frames = [
        sites.looked_for(sites.axes_of(places[n].quad_xy), usual, _open_ends(places[n].place, way)) for n in unsure
    ]
    again = evidence.read(picture, np.concatenate(frames), net)
    out, at = list(places), 0
    for n, looked in zip(unsure, frames, strict=True):
        mine = again.beliefs[at : at + len(looked)]
        at += len(looked)
        # The same print was read before, if it was: the surer reading counts, not both.
        beliefs = np.concatenate([places[n].belief[None], mine])
        out[n] = replace(places[n], belief=beliefs[int(beliefs[:, :NONE].max(1).argmax())])
    return tuple(out)


def _closed_up(places: tuple[Spotted, ...], way: Placed) -> tuple[Spotted, ...]:
    """The same without the cards missed in holes of which nothing was read there: what lies beyond is told one place
    nearer, and asked about as before.
    """
    none = [s.place for s in places if s.place in way.missed and not _is_read(s, places)]
    gone = [known for place in none if (known := parse_place(place)) is not None]
    return tuple(replace(s, place=_nearer(s.place, gone)) for s in places if s.place not in none)


def _is_read(spotted: Spotted, places: tuple[Spotted, ...]) -> bool:
    """Whether a card was read there that was read as surely nowhere else, as a neighbour may have been."""
    card = int(spotted.belief[:NONE].argmax())
    others = max((float(s.belief[card]) for s in places if s is not spotted), default=0.0)
    return float(spotted.belief[card]) > max(SETTINGS.read, others)


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


def _beside(way: Placed, cards: Candidates, plane: Plane) -> tuple[Spotted, ...]:
    """Cards read that lie on no place, from the top left."""
    taken = set(way.at.values())
    quads = cards.quads(plane)
    off = [n for n in range(len(cards)) if n not in taken and n in way.off]
    off.sort(key=lambda n: (round(float(cards.middle[n, 1])), float(cards.middle[n, 0])))
    return tuple(Spotted("", float(cards.present[n]), float(cards.face[n]), cards.belief[n], quads[n]) for n in off)


def _with_bare_spots(arranged: Arranged, way: Placed, plane: Plane, picture: Shrunk, whole: Net) -> Arranged:
    """The same with the places of their own on which no card was found: bases and the cellar."""
    bare = [
        (spot.place, BASES if spot.place == CELLAR else n)
        for n, spot in enumerate(way.layout.spots)
        if spot.place not in way.at
    ]
    if not bare:
        return arranged
    quads = _quads(np.array([way.spot(row) for _, row in bare]), plane)
    height, width = picture.levels[0].shape[:2]
    inside = ((quads.mean(1) >= 0) & (quads.mean(1) < [width, height])).all(1)
    none = closeup.look(picture, sites.axes_of_all(quads), whole).kinds[:, 0]
    empty = tuple(
        Spotted(place, float(1 / (1 + chance / max(1 - chance, 1e-6) / SETTINGS.unfound)), 0.98, _nothing(), quad)
        for (place, _), chance, quad, seen in zip(bare, none, quads, inside, strict=True)
        if seen
    )
    outside = tuple(place for (place, _), seen in zip(bare, inside, strict=True) if not seen and place != CELLAR)
    return replace(arranged, places=(*arranged.places, *empty), outside=outside)
