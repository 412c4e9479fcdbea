"""When no legal moves explain a change: the likeliest breach, as the cheapest mixture of legal and forbidden steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from rules.cards import FACE_DOWN, Card
from rules.catalogue import Game
from rules.layouts import STOCK, WASTE
from rules.likeliest import FORBIDDEN_COST, LEGAL_COST, Bounds, cheapest
from rules.pyramid.explain import Path, to_moves
from rules.pyramid.legality import violations
from rules.pyramid.match import Learnt, deck_has, foundation_as_before, is_new, mismatches
from rules.pyramid.moves import Move
from rules.pyramid.pairing import leaves_alone, pairs_up
from rules.pyramid.scene import PLACES, Face, Scene, Table, to_position
from rules.pyramid.steps import (
    Source,
    Step,
    can_redeal,
    early_redeal,
    free_cells,
    legal_steps,
    may_pair,
    pass_left,
    piles,
    redeal,
    removal,
    turned,
    turns,
)
from rules.violation import Violation

# Costs beside those of ``rules.likeliest``; only their order matters. It was set by what a player would take for the
# likelier, and is tried by ``python -m tests.oracle_pyramid``.
EARLY_COST: Final = 13
"""The waste turned over too early: believed where nothing else is needed, for with turns it could explain any pile."""
UNSEEN_COST: Final = 3
"""A legal step with a card that nobody ever saw, for each: a card that left alone is likelier than a long story."""
ODD_CARD_COST: Final = 2
"""One card that does not leave alone."""
THIRD_CARD_COST: Final = 2
ODD_PAIR_COST: Final = 3
"""Two cards that do not make the total: those that do are likelier to have been taken together."""
ODD_PILE_COST: Final = 3
"""Of such cards each from a pile, which need not have left at all."""
SHORT_TURN_COST: Final = 3
"""Fewer cards turned than are drawn at a time, one of which then seems to have left."""
HAND_COST: Final = 2
"""A card held out of sight at the earlier look."""
BOUNDS: Final = Bounds(steps=3, expanded=120)
"""What needs more steps is told as cards that vanished and piles that changed."""


@dataclass(frozen=True, slots=True)
class Breach:
    """What seems to have happened: legal moves made, rules broken, the state reached and what was learnt.

    ``one_step``: a single forbidden step and nothing else explains it all."""

    moves: tuple[Move, ...]
    violations: tuple[Violation, ...]
    table: Table
    learnt: Learnt
    one_step: bool


@dataclass(frozen=True, slots=True)
class _Node:
    """A state and how it came about: legal steps, and forbidden ones each with the state it was made in."""

    cost: int
    state: Table
    steps: Path = ()
    forbidden: tuple[tuple[Table, Step], ...] = ()

    @property
    def all_steps(self) -> Path:
        """Legal and forbidden steps."""
        return self.steps + tuple(step for _, step in self.forbidden)

    @property
    def length(self) -> int:
        """How many steps there are."""
        return len(self.steps) + len(self.forbidden)


def likeliest_breach(scene: Scene, game: Game, *, only_seen: bool = False, alone: bool = False) -> Breach:
    """The cheapest explanation; there always is one, if only that cards vanished and piles changed.

    ``only_seen``: without legal moves that take cards never seen. ``alone``: without any legal move."""

    def following(node: _Node, below: int) -> Iterator[_Node]:
        if node is start:
            yield from (_Node(HAND_COST, table) for table in scene.starts[1:])
        legal = [
            (step, table)
            for step, table in legal_steps(scene, node.state)
            if not only_seen or step.kind not in ("pair", "single") or all(isinstance(c, Card) for c in step.cards)
        ]
        for step, table in () if alone else legal:
            unseen = 0 if step.kind == "turn" else sum(not isinstance(card, Card) for card in step.cards)
            cost = node.cost + LEGAL_COST + UNSEEN_COST * unseen
            yield _Node(cost, table, (*node.steps, step), node.forbidden)
        if node.cost + FORBIDDEN_COST >= below:
            return
        for step, table in _forbidden(scene, node.state, {step.places for step, _ in legal}):
            cost = node.cost + _forbidden_cost(scene, node.state, step)
            yield _Node(cost, table, node.steps, (*node.forbidden, (node.state, step)))

    start = _Node(0, scene.start)
    return _told(scene, cheapest(start, lambda node: _unexplained(scene, node), following, BOUNDS), game)


def _forbidden_cost(scene: Scene, table: Table, step: Step) -> int:
    """Two broken rules are dearer than one, and so are three cards where two would do."""
    if step.kind == "redeal" and not can_redeal(table):
        return EARLY_COST
    if step.kind == "turn" and 0 < len(step.cards) < scene.options.draw:
        return FORBIDDEN_COST + SHORT_TURN_COST
    known = [card for card in step.cards if isinstance(card, Card)]
    if step.kind not in ("pair", "single") or len(known) != len(step.cards):
        return FORBIDDEN_COST
    if len(known) == 1:
        return FORBIDDEN_COST + (0 if leaves_alone(known[0], scene.options) else ODD_CARD_COST)
    from_piles = sum(not place.startswith("pyramid") for place in step.places)
    if len(known) == 2 and pairs_up(known[0], known[1], scene.options):
        return FORBIDDEN_COST
    return FORBIDDEN_COST + (ODD_PAIR_COST if len(known) == 2 else THIRD_CARD_COST) + ODD_PILE_COST * from_piles


def _unexplained(scene: Scene, node: _Node) -> int:
    """How much that the later look shows came about without any of the steps."""
    left = (scene.target & ~node.state.gone).bit_count()
    odd = len(mismatches(scene, node.state, node.all_steps, {}))
    return left + odd + (not _foundation_told(scene, node)) + (not deck_has(scene, node.state, node.steps))


def _foundation_told(scene: Scene, node: _Node) -> bool:
    """Whether the foundation is as before or shows a card taken, in whatever order; after legal removals it is not as
    before."""
    top = scene.after.foundation
    taken = [step for step in node.all_steps if step.kind in ("pair", "single")]
    if not isinstance(top, Card) or any(top in step.cards for step in taken):
        return True
    return foundation_as_before(scene) and all(step not in taken for step in node.steps)


def _told(scene: Scene, node: _Node, game: Game) -> Breach:
    """The node as moves made and rules broken."""
    learnt: Learnt = {}
    left = scene.target & ~node.state.gone
    vanished = tuple(
        Violation("card-vanished", (PLACES[cell],), (face if isinstance(face, Card) else FACE_DOWN,))
        for cell, face in enumerate(scene.faces)
        if left >> cell & 1
    )
    odd = mismatches(scene, node.state, node.all_steps, learnt)
    broken = tuple(
        found for table, step in node.forbidden for found in _broken(scene, table, to_moves((step,), learnt)[0], game)
    )
    one_step = len(node.forbidden) == 1 and not (vanished or odd or node.steps)
    return Breach(to_moves(node.steps, learnt), broken + vanished + odd, node.state, learnt, one_step)


def _forbidden(scene: Scene, table: Table, legal: set[tuple[str, ...]]) -> Iterator[tuple[Step, Table]]:
    """Steps that are not legal but could have been made: cards that are gone taken together, any turn or redeal."""
    yield from _forbidden_removals(scene, table, legal)
    yield from _forbidden_turns(scene, table, legal)
    yield from _forbidden_redeals(scene, table)


def _forbidden_removals(scene: Scene, table: Table, legal: set[tuple[str, ...]]) -> Iterator[tuple[Step, Table]]:
    """Any two cards that are gone; one that leaves alone but lay under others, or does not, but lies on the foundation
    or shows the next one of the waste; three that make the total together."""
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
    for source in [*cells, *deep]:
        alone = isinstance(source.face, Card) and source.face.worth == scene.options.total
        if alone and (source in deep or (source.place,) not in legal):
            yield removal(table, source)
    yield from _onto_the_foundation(scene, table, cells, legal)
    yield from _off_the_waste(scene, table, legal)
    in_play = [source for source in free_cells(scene, table, scene.target) if isinstance(source.face, Card)]
    for three in combinations([*in_play, *others], 3):
        if sum(_worth(source.face) for source in three) == scene.options.total and all(_worth(s.face) for s in three):
            yield removal(table, *three)


def _onto_the_foundation(
    scene: Scene, table: Table, cells: list[Source], legal: set[tuple[str, ...]]
) -> Iterator[tuple[Step, Table]]:
    """The card that the foundation newly shows, taken there alone; where nobody had seen it also with another one."""
    shown = scene.after.foundation
    if not isinstance(shown, Card) or foundation_as_before(scene):
        return
    new = is_new(scene, table, shown)
    for source in [*cells, *piles(scene, table)]:
        unseen = not isinstance(source.face, Card)
        if (new if unseen else source.face == shown) and (source.place,) not in legal:
            step, reached = removal(table, source)
            yield replace(step, cards=(shown,)), reached
        for other in cells if unseen and new else ():
            if isinstance(other.face, Card) and not pairs_up(shown, other.face, scene.options):
                step, reached = removal(table, source, other)
                yield replace(step, cards=(shown, other.face)), reached


def _off_the_waste(scene: Scene, table: Table, legal: set[tuple[str, ...]]) -> Iterator[tuple[Step, Table]]:
    """The card on top of the waste, taken alone where the one known to lie below it shows then."""
    top, below = table.waste[-1:-3:-1] if len(table.waste) > 1 else (None, None)
    if isinstance(top, Card) and isinstance(below, Card) and below == scene.after.waste and (WASTE,) not in legal:
        yield removal(table, Source(top, WASTE))


def _worth(face: Face) -> int:
    """What a known card counts; 0 for a joker."""
    return face.worth if isinstance(face, Card) else 0


def _forbidden_turns(scene: Scene, table: Table, legal: set[tuple[str, ...]]) -> Iterator[tuple[Step, Table]]:
    """A turn while something can be removed; of fewer cards than are drawn at a time; of another card than the next
    one; and of none at all: the held card laid down."""
    options = scene.options
    if options.turn_when == "stuck":
        yield from (turn for turn in turns(scene, table) if turn[0].places not in legal)
    stock = table.stock
    if len(stock) >= options.draw:
        for size in range(1, options.draw):
            yield turned(scene, table._replace(stock=stock[size:]), stock[:size])
    shown = scene.after.turned if options.turned == "held" else scene.after.waste
    if options.draw == 1 and isinstance(shown, Card) and shown in stock[1:]:
        index = stock.index(shown, 1)
        yield turned(scene, table._replace(stock=stock[:index] + stock[index + 1 :]), (shown,))
    if isinstance(table.turned, Card):
        yield turned(scene, table, ())


def _forbidden_redeals(scene: Scene, table: Table) -> Iterator[tuple[Step, Table]]:
    """A redeal without a pass left, while something can be removed, or before the stock was gone through."""
    if can_redeal(table):
        if not (pass_left(scene, table) and scene.options.turn_when == "always"):
            yield redeal(scene, table)
    elif (table.stock or table.more == 1) and (table.waste or table.turned is not None):
        yield early_redeal(table)


def _missing_from_piles(scene: Scene, table: Table) -> list[Source]:
    """Cards known to lie within a pile, out of play, that the later look's piles no longer list."""
    after = scene.after
    listed = {*(after.stock_cards or ()), *(after.waste_cards or ()), after.turned, after.waste}
    found: list[Source] = []
    turned_over = after.waste_cards == () and after.stock is not False
    if after.waste_cards is not None and not turned_over:
        found += [Source(card, WASTE) for card in table.waste[:-1] if isinstance(card, Card) and card not in listed]
    if after.stock_cards is not None:
        found += [Source(card, STOCK) for card in table.stock if isinstance(card, Card) and card not in listed]
    return found


def _broken(scene: Scene, table: Table, move: Move, game: Game) -> tuple[Violation, ...]:
    """The rules the move breaks, as legality tells them; where that knows of none, its last card was out of play."""
    return violations(to_position(scene, table), move, game) or (
        Violation("not-in-play", move.places[-1:], move.cards[-1:]),
    )
