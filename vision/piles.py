"""The piles below a pyramid: stock, turned card, waste and foundation, told apart by where they lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision import closeup, evidence, outlines, placing, sites
from vision.desk import HINT, LIKELY, Desk, Spot, Spotted
from vision.evidence import JOKER_AT, NONE

Doubles = NDArray[np.float64]

# A pile's top, and how far right of the middle it lies, in card widths.
Top = tuple[Spotted, float]

# Weight of witnesses of a card whose outline is plain: three corners and the card as a whole.
OUTLINED = 2.6
# Piles stand at least this far apart, in card widths; nearer finds are cards of one pile.
PILE_APART = 0.85
# Stock and waste lie to both sides of this place, in card widths from the middle of the last row's first card.
LEFT_PILES = 0.9
# What lies less far right of the middle is one of them, what lies further is the foundation; and the first of them, if
# nothing lies beside it, is the waste where it lies so far right of the last row's first card, the turned card where
# not. Nearer to such a border by so much a pile is e times less surely the one. On drawn validation tables 105 wastes
# lay up to 0.01 where there was no foundation, 118 foundations from 0.51 on where there was no waste.
HALFWAY, BESIDE, BORDER = 0.26, 0.5, 0.07
# So much of a card that lies askew is covered by where it seems to lie straight.
ASKEW = 0.5
# An empty pile is taken to lie this far below the middle of the last row, in card heights.
EMPTY = 1.5
# Finds below the pyramid that are looked at, the best witnessed first.
MOST = 8
# Signs of a stock that was not found as a card: the share of it that looks like a back, or of a face or a back (SEEN)
# times this, or this much for each of its corners, no more than the last of these in all.
SEEN, CORNER, CORNERS = 0.5, 0.5, 0.5
# Signs at which a stock is as likely as none, and by which its odds grow e-fold. On 280 drawn validation tables the
# signs were under 0.33 where the stock was gone, but for two of 70 with 0.4 and 0.47; where it was not, 0.5 and more
# for six of seven.
EVEN, SHARP = 0.4, 0.06
# Where signs are so weak that there is hardly a stock the net of whole cards is not asked; where they are not plain its
# logarithmic odds of a back, no better and no worse than these, count so much. It is asked about places so far apart,
# sideways from where the stock is usual and down from the last row, in card sides, and then ever nearer to the best. On
# drawn validation tables 9 of 16 stocks with weak signs had odds of 3 and more, and 6 of 87 empty places. What is told
# by weak signs is told with no more than this chance, and what is told by plain ones with no more than the last where
# the odds there are less than so much: so were those of none of 12 stocks, and of the one that was none.
FAINT, PLAIN, WHOLE, ODDS, WEAK, BACK, UNLIKE = 0.08, 0.55, 0.8, (-2.0, 6.0), 0.85, 1.5, 0.75
ACROSS, DOWN, NEARER, TWO = np.arange(-1.2, 1.3, 0.3), np.array([1.05, 1.35, 1.65]), (0.15, 0.08), 2
# Where nothing looks like such a card with this chance at least, nothing near it will.
HOPELESS = 0.05
# What looks like a face with more than this chance, though no index on it was read, is one.
FACE = 0.9
# An empty pile is told only where the place of the pyramid was: with this chance at least.
TOLD = 0.97


def piles(desk: Desk, placed: placing.Placed, middles: Doubles, loose: list[Spotted]) -> tuple[Spotted, ...]:
    """Stock, waste, turned card and foundation: the piles below the last row, told apart by where they lie.

    `loose` are the cards read that lie on no place, at whatever angle.
    """
    edge = (placed.rows - 1) / 2 * placed.grid.pitch
    tops = _tops(desk, placed, middles, loose)
    named, off = _named(desk, tops, edge)
    told = placed.told()
    which = min(told, float(1 / (1 + np.exp(-off / BORDER))))
    out = [replace(top, place=name, told=told if name == "stock" else which) for name, top in named]
    if all(name not in ("stock", "turned") for name, _ in named):
        out.append(_plain_stock(desk, placed, edge, [x for _, x in tops]))
    missing = {"waste": LEFT_PILES - edge, "foundation": edge}
    for name in sorted(missing.keys() - {name for name, _ in named}):
        shown = _plain_face(desk, placed, missing[name], [x for _, x in tops])
        if shown is not None:
            out.append(replace(shown, place=name))
        elif which < TOLD:
            out.append(_back(name, 0.0, which, _lying(placed, np.array([[missing[name], EMPTY]]))[0]))
    return tuple(out)


def _named(desk: Desk, tops: list[Top], edge: float) -> tuple[list[tuple[str, Spotted]], float]:
    """Which pile each top is, and how far the nearest lies from where it would be another, in card widths; the last row
    ends so far from the middle.
    """
    # Where more cards lie in that row than there are piles, those where piles are usual are the piles.
    right = _nearest([t for t in tops if t[1] >= HALFWAY], edge)[:1]
    border = max([HALFWAY, *(min(x - PILE_APART, LEFT_PILES) for _, x in right)])
    left = sorted(_nearest([t for t in tops if t[1] < border], LEFT_PILES - edge)[:2], key=lambda t: t[1])
    named, off = [("foundation", top) for top, _ in right], np.inf
    if len(left) == 2:
        named += [("turned" if _is_face(desk, left[0][0]) else "stock", left[0][0]), ("waste", left[1][0])]
    elif left:
        top, x = left[0]
        name = "stock"
        if _is_face(desk, top):
            name, off = "waste" if x > BESIDE - edge else "turned", abs(x - BESIDE + edge)
        named.append((name, top))
    if {"waste", "foundation"} - {name for name, _ in named}:
        off = min([off, *(abs(x - HALFWAY) for _, x in left[-1:] + right)])
    return named, float(off)


def _tops(desk: Desk, placed: placing.Placed, middles: Doubles, loose: list[Spotted]) -> list[Top]:
    """The tops of all piles below the last row: cards that lie straight, then those that lie too askew to be found."""
    off = placing.beside(placed.grid, len(middles), placed.rows)
    below = [(n, x) for n, x in zip(off, _below(placed, middles[off]), strict=True) if x is not None]
    # Cards of one pile lie over one another: the one with the most witnesses is its top.
    below = sorted((item for item in below if desk.is_card(item[0])), key=lambda item: -desk.cards.weight[item[0]])[
        :MOST
    ]
    looks = desk.look([Spot("", n, desk.axes[n]) for n, _ in below])
    tops: list[Top] = []
    for (n, x), look in zip(below, looks, strict=True):
        if look.present > 0.5 and _is_top(look, float(desk.cards.weight[n])) and _stands_alone(x, tops):
            tops.append((look if _readable(look) else _askew(look, loose), x))
    askew = np.array([card.quad_xy.mean(0) for card in loose]).reshape(-1, 2)
    for card, at in zip(loose, _below(placed, askew), strict=True):
        if at is not None and _stands_alone(at, tops):
            tops.append((card, at))
    return tops


def _below(placed: placing.Placed, points: Doubles) -> list[float | None]:
    """How far right of the middle each point (n, 2) below the last row lies, in card widths; None for one elsewhere."""
    grid = placed.grid
    # Grid units to card sides, from the middle of the last row.
    flat = (grid.units(points.reshape(-1, 2)) - [0, placed.rows - 1]) * [grid.pitch, grid.row]
    widest = (placed.rows - 1) / 2 * grid.pitch + 3
    return [float(x) if 0.85 < y < 3.2 and abs(x) < widest else None for x, y in flat]


def _stands_alone(x: float, tops: list[Top]) -> bool:
    return all(abs(x - other) > PILE_APART for _, other in tops)


def _nearest(tops: list[Top], x: float) -> list[Top]:
    return sorted(tops, key=lambda top: abs(top[1] - x))


def _askew(top: Spotted, loose: list[Spotted]) -> Spotted:
    """The card read where a top lies that shows no index when looked at straight; the top itself where none was."""
    on = [card for card in loose if sites.shared(card.quad_xy, top.quad_xy) > ASKEW]
    return max(on, key=lambda card: card.present * card.face, default=top)


def _readable(top: Spotted) -> bool:
    """Whether a pile's top is a face with an index that shows which."""
    return top.face >= 0.5 and float(top.belief[:JOKER_AT].max()) > 0.4


