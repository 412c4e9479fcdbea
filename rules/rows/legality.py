"""The one source of legality of the row family: which rules a move breaks, what follows, how a game ends.

Source: the Polish texts "Arcydzieło", "Piwnica" and "Ulubiony".
"""

from __future__ import annotations

from typing import Literal

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.errors import IllegalMove
from rules.rows.effects import after_move
from rules.rows.foundations import Column, base_column, step
from rules.rows.in_play import (
    Source,
    ends,
    fillable,
    is_locked,
    joining,
    may_be_filled,
    next_to,
    open_choices,
    playable,
    playable_indices,
    takes_builds,
)
from rules.rows.moves import DIRECTIONS, REVERSE, RowMove, base_choice, build, direction, fill, foundation, new_base
from rules.rows.moves import to_cellar as cellar_move
from rules.rows.options import RowOptions
from rules.rows.places import CELLAR, SIDES, Stack, parse_place
from rules.rows.position import RowPosition
from rules.violation import Violation

Outcome = Literal["won", "lost", "open"]


def violations(position: RowPosition, move: RowMove, game: Game) -> tuple[Violation, ...]:
    """Every rule the move breaks in this position; empty if it is legal.

    A card that cannot be read may be named as ``!!``; what cannot be known is not held against the move."""
    unfinished = is_being_dealt(position, game)
    if move.kind == "direction":
        return _direction_violations(position, move, unfinished=unfinished, game=game)
    if unfinished:
        return (Violation("deal-unfinished", move.places, move.cards),)
    if move.kind == "reverse":
        return _reverse_violations(position, game)
    if move.kind == "base" and len(move.places) == 1:
        return _choice_violations(position, move, game)
    if len(move.cards) != 1 or len(move.places) != 2:
        return (Violation("wrong-count", move.places, move.cards),)
    goal = parse_place(move.places[1])
    if goal is None:
        return (Violation("wrong-place", move.places, move.cards),)
    found = _reach_violations(position, move.cards[0], move.places[0], game)
    return (*found, *_goal_violations(position, move, goal, game))


def is_legal(position: RowPosition, move: RowMove, game: Game) -> bool:
    """No rule is broken."""
    return not violations(position, move, game)


def legal_moves(position: RowPosition, game: Game) -> tuple[RowMove, ...]:
    """Every legal move of the cards known: choices still open, then foundations, builds, fills, cellar, reversal."""
    moves = [direction(chosen) for chosen in DIRECTIONS if is_legal(position, direction(chosen), game)]
    if is_being_dealt(position, game):
        return tuple(moves)
    column = base_column(position, game)
    moves += [base_choice(position.bases[row - 1], row) for rows in column.undecided.values() for row in rows]
    sources = [source for source in playable(position, game) if isinstance(source.card, Card)]
    moves += [move for source in sources for move in _to_base_column(position, source, column, game)]
    open_ends = ends(position, game.row_options)
    empty = fillable(position, game.row_options)
    for source in sources:
        moves += [
            build(source.card, source.place, place)
            for stack, place, end in open_ends
            if stack != source.stack and next_to(source.card, end, game.row_options)
        ]
    moves += [fill(source.card, source.place, stack.place(1)) for source in sources for stack in empty]
    if game.row_options.cellar and position.cellar in (GONE, None):
        moves += [cellar_move(source.card, source.place) for source in sources]
    return (*moves, *([REVERSE] if is_legal(position, REVERSE, game) else []))


def play(position: RowPosition, move: RowMove, game: Game) -> RowPosition:
    """The position after a legal move; raises IllegalMove."""
    broken = violations(position, move, game)
    if broken:
        raise IllegalMove(broken)
    return after_move(position, move, game)


def outcome(position: RowPosition, game: Game) -> Outcome:
    """``won``: every card on the foundations. ``lost``: stuck, that is no move is left but to shift the only card of a
    half row into an empty one like it. Else ``open``, also where a card that is not seen or cannot be read could still
    move, or be moved to."""
    options = game.row_options
    if (options.shape.column and len(position.columns) < len(SIDES)) or (options.cellar and position.cellar is None):
        return "open"
    if cards_off(position, game) == 0:
        return "won"
    in_play = (*position.bases, *(source.card for source in playable(position, game)))
    if any(card in (FACE_DOWN, UNREADABLE) for card in in_play):
        return "open"
    return "open" if any(not _is_idle(position, move, options) for move in legal_moves(position, game)) else "lost"


