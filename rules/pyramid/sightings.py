"""How states of knowledge follow on each other: the moves of a player, and what then turns up.

A card is seen when it is turned, when nothing lies on it any more, and when it comes to lie on top of the waste.
Whether the stock still holds cards is always seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rules.catalogue import Game
from rules.pyramid.sight import FACING, HIDDEN, MORE, NONE, Departed, Sight

HELD: Final = -1
WASTE: Final = -2
"""Where a card is taken from, if not from a place of the pyramid by its number."""

_SEEN_WITH_ONE_TURN: Final = 3

Ways = tuple[Sight, ...]
"""What one move may lead to, as far as a player can tell before."""


class Sightings:
    """Moves and what turns up, under one game's rules."""

    def __init__(self, game: Game, departed: Departed) -> None:
        options = game.options
        self._departed = departed
        self.total, self.draw, self.laid = options.total, options.draw, options.turned == "laid"
        self.stuck, self.overlap = options.turn_when == "stuck", options.overlap
        self.limited = options.passes is not None
        self.idle_ends = game.ends_after_idle_pass
        size = options.rows
        start = [row * (row + 1) // 2 for row in range(size + 1)]
        self.covers: list[tuple[int, ...]] = []
        for row in range(size):
            for column in range(row + 1):
                below = start[row + 1] + column
                self.covers.append((below, below + 1) if row + 1 < size else ())

    def settled(self, sight: Sight) -> Iterator[Sight]:
        """The state once everything that can be seen is seen, in each way that it may turn out; those that help least
        come first."""
        waiting = [sight] if self._departed.fits(sight) else []
        while waiting:
            now = waiting.pop()
            ways = self._next_sighting(now)
            if ways is None:
                yield now
            else:
                waiting += filter(self._departed.fits, ways)

    def _next_sighting(self, sight: Sight) -> list[Sight] | None:
        """The ways in which the next thing to be seen may turn out, the least helpful last; None: nothing is."""
        waste = sight.waste
        for at in range(max(0, len(waste) - _SEEN_WITH_ONE_TURN), len(waste)):
            if waste[at] == FACING:
                return [now._replace(waste=(*waste[:at], w, *waste[at + 1 :])) for now, w in self._revealed(sight)]
        if waste and waste[-1] == HIDDEN:
            return [now._replace(waste=(*waste[:-1], worth)) for now, worth in self._revealed(sight)]
        if waste and waste[-1] == MORE:
            return [sight._replace(waste=(*waste, HIDDEN)), sight._replace(waste=waste[:-1])]
        if sight.held in (HIDDEN, FACING):
            return [now._replace(held=worth) for now, worth in self._revealed(sight)]
        if sight.held == MORE:
            return [sight._replace(held=HIDDEN), sight._replace(held=NONE)]
        if sight.stock == (MORE,):
            return [sight._replace(stock=(HIDDEN, MORE)), sight._replace(stock=())]
        if HIDDEN in sight.pyramid:
            for cell, face in enumerate(sight.pyramid):
                if face == HIDDEN and self._is_free(sight.pyramid, cell):
                    return [
                        now._replace(pyramid=_with(sight.pyramid, cell, worth)) for now, worth in self._revealed(sight)
                    ]
        return None

    def _revealed(self, sight: Sight) -> Iterator[tuple[Sight, int]]:
        """The state less one unseen card, for each worth that it may have; with unlimited passes a card first seen is
        worth another pass."""
        redeals = sight.redeals if self.limited or self.idle_ends else 1
        for worth, count in enumerate(sight.unseen):
            if count:
                yield sight._replace(unseen=_with(sight.unseen, worth, count - 1), redeals=redeals), worth

    def _is_free(self, pyramid: tuple[int, ...], cell: int) -> bool:
        return all(pyramid[below] == NONE for below in self.covers[cell])

    def free_cells(self, pyramid: tuple[int, ...]) -> list[int]:
        """The free cards of the pyramid, from the apex."""
        return [
            cell
            for cell, below in enumerate(self.covers)
            if pyramid[cell] != NONE and (not below or (pyramid[below[0]] == NONE and pyramid[below[1]] == NONE))
        ]

    def leave_together(self, first: int, second: int) -> bool:
        """Whether two worths leave together; 0 is the joker."""
        if first == 0 or second == 0:
            return self.total not in (first, second)
        return first + second == self.total

    def moves(self, sight: Sight, *, guessing: bool = False) -> list[Ways]:
        """What the moves of a settled state lead to, before anything new is seen: ``Ways`` each. A free king
        alone, where it never hurts to take it. ``guessing``: a face-down card may also leave with the one card that
        covers it, unseen."""
        free = self.free_cells(sight.pyramid)
        moves: list[Ways] = [(after,) for after in self.removals(sight, free)]
        if not (self.stuck and moves):
            moves += [ways for ways in (self.turns(sight), self.redeals(sight)) if ways]
        if guessing and self.overlap and HIDDEN in sight.pyramid:
            moves += [(after,) for after in self._guessed(sight, free)]
        return moves

    def removals(self, sight: Sight, free: list[int]) -> list[Sight]:
        """What the removals lead to, the free cards of the pyramid being known."""
        pyramid, total = sight.pyramid, self.total
        for cell in free:
            if pyramid[cell] == total:
                return [self.less(sight, cell)]
        found: list[Sight] = []
        piles = [place for place, there in ((HELD, sight.held != NONE), (WASTE, bool(sight.waste))) if there]
        for place in piles:
            worth = sight.held if place == HELD else sight.waste[-1]
            if worth == total:
                if self.draw == 1:
                    return [self.less(sight, place)]
                found.append(self.less(sight, place))
            found += [self.less(sight, cell, place) for cell in free if self.leave_together(pyramid[cell], worth)]
        if len(piles) > 1 and self.leave_together(sight.held, sight.waste[-1]):
            found.append(self.less(sight, HELD, WASTE))
        for number, cell in enumerate(free):
            for other in free[number + 1 :]:
                if self.leave_together(pyramid[cell], pyramid[other]):
                    found.append(self.less(sight, cell, other))
        if self.overlap:
            found += self._overlapping(sight, free)
        return found

    def can_remove(self, sight: Sight) -> bool:
        """Whether a card that is seen can leave."""
        return bool(self.removals(sight, self.free_cells(sight.pyramid)))

    def _covered_once(self, pyramid: tuple[int, ...], free: list[int]) -> Iterator[tuple[int, int]]:
        """Cards on which one free card lies, each with that one."""
        for cell, below in enumerate(self.covers):
            left = [cover for cover in below if pyramid[cover] != NONE]
            if pyramid[cell] != NONE and len(left) == 1 and left[0] in free:
                yield cell, left[0]

    def _overlapping(self, sight: Sight, free: list[int]) -> list[Sight]:
        pyramid = sight.pyramid
        return [
            self.less(sight, cell, cover)
            for cell, cover in self._covered_once(pyramid, free)
            if pyramid[cell] != HIDDEN and self.leave_together(pyramid[cell], pyramid[cover])
        ]

    def _guessed(self, sight: Sight, free: list[int]) -> list[Sight]:
        pyramid = sight.pyramid
        found = [
            self.less(now, cell, cover)
            for cell, cover in self._covered_once(pyramid, free)
            if pyramid[cell] == HIDDEN
            for now, worth in self._revealed(sight)
            if self.leave_together(worth, pyramid[cover])
        ]
        return [after for after in found if self._departed.fits(after)]

    def less(self, sight: Sight, *places: int) -> Sight:
        """The state without the cards at those places."""
        pyramid, waste, held, redeals = sight.pyramid, sight.waste, sight.held, sight.redeals
        for place in places:
            if place == HELD:
                held = NONE
            elif place == WASTE:
                waste = waste[:-1]
            else:
                pyramid = _with(pyramid, place, NONE)
            if not self.limited and (place < 0 or not self.idle_ends):
                redeals = 1
        return Sight(pyramid, sight.stock, waste, held, redeals, sight.unseen)

    def turns(self, sight: Sight) -> Ways:
        """What a turn leads to, none where the stock is empty. There are several ways where it is not known how many
        cards lie before those known."""
        return tuple(self._after_turn(sight, drawn, rest) for drawn, rest in _drawn(sight.stock, self.draw) if drawn)

    def _after_turn(self, sight: Sight, drawn: tuple[int, ...], rest: tuple[int, ...]) -> Sight:
        facing = tuple(FACING if token == HIDDEN else token for token in drawn)
        if self.laid:
            return sight._replace(stock=rest, waste=sight.waste + facing)
        down = sight.waste if sight.held == NONE else (*sight.waste, sight.held)
        return sight._replace(stock=rest, waste=down, held=facing[0])

    def redeals(self, sight: Sight) -> Ways:
        """What turning the waste over leads to; none where that is not allowed."""
        down = sight.waste if sight.held == NONE else (*sight.waste, sight.held)
        if sight.stock or not down or not sight.redeals:
            return ()
        return (Sight(sight.pyramid, down, (), NONE, sight.redeals - 1, sight.unseen),)


def _drawn(stock: tuple[int, ...], count: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The next cards of a stock and the rest, in each way that fits what is known of it."""
    if not count or not stock:
        yield (), stock
        return
    if stock[0] == MORE:
        yield from _drawn(stock[1:], count)
        stock = (HIDDEN, *stock)
    for drawn, rest in _drawn(stock[1:], count - 1):
        yield (stock[0], *drawn), rest


def _with(cells: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*cells[:at], value, *cells[at + 1 :])
