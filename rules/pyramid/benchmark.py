"""How fast the search is: ``python -m rules.pyramid.benchmark --deals 1000``.

Processor time of each deal of ``math-pyramid`` with the turned card held, three passes and goal pyramid, once for the
verdict alone and once with its shortest winning line; beside them how many times faster that is than the best
public solver on the same kind of deals (median 180 ms, mean 1.0 s, 95 % within 4 s).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from rules.catalogue import find_game
from rules.pyramid.full import random_deal
from rules.pyramid.search import Searcher, warm_up
from rules.pyramid.shortening import SHORTEN_FIRST

RULES: Final = {"turned": "held", "passes": "3"}
PUBLIC_MS: Final = {"median": 180.0, "mean": 1000.0, "p95": 4000.0}
"""Times of the best public solver in milliseconds; its mean lies between 1.0 and 1.3 s."""


@dataclass(frozen=True, slots=True)
class Times:
    """Processor time a deal in milliseconds, the longest too; deals decided, won, of these with a line
    proven to be the shortest, and moves of the winning lines."""

    median: float
    mean: float
    p95: float
    slowest: float
    decided: int
    won: int
    proven: int
    moves: float


def measure(deals: int, seed: int, *, shortest: bool, clock: Callable[[], float] = time.process_time) -> Times:
    """Solves that many deals, each with the shortest line or with any."""
    game = find_game("math-pyramid", RULES)
    searcher, rng = Searcher(game), Random(seed)
    spent: list[float] = []
    lengths: list[int] = []
    decided = proven = 0
    for _ in range(deals):
        deal = random_deal(game, rng)
        began = clock()
        found = searcher.solve(deal, shorten=SHORTEN_FIRST if shortest else 0, shortest=shortest)
        spent.append((clock() - began) * 1000)
        decided += found.verdict != "undecided"
        proven += found.shortest
        if found.verdict == "winnable":
            lengths.append(len(found.moves))
    spent.sort()
    return Times(
        median=spent[len(spent) // 2],
        mean=sum(spent) / len(spent),
        p95=spent[min(len(spent) - 1, int(0.95 * len(spent)))],
        slowest=spent[-1],
        decided=decided,
        won=len(lengths),
        proven=proven,
        moves=sum(lengths) / max(1, len(lengths)),
    )


def main(arguments: list[str] | None = None) -> int:
    """Prints a line for verdicts alone and one with the shortest lines; 1 if a deal was left undecided."""
    parser = argparse.ArgumentParser(prog="python -m rules.pyramid.benchmark", description="speed of the search")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    warm_up(find_game("math-pyramid", RULES))
    undecided = 0
    for name, shortest in (("verdict only", False), ("shortest line", True)):
        found = measure(chosen.deals, chosen.seed, shortest=shortest)
        figures = ", ".join(
            f"{key} {getattr(found, key):.2f} ms ({public / max(getattr(found, key), 1e-6):.0f} × faster)"
            for key, public in PUBLIC_MS.items()
        )
        sys.stdout.write(
            f"{name:13} {figures}, slowest {found.slowest:.0f} ms,"
            f" {found.won} of {chosen.deals} won in {found.moves:.1f} moves on average,"
            f" {found.proven} lines proven to be the shortest\n"
        )
        undecided += chosen.deals - found.decided
    return int(undecided > 0)


if __name__ == "__main__":
    sys.exit(main())
