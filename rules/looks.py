"""What can be asked of looks at a table, whatever family its game is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from rules.catalogue import Game
from rules.errors import PositionError
from rules.fault import Fault, Stage
from rules.pyramid import faults as pyramid_faults
from rules.pyramid import referee as pyramid_referee
from rules.pyramid.moves import Move
from rules.pyramid.position import PyramidPosition
from rules.rows import faults as row_faults
from rules.rows import referee as row_referee
from rules.rows.moves import RowMove
from rules.rows.position import RowPosition
from rules.story import Explanation

Position = PyramidPosition | RowPosition
Told = Explanation[PyramidPosition, Move] | Explanation[RowPosition, RowMove]


def position_from_json(data: Mapping[str, Any], game: Game) -> Position:
    """The position of an object as in the contract; raises CardError, or PositionError where it is not one of the
    game's family or has not the rows of the game."""
    if game.family == "rows":
        found = RowPosition.from_json(data)
        row_referee.check_rows(found, game)
        return found
    position = PyramidPosition.from_json(data)
    if position.row_count != game.options.rows:
        raise PositionError(f"{game.id} has {game.options.rows} rows, the position has {position.row_count}")
    return position


def layout_faults(position: Position, game: Game, stage: Stage = "play") -> tuple[Fault, ...]:
    """Every fault of the layout."""
    if isinstance(position, RowPosition):
        return row_faults.layout_faults(position, game, stage)
    return pyramid_faults.layout_faults(position, game, stage)


def explain_game(positions: Sequence[Position], game: Game) -> Told:
    """The moves between looks, or what broke a rule; all positions are of the game's family."""
    if game.family == "rows":
        return row_referee.explain_game(cast("Sequence[RowPosition]", positions), game)
    return pyramid_referee.explain_game(cast("Sequence[PyramidPosition]", positions), game)
