"""The rules of the row family: one frozen record, and the options that a player may change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from rules.cards import Card, deck
from rules.errors import RuleError
from rules.rows.shapes import SHAPES, LayoutId, RowShape

BasesRule = Literal["aces", "rank", "centre"]
DirectionChosen = Literal["after", "before"]


@dataclass(frozen=True, slots=True)
class RowOptions:
    """The rules of one row game. The first five fields make the game; the others are its options.

    ``bases``: the four aces; four cards of one rank; or the four centre cards as dealt, of any ranks (``centre``).
    ``rank_card``: which card dealt, from 1, fixes that one rank.
    ``cellar``: whether there is one (it is locked until an auxiliary half row is gone). ``refill_auxiliary``: whether
    an empty auxiliary half row may be filled again. ``direction_chosen``: before or after the deal is finished.
    """

    layout: LayoutId = "rows-5-4"
    bases: BasesRule = "rank"
    rank_card: int = 1
    cellar: bool = False
    refill_auxiliary: bool = True
    build_on_auxiliary: bool = True
    build_on_columns: bool = False
    round_the_corner: bool = True
    direction_chosen: DirectionChosen = "after"

    def __post_init__(self) -> None:
        if self.build_on_columns and not self.shape.column:
            raise RuleError("build_on_columns needs outer vertical rows: only ulubiony has them", "no-columns")
        if self.build_on_auxiliary and not self.shape.auxiliary:
            raise RuleError("build_on_auxiliary needs auxiliary half rows: this game has none", "no-auxiliary")
        if self.shape.auxiliary and self.refill_auxiliary and not self.build_on_auxiliary:
            said = "build_on_auxiliary=no needs auxiliary half rows that stay empty; here they play like others"
            raise RuleError(said, "auxiliary-alike")

    @property
    def shape(self) -> RowShape:
        """How the cards lie."""
        return SHAPES[self.layout]

    @property
    def deck(self) -> tuple[Card, ...]:
        """Every card of the game: one deck of 52."""
        return deck()

    @property
    def values(self) -> Mapping[str, Mapping[str, object]]:
        """Each option's values by their text."""
        return ROW_OPTION_VALUES

    def to_json(self) -> dict[str, Any]:
        """Every option by name and text."""
        return {
            "build_on_auxiliary": "yes" if self.build_on_auxiliary else "no",
            "build_on_columns": "yes" if self.build_on_columns else "no",
            "round_the_corner": "yes" if self.round_the_corner else "no",
            "direction_chosen": self.direction_chosen,
        }


ROW_OPTION_VALUES: Final[Mapping[str, Mapping[str, object]]] = {
    "build_on_auxiliary": {"yes": True, "no": False},
    "build_on_columns": {"no": False, "yes": True},
    "round_the_corner": {"yes": True, "no": False},
    "direction_chosen": {"after": "after", "before": "before"},
}
"""Each option's values by their text, as ``--rule name=value`` and the page write them."""
