"""Moves played in full positions, and the widest one that fits what is known: what hints look into."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card
from rules.catalogue import Game
from rules.layouts import TURNED, WASTE, parse_pyramid_place
from rules.options import Options
from rules.pyramid.full import FullPosition
from rules.pyramid.moves import Move
from rules.pyramid.position import PyramidPosition, known_cards


def played(world: FullPosition, move: Move, options: Options) -> FullPosition | None:
    """The world after a move that is legal on what is known; None where this world does not allow it."""
    down = world.waste if world.turned is None else (*world.waste, world.turned)
    if move.kind == "turn":
        if not world.stock:
            return None
        if options.turned == "held":
            return replace(world, waste=down, turned=world.stock[0], stock=world.stock[1:])
        return replace(world, waste=down + world.stock[: options.draw], stock=world.stock[options.draw :])
    if move.kind == "redeal":
        last = options.passes is not None and world.pass_number >= options.passes
        if world.stock or not down or last or world.stock_played is False:
            return None
        idle = None if world.stock_played is None else False
        number = world.pass_number + 1
        return replace(world, stock=down, waste=(), turned=None, pass_number=number, stock_played=idle)
    return _without(world, move)


def _without(world: FullPosition, move: Move) -> FullPosition | None:
    gone = {spot for place in move.places if (spot := parse_pyramid_place(place)) is not None}
    rows = tuple(
        tuple(None if (r, c) in gone else card for c, card in enumerate(row, start=1))
        for r, row in enumerate(world.rows, start=1)
    )
    waste, turned = world.waste, world.turned
    if WASTE in move.places:
        if not waste:
            return None
        waste = waste[:-1]
    if TURNED in move.places:
        if turned is None:
            return None
        turned = None
    played = world.stock_played is not None and (world.stock_played or bool({WASTE, TURNED} & set(move.places)))
    return replace(
        world, rows=rows, waste=waste, turned=turned, stock_played=None if world.stock_played is None else played
    )


def widest_world(position: PyramidPosition, game: Game) -> tuple[FullPosition, bool] | None:
    """The known pyramid with every card outside it that is not known to have gone, in no meaningful order, and
    whether those are exactly the cards outside it; None where a card of the pyramid is not known."""
    faces = [card for row in position.rows for card in row]
    if FACE_DOWN in faces or UNREADABLE in faces:
        return None
    gone = position.gone_cards
    outside = Counter(game.options.deck)
    outside.subtract(known_cards(faces))
    outside.subtract(known_cards([position.foundation] if gone is None else gone))
    if any(count < 0 for count in outside.values()):
        return None
    untouched = GONE not in faces and position.foundation is GONE
    exact = untouched or (gone is not None and all(isinstance(card, Card) for card in gone))
    rows = tuple(tuple(card if isinstance(card, Card) else None for card in row) for row in position.rows)
    return FullPosition(rows, stock=tuple(outside.elements())), exact


def played_widely(world: FullPosition, move: Move, options: Options) -> FullPosition:
    """The widest world after a move: the removed cards leave it, wherever they lay; turning changes nothing."""
    if move.kind not in ("pair", "single"):
        return world
    stock = list(world.stock)
    for card, place in zip(move.cards, move.places, strict=True):
        if place in (WASTE, TURNED) and isinstance(card, Card) and card in stock:
            stock.remove(card)
    in_pyramid = tuple(place for place in move.places if place not in (WASTE, TURNED))
    after = _without(world, Move(move.kind, (), in_pyramid))
    return replace(after or world, stock=tuple(stock))
