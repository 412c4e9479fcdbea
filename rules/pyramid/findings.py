"""What has been found out about the moves of a position, and for how long to look."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from rules.family import Verdict
from rules.hint_parts import Certainty, Win
from rules.pyramid.hint_records import RankedBy
from rules.pyramid.moves import Move


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to think: seconds by ``clock``, or exactly ``worlds`` samples (then the result depends on ``rng`` and
    ``states`` alone). ``states``: how many states one search may take, None for a number that fits the time.
    ``shortest``: whether lines that win are made shorter, once there is one, until none is."""

    seconds: float = 0.25
    worlds: int | None = None
    states: int | None = None
    clock: Callable[[], float] = time.perf_counter
    shortest: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of one move; ``line`` where one is known, ``shortest`` if no line at all wins in fewer moves."""

    certainty: Certainty
    win: Win
    cards_left: float
    line: tuple[Move, ...] = ()
    shortest: bool = False


@dataclass(frozen=True, slots=True)
class Findings:
    """What is known of every move, in the order of the moves, and how to rank them: ``by_cards_left`` where wins are
    too few to go by, ``scouting`` where a turn comes first among equals. ``worlds``: samples so far.
    ``lines_settled``: more time would make no line that wins shorter."""

    found: tuple[Found, ...]
    verdict: Verdict
    ranked_by: RankedBy
    by_cards_left: bool = False
    scouting: bool = False
    worlds: int = 0
    lines_settled: bool = False
