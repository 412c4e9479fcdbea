"""The likeliest ways in which legal moves lead from one look at a table to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

from rules.cards import FACE_DOWN, JOKER, Card, Seen
from rules.pyramid.match import Learnt, Match, match, named
from rules.pyramid.moves import Move, MoveKind
from rules.pyramid.scene import Face, Scene, Table
from rules.pyramid.steps import Step, legal_steps, something_to_remove

MOST_MOVES: Final = 4
"""Moves looked for between two looks, unless the cards that left and the cards turned show that there were more."""
MOST_STATES: Final = 1500
"""States looked at before giving up, so that looks far apart cost tenths of a second at most."""
MOST_ALTERNATIVES: Final = 8
MOST_PATHS: Final = 24
"""Ways to one state that are kept: more than are told, for the later look speaks against some of them."""

# Costs of what an explanation takes for true; the order of their sums was set by what a player would take for the
# likelier, and is tried by ``python -m tests.oracle_pyramid``.
MOVE_COST: Final = 2
UNSEEN_COST: Final = 3
"""A card that left without having been seen at any time: dearer than a move, for then any card may have left."""
HAND_COST: Final = 1
"""A card held in the hand, out of sight, at the earlier look or at the later one."""
HABIT_COST: Final = 5
"""A card held out of sight at one of two looks, and one lying open at the other: players do the one or the other."""
UNSHOWN_COST: Final = 1
"""Cards left, but the foundation is still empty: some players put what leaves out of sight."""
FOUNDATION_COST: Final = 100
"""The foundation shows another card than the one that left last: believed only where nothing else explains the look."""
MARGIN: Final = 3
"""Ways dearer than the likeliest by no more than one move, or one card never seen, are told beside it."""

Path = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """One way: its steps, the state they lead to, and what the later look teaches."""

    steps: Path
    table: Table
    found: Match

    @property
    def unseen_taken(self) -> int:
        """Cards that left without having been seen at any time."""
        taken = [card for step in self.steps if step.kind != "turn" for card in step.cards]
        return sum(not isinstance(card, Card) and card not in self.found.learnt for card in taken)

    @property
    def cost(self) -> int:
        """The dearer, the less likely."""
        hands = HAND_COST * self.hands + HABIT_COST * self.found.other_habit
        pile = FOUNDATION_COST * (not self.found.foundation_fits) + UNSHOWN_COST * self.found.unshown
        return MOVE_COST * len(self.steps) + UNSEEN_COST * self.unseen_taken + hands + pile

    @property
    def hands(self) -> int:
        """At how many of the two looks a card was held out of sight."""
        return self.table.from_hand + self.found.in_hand

    @property
    def turns(self) -> int:
        """Turns and redeals."""
        return sum(step.kind in ("turn", "redeal") for step in self.steps)


def legal_ways(scene: Scene, most: int = MOST_MOVES) -> list[Way]:
    """The likeliest ways (up to ``MOST_ALTERNATIVES``), best first, none of which does more than another with moves to
    spare; empty where none explains the look. most: moves looked for."""
    if scene.start.gone & ~scene.target:
        return []
    ways = _cheapest(scene, most)
    if not ways:
        return []
    ways.sort(key=lambda way: (way.cost, way.turns))
    needed = [way for way in ways if not any(_contains(way, other) for other in ways)]
    told = [way for way in needed if way.cost <= needed[0].cost + MARGIN]
    return [*told, *(() if told[0].steps else _unnoticed(scene))][:MOST_ALTERNATIVES]


def _cheapest(scene: Scene, most: int) -> list[Way]:
    """Breadth first over states until longer ways can only be dearer; a state keeps the ways to it that are not the
    same moves in another order, with the same card last on the foundation."""
    deepest = max(most, _least_moves(scene, scene.start))
    layer: dict[Table, list[Path]] = {start: [()] for start in scene.starts}
    visited, found = set(scene.starts), list[Way]()
    for depth in range(deepest + 1):
        for table, paths in layer.items():
            for steps in paths:
                fits = match(scene, table, steps)
                if fits is not None and _turned_when_allowed(scene, table, steps, fits.learnt):
                    found.append(Way(steps, table, fits))
        least = min((way.cost for way in found), default=None)
        if least is not None and MOVE_COST * (depth + 1) > least + MARGIN:
            break
        layer = _next_layer(scene, layer, visited, deepest - depth - 1)
        visited |= layer.keys()
        if len(visited) > MOST_STATES:
            break
    return found


def _turned_when_allowed(scene: Scene, reached: Table, steps: Path, learnt: Learnt) -> bool:
    """Where a card may be turned only when nothing can be removed: whether that held with the cards known later."""
    if scene.options.turn_when == "always" or not learnt:
        return True
    faces = tuple(learnt.get(face, face) if isinstance(face, int) else face for face in scene.faces)
    known = replace(scene, faces=faces)
    table = scene.starts[reached.from_hand]
    for step in steps:
        if step.kind in ("turn", "redeal") and something_to_remove(known, named(table, learnt)):
            return False
        table = next(following for other, following in legal_steps(scene, table) if other == step)
    return True


def _unnoticed(scene: Scene) -> Iterator[Way]:
    """The moves after which a table looks as before: a joker turned onto a joker is the only one."""
    if JOKER not in (scene.after.waste, scene.after.turned):
        return
    for step, table in legal_steps(scene, scene.start):
        found = match(scene, table, (step,))
        if found is not None and step.kind == "turn" and len(found.learnt) <= scene.pool[JOKER.worth]:
            yield Way((step,), table, found)


def _next_layer(
    scene: Scene, layer: dict[Table, list[Path]], visited: set[Table], moves_left: int
) -> dict[Table, list[Path]]:
    following: dict[Table, dict[object, Path]] = {}
    for table, paths in layer.items():
        for step, reached in legal_steps(scene, table):
            if reached in visited or _least_moves(scene, reached) > moves_left:
                continue
            known = following.setdefault(reached, {})
            for path in paths:
                longer = (*path, step)
                if len(known) < MOST_PATHS:
                    known.setdefault(_regardless_of_order(longer), longer)
    return {table: list(paths.values()) for table, paths in following.items()}


def _regardless_of_order(path: Path) -> object:
    """The same for ways with the same moves, the same of them last to the foundation."""
    last = next((step for step in reversed(path) if step.kind in ("pair", "single")), None)
    return last, tuple(sorted(path, key=lambda step: (step.kind, step.places, str(step.cards))))


def _contains(way: Way, other: Way) -> bool:
    """Whether a way is another one and moves besides; which cards were turned makes no difference."""
    if len(other.steps) >= len(way.steps) or other.hands > way.hands:
        return False
    if other.found.foundation_fits < way.found.foundation_fits or other.unseen_taken > way.unseen_taken:
        return False
    return Counter(_outline(other)) < Counter(_outline(way))


def _outline(way: Way) -> Iterator[tuple[object, ...]]:
    for step in way.steps:
        cards = frozenset(face_seen(card, way.found.learnt) for card in step.cards)
        yield (step.kind, step.places if step.kind in ("turn", "redeal") else (frozenset(step.places), cards))


def _least_moves(scene: Scene, table: Table) -> int:
    """No fewer moves than this can lead to the later look: pairs for what has gone, turns for what was turned."""
    removals = ((scene.target & ~table.gone).bit_count() + 1) // 2
    count = scene.after.stock_count
    if count is None or table.more or count > len(table.stock):
        return removals
    return removals + -(-(len(table.stock) - count) // scene.options.draw)


def to_moves(steps: Sequence[Step], learnt: dict[int, Card]) -> tuple[Move, ...]:
    """The steps as moves, tokens by the cards they turned out to be, or ``??``."""
    return tuple(
        Move(cast(MoveKind, step.kind), tuple(face_seen(card, learnt) for card in step.cards), step.places)
        for step in steps
    )


def face_seen(face: Face, learnt: dict[int, Card]) -> Seen:
    """The card of a face, as far as it is known."""
    return face if isinstance(face, Card) else learnt.get(face, FACE_DOWN)


def distinct(ways: Sequence[Way]) -> Iterator[tuple[Move, ...]]:
    """The moves of each way, each set of moves once."""
    seen: set[frozenset[Move]] = set()
    for way in ways:
        moves = to_moves(way.steps, way.found.learnt)
        if frozenset(moves) not in seen:
            seen.add(frozenset(moves))
            yield moves
