"""Layouts of half rows: every place told, rows shortened, emptied and grown; and whole pictures of such tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from models.measure.drawn import Pool, View
from models.measure.hindered import clear_top
from models.measure.judging import judge
from models.measure.pictures import Picture
from models.training import decks
from models.training.layouts import ROW_LAYOUTS, Hand, played
from rules.layouts import LAYOUTS, Layout
from rules.rows.places import CELLAR
from vision.cards import index_marks
from vision.cards.candidates import Candidates, numbered
from vision.cards.homography import Plane
from vision.cards.index_marks import Pairs
from vision.errors import PictureError
from vision.layout import lines, side_by_side
from vision.layout.arrange_pyramid import Arranged
from vision.layout.one_line import Ways
from vision.posterior.observation import Query, none_read
from vision.reader import Reader
from vision.reading import TableReading
from vision.recognize.index_reader import CARDS, SIZE, Readings


@cache
def reader() -> Reader:
    return Reader.load()


def seen(places: dict[str, tuple[float, float]], rng: np.random.Generator) -> Candidates:
    """Cards found at these places, in card sides, each read as one of its own; covered ones by one end."""
    n = len(places)
    belief = np.full((n, SIZE), 1e-4)
    # The bases come first, a suit each.
    which = rng.permutation(len(CARDS))
    bases = [which[which // 13 == suit][0] for suit in range(4)]
    belief[np.arange(n), [*bases, *(k for k in which if k not in bases)][:n]] = 1.0
    belief /= belief.sum(1, keepdims=True)
    x = np.array([at[0] for at in places.values()])
    middle = np.array(list(places.values())) + rng.normal(0, 0.02, (n, 2))
    outermost = {}
    for place, at in places.items():
        line = place.rsplit(" ", 1)[0]
        outermost[line] = max(outermost.get(line, 0.0), abs(at[0]))
    open_ends = np.array(
        [
            place.startswith(("base", CELLAR)) or abs(at[0]) == outermost[place.rsplit(" ", 1)[0]]
            for place, at in places.items()
        ]
    )
    side = np.where(open_ends, 0.0, np.where(x > 0, -1.0, 1.0))
    upper, lower = np.where(open_ends | (x > 0), 1.0, 0.0), np.where(open_ends | (x < 0), 1.0, 0.0)
    ones = np.ones(n)
    return Candidates(
        middle,
        belief,
        upper,
        lower,
        side,
        middle[:, 0],
        2 * ones,
        ones,
        numbered([()] * n),
        belief.max(1),
        np.tile([0.0, 1.0, 0.0], (n, 1)),
        belief,
        np.zeros((n, 8, 6)),
    )


def laid(layout: Layout, rng: np.random.Generator, counts: list[int]) -> dict[str, tuple[float, float]]:
    """Where cards lie that somebody laid, by place, in card sides."""
    pitches = Hand.drawn(rng, layout).beside(layout, counts).pitches
    places = {spot.place: layout.centre(spot.at, pitches) for spot in layout.spots if spot.place != CELLAR}
    for line, count in zip(layout.lines, counts, strict=True):
        places |= {line.stack.place(i): layout.centre(line.at(i), pitches) for i in range(1, count + 1)}
    return places


def told(
    places: dict[str, tuple[float, float]], layout: Layout, rng: np.random.Generator
) -> tuple[dict[str, int], float]:
    """Which card was taken for lying where, and how surely, before it is looked at what lies in holes."""
    found = lines.placed(seen(places, rng), layout, 1.0)
    assert found is not None
    holes = [1 / (1 + np.exp(-abs(hole.odds))) for hole in found.missed.values()]
    return found.at, float(np.mean([found.told(place) for place in found.at]) * np.prod(holes))


@pytest.mark.parametrize("name", ROW_LAYOUTS)
def test_every_deal_of_a_layout_is_told_place_by_place(name: str) -> None:
    layout = LAYOUTS[name]
    for seed, deal in enumerate(layout.deals * 4):
        rng = np.random.default_rng(seed)
        places = laid(layout, rng, list(deal))
        assert told(places, layout, rng)[0] == {place: n for n, place in enumerate(places)}


@pytest.mark.parametrize("name", ROW_LAYOUTS)
def test_rows_shortened_emptied_and_grown_are_told_or_doubted(name: str) -> None:
    layout, right, sure = LAYOUTS[name], 0, 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        places = laid(layout, rng, played(rng, layout.deals[0], 20))
        at, chance = told(places, layout, rng)
        mine = at == {place: n for n, place in enumerate(places)}
        right += mine
        sure += not mine and chance > 0.99
    assert (right >= 28, sure) == (True, 0)


def test_cards_without_a_base_column_are_no_layout() -> None:
    rng = np.random.default_rng(1)
    places = {f"table {n}": (float(x), float(y)) for n, (x, y) in enumerate(rng.uniform(-3, 3, (12, 2)))}
    found = lines.placed(seen(places, rng), LAYOUTS["rows-6"], 1.0)
    assert found is None or found.strays > 0.25 * len(found.at)


def test_where_no_card_lies_in_a_row_that_was_pointed_at_there_is_no_layout() -> None:
    rng = np.random.default_rng(1)
    # Rows two card heights apart; the cards lie halfway between them.
    places = {f"table {n}": (1.1 * n, float(y)) for n, y in enumerate((1.0, 1.0, 3.0, 3.0))}
    assert lines.placed(seen(places, rng), LAYOUTS["rows-6"], 1.0, np.array([[0.0, 0.0], [0.0, 6.0]])) is None


def test_pictures_of_half_rows_are_read() -> None:
    pool = Pool(1, lambda rng: decks.draw_deck("by pen", rng, by_pen=True), plain=True, tops=clear_top)
    counts = Counter[str]()
    for number in range(6):
        picture = pool.row_table(number, View((60.0, 80.0)))
        for layout in (picture.layout, "auto"):
            reading = reader().read_pixels(picture.pixels, layout=layout)
            assert reading.layout == picture.layout
            counts.update(judge(picture, reading).counts)
    assert counts["slots_wrong"] <= 0.025 * counts["slots"], counts
    assert counts["sure_wrong"] <= 0.002 * counts["slots"], counts


def test_half_rows_are_no_pyramid_and_a_few_cards_no_half_rows() -> None:
    picture = next(upright_tables())
    with pytest.raises(PictureError) as refused:
        reader().read_pixels(picture.pixels, layout="pyramid-7")
    assert refused.value.code in ("no-layout", "outside")
    few = np.ascontiguousarray(picture.pixels[:, : picture.pixels.shape[1] // 3])
    assert reader().read_pixels(few, layout="auto").layout is None


def upright_tables() -> Iterator[Picture]:
    """One drawn table of each layout, seen from its near side: the half rows lie left and right in the picture."""
    pool = Pool(1, lambda rng: decks.draw_deck("by pen", rng, by_pen=True), plain=True, tops=clear_top)
    for start in range(len(ROW_LAYOUTS)):
        for number in range(start, 60, len(ROW_LAYOUTS)):
            picture = pool.row_table(number, View((60.0, 80.0)))
            at = {place: quad.mean(0) for place, quad in (picture.places_xy or {}).items()}
            across, down = np.abs(at["base 4"] - at["base 1"])
            if across < 0.4 * down:
                yield picture
                break


def test_half_rows_that_run_out_of_the_picture_are_not_called_short() -> None:
    for picture in upright_tables():
        assert not told_outside(reader().read_pixels(picture.pixels, layout=picture.layout))
        bases = [quad[:, 0].max() for place, quad in (picture.places_xy or {}).items() if place.startswith("base")]
        with pytest.raises(PictureError) as refused:
            reader().read_pixels(np.ascontiguousarray(picture.pixels[:, : int(max(bases)) + 20]), layout=picture.layout)
        assert refused.value.code == "outside"


def told_outside(reading: TableReading) -> bool:
    return any(advice.code == "outside" for advice in reading.advice)


def test_half_rows_beside_half_rows_are_two_layouts() -> None:
    pool = Pool(4, lambda rng: decks.draw_deck("by pen", rng, by_pen=True), plain=True, tops=clear_top)
    picture = pool.row_table(0, View((60.0, 80.0)))
    for layout in (picture.layout, "auto"):
        with pytest.raises(PictureError) as refused:
            reader().read_pixels(np.hstack([picture.pixels, picture.pixels]), layout=layout)
        assert refused.value.code == "two-layouts"


def test_a_base_column_a_little_apart_is_told_where_cards_lie_neatly_side_by_side() -> None:
    layout, pitches = LAYOUTS["rows-6"], {"row": 1.1, "gap": 1.22, "card": 1.1}
    for seed in range(10):
        rng = np.random.default_rng(seed)
        places = {spot.place: layout.centre(spot.at, pitches) for spot in layout.spots}
        for line, count in zip(layout.lines, played(rng, layout.deals[0], 20), strict=True):
            places |= {line.stack.place(i): layout.centre(line.at(i), pitches) for i in range(1, count + 1)}
        assert told(places, layout, rng)[0] == {place: n for n, place in enumerate(places)}


def test_the_likeliest_way_along_a_line_and_the_chances_of_its_cards_are_those_of_all_ways() -> None:
    rng = np.random.default_rng(5)
    for count in range(6):
        odds = rng.normal(0, 2, (count + 2, count + 2))
        way = Ways([[(k, float(odds[n, k])) for k in range(n + 1, count + 2)] for n in range(count + 1)])
        every = [[n for n in range(count) if bits >> n & 1] for bits in range(2**count)]
        stops = [[0, *(n + 1 for n in taken), count + 1] for taken in every]
        scores = np.array([sum(odds[a, b] for a, b in pairwise(stop)) for stop in stops])
        taken, best = way.likeliest()
        assert (taken, best) == (every[int(scores.argmax())], pytest.approx(scores.max()))
        shares = np.exp(scores) / np.exp(scores).sum()
        wanted = [sum(share for share, on in zip(shares, every, strict=True) if n in on) for n in range(count)]
        assert way.chances() == pytest.approx(wanted)


def with_another(cards: Candidates, number: int, across: float, present: float) -> Candidates:
    """The same and once more what was read on a card, so far beside it, as a card that is there with such a chance."""
    out = cards.take(np.array([*range(len(cards)), number]))
    out.middle[-1, 0] += across
    out.other[-1] += across
    out.present[-1], out.sure[-1] = present, 0.1
    return out


def test_a_card_found_twice_is_told_once() -> None:
    layout = LAYOUTS["rows-6"]
    for seed in range(10):
        rng = np.random.default_rng(seed)
        places = laid(layout, rng, [6] * 8)
        number = list(places).index(f"right {1 + seed % 4} {1 + seed % 6}")
        found = lines.placed(with_another(seen(places, rng), number, 0.12, 0.9), layout, 1.0)
        assert found is not None
        cards = [n if n < len(places) else number for n in found.at.values()]
        assert dict(zip(found.at, cards, strict=True)) == {place: n for n, place in enumerate(places)}


def test_a_card_at_the_end_of_a_half_row_that_may_be_none_is_asked_about() -> None:
    layout, rng = LAYOUTS["rows-6"], np.random.default_rng(3)
    places = laid(layout, rng, [6] * 8)
    cards, number = seen(places, rng), list(places).index("right 2 6")
    cards.present[number], cards.belief[number] = 0.6, np.eye(SIZE)[-1]
    found = lines.placed(cards, layout, 1.0)
    assert found is not None
    surely = {place for place in found.at if found.told(place) > 0.96}
    assert surely == places.keys() - {"right 2 6"}


def test_outer_columns_lie_equally_far_from_the_base_column() -> None:
    layout, pitches = LAYOUTS["rows-columns"], {"row": 1.1, "gap": 1.1, "card": 1.1, "step": 0.4, "aside": 7.2}
    for seed in range(10):
        rng = np.random.default_rng(seed)
        places = {spot.place: layout.centre(spot.at, pitches) for spot in layout.spots}
        for line, count in zip(layout.lines, layout.deals[0], strict=True):
            places |= {line.stack.place(i): layout.centre(line.at(i), pitches) for i in range(1, count + 1)}
        assert told(places, layout, rng)[0] == {place: n for n, place in enumerate(places)}


def _upright_or_turned(at: NDArray[np.float64], ways: list[int], beliefs: NDArray[np.float64]) -> Pairs:
    """How indices at these points (n, 2), in card sides, stand to each other."""
    axes = np.array(ways)[:, None, None] * np.eye(2, 3) / 2
    frames = np.concatenate([np.zeros((len(at), 2, 2)), at[:, :, None]], axis=2)
    return index_marks.on_cards(axes, Readings(frames.astype(np.float32), beliefs))


def test_the_right_side_of_a_four_index_card_and_the_left_side_of_its_neighbour_are_of_two_cards() -> None:
    site = np.array([-0.45, -0.42])
    # Neighbours 0.9 apart; the upper index between them is that of one, the lower that of the other.
    at = np.array([[0.45, -0.42], [0.45, 0.42], [-0.45, -0.42], [-0.45, 0.42], [0.45, 0.42], [1.35, -0.42]])
    cards = np.array([0, 0, 0, 0, 1, 1])
    found = _upright_or_turned(at, [1, -1, 1, -1, -1, 1], np.eye(SIZE)[cards])
    groups = index_marks.joined(index_marks.groups(found, site, True), found, site)
    assert all(np.ptp(at[group, 0]) < 1.2 for group in groups)


def test_no_group_of_indices_is_wider_than_a_four_index_card() -> None:
    site = np.array([-0.45, -0.42])
    # The four of one card, and an index of another one that was read as the same.
    at = np.array([[-0.45, -0.42], [-0.45, 0.42], [0.45, -0.42], [0.45, 0.42], [1.4, 0.42]])
    found = _upright_or_turned(at, [1, -1, 1, -1, -1], np.eye(SIZE)[[0] * 5])
    assert sorted(map(sorted, index_marks.groups(found, site, True))) == [[0, 1, 2, 3], [4]]


def test_a_four_index_card_of_a_half_row_lies_where_the_side_that_shows_says() -> None:
    layout, rng = LAYOUTS["rows-6"], np.random.default_rng(4)
    pitches = {"row": 1.1, "gap": 1.3, "card": 0.5}
    places = {place: layout.centre(at, pitches) for place, at in layout.fresh()}
    cards, number = seen(places, rng), list(places).index("right 2 4")
    true = float(cards.middle[number, 0])
    cards = replace(cards, other=cards.other.copy())
    cards.middle[number, 0], cards.side[number] = true - 0.8, 1.0
    found = lines.placed(cards, layout, 1.0)
    assert found is not None
    assert found.at["right 2 4"] == number
    assert found.sided == {number}
    assert cards.sided(np.arange(len(cards)) == number).middle[number, 0] == true


def test_the_other_side_of_a_four_index_card_is_no_card_of_its_own() -> None:
    layout, pitches = LAYOUTS["rows-6"], {"row": 1.1, "gap": 1.4, "card": 1.04}
    for seed in range(5):
        rng = np.random.default_rng(seed)
        places = {place: layout.centre(at, pitches) for place, at in layout.fresh()}
        number = list(places).index(f"left {1 + seed % 4} 5")
        cards = with_another(seen(places, rng), number, -0.8, 0.95)
        cards.other[-1], cards.side[-1] = cards.middle[number, 0], 1.0
        found = lines.placed(cards, layout, 1.0)
        assert found is not None
        assert dict(found.at) == {place: n for n, place in enumerate(places)}


def test_no_card_lies_on_one_that_shows_both_its_ends() -> None:
    layout = LAYOUTS["rows-6"]
    for seed in range(5):
        rng = np.random.default_rng(seed)
        places = laid(layout, rng, [6] * 8)
        number = list(places).index(f"right {1 + seed % 4} 6")
        cards = with_another(seen(places, rng), number, 0.4, 0.8)
        cards.side[-1], cards.lower[-1] = -1.0, 0.0
        found = lines.placed(cards, layout, 1.0)
        assert found is not None
        assert len(places) not in found.at.values()


@pytest.mark.parametrize(("width", "share"), [(1.0, 1.0), (0.7, 0.0), (1.43, 0.0)])
def test_the_indices_of_one_card_tell_how_wide_it_is(width: float, share: float) -> None:
    site = np.array([-0.4, -0.4])
    middle = np.array([[100.0 * n, 40.0 * n] for n in range(4)])
    frames = np.zeros((8, 2, 3), np.float32)
    frames[:, :, 2] = np.concatenate([middle + 100 * site, middle - 100 * site])
    twins = index_marks.twins(Readings(frames, np.eye(SIZE)[[0, 1, 2, 3] * 2]), site)
    assert len(twins.at) == 4
    assert twins.agree(Plane(np.diag([width / 100, 1 / 100, 1.0]), 0.0)) == share


def test_half_of_a_layout_is_no_layout_of_its_own() -> None:
    def half(*places: str) -> Arranged:
        queries = tuple(Query(place, np.eye(2, 3), none_read()) for place in places)
        return Arranged("rows-6", queries, (), (), ())

    assert not side_by_side.stands_alone(half("base 1", "base 2", "left 1 1", "left 2 1"))
    assert side_by_side.stands_alone(half("base 1", "base 2", "left 1 1", "right 2 1"))


def test_the_last_card_of_a_half_row_cut_off_by_the_edge_is_asked_about() -> None:
    asked = 0
    for picture in upright_tables():
        edges = {place: quad[:, 0] for place, quad in (picture.places_xy or {}).items() if place.startswith("right ")}
        if any("column" in place for place in edges):
            continue
        outermost = max(edges, key=lambda place, edges=edges: edges[place].max())  # type: ignore[misc]
        width = int(0.3 * edges[outermost].min() + 0.7 * edges[outermost].max())
        whole = reader().read_pixels(picture.pixels, layout=picture.layout)
        cut = reader().read_pixels(np.ascontiguousarray(picture.pixels[:, :width]), layout=picture.layout)
        asked += outermost in whole.doubts
        assert outermost in cut.doubts
        assert cut.places[outermost] == whole.places[outermost]
    assert asked <= 1
