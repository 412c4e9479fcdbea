"""Shares of winnable deals against the rules text, on fewer deals than ``python -m rules.pyramid.shares``."""

from __future__ import annotations

from math import sqrt

import pytest

from rules.pyramid import benchmark
from rules.pyramid.search import Limits
from rules.pyramid.shares import KNOWN_SHARES, NEVER_LOSE, KnownShare, Measured, broken_facts, main, measure

QUICK = [known for known in KNOWN_SHARES if "1 all" not in known.name and "1 overlap" not in known.name]


@pytest.mark.parametrize("known", QUICK, ids=lambda known: known.name.replace(" ", "-"))
def test_share_of_winnable_deals_fits_the_rules_text(known: KnownShare) -> None:
    deals = 60
    found = measure(known.rules, deals, 1, Limits(states=100_000))
    middle = (known.low + known.high) / 200
    reach = 3 * sqrt(max(middle * (1 - middle), 0.02) / deals) + 0.03
    assert found.winnable / deals <= middle + reach
    assert (found.winnable + found.undecided) / deals >= middle - reach


def test_the_command_prints_a_line_per_rule_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--deals", "40", "--only", "laid unlimited"]) in (0, 1)
    lines = capsys.readouterr().out.splitlines()
    names = ["laid unlimited", "laid unlimited draw 3", "0 facts checked on 40 deals each, broken 0 times"]
    assert [line.split("  ")[0] for line in lines] == names


def test_no_deal_is_lost_by_an_easier_rule() -> None:
    names = {name for pair in NEVER_LOSE for name in pair}
    limits = Limits(seconds=None, states=20_000)
    found = {each.name: measure(each.rules, 25, 3, limits) for each in KNOWN_SHARES if each.name in names}
    assert broken_facts(found) == []
    won = Measured(("winnable",) * 25, (0.0,) * 25)
    beaten = [number for number, verdict in enumerate(found["held 1"].verdicts, start=1) if verdict == "lost"]
    assert broken_facts({"held 1": found["held 1"], "laid 1": won}) == [("held 1", "laid 1", each) for each in beaten]
    assert beaten


def test_the_benchmark_prints_verdicts_alone_and_shortest_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmark.main(["--deals", "12", "--seed", "3"]) == 0
    verdicts, shortest = capsys.readouterr().out.splitlines()
    assert verdicts.startswith("verdict only")
    assert shortest.startswith("shortest line")
    won = verdicts.split(", ")[-2].split(" of ")[0]
    assert shortest.split(", ")[-2].split(" of ")[0] == won
    assert shortest.endswith(f" {won} lines proven to be the shortest")


def test_a_benchmark_tells_median_mean_and_95th_percentile() -> None:
    times = iter([0.0, 0.001] * 10 + [1.0, 1.101] * 10)
    found = benchmark.measure(20, 1, shortest=False, clock=lambda: next(times))
    assert found.median == pytest.approx(101, abs=0.1)
    assert found.mean == pytest.approx(51, abs=0.1)
    assert found.slowest == pytest.approx(found.p95)
    assert found.decided == 20
