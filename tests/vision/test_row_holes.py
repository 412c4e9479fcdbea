"""Cards of half rows and columns that were not found: the holes they leave, and how many the deck lacks."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from rules.layouts import LAYOUTS
from tests.vision.test_rows import laid, seen, told
from vision.layout import lines, one_line


def test_a_card_missed_in_a_row_is_counted_and_what_lies_beyond_is_asked_about() -> None:
    layout, rng = LAYOUTS["rows-6"], np.random.default_rng(3)
    places = laid(layout, rng, [6] * 8)
    lost = places.pop("right 2 3")
    found = lines.placed(seen(places, rng), layout, 1.0)
    assert found is not None
    assert found.at == {place: n for n, place in enumerate(places)}
    assert list(found.lost()) == ["right 2 3"]
    hole = found.lost()["right 2 3"]
    assert np.abs(hole.middle - lost).max() < 0.2
    assert hole.odds > 0
    assert hole.between == (found.at["right 2 2"], found.at["right 2 4"])


def test_a_column_that_begins_below_the_first_row_may_have_lost_its_first_card() -> None:
    layout, rng = LAYOUTS["rows-columns"], np.random.default_rng(2)
    places = laid(layout, rng, list(layout.deals[0]))
    places.pop("left column 1")
    found = lines.placed(seen(places, rng), layout, 1.0)
    assert found is not None
    assert "left column 1" in found.missed
    assert found.at["left column 2"] == list(places).index("left column 2")


def test_a_long_step_is_a_hole_where_cards_lie_evenly_and_none_where_they_do_not() -> None:
    often = one_line.SETTINGS.skipped
    assert one_line.overlooked(0.56, 0.28, 0.02, often, 1) > 1
    assert one_line.overlooked(0.56, 0.28, 0.02, often, 2) < -2
    assert one_line.overlooked(0.42, 0.28, 0.12, often, 1) < -1
    assert one_line.missed(np.array([0.28, 0.56, 0.84]), 0.28, 0.02, often).tolist() == [0, 1, 2]
    assert one_line.missed(np.array([0.28, 0.56]), 0.0, 0.02, often).tolist() == [0, 0]


def test_as_many_cards_lie_in_holes_as_the_deck_lacks() -> None:
    alone, share = [0.2, 0.6, 0.03], one_line.SETTINGS.elsewhere
    for unseen, known in ((2.0, 1.0), (0.4, 1.0), (-1.0, 0.7), (3.0, 0.0)):
        ways = []
        for lying in product((0, 1), repeat=3):
            fits = known * share ** abs(sum(lying) - unseen) + (1 - known) * share
            ways.append((lying, fits * np.prod([p if lies else 1 - p for p, lies in zip(alone, lying, strict=True)])))
        total = sum(weight for _, weight in ways)
        wanted = [sum(weight for lying, weight in ways if lying[n]) / total for n in range(3)]
        assert one_line.as_counted(alone, unseen, known) == pytest.approx(wanted)
    assert one_line.as_counted(alone, 3.0, 0.0) == pytest.approx(alone)
    assert one_line.as_counted([], 2.0, 1.0) == []


def test_what_is_not_found_of_a_deck_is_counted() -> None:
    layout, rng = LAYOUTS["rows-6"], np.random.default_rng(3)
    places = laid(layout, rng, [6] * 8)
    for count, lost in enumerate(("right 2 3", "left 4 2"), 1):
        places.pop(lost)
        cards = seen(places, rng)
        aces = [0, 13, 26, 39]
        for base, ace in enumerate(aces):
            at = [base, int(cards.belief[:, ace].argmax())]
            cards.belief[at] = cards.belief[at[::-1]]
        found = lines.placed(cards, layout, 1.0)
        assert found is not None
        assert found.unseen == pytest.approx(count, abs=0.3)
        assert found.counted > 0.7


def test_a_single_thing_beyond_an_outer_column_hides_no_column() -> None:
    layout = LAYOUTS["rows-columns"]
    for seed in range(4):
        rng = np.random.default_rng(seed)
        places = laid(layout, rng, list(layout.deals[0]))
        out = min(at[0] for place, at in places.items() if place.startswith("left column"))
        places.pop([place for place in places if place.startswith("right 2")][-1])
        places["beyond"] = (out - 2.0, places["left 1 1"][1] + 0.6)
        at, _ = told(places, layout, rng)
        assert at == {place: n for n, place in enumerate(places) if place != "beyond"}
