"""``python -m tests.oracle_pyramid``: the referee of the pyramid family judged at length, as a table."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import islice
from random import Random

from tests.oracle_pyramid.breaches import breaches
from tests.oracle_pyramid.cases import Case, games, gaps, steps
from tests.oracle_pyramid.judge import Tally, judge_breach, judge_game, judge_moves, told_of, told_of_game


def main() -> int:
    """Prints how often each kind of case was told wrongly, with examples if wanted."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle_pyramid")
    parser.add_argument("--cases", type=int, default=12_000, help="two or three moves between two looks")
    parser.add_argument("--steps", type=int, default=20_000, help="single legal moves")
    parser.add_argument("--breaches", type=int, default=8_000, help="rules broken")
    parser.add_argument("--games", type=int, default=260, help="whole games, a picture after each move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--examples", type=int, default=0, help="print so many of each fault")
    chosen = parser.parse_args()
    for name, source, judge, count in (
        ("gaps", gaps, judge_moves, chosen.cases),
        ("steps", steps, judge_moves, chosen.steps),
        ("breaches", breaches, judge_breach, chosen.breaches),
    ):
        tally = Tally()
        for case in islice(source(Random(f"{name} {chosen.seed}")), count):
            told = told_of(case)
            tally.add(case, told, judge(case, told))
        show(name, tally, chosen.examples)
    tally = Tally()
    for game in islice(games(Random(f"games {chosen.seed}")), chosen.games):
        told = told_of_game(game)
        tally.add(game, told, judge_game(game, told))
    show("games", tally, 0)
    for found in tally.examples.values():
        for game, _, words in found[: chosen.examples]:
            sys.stdout.write(f"{game.rules.game} {game.rules.as_texts()}: {words}\n")
    return 0


def show(name: str, tally: Tally, examples: int) -> None:
    """The table of a tally."""
    sys.stdout.write(f"{name}: {tally.cases.total()}\n")
    for kind, count in sorted(tally.cases.items()):
        faults = {fault: number for (of, fault), number in sorted(tally.faults.items()) if of == kind}
        sys.stdout.write(f"  {kind:28} {count:6}  {faults or ''}\n")
    for (kind, fault), found in tally.examples.items():
        for case, told, words in found[:examples]:
            assert isinstance(case, Case)
            sys.stdout.write(f"\n{kind}, {fault}: {words}\n  {case.rules.game} {case.rules.as_texts()}\n")
            sys.stdout.write(f"  before {json.dumps(case.before)}\n  after  {json.dumps(case.after)}\n")
            sys.stdout.write(f"  truth  {[(act.kind, act.parts) for act in case.truth]}\n")
            for way in (told["moves"], *told["alternatives"]):
                sys.stdout.write(f"  told   {[(m['kind'], m['cards'], m['places']) for m in way]}\n")
            sys.stdout.write(f"  {told['violations']} {told.get('undone', '')}\n")


if __name__ == "__main__":
    sys.exit(main())
