"""A game look by look: what was seen, what had happened, and how the table lay then; to be saved and looked back on."""

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion_app.drawing.plain_board import plain_board
from companion_app.languages import Language
from companion_app.tables.following import follow_answer, record_of
from companion_app.tables.kept_table import chain_of
from companion_app.tables.table import Table
from companion_app.views.story_view import told_lines

PictureOf = Callable[[int], bytes | None]
"""The picture of a look by its number; None where there is none any more."""


@dataclass(frozen=True, slots=True)
class Step:
    """One look: its number from 1, the name of its picture, what had happened in words, what it came to as `follow`
    tells it, the picture, and the table drawn as it lay."""

    number: int
    name: str
    words: tuple[str, ...]
    told: dict[str, Any]
    picture: bytes | None
    board: str

    @property
    def address(self) -> str:
        """The picture as an address that holds it."""
        return f"data:image/jpeg;base64,{b64encode(self.picture).decode()}" if self.picture else ""


def steps(table: Table, spoken: Language, picture_of: PictureOf) -> list[Step]:
    """The looks at a table in the order in which they were."""
    return [
        Step(
            number,
            each.name,
            tuple(told_lines(spoken, each)),
            follow_answer(each.game_so_far()),
            each.picture or picture_of(each.look),
            plain_board(spoken, each.position().to_json()),
        )
        for number, each in enumerate(chain_of(table), start=1)
    ]


def game_json(table: Table, spoken: Language) -> dict[str, Any]:
    """The whole game for programs: its record, and what each look came to, as the contract has both."""
    looks = [{"picture": {"file": step.name}, **step.told} for step in steps(table, spoken, lambda _: None)]
    return {"schema": 1, "game": table.game.id, "record": record_of(table.game_so_far()), "looks": looks}
