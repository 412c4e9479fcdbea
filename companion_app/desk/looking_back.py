"""Games that are looked back on: laid as they were kept, beside the desk, so that whoever plays meanwhile waits for
nothing and no table in play has to go for it."""

import threading
from collections import OrderedDict

from companion_app.desk.desk import Desk
from companion_app.errors import UsageTrouble
from companion_app.languages import Language
from companion_app.library.store import Store, StoreTrouble
from companion_app.tables.changes import whole
from companion_app.tables.kept_table import chain_of, table_of
from companion_app.tables.spread_table import Spread
from companion_app.tables.table import Table
from rules.errors import RulesError

MOST_LAID = 4


class LookingBack:
    """The tables of games, the last few laid kept at hand. Safe to use from several threads; one is laid at a time."""

    def __init__(self, desk: Desk, store: Store | None) -> None:
        self._desk, self._store = desk, store
        self._turn = threading.Lock()
        self._laid: OrderedDict[tuple[str, str], Table] = OrderedDict()

    def table(self, table_id: str, language: Language) -> Table:
        """The game as it stands now. Raises MissingTrouble, StoreTrouble, and UsageTrouble for cards without a
        layout."""
        at_hand = self._desk.sight(table_id)[0]
        if not isinstance(at_hand, Table):
            at_hand = self._kept(table_id) or self._desk.find(table_id, language)
        if isinstance(at_hand, Spread):
            raise UsageTrouble("no-position-here")
        return at_hand

    def picture(self, table_id: str, look: int, language: Language) -> bytes | None:
        """The picture of a look at a game; None where there is none. Raises as `table`."""
        found = self._store.picture(table_id, look) if self._store else None
        if found is not None:
            return found
        return next((each.picture for each in chain_of(self.table(table_id, language)) if each.look == look), None)

    def _kept(self, table_id: str) -> Table | None:
        kept = self._store.newest(table_id) if self._store else None
        if kept is None:
            return None
        with self._turn:
            key = table_id, kept.state
            if key not in self._laid:
                try:
                    self._laid[key] = whole(table_of(table_id, kept.state, kept.looks))
                except (KeyError, TypeError, ValueError, RulesError) as error:
                    raise StoreTrouble("store-damaged", why=error) from error
            self._laid.move_to_end(key)
            while len(self._laid) > MOST_LAID:
                self._laid.popitem(last=False)
            return self._laid[key]
