"""What was changed at the tables, so that it can be taken back and done again; each change of a game is kept."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise

from companion_app.errors import Trouble
from companion_app.library.aids import HINT, Aids
from companion_app.library.store import Store, StoreTrouble
from companion_app.tables.kept_table import looks_of, state_of, told_of
from companion_app.tables.table import Table

MOST = 8
"""Changes of a table that can be taken back: each holds a picture."""
LOOKED_AT = 64
"""So many of the changes that are kept are gone through to find those that can be taken back."""

UNDONE, REDONE = "undone", "redone"
PRACTISED = "practised"
"""A sum practised is kept, but is no change of the game that could be taken back."""
State = Table | str
"""A table, or its state as it is kept: many looks make one slow to be laid again."""


@dataclass(slots=True)
class _Changes:
    past: list[State] = field(default_factory=list)
    future: list[State] = field(default_factory=list)


class History:
    """The changes of the last few tables. Safe to use from several threads; `turn` is held while a change is made, so
    that changes are kept in the order in which they were made."""

    def __init__(self, store: Store | None, most_tables: int, laid_again: Callable[[str, str], Table | None]) -> None:
        """laid_again: the table of an id and of a state, None where the game is not kept; may raise StoreTrouble."""
        self.turn = threading.RLock()
        self.trouble: Trouble | None = None
        self._store, self._most, self._laid_again = store, most_tables, laid_again
        self._aids = Aids(store) if store else None
        self._changes: OrderedDict[str, _Changes] = OrderedDict()

    def opened(self, table: Table) -> None:
        """Note a new table."""
        self._keep(table, "opened")

    def reopened(self, table_id: str) -> None:
        """Note a table that is laid on the desk again, with its changes that are kept. Raises StoreTrouble."""
        if self._store is None:
            return
        changes = self._of(table_id)
        # Of the first of them it is not known what it changed.
        for (_, before), (kind, _) in pairwise(self._store.changes(table_id, LOOKED_AT)):
            if kind == PRACTISED:
                continue
            if kind == UNDONE:
                changes.past, changes.future = changes.past[:-1], [*changes.future, before]
            else:
                changes.past = [*changes.past, before]
                changes.future = changes.future[:-1] if kind == REDONE else []
        changes.past = changes.past[-MOST:]

    def changed(self, before: Table, after: Table, kind: str) -> None:
        """Note a change, if it is one of the game and not of what is shown of it."""
        if state_of(before) == state_of(after):
            return
        if kind != PRACTISED:
            changes = self._of(after.id)
            changes.past = [*changes.past, before][-MOST:]
            changes.future.clear()
        self._keep(after, kind)

    def hinted(self, table: Table) -> Table:
        """The table, once it is kept that this step of a hint is shown for it, or that hints were turned off."""
        return self.aided(table, HINT, table.help.step)

    def aided(self, table: Table, kind: str, step: int) -> Table:
        """The table, once it is kept that help of a kind was used for it as it lies."""
        try:
            if self._aids is not None:
                self._aids.note(table, kind, step)
        except StoreTrouble as trouble:
            self.trouble = trouble
        return table

    def back(self, now: Table) -> Table:
        """The table before its last change; itself where there is none to take back."""
        changes = self._of(now.id)
        return self._moved(now, changes.past, changes.future, UNDONE)

    def again(self, now: Table) -> Table:
        """The table with the change done again that was taken back last; itself where there is none."""
        changes = self._of(now.id)
        return self._moved(now, changes.future, changes.past, REDONE)

    def _moved(self, now: Table, source: list[State], goal: list[State], kind: str) -> Table:
        if not source:
            return now
        state = source[-1]
        found = self._laid_again(now.id, state) if isinstance(state, str) else state.changed()
        if found is None:
            return now
        found = replace(found, practice=now.practice)
        source.pop()
        goal.append(now)
        self._keep(found, kind)
        return found

    def reach(self, table_id: str) -> tuple[bool, bool]:
        """Whether there is a change to take back, and one to do again."""
        with self.turn:
            changes = self._changes.get(table_id, _Changes())
            return bool(changes.past), bool(changes.future)

    def forget(self, table_id: str) -> None:
        """Forget a table."""
        with self.turn:
            self._changes.pop(table_id, None)

    def _of(self, table_id: str) -> _Changes:
        changes = self._changes.pop(table_id, _Changes())
        self._changes[table_id] = changes
        while len(self._changes) > self._most:
            self._changes.popitem(last=False)
        return changes

    def _keep(self, table: Table, kind: str) -> None:
        if self._store is None:
            return
        try:
            self._store.add(table.id, looks_of(table), kind, state_of(table), told_of(table))
            self.trouble = None
        except StoreTrouble as trouble:
            # The game goes on; that it is not kept is told on its page.
            self.trouble = trouble


def last_look(store: Store | None) -> int:
    """The highest number that a look of a kept game has; where that cannot be told now, one that none has."""
    try:
        return store.last_look() if store else 0
    except StoreTrouble:
        return int(time.time())
