"""The referee of the row games against the oracle, on fewer cases than ``python -m tests.oracle_rows`` takes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.oracle_rows import measure, plants
from tests.oracle_rows.game import DECK, legal_moves, made, replayed
from tests.oracle_rows.measure import Tally, measure_breaches, measure_lines, measure_records, measure_steps
from tests.oracle_rows.play import RULES, deal, game_from, told

SEED = 41
FEWEST = 0.995
"""Share of truths told, and of breaches named with their cards."""
PLANTED = {
    "already-reversed", "base-not-chosen", "card-appeared", "card-changed", "card-vanished", "cellar-full", "covered",
    "locked-cellar", "not-built-on", "not-in-play", "row-stays-empty", "wrong-base", "wrong-direction", "wrong-place",
    "wrong-suit-or-rank",
}  # fmt: skip
"""Every breach that two looks can show of a deal that is finished."""


def share(tally: Tally, name: str) -> float:
    return tally.counts[name] / tally.counts["cases"]


def clean(tally: Tally, *names: str) -> None:
    """None of these came up; the cases are in the message."""
    found = {name: tally.counts[name] for name in names if tally.counts[name]}
    assert not found, (found, [f"{name}: {case}" for name, case in tally.wrong[:3]])


def test_one_to_three_moves_between_two_looks_are_told_as_they_were_made() -> None:
    tally = measure_lines(1200, SEED)
    clean(tally, "told, but not legal", "false alarms")
    assert share(tally, "found") >= FEWEST, tally.wrong[:3]
    assert tally.counts["3 moves"] > 300 < tally.counts["2 moves"]


def test_illegal_changes_are_named_and_never_told_as_legal_or_as_taken_back() -> None:
    tally = measure_breaches(1000, SEED)
    clean(tally, "told as legal", "told as taken back", "false alarms")
    assert share(tally, "named") >= FEWEST, tally.wrong[:3]
    assert {name.split()[-1] for name in tally.counts if name.startswith("of them")} == PLANTED


def test_a_legal_step_is_no_false_alarm() -> None:
    tally = measure_steps(2000, SEED)
    clean(tally, "false alarms")
    assert share(tally, "found") >= FEWEST, tally.wrong[:3]


def test_moves_put_back_within_a_record_are_undone_and_wrong_ones_are_not() -> None:
    tally = measure_records(250, SEED)
    clean(tally, "not undone", "excused")
    assert tally.counts["undone"] > 80 < tally.counts["accused"]


def test_the_oracle_plays_every_kind_of_move_and_opens_cellars() -> None:
    kinds, rng = Counter[str](), Random(1)
    for rule, _ in RULES * 10:
        for table, move in game_from(rule, deal(rule, rng), rng):
            kinds[move.kind] += 1
            kinds["from the cellar"] += move.places[:1] == ("cellar",)
            assert sorted(card for cards in table.stacks for card in cards) == sorted(DECK)
    assert all(kinds[kind] >= 5 for kind in ("base", "choice", "direction", "reverse", "cellar", "from the cellar"))
    assert kinds["fill"] > 100 < kinds["foundation"]


def test_the_oracle_replays_its_own_moves_and_refuses_others() -> None:
    rule, rng = RULES[0][0], Random(2)
    table = deal(rule, rng)
    move = legal_moves(rule, table)[0]
    assert replayed(rule, table, [move.to_json()]) == made(rule, table, move)
    assert replayed(rule, table, [move.to_json() | {"places": ["left 1 1", "left 2 6"]}]) is None


def test_a_referee_that_excuses_or_accuses_everything_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(game: str, rules: Any, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
        return {"moves": [], "alternatives": [], "violations": [], "position": after}

    monkeypatch.setattr(measure, "explained", nothing)
    assert measure_breaches(30, SEED).counts["told as legal"] == 30
    assert measure_lines(30, SEED).counts["missed"] > 20 < measure_lines(30, SEED).counts["told, but not legal"]
    broken = {"violations": [{"breach": "covered", "places": [], "cards": []}]}
    monkeypatch.setattr(measure, "explained", lambda *looks: nothing(*looks) | broken)
    assert measure_steps(30, SEED).counts["false alarms"] == 30
    assert measure_breaches(30, SEED).counts["misnamed"] == 30
    undone = {"undone": [{"kind": "build", "cards": ["2S"], "places": ["left 1 1", "left 2 1"]}]}
    monkeypatch.setattr(measure, "explained", lambda *looks: nothing(*looks) | undone)
    assert measure_breaches(30, SEED).counts["told as taken back"] == 30


def test_only_the_border_of_the_oracle_knows_the_rules_it_judges() -> None:
    for path in Path(plants.__file__).parent.glob("*.py"):
        imports = [line for line in path.read_text(encoding="utf-8").splitlines() if "import" in line.split()[:3]]
        known = any(line.startswith(("from rules", "import rules")) for line in imports)
        assert known == (path.name == "border.py"), path.name
    assert told(RULES[0][0], deal(RULES[0][0], Random(3)))["base_cards"][0][0] == "A"
