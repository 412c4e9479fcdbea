"""What is in play in the row family: the cards that may be taken, and the ends and gaps that may take them.

Source: the Polish texts "Arcydzieło", "Piwnica" and "Ulubiony".
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.cards import Card, Rank, Seen
from rules.catalogue import Game
from rules.rows.foundations import Column, base_column
from rules.rows.options import RowOptions
from rules.rows.places import SIDES, Stack, parse_place
from rules.rows.position import RowPosition


@dataclass(frozen=True, slots=True)
class Source:
    """A card in play: its stack, its place there, and its face."""

    stack: Stack
    place: str
    card: Seen


def playable(position: RowPosition, game: Game) -> tuple[Source, ...]:
    """Every card in play: the outer card of each half row, the playable end of each column, the cellar once it is open,
    free centre cards. Where it is not known whether the columns have been reversed, both ends count."""
    found: list[Source] = []
    for stack in position.stacks():
        cards = position.cards_in(stack)
        if not cards or stack.kind == "base" or (stack.kind == "cellar" and is_locked(position, game)):
            continue
        for index in playable_indices(position, stack):
            found.append(Source(stack, stack.place(index), cards[index - 1]))
    column = base_column(position, game)
    for row in sorted({*column.free, *open_choices(position, column)}):
        stack = Stack("base", None, row)
        found.append(Source(stack, stack.place(1), position.bases[row - 1]))
    return tuple(found)


def playable_indices(position: RowPosition, stack: Stack) -> tuple[int, ...]:
    """The indices, from 1, of the cards of a half row, column or cellar that are at its playable end."""
    count = len(position.cards_in(stack) or ())
    if count == 0:
        return ()
    if stack.kind != "column" or position.reversed is False:
        return (count,)
    if position.reversed:
        return (1,)
    return (count,) if count == 1 else (count, 1)


def before_it(position: RowPosition, place: str) -> tuple[str, ...]:
    """The place of the next card towards the playable end of its half row or column; none where it is at an end."""
    found = parse_place(place)
    if found is None or found[0].kind not in ("half", "column"):
        return ()
    stack, index = found
    ends = playable_indices(position, stack)
    if index in ends or index > len(position.cards_in(stack) or ()):
        return ()
    return (stack.place(index + (1 if ends[0] > index else -1)),)


def is_locked(position: RowPosition, game: Game) -> bool:
    """Whether the cellar holds its card: until at least one auxiliary half row is completely gone."""
    shape = game.row_options.shape
    return not any(not position.half_rows(side)[shape.rows - 1] for side in SIDES if position.row_count >= shape.rows)


def open_choices(position: RowPosition, column: Column) -> list[int]:
    """Centre cards that may be free ones: not chosen as far as is known, where that may have happened unseen."""
    if position.free_centre is not None:
        return []
    return [row for rows in column.undecided.values() for row in rows]


def ends(position: RowPosition, options: RowOptions) -> list[tuple[Stack, str, Seen]]:
    """Every playable end that may be built on: the stack, the place of a card built there, and the card."""
    found: list[tuple[Stack, str, Seen]] = []
    for stack in position.stacks():
        cards = position.cards_in(stack)
        if not cards or not takes_builds(stack, options):
            continue
        found += [(stack, stack.place(at), cards[index - 1]) for at, index in joining(position, stack).items()]
    return found


def joining(position: RowPosition, stack: Stack) -> dict[int, int]:
    """Where a card may come to lie that is put to a stack, from 1, and the index of the playable card it lies on then:
    where it is not known whether the columns have been reversed, at either end of one."""
    count = len(position.cards_in(stack) or ())
    upper = {1: 1} if stack.kind == "column" and position.reversed is not False else {}
    lower = {} if stack.kind == "column" and position.reversed else {count + 1: count}
    return upper | lower if count else {}


def takes_builds(stack: Stack, options: RowOptions) -> bool:
    if stack.kind == "column":
        return options.build_on_columns
    return stack.kind == "half" and (options.build_on_auxiliary or not options.shape.is_auxiliary(stack.row))


def fillable(position: RowPosition, options: RowOptions) -> list[Stack]:
    """The empty half rows that take any playable card."""
    return [
        stack
        for stack in position.stacks()
        if stack.kind == "half" and not position.cards_in(stack) and may_be_filled(stack, options)
    ]


def may_be_filled(stack: Stack, options: RowOptions) -> bool:
    return stack.kind == "half" and (options.refill_auxiliary or not options.shape.is_auxiliary(stack.row))


def next_to(card: Seen, other: Seen, options: RowOptions) -> bool:
    """Same suit and ranks one apart; king and ace only where building goes round the corner. True where not known."""
    if not isinstance(card, Card) or not isinstance(other, Card):
        return True
    apart = abs(card.worth - other.worth)
    return card.suit == other.suit and (apart == 1 or (options.round_the_corner and apart == Rank.KING - Rank.ACE))
