"""The shortest ways in which legal moves lead from one look at a table to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Seen
from rules.catalogue import Game
from rules.rows.effects import after_move
from rules.rows.foundations import base_column
from rules.rows.legality import is_legal, legal_moves
from rules.rows.moves import RowMove, direction
from rules.rows.places import Stack, parse_place
from rules.rows.position import Cards, RowPosition

MOST_MOVES: Final = 4
"""Moves looked for between two looks."""
MOST_STATES: Final = 3000
"""States looked at before giving up, so that looks far apart do not cost seconds."""
MOST_ALTERNATIVES: Final = 8

Path = tuple[RowMove, ...]
_HIDDEN: Final = (FACE_DOWN, UNREADABLE)


@dataclass(frozen=True, slots=True)
class Way:
    """Legal moves, and the position they lead to."""

    moves: Path
    position: RowPosition


@dataclass(frozen=True, slots=True)
class Goal:
    """The later look, to which ways lead. ``gaps`` remembers how many cards of a stack have still to leave it."""

    look: RowPosition
    game: Game
    gaps: dict[tuple[Stack, Cards], int] = field(default_factory=dict, compare=False)

    def gap(self, stack: Stack, cards: Cards) -> int:
        """How many cards must leave the stack before it can be as the later look shows it."""
        key = (stack, cards)
        if key not in self.gaps:
            self.gaps[key] = self._gap(stack, cards)
        return self.gaps[key]

    def _gap(self, stack: Stack, cards: Cards) -> int:
        wanted = self.look.cards_in(stack)
        if wanted is None or stack.kind == "base":
            return 0
        if stack.kind == "column":
            # A column may lose cards at either end, so only those that it no longer holds must leave.
            return 0 if any(card in _HIDDEN for card in wanted) else sum(card not in wanted for card in cards)
        same = 0
        for here, there in zip(cards, wanted, strict=False):
            if not same_card(here, there):
                break
            same += 1
        return len(cards) - same

    def distance(self, position: RowPosition) -> int:
        """No fewer moves than this lead to the later look."""
        return sum(self.gap(stack, position.cards_in(stack) or ()) for stack in position.stacks())

    def distance_after(self, position: RowPosition, move: RowMove, distance: int) -> int:
        """The distance after a move, from that before it."""
        for place, gained in zip(move.places, (False, True), strict=False):
            found = parse_place(place)
            if found is None or found[0].kind == "base":
                continue
            stack, index = found
            cards = position.cards_in(stack) or ()
            changed = (
                (*cards[: index - 1], move.cards[0], *cards[index - 1 :])
                if gained
                else cards[: index - 1] + cards[index:]
            )
            distance += self.gap(stack, changed) - self.gap(stack, cards)
        return distance

    def is_reached(self, position: RowPosition) -> bool:
        """Whether the position is what the later look shows, as far as it shows anything."""
        for stack in position.stacks():
            cards, wanted = position.cards_in(stack) or (), self.look.cards_in(stack)
            if wanted is None:
                continue
            if len(cards) != len(wanted) or not all(map(same_card, cards, wanted)):
                return False
        return self._told_alike(position)

    def _told_alike(self, position: RowPosition) -> bool:
        """Whether direction, reversal and choice of bases are those told with the later look."""
        look = self.look
        if look.direction not in (None, position.direction):
            return False
        if None not in (look.reversed, position.reversed) and look.reversed != position.reversed:
            return False
        if None not in (look.free_centre, position.free_centre) and look.free_centre != position.free_centre:
            return False
        here, there = base_column(position, self.game), base_column(look, self.game)
        if position.free_centre is not None and any(
            there.foundations.get(suit) in rows for suit, rows in here.undecided.items()
        ):
            return False
        return all(there.foundations.get(suit, row) == row for suit, row in here.foundations.items())


def same_card(here: Seen, there: Seen) -> bool:
    """Whether two looks at one place may show the same card; one that cannot be read may be any."""
    return here == there or (GONE not in (here, there) and (here in _HIDDEN or there in _HIDDEN))


def legal_ways(before: RowPosition, goal: Goal, most: int = MOST_MOVES) -> list[Way]:
    """Every shortest way of at most ``most`` moves, each set of moves once; empty where none leads to the later look.

    Where the direction was not known before, a card that went to a foundation may or may not have come after its
    choice: a way with the choice follows the one without."""
    ways = _shortest(before, goal, most)
    return [*ways, *_with_choice(before, ways, goal.game, most)][:MOST_ALTERNATIVES]


def _shortest(before: RowPosition, goal: Goal, most: int) -> list[Way]:
    """Breadth first over positions; one keeps the ways to it that are not the same moves in another order."""
    layer: dict[RowPosition, list[Path]] = {before: [()]} if goal.distance(before) <= most else {}
    visited = {before}
    for made in range(most + 1):
        ways = [
            Way(moves, position) for position, paths in layer.items() if goal.is_reached(position) for moves in paths
        ]
        if ways or made == most or len(visited) > MOST_STATES:
            return ways
        layer = _next_layer(layer, goal, visited, most - made - 1)
        visited |= layer.keys()
    return []


def _next_layer(
    layer: dict[RowPosition, list[Path]], goal: Goal, visited: set[RowPosition], moves_left: int
) -> dict[RowPosition, list[Path]]:
    following: dict[RowPosition, dict[frozenset[RowMove], Path]] = {}
    for position, paths in layer.items():
        distance = goal.distance(position)
        for move in legal_moves(position, goal.game):
            if goal.distance_after(position, move, distance) > moves_left:
                continue
            reached = after_move(position, move, goal.game)
            if reached in visited:
                continue
            known = following.setdefault(reached, {})
            for path in paths[: MOST_ALTERNATIVES - len(known)]:
                known.setdefault(frozenset((*path, move)), (*path, move))
    return {position: list(paths.values()) for position, paths in following.items()}


def _with_choice(before: RowPosition, ways: list[Way], game: Game, most: int) -> list[Way]:
    """The ways that begin with the choice of the direction that they show, where it was not known."""
    found: list[Way] = []
    for way in ways:
        chosen = way.position.direction
        if before.direction is not None or chosen is None or any(move.kind == "direction" for move in way.moves):
            continue
        if len(way.moves) < most and is_legal(before, direction(chosen), game):
            found.append(Way((direction(chosen), *way.moves), way.position))
    return found
