"""When a row game is over: a position told lost is lost for the search as well, whatever the options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from rules.cards import GONE, UNREADABLE, Card, Rank, Seen, Suit
from rules.catalogue import ROW_GAMES, Game
from rules.family import Thought
from rules.rows.dealing import random_deal
from rules.rows.family import RowFamily
from rules.rows.foundations import step
from rules.rows.hints import hints
from rules.rows.legality import cards_off, legal_moves, outcome, play
from rules.rows.moves import DIRECTIONS
from rules.rows.position import RowPosition
from rules.rows.search import solve

ARCYDZIELO, DOMATOR, PIWNICA, ULUBIONY = (
    ROW_GAMES[name] for name in ("arcydzielo", "nowy-domator", "piwnica", "ulubiony")
)
OPTIONS: list[tuple[str, Mapping[str, str]]] = [
    *((name, {}) for name in ROW_GAMES),
    ("arcydzielo", {"build_on_auxiliary": "no"}),
    ("arcydzielo", {"build_on_auxiliary": "no", "round_the_corner": "yes"}),
    ("piwnica", {"build_on_auxiliary": "yes"}),
    ("piwnica", {"round_the_corner": "no"}),
    ("wiezniowie-12", {"round_the_corner": "no"}),
    ("ulubiony", {"build_on_columns": "yes"}),
    ("ulubiony", {"round_the_corner": "no"}),
]
"""Every game, and the options that bear on which moves are left."""
POSITIONS = 300


def crowded(game: Game, rng: Random) -> RowPosition:
    """A position in which few moves are left because no row is empty, the cellar is full, the columns are reversed."""
    deal = random_deal(game, rng)
    position = replace(deal, direction=rng.choice(DIRECTIONS), reversed=None if deal.reversed is None else True)
    if game.row_options.bases == "centre":
        tops = [card for card in deal.bases if isinstance(card, Card)]
        chosen = {card.suit: number for number, card in enumerate(tops, start=1)}
        free = tuple(row for row in range(1, len(tops) + 1) if row not in chosen.values())
        bases = tuple(None if row in free else card for row, card in enumerate(tops, start=1))
        position = replace(position, base_cards=bases, free_centre=free)
    if game.row_options.cellar:
        position = replace(position, cellar=position.left[0][-1], left=(position.left[0][:-1], *position.left[1:]))
    return position


def last_of_a_suit(game: Game, rng: Random) -> RowPosition:
    """The last few cards of one suit, each alone in its row, most of them in auxiliary ones; the next one for the
    foundation in the cellar, or in a row or column of two."""
    shape, way, suit = game.row_options.shape, rng.choice(DIRECTIONS), rng.choice(list(Suit))
    suits, base = list(Suit), Rank.ACE if game.row_options.bases == "aces" else rng.choice(list(Rank))
    run = [base]
    while len(run) < len(Rank):
        run.append(step(run[-1], way))
    done = len(run) - rng.randint(2, 5)
    left = [Card(rank, suit) for rank in run[done:]]
    wanted, rest = left[0], left[1:]
    rng.shuffle(rest)
    rows: list[list[Seen]] = [[] for _ in range(2 * shape.rows)]
    last = [shape.rows - 1, 2 * shape.rows - 1]
    places = last + [row for row in range(2 * shape.rows) if row not in last]
    if rng.random() < 0.4:
        rng.shuffle(places)
    for row, card in zip(places, rest, strict=False):
        rows[row].append(card)
    columns: list[tuple[Seen, ...] | None] = [() if shape.column else None] * 2
    if not game.row_options.cellar:
        if shape.column and rng.random() < 0.5:
            columns[0] = (wanted,)
        else:
            rows[places[0]].insert(0, wanted)
    position = RowPosition(
        bases=tuple(Card(run[done - 1] if one == suit else run[-1], one) for one in suits),
        base_cards=tuple(Card(base, one) for one in suits),
        left=((),) * shape.rows,
        right=((),) * shape.rows,
        left_column=columns[0],
        right_column=columns[1],
        cellar=wanted if game.row_options.cellar else None,
        direction=way,
        reversed=rng.random() < 0.5 if shape.column else None,
        free_centre=() if game.row_options.bases == "centre" else None,
    )
    return with_rows(position, rows)


def with_rows(position: RowPosition, rows: list[list[Seen]]) -> RowPosition:
    halves = [tuple(row) for row in rows]
    return replace(position, left=tuple(halves[: position.row_count]), right=tuple(halves[position.row_count :]))


@pytest.mark.parametrize(("game_id", "rules"), OPTIONS)
def test_a_position_told_lost_is_lost_for_the_search_and_one_told_won_is_won(
    game_id: str, rules: Mapping[str, str]
) -> None:
    game, rng, told = ROW_GAMES[game_id].with_rules(rules), Random(61), Counter[str]()
    for number in range(POSITIONS):
        position = (crowded, last_of_a_suit)[number % 2](game, rng)
        over = outcome(position, game)
        told[over] += 1
        if over == "lost":
            assert solve(position, game).verdict == "lost", position
        if over == "open":
            assert legal_moves(position, game)
            assert cards_off(position, game)
    assert told["lost"] >= 2 and told["open"] >= 10, told


SHIFTED = {
    "base": ["10S", "KH", "KD", "KC"],
    "base_cards": ["AS", "AH", "AD", "AC"],
    "left": [[], [], [], [], ["QS"]],
    "right": [[], [], [], [], ["KS"]],
    "cellar": "JS",
    "direction": "up",
    "free_centre": [],
}
"""Three cards left: one in the locked cellar, the others alone in auxiliary half rows that nothing may be built on."""


@pytest.mark.parametrize(
    "game", [PIWNICA, ARCYDZIELO.with_rules({"build_on_auxiliary": "no"})], ids=lambda game: game.id
)
def test_outcome_the_last_card_of_an_auxiliary_row_shifted_away_opens_the_cellar(game: Game) -> None:
    position = RowPosition.from_json(SHIFTED)
    assert outcome(position, game) == "open"
    family = RowFamily()
    while family.outcome(position, game) == "open":
        position = play(position, family.hint(position, game, Random(1), Thought(samples=1))[0], game)
    assert family.outcome(position, game) == "won"


def test_outcome_is_open_where_the_table_is_not_all_seen() -> None:
    done = RowPosition.from_json(
        {"base": ["KS", "KH", "KD", "KC"], "left": [[]] * 4, "right": [[]] * 4, "direction": "up", "reversed": True}
    )
    assert (outcome(done, ULUBIONY), hints(done, ULUBIONY).verdict) == ("open", "undecided")
    assert outcome(replace(done, left_column=(), right_column=()), ULUBIONY) == "won"
    rows = replace(done, left=((),) * 5, right=((),) * 5, reversed=None)
    assert outcome(rows, ARCYDZIELO) == "open"
    assert outcome(replace(rows, cellar=GONE), ARCYDZIELO) == "won"
    last = replace(rows, bases=(UNREADABLE, *rows.bases[1:]), left=((Card.parse("KS"),), *rows.left[1:]))
    assert outcome(last, DOMATOR) == "open"
