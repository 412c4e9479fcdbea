"""A brute force that reads section 1 of the rules by itself: worths only, plain tuples, no cut, no shared code.

A state is (pyramid, stock, waste, held, redeals left): the pyramid by rows from the apex with None for a gap, the
stock first one drawn first, the waste bottom to top, redeals None for unlimited. The joker is worth 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

State = tuple[tuple[int | None, ...], tuple[int, ...], tuple[int, ...], int | None, int | None]


class TooManyStates(Exception):  # noqa: N818
    """The case is too large for the brute force."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The options as the rules name them."""

    total: int
    rows: int
    held: bool
    draw: int
    goal_all: bool
    stuck: bool
    overlap: bool


def fewest_left(start: State, rule: Rule, limit: int) -> int:
    """The fewest cards that can be left to remove (0: it can be won), by visiting every state there is."""
    seen = {start}
    waiting = [start]
    best = left_of(start, rule)
    while waiting and best:
        state = waiting.pop()
        best = min(best, left_of(state, rule))
        for following in successors(state, rule):
            if following not in seen:
                if len(seen) > limit:
                    raise TooManyStates
                seen.add(following)
                waiting.append(following)
    return best


def fewest_moves(start: State, rule: Rule, limit: int) -> int | None:
    """The fewest moves that win, by looking at every state that can be reached by one move, by two, and so on; None
    where it cannot be won."""
    seen, now, moves = {start}, [start], 0
    while now:
        if any(left_of(state, rule) == 0 for state in now):
            return moves
        following = {after for state in now for after in successors(state, rule)} - seen
        seen |= following
        if len(seen) > limit:
            raise TooManyStates
        now, moves = list(following), moves + 1
    return None


def left_of(state: State, rule: Rule) -> int:
    """Cards of the pyramid still there; with goal ``all`` every card."""
    pyramid, stock, waste, held, _ = state
    lying = sum(worth is not None for worth in pyramid)
    return lying + (len(stock) + len(waste) + (held is not None) if rule.goal_all else 0)


def successors(state: State, rule: Rule) -> Iterator[State]:
    """What one move can lead to."""
    removed = list(_removals(state, rule))
    yield from removed
    if rule.stuck and removed:
        return
    pyramid, stock, waste, held, redeals = state
    down = waste if held is None else (*waste, held)
    if stock and rule.held:
        yield pyramid, stock[1:], down, stock[0], redeals
    elif stock:
        yield pyramid, stock[rule.draw :], waste + stock[: rule.draw], None, redeals
    elif down and redeals != 0:
        yield pyramid, down, (), None, None if redeals is None else redeals - 1


def _removals(state: State, rule: Rule) -> Iterator[State]:
    pyramid, _, waste, held, _ = state
    in_play: list[tuple[str, int, int]] = []
    for row in range(rule.rows):
        for column in range(row + 1):
            place = _index(row, column)
            if pyramid[place] is not None and not _on_top(pyramid, row, column, rule.rows):
                in_play.append(("pyramid", place, pyramid[place] or 0))
    if held is not None:
        in_play.append(("held", 0, held))
    if waste:
        in_play.append(("waste", 0, waste[-1]))
    for thing in in_play:
        if thing[2] == rule.total:
            yield _take((thing,), state)
    for i, one in enumerate(in_play):
        for other in in_play[i + 1 :]:
            if _sum_fits(one[2], other[2], rule.total):
                yield _take((one, other), state)
    if rule.overlap:
        free = {place for kind, place, _ in in_play if kind == "pyramid"}
        for row in range(rule.rows - 1):
            for column in range(row + 1):
                worth = pyramid[_index(row, column)]
                tops = _on_top(pyramid, row, column, rule.rows)
                if worth is None or len(tops) != 1 or tops[0] not in free:
                    continue
                if _sum_fits(worth, pyramid[tops[0]] or 0, rule.total):
                    here = ("pyramid", _index(row, column), worth)
                    yield _take((here, ("pyramid", tops[0], 0)), state)


def _index(row: int, column: int) -> int:
    return sum(range(row + 1)) + column


def _on_top(pyramid: tuple[int | None, ...], row: int, column: int, rows: int) -> list[int]:
    if row == rows - 1:
        return []
    near = (_index(row + 1, column), _index(row + 1, column + 1))
    return [place for place in near if pyramid[place] is not None]


def _sum_fits(one: int, other: int, total: int) -> bool:
    if 0 in (one, other):
        return total not in (one, other)
    return one + other == total


def _take(things: tuple[tuple[str, int, int], ...], state: State) -> State:
    pyramid, stock, waste, held, redeals = state
    cells = list(pyramid)
    for kind, place, _ in things:
        if kind == "pyramid":
            cells[place] = None
        elif kind == "held":
            held = None
        else:
            waste = waste[:-1]
    return tuple(cells), stock, waste, held, redeals
