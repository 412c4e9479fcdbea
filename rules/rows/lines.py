"""Lines of steps on a board: played one by one, and made shorter.

Nothing here is taken from the compiled search: a line that it found is played out card by card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rules.rows import suits
from rules.rows.board import NO_CARD, Board
from rules.rows.explorer import REVERSAL, Step

CELLAR_PLACE = -1
_TRIED_BETWEEN_LOOKS = 16
"""Steps left out for a try, one by one, between looks at the clock: some milliseconds."""


@dataclass(frozen=True, slots=True)
class Played:
    """A step as it was played: the card, the row and index it left and reached (``CELLAR_PLACE`` as a row for the
    cellar; None as the target for a foundation), and its ``where``."""

    card: int
    source: tuple[int, int]
    target: tuple[int, int] | None
    where: int


class Table:
    """A board being played on; rows list their cards from the inner to the playable end."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.rows = [list(row.cards) for row in board.rows]
        self.done = [set(ranks) for ranks in board.done]
        self.cellar = board.cellar
        self.reversible = board.reversible

    @property
    def cards_done(self) -> int:
        """How many cards are on the foundations."""
        return sum(map(len, self.done))

    def wanted(self) -> Iterator[int]:
        """The card that each foundation wants next, wherever it lies."""
        ranks, step = self._board.ranks, self._board.step
        for suit, done in enumerate(self.done):
            yield from (
                suit * ranks + rank for rank in range(ranks) if rank not in done and (rank - step) % ranks in done
            )

    def play(self, step: Step) -> Played | None:
        """Plays a step; None, changing nothing, if it is not allowed or would change nothing."""
        if step == REVERSAL:
            return self._reverse()
        card, where = step
        source = self._source_of(card)
        if source is None or not self._may_go(card, where):
            return None
        target = self._target_of(card, where)
        if where != suits.DONE and (target is None or target[0] == source[0]):
            return None
        if where == suits.BOTTOM and source == (source[0], 0) and self._is_refilled(source[0]):
            return None
        self._take(source)
        if where == suits.IN_CELLAR:
            self.cellar = card
        elif target is None:
            self.done[card // self._board.ranks].add(card % self._board.ranks)
        else:
            self.rows[target[0]].append(card)
        return Played(card, source, target, where)

    def _reverse(self) -> Played | None:
        columns = [row for kind, row in zip(self._board.rows, self.rows, strict=True) if kind.column]
        if not self.reversible or not any(columns):
            return None
        self.reversible = False
        for row in columns:
            row.reverse()
        return Played(*REVERSAL[:1], (0, 0), None, REVERSAL[1])

    def _take(self, source: tuple[int, int]) -> None:
        if source[0] == CELLAR_PLACE:
            self.cellar = NO_CARD
        else:
            self.rows[source[0]].pop()

    def _source_of(self, card: int) -> tuple[int, int] | None:
        if card == self.cellar:
            return (CELLAR_PLACE, 0) if self._is_unlocked() else None
        for number, row in enumerate(self.rows):
            if row and row[-1] == card:
                return number, len(row) - 1
        return None

    def _is_unlocked(self) -> bool:
        return any(kind.unlocks and not row for kind, row in zip(self._board.rows, self.rows, strict=True))

    def _is_refilled(self, row: int) -> bool:
        return row >= 0 and self._board.rows[row].refill

    def _may_go(self, card: int, where: int) -> bool:
        """For foundation and cellar, whether they take the card; elsewhere the target tells."""
        if where == suits.IN_CELLAR:
            return self.cellar == NO_CARD
        if where != suits.DONE:
            return True
        suit, rank = divmod(card, self._board.ranks)
        done = self.done[suit]
        if done:
            return (rank - self._board.step) % self._board.ranks in done
        lying = sum(bool(row) for kind, row in zip(self._board.rows, self.rows, strict=True) if kind.centre)
        return sum(not ranks for ranks in self.done) > lying

    def _target_of(self, card: int, where: int) -> tuple[int, int] | None:
        if where == suits.IN_CELLAR:
            return CELLAR_PLACE, 0
        wanted = self.neighbour(card, where)
        for number, (kind, row) in enumerate(zip(self._board.rows, self.rows, strict=True)):
            if where == suits.BOTTOM and kind.refill and not row:
                return number, 0
            if wanted is not None and kind.build and row and row[-1] == wanted:
                return number, len(row)
        return None

    def neighbour(self, card: int, where: int) -> int | None:
        """The card that a card lies on there, None where it lies on none."""
        if where not in (suits.ON_HIGHER, suits.ON_LOWER):
            return None
        suit, rank = divmod(card, self._board.ranks)
        other = rank + (1 if where == suits.ON_HIGHER else -1)
        if not self._board.corner and not 0 <= other < self._board.ranks:
            return None
        return suit * self._board.ranks + other % self._board.ranks


def played(board: Board, steps: Sequence[Step]) -> list[Played] | None:
    """The steps as they are played one after another, without those that change nothing; None if one cannot be."""
    table = Table(board)
    result: list[Played] = []
    for step in steps:
        done = table.play(step)
        if done is not None:
            result.append(done)
        elif not _lies_so(table, board, step):
            return None
    return result


def shortened(board: Board, steps: Sequence[Step], late: Callable[[], bool] = lambda: False) -> tuple[Step, ...]:
    """The line without every step that the others can do without, as far as one comes before it is ``late``; not proven
    to be the shortest."""
    best = _played_steps(board, steps)
    aim = _cards_done(board, best)
    length = len(best) + 1
    while len(best) < length:
        length = len(best)
        at = len(best) - 1
        while at >= 0 and not (at % _TRIED_BETWEEN_LOOKS == 0 and late()):
            tried = played(board, [*best[:at], *best[at + 1 :]])
            if tried is not None and len(tried) < len(best) and _cards_done(board, _steps(tried)) == aim:
                best = _steps(tried)
                at = min(at, len(best))
            at -= 1
    return tuple(best)


def _steps(line: Sequence[Played]) -> list[Step]:
    return [(each.card, each.where) for each in line]


def _played_steps(board: Board, steps: Sequence[Step]) -> list[Step]:
    line = played(board, steps)
    if line is None:
        raise ValueError("the line cannot be played on this board")
    return _steps(line)


def _cards_done(board: Board, steps: Sequence[Step]) -> int:
    return board.cards_done + sum(where == suits.DONE for _, where in steps)


def _lies_so(table: Table, board: Board, step: Step) -> bool:
    """Whether the card of a step that cannot be played lies already where it would bring it."""
    card, where = step
    if step == REVERSAL:
        return False
    suit, rank = divmod(card, board.ranks)
    if where == suits.DONE:
        return rank in table.done[suit]
    if where == suits.IN_CELLAR:
        return table.cellar == card
    wanted = table.neighbour(card, where)
    for kind, row in zip(board.rows, table.rows, strict=True):
        if card in row:
            at = row.index(card)
            if where == suits.BOTTOM:
                return at == 0 and kind.refill
            return at > 0 and row[at - 1] == wanted
    return False
