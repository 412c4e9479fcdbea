"""Tables of the row family for tests: fresh deals, positions in mid-game, random play, what a camera sees of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from rules.cards import GONE, Card, Rank, Seen, Suit
from rules.catalogue import Game
from rules.rows.dealing import random_deal
from rules.rows.foundations import step
from rules.rows.legality import legal_moves, play
from rules.rows.moves import DIRECTIONS, RowMove
from rules.rows.position import RowPosition
from rules.rows.shapes import BASES


def mid_game(game: Game, rng: Random) -> RowPosition:
    """A position in mid-game: foundations grown to random heights, the other cards anywhere the game may hold them."""
    options, way = game.row_options, rng.choice(DIRECTIONS)
    suits = rng.sample(list(Suit), BASES)
    common = Rank.ACE if options.bases == "aces" else rng.choice(list(Rank))
    tops, bases, rest = list[Seen](), list[Card](), list[Card]()
    most = rng.choice((2, 6, 10, 13))
    for suit in suits:
        rank = rng.choice(list(Rank)) if options.bases == "centre" else common
        run = [rank]
        while len(run) < 13:
            run.append(step(run[-1], way))
        height = rng.randint(1, most)
        bases.append(Card(rank, suit))
        tops.append(Card(run[height - 1], suit))
        rest += [Card(one, suit) for one in run[height:]]
    return _spread(game, rng, rest, (tops, bases, way))


def _spread(game: Game, rng: Random, rest: list[Card], column: tuple[list[Seen], list[Card], str]) -> RowPosition:
    """The cards off the foundations, some of them in runs, spread over rows, columns, cellar and the middle."""
    options, shape = game.row_options, game.row_options.shape
    tops, bases, way = column
    rng.shuffle(rest)
    if rng.random() < 0.5:
        rest.sort(key=lambda card: (str(card.suit), card.worth, rng.random()))
    columns = [[rest.pop() for _ in range(min(len(rest), rng.randint(0, shape.column)))] for _ in range(2)]
    cellar: Seen = rest.pop() if options.cellar and rest and rng.random() < 0.5 else GONE
    free = options.bases == "centre" and rng.random() < 0.3
    if free and rest:
        # One suit has no foundation: all its cards lie about, and a place of the middle is free.
        rest += _torn_down(tops, bases, way)
    rows: list[list[Card]] = [[] for _ in range(2 * shape.rows)]
    open_rows = [row for row in rows if rng.random() < 0.7] or rows[:1]
    cuts = sorted(rng.randint(0, len(rest)) for _ in range(len(open_rows) - 1))
    for row, start, end in zip(open_rows, [0, *cuts], [*cuts, len(rest)], strict=True):
        row += rest[start:end]
    if shape.auxiliary and not options.build_on_auxiliary:
        # Nothing is built on auxiliary half rows, so they hold no more cards than dealt.
        for row in (rows[shape.rows - 1], rows[-1]):
            rows[0] += row[shape.left[-1] :]
            del row[shape.left[-1] :]
    halves = [tuple(row) for row in rows]
    return RowPosition(
        bases=tuple(tops),
        base_cards=tuple(base if top is not GONE else None for base, top in zip(bases, tops, strict=True)),
        left=tuple(halves[: shape.rows]),
        right=tuple(halves[shape.rows :]),
        left_column=tuple(columns[0]) if shape.column else None,
        right_column=tuple(columns[1]) if shape.column else None,
        cellar=cellar if options.cellar else None,
        direction="up" if way == "up" else "down",
        reversed=rng.random() < 0.5 if shape.column else None,
        free_centre=() if options.bases == "centre" else None,
    )


def _torn_down(tops: list[Seen], bases: list[Card], way: str) -> list[Card]:
    top, base = tops[0], bases[0]
    assert isinstance(top, Card) and top.rank is not None and base.rank is not None
    run = [base]
    while run[-1] != top:
        rank = run[-1].rank
        assert rank is not None
        run.append(Card(step(rank, "up" if way == "up" else "down"), base.suit))
    tops[0] = GONE
    return run


def some_position(game: Game, rng: Random) -> RowPosition:
    """A fresh deal, with or without a direction, or a position in mid-game."""
    if rng.random() < 0.4:
        deal = random_deal(game, rng)
        return replace(deal, direction=rng.choice((None, *DIRECTIONS)))
    return mid_game(game, rng)


def random_steps(game: Game, rng: Random) -> Iterator[tuple[RowPosition, RowMove, RowPosition]]:
    """Random legal steps without end, from one start after another: the position before, the move, the one after."""
    while True:
        position = some_position(game, rng)
        for _ in range(12):
            moves = legal_moves(position, game)
            if not moves:
                break
            move = rng.choice(moves)
            after = play(position, move, game)
            yield position, move, after
            position = after


def camera_view(position: RowPosition) -> RowPosition:
    """What a picture shows: the cards, but no choice and no reversal, and of a foundation only its top."""
    return replace(position, base_cards=(None,) * BASES, direction=None, reversed=None, free_centre=None)


def mirrored(position: RowPosition) -> RowPosition:
    """The table with left and right exchanged."""
    return replace(
        position,
        left=position.right,
        right=position.left,
        left_column=position.right_column,
        right_column=position.left_column,
    )


def mirrored_move(move: RowMove) -> RowMove:
    """The same move on the mirrored table."""
    swap = {"left": "right", "right": "left"}
    places = tuple(" ".join(swap.get(word, word) for word in place.split()) for place in move.places)
    return RowMove(move.kind, move.cards, places)
