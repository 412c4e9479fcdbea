"""Which layout is told: one likelihood for all shapes, and when it is enough."""

from __future__ import annotations

import numpy as np
import pytest

from rules.layouts import LAYOUTS
from vision.layout import arrange, arrange_lines, arrange_pyramid, likelihood
from vision.layout.likelihood import Explained
from vision.layout.table import Arranged, Proposed, Table

NONE = np.zeros(0)
ALL = tuple(LAYOUTS.values())


def proposed(layout: str, cards: float, strays: float = 0.0, stands: float = 1.0, bare: int = 0) -> Proposed:
    lines = 12 if LAYOUTS[layout].lines else 0
    explained = Explained(cards, strays, 0.0, np.ones(bare), lines)
    return Proposed(layout, explained, stands, lambda: Arranged(layout, (), (), (), ()))


def told(monkeypatch: pytest.MonkeyPatch, layouts: tuple[str, ...], *proposals: Proposed) -> str | None:
    monkeypatch.setattr(arrange, "proposals", lambda table, layouts: list(proposals))
    table: Table = object()  # type: ignore[assignment]
    found = arrange.arrange(table, tuple(LAYOUTS[name] for name in layouts))
    return found.layout if found else None


def test_cards_in_place_speak_for_a_layout_and_what_lies_elsewhere_or_is_missing_against_it() -> None:
    some = likelihood.odds(Explained(12.0, 2.0, 1.0, NONE, 0))
    assert likelihood.odds(Explained(13.0, 2.0, 1.0, NONE, 0)) > some
    assert likelihood.odds(Explained(12.0, 2.0, 2.0, NONE, 0)) > some
    assert likelihood.odds(Explained(12.0, 3.0, 1.0, NONE, 0)) < some
    assert likelihood.odds(Explained(12.0, 2.0, 1.0, np.zeros(1), 0)) < some
    assert likelihood.odds(Explained(12.0, 2.0, 1.0, np.ones(1), 0)) < likelihood.odds(
        Explained(12.0, 2.0, 1.0, np.zeros(1), 0)
    )
    assert likelihood.odds(Explained(12.0, 2.0, 1.0, NONE, 8)) < some - 8


def test_of_two_shapes_the_likelier_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    names = tuple(LAYOUTS)
    pyramid, rows = proposed("pyramid-7", 14.0, 34.0), proposed("rows-6", 48.0)
    assert told(monkeypatch, names, pyramid, rows) == "rows-6"
    assert told(monkeypatch, names, proposed("pyramid-7", 28.0), proposed("rows-5-4", 14.0, 14.0)) == "pyramid-7"
    # Of a few cards nobody can tell in which layout they lie.
    assert told(monkeypatch, names, proposed("pyramid-3", 3.0)) is None
    assert told(monkeypatch, names) is None


def test_what_may_lie_otherwise_is_told_only_where_the_player_named_it(monkeypatch: pytest.MonkeyPatch) -> None:
    unsure = proposed("pyramid-5", 12.0, stands=0.6)
    assert told(monkeypatch, tuple(LAYOUTS), unsure) is None
    assert told(monkeypatch, ("pyramid-5",), unsure) == "pyramid-5"


def test_backs_like_the_cloth_are_missed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    last = proposed("pyramid-7", 7.0, bare=20)
    assert likelihood.odds(last.explained) < -20
    assert told(monkeypatch, ("pyramid-7",), last) == "pyramid-7"
    assert told(monkeypatch, tuple(LAYOUTS), last) is None
    assert told(monkeypatch, ("pyramid-7",), proposed("pyramid-7", 7.0, strays=9.0, bare=20)) is None


def test_lines_are_not_laid_out_where_they_cannot_be_likelier(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cards:
        # Five more are rather none, and lines are laid of the others alone.
        present = np.array([1.0] * 28 + [0.4] * 5)

    class Few:
        cards = Cards()

    tried = []
    monkeypatch.setattr(arrange_pyramid, "propose", lambda table, layouts: proposed("pyramid-7", 28.0))
    monkeypatch.setattr(arrange_lines, "propose", lambda table, layouts: tried.append(layouts))
    table: Table = Few()  # type: ignore[assignment]
    assert [one.layout for one in arrange.proposals(table, ALL)] == ["pyramid-7"]
    assert not tried
    monkeypatch.setattr(arrange_pyramid, "propose", lambda table, layouts: proposed("pyramid-7", 9.0))
    arrange.proposals(table, ALL)
    assert [layout.id for layout in tried[0]] == [one.id for one in ALL if one.lines]
