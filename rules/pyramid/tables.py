"""Positions as the integers the compiled search works on, and its moves back as moves of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from rules.cards import Card
from rules.errors import PositionError
from rules.layouts import TURNED, WASTE, pyramid_place
from rules.options import Options
from rules.pyramid import core, relaxed
from rules.pyramid.full import FullPosition
from rules.pyramid.moves import REDEAL, Move, pair, single, turn

Array = np.ndarray[Any, Any]

_KEY_BITS: Final = 63
_LOW_BITS: Final = 9
"""Bits of a state's key, and those below the stock and the shape; see ``core``."""


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """Every set of cards a pyramid can still hold: ``free`` (shape, i) lists its free places, -1 after the last;
    ``after`` (shape, place) is the shape once that place is empty, -1 where it is not free; ``left`` counts cards;
    ``holds`` (shape, place) is 1 where a card lies."""

    number_of: dict[int, int]
    free: Array
    after: Array
    left: Array
    holds: Array

    @property
    def bits(self) -> int:
        """Bits of a shape's number."""
        return max(1, (len(self.number_of) - 1).bit_length())


@lru_cache(maxsize=32)
def shapes_from(rows: int, mask: int) -> Shapes:
    """The shapes reachable from the places of ``mask`` (bit 0 the apex); 1430 for a whole pyramid of 7 rows."""
    places = rows * (rows + 1) // 2
    covers = [_covers(row, column, rows) for row in range(rows) for column in range(row + 1)]
    number_of = {mask: 0}
    free_lists: list[list[int]] = []
    for at in _growing(number_of):
        free = [p for p in range(places) if at >> p & 1 and not at & covers[p]]
        free_lists.append(free)
        for place in free:
            number_of.setdefault(at ^ (1 << place), len(number_of))
        if len(number_of) > 1 << 16:
            raise _too_many_gaps()
    width = max(map(len, free_lists)) + 1
    free_array = np.full((len(number_of), width), -1, np.int64)
    after = np.full((len(number_of), places), -1, np.int64)
    left = np.array([at.bit_count() for at in number_of], np.int64)
    for number, (at, free) in enumerate(zip(number_of, free_lists, strict=True)):
        free_array[number, : len(free)] = free
        for place in free:
            after[number, place] = number_of[at ^ (1 << place)]
    holds = np.array([[at >> place & 1 for place in range(places)] for at in number_of], np.int64)
    return Shapes(number_of, free_array, after, left, holds)


def _growing(number_of: dict[int, int]) -> Any:
    """The keys in order, those added on the way as well."""
    known = list(number_of)
    done = 0
    while done < len(known):
        yield known[done]
        done += 1
        if len(number_of) > len(known):
            known.extend(list(number_of)[len(known) :])


def _covers(row: int, column: int, rows: int) -> int:
    """The places that lie on a place, as bits."""
    if row + 1 >= rows:
        return 0
    first = (row + 1) * (row + 2) // 2 + column
    return 3 << first


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """One full position for the core: ``key`` and ``counts`` are its start state, ``cards`` the stock sequence;
    ``worths`` packs, for each shape, how many cards of each worth it holds (3 bits each)."""

    shapes: Shapes
    rules: Array
    ranks: Array
    worths: Array
    stock: Array
    key: int
    counts: int
    cards: tuple[Card, ...]
    present: Array

    @property
    def open_key(self) -> int:
        """The start in the open game."""
        shape = self.key >> (9 + int(self.rules[relaxed.STOCK_BITS]))
        return self.counts << self.shapes.bits | shape


