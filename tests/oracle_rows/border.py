"""The one place where the oracle meets the program: looks go in, explanations come out, both in the contract's form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.catalogue import find_game
from rules.rows.position import RowPosition
from rules.rows.referee import explain, explain_game


def explained(game: str, rules: Mapping[str, str], before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """What the referee tells of two looks."""
    looks = RowPosition.from_json(before), RowPosition.from_json(after)
    return explain(*looks, find_game(game, rules)).to_json()


def game_explained(game: str, rules: Mapping[str, str], looks: list[dict[str, Any]]) -> dict[str, Any]:
    """What the referee tells of a whole game."""
    return explain_game([RowPosition.from_json(look) for look in looks], find_game(game, rules)).to_json()
