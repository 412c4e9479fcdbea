"""One board being searched: what is known of it so far, and the line that goes furthest."""

from __future__ import annotations

from collections.abc import Callable

from rules.rows.board import Board
from rules.rows.explorer import ANY, MOST_NODES, Explorer, Step
from rules.rows.lines import played, shortened


class Trial:
    """The search of one board, to be continued as long as wanted."""

    def __init__(self, board: Board, most_nodes: int = MOST_NODES) -> None:
        self.board = board
        self._explorer = Explorer(board, most_nodes)

    @property
    def won(self) -> bool:
        """Whether a win is found."""
        return self._explorer.won

    @property
    def lost(self) -> bool:
        """Whether the loss is proven; then no line brings more than ``most_done`` cards to the foundations."""
        return self._explorer.lost

    @property
    def settled(self) -> bool:
        """Whether going on is of no use: won, lost, or no room left."""
        return self.won or self.lost or self._explorer.ended or self._explorer.gave_up

    @property
    def states(self) -> int:
        """States expanded so far."""
        return self._explorer.states

    @property
    def entries(self) -> int:
        """Arrangements and states kept so far: what the time that a search takes goes by."""
        return self._explorer.entries

    @property
    def most_done(self) -> int:
        """Most cards on the foundations that a line found brings there."""
        return self._explorer.most_done

    def run(self, states: int, entries: int = ANY) -> None:
        """Expands that many more states, or fewer if that settles it or once so many more entries are kept."""
        if not self.settled:
            self._explorer.run(states, entries)

    def line(self, *, shorten: bool, late: Callable[[], bool] = lambda: False) -> tuple[Step, ...]:
        """The steps of the line that brings most cards to the foundations, made shorter until it is ``late``."""
        line = self._explorer.line_to_best()
        if shorten:
            return shortened(self.board, line, late)
        return tuple((each.card, each.where) for each in played(self.board, line) or ())
