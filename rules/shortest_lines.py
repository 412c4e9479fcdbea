"""The lines that win after each move of a position, made shorter until none is: first the shortest of all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from rules.family import AnyMove, M

M_co = TypeVar("M_co", bound=AnyMove, covariant=True)
Late = Callable[[], bool]


class LineSearch(Protocol[M_co]):
    """The search for the shortest line that wins from one position, begun with a line known."""

    @property
    def line(self) -> tuple[M_co, ...]:
        """The shortest line known."""

    @property
    def proven(self) -> bool:
        """Whether no line is shorter."""

    @property
    def ended(self) -> bool:
        """Whether going on is of no use: proven, or no room left."""

    def work(self, states: int | None, late: Late) -> None:
        """Goes on until it is ``late``, for so many more states at most (None: as many as there are)."""


Begin = Callable[[int | None, tuple[M, ...]], LineSearch[M]]
"""Begins the search from the position after the move of a number, or from the position itself (None), with the line
that is known from there."""


class ShortestLines(Generic[M]):
    """For each move of a position that wins the shortest line known that begins with it.

    The shortest of all is sought first, then, one by one, that of each move whose line is longer."""

    def __init__(self, moves: Sequence[M], begin: Begin[M]) -> None:
        self._moves, self._begin = moves, begin
        self.lines: list[tuple[M, ...]] = [()] * len(moves)
        """Empty where no line that wins is known."""
        self.fewest: int | None = None
        """In how many moves the position is won at best; None until that is proven."""
        self._whole: LineSearch[M] | None = None
        self._part: tuple[int, LineSearch[M]] | None = None
        self._told = set[int]()

    @property
    def settled(self) -> bool:
        """Whether more work would make no line shorter, or there is no room for it."""
        ended = self._whole is not None and self._whole.ended
        return ended and (self.fewest is None or not self._longer())

    def is_shortest(self, line: Sequence[M]) -> bool:
        """Whether it is proven that no line at all wins in fewer moves."""
        return len(line) == self.fewest

    def learn(self, lines: Sequence[tuple[M, ...]]) -> None:
        """Takes note of lines that win, one for each move, empty where none is known."""
        for number, line in enumerate(lines):
            if line and (not self.lines[number] or len(line) < len(self.lines[number])):
                self.lines[number] = line

    def work(self, states: int | None, late: Late) -> None:
        """Goes on until it is ``late`` or all is told; ``states``: how many each search may look at here at most."""
        known = [line for line in self.lines if line]
        if not known:
            return
        if self._whole is None:
            self._whole = self._begin(None, min(known, key=len))
        if not self._whole.ended:
            self._whole.work(states, late)
            self._learn_whole(self._whole)
        while self.fewest is not None and (longer := self._longer()) and not late():
            if not self._seek(longer[0], states, late):
                return

    def _learn_whole(self, whole: LineSearch[M]) -> None:
        if whole.line[:1]:
            self.learn([whole.line if move == whole.line[0] else () for move in self._moves])
        if whole.proven:
            self.fewest = len(whole.line)

    def _longer(self) -> list[int]:
        """The moves still to be looked at whose line is longer than the shortest of all, the best first."""
        lines, least = self.lines, self.fewest or 0
        waiting = [number for number, line in enumerate(lines) if len(line) > least and number not in self._told]
        return sorted(waiting, key=lambda number: len(lines[number]))

    def _seek(self, number: int, states: int | None, late: Late) -> bool:
        """Goes on with one move, that looked at last if it is not told yet; whether it is told now."""
        if self._part is None:
            self._part = number, self._begin(number, self.lines[number][1:])
        at, search = self._part
        search.work(states, late)
        self.lines[at] = (self._moves[at], *search.line)
        if not search.ended:
            return False
        self._told.add(at)
        self._part = None
        return True
