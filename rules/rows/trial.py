"""One board being searched, also where some row may be filled again but not built on.

The compiled search knows no such row. There it is searched twice: with rows that stay empty, where every win is one of
the real game, and with rows that may be built on, where every loss is one. Where the two disagree nothing is decided.
"""

from __future__ import annotations

from dataclasses import replace

from rules.rows.board import Board
from rules.rows.explorer import MOST_NODES, Explorer, Step
from rules.rows.lines import played, shortened


class Trial:
    """The search of one board, to be continued as long as wanted."""

    def __init__(self, board: Board, most_nodes: int = MOST_NODES) -> None:
        self.board = board
        narrow = replace(board, rows=tuple(replace(row, refill=row.refill and row.build) for row in board.rows))
        self._explorers = [Explorer(narrow, most_nodes)]
        if narrow != board:
            wide = replace(board, rows=tuple(replace(row, build=row.build or row.refill) for row in board.rows))
            self._explorers.append(Explorer(wide, most_nodes))

    @property
    def won(self) -> bool:
        """Whether a win is found."""
        return self._explorers[0].won

    @property
    def lost(self) -> bool:
        """Whether the loss is proven."""
        return self._explorers[-1].lost

    @property
    def settled(self) -> bool:
        """Whether going on is of no use: won, lost, no room left, or beyond what the search can tell."""
        return self.won or self.lost or all(each.ended or each.gave_up for each in self._explorers)

    @property
    def states(self) -> int:
        """States expanded so far."""
        return sum(each.states for each in self._explorers)

    @property
    def most_done(self) -> int:
        """Most cards on the foundations that a line found brings there."""
        return self._explorers[0].most_done

    @property
    def exact(self) -> bool:
        """Whether no line brings more cards there."""
        return self.won or (self.lost and len(self._explorers) == 1)

    def run(self, states: int) -> None:
        """Expands that many more states, or fewer if that settles it."""
        for each in self._explorers:
            if not self.settled:
                each.run(states)

    def line(self, *, shorten: bool) -> tuple[Step, ...]:
        """The steps of the line that brings most cards to the foundations."""
        line = self._explorers[0].line_to_best()
        if shorten:
            return shortened(self.board, line)
        return tuple((each.card, each.where) for each in played(self.board, line) or ())
