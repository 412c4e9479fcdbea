"""A score that is proposed: a game photographed to be scored counts once its player says so, of the table as it lies
then; whatever changes the table or its record afterwards asks again."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion_app.beside import is_beside
from companion_app.errors import ChangedTrouble, UsageTrouble
from companion_app.stamps import stamp_of
from companion_app.tables.chooser import likeliest
from companion_app.tables.following import record_of
from companion_app.tables.table import Table
from rules.cards import GONE, UNREADABLE, Seen
from rules.catalogue import Game
from rules.errors import RulesError
from rules.families import family_of
from rules.fault import Fault
from rules.looks import Position
from rules.scoring import Score, score_position

CONFIRMED = "confirmed"
"""What the change is called by which a score counts."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """What of a score is not settled: the places in doubt at which it could come to something else, the faults of the
    layout, whether a question about the last look is open or a rule broken (`story`), and whether the game is only
    assumed."""

    doubts: tuple[str, ...]
    faults: tuple[Fault, ...]
    story: bool
    assumed: bool

    @property
    def count(self) -> int:
        """How many things that are."""
        return len(self.doubts) + len(self.faults) + self.story + self.assumed


def unsettled(table: Table) -> Unsettled:
    """What of the score of a table is in doubt, or does not fit its game."""
    story = table.is_open or table.is_anew or (table.is_broken and not table.allowed)
    return Unsettled(touching(table), table.faults(), story, bool(table.asked))


def score_of(position: Position, game: Game) -> Score | None:
    """Cards left, None where too little is known to say, or cards of another deck lie there."""
    try:
        return score_position("cards-left", position, game)
    except RulesError:
        return None


def touching(table: Table) -> tuple[str, ...]:
    """The places in doubt at which another likely reading gives another score, or another end of the game."""
    position = table.position()
    now = _comes_to(position, table.game)
    return tuple(
        place
        for place in table.doubts
        if not is_beside(place)
        and any(_comes_to(other, table.game) != now for other in _otherwise(table, position, place))
    )


def _otherwise(table: Table, position: Position, place: str) -> Iterable[Position]:
    """How the table lies by the other readings of a place; where none is told but that it is empty, any card may."""
    read = [seen for seen, _ in likeliest(table, place)]
    likely: list[Seen] = [UNREADABLE] if not read or read == [GONE] else read
    for seen in likely:
        try:
            yield position.with_seen({place: seen})
        except RulesError:
            continue


def _comes_to(position: Position, game: Game) -> tuple[int | None, str]:
    found = score_of(position, game)
    try:
        return (found.score if found else None), family_of(game).outcome(position, game)
    except RulesError:
        return None, ""


def score_stamp(table: Table) -> str:
    """Tells apart what a player may confirm: the look, how the table lies, and the record of the game."""
    said = table.look, table.position().to_json(), record_of(table.game_so_far())
    return stamp_of(json.dumps(said).encode())


def confirmed(table: Table, stamp: str) -> Table:
    """The table once its player said that the score counts. stamp: of what they saw. Raises UsageTrouble where there is
    no score to be confirmed, and ChangedTrouble where the table has changed since."""
    if table.way != "score" or score_of(table.position(), table.game) is None:
        raise UsageTrouble("no-score")
    if stamp != score_stamp(table):
        raise ChangedTrouble("table-changed")
    return replace(table, confirmed=True)


def asked_again(before: Table, after: Table) -> Table:
    """A table after a change, its score no longer confirmed where what was confirmed is not so any more."""
    if after.confirmed and score_stamp(after) != score_stamp(before):
        return replace(after, confirmed=False)
    return after
