"""Tables for the tests: games played at random, and what a camera above the table would see of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from rules.cards import FACE_DOWN, GONE, Seen
from rules.catalogue import Game
from rules.layouts import pyramid_place
from rules.pyramid.full import random_deal
from rules.pyramid.legality import covering, legal_moves, play
from rules.pyramid.moves import Move
from rules.pyramid.position import PyramidPosition


@dataclass(frozen=True)
class Played:
    """A position of which everything is known, the move that led to it and the foundation's top card."""

    position: PyramidPosition
    move: Move | None
    top: Seen


def fresh(game: Game, rng: Random) -> PyramidPosition:
    """A random deal, every card and pile known."""
    return replace(random_deal(game, rng).to_position(), gone_cards=(), foundation=GONE)


def random_game(game: Game, rng: Random, most: int = 80) -> Iterator[Played]:
    """Legal moves at random, removals three times as likely as turns; ends when no move is left."""
    position = fresh(game, rng)
    played = Played(position, None, GONE)
    yield played
    for _ in range(most):
        moves = legal_moves(played.position, game)
        if not moves:
            return
        weights = [3 if move.kind in ("pair", "single") else 1 for move in moves]
        move = rng.choices(moves, weights)[0]
        top = rng.choice(move.cards) if move.kind in ("pair", "single") else played.top
        played = Played(play(played.position, move, game), move, top)
        yield played


def as_laid(position: PyramidPosition, game: Game) -> PyramidPosition:
    """The position with covered cards of a face-down pyramid hidden, and without what no look at a table shows."""
    position = replace(position, stock_played=None)
    if game.options.face == "up":
        return position
    rows: list[tuple[Seen, ...]] = []
    for row in range(1, position.row_count + 1):
        cells = []
        for column in range(1, row + 1):
            card = position.at(row, column)
            hidden = card is not GONE and covering(position, pyramid_place(row, column))
            cells.append(FACE_DOWN if hidden else card)
        rows.append(tuple(cells))
    return replace(position, rows=tuple(rows))


def camera_view(played: Played, game: Game, *, pile: bool = True) -> PyramidPosition:
    """What a picture shows: no counts, no pass, of each pile its top; ``pile`` False: no foundation in the picture."""
    laid = as_laid(played.position, game)
    return PyramidPosition(
        rows=laid.rows,
        stock=laid.stock,
        turned=laid.turned if game.options.turned == "held" else GONE,
        waste=laid.waste,
        foundation=played.top if pile else None,
    )
