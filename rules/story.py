"""What happened between looks at a table, and the telling of a whole game look by look, for every family alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, Protocol, TypeVar

from rules.errors import PositionError
from rules.violation import Violation


class ToJson(Protocol):
    """Whatever the contract prints as an object."""

    def to_json(self) -> dict[str, Any]:
        """As the contract prints it."""


P = TypeVar("P", bound=ToJson)
M = TypeVar("M", bound=ToJson)

TableChange = Literal["same", "new-deal", "another-table"]
"""Whether a later look shows the same game, a deal laid afresh, or cards that have nothing to do with the game."""


@dataclass(frozen=True, slots=True)
class Explanation(Generic[P, M]):
    """What happened. ``position``: the later look with everything known from before and from the moves.

    ``alternatives``: other sets of moves that explain the change as well. ``undone``: moves taken back, last one first.
    ``table``: a deal laid afresh and another table are told as such, without moves and violations; ``position`` is then
    the later look alone.
    """

    moves: tuple[M, ...]
    alternatives: tuple[tuple[M, ...], ...]
    violations: tuple[Violation, ...]
    position: P
    undone: tuple[M, ...] = ()
    table: TableChange = "same"

    @property
    def is_plain(self) -> bool:
        """Whether moves alone explain the change: nothing broken, nothing taken back, the same table."""
        return not (self.violations or self.undone) and self.table == "same"

    def to_json(self) -> dict[str, Any]:
        """As the contract prints it, with ``undone`` where moves were taken back, and ``table`` where it is another."""
        data: dict[str, Any] = {
            "moves": [move.to_json() for move in self.moves],
            "alternatives": [[move.to_json() for move in moves] for moves in self.alternatives],
            "violations": [violation.to_json() for violation in self.violations],
            "position": self.position.to_json(),
        }
        if self.undone:
            data["undone"] = [move.to_json() for move in self.undone]
        if self.table != "same":
            data["table"] = self.table
        return data


class Explain(Protocol[P, M]):
    """What leads from one look to the next; ``undo``: whether it may be that moves were taken back."""

    def __call__(self, before: P, after: P, *, undo: bool = True) -> Explanation[P, M]: ...


def tell(looks: Iterable[P], explain: Explain[P, M]) -> Explanation[P, M]:
    """A whole game, look by look. A look that no legal move explains is reported and does not lose the game so far:
    the next one is compared with the last good look first, then with the odd one. Moves taken back lead to a state that
    the game was in, or were made before its first look. A deal laid afresh begins the record anew. Raises PositionError
    where there is no look."""
    every = list(looks)
    if not every:
        raise PositionError("the referee needs at least two positions", "two-tables")
    told = _Told(every[0], explain)
    for look in every[1:]:
        told.add(look)
    return told.result()


class _Told(Generic[P, M]):
    """The game so far: the state after each look that was explained, and the moves that led to it."""

    def __init__(self, first: P, explain: Explain[P, M]) -> None:
        self.explain = explain
        self.accepted: list[tuple[P, tuple[M, ...]]] = [(first, ())]
        self.alternatives: tuple[tuple[M, ...], ...] = ()
        self.violations: list[Violation] = []
        self.undone: tuple[M, ...] = ()
        self.odd: P | None = None
        self.table: TableChange = "same"

    def add(self, look: P) -> None:
        """Take one more look into the record."""
        found = self.explain(self.accepted[-1][0], look)
        if not found.is_plain and self._goes_back(look):
            return
        if found.table == "new-deal":
            self.accepted, self.violations = [], []
            self.table = found.table
            self._accept(found)
            return
        if found.undone and any(moves for _, moves in self.accepted):
            found = self.explain(self.accepted[-1][0], look, undo=False)
        if found.violations or found.table != "same":
            self._add_odd(look, found)
        else:
            self._accept(found)

    def _accept(self, found: Explanation[P, M]) -> None:
        self.odd, self.alternatives = None, found.alternatives
        self.table = "same" if self.table == "another-table" else self.table
        self.undone = found.undone or self.undone
        self.accepted.append((found.position, found.moves))

    def _goes_back(self, look: P) -> bool:
        """Whether the look follows from an earlier state: then the moves since were taken back. A state that it shows
        just as it was is likelier than a later one from which as many moves lead there."""
        best: tuple[int, int, int, Explanation[P, M]] | None = None
        back = 0
        for index in range(len(self.accepted) - 2, -1, -1):
            back += len(self.accepted[index + 1][1])
            if best is not None and back > best[0]:
                break
            found = self.explain(self.accepted[index][0], look)
            if found.is_plain and (best is None or (back + len(found.moves), len(found.moves)) < best[:2]):
                best = back + len(found.moves), len(found.moves), index, found
        if best is None:
            return False
        _, _, index, found = best
        taken_back = [move for _, moves in self.accepted[index + 1 :] for move in moves]
        del self.accepted[index + 1 :]
        self._accept(replace(found, undone=tuple(reversed(taken_back))))
        return True

    def _add_odd(self, look: P, found: Explanation[P, M]) -> None:
        if self.odd is not None:
            since = self.explain(self.odd, look)
            if not since.violations and since.table == "same":
                table = self.table
                self._accept(since)
                self.table = table
                return
        self.violations += found.violations
        self.odd = found.position
        self.table = found.table if found.table != "same" else self.table

    def result(self) -> Explanation[P, M]:
        """All moves kept, all breaches met, and the last state."""
        return Explanation(
            moves=tuple(move for _, moves in self.accepted for move in moves),
            alternatives=self.alternatives,
            violations=tuple(self.violations),
            position=self.odd or self.accepted[-1][0],
            undone=self.undone,
            table=self.table,
        )
