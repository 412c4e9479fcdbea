"""Random positions and rule sets for the search tests, small enough for the brute force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from rules.cards import Card
from rules.catalogue import PYRAMID_GAMES, Game, find_game
from rules.options import Options
from rules.pyramid.full import FullPosition
from tests.rules_search.brute import Rule, State


def random_game(rng: Random) -> Game:
    """Any combination of options with a pyramid of three to five rows."""
    rows = rng.choice((3, 3, 3, 4, 4, 5))
    draw = rng.choice((1, 1, 3))
    options = Options(
        total=rng.choice((5, 6, 7, 8, 9, 10, 13)),
        rows=rows,
        turned="laid" if draw == 3 else rng.choice(("laid", "held")),
        passes=rng.choice((1, 2, 3, None)),
        draw=draw,
        goal=rng.choice(("pyramid", "pyramid", "all")),
        turn_when=rng.choice(("always", "always", "stuck")),
        overlap=rng.random() < 0.3,
        jokers=rng.choice((0, 0, 0, 2, 3)),
    )
    return replace(PYRAMID_GAMES["math-pyramid"], rules=options)


def sized_game(rules: Mapping[str, str], rng: Random) -> Game:
    """A game under those rules with a pyramid of three to seven rows and a deck that may be smaller."""
    rows = rng.choice((3, 3, 3, 4, 4, 5, 6, 7))
    total = rng.choice((6, 8, 10, 13)) if rows < 6 else 13
    return find_game("math-pyramid", {"rows": str(rows), "total": str(total), **rules})


def random_start(game: Game, rng: Random) -> FullPosition:
    """A position that may be in mid-game: gaps from below, some cards gone, a waste, a held card, a later pass."""
    options = game.options
    cards = list(options.deck)
    rng.shuffle(cards)
    rows: list[list[Card | None]] = [[cards.pop() for _ in range(size)] for size in range(1, options.rows + 1)]
    for _ in range(rng.choice((0, 0, 2, 4, 6)) + max(0, (options.rows - 4) * 6)):
        free = [(r, c) for r, row in enumerate(rows) for c, card in enumerate(row) if card and _is_free(rows, r, c)]
        row, column = rng.choice(free)
        if row:
            rows[row][column] = None
    outside = cards[: rng.randint(3, 16 if options.rows == 3 else 11)]
    lying = rng.choice((0, 0, 0, 1, 2, 3))
    waste, stock = outside[:lying], outside[lying:]
    turned = waste.pop() if options.turned == "held" and waste and rng.random() < 0.6 else None
    number = rng.randint(1, options.passes) if options.passes else rng.randint(1, 4)
    return FullPosition(tuple(map(tuple, rows)), tuple(stock), tuple(waste), turned, number)


def matched_start(game: Game, rng: Random) -> FullPosition:
    """A position with a whole pyramid of three or four rows and a few cards beside it, every one of which has a
    partner somewhere or leaves alone: only so can all cards go."""
    size, total = game.options.pyramid_size, game.options.total
    pool = list(game.options.deck)
    rng.shuffle(pool)
    units: list[tuple[Card, ...]] = [(card,) for card in pool if card.worth == total]
    lower = [card for card in pool if 2 * card.worth < total]
    upper = [card for card in pool if 2 * card.worth > total and card.worth < total]
    for card in lower:
        partner = next(other for other in upper if other.worth == total - card.worth)
        upper.remove(partner)
        units.append((card, partner))
    rng.shuffle(units)
    cards: list[Card] = []
    wanted = size + rng.randint(0, 10)
    while len(cards) < wanted:
        cards += units.pop()
    rng.shuffle(cards)
    rows = tuple(tuple(cards.pop() for _ in range(length)) for length in range(1, game.options.rows + 1))
    return FullPosition(rows, tuple(cards))


def _is_free(rows: list[list[Card | None]], row: int, column: int) -> bool:
    return row + 1 == len(rows) or (rows[row + 1][column] is None and rows[row + 1][column + 1] is None)


def as_brute(start: FullPosition, game: Game) -> tuple[State, Rule]:
    """The same position for the brute force."""
    options = game.options
    redeals = None if options.passes is None else options.passes - start.pass_number
    pyramid = tuple(None if card is None else card.worth for row in start.rows for card in row)
    held = None if start.turned is None else start.turned.worth
    state = (pyramid, tuple(c.worth for c in start.stock), tuple(c.worth for c in start.waste), held, redeals)
    return state, Rule(
        total=options.total,
        rows=options.rows,
        held=options.turned == "held",
        draw=options.draw,
        goal_all=options.goal == "all",
        stuck=options.turn_when == "stuck",
        overlap=options.overlap,
    )
