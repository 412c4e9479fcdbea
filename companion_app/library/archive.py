"""All games that are kept, each with how it stands; a table on which several deals were played is as many games."""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime

from companion_app.library.aids import Aid, Aids
from companion_app.library.outcomes import Ending, Standing, is_of_another_table, standing
from companion_app.library.store import Store, time_now

MOST_NOTE = 2000
"""Characters of a note."""

NEWEST = """
SELECT e.game, g.begun, e.at, e.state, e.told, coalesce(n.note, ''), g.anew,
       (SELECT max(number) FROM looks WHERE looks.game = e.game AND picture IS NOT NULL)
FROM (SELECT game, max(number) AS last, min(at) AS begun, sum(kind = 'anew') AS anew FROM events GROUP BY game) AS g
JOIN events AS e ON e.number = g.last LEFT JOIN notes AS n ON n.game = e.game
WHERE ? = '' OR e.game = ? ORDER BY g.last DESC
"""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played: the id of the table that it was played on; `stands` is None where it cannot be told how;
    `aids` the help used in it. `is_newest`: it is the last one that was played on its table. `picture`: the number of
    the newest look of its table that has a picture, None where none has."""

    id: str
    game: str
    begun: datetime
    at: datetime
    stands: Standing | None
    ending: Ending
    aids: tuple[Aid, ...] = ()
    is_newest: bool = True
    looks: int = 0
    picture: int | None = None
    note: str = ""

    @property
    def is_assisted(self) -> bool:
        """Whether help was used in it before its end."""
        return bool(self.aids)

    @property
    def is_counted(self) -> bool:
        """Whether it is a game that was played, and is over; of one photographed to be scored, whether the player
        confirmed that."""
        return self.stands is not None and self.stands.is_played and self.ending not in ("play", "proposed")

    @property
    def in_doubt(self) -> int:
        """How much of its score was in doubt, or did not fit, when the player confirmed it."""
        return self.stands.unsettled if self.stands and self.is_counted else 0


class Archive:
    """The games of a store as they stand, and the notes about them."""

    def __init__(self, store: Store) -> None:
        self._store, self._aids = store, Aids(store)

    def games(self) -> list[PlayedGame]:
        """Every game, the one played last first. Raises StoreTrouble."""
        return _ended(self._found(""))

    def game(self, game_id: str) -> PlayedGame | None:
        """The newest game of a table, as it is by itself; None where none is kept. Raises StoreTrouble."""
        return next(iter(_ended(self._found(game_id))), None)

    def _found(self, game_id: str) -> list[PlayedGame]:
        aids = self._aids.all(game_id)
        with self._store.transaction() as connection:
            rows = connection.execute(NEWEST, (game_id, game_id)).fetchall()
            trails = {
                row[0]: connection.execute(
                    "SELECT kind, at, state, told FROM events WHERE game = ? ORDER BY number", (row[0],)
                ).fetchall()
                for row in rows
                if row[6] or is_of_another_table(row[4])
            }
        found: list[PlayedGame] = []
        for game, begun, at, state, told, note, _, picture in rows:
            deals = (deals_of(trails[game]) if game in trails else []) or [_Deal(begun, at, state, told)]
            played = _played(game, deals, aids.get(game, ()))
            found += [replace(played[0], note=note, picture=picture), *played[1:]]
        return found

    def trail(self, game: str) -> list[tuple[str, str, str]]:
        """The changes of a table in their order: what each is called, the state it led to and what was told then.
        Raises StoreTrouble."""
        with self._store.transaction() as connection:
            rows = connection.execute("SELECT kind, state, told FROM events WHERE game = ? ORDER BY number", (game,))
            return [(kind, state, told) for kind, state, told in rows]

    def helped(self, game: str) -> dict[int, int]:
        """The highest step of help that was shown at each look of a game. Raises StoreTrouble."""
        return self._aids.by_look(game)

    def note(self, game: str, note: str) -> None:
        """Keep a note about a game instead of the one before; an empty one is none. Raises StoreTrouble."""
        text = note.strip()[:MOST_NOTE]
        with self._store.transaction("IMMEDIATE") as connection:
            connection.execute("DELETE FROM notes WHERE game = ?", (game,))
            if text:
                connection.execute(
                    "INSERT INTO notes SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM events WHERE game = ?)",
                    (game, time_now(), text, game),
                )
        self._store.emptied()


@dataclass(slots=True)
class _Deal:
    """One deal played on a table: its times, its newest state, and the numbers of the looks that its states began
    with. `before`: the deal that was played before it. `earlier`: its states before that, with their times."""

    begun: str
    at: str
    state: str
    told: str
    firsts: set[int] = field(default_factory=set)
    before: "_Deal | None" = None
    earlier: list[tuple[str, str, str]] = field(default_factory=list)

    def goes_to(self, at: str, state: str, told: str) -> None:
        """Go on to a later state."""
        self.earlier.append((self.at, self.state, self.told))
        self.at, self.state, self.told = at, state, told

    def ends_before(self, look: int) -> None:
        """Go back to what stood before this look, which shows another deal."""
        while self.earlier and look in looks_in(self.state):
            self.at, self.state, self.told = self.earlier.pop()


def deals_of(events: Iterable[Sequence[str]]) -> list[_Deal]:
    """The deals that were played on a table, the newest first, by its events: kind, time, state and what was told. What
    was taken back is left out; a look at another table belongs to none."""
    by_first: dict[int, _Deal] = {}
    now: _Deal | None = None
    for kind, at, state, told in events:
        looks = looks_in(state)
        if not looks:
            continue
        first = looks[0]
        if first not in by_first:
            # A text put in place of the picture begins the looks anew, and the game goes on.
            goes_on = now is not None and kind != "anew"
            by_first[first] = now if goes_on and now else _Deal(at, at, state, told, before=now)
        if now is not None and by_first[first] is not now:
            now.ends_before(first)
        now = by_first[first]
        now.firsts.add(first)
        if not is_of_another_table(told) or now.begun == at:
            now.goes_to(at, state, told)
    found: list[_Deal] = []
    while now is not None:
        found.append(now)
        now = now.before
    return found


def _played(game: str, deals: Sequence[_Deal], aids: tuple[Aid, ...]) -> list[PlayedGame]:
    return [
        PlayedGame(
            game,
            game_in(deal.state),
            datetime.fromisoformat(deal.begun),
            datetime.fromisoformat(deal.at),
            standing(deal.state, deal.told),
            "play",
            tuple(aid for aid in aids if len(deals) == 1 or aid.deal in deal.firsts),
            number == 0,
            len(looks_in(deal.state)),
        )
        for number, deal in enumerate(deals)
    ]


def looks_in(state: str) -> list[int]:
    """The numbers of the looks of a state that was kept; none where it does not tell."""
    with suppress(ValueError, TypeError, KeyError):
        return [int(look["look"]) for look in json.loads(state)["looks"]]
    return []


def game_in(state: str) -> str:
    """The id of the game of a state that was kept; "" where it does not tell."""
    with suppress(ValueError, TypeError, KeyError):
        return str(json.loads(state)["game"])
    return ""


def _ended(games: list[PlayedGame]) -> list[PlayedGame]:
    """The games with how each ended: an open one was left once another was begun after its last change, or where it was
    opened to be scored as it lies; until that is confirmed it is only proposed."""
    begun = sorted((game.begun, game.id) for game in games if game.stands and game.stands.way == "play")
    return [replace(game, ending=_ending(game, begun)) for game in games]


def _ending(game: PlayedGame, begun: Sequence[tuple[datetime, str]]) -> Ending:
    if game.stands is None:
        return "left"
    if game.stands.is_proposed:
        return "proposed"
    if game.stands.outcome != "open":
        return game.stands.outcome
    is_left = game.stands.way == "score" or not game.is_newest or (bool(begun) and begun[-1][0] > game.at)
    return "left" if is_left else "play"
