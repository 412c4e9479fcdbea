"""What could have happened between two looks: the oracle's own search, over legal moves and one card moved wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from tests.oracle_rows.game import (
    EMPTY,
    FOUNDATION,
    FREE,
    HIDDEN,
    OPEN,
    Move,
    Rule,
    Table,
    faults,
    legal_moves,
    made,
    shift_move,
    shifted,
)
from tests.oracle_rows.play import seen, told


@dataclass(frozen=True)
class Look:
    """A later look: what lies in each stack, and in the contract's form with whatever else is told."""

    stacks: tuple[tuple[str, ...], ...]
    camera: bool
    data: dict[str, Any]

    @classmethod
    def of(cls, rule: Rule, table: Table, camera: bool) -> Look:
        """The look at a table."""
        return cls(shown(rule, table), camera, seen(rule, table) if camera else told(rule, table))

    def differing(self, rule: Rule, table: Table) -> set[int]:
        """The stacks that do not lie so on a table."""
        return {number for number, cards in enumerate(shown(rule, table)) if cards != self.stacks[number]}

    def is_of(self, rule: Rule, table: Table) -> bool:
        """Whether this is a look at that table."""
        return not self.differing(rule, table) and self.allows(rule, table)

    def allows(self, rule: Rule, table: Table) -> bool:
        """Whether nothing told contradicts the table; a base of which nothing is told may be any."""
        if self.camera:
            return True
        known = told(rule, table)
        bases = zip(self.data["base_cards"], known["base_cards"], strict=True)
        same = all(
            self.data[key] == known.get(key) for key in self.data.keys() & {"direction", "reversed", "free_centre"}
        )
        return same and all(base in (None, other) for base, other in bases)


def shown(rule: Rule, table: Table) -> tuple[tuple[str, ...], ...]:
    """What is seen of each stack: of middle and cellar the uppermost card."""
    return tuple(
        cards[-1:] if kind in ("base", "cellar") else cards
        for kind, cards in zip(rule.kinds, table.stacks, strict=True)
    )


def has_line(rule: Rule, table: Table, look: Look, most: int) -> bool:
    """Whether at most that many legal moves lead to a look. A move changes two stacks, so looks far apart end soon."""
    differing = look.differing(rule, table)
    if not differing and look.allows(rule, table):
        return True
    if most == 0 or len(differing) > 2 * most:
        return False
    for move in legal_moves(rule, table):
        touched = {move.shift[0], move.shift[2]} if move.shift else set()
        if len(differing - touched) > 2 * (most - 1):
            continue
        if move.kind == "direction" and look.camera:
            continue
        if has_line(rule, made(rule, table, move), look, most - 1):
            return True
    return False


def needed(rule: Rule, table: Table, moves: list[Move], look: Look) -> list[Move]:
    """The moves without those that no picture shows and that nothing else rests on."""
    kept = list(moves)
    for move in moves:
        if move.kind in HIDDEN:
            rest = [other for other in kept if other is not move]
            if _leads(rule, table, rest, look):
                kept = rest
    return kept


def _leads(rule: Rule, table: Table, moves: list[Move], look: Look) -> bool:
    for move in moves:
        if move not in legal_moves(rule, table):
            return False
        table = made(rule, table, move)
    return look.is_of(rule, table)


def guises(rule: Rule, table: Table) -> Iterator[Table]:
    """Every table that a picture of this one cannot be told from: other choices made, the columns reversed or not. A
    direction in which a foundation has grown is seen by the cards that are gone."""
    grown = {cards[0][-1] for role, cards in _middle(table) if role == FOUNDATION and len(cards) > 1}
    by_suit: dict[str, list[int]] = {}
    for place, (role, cards) in enumerate(_middle(table)):
        if rule.bases == "centre" and role != EMPTY and cards[0][-1] not in grown:
            by_suit.setdefault(cards[0][-1], []).append(place)
    several = [places for places in by_suit.values() if len(places) > 1]
    for way in (table.direction,) if grown else (None, "up", "down"):
        for turned in (False, True) if rule.columns else (False,):
            for chosen in product(*((None, *places) for places in several)):
                roles = list(table.roles)
                for places, base in zip(several, chosen, strict=True):
                    for place in places:
                        roles[place] = OPEN if base is None else FOUNDATION if place == base else FREE
                yield Table(table.stacks, "".join(roles), way, turned)


def _middle(table: Table) -> list[tuple[str, tuple[str, ...]]]:
    return list(zip(table.roles, table.stacks[-4:], strict=True))


@dataclass(frozen=True)
class Reading:
    """One card moved against the rules: which rules, which card (None where no card moved)."""

    broken: frozenset[str]
    card: str | None


def readings(rule: Rule, table: Table, look: Look) -> set[Reading]:
    """Every way in which one card moved wrongly, and at most one legal move before or after it, leads to a look; those
    without a legal move alone where there are any."""
    direct = set(_wrong_moves(rule, table, look))
    if direct:
        return direct
    found: set[Reading] = set()
    differing = look.differing(rule, table)
    for move in legal_moves(rule, table):
        touched = {move.shift[0], move.shift[2]} if move.shift else set()
        if len(differing - touched) <= 2:
            found.update(_wrong_moves(rule, made(rule, table, move), look))
    for shift in _shifts(rule, table, look):
        broken = faults(rule, table, shift)
        if (
            broken
            and len(differing - {shift[0], shift[2]}) <= 2
            and has_line(rule, shifted(rule, table, shift), look, 1)
        ):
            found.add(Reading(broken, table.stacks[shift[0]][shift[1]]))
    return found


def _wrong_moves(rule: Rule, table: Table, look: Look) -> Iterator[Reading]:
    """One card moved wrongly that leads straight to a look."""
    differing = look.differing(rule, table)
    for shift in _shifts(rule, table, look) if len(differing) in (1, 2) else ():
        if {shift[0], shift[2]} == differing and look.is_of(rule, shifted(rule, table, shift)):
            broken = faults(rule, table, shift)
            if broken:
                yield Reading(broken, shift_move(rule, table, shift).cards[0])


def _shifts(rule: Rule, table: Table, look: Look) -> Iterator[tuple[int, int, int, int]]:
    """Every card that a look shows elsewhere, taken to any place of the stack where it lies then; for one that it does
    not show, to the middle."""
    lies = {card: number for number, cards in enumerate(look.stacks) for card in cards}
    middle = range(len(table.stacks) - 4, len(table.stacks))
    for start, cards in enumerate(table.stacks):
        for index, card in enumerate(cards):
            if start in middle and index != len(cards) - 1:
                continue
            for goal in [lies[card]] if card in lies else middle:
                length = len(table.stacks[goal])
                single = rule.kinds[goal] in ("base", "cellar")
                for at in [length] if single else range(length + (goal != start)):
                    if goal != start or at != index:
                        yield start, index, goal, at
