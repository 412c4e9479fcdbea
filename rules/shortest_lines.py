"""The lines that win after each move of a position, made shorter until none is: first the shortest of all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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


Begin = Callable[[M | None, tuple[M, ...]], LineSearch[M]]
"""Begins the search from the position after a move, or from the position itself (None), with the line known there."""


def itself(move: AnyMove) -> object:
    """A move is like no other."""
    return move


class ShortestLines(Generic[M]):
    """For each move of a position that wins the shortest line known that begins with it.

    The shortest of all is sought first, then, one by one, that of each move whose line is longer. ``alike``: the same
    for moves that lead to tables alike, of which each line may begin with any."""

    def __init__(self, moves: Iterable[M], begin: Begin[M], alike: Callable[[M], object] = itself) -> None:
        self._begin, self._alike = begin, alike
        self._lines: dict[object, tuple[M, ...]] = {alike(move): () for move in moves}
        self._fewest: int | None = None
        self._whole: LineSearch[M] | None = None
        self._part: tuple[object, LineSearch[M]] | None = None
        self._told = set[object]()

    @property
    def settled(self) -> bool:
        """Whether more work would make no line shorter, or there is no room for it."""
        if self._fewest is None:
            return self._whole is not None and self._whole.ended
        return not self._longer(self._fewest)

    def of(self, move: M) -> tuple[M, ...]:
        """The shortest line known that begins with a move; empty where none is known that wins."""
        return self._lines[self._alike(move)]

    def is_shortest(self, line: Sequence[M]) -> bool:
        """Whether it is proven that no line at all wins in fewer moves."""
        return len(line) == self._fewest

    def learn(self, line: tuple[M, ...]) -> None:
        """Takes note of a line that wins."""
        first = self._alike(line[0])
        if not self._lines[first] or len(line) < len(self._lines[first]):
            self._lines[first] = line

    def tell(self, line: tuple[M, ...]) -> None:
        """Takes note of a line that is proven to be the shortest of all."""
        self.learn(line)
        self._fewest = len(line)

    def work(self, states: int | None, late: Late) -> None:
        """Goes on until it is ``late`` or all is told; ``states``: how many each search may look at here at most."""
        if self._fewest is None:
            self._seek_whole(states, late)
        while self._fewest is not None and (longer := self._longer(self._fewest)) and not late():
            if not self._seek_part(longer[0], states, late):
                return

    def _seek_whole(self, states: int | None, late: Late) -> None:
        known = [line for line in self._lines.values() if line]
        if self._whole is None and known:
            self._whole = self._begin(None, min(known, key=len))
        if self._whole is None or self._whole.ended:
            return
        self._whole.work(states, late)
        self.learn(self._whole.line)
        if self._whole.proven:
            self.tell(self._whole.line)

    def _longer(self, fewest: int) -> list[object]:
        """The moves still to be looked at whose line is longer than the shortest of all, the best first."""
        lines = self._lines
        return sorted((m for m in lines if len(lines[m]) > fewest and m not in self._told), key=lambda m: len(lines[m]))

    def _seek_part(self, move: object, states: int | None, late: Late) -> bool:
        """Goes on with one move, that looked at last if it is not told yet; whether it is told now."""
        if self._part is None:
            first, *rest = self._lines[move]
            self._part = move, self._begin(first, tuple(rest))
        at, search = self._part
        search.work(states, late)
        self._lines[at] = (self._lines[at][0], *search.line)
        if search.ended:
            self._told.add(at)
            self._part = None
        return search.ended
