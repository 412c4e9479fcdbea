"""A brute force that reads section 2 of the rules by itself: suits and ranks, plain tuples, no cut, no shared code.

A card is (suit, rank), ranks from 0. A state is (rows, columns, centre, cellar, piles, reversed): rows main then
auxiliary, each with its playable card last; columns from the top; free centre cards; the cellar's card or None; for
each suit (base, height), base None where it has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

Card = tuple[int, int]
Row = tuple[Card, ...]
Pile = tuple[int | None, int]
State = tuple[tuple[Row, ...], tuple[Row, ...], tuple[Card, ...], Card | None, tuple[Pile, ...], bool]


class TooManyStates(Exception):  # noqa: N818
    """The case is too large for the brute force."""


@dataclass(frozen=True, slots=True)
class RowRule:
    """The rules of one cut-down game. ``main``: how many rows are main ones; the others are auxiliary."""

    ranks: int
    main: int
    up: bool
    corner: bool
    cellar: bool
    refill_auxiliary: bool
    build_on_auxiliary: bool
    build_on_columns: bool


def most_laid(start: State, rule: RowRule, limit: int) -> int:
    """Most cards that can come to lie on the foundations, by visiting every state there is."""
    seen = {start}
    waiting = [start]
    best = 0
    while waiting and best < 4 * rule.ranks:
        state = waiting.pop()
        best = max(best, sum(height for _, height in state[4]))
        for following in successors(state, rule):
            if following not in seen:
                if len(seen) > limit:
                    raise TooManyStates
                seen.add(following)
                waiting.append(following)
    return best


def fewest_moves(start: State, rule: RowRule, limit: int) -> int | None:
    """The fewest moves that win, by looking at every state that can be reached by one move, by two, and so on; None
    where it cannot be won."""
    seen, now, moves = {start}, [start], 0
    while now:
        if any(sum(height for _, height in state[4]) == 4 * rule.ranks for state in now):
            return moves
        following = {_in_order(after, rule) for state in now for after in successors(state, rule)} - seen
        seen |= following
        if len(seen) > limit:
            raise TooManyStates
        now, moves = list(following), moves + 1
    return None


def _in_order(state: State, rule: RowRule) -> State:
    """The state with its main and its auxiliary rows each in an order of their own: rows of a kind are alike."""
    rows = (*sorted(state[0][: rule.main]), *sorted(state[0][rule.main :]))
    return (rows, *state[1:])


def successors(state: State, rule: RowRule) -> Iterator[State]:
    """What one move can lead to."""
    rows, columns, centre, cellar, piles, turned = state
    for number, row in enumerate(rows):
        if row:
            left = (_put(rows, number, row[:-1]), columns, centre, cellar, piles, turned)
            yield from _landings(row[-1], left, rule, ("row", number))
    for number, column in enumerate(columns):
        if column:
            card, rest = (column[0], column[1:]) if turned else (column[-1], column[:-1])
            left = (rows, _put(columns, number, rest), centre, cellar, piles, turned)
            yield from _landings(card, left, rule, ("column", number))
    for card in centre:
        left = (rows, columns, tuple(c for c in centre if c != card), cellar, piles, turned)
        yield from _landings(card, left, rule, ("centre", 0))
    if cellar is not None and any(not row for row in rows[rule.main :]):
        yield from _landings(cellar, (rows, columns, centre, None, piles, turned), rule, ("cellar", 0))
    if columns and not turned:
        yield (rows, columns, centre, cellar, piles, True)


def _landings(card: Card, left: State, rule: RowRule, source: tuple[str, int]) -> Iterator[State]:
    """Every state in which the card taken has come to lie somewhere other than where it was."""
    rows, columns, centre, cellar, piles, turned = left
    suit, rank = card
    base, height = piles[suit]
    if base is None:
        if sum(pile[0] is None for pile in piles) > len(centre):
            yield (rows, columns, centre, cellar, _put(piles, suit, (rank, 1)), turned)
    elif height < rule.ranks and rank == (base + height * (1 if rule.up else -1)) % rule.ranks:
        yield (rows, columns, centre, cellar, _put(piles, suit, (base, height + 1)), turned)
    for number, row in enumerate(rows):
        if source == ("row", number):
            continue
        auxiliary = number >= rule.main
        if row and (rule.build_on_auxiliary or not auxiliary) and _neighbours(card, row[-1], rule):
            yield (_put(rows, number, (*row, card)), columns, centre, cellar, piles, turned)
        if not row and (rule.refill_auxiliary or not auxiliary):
            yield (_put(rows, number, (card,)), columns, centre, cellar, piles, turned)
    if rule.build_on_columns:
        for number, column in enumerate(columns):
            if source == ("column", number) or not column:
                continue
            if _neighbours(card, column[0] if turned else column[-1], rule):
                longer = (card, *column) if turned else (*column, card)
                yield (rows, _put(columns, number, longer), centre, cellar, piles, turned)
    if rule.cellar and cellar is None and source[0] != "cellar":
        yield (rows, columns, centre, card, piles, turned)


def _neighbours(card: Card, other: Card, rule: RowRule) -> bool:
    gap = abs(card[1] - other[1])
    return card[0] == other[0] and (gap == 1 or (rule.corner and gap == rule.ranks - 1))


def _put(things: tuple, number: int, thing: object) -> tuple:  # type: ignore[type-arg]
    return (*things[:number], thing, *things[number + 1 :])
