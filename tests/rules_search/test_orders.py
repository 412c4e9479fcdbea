"""Moves judged over orders of a hidden stock, against the brute force."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from random import Random

import pytest

from rules.catalogue import Game, find_game
from rules.pyramid.full import FullPosition, random_deal
from rules.pyramid.legality import legal_moves
from rules.pyramid.moves import Move
from rules.pyramid.orders import Outlook, StockOrders
from rules.pyramid.search import Searcher, solve
from rules.pyramid.worlds import played
from tests.rules_search.brute import TooManyStates, fewest_left
from tests.rules_search.cases import as_brute, matched_start, random_game, random_start

CASES = 120
ORDERS = 3
FEW_STATES = 4
SAMPLED = 20


def verdicts_by_brute_force(start: FullPosition, moves: tuple[Move, ...], game: Game) -> list[str] | None:
    """What each move leads to, None where that is too large for the brute force."""
    found = []
    for move in moves:
        child = played(start, move, game.options)
        assert child is not None
        try:
            fewest = fewest_left(*as_brute(child, game), 5_000)
        except TooManyStates:
            return None
        found.append("lost" if fewest else "winnable")
    return found


@pytest.mark.parametrize("passes", [1, 2, 3, None])
def test_moves_over_several_orders_of_the_stock_are_judged_as_by_the_brute_force(passes: int | None) -> None:
    rng = Random(f"orders {passes}")
    seen: Counter[str] = Counter()
    checked = 0
    while checked < CASES:
        game = random_game(rng)
        game = replace(game, rules=replace(game.options, passes=passes))
        small = game.options.rows < 5 and not game.options.jokers and rng.random() < 0.5
        start = (matched_start if small else random_start)(game, rng)
        moves = legal_moves(start.to_position(), game)
        orders = StockOrders(start, moves, game, Searcher(game))
        cards = list(start.stock)
        for number in range(ORDERS):
            # The same generator shuffles the cards as the orders do their worths.
            Random(number).shuffle(cards)
            orders.shuffle(Random(number))
            expected = verdicts_by_brute_force(replace(start, stock=tuple(cards)), moves, game)
            if expected is None:
                break
            hasty = [orders.verdict(which, FEW_STATES) for which in range(len(moves))]
            told = [orders.verdict(which, 100_000) for which in range(len(moves))]
            assert told == expected, (game.options, start, cards)
            assert all(quick in ("undecided", right) for quick, right in zip(hasty, expected, strict=True))
            seen.update(told)
            checked += 1
    assert min(seen["winnable"], seen["lost"]) > CASES // 10


def test_moves_of_real_deals_are_judged_as_by_the_search_for_a_line() -> None:
    game = find_game("math-pyramid", {"passes": "2"})
    for number in range(6):
        start = random_deal(game, Random(f"orders {number}"))
        moves = legal_moves(start.to_position(), game)
        orders = StockOrders(start, moves, game, Searcher(game))
        cards = list(start.stock)
        Random(number).shuffle(cards)
        orders.shuffle(Random(number))
        for which, move in enumerate(moves):
            child = played(replace(start, stock=tuple(cards)), move, game.options)
            assert child is not None
            if orders.verdict(which, 10_000) != "undecided":
                assert orders.verdict(which, 10_000) == solve(child, game).verdict


def small_starts() -> Iterator[tuple[Game, FullPosition]]:
    """Deals of five and six rows of small decks, with two passes."""
    for number in count():
        rng = Random(f"outlook {number}")
        total, rows = rng.choice((("8", "5"), ("8", "6"), ("9", "6")))
        rules = {"total": total, "rows": rows, "passes": "2", "turned": rng.choice(("laid", "held"))}
        game = find_game("relaxed-pyramid", rules)
        yield game, random_deal(game, rng)


def test_a_turn_is_judged_by_the_best_choice_for_all_orders_with_the_same_next_card() -> None:
    uncertain = 0
    for game, start in islice(small_starts(), 60):
        moves = legal_moves(start.to_position(), game)
        (turn,) = (number for number, move in enumerate(moves) if move.kind == "turn")
        searcher = Searcher(game)
        orders = StockOrders(start, moves, game, searcher)
        outlook, order = Outlook(orders, searcher), list(start.stock)
        won: dict[int, Counter[tuple[str, tuple[str, ...]]]] = defaultdict(Counter)
        for number in range(SAMPLED):
            # The same generator shuffles the cards as the orders do their worths.
            Random(number).shuffle(order)
            orders.shuffle(Random(number))
            assert orders.next_worth() == order[0].worth
            outlook.look(100_000)
            child = played(replace(start, stock=tuple(order)), moves[turn], game.options)
            assert child is not None
            for move in legal_moves(child.to_position(), game):
                after = played(child, move, game.options)
                assert after is not None
                # Cards of one worth are one card to the player's choice.
                won[order[0].worth][move.kind, move.places] += solve(after, game).verdict == "winnable"
        expected = sum(max(counts.values(), default=0) for counts in won.values()) / SAMPLED
        assert outlook.share(turn) == pytest.approx(expected), (game.options, start)
        uncertain += 0 < expected < 1
    assert uncertain > 2


def test_who_sees_one_card_ahead_hopes_for_no_more_than_who_knows_the_order() -> None:
    game = find_game("math-pyramid", {"passes": "2"})
    for number in range(4):
        start = random_deal(game, Random(f"outlook {number}"))
        moves = legal_moves(start.to_position(), game)
        searcher = Searcher(game)
        orders = StockOrders(start, moves, game, searcher)
        outlook, rng, known = Outlook(orders, searcher), Random(number), Counter[int]()
        for _ in range(20):
            orders.shuffle(rng)
            known.update(move for move, told in outlook.look(2_000).items() if told == "winnable")
        for which in range(len(moves)):
            share = outlook.share(which)
            assert share is not None
            assert share <= known[which] / 20 + 1e-9
