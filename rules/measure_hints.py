"""How soon the first hint comes: ``python -m rules.measure_hints --positions 30``.

For each game the first answer of ``improving_hints`` at fresh deals, at tables in mid-game as their player knows them,
and at such tables as a lone picture shows them, a third of each: the order of the stock is always hidden. Median and
most of the processor time, its budget counted in that too, so that other work on the machine changes nothing, and of
the time by the clock. Before them, for each family, how long its search took to be ready; with an empty folder named
by ``NUMBA_CACHE_DIR`` that is the very first start, when the search is compiled.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from statistics import median
from typing import Any, Final

from rules.catalogue import GAMES, Game
from rules.compiled import when_compiling
from rules.families import family_of
from rules.pyramid import hints as pyramid_hints
from rules.pyramid import planting as pyramid_planting
from rules.rows import hints as row_hints
from rules.rows import planting as row_planting
from rules.rows.complete import complete

PROMISED: Final = 0.3
"""Seconds within which the first answer is to come."""
_THOUGHT: Final = 2.0
"""Seconds that are given to all answers together: the first takes its own share."""
_APART: Final = 7
"""Steps of random play from one table looked at to the next: no two of them are nearly the same."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds until the first answer, a position each: of the processor and by the clock."""

    processor: tuple[float, ...]
    clock: tuple[float, ...]

    def line(self, name: str) -> str:
        """The figures in a line."""
        figures = (1000 * figure(times) for times in (self.processor, self.clock) for figure in (median, max))
        return "{:20} processor {:4.0f} ms, most {:4.0f}; clock {:4.0f} ms, most {:4.0f}".format(name, *figures)


def positions(game: Game, count: int, seed: int) -> Iterator[Any]:
    """So many tables as a player may ask about: fresh deals, in mid-game, and lone pictures, by turns."""
    family, rng = family_of(game), Random(f"{game.id} {seed}")
    planting: Any = row_planting if game.family == "rows" else pyramid_planting
    steps = islice(planting.legal_steps(game, rng), _APART, None, _APART)
    for number in range(count):
        if number % 3 == 0:
            truth = family.deal(game, rng)
            yield truth if game.family == "rows" else family.show(truth, game)
        else:
            step = next(steps)
            yield step.before if number % 3 == 1 else step.after


def first_answer(position: Any, game: Game, seed: int, clock: Callable[[], float]) -> Any:
    """The first of the improving answers, the search made ready before."""
    if game.family == "rows":
        return next(row_hints.improving_hints(complete(position, game), game, seconds=_THOUGHT, clock=clock))
    return next(pyramid_hints.improving_hints(position, game, rng=Random(seed), seconds=_THOUGHT, clock=clock))


def measure(game: Game, count: int, seed: int) -> Waits:
    """How long the first answer takes at so many positions of a game."""
    asked = list(positions(game, count, seed))

    def spent(clock: Callable[[], float]) -> tuple[float, ...]:
        times = list[float]()
        for position in asked:
            began = clock()
            first_answer(position, game, seed, clock)
            times.append(clock() - began)
        return tuple(times)

    return Waits(processor=spent(time.process_time), clock=spent(time.perf_counter))


def prepare(game: Game) -> str:
    """Makes the search of a game's family ready and says how long that took."""
    compiled = list[bool]()
    began = time.perf_counter(), time.process_time()
    with when_compiling(lambda: compiled.append(True)):
        family_of(game).prepare(game)
    how = "compiled" if compiled else "loaded"
    passed, spent = time.perf_counter() - began[0], time.process_time() - began[1]
    return f"search of the {game.family} family {how} in {passed:.1f} s, {spent:.1f} s of the processor"


def main(arguments: list[str] | None = None) -> int:
    """Prints a line for each family and each game; 1 if a first answer took more processor time than promised."""
    parser = argparse.ArgumentParser(prog="python -m rules.measure_hints", description="how soon the first hint comes")
    parser.add_argument("--positions", type=int, default=30, help="of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=tuple(GAMES), action="append", help="only this game; repeatable")
    chosen = parser.parse_args(arguments)
    games = [GAMES[name] for name in chosen.game or GAMES]
    for family in dict.fromkeys(game.family for game in games):
        sys.stdout.write(prepare(next(game for game in games if game.family == family)) + "\n")
    late = 0
    for game in games:
        found = measure(game, chosen.positions, chosen.seed)
        late += sum(seconds > PROMISED for seconds in found.processor)
        sys.stdout.write(found.line(game.id) + "\n")
        sys.stdout.flush()
    return int(late > 0)


if __name__ == "__main__":
    sys.exit(main())
