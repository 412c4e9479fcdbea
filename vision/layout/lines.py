"""Layouts of lines: half rows beside a base column, outer columns beside those.

Where the rows lie is plain once the table is rectified: all cards of a row are equally far down. Which column is the
base column is told by what follows from it: bases in the first four rows, half rows that begin equally far from it and
have no holes, cards that show the side towards it where others lie on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.layouts import Layout, Line
from rules.rows.places import CELLAR, Stack, base_place
from rules.rows.shapes import BASES
from vision.cards.candidates import Candidates
from vision.layout import one_line
from vision.layout.foundations import Foundations, foundations
from vision.layout.lattice import MESH
from vision.layout.likelihood import RIVAL
from vision.layout.line_placing import SIGN, Draft, HalfRow, Placed, Rows, Seen, Tally
from vision.layout.one_line import Evidence
from vision.recognize.card_frame import SAME

Doubles = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Settings:
    """Log-odds of what is seen of a layout, and lengths in card sides: from how people lay cards, tried on drawn
    validation tables.
    """

    base: float = 2.0  # a base in its place; missing it costs as much, and so does a card of a column on a row
    ragged: tuple[float, float] = (0.025, 0.16)  # so exactly do the neatest and the most careless players lay half rows
    stray: float = 2.0  # a card of no place
    near_side: float = 16.0  # players sit at the near side: what it weighs that the table is seen straight from there
    pointed: float = 0.8  # the base column lies so near to where a person points at


SETTINGS = Settings()


def rows_of(middle: Doubles, weight: Doubles, layout: Layout, column: Doubles | None = None) -> Rows:
    """The rows that most cards (n, 2) lie in; or those of a base column of which the first and the last base lie about
    there (2, 2)."""
    x, y, slope = middle[:, 0], middle[:, 1], 0.0
    if column is None:
        step, origin = _likeliest_rows(y, weight, layout)
    else:
        step, origin = float(column[1, 1] - column[0, 1]) / (BASES - 1), float(column[0, 1])
        step = max(step, layout.pitches["row"].closest / 2)
    for _ in range(4):
        down = y - slope * x - origin
        near = np.round(down / step)
        on = np.abs(down - near * step) < SAME
        if len(set(near[on].tolist())) < 2:
            break
        root = np.sqrt(weight[on])
        columns = np.column_stack([near[on], np.ones(on.sum()), x[on]]) * root[:, None]
        hold = np.diag([1e-6, 1e-6, 1.0])
        step, origin, slope = np.linalg.solve(columns.T @ columns + hold, columns.T @ (y[on] * root)).tolist()
    down = y - slope * x - origin
    row = np.round(down / step).astype(np.intp)
    return Rows(step, origin, slope, row, np.abs(down - row * step))


def _likeliest_rows(y: Doubles, weight: Doubles, layout: Layout) -> tuple[float, float]:
    """How far apart the rows lie on which most cards do, so far down (n,), and how far down one of them."""
    pitch = layout.pitches["row"]
    pitches = np.arange(pitch.closest, pitch.widest, MESH.step)
    best = -np.inf, pitch.typical, 0.0
    for origin in y[np.argsort(-weight)[:8]]:
        steps = (y - origin) / pitches[:, None]
        off = (steps - np.round(steps)) * pitches[:, None] / MESH.off
        # What lies on rows by chance is taken off: close ones meet everything.
        chance = MESH.off * np.sqrt(2 * np.pi) / pitches
        score = np.exp(-(off**2) / 2) @ weight - chance * weight.sum()
        if score.max() > best[0]:
            best = float(score.max()), float(pitches[score.argmax()]), float(origin)
    return best[1:]


def placed(cards: Candidates, layout: Layout, near_side: float, column: Doubles | None = None) -> Placed | None:
    """The best placing of cards on a layout of lines, either way up; None where there are no rows.

    near_side: how far what the rectified table shows lowest lies nearest to the camera, −1 to 1. column: where the
    first and the last base lie (2, 2), about, if that is known.
    """
    drafts: list[Draft] = []
    sides = [(False, near_side), (True, -near_side)]
    if column is not None:
        sides = [sides[int(column[1, 1] < column[0, 1])]]
    under = foundations(cards)
    for turned, side in sorted(sides, key=lambda way: -way[1]):
        if drafts and _is_upright(max(drafts, key=lambda draft: draft.score), SETTINGS.near_side * -side):
            break
        prior = SETTINGS.near_side * side / 2
        there = None if column is None else -column if turned else column
        found = _ways(cards.turned() if turned else cards, layout, under, there)
        drafts += [replace(draft, turned=turned, score=draft.score + prior) for draft in found]
    if not drafts:
        return None
    drafts.sort(key=lambda draft: -draft.score)
    rivals = [draft.placed() for draft in drafts[1:] if draft.score > drafts[0].score - RIVAL]
    return replace(drafts[0].placed(), rivals=tuple((rival.score, rival.at) for rival in rivals))


def _is_upright(draft: Draft, straight: float) -> bool:
    """Whether a table that was placed well is so surely seen this way up that the other is no rival.

    straight: what it weighs from which side the table is seen.
    """
    shown = 0.0
    for laid in draft.tally.laid:
        if laid.line.stack.kind == "half":
            of, inner = draft.seen.of[SIGN[laid.line.stack.side]], laid.cards[:-1].tolist()
            covered = (laid.steps < one_line.SETTINGS.overlap[0]).tolist()
            shown += sum(of.side[n] * of.index[n] for n, under in zip(inner, covered, strict=True) if under)
    turned = shown * (one_line.SETTINGS.shown - one_line.SETTINGS.amiss)
    return draft.strays < 1 and straight + turned > RIVAL


def _ways(cards: Candidates, layout: Layout, under: Foundations, column: Doubles | None = None) -> Iterator[Draft]:
    """Placings on a layout this way up: each base column, each row of the first base; or where these lie (2, 2)."""
    weight = cards.present
    if len(cards) < 3 or weight.sum() < 3:
        return
    rows = rows_of(cards.middle, weight, layout, column)
    on = rows.off < SAME
    if not on.any():
        return
    x = cards.middle[:, 0]
    starts = _columns_in(x[on], rows.of[on], weight[on])
    off = rows.off / MESH.off
    of = {sign: one_line.evidence(cards, _shows(cards, sign), off) for sign in (-1, 1)}
    # That it lies on a row speaks against a card of a column, so much as for one of a half row.
    of[0] = one_line.evidence(cards, _shows(cards, 0), np.zeros(len(off)), SETTINGS.base * np.exp(-(off**2) / 2))
    least, most = int(rows.of[on].min()), int(rows.of[on].max())
    firsts = range(min(least, most - layout.rows + 1), max(least, most - layout.rows + 1) + 1)
    if column is not None:
        told = float(column[:, 0].mean())
        starts = [base for base in starts if abs(base - told) < SETTINGS.pointed] or [told]
        firsts = range(1)
    for base in starts:
        seen = _from_base(cards, rows, base, of, under)
        choices = _column_choices(seen, layout)
        for first in firsts:
            here = replace(seen, row=rows.of - first, first=first)
            for chosen in choices:
                yield _with_columns(here, layout, chosen, base)


def _columns_in(x: Doubles, row: Ints, weight: Doubles) -> list[float]:
    """Where the base column may be: every place at which cards of two rows lie, once."""
    out: list[float] = []
    for start in np.sort(x):
        near = np.abs(x - start) < SAME / 2
        if len(set(row[near].tolist())) < 2:
            continue
        middle = float(np.average(x[near], weights=weight[near] + 1e-6))
        if not out or middle - out[-1] > SAME / 2:
            out.append(middle)
    return out


def _shows(cards: Candidates, sign: int) -> Doubles:
    """Which end each of n candidates shows alone: 1 the one that stays open in a half row to the right (sign 1), to the
    left (−1) or in a column (0), −1 the other one.
    """
    if sign:
        return -sign * cards.side
    return (cards.upper >= 0.5).astype(np.float64) - (cards.lower >= 0.5)


def _from_base(cards: Candidates, rows: Rows, base: float, of: dict[int, Evidence], under: Foundations) -> Seen:
    """The candidates as they lie from a base column there."""
    x, row = _across(cards, base), rows.of
    on = rows.off < SAME
    steps = _steps(x[on], row[on])
    step = float(np.median(steps)) if len(steps) else 1.0
    ways = np.stack([cards.middle[:, 0], cards.other]) - base
    by = one_line.steps_worth(step, float(np.clip(one_line.scatter(steps), *SETTINGS.ragged)))
    # A card of no base whose one side would lie in the base column shows the other.
    reach = np.abs(x) < SAME
    out = {sign: np.where(reach, (sign * ways).max(0), sign * x).tolist() for sign in (-1, 1)}
    beyond: dict[tuple[int, int], list[int]] = {}
    for sign, far in out.items():
        for n in sorted(np.flatnonzero(on).tolist(), key=far.__getitem__):
            if far[n] > 0:
                beyond.setdefault((sign, int(row[n])), []).append(n)
    return Seen(x, ways, cards.middle[:, 1], cards.present, row, on, cards, rows, step, by, of, out, beyond, under)


def _column_choices(seen: Seen, layout: Layout) -> list[dict[Stack, list[int]]]:
    """The outer columns that may be there: each as it lies, or not at all."""
    choices: list[dict[Stack, list[int]]] = [{}]
    for line in layout.lines:
        if line.stack.kind == "column":
            chains = _columns(seen, SIGN[line.stack.side], layout)
            choices = [
                {**known, line.stack: taken}
                for known in choices
                for taken in ([], *chains)
                if taken or not known.get(line.stack)
            ]
    return choices


def _across(cards: Candidates, base: float) -> Doubles:
    """How far right of the base column each of n candidates lies. Of a card whose sides look alike that side shows that
    no other hides, the one towards the base column; of a base either may.
    """
    x = cards.middle[:, 0] - base
    return np.where((cards.side * x > 0) & (np.abs(x) >= SAME), cards.other - base, x)


def _steps(x: Doubles, row: Ints) -> Doubles:
    """How far apart the neighbours of each half row lie."""
    steps = [np.diff(np.sort(x[(row == r) & (sign * x > SAME)])) for r in np.unique(row) for sign in (-1, 1)]
    return np.concatenate(steps) if steps else np.zeros(0)


def _with_columns(seen: Seen, layout: Layout, columns: dict[Stack, list[int]], base: float) -> Draft:
    """The placing with these outer columns, and its log-odds."""
    tally = Tally(np.zeros(len(seen.x), bool))
    _put_columns(seen, [line for line in layout.lines if line.stack.kind == "column"], columns, tally)
    on = seen.on & ~tally.used & (seen.row >= 0) & (seen.row < layout.rows)
    bases, cost = _bases(seen, on, layout)
    tally.bases |= bases
    tally.used[list(bases.values())] = True
    tally.score += cost
    halves = [(line, _known_half_row(seen, line, tally)) for line in layout.lines if line.stack.kind == "half"]
    begins = [half.begin for _, half in halves if len(half.cards)]
    usual = float(np.median(begins)) if begins else 0.0
    for line, half in halves:
        tally.put(line, half.cards, half.steps, (seen.step, half.begin - usual), half.ways)
        if len(half.cards) and len(begins) > 1:
            # As if a card lay where usually none does, a step before the first.
            tally.score += one_line.worth(seen.step + half.begin - usual, seen.worth)
    strays = float(seen.weight[~tally.used].sum())
    return Draft(layout, seen, tally, base, strays, tally.score - SETTINGS.stray * strays)


def _put_columns(seen: Seen, lines: list[Line], columns: dict[Stack, list[int]], tally: Tally) -> None:
    """Tells of the outer columns, which begin at the height of the first row."""
    chains = [np.array(columns[line.stack], np.intp) for line in lines]
    apart = np.concatenate([np.zeros(0), *(np.diff(seen.y[chain]) for chain in chains)])
    usual = float(np.median(apart)) if len(apart) > 1 else 0.0
    uneven = float(np.clip(one_line.scatter(apart), *SETTINGS.ragged))
    for line, chain in zip(lines, chains, strict=True):
        tally.used[chain] = True
        down = seen.y[chain]
        # One column may be laid closer than the other.
        steps = [usual, one_line.usual_step(np.diff(down), usual)]
        worths = [one_line.steps_worth(step, uneven) for step in steps]
        every = [one_line.ways(down.tolist(), chain.tolist(), seen.of[0], by) for by in worths]
        best = int(np.argmax([ways.likeliest()[1] for ways in every]))
        (kept, odds), by = every[best].likeliest(), worths[best]
        mine, down, late = chain[kept], down[kept], 0.0
        if len(mine) and usual:
            late = float(down[0] - seen.rows.down(seen.first, seen.cards.middle[mine[0], 0]))
            odds += one_line.worth(steps[best] + late, by)
        tally.put(line, mine, np.diff(down), (steps[best], late), every[best])
        tally.score += odds
    aside = [float(np.median(np.abs(seen.x[laid.cards]))) for laid in tally.laid if len(laid.cards)]
    if len(aside) > 1:
        # They lie equally far from the base column.
        tally.score += one_line.worth(seen.step + abs(aside[0] - aside[1]), seen.worth)


def _known_half_row(seen: Seen, line: Line, tally: Tally) -> HalfRow:
    """What lies in a half row of the candidates that are told of by no column and by no base, told of in the tally."""
    row, sign, base = line.stack.row - 1 + seen.first, SIGN[line.stack.side], tally.base(line)
    near = tuple(n for n in seen.beyond.get((sign, row), ()) if not tally.used[n])
    if (sign, near, base) not in seen.known:
        seen.known[sign, near, base] = _half_row(seen, sign, near, base)
    half = seen.known[sign, near, base]
    tally.used[list(near)] = True
    tally.score += half.score
    return half


def _half_row(seen: Seen, sign: int, near: tuple[int, ...], base: int | None) -> HalfRow:
    """What may lie in a half row of these candidates, the inner ones first; base: the card that lies in its row of the
    base column.
    """
    out = seen.out[sign]
    at = [out[n] for n in near]
    ways = one_line.ways(at, near, seen.of[sign], seen.worth)
    kept, score = ways.likeliest()
    # From the card that lies in its row of the base column, so that begins and steps differ alike.
    begin = at[kept[0]] - (out[base] if base is not None else 0.0) if kept else 0.0
    steps = np.diff(np.array([at[k] for k in kept]))
    return HalfRow(np.array([near[k] for k in kept], np.intp), steps, begin, score, ways)


def _bases(seen: Seen, on: NDArray[np.bool_], layout: Layout) -> tuple[dict[str, int], float]:
    """The bases and the card in the cellar, and the log-odds of them."""
    out, score = dict[str, int](), 0.0
    cellar = any(spot.place == CELLAR for spot in layout.spots)
    for r in range(layout.rows):
        here = np.flatnonzero(on & (seen.row == r) & (np.abs(seen.x) < SAME))
        if r < BASES:
            score -= SETTINGS.base
        if not len(here):
            continue
        n = int(here[seen.weight[here].argmax()])
        if r < BASES:
            out[base_place(r + 1)] = n
            score += 2 * SETTINGS.base * float(seen.weight[n])
            score += (
                seen.of[1].lies[n] + seen.of[1].bare[n] + one_line.worth(seen.step + abs(float(seen.x[n])), seen.worth)
            )
        elif cellar:
            out[CELLAR] = n
    laid = [n for place, n in out.items() if place != CELLAR]
    return out, score + seen.foundations.odds(seen.cards.belief[laid])


def _columns(seen: Seen, sign: int, layout: Layout) -> list[list[int]]:
    """The cards that may be an outer column on that side, from the top: those farthest out, near one line; where that
    is a single one, it may be a stray, and those farthest out but for it may be the column.

    Either side of them may show, whatever lies over the cards of half rows: each counts as lying no farther out than it
    surely does.
    """
    ways = sign * seen.ways
    out = np.flatnonzero((ways.min(0) > layout.pitches["aside"].closest) & (seen.weight > 0.5))
    chains: list[list[int]] = []
    while len(out) and (not chains or len(chains[-1]) == 1):
        far = float(ways[:, out].min(0).max())
        mine = out[np.abs(ways[:, out] - far).min(0) < 2 * SAME]
        nearer = np.abs(ways[:, mine] - far).argmin(0)
        middle = float(np.median(ways[nearer, mine]))
        chain = np.flatnonzero((np.abs(ways - middle).min(0) < SAME) & (seen.weight > 0.5))
        chains.append([int(n) for n in chain[np.argsort(seen.y[chain])]])
        out = out[~np.isin(out, [*chain, *mine])]
    return chains
