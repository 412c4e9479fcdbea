"""The piles below a pyramid: stock, turned card, waste and foundation, told apart by where they lie."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.layouts import PILE_GAP
from vision.detect import outline_fit
from vision.layout import hypotheses
from vision.layout.table import Table
from vision.posterior.observation import STANDS, Query
from vision.posterior.spotted import ASKING, Spotted
from vision.recognize import card_frame

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settings:
    """Where piles lie, in card widths across and heights down: by how people lay them, tried on drawn tables."""

    apart: float = 0.85  # piles stand at least so far apart; nearer finds are cards of one pile
    left: float = 0.9  # stock and waste lie to both sides of this place, right of the last row's first card
    halfway: float = 0.26  # farther right lies the foundation (105 wastes up to 0.01, 118 foundations from 0.51),
    beside: float = 0.5  # and a lone face so far right of the first card is the waste, else the turned card;
    border: float = 0.07  # nearer to such a border by so much a pile is e times less surely the one
    askew: float = 0.5  # so much of a card that lies askew is covered by where it seems to lie straight
    most: int = 8  # finds below the pyramid that are looked at, the best witnessed first
    seen: float = 0.5  # signs of a stock that was not found: the share that looks like a back, of a card times this, or
    # this for each of its corners, but no more than this in all
    beyond: float = 3.1  # piles lie so far below the last row at most, and so far beyond its last cards
    around: float = 1.2  # a stock that was not found is looked for so far to both sides of the first card,
    step: float = 0.15  # in such steps


SETTINGS = Settings()


@dataclass(frozen=True, slots=True)
class Top:
    """A pile's top: where to look, what was seen there, and how far right of the middle it lies, in card widths."""

    query: Query
    seen: Spotted
    x: float

    @property
    def is_readable(self) -> bool:
        """Whether it is a face that shows which."""
        return self.is_face and float(self.seen.belief.max()) > ASKING.readable

    @property
    def is_face(self) -> bool:
        """Whether it lies face up."""
        return self.seen.face >= 0.5

    @property
    def shows_face(self) -> bool:
        """Whether a card lies there at all, face up."""
        return self.is_face and self.seen.present > 0.5


def piles(table: Table, placed: hypotheses.Placed, loose: list[Query]) -> tuple[Query, ...]:
    """Stock, waste, turned card and foundation: the piles below the last row, told apart by where they lie.

    `loose` are the cards read that lie on no place, at whatever angle.
    """
    edge = (placed.rows - 1) / 2 * placed.grid.pitch
    tops = _tops(table, placed, loose)
    named, off = _named(tops, edge)
    names, plain = {name for name, _ in named}, list[Query]()
    if "stock" not in names:
        stock, lies = _plain_stock(table, placed, edge, [top.x for top in tops])
        if lies and "waste" not in names:
            # A back lies beside the one face, which was not made out at once: no card is turned up on it.
            named = [("waste" if name == "turned" else name, top) for name, top in named]
        plain = [stock] if all(name != "turned" for name, _ in named) else []
    told = placed.told()
    which = min(told, float(1 / (1 + np.exp(-off / SETTINGS.border))))
    out = [replace(top.query, place=name, told=told if name == "stock" and off > 0 else which) for name, top in named]
    out += plain
    missing = {"waste": SETTINGS.left - edge, "foundation": edge}
    for name in sorted(missing.keys() - {name for name, _ in named}):
        if which < ASKING.placed:
            empty = _lying(placed, np.array([[missing[name], PILE_GAP]]))[0]
            out.append(replace(table.empty(name, empty, kind="pile"), told=which))
    return tuple(out)


def _named(tops: list[Top], edge: float) -> tuple[list[tuple[str, Top]], float]:
    """Which pile each top is, and how far the nearest lies from where it would be another, in card widths; the last row
    ends so far from the middle.
    """
    # Where more cards lie in that row than there are piles, those where piles are usual are the piles.
    right = _nearest([t for t in tops if t.x >= SETTINGS.halfway], edge)[:1]
    border = max([SETTINGS.halfway, *(min(top.x - SETTINGS.apart, SETTINGS.left) for top in right)])
    left = _nearest([t for t in tops if t.x < border], SETTINGS.left - edge)
    # The waste lies face up: of what lies face down one is the stock, and the rest are things of a card's size.
    stock = next(iter(_nearest([t for t in left if not t.is_face], -edge)), None)
    left = sorted([t for t in left if t.is_face or t is stock][:2], key=lambda t: t.x)
    named, off = [("foundation", top) for top in right], np.inf
    if len(left) == 2:
        # Hardly anybody lays the waste to the left of the stock: there either may be something else.
        off = 0.0 if left[1] is stock else off
        first, second = left if left[1] is not stock else left[::-1]
        named += [("stock" if first is stock else "turned", first), ("waste", second)]
    elif left:
        name = "stock"
        if left[0].is_face:
            name, off = (
                "waste" if left[0].x > SETTINGS.beside - edge else "turned",
                abs(left[0].x - SETTINGS.beside + edge),
            )
        named.append((name, left[0]))
    if {"waste", "foundation"} - {name for name, _ in named}:
        off = min([off, *(abs(top.x - SETTINGS.halfway) for top in left[-1:] + right)])
    return named, float(off)


