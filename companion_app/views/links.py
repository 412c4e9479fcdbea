"""A position as a link: an address of the start page that shows it and offers to open it.

Following a link changes nothing: a table is opened only when a person says so, for browsers look at links beforehand.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from companion_app.drawing.plain_board import plain_board
from companion_app.languages import Language
from companion_app.sources import parse_positions
from companion_app.tables.games import under_rules
from companion_app.tables.laying import laid_as
from companion_app.tables.table import Table
from companion_app.views.game_view import changed_rules, option_phrase
from rules.catalogue import GAMES
from rules.looks import any_from_json, check_fits, layouts_of


@dataclass(frozen=True, slots=True)
class SentPosition:
    """What a link says: the fields of the form that opens it, and what is shown of it before."""

    fields: Mapping[str, str]
    name: str
    rules: tuple[str, ...]
    board: str
    address: str


def link_of(table: Table) -> str:
    """The address, without that of the server, of the position of a table in its game under its house rules."""
    text = json.dumps(table.position().to_json(), ensure_ascii=False, separators=(",", ":"))
    return "/?" + urlencode({"game": table.game.id, **changed_rules(table.game), "position": text})


def sent_position(query: Mapping[str, str], spoken: Language) -> SentPosition | None:
    """What the words of an address send; None where they send no position. Raises what opening it would raise."""
    text, game_id = query.get("position", ""), query.get("game", "")
    if not text.strip():
        return None
    position = any_from_json(parse_positions(text, spoken)[0])
    fields, name, rules = {"position": text}, "", ()
    if game_id in GAMES:
        game = laid_as(under_rules(game_id, query), layouts_of(position))
        check_fits(position, game)
        changed = changed_rules(game)
        fields |= {"game": game_id, **{key: str(value) for key, value in changed.items()}}
        name = game.names[spoken.code]
        rules = tuple(option_phrase(spoken, key, value) for key, value in changed.items())
    return SentPosition(fields, name, rules, plain_board(spoken, position.to_json()), "/?" + urlencode(fields))
