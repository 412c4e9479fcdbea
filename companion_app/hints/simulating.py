"""Many games at once: over the cores of this computer, or over the workers of a Dask cluster by the same call."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion_app.ending import end_with
from companion_app.workers import workers

if TYPE_CHECKING:
    from rules.simulation import Played, Policy

SEARCHING = ("hint", "perfect")
GAMES_AT_ONCE = 5
"""Deals a worker is handed at a time: few enough for a lively bar, enough to outweigh the handing over."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play. The game goes by its id and changed rules, which every worker understands."""

    game: str
    rules: Mapping[str, str]
    policy: "Policy"
    seed: int
    seconds: float


def play_all(
    plan: Plan, deals: int, *, scheduler: str | None = None, told: Callable[[int], None] = lambda count: None
) -> list["Played"]:
    """Deals 0 to ``deals`` - 1 in their order; ``told`` hears how many more are done, as they are."""
    from joblib import Parallel, delayed

    if scheduler is None:
        # Compiled once here and kept, the search is ready for every worker that follows.
        prepare(plan)
    parent = os.getpid() if scheduler is None else None
    batches = [range(first, min(first + GAMES_AT_ONCE, deals)) for first in range(0, deals, GAMES_AT_ONCE)]
    found: list[Played] = []
    with workers(scheduler):
        for games in Parallel(return_as="generator_unordered")(
            delayed(play_batch)(plan, batch, parent) for batch in batches
        ):
            found += games
            told(len(games))
    return sorted(found, key=lambda played: played.number)


def play_batch(plan: Plan, numbers: Sequence[int], parent: int | None = None) -> list["Played"]:
    """Some deals of a plan. Thinking is timed by the processor's clock, so that a busy computer plays no worse. A
    worker of this computer ends with its ``parent``."""
    if parent is not None:
        end_with(parent)
    from rules.catalogue import find_game
    from rules.family import Thought
    from rules.simulation import play_deal

    game = find_game(plan.game, plan.rules)
    prepare(plan)
    thought = Thought(plan.seconds, clock=time.thread_time)
    return [play_deal(game, plan.policy, number, plan.seed, thought) for number in numbers]


def prepare(plan: Plan) -> None:
    """Load what the first hint or search of the plan would else wait for."""
    from rules.catalogue import find_game
    from rules.families import family_of

    if plan.policy in SEARCHING:
        game = find_game(plan.game, plan.rules)
        family_of(game).prepare(game)
