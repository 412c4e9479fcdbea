"""What can be asked of looks at a table, whatever family its game is of."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, cast

from rules.bounds import MOST_CARDS, check_counts
from rules.cards import Seen
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
    check_counts(data)
    if game.family == "rows":
        found = RowPosition.from_json(data)
        row_referee.check_rows(found, game)
        return found
    position = pyramid_from_json(data)
    check_fits(position, game)
    return position


def position_from_places(game: Game, places: Mapping[str, Seen | bool | None]) -> Position:
    """The position that a picture shows: what lies at each place of the game's layout."""
    if game.family == "rows":
        return RowPosition.from_places(game, places)
    return PyramidPosition.from_places(game, places)


def pyramid_from_json(data: Mapping[str, Any]) -> PyramidPosition:
    """The pyramid position of an object as in the contract; raises CardError, or PositionError saying which key is
    wrong and why."""
    check_counts(data)
    rows = data.get("pyramid")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows) or not rows:
        said = "a position of the pyramid family needs 'pyramid': a list of rows from the apex"
        raise PositionError(said, "no-pyramid")
    for count, row in enumerate(rows, start=1):
        if len(row) != count:
            said = f"row {count} of a pyramid has {count} places, not {len(row)}"
            raise PositionError(said, "row-length", row=count, places=len(row))
    stock, number = data.get("stock"), data.get("pass")
    if not (stock is None or isinstance(stock, bool) or (_is_count(stock, 0) and stock <= MOST_CARDS)):
        quoted = reprlib.repr(stock)
        said = f"stock is true, false or the number of its cards, from 0 to {MOST_CARDS}, not {quoted}"
        raise PositionError(said, "stock-value", value=quoted, most=MOST_CARDS)
    if not (number is None or _is_count(number, 1)):
        quoted = reprlib.repr(number)
        raise PositionError(f"pass is a number from 1, not {quoted}", "pass-value", value=quoted)
    return PyramidPosition.from_json(data)


def check_fits(position: PyramidPosition, game: Game) -> None:
    """Raise PositionError where a position has other rows than the game, or a pass that the game has not."""
    options = game.options
    if position.row_count != options.rows:
        said = f"{game.id} has {options.rows} rows, the position has {position.row_count}"
        raise PositionError(said, "row-count", game=game.id, rows=options.rows, given=position.row_count)
    if position.pass_number is not None and options.passes is not None and position.pass_number > options.passes:
        said = (
            f"pass {position.pass_number} is told, but {game.id} goes through the stock {options.passes} times at most"
        )
        raise PositionError(said, "pass-beyond", number=position.pass_number, game=game.id, passes=options.passes)


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


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
