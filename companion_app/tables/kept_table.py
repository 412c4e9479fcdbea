"""A table as it is kept: its looks, each once, and after every change the state of all that persons said of them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion_app.tables.following import follow_answer, record_of
from companion_app.tables.practice import Practice
from companion_app.tables.proposal import unsettled
from companion_app.tables.reading_json import reading_json, reading_of, seen_json, seen_of
from companion_app.tables.table import Table
from rules.catalogue import GAMES, Game, find_game
from rules.looks import any_from_json

SAID = (
    *("stage", "stock_count", "pass_number", "direction", "reversed", "allowed", "answer", "pointed"),
    *("way", "confirmed"),
)


@dataclass(frozen=True, slots=True)
class KeptLook:
    """One look: its number and name, what was read as JSON (a position text has none), the picture shown."""

    number: int
    name: str
    shown: str
    picture: bytes | None


def looks_of(table: Table) -> Iterator[KeptLook]:
    """The looks at a table, the newest first."""
    for each in reversed(chain_of(table)):
        read = {"reading": None if each.reading is None else reading_json(each.reading)}
        text = {"text": None if each.text is None else each.text.to_json()}
        yield KeptLook(each.look, each.name, json.dumps({**read, **text}), each.picture)


def state_of(table: Table) -> str:
    """All that was said of a table and its looks, as JSON: with the looks themselves all that it follows from. Cards of
    a row that a person moved are said with it, for the look as read has them elsewhere."""
    return json.dumps(
        {
            "game": table.game.id,
            "rules": _house_rules(table.game),
            "fits": list(table.fits),
            "asked": [game.id for game in table.asked],
            "looks": [_said(each) for each in chain_of(table)],
            **({"practice": table.practice.to_json()} if table.practice.is_begun else {}),
        }
    )


def told_of(table: Table) -> str:
    """What the newest look came to, as `follow` tells it, and the record of the game, for the commands and for whoever
    reads the games without this program; of a table to be scored also how much was unsettled then."""
    belief = table.game_so_far()
    open_too = {"unsettled": unsettled(table).count} if table.way == "score" else {}
    return json.dumps({**follow_answer(belief), "record": record_of(belief), **open_too})


def is_proposed(said: Mapping[str, Any]) -> bool:
    """Whether a state that was kept is that of a score which the player has not confirmed. One kept by a version that
    did not ask counts, as it did then."""
    looks = said["looks"]
    return bool(looks) and looks[0].get("way") == "score" and not looks[-1].get("confirmed", True)


def table_of(table_id: str, state: str, looks: Mapping[int, KeptLook]) -> Table:
    """The table of a state that was kept. Raises KeyError, TypeError, ValueError or RulesError where it was not."""
    data = json.loads(state)
    game = find_game(data["game"]).with_rules(data["rules"])
    table: Table | None = None
    for said in data["looks"]:
        table = _looked(table_id, game, said, looks[said["look"]], table).refereed()
    if table is None:
        raise ValueError("a table without a look")
    practice = Practice.from_json(data["practice"]) if "practice" in data else Practice()
    asked = tuple(GAMES[each] for each in data["asked"])
    return table.changed(fits=tuple(data["fits"]), asked=asked, practice=practice)


def _looked(table_id: str, game: Game, said: Mapping[str, Any], look: KeptLook, before: Table | None) -> Table:
    shown = json.loads(look.shown)
    read = said.get("reading") or shown["reading"]
    return Table(
        table_id,
        look.name,
        game,
        reading=None if read is None else reading_of(read),
        text=None if shown["text"] is None else any_from_json(said.get("text") or shown["text"]),
        picture=look.picture,
        look=look.number,
        before=before,
        pins=seen_of(said["pins"]),
        hindsight=seen_of(said["hindsight"]),
        edited="reading" in said or "text" in said,
        # Games kept by an earlier version do not say all of it; their scores counted without being confirmed.
        **{"confirmed": said.get("way") == "score"} | {name: said[name] for name in SAID if name in said},
    )


def chain_of(table: Table) -> list[Table]:
    """A table as it stood after each of its looks, the first one first."""
    chain = [table]
    while chain[-1].before is not None:
        chain.append(chain[-1].before)
    return chain[::-1]


def _said(table: Table) -> dict[str, Any]:
    said: dict[str, Any] = {"look": table.look, "pins": seen_json(table.pins), "hindsight": seen_json(table.hindsight)}
    said |= {name: getattr(table, name) for name in SAID}
    if table.edited and table.reading is not None:
        said["reading"] = reading_json(table.reading)
    if table.edited and table.text is not None:
        said["text"] = table.text.to_json()
    return said


def _house_rules(game: Game) -> dict[str, str]:
    usual, now = GAMES[game.id].rules.to_json(), game.rules.to_json()
    return {name: str(now[name]) for name in game.rules.values if now[name] != usual[name]}
