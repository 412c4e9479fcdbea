"""Deals, and games played at random so that cellars, empty rows, new bases and long foundations come up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from tests.oracle_rows.game import (
    DECK,
    EMPTY,
    FOUNDATION,
    FREE,
    OPEN,
    RANKS,
    SUITS,
    Move,
    Rule,
    Table,
    legal_moves,
    made,
    next_of,
)

_ARCYDZIELO = Rule("arcydzielo", cellar=True, bases="aces", refill=False, corner=False)
_PIWNICA = Rule("piwnica", cellar=True, bases="centre", refill=False, build_on_auxiliary=False)
_TWELVE = Rule("wiezniowie-12", sizes=(6,) * 8, auxiliary=False)
_ULUBIONY = Rule("ulubiony", sizes=(5, 5, 5, 4, 5, 5, 5, 4), auxiliary=False, columns=5)

RULES: tuple[tuple[Rule, Mapping[str, str]], ...] = (
    (_ARCYDZIELO, {}),
    (replace(_ARCYDZIELO, build_on_auxiliary=False), {"build_on_auxiliary": "no"}),
    (replace(_ARCYDZIELO, corner=True), {"round_the_corner": "yes"}),
    (Rule("nowy-domator"), {}),
    (Rule("nowy-domator", corner=False), {"round_the_corner": "no"}),
    (Rule("wiezniowie"), {}),
    (Rule("wiezniowie", corner=False), {"round_the_corner": "no"}),
    (_TWELVE, {}),
    (replace(_TWELVE, corner=False), {"round_the_corner": "no"}),
    (_PIWNICA, {}),
    (replace(_PIWNICA, corner=False), {"round_the_corner": "no"}),
    (replace(_PIWNICA, build_on_auxiliary=True), {"build_on_auxiliary": "yes"}),
    (_ULUBIONY, {}),
    (replace(_ULUBIONY, build_on_columns=True), {"build_on_columns": "yes"}),
    (replace(_ULUBIONY, corner=False), {"round_the_corner": "no"}),
    # The text leaves open where the two rows of four lie.
    (replace(_ULUBIONY, sizes=(5, 5, 4, 4, 5, 5, 5, 5), build_on_columns=True), {"build_on_columns": "yes"}),
)
"""Every game under its options, with the options as a player writes them."""

LONGEST = 90
_WEIGHTS = {"foundation": 6.0, "base": 6.0, "build": 1.0, "fill": 0.5, "cellar": 0.7, "direction": 0.4, "choice": 0.5}
_FROM_AUXILIARY = 3.0
_REVERSE = 0.06


def deal(rule: Rule, rng: Random) -> Table:
    """A deal that is not too hard: what the foundations want soon lies far out, but for some cards exchanged."""
    centre = _centre(rule, rng)
    way = rng.choice(("up", "down"))
    runs: list[list[str]] = []
    for suit in SUITS:
        own = [card for card in centre if card[-1] == suit]
        run = [own[0] if own else rng.choice(RANKS) + suit]
        while len(run) < 13:
            run.append(next_of(run[-1], way))
        runs.append([card for card in run if card not in centre])
    order: list[str] = []
    while any(runs):
        order.append(rng.choice([run for run in runs if run]).pop(0))
    for _ in range(rng.choice((0, 3, 8, 20, 60))):
        here, there = rng.randrange(48), rng.randrange(48)
        order[here], order[there] = order[there], order[here]
    room = [*rule.sizes, *((rule.columns,) * 2 if rule.columns else ())]
    stacks: list[list[str]] = [[] for _ in room]
    for card in reversed(order):
        stack = rng.choice([number for number, size in enumerate(room) if len(stacks[number]) < size])
        stacks[stack].append(card)
    suits = [card[-1] for card in centre]
    roles = "".join(OPEN if suits.count(suit) > 1 else FOUNDATION for suit in suits)
    cellar = [()] if rule.cellar else []
    assert EMPTY not in roles
    return Table((*map(tuple, stacks), *cellar, *((card,) for card in centre)), roles)


def _centre(rule: Rule, rng: Random) -> list[str]:
    if rule.bases == "centre":
        return rng.sample(DECK, 4)
    rank = "A" if rule.bases == "aces" else rng.choice(RANKS)
    return [rank + suit for suit in rng.sample(SUITS, 4)]


def some_move(rule: Rule, table: Table, rng: Random, last: Move | None = None) -> Move | None:
    """A legal move, those that bring a game on more often; not the last card once more if it can be helped."""
    moves = legal_moves(rule, table)
    moves = [move for move in moves if last is None or move.cards != last.cards or move.kind == "foundation"] or moves
    return rng.choices(moves, [_weight(rule, table, move) for move in moves])[0] if moves else None


def _weight(rule: Rule, table: Table, move: Move) -> float:
    if move.kind == "reverse":
        return _REVERSE
    if move.shift is None:
        return _WEIGHTS[move.kind]
    start = move.shift[0]
    early = _FROM_AUXILIARY if rule.kinds[start] == "auxiliary" else 1.0
    return _WEIGHTS[move.kind] * early / max(1, len(table.stacks[start]))


def game_from(rule: Rule, table: Table, rng: Random, longest: int = LONGEST) -> list[tuple[Table, Move]]:
    """A game played at random: each table with the move made on it."""
    played: list[tuple[Table, Move]] = []
    while len(played) < longest:
        move = some_move(rule, table, rng, played[-1][1] if played else None)
        if move is None:
            break
        played.append((table, move))
        table = made(rule, table, move)
    return played


def told(rule: Rule, table: Table) -> dict[str, Any]:
    """The look with everything that is known."""
    data = seen(rule, table)
    middle = list(zip(table.roles, table.stacks[-4:], strict=True))
    data["base_cards"] = [cards[0] if role == FOUNDATION else None for role, cards in middle]
    if table.direction is not None:
        data["direction"] = table.direction
    if rule.columns:
        data["reversed"] = table.turned
    if rule.bases == "centre":
        data["free_centre"] = [place for place, (role, _) in enumerate(middle, start=1) if role == FREE]
    return data


def seen(rule: Rule, table: Table) -> dict[str, Any]:
    """The look as a camera has it: cards only, of the middle and the cellar the uppermost."""
    rows = [[*cards] for cards in table.stacks[: 2 * rule.rows]]
    data: dict[str, Any] = {"base": [cards[-1] if cards else None for cards in table.stacks[-4:]]}
    data["left"], data["right"] = rows[: rule.rows], rows[rule.rows :]
    if rule.columns:
        data["left_column"], data["right_column"] = ([*table.stacks[2 * rule.rows + side]] for side in (0, 1))
    if rule.cellar:
        cellar = table.stacks[-5]
        data["cellar"] = cellar[-1] if cellar else None
    return data
