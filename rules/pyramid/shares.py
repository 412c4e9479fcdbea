"""Shares of random deals that can be won with every card known: ``python -m rules.pyramid.shares --deals 1000``.

Prints a line per rule set beside the figure of the rules text (single figures there come from 1000 deals, ranges also
from 100 million). Deals depend on ``--seed`` alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from rules.catalogue import find_game
from rules.pyramid.full import random_deal
from rules.pyramid.search import Limits, Searcher, warm_up


@dataclass(frozen=True, slots=True)
class KnownShare:
    """A rule set and the share of deals won that the rules text gives for it, in percent."""

    name: str
    rules: Mapping[str, str]
    low: float
    high: float


KNOWN_SHARES: Final = (
    KnownShare("laid 1", {"passes": "1"}, 2.6, 2.6),
    KnownShare("laid 2", {"passes": "2"}, 49.0, 49.0),
    KnownShare("laid 3", {"passes": "3"}, 66.3, 66.3),
    KnownShare("laid unlimited", {"passes": "unlimited"}, 67.6, 67.6),
    KnownShare("laid 1 draw 3", {"passes": "1", "draw": "3"}, 0.2, 0.2),
    KnownShare("laid unlimited draw 3", {"passes": "unlimited", "draw": "3"}, 55.3, 55.3),
    KnownShare("held 1", {"passes": "1", "turned": "held"}, 8.2, 9.0),
    KnownShare("held 2", {"passes": "2", "turned": "held"}, 60.1, 60.1),
    KnownShare("held 3", {"passes": "3", "turned": "held"}, 67.2, 67.2),
    KnownShare("held unlimited", {"passes": "unlimited", "turned": "held"}, 66.9, 67.6),
    KnownShare("held 1 all", {"passes": "1", "turned": "held", "goal": "all"}, 6.6, 6.8),
    KnownShare("held 1 overlap", {"passes": "1", "turned": "held", "overlap": "yes"}, 20.4, 22.8),
    KnownShare("held unlimited overlap", {"passes": "unlimited", "turned": "held", "overlap": "yes"}, 83.2, 83.2),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """How many deals of ``deals`` were winnable, how many undecided, and what it took."""

    deals: int
    winnable: int
    undecided: int
    seconds: float
    slowest: float


def measure(rules: Mapping[str, str], deals: int, seed: int, limits: Limits | None = None) -> Measured:
    """Solves deals of ``math-pyramid`` under those rules; the same seed gives every rule set the same deals."""
    game = find_game("math-pyramid", rules)
    rng = Random(seed)
    searcher = Searcher(game)
    verdicts: list[str] = []
    times: list[float] = []
    for _ in range(deals):
        solution = searcher.solve(random_deal(game, rng), limits)
        verdicts.append(solution.verdict)
        times.append(solution.milliseconds / 1000)
    return Measured(deals, verdicts.count("winnable"), verdicts.count("undecided"), sum(times), max(times, default=0.0))


def main(arguments: list[str] | None = None) -> int:
    """Prints the table; 1 if a share is further than 6 points from the rules text."""
    parser = argparse.ArgumentParser(prog="python -m rules.pyramid.shares", description="shares of winnable deals")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="rule sets whose name contains this")
    chosen = parser.parse_args(arguments)
    warm_up(find_game("math-pyramid"))
    off = 0
    for known in (known for known in KNOWN_SHARES if chosen.only in known.name):
        cpu = time.process_time()
        found = measure(known.rules, chosen.deals, chosen.seed)
        cpu = time.process_time() - cpu
        share = 100 * found.winnable / found.deals
        near = known.low - 6 <= share <= known.high + 6
        off += not near
        sys.stdout.write(
            f"{known.name:24} {share:5.1f} %  (rules: {known.low}-{known.high} %)  {'' if near else 'OFF '}"
            f"undecided {found.undecided}, {found.seconds:.1f} s, cpu {cpu:.1f} s, slowest {found.slowest:.2f} s\n"
        )
        sys.stdout.flush()
    return int(off > 0)


if __name__ == "__main__":
    sys.exit(main())
