"""When no legal moves explain a change: the likeliest breach, as the cheapest mixture of legal and forbidden steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import combinations, count
from typing import Final

from rules.cards import FACE_DOWN, Card
from rules.catalogue import Game
from rules.layouts import STOCK, WASTE
from rules.pyramid.explain import MOST_MOVES, Path, to_moves
from rules.pyramid.legality import violations
from rules.pyramid.match import Learnt, mismatches
from rules.pyramid.moves import Move
from rules.pyramid.scene import PLACES, Scene, Table, to_position
from rules.pyramid.steps import (
    Source,
    Step,
    can_redeal,
    legal_steps,
    pass_left,
    piles,
    redeal,
    removal,
    turns,
)
from rules.violation import Violation

FORBIDDEN_COST: Final = 10
"""A forbidden move against one for a legal move: rules count as broken only where nothing legal explains it."""
LONE_COST: Final = 14
"""A card gone alone, or a pile that shows something else: dearer than any one forbidden move that explains it."""
MOST_EXPANDED: Final = 400


@dataclass(frozen=True, slots=True)
class Breach:
    """What seems to have happened: legal moves made, rules broken, the state reached and what was learnt."""

    moves: tuple[Move, ...]
    violations: tuple[Violation, ...]
    table: Table
    learnt: Learnt


@dataclass(order=True, slots=True)
class _Node:
    cost: int
    number: int
    table: Table = field(compare=False)
    steps: Path = field(compare=False, default=())
    broken: tuple[Violation, ...] = field(compare=False, default=())


def likeliest_breach(scene: Scene, game: Game) -> Breach:
    """The cheapest explanation; there always is one, if only that cards vanished and piles changed."""
    numbers = count()
    best, best_cost = _as_it_is(scene, _Node(0, next(numbers), scene.start))
    heap = [_Node(0, next(numbers), scene.start)]
    cheapest: set[Table] = set()
    while heap and len(cheapest) < MOST_EXPANDED:
        node = heappop(heap)
        if node.cost >= best_cost:
            break
        if node.table in cheapest:
            continue
        cheapest.add(node.table)
        candidate, cost = _as_it_is(scene, node)
        if cost < best_cost:
            best, best_cost = candidate, cost
        if len(node.steps) + len(node.broken) >= MOST_MOVES + 1:
            continue
        for step, table in legal_steps(scene, node.table):
            heappush(heap, _Node(node.cost + 1, next(numbers), table, (*node.steps, step), node.broken))
        for step, table in _forbidden(scene, node.table):
            broken = _broken(scene, node.table, step, game)
            cost = node.cost + FORBIDDEN_COST + len(broken)
            heappush(heap, _Node(cost, next(numbers), table, node.steps, node.broken + broken))
    return best


def _as_it_is(scene: Scene, node: _Node) -> tuple[Breach, int]:
    """The explanation that all else in the later look came about without any move, and its cost."""
    learnt: Learnt = {}
    left = scene.target & ~node.table.gone
    vanished = tuple(
        Violation("card-vanished", (PLACES[cell],), (face if isinstance(face, Card) else FACE_DOWN,))
        for cell, face in enumerate(scene.faces)
        if left >> cell & 1
    )
    odd = mismatches(scene, node.table, node.steps, learnt)
    cost = node.cost + LONE_COST * (len(vanished) + len(odd))
    breach = Breach(to_moves(node.steps, learnt), node.broken + vanished + odd, node.table, learnt)
    return breach, cost


def _forbidden(scene: Scene, table: Table) -> Iterator[tuple[Step, Table]]:
    """Steps that are not legal but could have been made: any two cards that are gone, any turn or redeal."""
    left = scene.target & ~table.gone
    cells = [Source(face, PLACES[cell], cell) for cell, face in enumerate(scene.faces) if left >> cell & 1]
    legal = {step.places for step, _ in legal_steps(scene, table)}
    for first, second in combinations([*cells, *piles(scene, table), *_missing_from_piles(scene, table)], 2):
        known = isinstance(first.face, Card) and isinstance(second.face, Card)
        if known and (first.place, second.place) not in legal and first.place != second.place:
            yield removal(table, first, second)
    for source in cells:
        if isinstance(source.face, Card) and source.face.worth == scene.options.total and (source.place,) not in legal:
            yield removal(table, source)
    if scene.options.turn_when == "stuck":
        yield from (turn for turn in turns(scene, table) if turn[0].places not in legal)
    if can_redeal(table) and not (pass_left(scene, table) and scene.options.turn_when == "always"):
        yield redeal(scene, table)


def _missing_from_piles(scene: Scene, table: Table) -> list[Source]:
    """Cards known to lie within a pile, out of play, that the later look's piles no longer list."""
    after = scene.after
    listed = {*(after.stock_cards or ()), *(after.waste_cards or ()), after.turned, after.waste}
    found: list[Source] = []
    if after.waste_cards is not None:
        found += [Source(card, WASTE) for card in table.waste[:-1] if isinstance(card, Card) and card not in listed]
    if after.stock_cards is not None:
        found += [Source(card, STOCK) for card in table.stock if isinstance(card, Card) and card not in listed]
    return found


def _broken(scene: Scene, table: Table, step: Step, game: Game) -> tuple[Violation, ...]:
    """The rules the step breaks, as legality tells them."""
    move = to_moves((step,), {})[0]
    return violations(to_position(scene, table), move, game)