def _is_face(desk: Desk, top: Spotted) -> bool:
    """Whether a pile's top lies face up: one without an index to read is more likely a back full of art, unless the
    whole card looks like a face.
    """
    if _readable(top) or top.face < 0.5:
        return top.face >= 0.5
    return bool(closeup.look(desk.picture, sites.axes_of(top.quad_xy)[None], desk.whole).kinds[0, 1] > FACE)


def _is_top(top: Spotted, weight: float) -> bool:
    """Whether a find below the pyramid is a pile's top: nothing lies on it, so a face shows an index, or at least
    most corners.
    """
    return top.face < 0.5 or float(top.belief[NONE]) < 0.5 or weight > OUTLINED


def _plain_stock(desk: Desk, placed: placing.Placed, edge: float, taken: list[float]) -> Spotted:
    """A stock whose outline was not made out (a back without a border on a cloth like it), with the chance that there
    is one: where the map shows a back all over, or corners show.
    """
    x, y = np.meshgrid(np.arange(-edge - 1.2, -edge + 1.2, 0.15), np.arange(0.95, 2.6, 0.15))
    at = np.column_stack([x.ravel(), y.ravel()])
    at = np.concatenate([[[-edge, EMPTY]], at[_free(at, taken)]])
    spots = _lying(placed, at)
    shares = desk.shares(spots)
    corners = np.minimum(CORNER * outlines.heat(spots, desk.corners), CORNERS)
    signs = np.max([shares[:, 2], SEEN * (1 - shares[:, 0]), corners], axis=0)
    signs[0] = 0.0  # where nothing else is known
    best = int(signs.argmax())
    place, odds, told = spots[best], float(signs[best] - EVEN) / SHARP, placed.told()
    if FAINT < signs[best] < PLAIN:
        closer, back = _closest(desk, placed, _about(-edge), taken, 2)
        odds, told = odds + WHOLE * back, min(told, WEAK)
        place = closer if back > 0 else place
    elif signs[best] >= PLAIN and _closest(desk, placed, at[best][None], taken, 2, NEARER[:1])[1] < BACK:
        told = min(told, UNLIKE)
    return _back("stock", float(1 / (1 + np.exp(-odds))), told, place)


