"""Play of the row family as looks at the table: random legal steps, and changes that break a rule.

``KINDS`` are the breaches that two looks can show. ``wrong-count`` is none of them: cards move one by one, so only the
text of a move can name more. Breaches are planted along lines that the search plays as well: random play hardly ever
empties an auxiliary half row or leaves a card in the cellar.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from rules.cards import GONE, Card, Seen
from rules.catalogue import Game
from rules.planted import LegalStep, Planted
from rules.rows.breaches import moved
from rules.rows.dealing import random_deal
from rules.rows.foundations import base_column
from rules.rows.in_play import is_locked, playable
from rules.rows.legality import is_being_dealt, legal_moves, play, violations
from rules.rows.moves import RowMove, RowMoveKind, direction
from rules.rows.places import CELLAR, Stack, base_place, parse_place
from rules.rows.position import Cards, RowPosition
from rules.rows.search import Limits, solve
from rules.rows.shapes import BASES

MOST_MOVES: Final = 60
LINE_LIMITS: Final = Limits(None, 2000)
"""How long a line is sought: most deals are decided by then, and another line does as well."""

_LAST: Final = 0.1
_EMPTY: Final = 0.3
_PLAYABLE: Final = 0.3
"""How often the last place, which is the cellar where there is one, an empty row, and a card in play are chosen on
purpose."""
_SELDOM: Final = 0.15
"""How often breaches are planted that every position offers."""

KINDS: Final = (
    "covered",
    "not-in-play",
    "wrong-suit-or-rank",
    "wrong-direction",
    "wrong-place",
    "wrong-base",
    "base-not-chosen",
    "locked-cellar",
    "cellar-full",
    "row-stays-empty",
    "not-built-on",
    "already-reversed",
    "deal-unfinished",
    "card-appeared",
    "card-vanished",
    "card-changed",
)

Plant = Planted[RowPosition]


def legal_steps(game: Game, rng: Random) -> Iterator[LegalStep[RowPosition, RowMove]]:
    """Steps of random games without end. The later look is a picture, or where no picture shows the move, told."""
    while True:
        for before, move, after in _random_game(game, rng):
            told = move.kind in ("direction", "reverse") or (move.kind == "base" and len(move.places) == 1)
            yield LegalStep(before, move, after if told else picture(after))


def planted(game: Game, rng: Random) -> Iterator[Plant]:
    """Breaches of every kind that the table offers, in games without end, played at random or by the search in turn."""
    while True:
        deal = random_deal(game, rng)
        yield from _while_dealing(deal, game, rng)
        for steps in (_random_game(game, rng), _searched_game(deal, game, rng)):
            for before, _, _ in steps:
                if before.direction is None:
                    continue
                yield from _misplaced(before, game, rng)
                yield from _of_cellar_and_middle(before, game, rng)
                yield from _told(before, game, rng)
                if rng.random() < _SELDOM:
                    yield from _odd(before, rng)
                    yield from _from_a_foundation(before, game, rng)
                    yield from _within_a_row(before, game, rng)


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


def _searched_game(deal: RowPosition, game: Game, rng: Random) -> Iterator[tuple[RowPosition, RowMove, RowPosition]]:
    """The line that wins, or else lays the most cards; the direction is told before it where the line needs none."""
    position = deal
    moves = solve(deal, game, LINE_LIMITS, fewest=True).moves
    if not any(move.kind == "direction" for move in moves):
        moves = (direction(rng.choice(("up", "down"))), *moves)
    for move in moves:
        if violations(position, move, game):
            return
        after = play(position, move, game)
        yield position, move, after
        position = after


def _broken(before: RowPosition, move: RowMove, game: Game) -> Iterator[Plant]:
    """The move as a breach, if it breaks a rule."""
    broken = frozenset(each.breach for each in violations(before, move, game))
    if broken:
        yield Planted(before, picture(moved(before, move, game)), broken, frozenset(move.cards))


def _misplaced(before: RowPosition, game: Game, rng: Random) -> Iterator[Plant]:
    """A card from anywhere but the foundations taken to anywhere, where that breaks a rule."""
    lying = [(place, card) for place, card in before.lying() if not place.startswith("base")]
    ends = [(source.place, source.card) for source in playable(before, game)]
    if not lying or not ends:
        return
    place, card = rng.choice(lying[-1:] if rng.random() < _LAST else ends if rng.random() < _PLAYABLE else lying)
    stacks = list(before.stacks())
    empty = [stack for stack in stacks if not before.cards_in(stack)]
    stack = rng.choice(empty if empty and rng.random() < _EMPTY else stacks)
    found = parse_place(place)
    if found is not None and found[0] != stack:
        yield from _broken(before, _to_end(before, card, place, stack), game)


def _to_end(before: RowPosition, card: Seen, place: str, stack: Stack) -> RowMove:
    """The move of a card to the end of a stack at which it is played."""
    cards = before.cards_in(stack) or ()
    upper = stack.kind == "column" and bool(before.reversed)
    index = 1 if upper or not cards or stack.kind in ("base", "cellar") else len(cards) + 1
    return RowMove(_kind(stack, bool(cards)), (card,), (place, stack.place(index)))


def _of_cellar_and_middle(before: RowPosition, game: Game, rng: Random) -> Iterator[Plant]:
    """A second card into the cellar; the one there taken well, but too early; a base laid or built on too early."""
    ends = [source for source in playable(before, game) if source.place.startswith(("left", "right"))]
    if not ends:
        return
    source = rng.choice(ends)
    if isinstance(before.cellar, Card):
        if rng.random() < _SELDOM:
            yield from _broken(before, RowMove("cellar", (source.card,), (source.place, CELLAR)), game)
        if is_locked(before, game):
            for stack in before.stacks():
                for plant in _broken(before, _to_end(before, before.cellar, CELLAR, stack), game):
                    if plant.breaches == {"locked-cellar"}:
                        yield plant
    column = base_column(before, game)
    if game.row_options.bases != "centre":
        return
    taken = [end for end in ends if isinstance(end.card, Card) and end.card.suit in column.foundations]
    for row in column.empty[:1]:
        for end in taken[:1]:
            yield from _broken(before, RowMove("base", (end.card,), (end.place, base_place(row))), game)
    for suit, rows in column.undecided.items():
        for end in ends:
            move = RowMove("foundation", (end.card,), (end.place, base_place(rows[0])))
            lies_ill = bool(violations(replace(before, free_centre=None), move, game))
            if isinstance(end.card, Card) and end.card.suit == suit and lies_ill:
                yield from _broken(before, move, game)


def _from_a_foundation(before: RowPosition, game: Game, rng: Random) -> Iterator[Plant]:
    """A card taken off a foundation, to where it cannot have come from."""
    row = rng.choice(list(base_column(before, game).foundations.values()) or [1])
    card, stack = before.bases[row - 1], rng.choice([stack for stack in before.stacks() if stack.kind != "base"])
    if not isinstance(card, Card):
        return
    yield from _broken(before, _to_end(before, card, base_place(row), stack), game)


def _within_a_row(before: RowPosition, game: Game, rng: Random) -> Iterator[Plant]:
    """The outer card of a half row laid under or between the cards of another, or of its own."""
    ends = [source for source in playable(before, game) if source.stack.kind == "half"]
    if not ends:
        return
    source = rng.choice(ends)
    stack = rng.choice([stack for stack in before.stacks() if stack.kind == "half"])
    cards = before.cards_in(stack) or ()
    if len(cards) > 1 + (stack == source.stack):
        move = RowMove("build", (source.card,), (source.place, stack.place(rng.randrange(1, len(cards)))))
        yield from _broken(before, move, game)


def _while_dealing(deal: RowPosition, game: Game, rng: Random) -> Iterator[Plant]:
    """Cards moved before the last base was dealt."""
    before = replace(deal, bases=(*deal.bases[:-1], GONE), base_cards=(*deal.base_cards[:-1], None))
    if not is_being_dealt(before, game):
        return
    for _ in range(3):
        stack = rng.choice([stack for stack in before.stacks() if stack.kind == "half"])
        source = rng.choice([source for source in playable(before, game) if source.stack != stack])
        yield from _broken(before, _to_end(before, source.card, source.place, stack), game)


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


def _told(before: RowPosition, game: Game, rng: Random) -> Iterator[Plant]:
    """A choice told otherwise than it was made."""
    if rng.random() < _SELDOM:
        other = replace(before, direction="down" if before.direction == "up" else "up")
        yield Planted(before, other, frozenset({"wrong-direction"}))
        if before.reversed:
            yield Planted(before, replace(before, reversed=False), frozenset({"already-reversed"}))
        yield from _other_base(before)


def _other_base(before: RowPosition) -> Iterator[Plant]:
    """A free centre card told to be the base of its suit, where another one was chosen and has not grown."""
    for row in before.free_centre or ():
        card = before.bases[row - 1]
        for other, base in enumerate(before.base_cards, start=1):
            if (
                isinstance(card, Card)
                and base is not None
                and base == before.bases[other - 1]
                and base.suit == card.suit
            ):
                bases = tuple(
                    card if index == row else None if index == other else old
                    for index, old in enumerate(before.base_cards, start=1)
                )
                free = tuple(sorted({*(before.free_centre or ()), other} - {row}))
                after = replace(before, base_cards=bases, free_centre=free)
                yield Planted(before, after, frozenset({"wrong-base"}), frozenset({card, base}))


def _with_row(position: RowPosition, number: int, row: Cards) -> RowPosition:
    rows = list(position.left)
    rows[number] = row
    return replace(position, left=tuple(rows))
