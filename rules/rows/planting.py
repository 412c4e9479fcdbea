"""Random play of the row family as looks at the table: legal steps, and changes that break a rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from rules.cards import GONE, Card
from rules.catalogue import Game
from rules.planted import LegalStep, Planted
from rules.rows.breaches import moved
from rules.rows.dealing import random_deal
from rules.rows.legality import legal_moves, play, violations
from rules.rows.moves import RowMove, RowMoveKind
from rules.rows.places import Stack, parse_place
from rules.rows.position import Cards, RowPosition
from rules.rows.shapes import BASES

MOST_MOVES: Final = 60

_LAST: Final = 0.1
_EMPTY: Final = 0.3
"""How often the last place, which is the cellar where there is one, and an empty row are chosen on purpose."""

Plant = Planted[RowPosition]


def legal_steps(game: Game, rng: Random) -> Iterator[LegalStep[RowPosition, RowMove]]:
    """Steps of random games without end. The later look is a picture, or where no picture shows the move, told."""
    while True:
        for before, move, after in _random_game(game, rng):
            told = move.kind in ("direction", "reverse") or (move.kind == "base" and len(move.places) == 1)
            yield LegalStep(before, move, after if told else picture(after))


def planted(game: Game, rng: Random) -> Iterator[Plant]:
    """Breaches of every kind that the table offers, in random games without end."""
    while True:
        for before, _, _ in _random_game(game, rng):
            if before.direction is None:
                continue
            yield from _misplaced(before, game, rng)
            if rng.random() < 0.1:
                yield from _odd(before, rng)
                yield from _told(before)


def picture(position: RowPosition) -> RowPosition:
    """What a picture shows: the cards, but no choice and no reversal, and of a foundation only its top."""
    return replace(position, base_cards=(None,) * BASES, direction=None, reversed=None, free_centre=None)


def _random_game(game: Game, rng: Random) -> Iterator[tuple[RowPosition, RowMove, RowPosition]]:
    position = random_deal(game, rng)
    for _ in range(MOST_MOVES):
        moves = legal_moves(position, game)
        if not moves:
            return
        move = rng.choice(moves)
        after = play(position, move, game)
        yield position, move, after
        position = after


def _misplaced(before: RowPosition, game: Game, rng: Random) -> Iterator[Plant]:
    """A card from anywhere but the foundations taken to anywhere, where that breaks a rule."""
    lying = [(place, card) for place, card in before.lying() if not place.startswith("base")]
    if not lying:
        return
    place, card = rng.choice(lying[-1:] if rng.random() < _LAST else lying)
    stacks = list(before.stacks())
    empty = [stack for stack in stacks if not before.cards_in(stack)]
    stack = rng.choice(empty if empty and rng.random() < _EMPTY else stacks)
    found = parse_place(place)
    full = stack.kind == "cellar" and before.cellar is not GONE
    if found is None or found[0] == stack or full:
        return
    cards = before.cards_in(stack) or ()
    upper = stack.kind == "column" and bool(before.reversed)
    index = 1 if upper or not cards or stack.kind == "base" else len(cards) + 1
    move = RowMove(_kind(stack, bool(cards)), (card,), (place, stack.place(index)))
    broken = violations(before, move, game)
    if broken:
        breaches = frozenset(each.breach for each in broken)
        yield Planted(before, picture(moved(before, move, game)), breaches, frozenset({card}))


def _kind(stack: Stack, filled: bool) -> RowMoveKind:
    if stack.kind == "cellar":
        return "cellar"
    if stack.kind == "base":
        return "foundation" if filled else "base"
    return "build" if filled else "fill"


def _odd(before: RowPosition, rng: Random) -> Iterator[Plant]:
    """A card gone from the end of a half row, come there, or changed into one that lies elsewhere."""
    rows = [number for number, row in enumerate(before.left) if row]
    if not rows:
        return
    number = rng.choice(rows)
    row = before.left[number]
    last = row[-1]
    gone = _with_row(before, number, row[:-1])
    yield Planted(before, picture(gone), frozenset({"card-vanished"}), frozenset({last}))
    yield Planted(gone, picture(before), frozenset({"card-appeared"}), frozenset({last}))
    others = [card for place, card in before.lying() if card not in row and not place.startswith("base")]
    inner = [card for card in others if isinstance(card, Card)]
    if inner:
        other = rng.choice(inner)
        changed = picture(_with_row(before, number, (*row[:-1], other)))
        yield Planted(before, changed, frozenset({"card-changed"}), frozenset({last, other}))


def _told(before: RowPosition) -> Iterator[Plant]:
    """A choice told otherwise than it was made."""
    other = replace(before, direction="down" if before.direction == "up" else "up")
    yield Planted(before, other, frozenset({"wrong-direction"}))
    if before.reversed:
        yield Planted(before, replace(before, reversed=False), frozenset({"already-reversed"}))


def _with_row(position: RowPosition, number: int, row: Cards) -> RowPosition:
    rows = list(position.left)
    rows[number] = row
    return replace(position, left=tuple(rows))
