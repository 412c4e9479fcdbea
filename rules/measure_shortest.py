"""How often the shortest line is proven: ``python -m rules.measure_shortest --positions 50``.

For each game positions a few random moves into a random deal, every card known, that can be won: in how many of them
it is proven, within one and within ten seconds of the processor for finding a win and making its line shorter, that no
line is shorter; how long that takes, and in how many moves they are won on average.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any, Final

from rules.catalogue import GAMES, Game
from rules.families import family_of
from rules.pyramid import search as pyramid_search
from rules.pyramid.full import known_position
from rules.pyramid.shortening import SHORTEN_FIRST
from rules.rows import search as row_search

SOON: Final = 1.0
LATE: Final = 10.0
_TO_WIN: Final = 2.0
"""Seconds within which a win is to be found: positions for which they do not suffice are left out."""


@dataclass(frozen=True, slots=True)
class Proofs:
    """Of positions that can be won, with the deals it took to find them: seconds to the proof, None where it was not
    found, and moves of the shortest line known."""

    deals: int
    seconds: tuple[float | None, ...]
    moves: tuple[int, ...]

    def line(self, name: str) -> str:
        """The figures in a line."""
        told = sorted(each for each in self.seconds if each is not None)
        soon, all_in = sum(each <= SOON for each in told), sum(each <= LATE for each in told)
        middle, most = (1000 * median(told), 1000 * told[-1]) if told else (0.0, 0.0)
        length = sum(self.moves) / max(1, len(self.moves))
        return (
            f"{name:20} {len(self.seconds)} of {self.deals} deals can be won then; proven within {SOON:.0f} s {soon},"
            f" {LATE:.0f} s {all_in}; median {middle:.0f} ms, most {most:.0f}; {length:.1f} moves on average"
        )


def positions(game: Game, moves: int, rng: Random) -> Iterator[Any]:
    """Positions so many random moves into random deals, without end; None where a game was over before."""
    family = family_of(game)
    while True:
        position = family.deal(game, rng)
        for _ in range(moves):
            legal = family.legal_moves(position, game)
            if family.outcome(position, game) != "open" or not legal:
                position = None
                break
            position = family.play(position, rng.choice(legal), game)
        yield position


def found(position: Any, game: Game, seconds: float, *, shortest: bool, clock: Callable[[], float]) -> Any:
    """What the search of the game's family finds in that time."""
    if game.family == "rows":
        limits = row_search.Limits(seconds, clock=clock)
        return row_search.solve(position, game, limits, shorten=shortest, shortest=shortest)
    full = known_position(position, game)
    if full is None:
        raise ValueError("every card of a deal is known")
    shorten = SHORTEN_FIRST if shortest else 0
    return pyramid_search.solve(
        full, game, pyramid_search.Limits(seconds, clock=clock), shorten=shorten, shortest=shortest
    )


def measure(game: Game, count: int, moves: int, seed: int, clock: Callable[[], float] = time.process_time) -> Proofs:
    """How long the proof takes at so many positions of a game that can be won."""
    seconds, lengths, deals = list[float | None](), list[int](), 0
    for position in positions(game, moves, Random(f"{game.id} {seed}")):
        if len(seconds) == count:
            break
        deals += 1
        if position is None or found(position, game, _TO_WIN, shortest=False, clock=clock).verdict != "winnable":
            continue
        began = clock()
        best = found(position, game, LATE, shortest=True, clock=clock)
        seconds.append(clock() - began if best.shortest else None)
        lengths.append(len(best.moves))
    return Proofs(deals, tuple(seconds), tuple(lengths))


def main(arguments: list[str] | None = None) -> int:
    """Prints a line for each game."""
    parser = argparse.ArgumentParser(prog="python -m rules.measure_shortest", description="how often it is proven")
    parser.add_argument("--positions", type=int, default=50, help="of each game, that can be won")
    parser.add_argument("--moves", type=int, default=5, help="random moves that are made before")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=tuple(GAMES), action="append", help="only this game; repeatable")
    chosen = parser.parse_args(arguments)
    for game in [GAMES[name] for name in chosen.game or GAMES]:
        family_of(game).prepare(game)
        sys.stdout.write(measure(game, chosen.positions, chosen.moves, chosen.seed).line(game.id) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
