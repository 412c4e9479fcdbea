"""What happened since the picture before, as the page tells it."""

from typing import Any

from companion_app.languages import Language
from companion_app.phrases import breach_phrase, cards_phrase, move_phrase
from companion_app.row_view import cards_moved
from companion_app.table import Table
from rules.cards import Card
from rules.pyramid.position import PyramidPosition
from rules.rows.position import RowPosition

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
    the piles: one that lies there still cannot be put back. In row games, those that lie elsewhere than before."""
    if table.before is None or table.story is None:
        return []
    before, now = table.before.position(), table.seen()
    named = dict.fromkeys(card for broken in table.story.violations for card in broken.cards)
    if isinstance(before, RowPosition) and isinstance(now, RowPosition):
        return cards_moved(before, now, list(named))
    if not isinstance(before, PyramidPosition) or not isinstance(now, PyramidPosition):
        return []
    lay, lies = ({seen for row in one.rows for seen in row} for one in (before, now))
    taken = {card for move in table.story.moves if move.kind in REMOVALS for card in move.cards}
    left = (lay - lies) | (taken - lies - {now.waste, now.turned})
    return [card for card in named if isinstance(card, Card) and card in left]
