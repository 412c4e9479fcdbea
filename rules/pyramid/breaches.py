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
from rules.pyramid.explain import Path, to_moves
from rules.pyramid.legality import violations
from rules.pyramid.match import Learnt, mismatches
from rules.pyramid.moves import Move
from rules.pyramid.pairing import pairs_up
from rules.pyramid.scene import PLACES, Scene, Table, to_position
from rules.pyramid.steps import (
    Source,
    Step,
    can_redeal,
    legal_steps,
    may_pair,
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
MOST_STEPS: Final = 3
"""Steps in one explanation; what needs more is told as cards that vanished and piles that changed."""
MOST_EXPANDED: Final = 120
"""States looked at: keeps the answer to a few hundredths of a second."""


@dataclass(frozen=True, slots=True)
class Breach:
    """What seems to have happened: legal moves made, rules broken, the state reached and what was learnt.

    ``one_step``: a single forbidden step and nothing else explains it all."""

    moves: tuple[Move, ...]
    violations: tuple[Violation, ...]
    table: Table
    learnt: Learnt
    one_step: bool


@dataclass(order=True, slots=True)
class _Node:
    """A state and how it came about: legal steps, and forbidden ones each with the state it was made in."""

    cost: int
    number: int
    table: Table = field(compare=False)
    steps: Path = field(compare=False, default=())
    forbidden: tuple[tuple[Table, Step], ...] = field(compare=False, default=())

    @property
    def all_steps(self) -> Path:
        """Legal and forbidden steps."""
        return self.steps + tuple(step for _, step in self.forbidden)


def likeliest_breach(scene: Scene, game: Game, *, only_seen: bool = False) -> Breach:
    """The cheapest explanation; there always is one, if only that cards vanished and piles changed.

    ``only_seen``: without legal moves that take cards never seen."""
    numbers = count()
    heap = [_Node(0, next(numbers), scene.start)]
    best, best_cost = heap[0], _cost_as_it_is(scene, heap[0])
    expanded: set[Table] = set()
    while heap and len(expanded) < MOST_EXPANDED:
        node = heappop(heap)
        if node.cost >= best_cost:
            break
        if node.table in expanded:
            continue
        expanded.add(node.table)
        cost = _cost_as_it_is(scene, node)
        if cost < best_cost:
            best, best_cost = node, cost
        if len(node.steps) + len(node.forbidden) >= MOST_STEPS:
            continue
        legal = [
            (step, table)
            for step, table in legal_steps(scene, node.table)
            if not only_seen or step.kind not in ("pair", "single") or all(isinstance(c, Card) for c in step.cards)
        ]
        for step, table in legal:
            heappush(heap, _Node(node.cost + 1, next(numbers), table, (*node.steps, step), node.forbidden))
        if node.cost + FORBIDDEN_COST >= best_cost:
            continue
        for step, table in _forbidden(scene, node.table, {step.places for step, _ in legal}):
            forbidden = (*node.forbidden, (node.table, step))
            heappush(heap, _Node(node.cost + _forbidden_cost(scene, step), next(numbers), table, node.steps, forbidden))
    return _told(scene, best, game)


def _forbidden_cost(scene: Scene, step: Step) -> int:
    """Two broken rules are dearer than one: cards that make the total are likelier to have been taken together."""
    known = [card for card in step.cards if isinstance(card, Card)]
    adds_up = len(known) != 2 or pairs_up(known[0], known[1], scene.options)
    return FORBIDDEN_COST + (0 if adds_up else 2)


def _cost_as_it_is(scene: Scene, node: _Node) -> int:
    """The cost if all else that the later look shows came about without any move."""
    left = (scene.target & ~node.table.gone).bit_count()
    return node.cost + LONE_COST * (left + len(mismatches(scene, node.table, node.all_steps, {})))


def _told(scene: Scene, node: _Node, game: Game) -> Breach:
    """The node as moves made and rules broken."""
    learnt: Learnt = {}
    left = scene.target & ~node.table.gone
    vanished = tuple(
        Violation("card-vanished", (PLACES[cell],), (face if isinstance(face, Card) else FACE_DOWN,))
        for cell, face in enumerate(scene.faces)
        if left >> cell & 1
    )
    odd = mismatches(scene, node.table, node.all_steps, learnt)
    broken = tuple(found for table, step in node.forbidden for found in _broken(scene, table, step, game))
    one_step = len(node.forbidden) == 1 and not (vanished or odd or node.steps)
    return Breach(to_moves(node.steps, learnt), broken + vanished + odd, node.table, learnt, one_step)


def _forbidden(scene: Scene, table: Table, legal: set[tuple[str, ...]]) -> Iterator[tuple[Step, Table]]:
    """Steps that are not legal but could have been made: any two cards that are gone, any turn or redeal."""
    left = scene.target & ~table.gone
    cells = [Source(face, PLACES[cell], cell) for cell, face in enumerate(scene.faces) if left >> cell & 1]
    others = [source for source in piles(scene, table) if isinstance(source.face, Card)]
    deep = _missing_from_piles(scene, table)
    for first, second in combinations([*cells, *others, *deep], 2):
        known = isinstance(first.face, Card) and isinstance(second.face, Card)
        if (
            (known or may_pair(scene, first.face, second.face))
            and (second in deep or (first.place, second.place) not in legal)
            and first.place != second.place
        ):
            yield removal(table, first, second)
    for source in cells:
        alone = isinstance(source.face, Card) and source.face.worth == scene.options.total
        if alone and (source.place,) not in legal:
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
