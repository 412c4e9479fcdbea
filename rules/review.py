"""After the game: could the deal have been won, how, and with which move was the win lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import factorial
from random import Random
from typing import Any, Final, Literal

from rules.errors import PositionError
from rules.families import family_of
from rules.family import AnyMove, Family, Solved, Verdict
from rules.intervals import Interval, share_interval
from rules.record import Record, replay

DealVerdict = Literal["winnable", "lost", "depends", "undecided"]

MOST_TRUTHS: Final = 120
"""Ways to lay cards never seen that are looked at: all of them up to five such cards."""


@dataclass(frozen=True, slots=True)
class Review:
    """What hindsight says of a game.

    ``verdict`` of the deal: ``depends`` where cards were never seen and the deal can be won with some of the ways they
    could lie only. ``exact``: nothing was sampled or cut off. ``unseen``: cards never seen. ``won``: this game was.
    ``line``: the best line from the start (with unseen cards: the moves played if they won, else none), which leaves
    ``cards_left``; ``shortest``: it wins, and no line in fewer moves, as was proven. ``lost_at``: number of the move
    after which the win was gone, from 1; None where it never was there or never went, or where that depends on unseen
    cards. ``share``: of the ways that unseen cards could lie, those with which the deal can be won, with a 95 %
    interval where they are a sample.
    """

    verdict: DealVerdict
    exact: bool
    won: bool
    unseen: int
    line: tuple[AnyMove, ...]
    cards_left: int | None
    lost_at: int | None
    share: Interval | None = None
    shortest: bool = False

    def to_json(self) -> dict[str, Any]:
        """Every field; moves as the contract prints them."""
        share = self.share
        return {
            "verdict": self.verdict,
            "exact": self.exact,
            "won": self.won,
            "unseen": self.unseen,
            "line": [move.to_json() for move in self.line],
            "shortest": self.shortest,
            "cards_left": self.cards_left,
            "lost_at": self.lost_at,
            "share": None if share is None else {"estimate": share.estimate, "low": share.low, "high": share.high},
        }


def review(
    record: Record,
    *,
    seconds: float = 60.0,
    rng: Random | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Review:
    """Looks back at a record, for at most about ``seconds``; raises PositionError where it breaks a rule."""
    played = replay(record)
    if played.stopped:
        raise PositionError(f"the record cannot be played: {played.stopped.why}")
    family = family_of(record.game)
    start = family.learn(record.start, record.moves, record.game)
    deadline = _Deadline(clock() + seconds, clock)
    back = _LookBack(record, family, deadline, won=family.outcome(played.position, record.game) == "won")
    unseen = family.unseen(start)
    truths = family.truths(start, record.game, rng or Random(unseen), MOST_TRUTHS)
    if unseen:
        return back.over(truths, unseen)
    truth = next(truths, None)
    return back.of(truth) if truth is not None else back.over(iter(()), unseen)


@dataclass(frozen=True, slots=True)
class _Deadline:
    at: float
    clock: Callable[[], float]

    def left(self) -> float:
        """Seconds left, never none at all."""
        return max(0.05, self.at - self.clock())

    def passed(self) -> bool:
        return self.clock() >= self.at


@dataclass(frozen=True, slots=True)
class _Fate:
    """One truth: whether it could be won, after which move no more, and whether all that was decided."""

    verdict: Verdict
    lost_at: int | None
    decided: bool


class _LookBack:
    """Looks back at one record, time permitting."""

    def __init__(self, record: Record, family: Family[Any, Any], deadline: _Deadline, *, won: bool) -> None:
        self._record, self._family, self._deadline, self._won = record, family, deadline, won

    def of(self, truth: Any) -> Review:
        """Every card is known: the search decides."""
        found = self._solve(truth, fewest=True)
        if self._won:
            line = found.moves if found.verdict == "winnable" else self._record.moves
            line, shortest = self._shortened(truth, line)
            return Review("winnable", True, True, 0, line, 0, None, shortest=shortest)
        fate = self._fate(truth, found.verdict)
        exact, line, shortest = fate.decided and found.exact, found.moves, False
        if found.verdict == "winnable":
            line, shortest = self._shortened(truth, line)
        return Review(found.verdict, exact, False, 0, line, found.cards_left, fate.lost_at, shortest=shortest)

    def over(self, truths: Iterator[Any], unseen: int) -> Review:
        """Some cards were never seen: every way they could lie is looked at, or a sample of them."""
        if self._won:
            return Review("winnable", True, True, unseen, self._record.moves, 0, None)
        fates: list[_Fate] = []
        for truth in truths:
            if self._deadline.passed():
                break
            found = self._solve(truth)
            fates.append(self._fate(truth, found.verdict))
        winnable = sum(fate.verdict == "winnable" for fate in fates)
        every = unseen < 13 and factorial(unseen) == len(fates)
        exact = every and all(fate.decided for fate in fates)
        share = share_interval(winnable, len(fates))
        if exact:
            share = Interval(share.estimate, share.estimate, share.estimate)
        lost_at = {fate.lost_at for fate in fates}
        verdict: DealVerdict = "depends" if fates else "undecided"
        if exact and winnable in (0, len(fates)):
            verdict = "winnable" if winnable else "lost"
        return Review(
            verdict, exact, False, unseen, (), None, lost_at.pop() if exact and len(lost_at) == 1 else None, share
        )

    def _fate(self, truth: Any, verdict: Verdict) -> _Fate:
        """A win once gone never comes back, so halving finds the move after which it was."""
        if verdict != "winnable":
            return _Fate(verdict, None, verdict == "lost")
        positions = replay(Record(self._record.game, truth, self._record.moves)).positions
        still, gone = 0, len(positions) - 1
        last = self._verdict(positions[gone])
        if last != "lost":
            return _Fate("winnable", None, last == "winnable")
        while gone - still > 1:
            middle = (still + gone) // 2
            at = self._verdict(positions[middle])
            if at == "undecided":
                return _Fate("winnable", None, False)
            still, gone = (middle, gone) if at == "winnable" else (still, middle)
        return _Fate("winnable", gone, True)

    def _shortened(self, truth: Any, line: tuple[AnyMove, ...]) -> tuple[tuple[AnyMove, ...], bool]:
        """The line made shorter in the time that is left, and whether none is shorter."""
        left, clock = self._deadline.left(), self._deadline.clock
        return self._family.shorten(truth, self._record.game, line, left, clock)

    def _verdict(self, position: Any) -> Verdict:
        return self._solve(position).verdict

    def _solve(self, truth: Any, *, fewest: bool = False) -> Solved[Any]:
        """The search in the time that is left."""
        left, clock = self._deadline.left(), self._deadline.clock
        return self._family.solve(truth, self._record.game, left, fewest=fewest, clock=clock)
