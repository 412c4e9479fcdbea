"""The shortest ways in which legal moves lead from one look at a table to the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, cast

from rules.cards import FACE_DOWN, JOKER, Card, Seen
from rules.pyramid.match import Match, match
from rules.pyramid.moves import Move, MoveKind
from rules.pyramid.scene import Face, Scene, Table
from rules.pyramid.steps import Step, legal_steps

MOST_MOVES: Final = 4
"""Moves looked for between two looks, unless the cards that left and the cards turned show that there were more."""
MOST_STATES: Final = 1500
"""States looked at before giving up, so that looks far apart cost tenths of a second at most."""
MOST_ALTERNATIVES: Final = 8

Path = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """One way: its steps, the state they lead to, and what the later look teaches."""

    steps: Path
    table: Table
    found: Match


def legal_ways(scene: Scene) -> list[Way]:
    """Every shortest way (up to ``MOST_ALTERNATIVES``), the likeliest first; empty where none explains the look."""
    if scene.start.gone & ~scene.target:
        return []
    ways = sorted(_shortest(scene, in_hand=False), key=_likelihood)
    if scene.options.turned == "held" and (not ways or unseen_taken(ways[0])):
        hidden = sorted(_shortest(scene, in_hand=True), key=_likelihood)
        if hidden and (not ways or not unseen_taken(hidden[0])):
            ways = hidden
    return ways[:MOST_ALTERNATIVES]


def _shortest(scene: Scene, *, in_hand: bool) -> list[Way]:
    """Breadth first over states; a state keeps the ways to it that are not the same moves in another order.

    Ways that the foundation speaks against are returned only where no longer one fits it."""
    deepest = max(MOST_MOVES, _least_moves(scene, scene.start))
    layer: dict[Table, list[Path]] = {scene.start: [()]}
    visited, first = {scene.start}, list[Way]()
    for depth in range(deepest + 1):
        ways = [
            Way(steps, table, found)
            for table, paths in layer.items()
            for steps in paths
            if (found := match(scene, table, steps, in_hand=in_hand)) is not None
        ]
        if any(way.found.foundation_fits for way in ways):
            return ways if depth else [*ways, *_unnoticed(scene, in_hand=in_hand)]
        first = first or ways
        layer = _next_layer(scene, layer, visited, deepest - depth - 1)
        visited |= layer.keys()
        if len(visited) > MOST_STATES:
            break
    return first


def _unnoticed(scene: Scene, *, in_hand: bool) -> Iterator[Way]:
    """The moves after which a table looks as before: a joker turned onto a joker is the only one."""
    if JOKER not in (scene.after.waste, scene.after.turned):
        return
    for step, table in legal_steps(scene, scene.start):
        found = match(scene, table, (step,), in_hand=in_hand)
        if found is not None and step.kind == "turn" and len(found.learnt) <= scene.pool[JOKER.worth]:
            yield Way((step,), table, found)


def _next_layer(
    scene: Scene, layer: dict[Table, list[Path]], visited: set[Table], moves_left: int
) -> dict[Table, list[Path]]:
    following: dict[Table, dict[tuple[Step, ...], Path]] = {}
    for table, paths in layer.items():
        for step, reached in legal_steps(scene, table):
            if reached in visited or _least_moves(scene, reached) > moves_left:
                continue
            known = following.setdefault(reached, {})
            for path in paths:
                longer = (*path, step)
                if len(known) < MOST_ALTERNATIVES:
                    known.setdefault(_regardless_of_order(longer), longer)
    return {table: list(paths.values()) for table, paths in following.items()}


def _regardless_of_order(path: Path) -> tuple[Step, ...]:
    return tuple(sorted(path, key=lambda step: (step.kind, step.places, str(step.cards))))


def _least_moves(scene: Scene, table: Table) -> int:
    """No fewer moves than this can lead to the later look: pairs for what has gone, turns for what was turned."""
    removals = ((scene.target & ~table.gone).bit_count() + 1) // 2
    count = scene.after.stock_count
    if count is None or table.more or count > len(table.stock):
        return removals
    return removals + -(-(len(table.stock) - count) // scene.options.draw)


def _likelihood(way: Way) -> tuple[bool, int, int]:
    """Ways whose last cards lie on the foundation first, then those with the fewest cards that stay unknown."""
    turns = sum(step.kind in ("turn", "redeal") for step in way.steps)
    return (not way.found.foundation_fits, unseen_taken(way), turns)


def unseen_taken(way: Way) -> int:
    """Cards that left without having been seen at any time."""
    taken = [card for step in way.steps if step.kind != "turn" for card in step.cards]
    return sum(not isinstance(card, Card) and card not in way.found.learnt for card in taken)


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
