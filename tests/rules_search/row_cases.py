"""Row games cut down in size, dealt or in mid-game, for the search and for the brute force."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from rules.rows.board import NO_CARD, Board, BoardRow
from tests.rules_search.row_brute import Card, Row, RowRule, State

GAMES = ("arcydzielo", "nowy-domator", "wiezniowie", "wiezniowie-12", "piwnica", "ulubiony")


@dataclass(frozen=True, slots=True)
class Case:
    """One small game: for the brute force, and the same as a board."""

    game: str
    rule: RowRule
    state: State

    @property
    def board(self) -> Board:
        """The board of the search."""
        rule = self.rule
        rows, columns, centre, cellar, piles, turned = self.state
        listed = [
            BoardRow(
                _numbers(row, rule),
                refill=number < rule.main or rule.refill_auxiliary,
                build=number < rule.main or rule.build_on_auxiliary,
                unlocks=number >= rule.main,
            )
            for number, row in enumerate(rows)
        ]
        for side, column in enumerate(columns, start=1):
            cards = column[::-1] if turned else column
            listed.append(BoardRow(_numbers(cards, rule), False, rule.build_on_columns, column=side))
        listed += [BoardRow(_numbers((card,), rule), False, False, centre=True) for card in centre]
        step = 1 if rule.up else -1
        done = [
            frozenset() if base is None else frozenset((base + i * step) % rule.ranks for i in range(height))
            for base, height in piles
        ]
        held = None if not rule.cellar else NO_CARD if cellar is None else _numbers((cellar,), rule)[0]
        return Board(rule.ranks, tuple(listed), tuple(done), step, rule.corner, held, bool(columns) and not turned)


def _numbers(row: Row, rule: RowRule) -> tuple[int, ...]:
    return tuple(suit * rule.ranks + rank for suit, rank in row)


def random_case(game: str, rng: Random) -> Case:
    """A game of three to six ranks with a choice of its options; every third one is in mid-game."""
    ranks = rng.choice((3, 4, 5, 5, 6))
    rule = RowRule(
        ranks=ranks,
        main=rng.choice((1, 2, 2, 3)),
        up=rng.random() < 0.5,
        corner=game != "arcydzielo" and rng.random() < 0.6,
        cellar=game in ("arcydzielo", "piwnica"),
        refill_auxiliary=game not in ("arcydzielo", "piwnica"),
        build_on_auxiliary=game != "piwnica" and (game != "arcydzielo" or rng.random() < 0.6),
        build_on_columns=game == "ulubiony" and rng.random() < 0.5,
    )
    rest = [(suit, rank) for suit in range(4) for rank in range(ranks)]
    rng.shuffle(rest)
    common = 0 if game == "arcydzielo" else rng.randrange(ranks)
    bases: list[int | None] = [common] * 4
    if game == "piwnica":
        shown = rest[:4]
        bases = [next((rank for suit, rank in shown if suit == wanted), None) for wanted in range(4)]
    heights = [0 if base is None else rng.choice((1, 1, 1, 2, ranks - 1)) for base in bases]
    piles = list(zip(bases, heights, strict=True))
    way = 1 if rule.up else -1
    laid = {
        (suit, (base + i * way) % ranks)
        for suit, (base, height) in enumerate(piles)
        if base is not None
        for i in range(height)
    }
    free = sorted(rest[:4] if game == "piwnica" else [])
    centre = tuple(card for card in free if card not in laid and rng.random() < 0.9)
    rest = [card for card in rest if card not in laid and card not in centre]
    cellar = rest.pop() if rule.cellar and rest and rng.random() < 0.2 else None
    columns: list[Row] = []
    if game == "ulubiony":
        columns = [_taken(rest, rng.randint(0, 3)) for _ in range(2)]
    auxiliary = 0 if game in ("wiezniowie-12", "ulubiony") else 1 if game in GAMES[1:3] else 2
    small = [_taken(rest, rng.choice((0, 1, 2, 2))) for _ in range(auxiliary)]
    main: list[list[Card]] = [[] for _ in range(rule.main)]
    for i, card in enumerate(rest):
        main[i % rule.main if rng.random() < 0.8 else rng.randrange(rule.main)].append(card)
    rows = tuple(tuple(row) for row in [*main, *small])
    turned = bool(columns) and rng.random() < 0.2
    return Case(game, rule, (rows, tuple(columns), centre, cellar, tuple(piles), turned))


def _taken(cards: list[Card], count: int) -> Row:
    return tuple(cards.pop() for _ in range(min(count, len(cards))))
