"""A position drawn with nothing marked on it, every place named in a language: where it is looked at, not played."""

from collections.abc import Mapping
from typing import Any

from companion_app.drawing.board import UNKNOWN, board_of
from companion_app.drawing.drawing import draw_position
from companion_app.drawing.marks import Marks
from companion_app.languages import Language


def plain_board(spoken: Language, position: Mapping[str, Any], title: str = "") -> str:
    """The position as one SVG element; without a title it is called the board."""
    labels = {cell.place: "; ".join(cell_words(spoken, cell.place, cell.code)) for cell in board_of(position).cells}
    return draw_position(position, Marks(labels=labels), title=title or spoken.say("table.board"))


def cell_words(spoken: Language, place: str, code: str | None) -> list[str]:
    """What lies at a place, and the place."""
    return [spoken.say("seen.unknown") if code == UNKNOWN else spoken.card(code), spoken.place(place)]