def _closest(
    desk: Desk,
    placed: placing.Placed,
    at: Doubles,
    taken: list[float],
    kind: int,
    nearer: tuple[float, ...] = NEARER,
) -> tuple[Doubles, float]:
    """Where at one of the places (n, 2) in card sides, or so near the best, what lies looks most like a face (`kind` 1)
    or a back (2): (2, 3), and the logarithmic odds that such a card lies there.
    """
    for step in (*nearer, 0.0):
        spots = _lying(placed, at)
        chance = np.clip(closeup.look(desk.picture, spots, desk.whole).kinds[:, kind], 1e-4, 1 - 1e-4)
        chance = np.where(_free(at, taken), chance, 1e-4)
        if chance.max() < HOPELESS:
            break
        nearest = at[np.argsort(-chance)[:TWO]]
        around = [nearest + step * np.array(way) for way in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))]
        at = np.unique(np.concatenate(around), axis=0)
    best = int(chance.argmax())
    return spots[best], float(np.clip(np.log(chance[best] / (1 - chance[best])), *ODDS))


def _about(x: float) -> Doubles:
    """Places (n, 2) in card sides below the last row, about so far right of its middle."""
    across, down = (axis.ravel() for axis in np.meshgrid(ACROSS + x, DOWN))
    return np.column_stack([across, down])


def _free(at: Doubles, taken: list[float]) -> NDArray[np.bool_]:
    """Which of the places (n, 2) in card sides no pile takes that lies so far right of the middle."""
    return np.array([all(abs(x - other) >= 0.8 for other in taken) for x in at[:, 0]], bool)


def _plain_face(desk: Desk, placed: placing.Placed, x: float, taken: list[float]) -> Spotted | None:
    """The top of a pile that was not found about so far right of the middle, if a face shows there; asked about."""
    at = _about(x)
    at = at[(desk.shares(_lying(placed, at))[:, 1] >= HINT) & _free(at, taken)]
    if not len(at):
        return None
    axes, odds = _closest(desk, placed, at, taken, 1)
    if odds < LIKELY:
        return None
    return replace(_back("", 1 / (1 + float(np.exp(-odds))), WEAK, axes), face=0.98)


def _lying(placed: placing.Placed, at: Doubles) -> Doubles:
    """Axes (n, 2, 3) of cards that lie so far right of and below the middle of the last row (n, 2), in card sides."""
    grid = placed.grid
    places = at / [grid.pitch, grid.row] + [0, placed.rows - 1]
    half = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) / [grid.pitch, grid.row]
    quads = grid.pixels((places[:, None] + half).reshape(-1, 2)).reshape(-1, 4, 2)
    return sites.axes_of_all(quads)


def _back(name: str, present: float, told: float, axes: Doubles) -> Spotted:
    return Spotted(name, present, 0.02, evidence.combined(np.zeros((0, evidence.SIZE))), sites.corners_of(axes), told)
