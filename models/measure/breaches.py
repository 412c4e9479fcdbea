"""Rules broken in played games: something is done against them that a camera can see, looked at twice, and put back.

In pyramids two cards are taken that do not make the total, cards from under others, a card alone, the stock is turned
over once too often; in row games a card is laid where it does not fit, or taken from under another. Only what no legal
moves lead to counts: where a card turned meanwhile that is known to come next may explain it, no camera can tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from random import Random

from rules.cards import FACE_DOWN, GONE, Card, Seen
from rules.catalogue import Game
from rules.families import family_of
from rules.family import AnyMove
from rules.following.belief import Belief
from rules.layouts import TURNED, WASTE
from rules.looks import Position, explain_by_moves, free_places, lying, position_from_places
from rules.pyramid.moves import REDEAL, Move
from rules.pyramid.position import PyramidPosition
from rules.rows.breaches import moved
from rules.rows.moves import build, fill, foundation, new_base
from rules.rows.places import parse_place
from rules.rows.position import RowPosition

LOOKS = 2
"""Still looks at what breaks a rule, within which it is to be named."""


@dataclass(frozen=True, slots=True)
class Plant:
    """What was done against the rules, the rules that it broke, what lies there then, and on top of the foundation of a
    pyramid game (None: what lay there before)."""

    move: AnyMove
    rules: frozenset[str]
    position: Position
    top: Seen | None


def plant(position: Position, game: Game, rng: Random, earlier: Sequence[Position] = ()) -> Plant | None:
    """Something against the rules that a camera can see; None where nothing was found. What leads back to an `earlier`
    position of the game is no such thing: moves may be taken back."""
    been = [dict(lying(one)) for one in earlier]
    tried = list(_row_moves(position) if isinstance(position, RowPosition) else _pyramid_moves(position, game))
    rng.shuffle(tried)
    # Each kind of breach as often as the others, however many ways there are to it.
    for kind in rng.sample(sorted({kind for kind, _ in tried}), len({kind for kind, _ in tried})):
        for _, move in (one for one in tried if one[0] == kind):
            broken = [each for seen in _as_seen(position) for each in family_of(game).violations(seen, move, game)]
            after = _done(position, move, game)
            if broken and dict(lying(after)) not in been and not _may_be_legal(position, after, game):
                top = move.cards[0] if game.family == "pyramid" and move.cards else None
                return Plant(move, frozenset(each.breach for each in broken), after, top)
    return None


def _as_seen(position: Position) -> tuple[Position, ...]:
    """The position, and where it differs the one without what no camera shows: which cards of the middle the player
    chose for foundations, as their base cards tell as well."""
    if isinstance(position, RowPosition) and position.free_centre is not None:
        return position, replace(position, free_centre=None, base_cards=(None,) * len(position.bases))
    return (position,)


def _may_be_legal(before: Position, after: Position, game: Game) -> bool:
    if isinstance(before, PyramidPosition) and game.options.draw > 1:
        # Of cards turned together only the uppermost shows: any may lie below it.
        before = replace(before, waste_cards=None)
    look = position_from_places(game, dict(lying(after)))
    told = (explain_by_moves(before, look, game, trusting=trusting) for trusting in (False, True))
    plain, with_unseen = (found if found is not None and found.is_plain else None for found in told)
    # Of moves that need a card which nobody has seen a broken rule is likelier; one that is known to come next is seen.
    known = with_unseen is not None and not any(FACE_DOWN in move.cards for move in with_unseen.moves)
    return plain is not None or known


def _pyramid_moves(position: PyramidPosition, game: Game) -> Iterator[tuple[str, AnyMove]]:
    faces = {place: card for place, card in lying(position) if place.startswith("pyramid") and isinstance(card, Card)}
    free, total = set(free_places(position, game)), game.options.total
    for place, card in faces.items():
        if place in free:
            yield "alone", Move("single", (card,), (place,))
    for places in combinations(faces, 2):
        cards = tuple(faces[place] for place in places)
        fits = sum(int(card.rank or 0) for card in cards) == total
        if fits and not set(places) <= free:
            yield "covered", Move("pair", cards, places)
        elif not fits and set(places) <= free:
            yield "total", Move("pair", cards, places)
    piles = {place: position.look(place) for place in (TURNED, WASTE) if place in free}
    for place, (pile, top) in product((place for place in faces if place in free), piles.items()):
        if isinstance(top, Card) and int(faces[place].rank or 0) + int(top.rank or 0) != total:
            yield "pile", Move("pair", (faces[place], top), (place, pile))
    if position.stock_count == 0 and position.waste_cards:
        yield "redeal", REDEAL


def _row_moves(position: RowPosition) -> Iterator[tuple[str, AnyMove]]:
    lying_there = [(place, card) for place, card in position.lying() if isinstance(card, Card)]
    lines = [stack for stack in position.stacks() if stack.kind in ("half", "column")]
    for place, card in lying_there:
        source = parse_place(place)
        if source is None or source[0].kind == "base":
            continue
        outer = source[1] == len(position.cards_in(source[0]) or ())
        for stack in lines:
            if stack != source[0]:
                cards = position.cards_in(stack) or ()
                laid = build if cards else fill
                yield "build" if outer else "inner", laid(card, place, stack.place(len(cards) + 1))
        for row in range(1, len(position.bases) + 1):
            # A card laid where no foundation was begun is laid as its base.
            begun = new_base if position.bases[row - 1] is GONE else foundation
            yield "foundation" if outer else "inner", begun(card, place, row)


def _done(position: Position, move: AnyMove, game: Game) -> Position:
    if isinstance(position, RowPosition):
        return moved(position, move, game)  # type: ignore[arg-type]
    if move.kind == "redeal":
        # A card turned up and held goes along: it lies on the stock's place, where it would hide what is turned over.
        return replace(
            position, stock=True, stock_count=None, stock_cards=None, turned=GONE, waste=GONE, waste_cards=()
        )
    after = position.with_seen({place: GONE for place in move.places if place != WASTE})
    if WASTE in move.places:
        after = replace(after, waste=None, waste_cards=None if after.waste_cards is None else after.waste_cards[:-1])
    return after


def names(belief: Belief, found: Plant) -> bool:
    """Whether it is told that a rule was broken which really was, with a card of it."""
    return any(
        broken.breach in found.rules and (not found.move.cards or set(broken.cards) & set(found.move.cards))
        for broken in belief.broken
    )
