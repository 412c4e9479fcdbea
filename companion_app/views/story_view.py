"""What happened since the picture before, as the page tells it."""

from collections.abc import Mapping
from typing import Any

from companion_app.languages import Language
from companion_app.languages.phrases import breach_phrase, cards_phrase, move_phrase, places_phrase
from companion_app.tables.following import ways_of
from companion_app.tables.game_so_far import NONE
from companion_app.tables.table import Table
from companion_app.views.row_view import cards_moved
from rules.cards import Card
from rules.pyramid.position import PyramidPosition
from rules.rows.position import RowPosition

REMOVALS = ("pair", "single")
MOST_MISREAD = 4  # with more places misread it is the picture that is bad


def story_view(spoken: Language, table: Table, violations: list[dict[str, Any]]) -> dict[str, Any] | None:
    """What happened since the picture before."""
    story, belief = table.story, table.belief
    if story is None or belief is None:
        return None
    told, event = story.to_json(), belief.best.event
    ways = ways_of(belief) if table.is_open and not belief.broken else ()
    hidden = event.kind == "hidden" or len(event.misread) > MOST_MISREAD
    return {
        "table": story.table,
        "moves": [move_phrase(spoken, move) for move in told["moves"]],
        "undone": [move_phrase(spoken, move) for move in told.get("undone", ())],
        "ways": [way_phrase(spoken, option) for option in ways],
        "hidden": hidden,
        "misread": "" if hidden else places_phrase(spoken, event.misread),
        "breaches": [breach_phrase(spoken, broken) for broken in violations],
        "put_back": cards_phrase(spoken, [str(card) for card in cards_that_left(table)]),
        "allowed": table.allowed,
        "unknown": table.answer == NONE,
        "recorded": recorded(spoken, table),
    }


def recorded(spoken: Language, table: Table) -> str:
    """Where the record of the game ends before the game does: how much of it is told; else nothing."""
    count = table.belief.best.broken if table.belief else None
    return "" if count is None else spoken.say("story.recorded", count=count)


def told_lines(spoken: Language, table: Table) -> list[str]:
    """What happened since the picture before, a line each."""
    violations = [broken.to_json() for broken in table.story.violations] if table.story and not table.allowed else []
    told = story_view(spoken, table, violations)
    if told is None:
        return [spoken.say("follow.start")]
    if told["table"] != "same":
        return [spoken.say(f"anew.{told['table']}")]
    lines = [*told["moves"], *(f"{spoken.say('next.undone')}: {move}" for move in told["undone"]), *told["breaches"]]
    if told["misread"]:
        lines.append(f"{spoken.say('follow.misread')}: {told['misread']}")
    if told["allowed"]:
        lines.append(spoken.say("breach.allowed"))
    if told["recorded"]:
        lines.append(told["recorded"])
    return lines or [spoken.say("follow.hidden" if told["hidden"] else "follow.nothing")]


def way_phrase(spoken: Language, option: Mapping[str, Any]) -> dict[str, str]:
    """One of the ways in which the game may have gone, as a button: what to send, and its words."""
    return {"value": option["value"], "name": _words(spoken, option)}


def _words(spoken: Language, option: Mapping[str, Any]) -> str:
    if option["explanation"] == "another-table":
        return spoken.say("anew.another-table")
    broken = "; ".join(breach_phrase(spoken, each) for each in option["violations"])
    moves = "; ".join(move_phrase(spoken, move) for move in option["moves"])
    if broken or moves:
        return "; ".join(filter(None, (moves, broken)))
    if option["misread"]:
        return f"{spoken.say('follow.misread')}: {places_phrase(spoken, option['misread'])}"
    return spoken.say("follow.nothing")


def cards_that_left(table: Table) -> list[Card]:
    """The cards of breaches that were taken from the table, by what is seen of the pyramid and by the moves told of
    the piles: one that lies there still cannot be put back. In row games, those that lie elsewhere than before."""
    if table.before is None or table.story is None:
        return []
    broken_since = table.belief.best.states[-1].position if table.belief and table.is_broken else None
    before, now = broken_since or table.before.position(), table.position()
    named = dict.fromkeys(card for broken in table.story.violations for card in broken.cards)
    if isinstance(before, RowPosition) and isinstance(now, RowPosition):
        return cards_moved(before, now, list(named))
    if not isinstance(before, PyramidPosition) or not isinstance(now, PyramidPosition):
        return []
    lay, lies = ({seen for row in one.rows for seen in row} for one in (before, now))
    taken = {card for move in table.story.moves if move.kind in REMOVALS for card in move.cards}
    left = (lay - lies) | (taken - lies - {now.waste, now.turned})
    return [card for card in named if isinstance(card, Card) and card in left]
