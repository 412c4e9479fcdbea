"""Random play of the pyramid family as looks at the table: legal steps, and changes that break a rule.

``KINDS`` are the breaches that two looks can show. ``waste-empty`` is none of them: a redeal without a waste moves no
card, so only the text of a move can break that rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Final

from rules.cards import FACE_DOWN, GONE, JOKER, Card, Seen
from rules.catalogue import Game
from rules.layouts import parse_pyramid_place, pyramid_place
from rules.planted import LegalStep, Planted
from rules.pyramid.full import random_deal
from rules.pyramid.legality import covering, free_places, legal_moves, play, removals, violations
from rules.pyramid.moves import REDEAL, Move
from rules.pyramid.pairing import leaves_alone, pairs_up
from rules.pyramid.position import PyramidPosition

MOST_MOVES: Final = 80
MOST_MOVES_BETWEEN: Final = 4
"""Moves that the referee looks for between two looks: turns of as many cards would explain what is planted."""
REMOVALS_LIKELIER: Final = 3
"""Than turns: random play that only turns is over soon."""

KINDS: Final = (
    "covered",
    "wrong-total",
    "not-in-play",
    "wrong-count",
    "pair-available",
    "stock-empty",
    "stock-not-empty",
    "no-pass-left",
    "card-appeared",
    "card-vanished",
    "card-changed",
)

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
            for plant in (_turns, _redeals, _within):
                yield from plant(before, game)


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
    """Cards of the pyramid taken wrongly: one that is covered, two that do not add up, three that do, one alone."""
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
    for three in combinations(sorted(free), 3):
        faces = [lying[place] for place in three]
        if JOKER not in faces and sum(card.worth for card in faces) == options.total:
            yield Planted(known, _without(known, three), frozenset({"wrong-count"}), frozenset(faces))
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


def _turns(before: PyramidPosition, game: Game) -> Iterator[Plant]:
    """A turn while a pair could leave, of fewer cards than are drawn, of a card that does not come next, or of none:
    the held card laid down although the stock is empty."""
    known, options = laid(before, game), game.options
    stock, waste = before.stock_cards or (), before.waste_cards or ()
    if options.turn_when == "stuck" and removals(before, game):
        freely = game.with_rules({"turn_when": "always"})
        for move in (move for move in legal_moves(before, freely) if move.kind == "turn"):
            yield Planted(known, laid(play(before, move, freely), game), frozenset({"pair-available"}))
        return
    if len(stock) > options.draw > 1:
        count = len(stock) - 1
        after = replace(known, stock_count=count, waste=stock[0], waste_cards=(*waste, stock[0]))
        yield Planted(known, after, frozenset({"wrong-count"}), frozenset(stock[:1]))
    if options.draw == 1 and before.pass_number != 1 and len(stock) > MOST_MOVES_BETWEEN:
        remembered = replace(known, stock_cards=stock)
        lowest = stock[-1]
        held = options.turned == "held"
        under = before.turned if held and before.turned not in (None, GONE) else known.waste
        after = PyramidPosition(
            known.rows, stock=True, turned=lowest if held else GONE, waste=under if held else lowest
        )
        yield Planted(remembered, after, frozenset({"not-in-play"}), frozenset({lowest}))
    if not stock and isinstance(before.turned, Card):
        after = PyramidPosition(known.rows, stock=False, turned=GONE, waste=before.turned)
        yield Planted(known, after, frozenset({"stock-empty"}))


def _redeals(before: PyramidPosition, game: Game) -> Iterator[Plant]:
    """The waste turned over a pass too many, before the stock was gone through, or while a pair could leave."""
    known, options = laid(before, game), game.options
    waste, count = before.waste_cards or (), len(before.stock_cards or ())
    after = PyramidPosition(known.rows, stock=True, turned=GONE, waste=GONE)
    breaches = frozenset(found.breach for found in violations(before, REDEAL, game))
    turned = len(waste) + isinstance(before.turned, Card)
    early = count >= MOST_MOVES_BETWEEN * options.draw and turned > 2 * options.draw
    if early or (count == 0 and waste and breaches):
        yield Planted(known, after, breaches)


def _within(before: PyramidPosition, game: Game) -> Iterator[Plant]:
    """A card from within the waste, taken with a free one of the pyramid or alone."""
    known, options, waste = laid(before, game), game.options, before.waste_cards or ()
    free = {place: known.look(place) for place in free_places(before, game) if parse_pyramid_place(place)}
    deep = [(index, card) for index, card in enumerate(waste[:-1]) if isinstance(card, Card) and card != JOKER]
    for index, card in deep:
        partner = next((p for p, c in free.items() if isinstance(c, Card) and pairs_up(c, card, options)), None)
        places = (partner,) if partner else ()
        if places or leaves_alone(card, options):
            after = replace(_without(known, places), waste_cards=waste[:index] + waste[index + 1 :])
            yield Planted(known, after, frozenset({"not-in-play"}), frozenset({card}))
            return


_NEVER: Final = (FACE_DOWN, GONE)


def _places(position: PyramidPosition) -> list[str]:
    return [pyramid_place(row, column) for row in range(1, position.row_count + 1) for column in range(1, row + 1)]


def _without(position: PyramidPosition, places: Iterable[str]) -> PyramidPosition:
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
