"""What a player types for a move: which legal move is meant, and where none is, the move that was tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules.cards import FACE_DOWN, Card
from rules.catalogue import Game
from rules.errors import CardError
from rules.family import AnyMove
from rules.layouts import PILES
from rules.looks import lying
from rules.pyramid.legality import next_cards
from rules.pyramid.moves import REDEAL, Move, turn
from rules.pyramid.position import PyramidPosition
from rules.rows.foundations import base_column
from rules.rows.in_play import joining
from rules.rows.moves import DIRECTIONS, REVERSE, RowMove
from rules.rows.places import CELLAR, Stack, base_place, parse_place
from rules.rows.position import RowPosition

BY_A_WORD = ("turn", "redeal", "reverse", *DIRECTIONS)
"""Moves that name no card."""
KINDS = ("pair", "single", "build", "fill", "foundation", "cellar", "base")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was typed: the kind of move where it was named, and the cards."""

    kind: str
    cards: tuple[Card, ...]


def wanted_of(words: Sequence[str]) -> Wanted | None:
    """The move that words speak of: a kind, cards (``9S 4H``, ``9S+4H``), or both; None where they are no move."""
    texts = [text for word in words for text in word.replace("+", " ").replace(",", " ").split()]
    kinds = [text.lower() for text in texts if text.lower() in (*BY_A_WORD, *KINDS)]
    try:
        cards = tuple(Card.parse(text) for text in texts if text.lower() not in (*BY_A_WORD, *KINDS))
    except CardError:
        return None
    if len(kinds) > 1 or len(cards) > 2 or not (kinds or cards) or (not cards and kinds[0] not in BY_A_WORD):
        return None
    return Wanted(kinds[0] if kinds else "", cards)


def meant(wanted: Wanted, legal: Sequence[AnyMove], view: Any) -> list[AnyMove]:
    """The legal moves that fit what was typed."""
    return [move for move in legal if _fits(wanted, move, view)]


def _fits(wanted: Wanted, move: AnyMove, view: Any) -> bool:
    if wanted.kind in DIRECTIONS:
        return move.kind == "direction" and move.places == (wanted.kind,)
    if wanted.kind and move.kind != wanted.kind:
        return False
    if not wanted.cards:
        return True
    if isinstance(view, PyramidPosition):
        return move.kind in ("pair", "single") and sorted(map(str, move.cards)) == sorted(map(str, wanted.cards))
    named = (*move.cards, *_onto(view, move)) if len(wanted.cards) > 1 else move.cards
    return tuple(named) == wanted.cards


def _onto(view: RowPosition, move: AnyMove) -> tuple[Any, ...]:
    """The card on which a card is laid; none where it goes to an empty place."""
    found = parse_place(move.places[-1]) if len(move.places) > 1 else None
    if found is None:
        return ()
    stack, index = found
    cards = view.cards_in(stack) or ()
    if stack.kind == "half" or stack.kind == "column":
        end = joining(view, stack).get(index)
        return cards[end - 1 : end] if end else ()
    return cards[:1]


def attempt(wanted: Wanted, view: Any, game: Game) -> AnyMove | None:
    """The move that was tried, to be held against the rules; None where one of its cards is not to be seen."""
    if isinstance(view, PyramidPosition):
        return _pyramid_attempt(wanted, view, game)
    return _row_attempt(wanted, view, game)


def places_of(view: Any, card: Card) -> list[str]:
    """Where a card is to be seen: in the layout, or on top of a pile that is played from."""
    return [place for place, seen in lying(view) if seen == card and place not in (PILES[0], PILES[3])]


def _pyramid_attempt(wanted: Wanted, view: PyramidPosition, game: Game) -> Move | None:
    if wanted.kind == "redeal":
        return REDEAL
    if wanted.kind == "turn" or not wanted.cards:
        return turn(next_cards(view, game) or (FACE_DOWN,), held=game.options.turned == "held")
    places: list[str] = []
    for card in wanted.cards:
        places += [place for place in places_of(view, card) if place not in places][:1]
    if len(places) < len(wanted.cards):
        return None
    return Move("pair" if len(places) == 2 else "single", wanted.cards, tuple(places))


def _row_attempt(wanted: Wanted, view: RowPosition, game: Game) -> RowMove | None:
    if wanted.kind in DIRECTIONS:
        return RowMove("direction", (), (wanted.kind,))
    if wanted.kind == "reverse":
        return REVERSE
    places = [place for card in wanted.cards for place in places_of(view, card)[:1]]
    if not places or len(places) < len(wanted.cards):
        return None
    if len(wanted.cards) == 2:
        return _laid_onto(wanted.cards[0], places[0], places[1], view)
    card, source = wanted.cards[0], places[0]
    if wanted.kind == "cellar":
        return RowMove("cellar", (card,), (source, CELLAR))
    if wanted.kind == "base":
        return RowMove("base", (card,), (source,))
    if wanted.kind == "fill":
        return RowMove("fill", (card,), (source, _row_to_fill(view).place(1)))
    column = base_column(view, game)
    row = column.foundations.get(card.suit) if card.suit else None
    return RowMove("foundation", (card,), (source, base_place(row or (column.empty or (1,))[0])))


def _laid_onto(card: Card, source: str, target: str, view: RowPosition) -> RowMove:
    """A card tried onto another: on its foundation, or beside it in its row."""
    found = parse_place(target)
    if found is None or found[0].kind == "base":
        return RowMove("foundation", (card,), (source, target))
    stack, index = found
    after = next((goal for goal, end in joining(view, stack).items() if end == index), index + 1)
    return RowMove("build", (card,), (source, stack.place(after)))


def _row_to_fill(view: RowPosition) -> Stack:
    """An empty half row, else the first."""
    halves = [stack for stack in view.stacks() if stack.kind == "half"]
    return next((stack for stack in halves if not view.cards_in(stack)), halves[0])
