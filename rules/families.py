"""The families there are."""

from __future__ import annotations

from typing import Any

from rules.catalogue import Game
from rules.errors import RuleError
from rules.family import Family


def family_of(game: Game) -> Family[Any, Any]:
    """The acts of a game's family; raises RuleError where it has none yet."""
    if game.family == "pyramid":
        from rules.pyramid.family import PyramidFamily

        return PyramidFamily()
    raise RuleError(f"the {game.family} family cannot be played here")