def cards_off(position: RowPosition, game: Game) -> int:
    """Cards that lie off the foundations: in rows, columns and cellar, and free ones in the middle."""
    column = base_column(position, game)
    # Of several centre cards of one suit all but one are free.
    waiting = len(column.free) + sum(len(rows) - 1 for rows in column.undecided.values())
    return waiting + sum(not place.startswith("base ") for place, _ in position.lying())


def _is_idle(position: RowPosition, move: RowMove, options: RowOptions) -> bool:
    """Whether a move only shifts the one card of a half row into an empty half row that plays like it. An auxiliary
    half row that stays empty is gone then, which opens the cellar; and a main one may be built on."""
    found = parse_place(move.places[0]) if move.kind == "fill" else None
    if found is None or found[0].kind != "half" or len(position.cards_in(found[0]) or ()) != 1:
        return False
    return may_be_filled(found[0], options)


def is_being_dealt(position: RowPosition, game: Game) -> bool:
    """Whether a base is still to come, so that the deal is not finished. Centre places may become empty in play; a
    place whose base is known had it, and lost it against the rules."""
    places = zip(position.bases, position.base_cards, strict=True)
    return game.row_options.bases != "centre" and any(top is GONE and base is None for top, base in places)


def _to_base_column(position: RowPosition, source: Source, column: Column, game: Game) -> list[RowMove]:
    """The legal moves of a card to the foundations, or to a free centre place as a base."""
    card = source.card
    if not isinstance(card, Card) or card.suit is None:
        return []
    rows = [column.foundations[card.suit]] if card.suit in column.foundations else []
    if position.free_centre is None:
        rows += column.undecided.get(card.suit, ())
    moves = [foundation(card, source.place, row) for row in rows]
    moves += [new_base(card, source.place, row) for row in column.empty if game.row_options.bases == "centre"]
    return [move for move in moves if is_legal(position, move, game)]


def _direction_violations(
    position: RowPosition, move: RowMove, *, unfinished: bool, game: Game
) -> tuple[Violation, ...]:
    """The direction is chosen once: in ulubiony before the deal is finished, else after it. In a finished deal it may
    be told at any time as long as it is not known, for a look at the table cannot show it."""
    if move.cards or len(move.places) != 1 or move.places[0] not in DIRECTIONS:
        return (Violation("wrong-count", move.places, move.cards),)
    if position.direction is not None:
        return (Violation("wrong-direction", move.places),)
    if unfinished and game.row_options.direction_chosen == "after":
        return (Violation("deal-unfinished", move.places),)
    return ()


def _reverse_violations(position: RowPosition, game: Game) -> tuple[Violation, ...]:
    """Polish text "Ulubiony": once a game both vertical rows are reversed together."""
    places = tuple(place for place, _ in position.lying() if " column " in place)
    if not game.row_options.shape.column or not places:
        return (Violation("not-in-play", places),)
    return (Violation("already-reversed", places),) if position.reversed else ()


def _choice_violations(position: RowPosition, move: RowMove, game: Game) -> tuple[Violation, ...]:
    """Polish text "Piwnica": of several centre cards of one suit the player picks one as that suit's base."""
    goal = parse_place(move.places[0])
    if len(move.cards) != 1 or goal is None or goal[0].kind != "base":
        return (Violation("wrong-count", move.places, move.cards),)
    if position.look(move.places[0]) != move.cards[0]:
        return (Violation("not-in-play", move.places, move.cards),)
    undecided = base_column(position, game).undecided
    if not any(goal[0].row in rows for rows in undecided.values()):
        return (Violation("wrong-base", move.places, move.cards),)
    return ()


def _reach_violations(position: RowPosition, card: Seen, place: str, game: Game) -> list[Violation]:
    """Whether the card lies at the place and can be taken from there."""
    lying, found = position.look(place), parse_place(place)
    other = isinstance(lying, Card) and isinstance(card, Card) and lying != card
    if found is None or lying is None or lying is GONE or card is GONE or other:
        return [Violation("not-in-play", (place,), (card,))]
    stack, index = found
    if stack.kind == "base":
        column = base_column(position, game)
        free = stack.row in (*column.free, *open_choices(position, column))
        return [] if free else [Violation("not-in-play", (place,), (card,))]
    if stack.kind == "cellar":
        return [Violation("locked-cellar", (place,), (card,))] if is_locked(position, game) else []
    at_end = playable_indices(position, stack)
    if index in at_end:
        return []
    cards = position.cards_in(stack) or ()
    upper = at_end == (1,)
    above = range(1, index) if upper else range(index + 1, len(cards) + 1)
    places = tuple(stack.place(number) for number in above)
    return [Violation("covered", (place, *places), (card, *(cards[number - 1] for number in above)))]


