"""What happened since the picture before, as the page tells it."""

from typing import Any

from companion_app.languages import Language
from companion_app.phrases import breach_phrase, cards_phrase, move_phrase
from companion_app.table import Table
from rules.cards import Card

REMOVALS = ("pair", "single")


def story_view(spoken: Language, table: Table, violations: list[dict[str, Any]]) -> dict[str, Any] | None:
    """What happened since the picture before."""
    story = table.story
    if story is None:
        return None
    told = story.to_json()
    return {
        "table": story.table,
        "moves": [move_phrase(spoken, move) for move in told["moves"]],
        "undone": [move_phrase(spoken, move) for move in told.get("undone", ())],
        "alternatives": ["; ".join(move_phrase(spoken, move) for move in moves) for moves in told["alternatives"]],
        "breaches": [breach_phrase(spoken, broken) for broken in violations],
        "put_back": cards_phrase(spoken, [str(card) for card in cards_that_left(table)]),
        "allowed": table.allowed and bool(story.violations),
    }


def cards_that_left(table: Table) -> list[Card]:
    """The cards of breaches that were taken from the table, by what is seen of the pyramid and by the moves told of
    the piles: one that lies there still cannot be put back."""
    if table.before is None or table.story is None:
        return []
    before, now = table.before.position(), table.seen()
    lay, lies = ({seen for row in one.rows for seen in row} for one in (before, now))
    taken = {card for move in table.story.moves if move.kind in REMOVALS for card in move.cards}
    left = (lay - lies) | (taken - lies - {now.waste, now.turned})
    named = dict.fromkeys(card for broken in table.story.violations for card in broken.cards)
    return [card for card in named if isinstance(card, Card) and card in left]
