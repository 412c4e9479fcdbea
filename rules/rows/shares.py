"""Shares of random deals of the row family that can be won: ``python -m rules.rows.shares --deals 200``.

A deal counts as won if it can be won in either direction and with some choice of bases; for a direction that is chosen
before the deal is finished, a line tells the share for building up alone as well. Prints a line per rule set beside
the share that the rules text gives (from 60 to 100 deals, so within 14 points). Deals depend on ``--seed`` alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from rules.catalogue import find_game
from rules.rows.dealing import random_deal
from rules.rows.search import Limits, solve, warm_up

TOLERANCE: Final = 14.0
"""Points by which a share may differ from the rules text."""


@dataclass(frozen=True, slots=True)
class KnownShare:
    """A game, its options, the share of deals won that the rules text gives, in percent, and whether that is for a
    direction chosen beforehand."""

    game: str
    rules: Mapping[str, str]
    percent: float
    one_way: bool = False


KNOWN_SHARES: Final = (
    KnownShare("arcydzielo", {}, 95.0),
    KnownShare("arcydzielo", {"build_on_auxiliary": "no"}, 65.0),
    KnownShare("nowy-domator", {}, 53.0),
    KnownShare("nowy-domator", {"round_the_corner": "no"}, 43.0),
    KnownShare("wiezniowie", {}, 53.0),
    KnownShare("wiezniowie", {"round_the_corner": "no"}, 43.0),
    KnownShare("wiezniowie-12", {}, 2.0),
    KnownShare("piwnica", {}, 100 * 53 / 60),
    KnownShare("ulubiony", {}, 29.0),
    KnownShare("ulubiony", {}, 29.0, one_way=True),
    KnownShare("ulubiony", {"build_on_columns": "yes"}, 84.0),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """How many deals were winnable and undecided, and the processor seconds of each, ascending."""

    winnable: int
    undecided: int
    seconds: tuple[float, ...]

    def at(self, share: float) -> float:
        """The seconds within which that share of the deals was settled."""
        return self.seconds[min(len(self.seconds) - 1, int(share * len(self.seconds)))]


def measure(known: KnownShare, deals: int, seed: int, limit_seconds: float) -> Measured:
    """Solves deals of a game; the same seed gives the same deals. Seconds are those of this process's work."""
    game = find_game(known.game, known.rules)
    rng = Random(seed)
    verdicts: list[str] = []
    seconds: list[float] = []
    limits = Limits(limit_seconds, clock=time.process_time)
    for _ in range(deals):
        deal = random_deal(game, rng)
        solution = solve(replace(deal, direction="up") if known.one_way else deal, game, limits, shorten=False)
        verdicts.append(solution.verdict)
        seconds.append(solution.milliseconds / 1000)
    return Measured(verdicts.count("winnable"), verdicts.count("undecided"), tuple(sorted(seconds)))


def main(arguments: list[str] | None = None) -> int:
    """Prints the table; 1 if a share is further from the rules text than its tolerance."""
    parser = argparse.ArgumentParser(prog="python -m rules.rows.shares", description="shares of winnable deals")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit-seconds", type=float, default=5.0)
    parser.add_argument("--only", default="", help="games whose id contains this")
    chosen = parser.parse_args(arguments)
    warm_up()
    off = 0
    for known in (known for known in KNOWN_SHARES if chosen.only in known.game):
        found = measure(known, chosen.deals, chosen.seed, chosen.limit_seconds)
        share = 100 * found.winnable / chosen.deals
        near = abs(share - known.percent) <= TOLERANCE
        off += not near
        options = " ".join(f"{name}={value}" for name, value in known.rules.items())
        name = f"{known.game} {options}{'up only' if known.one_way else ''}"
        sys.stdout.write(
            f"{name:36} {share:5.1f} %  (rules: {known.percent:.0f} %)  {'' if near else 'OFF '}undecided "
            f"{found.undecided}, cpu median {found.at(0.5):.3f} s, 95 % {found.at(0.95):.3f} s, "
            f"most {found.seconds[-1]:.3f} s\n"
        )
        sys.stdout.flush()
    return int(off > 0)


if __name__ == "__main__":
    sys.exit(main())
