"""The families there are."""

from __future__ import annotations

from typing import Any

from rules.catalogue import Game
from rules.family import Family


def family_of(game: Game) -> Family[Any, Any]:
    """The acts of a game's family."""
    if game.family == "pyramid":
        from rules.pyramid.family import PyramidFamily

        return PyramidFamily()
    from rules.rows.family import RowFamily

    return RowFamily()
