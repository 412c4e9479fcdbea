"""The grid of a pyramid is found from any side of the table, at any angle, in any state of play."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.cards import homography
from vision.detect.card_voting import CardFinds
from vision.detect.heatmaps import Corners
from vision.detect.multiscale import Kinds
from vision.layout import hypotheses, lattice

SIZE = (1600, 1200)
# A card map that takes everything for the bare table, as surely as it does backs on a cloth like them.
NOTHING = Kinds(
    np.tile(np.array([0.8, 0.1, 0.1], np.float32)[:, None, None], (1, 300, 300)), (8.0, 8.0), (-800.0, -800.0)
)


def unknown(places: np.ndarray) -> np.ndarray:
    """A close look that tells nothing."""
    return np.full(len(places), 0.5)


def clues(middles: np.ndarray) -> hypotheses.Clues:
    """Cards by themselves, of which no more is known than where they lie."""
    n = len(middles)
    return hypotheses.Clues(middles, np.full(n, np.nan), np.ones(n), NOTHING, np.full(n, 0.5), unknown)


def camera(rng: np.random.Generator, turn: float, *, near: bool = False) -> np.ndarray:
    """Homography from card widths, apex at (0, 0), to pixels; `near`: from close to the table, 25° above it."""
    tilt, distance = (np.radians(65), 5.5) if near else (rng.uniform(0, 0.9), 14.0)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    to_camera = np.array(
        [
            [spin[0, 0], spin[0, 1], 0],
            [spin[1, 0] * np.cos(tilt), spin[1, 1] * np.cos(tilt), 0],
            [-spin[1, 0] * np.sin(tilt), -spin[1, 1] * np.sin(tilt), distance],
        ]
    )
    lens = np.array([[1350, 0, SIZE[0] / 2], [0, 1350, SIZE[1] / 2], [0, 0, 1]])
    return lens @ to_camera @ np.array([[1, 0, 0], [0, 1, -2.6], [0, 0, 1]])


def through(h: np.ndarray, points: np.ndarray) -> np.ndarray:
    p = np.column_stack([points, np.ones(len(points))]) @ h.T
    return p[:, :2] / p[:, 2:]


def remaining(rng: np.random.Generator, rows: int, gone: float) -> list[tuple[int, int]]:
    left = {(r, c) for r in range(rows) for c in range(r + 1)}
    for r in range(rows - 1, 0, -1):
        for c in range(r + 1):
            if (r + 1, c) not in left and (r + 1, c + 1) not in left and rng.random() < gone:
                left.discard((r, c))
    return sorted(left)


def table(
    rng: np.random.Generator, turn: float, rows: int, gone: float, *, near: bool = False
) -> tuple[CardFinds, Corners, list[tuple[int, int]], np.ndarray]:
    """What a good search would find: rough cards, most corners, some of them wrong."""
    h, places = camera(rng, turn, near=near), remaining(rng, rows, gone)
    pitch, row = rng.uniform(1.02, 1.3), rng.uniform(0.5, 0.8)
    quads = []
    for r, c in places:
        middle = np.array([(c - r / 2) * pitch, r * row]) + rng.normal(0, 0.02, 2)
        angle = rng.normal(0, 0.03)
        m = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        quads.append(through(h, middle + np.array([[-0.5, -0.7], [0.5, -0.7], [0.5, 0.7], [-0.5, 0.7]]) @ m.T))
    q = np.stack(quads)
    right, down = (q[:, 1] + q[:, 2] - q[:, 0] - q[:, 3]) / 4, (q[:, 3] + q[:, 2] - q[:, 0] - q[:, 1]) / 4
    sign = rng.choice([-1, 1], (len(q), 1))
    rough = [
        x + rng.normal(0, 0.06, x.shape) * np.linalg.norm(right, axis=1, keepdims=True)
        for x in (q.mean(1), down, right)
    ]
    one = np.ones(len(q), np.float32)
    cards = CardFinds(
        rough[0].astype(np.float32),
        (rough[1] * sign).astype(np.float32),
        (rough[2] * sign).astype(np.float32),
        one,
        one * 3000,
        one * 70,
    )
    at, edge, other = [], [], []
    for quad, (r, c) in zip(q, places, strict=True):
        free = (r + 1, c) not in places and (r + 1, c + 1) not in places
        for k in (0, 1, 2, 3) if free else (0, 1):
            if rng.random() < 0.85:
                at.append(quad[k] + rng.normal(0, 1, 2))
                edge.append(quad[(k + 1) % 4] - quad[k])
                other.append(quad[(k + 3) % 4] - quad[k])
    unit = [np.array(v) / np.linalg.norm(v, axis=1, keepdims=True) for v in (edge, other)]
    corners = Corners(
        np.array(at, np.float32), unit[0].astype(np.float32), unit[1].astype(np.float32), np.ones(len(at), np.float32)
    )
    return cards, corners, places, q


@pytest.mark.parametrize("turn", [0.0, np.pi / 2, np.pi, -np.pi / 2, 0.35])
@pytest.mark.parametrize(("rows", "gone"), [(7, 0.0), (7, 0.35), (6, 0.3), (7, 0.8)])
def test_every_card_gets_its_place_from_any_side(turn: float, rows: int, gone: float) -> None:
    found = wanted = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        cards, corners, places, quads = table(rng, turn, rows, gone)
        plane = homography.rectify(cards, corners)
        assert plane is not None
        flat = plane.flat(quads.mean(1))
        grid = lattice.fits(flat, np.full(len(flat), 2.0), np.linalg.inv(plane.homography))[0]
        assert grid is not None
        placed = hypotheses.place(grid, (rows,), clues(plane.pixels(flat)))
        at = {n: (r, (k + r) // 2) for n, (k, r) in placed.grid.at.items()}
        wanted += len(places)
        found += sum(at.get(n) == place for n, place in enumerate(places))
    assert found >= 0.985 * wanted, (found, wanted)


def test_nothing_found_is_no_layout() -> None:
    none, zero = np.zeros((0, 2), np.float32), np.zeros(0, np.float32)
    assert homography.rectify(CardFinds(none, none, none, zero, zero, zero), Corners(none, none, none, zero)) is None


def test_a_whole_pyramid_is_told_surely_at_every_place() -> None:
    at = {n: (2 * c - r, r) for n, (r, c) in enumerate((r, c) for r in range(7) for c in range(r + 1))}
    grid = lattice.Grid(np.diag([100.0, 80.0, 1.0]), 1.1, 0.6, at)
    placed = hypotheses.place(grid, (7,), clues(np.zeros((28, 2))))
    assert placed.taken() == {place: n for n, place in at.items()}
    assert placed.told() > 0.99
    assert min(placed.told(place) for place in at.values()) > 0.99


def test_two_cards_side_by_side_may_lie_anywhere_so_their_places_are_in_doubt() -> None:
    grid = lattice.Grid(np.diag([100.0, 80.0, 1.0]), 1.1, 0.6, {0: (-1, 4), 1: (1, 4)})
    placed = hypotheses.place(grid, (7,), clues(np.zeros((2, 2))))
    assert placed.told() < 0.7
    assert all(placed.told(place) < 0.7 for place in placed.taken())
    nowhere = next(
        (2 * c - r, r)
        for r in range(7)
        for c in range(r + 1)
        if not any((2 * c - r, r) in taken for taken in (placed.taken(), *(t for _, t in placed.rivals)))
    )
    assert placed.told(nowhere) == 1.0


@pytest.mark.parametrize("seed", range(6))
def test_a_pyramid_of_which_most_covered_cards_were_not_made_out_stands_where_it_is(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pitch, row = rng.uniform(1.05, 1.3), rng.uniform(0.35, 0.6)
    # The last row and the apex are plain, a third of the others faint, and as many things are taken for cards.
    nodes = [(2 * c - r, r) for r in range(7) for c in range(r + 1) if r in (0, 6) or rng.random() < 1 / 3]
    truth = np.array([(k / 2 * pitch, r * row) for k, r in nodes]) + rng.normal(0, 0.02, (len(nodes), 2))
    clutter = rng.uniform([-4, 0], [4, 6 * row], (len(nodes) // 2, 2))
    weight = np.array([3.0 if r in (0, 6) else 0.7 for _, r in nodes] + [0.6] * len(clutter))
    middle, to_pixels = np.concatenate([truth, clutter]), np.diag([120.0, 170.0, 1.0])
    grids = lattice.fits(middle, weight, to_pixels)
    worth = np.where(weight > 1, 1.0, 0.5)
    pixels = middle * [120.0, 170.0]
    placed = hypotheses.best(grids, (7,), replace(clues(pixels), worth=worth))
    at = placed.taken()
    assert [at.get(node) for node in nodes if node[1] in (0, 6)] == [
        n for n, node in enumerate(nodes) if node[1] in (0, 6)
    ]
    assert placed.stands() > 0.8


def test_a_rival_that_only_adds_a_card_leaves_the_pyramid_standing() -> None:
    at = {n: (2 * c - r, r) for n, (r, c) in enumerate((r, c) for r in range(4) for c in range(r + 1))}
    grid = lattice.Grid(np.eye(3), 1.1, 0.6, at)
    mine = {place: n for n, place in at.items()}
    more = hypotheses.Placed(grid, 4, 10.0, ((9.9, {**mine, (0, 4): 17}),))
    elsewhere = hypotheses.Placed(grid, 4, 10.0, ((9.9, {(k + 1, r + 1): n for (k, r), n in mine.items()}),))
    assert more.stands() > 0.99
    assert more.told((0, 4)) < 0.6
    assert more.told((0, 0)) > 0.99
    assert elsewhere.stands() < 0.6


def test_a_pyramid_whose_last_row_may_be_gone_may_have_one_more() -> None:
    at = {n: (2 * c - r, r) for n, (r, c) in enumerate((r, c) for r in range(6) for c in range(r + 1))}
    grid = lattice.Grid(np.diag([100.0, 80.0, 1.0]), 1.1, 0.6, at)
    bare = Kinds(np.zeros((3, 0, 0), np.float32), (8.0, 8.0))
    known = replace(clues(grid.pixels(np.array([(k / 2, r) for k, r in at.values()]))), kinds=bare)
    placed = hypotheses.place(grid, (7, 6), known)
    # Of two that fit as well the larger one is told.
    assert placed.rows == 7
    assert placed.may_have(0.04) == (6,)
    # Of fewer rows some cards would lie on no place.
    assert 5 not in hypotheses.place(grid, (6, 5), clues(grid.pixels(np.zeros((len(at), 2))))).may_have(0.04)


@pytest.mark.parametrize("turn", [0.0, np.pi / 2, np.pi])
def test_the_cards_of_a_table_seen_from_close_by_and_low_become_upright_and_of_one_size(turn: float) -> None:
    off = []
    for seed in range(6):
        cards, corners, _, quads = table(np.random.default_rng(seed), turn, 7, 0.0, near=True)
        plane = homography.rectify(cards, corners)
        assert plane is not None
        flat = np.stack([plane.flat(quad) for quad in quads])
        sides = np.stack([flat[:, 1] - flat[:, 0], flat[:, 3] - flat[:, 0]], axis=1)
        off.append(np.abs(np.abs(sides) - np.eye(2)).max((1, 2)).mean())
    assert max(off) < 0.12


def test_a_last_row_is_placed_though_nothing_was_made_out_above_it() -> None:
    at = {n: (2 * n - 6, 0) for n in range(7)}
    grid = lattice.Grid(np.diag([110.0, 90.0, 1.0]), 1.1, 0.6, at)
    placed = hypotheses.place(grid, (7,), clues(grid.pixels(np.array([(k / 2, r) for k, r in at.values()]))))
    assert placed.taken() == {(k, 6): n for n, (k, _) in at.items()}