def _goal_violations(
    position: RowPosition, move: RowMove, goal: tuple[Stack, int], game: Game
) -> tuple[Violation, ...]:
    """Whether the card may go where the move takes it."""
    stack, _ = goal
    source = parse_place(move.places[0])
    if source is not None and source[0] == stack and stack.kind != "base":
        return (Violation("wrong-place", move.places, move.cards),)
    if stack.kind == "cellar":
        return _into_cellar(position, move, game)
    if stack.kind == "base":
        return _onto_base(position, move, stack, game)
    cards = position.cards_in(stack)
    if cards is None or move.kind not in ("build", "fill") or (move.kind == "fill") != (not cards):
        return (Violation("wrong-place", move.places, move.cards),)
    if not cards:
        return _into_empty(move, goal, game.row_options)
    return _onto_row(position, move, goal, game.row_options)


def _into_cellar(position: RowPosition, move: RowMove, game: Game) -> tuple[Violation, ...]:
    if move.kind != "cellar" or not game.row_options.cellar:
        return (Violation("wrong-place", move.places, move.cards),)
    if position.cellar in (GONE, None):
        return ()
    return (Violation("cellar-full", (move.places[0], CELLAR), (move.cards[0], position.cellar)),)


def _into_empty(move: RowMove, goal: tuple[Stack, int], options: RowOptions) -> tuple[Violation, ...]:
    if not may_be_filled(goal[0], options):
        return (Violation("row-stays-empty", move.places, move.cards),)
    return () if goal[1] == 1 else (Violation("wrong-place", move.places, move.cards),)


def _onto_row(
    position: RowPosition, move: RowMove, goal: tuple[Stack, int], options: RowOptions
) -> tuple[Violation, ...]:
    """Building: on the playable card only, which is of the same suit and one rank higher or lower."""
    stack, index = goal
    cards = position.cards_in(stack) or ()
    after = joining(position, stack)
    if index not in after:
        return (Violation("wrong-place", move.places, move.cards),)
    end = after[index]
    told = (move.places[0], stack.place(end)), (move.cards[0], cards[end - 1])
    found: list[Violation] = []
    if not takes_builds(stack, options):
        found.append(Violation("not-built-on", *told))
    if not next_to(move.cards[0], cards[end - 1], options):
        found.append(Violation("wrong-suit-or-rank", *told))
    return tuple(found)


def _onto_base(position: RowPosition, move: RowMove, stack: Stack, game: Game) -> tuple[Violation, ...]:
    if move.kind not in ("foundation", "base") or position.cards_in(stack) is None:
        return (Violation("not-built-on", move.places, move.cards),)
    card, column = move.cards[0], base_column(position, game)
    if move.kind == "base":
        taken = isinstance(card, Card) and (card.suit in column.foundations or card.suit in column.undecided)
        fits = game.row_options.bases == "centre" and stack.row in column.empty and not taken
        return () if fits else (Violation("wrong-base", move.places, move.cards),)
    if not isinstance(card, Card) or card.suit is None or card.rank is None:
        return ()
    if stack.row in column.free:
        return (Violation("not-built-on", move.places, move.cards),)
    undecided = column.undecided.get(card.suit, ())
    if stack.row not in (column.foundations.get(card.suit), *undecided):
        return (Violation("wrong-suit-or-rank", move.places, move.cards),)
    if undecided and position.free_centre is not None:
        return (Violation("base-not-chosen", move.places, move.cards),)
    return _next_on_foundation(position, move, stack, game)


def _next_on_foundation(position: RowPosition, move: RowMove, stack: Stack, game: Game) -> tuple[Violation, ...]:
    """All four foundations grow in the direction chosen, round the corner, up to thirteen cards each."""
    card, top = move.cards[0], position.bases[stack.row - 1]
    if not isinstance(card, Card) or not isinstance(top, Card) or top.rank is None:
        return ()
    ways = [way for way in DIRECTIONS if step(top.rank, way) == card.rank]
    if not ways or top.suit != card.suit:
        return (Violation("wrong-suit-or-rank", move.places, move.cards),)
    if position.direction not in (None, *ways):
        return (Violation("wrong-direction", move.places, move.cards),)
    return ()
