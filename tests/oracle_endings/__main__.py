"""``python -m tests.oracle_endings --positions 2000 --seed 1``: endings judged by hints and an oracle."""

from __future__ import annotations

import argparse
import json
import sys
import time

from rules.catalogue import find_game
from rules.pyramid.search import warm_up
from tests.oracle_endings.comparing import Differences, cases, compare


def main() -> int:
    """Prints a table; 1 if there was a difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle_endings")
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=4.0, help="for each position at most")
    parser.add_argument("--show", type=int, default=10, help="differences written out")
    chosen = parser.parse_args()
    warm_up(find_game("math-pyramid"))
    found, given_up, began, games = Differences(), 0, time.perf_counter(), dict[str, int]()
    for case in cases(chosen.seed):
        if found.positions.total() >= chosen.positions:
            break
        if not compare(case, found, chosen.seconds):
            given_up += 1
            continue
        games[case.game] = games.get(case.game, 0) + 1
    write = sys.stdout.write
    write(f"{found.positions.total()} positions in {time.perf_counter() - began:.0f} s, {given_up} given up\n")
    write(f"games: {games}\nverdicts: {dict(found.positions)}\nmoves: {dict(found.moves)}\n")
    kinds: dict[str, int] = {}
    for kind, _, _ in found.wrong:
        kinds[kind] = kinds.get(kind, 0) + 1
    write(f"differences: {len(found.wrong)} {kinds}\n")
    for kind, case, move in found.wrong[: chosen.show]:
        write(f"{kind}: {case.game} {case.options} {len(case.worlds)} worlds {json.dumps(case.position)} {move}\n")
    return int(bool(found.wrong))


if __name__ == "__main__":
    sys.exit(main())
