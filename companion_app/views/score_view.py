"""The score of a table on the page: what it comes to and of what, and, of one that is proposed, what is not settled."""

from typing import Any

from companion_app.beside import is_beside
from companion_app.languages import Language
from companion_app.languages.phrases import fault_phrase, score_parts, score_phrase
from companion_app.library.outcomes import parts_of
from companion_app.tables.chooser import guesses_view, likeliest
from companion_app.tables.following import record_of
from companion_app.tables.proposal import Unsettled, score_of, score_stamp
from companion_app.tables.table import Table
from rules.cards import Seen
from rules.errors import RulesError
from rules.fault import Fault
from rules.looks import Position, layout_faults

MOST_FAULTS = 4
"""Faults that are shown each by itself; with more of them it is the picture, or the game chosen, that is wrong."""


def score_view(spoken: Language, table: Table, position: Position, open_: Unsettled | None) -> dict[str, Any]:
    """The score of a table. open_: what of it is not settled, where it was opened to be scored."""
    found = score_of(position, table.game)
    answer = found.to_json() if found else None
    view: dict[str, Any] = {
        "figure": found.score if found else None,
        "words": score_phrase(spoken, answer) if answer else "",
        "parts": score_parts(spoken, answer) if answer else [],
        "others": other_scores(spoken, table),
        "proposal": None,
    }
    return view if open_ is None else view | {"proposal": proposal_view(spoken, table, position, open_)}


def other_scores(spoken: Language, table: Table) -> list[tuple[str, list[str]]]:
    """What the game has scored so far by the schemes that rest on how it went, each with its parts; nothing before its
    second picture."""
    found = parts_of(record_of(table.game_so_far())) if table.before is not None else {}
    return [
        (f"{spoken.say(f'library.score.{scheme}')}: {score.score}", score_parts(spoken, score.to_json()))
        for scheme, score in found.items()
    ]


def proposal_view(spoken: Language, table: Table, position: Position, open_: Unsettled) -> dict[str, Any]:
    """What a player looks through before a score counts."""
    outcome = table.outcome
    return {
        "seen": score_stamp(table),
        "ending": spoken.say(f"ending.{'left' if outcome == 'open' else outcome}"),
        "unsettled": open_.count,
        "faults": [fault_view(spoken, table, position, fault) for fault in open_.faults[:MOST_FAULTS]],
        "more": len(open_.faults[MOST_FAULTS:]),
    }


def fault_view(spoken: Language, table: Table, position: Position, fault: Fault) -> dict[str, Any]:
    """A fault, and for each of its places what else was read there that would mend it."""
    return {
        "text": fault_phrase(spoken, fault.to_json()),
        "places": [
            {"place": place, "where": spoken.place(place), "best": mending(spoken, table, position, place)}
            for place in dict.fromkeys(fault.places)
        ],
    }


def mending(spoken: Language, table: Table, position: Position, place: str) -> list[dict[str, Any]]:
    """What else was read at a place by which the layout has fewer faults: its code, name and chance."""
    if is_beside(place):
        return []
    now = len(layout_faults(position, table.game, table.stage))

    def mends(seen: Seen) -> bool:
        try:
            return len(layout_faults(position.with_seen({place: seen}), table.game, table.stage)) < now
        except RulesError:
            return False

    return guesses_view(spoken, [(seen, chance) for seen, chance in likeliest(table, place) if mends(seen)])
