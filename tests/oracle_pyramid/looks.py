"""What a camera shows of a table, and what one knows who has followed the game: positions as JSON objects."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from tests.oracle_pyramid.table import JOKER, Rules, Table, all_cells, lies_on

HIDDEN = "??"


@dataclass(frozen=True)
class Habit:
    """How a player plays. ``face_up``: whether covered cards show. ``in_hand``: whether the card just turned is out of
    sight. ``foundation``: whether what left lies open, is kept out of sight, or is outside the picture."""

    face_up: bool
    in_hand: bool
    foundation: str


def random_habit(rules: Rules, rng: Random) -> Habit:
    """A habit that goes with the rules; king-tut may be laid face up as well."""
    may_lie_up = rules.game == "king-tut" and not rules.overlap
    face_up = rules.face == "up" or (may_lie_up and rng.random() < 0.5)
    in_hand = rules.turned == "held" and rng.random() < 0.4
    return Habit(face_up, in_hand, rng.choice(["open", "open", "open", "away", "outside"]))


def camera(table: Table, rules: Rules, habit: Habit, top: str | None) -> dict[str, Any]:
    """A picture of the table; ``top`` is what lies on top of the foundation."""
    look: dict[str, Any] = {"pyramid": pyramid(table, rules, habit), "stock": bool(table.stock)}
    look["waste"] = table.waste[-1] if table.waste else None
    if rules.turned == "held":
        look["turned"] = None if habit.in_hand else table.held
    if habit.foundation == "open":
        look["foundation"] = top
    elif habit.foundation == "away":
        look["foundation"] = None
    return look


def followed(table: Table, rules: Rules, habit: Habit, top: str | None, seen: frozenset[str]) -> dict[str, Any]:
    """All that is known of the table by one who has ``seen`` these cards, as each came to lie open."""

    def known(card: str) -> str:
        return card if card in seen and card != JOKER else HIDDEN

    look = camera(table, rules, habit, top)
    waste = [known(card) for card in table.waste]
    if table.waste:
        waste[-1] = table.waste[-1]
    look |= {"waste_cards": waste, "gone_cards": [known(card) for card in table.gone], "pass": table.number}
    if table.number > 1 or not table.stock:
        look["stock_cards"] = [known(card) for card in table.stock]
    look["stock"] = len(table.stock) or None
    if rules.turned == "held" and table.held is not None:
        look["turned"] = HIDDEN if habit.in_hand else table.held
    return look


def newly_seen(table: Table, rules: Rules, habit: Habit) -> set[str]:
    """The cards that lie open in the piles, or free in the pyramid."""
    lying = table.lying
    cards = {card for cell, card in lying.items() if habit.face_up or not lies_on(cell, lying)}
    cards |= {table.waste[-1]} if table.waste else set()
    return cards | ({table.held} if table.held and not habit.in_hand else set())


def pyramid(table: Table, rules: Rules, habit: Habit) -> list[list[str | None]]:
    """The rows as they show."""
    lying = table.lying
    rows: list[list[str | None]] = [[] for _ in range(rules.rows)]
    for cell in all_cells(rules):
        card = lying.get(cell)
        shows = card is None or habit.face_up or not lies_on(cell, lying)
        rows[cell[0] - 1].append(card if shows else HIDDEN)
    return rows
