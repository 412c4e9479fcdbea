"""Why a move is worth making, as data."""

from __future__ import annotations

from collections.abc import Iterable

from rules.cards import GONE, Card, Seen
from rules.catalogue import Game
from rules.errors import PositionError
from rules.hint_parts import Reason
from rules.layouts import TURNED, WASTE, parse_pyramid_place, pyramid_place
from rules.pyramid.full import unseen_cards
from rules.pyramid.legality import covering
from rules.pyramid.moves import Move
from rules.pyramid.pairing import pairs_up
from rules.pyramid.position import PyramidPosition, known_cards


def freed_places(position: PyramidPosition, move: Move) -> tuple[str, ...]:
    """Places of the pyramid on which nothing lies any more once the move is made."""
    gone = {place for place in move.places if parse_pyramid_place(place)}
    found: list[str] = []
    for row in range(1, position.row_count):
        for column in range(1, row + 1):
            place = pyramid_place(row, column)
            covers = covering(position, place)
            if covers and set(covers) <= gone and place not in gone and position.at(row, column) is not GONE:
                found.append(place)
    return tuple(found)


def reason_of(position: PyramidPosition, move: Move, game: Game, others: Iterable[Move]) -> Reason:
    """The strongest reason for a move among the legal ones."""
    removals = [other for other in others if other.kind in ("pair", "single")]
    if move.kind == "redeal":
        return Reason("new-pass" if removals else "nothing-else")
    if move.kind == "turn":
        return _reason_to_turn(position, game, bool(removals))
    in_pyramid = sum(parse_pyramid_place(place) is not None for place in move.places)
    if in_pyramid and in_pyramid == position.left_in_pyramid():
        return Reason("clears-pyramid")
    if move.kind == "single":
        return Reason("king-alone", move.cards)
    tied = tied_card(position, move, game)
    if tied is not None:
        return Reason("only-partner-left", (tied,))
    freed = tuple(position.look(place) for place in freed_places(position, move))
    if freed:
        return Reason("frees", tuple(card for card in freed if card is not None))
    return Reason("clears-waste" if {WASTE, TURNED} & set(move.places) else "removes-two")


def _reason_to_turn(position: PyramidPosition, game: Game, removable: bool) -> Reason:
    if not removable:
        return Reason("nothing-else")
    passes = game.options.passes
    known = position.stock_cards is not None and all(isinstance(card, Card) for card in position.stock_cards)
    more = passes is None or (position.pass_number or 1) < passes
    return Reason("scout-stock" if more and not known and not game.ends_after_idle_pass else "keeps-partners")


def tied_card(position: PyramidPosition, move: Move, game: Game) -> Seen | None:
    """A pyramid card of the pair that nothing else in the game can leave with, so far as what is known shows."""
    try:
        lying = list(unseen_cards(position, game))
    except PositionError:
        return None
    lying += known_cards(card for row in position.rows for card in row)
    lying += known_cards((position.turned, *(position.stock_cards or ())))
    lying += known_cards([position.waste] if position.waste_cards is None else position.waste_cards)
    for card, place in zip(move.cards, move.places, strict=True):
        if not isinstance(card, Card) or parse_pyramid_place(place) is None:
            continue
        partners = sum(pairs_up(card, other, game.options) for other in lying)
        if partners - pairs_up(card, card, game.options) == 1:
            return card
    return None
