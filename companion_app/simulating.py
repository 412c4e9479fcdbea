"""Many games at once: over the cores of this computer, or over the workers of a Dask cluster by the same call."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion_app.ending import end_with
from companion_app.errors import UsageTrouble

if TYPE_CHECKING:
    from rules.simulation import Played, Policy

SEARCHING = ("hint", "perfect")
CONNECT_SECONDS = 10
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
    with _workers(scheduler):
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


@contextmanager
def _workers(scheduler: str | None) -> Iterator[Any]:
    """Every core, or the workers of the cluster at an address; raises UsageTrouble where that cannot be had."""
    from joblib import parallel_config

    if scheduler is None:
        with parallel_config(backend="loky", n_jobs=-1):
            yield
        return
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageTrouble("cluster", why="pip install 'cardtable[cluster]'") from error
    try:
        client = Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=True)
    except (OSError, ValueError) as error:
        raise UsageTrouble("cluster", why=f"{scheduler}: {error}") from error
    with client, parallel_config(backend="dask", n_jobs=-1):
        yield
