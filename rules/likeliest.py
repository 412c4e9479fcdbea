"""The likeliest breach, for every family: the cheapest mixture of legal steps, forbidden ones and the unexplained."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Final, Protocol, TypeVar

LEGAL_COST: Final = 1
FORBIDDEN_COST: Final = 10
"""A forbidden step against a legal one: rules count as broken only where nothing legal explains a change."""
LONE_COST: Final = 14
"""A card that came, went or changed without a step: dearer than any one forbidden step that explains it."""


class Node(Protocol):
    """A state between two looks and how it came about."""

    @property
    def cost(self) -> int:
        """What its steps cost together."""

    @property
    def state(self) -> Hashable:
        """The state; of nodes with the same one only the cheapest goes on."""

    @property
    def length(self) -> int:
        """How many steps led to it."""


N = TypeVar("N", bound=Node)


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far to look: steps of one explanation, and states looked at (some hundredths of a second)."""

    steps: int
    expanded: int


def cheapest(
    start: N, unexplained: Callable[[N], int], following: Callable[[N, int], Iterable[N]], bounds: Bounds
) -> N:
    """The node that explains the later look at the least cost, what it leaves unexplained included.

    ``unexplained``: how much that is, each as dear as a card that vanished. ``following``: the nodes one step on; those
    that cost as much as its second argument are of no use."""
    numbers = count()
    heap = [(start.cost, next(numbers), start)]
    best, best_cost = start, start.cost + LONE_COST * unexplained(start)
    expanded: set[Hashable] = set()
    while heap and len(expanded) < bounds.expanded:
        cost, _, node = heappop(heap)
        if cost >= best_cost:
            break
        if node.state in expanded:
            continue
        expanded.add(node.state)
        whole_cost = cost + LONE_COST * unexplained(node)
        if whole_cost < best_cost:
            best, best_cost = node, whole_cost
        if node.length < bounds.steps:
            for further in following(node, best_cost):
                heappush(heap, (further.cost, next(numbers), further))
    return best
