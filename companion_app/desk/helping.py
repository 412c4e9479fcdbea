"""Help with a table: each of its states is thought about once, and of what is found as much is shown as is wanted."""

import threading
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from companion_app.hints.preparing import Preparation
from companion_app.hints.resting import Clock, Rest
from companion_app.hints.thinking import Answer, Thinker
from companion_app.tables.table import LAST_STEP, Help, Table, move_key
from rules.catalogue import Game
from rules.looks import Position

Improve = Callable[[Position, Game, float, Collection[str], Clock], Iterator[Answer]]


class Helper:
    """Thinks about tables, one at a time, once the search is ready. Safe to use from several threads; `turn` is held
    while a thought is begun."""

    def __init__(self, preparation: Preparation, improve: Improve, seconds: float, rest: Rest) -> None:
        self.turn = threading.Lock()
        self._preparation, self._improve, self._seconds = preparation, improve, seconds
        self._thinker = Thinker(rest=rest)

    @property
    def compiling(self) -> bool:
        """Whether the search is being compiled just now."""
        return self._preparation.compiling

    def wait(self) -> None:
        """Return once the search is ready."""
        self._preparation.wait()

    def is_due(self, table: Table) -> bool:
        """Whether a table lacks the hint that is wanted from move to move, and nobody would have to wait long for it.
        Where a rule was broken that is to be settled first."""
        wanted = table.help.step > 0 and table.thought is None and not table.is_won and not table.is_broken
        return wanted and self._preparation.is_over

    def thought_about(self, table: Table) -> Table:
        """The table, thought about."""
        return table if table.thought else replace(table, thought=self._thinker.think(self._answers(table)))

    def _answers(self, table: Table) -> Callable[[Clock], Iterator[Answer]]:
        position, game, seconds, doubts = table.position(), table.game, self._seconds, table.doubts
        return lambda clock: self._improve(position, game, seconds, doubts, clock)


def helped(table: Table, step: int | None, move: str) -> Table:
    """The table with so much of a hint on show, None for as much as is wanted: of the move of this key, or of the best
    one."""
    now = table.looked_up()
    step = now.help.step if step is None else step
    known = now.advised is not None and move in (move_key(hint.move) for hint in now.advised.hints)
    return replace(now, help=Help(max(0, min(step, LAST_STEP)), move if known else ""))


def still_helped(table: Table, before: Table) -> Table:
    """The table with as much help as was wanted before, and the sums that were practised."""
    return table if table is before else replace(table, help=Help(before.help.step), practice=before.practice)
