"""How well the referee sees: ``python -m rules.measure_referee --steps 20000 --breaches 5000``.

Random legal steps as a camera would see them: how often the true move is the answer or among the alternatives, how
often it is the only one, and false alarms. Then changes that break a rule: how often the breach is named with its
cards, by kind. A change that legal moves, or moves taken back, explain as well counts apart.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any, Final

from rules.cards import Card
from rules.catalogue import GAMES, Game
from rules.family import AnyMove
from rules.planted import LegalStep, Planted
from rules.pyramid import planting as pyramid_planting
from rules.pyramid import referee as pyramid_referee
from rules.rows import planting as row_planting
from rules.rows import referee as row_referee

STRICT: Final = {"turn_when": "stuck"}
"""Under these rules a turn can be a breach as well."""


_TRIES: Final = 12
"""Plants looked at for each one measured, so that rare kinds come up."""
_MOST_OF_A_KIND: Final = 100
"""Plants of a kind that are kept of a game."""


@dataclass(slots=True)
class Steps:
    """What the referee told of legal steps."""

    count: int = 0
    found: int = 0
    single: int = 0
    alarms: int = 0


@dataclass(slots=True)
class Breaches:
    """What the referee told of planted breaches, by kind: planted, named rightly, and explained by legal moves."""

    planted: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    legal: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, plant: Planted[Any], told: Any) -> None:
        """Counts what the referee told of one planted breach."""
        self.planted[kind] += 1
        if not told.violations:
            self.legal[kind] += 1
            return
        named = {card for each in told.violations if each.breach in plant.breaches for card in each.cards}
        same = frozenset(each.breach for each in told.violations) == plant.breaches
        self.right[kind] += same and plant.cards <= named


def measure_steps(game: Game, steps: int, seed: int) -> Steps:
    """That many random legal steps of a game."""
    found, rng = Steps(), Random(f"{game.id} {seed}")
    source: Iterator[LegalStep[Any, Any]] = _planting(game).legal_steps(game, rng)
    for step in islice(source, steps):
        told = _explain(step.before, step.after, game)
        found.count += 1
        found.alarms += bool(told.violations or told.undone)
        found.found += any(_is_move(way, step.move) for way in (told.moves, *told.alternatives))
        found.single += not told.alternatives and not told.violations
    return found


def measure_breaches(games: Sequence[Game], breaches: int, seed: int) -> Breaches:
    """At most so many planted breaches of games, as many of each kind as far as there are so many of it."""
    found, by_kind = Breaches(), dict[str, list[tuple[Game, Planted[Any]]]]()
    for game in games:
        for kind, plant in _plants(game, _TRIES * -(-breaches // len(games)), seed):
            by_kind.setdefault(kind, []).append((game, plant))
    rng = Random(seed)
    left = breaches
    for number, kind in enumerate(sorted(by_kind, key=lambda kind: (len(by_kind[kind]), kind))):
        plants = by_kind[kind]
        rng.shuffle(plants)
        for game, plant in plants[: left // (len(by_kind) - number)]:
            left -= 1
            found.add(kind, plant, _explain(plant.before, plant.after, game))
    return found


def _plants(game: Game, tries: int, seed: int) -> Iterator[tuple[str, Planted[Any]]]:
    """Planted breaches of a game with their kind, not too many of one kind."""
    counts = Counter[str]()
    source: Iterator[Planted[Any]] = _planting(game).planted(game, Random(f"{game.id} {game.changed} {seed}"))
    for plant in islice(source, tries):
        kind = " ".join(sorted(plant.breaches))
        counts[kind] += 1
        if counts[kind] <= _MOST_OF_A_KIND:
            yield kind, plant


def _planting(game: Game) -> Any:
    return row_planting if game.family == "rows" else pyramid_planting


def _explain(before: Any, after: Any, game: Game) -> Any:
    return (row_referee if game.family == "rows" else pyramid_referee).explain(before, after, game)


def _is_move(way: tuple[AnyMove, ...], move: AnyMove) -> bool:
    """Whether a way is just that move; cards that nobody could see are not held against it."""
    if len(way) != 1 or way[0].kind != move.kind or set(way[0].places) != set(move.places):
        return False
    return all(card in move.cards for card in way[0].cards if isinstance(card, Card))


def main(arguments: list[str] | None = None) -> int:
    """Prints a line per game, then one per kind of breach and how many there were of each; 1 if a legal step was called
    a breach, a move missed, or a breach named wrongly."""
    parser = argparse.ArgumentParser(prog="python -m rules.measure_referee", description="how well the referee sees")
    parser.add_argument("--steps", type=int, default=20_000, help="legal steps over all games of the family")
    parser.add_argument("--breaches", type=int, default=5_000, help="planted breaches over all games of the family")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--family", choices=("pyramid", "rows", "all"), default="all")
    chosen = parser.parse_args(arguments)
    games = [game for game in GAMES.values() if chosen.family in ("all", game.family)]
    every = Steps()
    for game in games:
        found = measure_steps(game, -(-chosen.steps // len(games)), chosen.seed)
        sys.stdout.write(_line(game.id, found))
        sys.stdout.flush()
        for name in ("count", "found", "single", "alarms"):
            setattr(every, name, getattr(every, name) + getattr(found, name))
    sys.stdout.write(_line("all", every))
    strict = [game.with_rules(STRICT) for game in games if game.family == "pyramid"]
    total = measure_breaches((*games, *strict), chosen.breaches, chosen.seed)
    for kind, count in total.planted.most_common():
        others = total.legal[kind]
        sys.stdout.write(f"{kind:45} {count:6} planted, {total.right[kind]} named, {others} explained otherwise\n")
    for kind in dict.fromkeys((*pyramid_planting.KINDS, *row_planting.KINDS)):
        count = sum(count for planted, count in total.planted.items() if kind in planted.split())
        sys.stdout.write(f"{kind:22} in {count} of them\n")
    every_kind = total.planted.total(), total.right.total(), total.legal.total()
    sys.stdout.write("{} planted, {} named with their cards, {} explained otherwise\n".format(*every_kind))
    wrong = total.planted - total.right - total.legal
    return int(every.alarms > 0 or every.found < every.count or wrong.total() > 0)


def _line(name: str, found: Steps) -> str:
    share = 100 * found.single / max(1, found.count)
    return (
        f"{name:22} {found.count:6} steps, {found.found} with the true move, {share:.1f} % single,"
        f" {found.alarms} false alarms\n"
    )


if __name__ == "__main__":
    sys.exit(main())
