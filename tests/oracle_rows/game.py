"""The six row games, from the three Polish texts: what lies where, what may be moved, what follows.

A table is a list of stacks: half rows (the inner card first), columns (from the top), the cellar, and the four places
of the middle with all cards that lie there, the base first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "SHDC"
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
WORTH = {card: RANKS.index(card[:-1]) for card in DECK}

FOUNDATION, FREE, OPEN, EMPTY, WRONG = "f", "x", "?", "-", "!"
"""What a place of the middle is: a foundation, a free card, a card not yet chosen or left, nothing, or a card that was
laid there against the rules and is no base."""

HIDDEN = ("direction", "reverse", "choice")
"""Moves that no picture shows."""


@dataclass(frozen=True)
class Rule:
    """One game under its options. ``sizes``: cards dealt to the half rows, left ones from the top, then right ones."""

    game: str
    sizes: tuple[int, ...] = (5, 5, 5, 5, 4, 5, 5, 5, 5, 4)
    auxiliary: bool = True
    columns: int = 0
    cellar: bool = False
    bases: str = "rank"
    refill: bool = True
    build_on_auxiliary: bool = True
    build_on_columns: bool = False
    corner: bool = True
    names: tuple[str, ...] = field(init=False)
    rows: int = field(init=False)
    kinds: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        rows = len(self.sizes) // 2
        names = [f"{side} {row}" for side in ("left", "right") for row in range(1, rows + 1)]
        kinds = ["auxiliary" if self.auxiliary and row == rows else "main" for row in range(1, rows + 1)] * 2
        if self.columns:
            names, kinds = [*names, "left column", "right column"], [*kinds, "column", "column"]
        if self.cellar:
            names, kinds = [*names, "cellar"], [*kinds, "cellar"]
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "names", (*names, *(f"base {place}" for place in range(1, 5))))
        object.__setattr__(self, "kinds", (*kinds, *("base",) * 4))

    def place(self, stack: int, index: int) -> str:
        """The text of a place, by stack and index from 0."""
        single = self.kinds[stack] in ("cellar", "base")
        return self.names[stack] if single else f"{self.names[stack]} {index + 1}"


class Table(NamedTuple):
    """Every card and every choice made. ``roles``: what each place of the middle is."""

    stacks: tuple[tuple[str, ...], ...]
    roles: str
    direction: str | None = None
    turned: bool = False


class Move(NamedTuple):
    """A move. ``shift``: from stack and index to stack and index, None where nothing moves."""

    kind: str
    cards: tuple[str, ...]
    places: tuple[str, ...]
    shift: tuple[int, int, int, int] | None = None

    def to_json(self) -> dict[str, Any]:
        """As the contract writes it."""
        return {
            "kind": "base" if self.kind == "choice" else self.kind,
            "cards": [*self.cards],
            "places": [*self.places],
        }


def next_of(card: str, direction: str) -> str:
    """The card of the suit that follows in a direction, round the corner."""
    return RANKS[(WORTH[card] + (1 if direction == "up" else -1)) % 13] + card[-1]


def adjacent(rule: Rule, card: str, other: str) -> bool:
    """Same suit, one rank apart; king and ace where the game goes round the corner."""
    apart = abs(WORTH[card] - WORTH[other])
    return card[-1] == other[-1] and (apart == 1 or (rule.corner and apart == 12))


def cellar_open(rule: Rule, table: Table) -> bool:
    """Whether an auxiliary half row is completely gone."""
    return any(kind == "auxiliary" and not cards for kind, cards in zip(rule.kinds, table.stacks, strict=True))


def outer(rule: Rule, table: Table, stack: int) -> int:
    """The index of the playable end of a stack that is not empty."""
    return 0 if rule.kinds[stack] == "column" and table.turned else len(table.stacks[stack]) - 1


def joining(rule: Rule, table: Table, stack: int) -> int:
    """The index at which a card comes to lie that is put at the playable end of a stack."""
    return 0 if rule.kinds[stack] == "column" and table.turned else len(table.stacks[stack])


def faults(rule: Rule, table: Table, shift: tuple[int, int, int, int]) -> frozenset[str]:
    """Which rules a card breaks that is taken from a stack and index to a stack and index; none if it may go there."""
    start, index, goal, at = shift
    return frozenset((*_taking(rule, table, start, index), *_laying(rule, table, shift, goal, at)))


def _taking(rule: Rule, table: Table, start: int, index: int) -> Iterator[str]:
    kind = rule.kinds[start]
    if kind == "cellar" and not cellar_open(rule, table):
        yield "locked-cellar"
    elif kind == "base" and _role(rule, table, start) != FREE:
        yield "not-in-play"
    elif kind != "base" and index != outer(rule, table, start):
        yield "covered"


def _laying(rule: Rule, table: Table, shift: tuple[int, int, int, int], goal: int, at: int) -> Iterator[str]:
    card, kind, there = table.stacks[shift[0]][shift[1]], rule.kinds[goal], table.stacks[goal]
    if shift[0] == goal:
        yield "wrong-place"
    elif kind == "base":
        yield from _onto_middle(rule, table, card, goal)
    elif kind == "cellar":
        if there:
            yield "cellar-full"
    elif not there:
        if kind == "column" or (kind == "auxiliary" and not rule.refill):
            yield "row-stays-empty"
    elif at != joining(rule, table, goal):
        yield "wrong-place"
    else:
        built = {"main": True, "auxiliary": rule.build_on_auxiliary, "column": rule.build_on_columns}[kind]
        if not built:
            yield "not-built-on"
        if not adjacent(rule, card, there[outer(rule, table, goal)]):
            yield "wrong-suit-or-rank"


def _role(rule: Rule, table: Table, stack: int) -> str:
    return table.roles[stack - len(rule.kinds) + 4]


def _onto_middle(rule: Rule, table: Table, card: str, goal: int) -> Iterator[str]:
    role, there, suit = _role(rule, table, goal), table.stacks[goal], card[-1]
    middle = zip(table.roles, table.stacks[-4:], strict=True)
    if role == EMPTY:
        has_base = any(kind in (FOUNDATION, OPEN) and cards[0][-1] == suit for kind, cards in middle)
        if rule.bases != "centre" or has_base:
            yield "wrong-base"
    elif role == FREE:
        yield "not-built-on"
    elif role == WRONG or {there[0][-1], there[-1][-1]} != {suit}:
        yield "wrong-suit-or-rank"
    elif role == OPEN:
        yield "base-not-chosen"
    elif card not in (next_of(there[-1], "up"), next_of(there[-1], "down")):
        yield "wrong-suit-or-rank"
    elif table.direction is not None and card != next_of(there[-1], table.direction):
        yield "wrong-direction"


def shifted(rule: Rule, table: Table, shift: tuple[int, int, int, int]) -> Table:
    """The table after a card has been taken there, allowed or not."""
    start, index, goal, at = shift
    stacks, roles, way = list(table.stacks), list(table.roles), table.direction
    card, middle = stacks[start][index], len(stacks) - 4
    stacks[start] = stacks[start][:index] + stacks[start][index + 1 :]
    there = stacks[goal]
    stacks[goal] = (*there[:at], card, *there[at:])
    if start >= middle and not stacks[start]:
        roles[start - middle] = EMPTY
    if goal >= middle and not there:
        roles[goal - middle] = WRONG if any(_onto_middle(rule, table, card, goal)) else FOUNDATION
    elif goal >= middle and way is None and roles[goal - middle] == FOUNDATION:
        way = next((one for one in ("up", "down") if next_of(there[-1], one) == card), None)
    return Table(tuple(stacks), "".join(roles), way, table.turned)


def shift_move(rule: Rule, table: Table, shift: tuple[int, int, int, int]) -> Move:
    """A card taken to another place, as the contract names it."""
    start, index, goal, at = shift
    filled = bool(table.stacks[goal])
    kind = {"cellar": "cellar", "base": "foundation" if filled else "base"}.get(
        rule.kinds[goal], "build" if filled else "fill"
    )
    return Move(kind, (table.stacks[start][index],), (rule.place(start, index), rule.place(goal, at)), shift)


def legal_moves(rule: Rule, table: Table) -> list[Move]:
    """Every move that the rules allow, choices too."""
    found = []
    for start, cards in enumerate(table.stacks):
        if not cards or any(_taking(rule, table, start, outer(rule, table, start))):
            continue
        index = outer(rule, table, start)
        for goal in range(len(table.stacks)):
            shift = (start, index, goal, joining(rule, table, goal))
            if goal != start and not any(_laying(rule, table, shift, goal, shift[3])):
                found.append(shift_move(rule, table, shift))
    if table.direction is None:
        found += [Move("direction", (), (way,)) for way in ("up", "down")]
    if rule.columns and not table.turned and any(table.stacks[2 * rule.rows : 2 * rule.rows + 2]):
        found.append(Move("reverse", (), ()))
    for place, role in enumerate(table.roles, start=1):
        if role == OPEN:
            found.append(Move("choice", table.stacks[place - 5], (f"base {place}",)))
    return found


def made(rule: Rule, table: Table, move: Move) -> Table:
    """The table after a move."""
    if move.shift is not None:
        return shifted(rule, table, move.shift)
    if move.kind == "direction":
        return table._replace(direction=move.places[0])
    if move.kind == "reverse":
        return table._replace(turned=True)
    chosen, suit = int(move.places[0][-1]), move.cards[0][-1]
    middle = zip(table.roles, table.stacks[-4:], strict=True)
    roles = [FREE if role == OPEN and cards[0][-1] == suit else role for role, cards in middle]
    roles[chosen - 1] = FOUNDATION
    return table._replace(roles="".join(roles))


def replayed(rule: Rule, table: Table, moves: list[dict[str, Any]]) -> Table | None:
    """The table after moves in the contract's form; None where one of them is not legal."""
    for wanted in moves:
        named = {repr(move.to_json()): move for move in legal_moves(rule, table)}
        move = named.get(repr({key: wanted[key] for key in ("kind", "cards", "places")}))
        if move is None:
            return None
        table = made(rule, table, move)
    return table
