"""Wins that need nothing unseen: lines that take and turn only cards which are known to come."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from rules.cards import GONE, Card, Seen
from rules.catalogue import Game
from rules.pyramid.complete import complete
from rules.pyramid.full import FullPosition
from rules.pyramid.moves import Move
from rules.pyramid.position import Cards, PyramidPosition
from rules.pyramid.search import Limits, Searcher
from rules.pyramid.worlds import played

_STATES: Final = 20_000
_SHORTEN: Final = 2_000

Line = tuple[Move, ...]


Part = tuple[FullPosition, Game]
"""The part of a table that is known, and the game as it is played with that alone."""


def unaided_lines(part: Part | None, moves: Sequence[Move]) -> list[Line]:
    """For each move a line that begins with it and wins whatever the unseen cards are, told by the part of the table
    that is known; empty where none was found."""
    if part is None:
        return [()] * len(moves)
    world, once = part
    searcher = Searcher(once)
    lines: list[Line] = []
    for move in moves:
        child = played(world, move, once.options)
        found = None if child is None else searcher.solve(child, Limits(None, _STATES), shorten=_SHORTEN)
        won = found is not None and found.verdict == "winnable"
        lines.append((move, *found.moves) if found is not None and won else ())
    return lines


def known_part(position: PyramidPosition, game: Game) -> Part | None:
    """The table without the cards not known and those behind them, and the game as it is played with these: in its
    last pass. None where the unseen cards must be played themselves."""
    known, options = complete(position, game), game.options
    faces = {card for row in known.rows for card in row}
    if options.goal == "all" or not all(card is GONE or isinstance(card, Card) for card in faces):
        return None
    rows = tuple(tuple(card if isinstance(card, Card) else None for card in row) for row in known.rows)
    listed: Cards = () if known.waste is None else (known.waste,)
    listed = listed if known.waste_cards is None else known.waste_cards
    waste = _known_first(reversed(listed))[::-1]
    stock = _known_first(known.stock_cards or ())
    if known.stock_cards is None or len(stock) < len(known.stock_cards):
        stock = stock[: len(stock) - len(stock) % options.draw]
    turned = known.turned if options.turned == "held" else GONE
    told = isinstance(turned, Card) or turned is GONE
    all_waste = known.waste is GONE or (known.waste_cards is not None and len(waste) == len(known.waste_cards))
    if not told or (options.turn_when == "stuck" and not all_waste):
        stock = ()
    once = replace(game, rules=replace(options, passes=1))
    return FullPosition(rows, stock, waste, turned if isinstance(turned, Card) else None), once


def _known_first(cards: Iterable[Seen]) -> tuple[Card, ...]:
    """The cards known before the first that is not."""
    found: list[Card] = []
    for card in cards:
        if not isinstance(card, Card):
            break
        found.append(card)
    return tuple(found)
