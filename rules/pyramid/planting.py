"""Random play of the pyramid family as looks at the table: legal steps, and changes that break a rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Final

from rules.cards import FACE_DOWN, GONE, JOKER, Card, Seen
from rules.catalogue import Game
from rules.layouts import parse_pyramid_place, pyramid_place
from rules.planted import LegalStep, Planted
from rules.pyramid.full import random_deal
from rules.pyramid.legality import covering, free_places, legal_moves, play, removals
from rules.pyramid.moves import Move
from rules.pyramid.pairing import leaves_alone, pairs_up
from rules.pyramid.position import PyramidPosition

MOST_MOVES: Final = 80
REMOVALS_LIKELIER: Final = 3
"""Than turns: random play that only turns is over soon."""

Plant = Planted[PyramidPosition]


def legal_steps(game: Game, rng: Random) -> Iterator[LegalStep[PyramidPosition, Move]]:
    """Steps of random games without end; what lies in the stock is not known, the later look is a picture."""
    while True:
        top: Seen = GONE
        for before, move, after in _random_game(game, rng):
            known = replace(laid(before, game), foundation=top)
            if move.kind in ("pair", "single"):
                top = rng.choice(move.cards)
            yield LegalStep(known, move, picture(after, top, game))


def planted(game: Game, rng: Random) -> Iterator[Plant]:
    """Breaches of every kind that the table offers, in random games without end."""
    while True:
        for before, _, _ in _random_game(game, rng):
            if rng.random() < 0.2:
                yield from _taken(before, game, rng)
                yield from _odd(before, game, rng)
            yield from _piles(before, game)


def laid(position: PyramidPosition, game: Game) -> PyramidPosition:
    """The position as its player knows it: the order of the stock is hidden, and covered cards that lie face down."""
    stock = len(position.stock_cards or ())
    hidden = replace(position, stock_cards=None, stock_count=stock, stock=stock > 0, foundation=None)
    if game.options.face == "up":
        return hidden
    rows = tuple(
        tuple(
            FACE_DOWN if card is not GONE and covering(position, pyramid_place(r, c)) else card
            for c, card in enumerate(row, start=1)
        )
        for r, row in enumerate(position.rows, start=1)
    )
    return replace(hidden, rows=rows)


def picture(position: PyramidPosition, top: Seen, game: Game) -> PyramidPosition:
    """What a picture shows: no counts and no pass, and of each pile its top."""
    shown = laid(position, game)
    turned = shown.turned if game.options.turned == "held" else GONE
    return PyramidPosition(shown.rows, stock=shown.stock, turned=turned, waste=shown.waste, foundation=top)


def _random_game(game: Game, rng: Random) -> Iterator[tuple[PyramidPosition, Move, PyramidPosition]]:
    position = replace(random_deal(game, rng).to_position(), gone_cards=(), foundation=GONE)
    for _ in range(MOST_MOVES):
        moves = legal_moves(position, game)
        if not moves:
            return
        weights = [REMOVALS_LIKELIER if move.kind in ("pair", "single") else 1 for move in moves]
        move = rng.choices(moves, weights)[0]
        after = play(position, move, game)
        yield position, move, after
        position = after


def _taken(before: PyramidPosition, game: Game, rng: Random) -> Iterator[Plant]:
    """Cards of the pyramid taken wrongly: one that is covered, two that do not add up, one alone."""
    known, options = laid(before, game), game.options
    free = {place for place in free_places(before, game) if parse_pyramid_place(place)}
    lying = {place: card for place in _places(known) if isinstance(card := known.look(place), Card)}
    pairs = list(combinations(lying, 2))
    rng.shuffle(pairs)
    for first, second in pairs:
        apart = first not in covering(before, second) and second not in covering(before, first)
        if pairs_up(lying[first], lying[second], options) and len({first, second} & free) == 1 and apart:
            covered = frozenset(lying[place] for place in (first, second) if place not in free)
            yield Planted(known, _without(known, (first, second)), frozenset({"covered"}), covered)
            break
    for first, second in pairs:
        cards = lying[first], lying[second]
        alone = any(leaves_alone(card, options) for card in cards)
        if {first, second} <= free and not alone and not pairs_up(*cards, options):
            yield Planted(known, _without(known, (first, second)), frozenset({"wrong-total"}), frozenset(cards))
            break
    lone = [place for place in sorted(free) if not leaves_alone(lying[place], options)]
    if lone:
        place = rng.choice(lone)
        yield Planted(known, _without(known, (place,)), frozenset({"card-vanished"}), frozenset({lying[place]}))


def _odd(before: PyramidPosition, game: Game, rng: Random) -> Iterator[Plant]:
    """Cards of the stock that lie in the pyramid all at once: in place of another, or where none lay."""
    known, strange = laid(before, game), [card for card in before.stock_cards or () if card not in _NEVER]
    free = [place for place in free_places(before, game) if parse_pyramid_place(place)]
    if not strange:
        return
    card = rng.choice(strange)
    if free:
        place = rng.choice(free)
        changed = frozenset({before.look(place) or GONE, card})
        yield Planted(known, _with(known, place, card), frozenset({"card-changed"}), changed)
    empty = [place for place in _places(before) if before.look(place) is GONE]
    if empty:
        after = _with(known, rng.choice(empty), card)
        yield Planted(known, after, frozenset({"card-appeared"}), frozenset({card}))


def _piles(before: PyramidPosition, game: Game) -> Iterator[Plant]:
    """A turn while a pair could leave, a pass too many, and a card from within the waste."""
    known, options = laid(before, game), game.options
    held_back = options.turn_when == "stuck" and bool(removals(before, game))
    if held_back:
        freely = game.with_rules({"turn_when": "always"})
        turns = [move for move in legal_moves(before, freely) if move.kind == "turn"]
        for move in turns:
            yield Planted(known, laid(play(before, move, freely), game), frozenset({"pair-available"}))
    last = options.passes is not None and before.pass_number == options.passes
    waste = before.waste_cards or ()
    if last and before.stock is False and waste and before.turned in (None, GONE) and not held_back:
        after = PyramidPosition(known.rows, stock=True, turned=known.turned, waste=GONE)
        yield Planted(known, after, frozenset({"no-pass-left"}))
    free = {place: known.look(place) for place in free_places(before, game) if parse_pyramid_place(place)}
    for place, card in free.items():
        for index, deep in enumerate(waste[:-1]):
            if not isinstance(card, Card) or not isinstance(deep, Card) or deep == JOKER:
                continue
            if pairs_up(card, deep, options):
                after = replace(_without(known, (place,)), waste_cards=waste[:index] + waste[index + 1 :])
                yield Planted(known, after, frozenset({"not-in-play"}), frozenset({deep}))
                return


_NEVER: Final = (FACE_DOWN, GONE)


def _places(position: PyramidPosition) -> list[str]:
    return [pyramid_place(row, column) for row in range(1, position.row_count + 1) for column in range(1, row + 1)]


def _without(position: PyramidPosition, places: tuple[str, ...]) -> PyramidPosition:
    for place in places:
        position = _with(position, place, GONE)
    return position


def _with(position: PyramidPosition, place: str, card: Seen) -> PyramidPosition:
    """The card at a place of the pyramid; what has gone and what lies on the foundation is not looked at."""
    spot = parse_pyramid_place(place)
    rows = tuple(
        tuple(card if (r, c) == spot else old for c, old in enumerate(row, start=1))
        for r, row in enumerate(position.rows, start=1)
    )
    return replace(position, rows=rows, foundation=None, gone_cards=None)
