"""The referee of the row family: which moves, if any, lead from one look to the next, and which rules were broken.

All cards lie face up, so a look shows nearly all; what it cannot show (the direction, a reversal, which centre card is
a base) is kept from the looks before. Cards put back are moves undone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations

from rules.cards import GONE, UNREADABLE, Card
from rules.catalogue import Game
from rules.errors import PositionError
from rules.rows.another import table_change
from rules.rows.breaches import likeliest_breach
from rules.rows.complete import complete
from rules.rows.dealing import fresh
from rules.rows.dealt import dealt_on
from rules.rows.faults import refuse_foreign
from rules.rows.foundations import base_column
from rules.rows.moves import RowMove
from rules.rows.places import CELLAR, base_place
from rules.rows.position import Cards, RowPosition
from rules.rows.ways import MOST_MOVES, Goal, legal_ways, same_card
from rules.story import Explanation, tell
from rules.violation import Violation

Told = Explanation[RowPosition, RowMove]
MOST_GUESSES = 6
"""Ways tried in which cards that the earlier look could not read may have lain."""


def explain(before: RowPosition, after: RowPosition, game: Game) -> Told:
    """What leads from one look to the next; raises PositionError where their rows are not the game's, or a card is not
    in its deck.

    Two looks alone never tell that moves were taken back: where a card lies against the rules it may have lain before,
    but only earlier looks can say so (see ``explain_game``), and nothing comes back from a foundation."""
    found = by_moves(before, after, game)
    if found is not None:
        return found
    before = _with_unseen(complete(dealt_on(before, after, game), game), after, game)
    contradicted, look = _as_told(before, after, game)
    change = table_change(before, after, game)
    if change != "same":
        return Explanation((), (), (), _alone(after, game, fresh_deal=change == "new-deal"), table=change)
    breach = likeliest_breach(before, Goal(look, game))
    position = _as_seen(_merged(breach.position, look), look)
    return Explanation(breach.moves, (), (*contradicted, *breach.violations), position)


def by_moves(before: RowPosition, after: RowPosition, game: Game, *, hidden: int = 0) -> Told | None:
    """The same where legal moves lead from one look to the next, or nothing; else None, at a small part of the cost.
    hidden: looks in between at which nothing was seen, each of which may have hidden a move."""
    for position in (before, after):
        check_rows(position, game)
        refuse_foreign(position, game)
    shown = dict(before.lying())
    before = _with_unseen(complete(dealt_on(before, after, game), game), after, game)
    contradicted, look = _as_told(before, after, game)
    goal = Goal(look, game)
    for start in _readings(before, look):
        ways = legal_ways(start, goal, MOST_MOVES + hidden)
        if ways:
            first, *others = ways
            position = _merged(first.position, look)
            return Explanation(first.moves, tuple(way.moves for way in others), contradicted, position)
    if not contradicted and shown == dict(look.lying()):
        # What lies against the rules, and stays, is nothing new.
        return Explanation((), (), (), _merged(before, look))
    return None


def _as_seen(reached: RowPosition, look: RowPosition) -> RowPosition:
    """The state reached with what no move explains: cards that came from nowhere, vanished or became other ones."""
    for stack in dict.fromkeys((*reached.stacks(), *look.stacks())):
        here, there = reached.cards_in(stack) or (), look.cards_in(stack)
        if there is None or (len(here) == len(there) and all(map(same_card, here, there))):
            continue
        known = (*here, *[UNREADABLE] * len(there))
        cards = tuple(new if isinstance(new, Card) else old for old, new in zip(known, there, strict=False))
        reached = reached.with_cards(stack, cards)
    return reached


def _as_told(before: RowPosition, after: RowPosition, game: Game) -> tuple[tuple[Violation, ...], RowPosition]:
    """What is told with the later look and cannot be, and that look without it."""
    contradicted = _contradicted(before, after, game)
    return contradicted, replace(after, direction=None, reversed=None, free_centre=None) if contradicted else after


def explain_game(positions: Iterable[RowPosition], game: Game) -> Told:
    """A whole game, look by look. A look that no legal move explains is reported and does not lose the game so far:
    the next one is compared with the last good look first, then with the odd one."""

    def between(before: RowPosition, after: RowPosition, *, undo: bool = True) -> Told:
        return explain(before, after, game)

    return tell(positions, between)


def check_rows(position: RowPosition, game: Game) -> None:
    """Raise PositionError where the position has not the half rows of the game."""
    rows = game.row_options.shape.rows
    if position.row_count != rows:
        said = f"{game.id} has {rows} half rows a side, the position has {position.row_count}"
        raise PositionError(said, "half-row-count", game=game.id, rows=rows, given=position.row_count)


def _with_unseen(before: RowPosition, after: RowPosition, game: Game) -> RowPosition:
    """The earlier look with columns and cellar that only the later one shows, as far as nothing else is known."""
    options = game.row_options
    if options.shape.column:
        left = after.left_column if before.left_column is None else before.left_column
        right = after.right_column if before.right_column is None else before.right_column
        before = replace(before, left_column=left, right_column=right)
    if options.cellar and before.cellar is None and after.cellar is not None:
        lay_elsewhere = any(card == after.cellar for _, card in before.lying())
        before = replace(before, cellar=GONE if lay_elsewhere else after.cellar)
    return before


def _contradicted(before: RowPosition, after: RowPosition, game: Game) -> tuple[Violation, ...]:
    """What is told with the later look and cannot be after what was told with the earlier one."""
    found: list[Violation] = []
    if None not in (before.direction, after.direction) and before.direction != after.direction:
        found.append(Violation("wrong-direction"))
    if before.reversed and after.reversed is False:
        found.append(Violation("already-reversed", tuple(place for place, _ in after.lying() if " column " in place)))
    column = base_column(before, game)
    for other in column.free:
        card = before.bases[other - 1]
        no_free_one = after.free_centre is not None and other not in after.free_centre
        told = no_free_one or after.base_cards[other - 1] is not None
        row = column.foundations.get(card.suit) if isinstance(card, Card) and card.suit else None
        if row is not None and told and after.bases[other - 1] == card:
            places = (base_place(row), base_place(other))
            found.append(Violation("wrong-base", places, tuple(after.look(place) or GONE for place in places)))
    return tuple(found)


def _readings(before: RowPosition, after: RowPosition) -> Iterator[RowPosition]:
    """The earlier look with its cards that could not be read named by the later one: by what lies at the same place,
    else by the cards that show only later, in every order (as far as there are few)."""
    seen = {card for _, card in before.lying() if isinstance(card, Card)}
    hidden = [place for place, card in before.lying() if not isinstance(card, Card)]
    named: dict[str, Card] = {}
    for place in hidden:
        card = after.look(place)
        if isinstance(card, Card) and card not in seen:
            named[place] = card
    rest = [place for place in hidden if place not in named]
    new = [
        card for _, card in after.lying() if isinstance(card, Card) and card not in seen and card not in named.values()
    ]
    if not rest or len(new) < len(rest):
        yield _naming(before, named)
        return
    for number, cards in enumerate(permutations(new, len(rest))):
        if number == MOST_GUESSES:
            return
        yield _naming(before, named | dict(zip(rest, cards, strict=True)))


def _naming(position: RowPosition, named: dict[str, Card]) -> RowPosition:
    """The position with cards named at places where they could not be read."""

    def cards_of(places: Iterable[str], cards: Cards) -> Cards:
        return tuple(named.get(place, card) for place, card in zip(places, cards, strict=True))

    def row_of(name: str, cards: Cards) -> Cards:
        return cards_of([f"{name} {index}" for index in range(1, len(cards) + 1)], cards)

    if not named:
        return position
    columns = [
        None if column is None else row_of(f"{side} column", column)
        for side, column in (("left", position.left_column), ("right", position.right_column))
    ]
    return replace(
        position,
        bases=row_of("base", position.bases),
        left=tuple(row_of(f"left {number}", row) for number, row in enumerate(position.left, start=1)),
        right=tuple(row_of(f"right {number}", row) for number, row in enumerate(position.right, start=1)),
        left_column=columns[0],
        right_column=columns[1],
        cellar=named.get(CELLAR, position.cellar) if position.cellar is not None else None,
    )


def _alone(look: RowPosition, game: Game, *, fresh_deal: bool) -> RowPosition:
    """A look without the game before it: of a fresh deal it is known that nothing was chosen but what is told."""
    if not fresh_deal or any(look.base_cards) or look.free_centre:
        return complete(look, game)
    return replace(fresh(look, game), direction=look.direction)


def _merged(reached: RowPosition, after: RowPosition) -> RowPosition:
    """The state reached, cards that could not be read named by the later look, with what is told only there."""
    named = {
        place: card
        for place, seen in reached.lying()
        if not isinstance(seen, Card) and isinstance(card := after.look(place), Card)
    }
    state = _naming(reached, named)
    told = tuple(row for row in after.free_centre or () if state.base_cards[row - 1] is None)
    return replace(
        state,
        direction=state.direction or after.direction,
        reversed=after.reversed if state.reversed is None else state.reversed,
        free_centre=told if state.free_centre is None and after.free_centre is not None else state.free_centre,
    )
