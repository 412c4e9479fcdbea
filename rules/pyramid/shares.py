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
from rules.family import Verdict
from rules.pyramid.full import random_deal
from rules.pyramid.search import Limits, Searcher, warm_up

CPU_LIMITS: Final = Limits(clock=time.process_time)
"""As long as ever, counted in the work of this process."""


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


NEVER_LOSE: Final = (
    ("laid 2", "laid 1"),
    ("laid 3", "laid 2"),
    ("laid unlimited", "laid 3"),
    ("laid unlimited draw 3", "laid 1 draw 3"),
    ("held 2", "held 1"),
    ("held 3", "held 2"),
    ("held unlimited", "held 3"),
    ("held 1", "laid 1"),
    ("held 2", "laid 2"),
    ("held 3", "laid 3"),
    ("held unlimited", "laid unlimited"),
    ("laid unlimited", "held unlimited"),
    ("held 1", "held 1 all"),
    ("held 1 overlap", "held 1"),
    ("held unlimited overlap", "held unlimited"),
    ("held unlimited overlap", "held 1 overlap"),
)
"""Rule sets under the first of which no deal is lost that can be won under the second. With unlimited passes ``laid``
and ``held`` are equal: the rules text found so on 1000 deals."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The verdict of each deal, and the processor seconds that each took."""

    verdicts: tuple[Verdict, ...]
    seconds: tuple[float, ...]

    @property
    def winnable(self) -> int:
        """Deals that can be won."""
        return self.verdicts.count("winnable")

    @property
    def undecided(self) -> int:
        """Deals left undecided."""
        return self.verdicts.count("undecided")


def measure(rules: Mapping[str, str], deals: int, seed: int, limits: Limits = CPU_LIMITS) -> Measured:
    """Solves deals of ``math-pyramid`` under those rules; the same seed gives every rule set the same deals."""
    game = find_game("math-pyramid", rules)
    rng = Random(seed)
    searcher = Searcher(game)
    found = [searcher.solve(random_deal(game, rng), limits) for _ in range(deals)]
    return Measured(tuple(each.verdict for each in found), tuple(each.milliseconds / 1000 for each in found))


def broken_facts(found: Mapping[str, Measured]) -> list[tuple[str, str, int]]:
    """Of ``NEVER_LOSE`` those that do not hold on the deals measured: easier and harder rules, number of the deal."""
    return [
        (easier, harder, number)
        for easier, harder in NEVER_LOSE
        if easier in found and harder in found
        for number, pair in enumerate(zip(found[easier].verdicts, found[harder].verdicts, strict=True), start=1)
        if pair == ("lost", "winnable")
    ]


def main(arguments: list[str] | None = None) -> int:
    """Prints the table; 1 if a share is further than 6 points from the rules text or a fact does not hold."""
    parser = argparse.ArgumentParser(prog="python -m rules.pyramid.shares", description="shares of winnable deals")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="rule sets whose name contains this")
    chosen = parser.parse_args(arguments)
    warm_up(find_game("math-pyramid"))
    off, every = 0, {}
    for known in (known for known in KNOWN_SHARES if chosen.only in known.name):
        found = every[known.name] = measure(known.rules, chosen.deals, chosen.seed)
        share = 100 * found.winnable / chosen.deals
        near = known.low - 6 <= share <= known.high + 6
        off += not near
        sys.stdout.write(
            f"{known.name:24} {share:5.1f} %  (rules: {known.low}-{known.high} %)  {'' if near else 'OFF '}"
            f"undecided {found.undecided}, cpu {sum(found.seconds):.1f} s, most {max(found.seconds):.2f} s\n"
        )
        sys.stdout.flush()
    broken = broken_facts(every)
    for easier, harder, number in broken:
        sys.stdout.write(f"deal {number} can be won with {harder}, but is lost with {easier}\n")
    held = sum(easier in every and harder in every for easier, harder in NEVER_LOSE)
    sys.stdout.write(f"{held} facts checked on {chosen.deals} deals each, broken {len(broken)} times\n")
    return int(off + len(broken) > 0)


if __name__ == "__main__":
    sys.exit(main())
