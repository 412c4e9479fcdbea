"""The search for the shortest winning line of one full position, to be gone on with as long as wanted."""

from __future__ import annotations

from rules.catalogue import Game
from rules.pyramid import core
from rules.pyramid.full import FullPosition
from rules.pyramid.moves import Move
from rules.pyramid.runs import Run
from rules.pyramid.tables import Replay, task_of
from rules.pyramid.workspace import Workspace
from rules.shortest_lines import Late

SHORTEN_FIRST = 20_000
"""States well spent on a shorter line before the shortest is sought."""


class Shortening:
    """See ``rules.shortest_lines.LineSearch``. No other search may use the ``space`` until this one has ended."""

    def __init__(self, start: FullPosition, game: Game, line: tuple[Move, ...], space: Workspace) -> None:
        self._start, self._game = start, game
        self._task = task_of(start, game.options)
        self._run: Run | None = Run(space, self._task, lambda: False)
        self._begun = self.proven = False
        self.line = line

    @property
    def ended(self) -> bool:
        """Whether going on is of no use: proven, or no room left."""
        return self._run is None

    def work(self, states: int | None, late: Late) -> None:
        """Goes on until it is ``late``, for so many more states at most (None: as many as there are)."""
        run = self._run
        if run is None:
            return
        run.late = late
        if not self._begun:
            self._take(
                run.shorter_line(len(self.line), SHORTEN_FIRST if states is None else min(states, SHORTEN_FIRST))
            )
            run.begin_shortest(len(self.line))
            self._begun = True
        code = run.seek_shortest(states)
        self._take(run.line())
        self.proven = code == core.EXHAUSTED
        if code != core.PAUSED:
            self._run = None

    def _take(self, codes: list[int]) -> None:
        if codes:
            replay = Replay(self._start, self._task, self._game.options)
            self.line = tuple(replay.name(code) for code in codes)