def _tops(table: Table, placed: hypotheses.Placed, loose: list[Query]) -> list[Top]:
    """The tops of all piles below the last row: cards that lie straight, then those that lie too askew to be found."""
    cards, middles = table.cards, table.axes[:, :, 2]
    off = hypotheses.beside(placed.grid, len(middles), placed.rows)
    below = [(n, x) for n, x in zip(off, _below(placed, middles[off]), strict=True) if x is not None]
    # Cards of one pile lie over one another: the one with the most witnesses is its top.
    below = sorted((item for item in below if cards.present[item[0]] > 0.5), key=lambda item: -cards.witnesses[item[0]])
    below = below[: SETTINGS.most]
    straight = [replace(table.lying("", n), kind="pile") for n, _ in below]
    # Nothing lies on a pile's top: a back on which one index seems to stand shows none at its other end.
    askew = [replace(query, kind="pile", ends=(False, True)) for query in loose]
    seen = [Top(*one, 0.0) for one in table.judged([*straight, *askew])]
    tops: list[Top] = []
    at_angles = seen[len(straight) :]
    for (_, x), one in zip(below, seen[: len(straight)], strict=True):
        top = replace(one, x=x)
        if top.seen.present > 0.5 and _stands_alone(x, tops):
            tops.append(top if top.is_readable else _askew(top, at_angles))
    middle = np.array([query.axes[:, 2] for query in askew]).reshape(-1, 2)
    for card, at in zip(at_angles, _below(placed, middle), strict=True):
        if at is not None and card.shows_face and _stands_alone(at, tops):
            tops.append(replace(card, x=at))
    return tops


def _below(placed: hypotheses.Placed, points: Doubles) -> list[float | None]:
    """How far right of the middle each point (n, 2) below the last row lies, in card widths; None for one elsewhere."""
    grid = placed.grid
    # Grid units to card sides, from the middle of the last row.
    flat = (grid.units(points.reshape(-1, 2)) - [0, placed.rows - 1]) * [grid.pitch, grid.row]
    widest = (placed.rows - 1) / 2 * grid.pitch + SETTINGS.beyond
    low, high = hypotheses.SETTINGS.below, SETTINGS.beyond
    return [float(x) if low < y < high and abs(x) < widest else None for x, y in flat]


def _stands_alone(x: float, tops: list[Top]) -> bool:
    return all(abs(x - other.x) > SETTINGS.apart for other in tops)


def _nearest(tops: list[Top], x: float) -> list[Top]:
    return sorted(tops, key=lambda top: abs(top.x - x))


def _askew(top: Top, loose: list[Top]) -> Top:
    """The card read where a top lies that shows no index when looked at straight; the top itself where none was."""
    on = [card for card in loose if card_frame.shared(card.seen.quad_xy, top.seen.quad_xy) > SETTINGS.askew]
    best = max(on, key=lambda card: card.seen.present * card.seen.face, default=top)
    return replace(best, x=top.x)


def _plain_stock(table: Table, placed: hypotheses.Placed, edge: float, taken: list[float]) -> tuple[Query, bool]:
    """Where a stock may lie whose outline was not made out (a back without a border on a cloth like it): where the map
    shows a back all over, or corners show; and whether it seems to.
    """
    around, step = SETTINGS.around, SETTINGS.step
    x, y = np.meshgrid(
        np.arange(-edge - around, -edge + around, step), np.arange(hypotheses.SETTINGS.below, SETTINGS.beyond, step)
    )
    at = np.column_stack([x.ravel(), y.ravel()])
    at = np.concatenate([[[-edge, PILE_GAP]], at[_free(at, taken)]])
    spots = _lying(placed, at)
    shares = table.found.kinds.shares(spots)
    corners = np.minimum(outline_fit.heat(spots, table.found.corners), 1.0)
    signs = np.max([shares[:, 2], SETTINGS.seen * (1 - shares[:, 0]), SETTINGS.seen * corners], axis=0)
    signs[0] = 0.0  # where nothing else is known
    place = spots[int(signs.argmax())]
    # What stands on a card that lies there is an index of that card.
    on = card_frame.misfits(table.axes[table.cards.present > 0.5], table.readings.frames)[0] < card_frame.REACH * STANDS
    free = table.readings.take(np.flatnonzero(~on.any(0)))
    ((query, seen),) = table.judged([table.empty("stock", place, kind="stock", among=free)])
    # Of one that is judged to have gone signs speak otherwise, as far as they do.
    shows = float(signs.max())
    sure = max(shows, 1 - shows) if seen.present < 0.5 else 1.0
    return replace(query, told=placed.told() * sure), seen.present >= 0.5


def _free(at: Doubles, taken: list[float]) -> NDArray[np.bool_]:
    """Which of the places (n, 2) in card sides no pile takes that lies so far right of the middle."""
    return np.array([all(abs(x - other) >= SETTINGS.apart for other in taken) for x in at[:, 0]], bool)


def _lying(placed: hypotheses.Placed, at: Doubles) -> Doubles:
    """Axes (n, 2, 3) of cards that lie so far right of and below the middle of the last row (n, 2), in card sides."""
    grid = placed.grid
    places = at / [grid.pitch, grid.row] + [0, placed.rows - 1]
    half = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) / [grid.pitch, grid.row]
    quads = grid.pixels((places[:, None] + half).reshape(-1, 2)).reshape(-1, 4, 2)
    return card_frame.axes_of_all(quads)
