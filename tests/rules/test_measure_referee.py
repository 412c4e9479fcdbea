"""The measure of the referee, on fewer looks: true moves found, planted breaches named, and wrong answers counted."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules import measure_referee
from rules.catalogue import GAMES, find_game
from rules.measure_referee import STRICT, main, measure_breaches, measure_steps
from rules.pyramid import planting
from rules.pyramid.legality import violations
from rules.rows import planting as row_planting
from rules.story import Explanation
from rules.violation import Violation

RULES = Path(measure_referee.__file__).parent


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_step_is_found_without_a_false_alarm(game_id: str) -> None:
    found = measure_steps(GAMES[game_id], 60, 5)
    assert (found.count, found.found, found.alarms) == (60, 60, 0)
    assert found.single >= 50


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_planted_breach_is_named_or_explained_otherwise(game_id: str) -> None:
    found = measure_breaches([GAMES[game_id]], 60, 5)
    assert found.planted.total() >= 40
    assert found.right + found.legal == found.planted
    assert found.legal.total() <= 6


def named_in(folder: str) -> set[str]:
    """The breaches that a family's rules can name, from their source."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in (RULES / folder).glob("*.py"))
    calls = re.findall(r"Violation\(\s*((?:\"[a-z-]+\"[^,\"]*)+),", source)
    return {name for call in calls for name in re.findall(r"\"([a-z-]+)\"", call)}


@pytest.mark.parametrize(
    ("room", "never_seen", "folder"),
    [(planting, {"waste-empty"}, "pyramid"), (row_planting, {"wrong-count"}, "rows")],
)
def test_every_kind_of_breach_is_planted_but_one_that_no_two_looks_can_show(
    room: Any, never_seen: set[str], folder: str
) -> None:
    assert set(room.KINDS) == named_in(folder) - never_seen
    found: set[str] = set()
    for game in (game for game in GAMES.values() if game.family == folder):
        for rules in ({}, STRICT) if folder == "pyramid" else ({},):
            for plant in islice(room.planted(game.with_rules(rules), Random(6)), 250):
                found |= plant.breaches
    assert found == set(room.KINDS)


def test_kinds_that_come_up_often_give_way_to_rare_ones() -> None:
    found = measure_breaches([find_game("piwnica")], 100, 2).planted
    often, seldom = found["card-vanished"], sum(found[kind] for kind in found if "wrong-base" in kind)
    assert found.total() == 100
    assert often <= 12
    assert seldom > 0


def test_a_referee_that_tells_something_else_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(before: object, after: object, game: object) -> object:
        return Explanation((), (), (Violation("card-changed", ("waste",)),), before)  # type: ignore[type-var]

    monkeypatch.setattr(measure_referee, "_explain", wrong)
    steps = measure_steps(GAMES["easy-pyramid"], 10, 1)
    assert (steps.found, steps.alarms) == (0, 10)
    breaches = measure_breaches([GAMES["easy-pyramid"]], 20, 1)
    assert breaches.planted.total() > 0 == breaches.right.total()


def test_legal_steps_are_legal_and_hide_the_order_of_the_stock() -> None:
    game = find_game("pyramid")
    source = planting.legal_steps(game, Random(4))
    for _ in range(50):
        step = next(source)
        assert not violations(step.before, step.move, game)
        assert step.before.stock_cards is None or not step.before.stock_cards
        assert step.after.pass_number is None and step.after.stock_count in (None, 0)


def test_the_command_prints_games_and_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--steps", "30", "--breaches", "60", "--family", "rows"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:6]] == [game for game in GAMES if GAMES[game].family == "rows"]
    assert lines[-1].endswith("explained otherwise")