def task_of(start: FullPosition, options: Options) -> Task:
    """The integers of a full position; raises PositionError where it has not the game's rows."""
    if len(start.rows) != options.rows:
        raise PositionError(f"the pyramid has {len(start.rows)} rows, the game {options.rows}")
    faces = [card for row in start.rows for card in row]
    mask = sum(1 << place for place, card in enumerate(faces) if card is not None)
    held = options.turned == "held" and start.turned is not None
    lying = start.waste if start.turned is None else (*start.waste, start.turned)
    cards = (*lying, *start.stock)
    if len(cards) > 4 * options.total + options.jokers:
        most = 4 * options.total + options.jokers
        raise PositionError("more cards lie outside the pyramid than the deck has", "too-many-lie", most=most)
    shapes = shapes_from(options.rows, (1 << len(faces)) - 1)
    if mask not in shapes.number_of or shapes.bits + len(cards) + _LOW_BITS > _KEY_BITS:
        shapes = shapes_from(options.rows, mask)
    redeals = redeals_left(start, options)
    rules = _rules(options, shapes.bits, len(cards))
    rules[relaxed.IDLE] = start.stock_played is not None
    state = shapes.number_of[mask] << len(cards) | (1 << len(cards)) - 1
    key = state << _LOW_BITS | len(lying) << 3 | redeals << 1 | int(held)
    if key.bit_length() > _KEY_BITS:
        raise _too_many_gaps()
    ranks = np.array([0 if card is None else card.worth for card in faces], np.int64)
    return Task(
        shapes=shapes,
        rules=rules,
        ranks=ranks,
        worths=shapes.holds @ (1 << 3 * ranks),
        stock=np.array([card.worth for card in cards], np.int64),
        key=key,
        counts=sum(1 << 3 * card.worth for card in cards if card.worth != options.total),
        cards=cards,
        present=np.array([card is not None for card in faces]),
    )


def redeals_left(start: FullPosition, options: Options) -> int:
    """How often the waste may still be turned over, as the core counts it: 0 also where that has no limit. Where
    an idle pass ends the game, once if a card of the stock has been played."""
    if start.stock_played is not None:
        return int(start.stock_played)
    return 0 if options.passes is None else min(3, max(0, options.passes - start.pass_number))


def _rules(options: Options, shape_bits: int, stock_bits: int) -> Array:
    rules = np.zeros(relaxed.RULES_SIZE, np.int64)
    rules[relaxed.TOTAL] = options.total
    rules[relaxed.DRAW] = options.draw
    rules[relaxed.HELD] = options.turned == "held"
    rules[relaxed.ALL] = options.goal == "all"
    rules[relaxed.STUCK] = options.turn_when == "stuck"
    rules[relaxed.OVERLAP] = options.overlap
    rules[relaxed.UNLIMITED] = options.passes is None
    rules[relaxed.JOKERS] = options.jokers
    rules[relaxed.SHAPE_BITS] = shape_bits
    rules[relaxed.STOCK_BITS] = stock_bits
    return rules


class Replay:
    """Follows the core's moves from a start and names each as a move of the rules."""

    def __init__(self, start: FullPosition, task: Task, options: Options) -> None:
        self._faces = [card for row in start.rows for card in row]
        self._places = [
            pyramid_place(row, column) for row in range(1, options.rows + 1) for column in range(1, row + 1)
        ]
        self._options = options
        self._cards = task.cards
        self._lying = list(range(len(start.waste) + (start.turned is not None)))
        self._stock = list(range(len(self._lying), len(task.cards)))
        self._held = len(self._lying) - 1 if task.key & 1 else -1

    def name(self, code: int) -> Move:
        """The move of a code, played."""
        kind, first, second = code >> 16, code >> 8 & 255, code & 255
        if kind == core.TURN:
            return self._turn()
        if kind == core.REDEAL:
            self._stock, self._lying, self._held = self._lying, [], -1
            return REDEAL
        taken = sorted((self._take(item) for item in (first, second) if item != core.NOTHING), key=lambda t: t[0])
        if len(taken) == 1:
            return single(taken[0][2], taken[0][1])
        return pair(taken[0][2], taken[0][1], taken[1][2], taken[1][1])

    def _turn(self) -> Move:
        drawn, self._stock = self._stock[: self._options.draw], self._stock[self._options.draw :]
        self._lying += drawn
        held = self._options.turned == "held"
        self._held = drawn[-1] if held else -1
        return turn(tuple(self._cards[number] for number in drawn), held=held)

    def _take(self, item: int) -> tuple[int, str, Card]:
        """(order in which a pair is written, place, card); the card has left a pile afterwards."""
        if item < core.STOCK_CARD:
            card = self._faces[item]
            if card is None:
                raise AssertionError(f"the search removed an empty place {self._places[item]}")
            return item, self._places[item], card
        number = item - core.STOCK_CARD
        self._lying.remove(number)
        if number == self._held:
            self._held = -1
            return core.STOCK_CARD, TURNED, self._cards[number]
        return core.STOCK_CARD + 1, WASTE, self._cards[number]


def _too_many_gaps() -> PositionError:
    return PositionError("the pyramid has too many gaps to be searched", "too-many-gaps")
