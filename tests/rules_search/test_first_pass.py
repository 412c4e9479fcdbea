"""Moves in the first of two passes: keys as the search would make them, and choices next to the best possible."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules.cards import GONE, Card
from rules.catalogue import Game, find_game
from rules.pyramid import core
from rules.pyramid.findings import Budget
from rules.pyramid.first_pass import FirstPass, coded, suits_first_pass
from rules.pyramid.full import FullPosition, random_deal
from rules.pyramid.hints import hints
from rules.pyramid.legality import legal_moves
from rules.pyramid.moves import Move
from rules.pyramid.position import PyramidPosition
from rules.pyramid.relaxed import STOCK_BITS
from rules.pyramid.search import Searcher
from rules.pyramid.tables import task_of
from rules.pyramid.worlds import played

SMALL_RULES = {"rows": "5", "total": "10", "passes": "2"}


def moves_of(world: FullPosition, game: Game) -> list[Move]:
    """The legal moves but for turning the waste over."""
    return [move for move in legal_moves(world.to_position(), game) if move.kind != "redeal"]


def random_start(game: Game, rng: Random, unseen: int) -> FullPosition:
    """A position in which so many cards are still to be turned, after random play that rather removes than turns."""
    world = random_deal(game, rng)
    while len(world.stock) > unseen:
        moves = moves_of(world, game)
        removals = [move for move in moves if move.kind != "turn"]
        move = rng.choice(removals if removals and rng.random() < 0.7 else moves)
        world = played(world, move, game.options) or world
    return world


@pytest.mark.parametrize("turned", ["laid", "held"])
@pytest.mark.parametrize("overlap", ["no", "yes"])
def test_keys_of_moves_tell_what_the_position_after_them_tells(turned: str, overlap: str) -> None:
    game, rng, kinds = (
        find_game("math-pyramid", {"turned": turned, "passes": "2", "overlap": overlap}),
        Random(5),
        set(),
    )
    for _ in range(40):
        world = random_start(game, rng, rng.randint(1, 24))
        task = task_of(world, game.options)
        bits = int(task.rules[STOCK_BITS])
        for move in moves_of(world, game):
            child = task_of(played(world, move, game.options) or world, game.options)
            key, taken = coded(task, move)
            remaining = [card for card in range(bits) if key >> 9 + card & 1]
            shown = [card for card in remaining if card < key >> 3 & 63]
            assert [task.stock[card] for card in remaining] == list(child.stock)
            assert len(shown) == child.key >> 3 & 63
            assert key & 0b111 == child.key & 0b111
            assert task.counts - taken == child.counts
            assert core.cards_left(key, task.rules, task.shapes.left) == core.cards_left(
                child.key, child.rules, child.shapes.left
            )
            kinds.add((move.kind, *(place.split()[0] for place in move.places)))
    assert {
        ("turn",),
        ("pair", "pyramid", "pyramid"),
        ("pair", "pyramid", "waste" if turned == "laid" else "turned"),
    } <= {kind[:1] if kind[0] == "turn" else kind for kind in kinds}


class Expectation:
    """The chance to win of a player who makes the best of what he knows: every order of the unseen cards tried."""

    def __init__(self, game: Game) -> None:
        self._game, self._searcher = game, Searcher(game)
        self._known: dict[FullPosition, float] = {}

    def after(self, world: FullPosition, move: Move) -> float:
        """The chance after a move; ``world`` holds the unseen cards in any order."""
        if move.kind != "turn":
            return self.of(played(world, move, self._game.options) or world)
        total = 0.0
        for number, card in enumerate(world.stock):
            others = (*world.stock[:number], *world.stock[number + 1 :])
            total += self.of(played(replace(world, stock=(card, *others)), move, self._game.options) or world)
        return total / len(world.stock)

    def of(self, world: FullPosition) -> float:
        """The chance before the next move."""
        world = replace(world, stock=tuple(sorted(world.stock, key=str)))
        if not world.stock:
            return float(self._searcher.solve(world).verdict == "winnable")
        if not any(card for row in world.rows for card in row):
            return 1.0
        if world not in self._known:
            self._known[world] = max(self.after(world, move) for move in moves_of(world, self._game))
        return self._known[world]


def test_choices_cost_little_against_one_who_tries_every_order() -> None:
    game, rng = find_game("math-pyramid", SMALL_RULES), Random(8)
    truth, searcher = Expectation(game), Searcher(game)
    lost, lost_by_worst, cases = 0.0, 0.0, 0
    for _ in range(150):
        world = random_start(game, rng, 4)
        moves = moves_of(world, game)
        chances = [truth.after(world, move) for move in moves]
        if max(chances) == min(chances):
            continue
        race = FirstPass(world, moves, [True] * len(moves), game, searcher)
        race.race(100, 1000, Random(1))
        counts = [race.counts(number) for number in range(len(moves))]
        chosen = max(range(len(moves)), key=lambda number: counts[number][:2])
        lost += max(chances) - chances[chosen]
        lost_by_worst += max(chances) - min(chances)
        cases += 1
    assert cases >= 5
    assert lost < 0.1 * lost_by_worst


def test_only_the_last_but_one_of_a_number_of_passes_is_raced() -> None:
    two, three = find_game("easy-pyramid"), find_game("easy-pyramid", {"passes": "3"})
    assert suits_first_pass(two, 1)
    assert not suits_first_pass(two, 2)
    assert not suits_first_pass(three, 1)
    assert suits_first_pass(three, 2)
    assert not suits_first_pass(find_game("easy-pyramid", {"passes": "unlimited"}), 1)
    assert not suits_first_pass(find_game("easy-pyramid", {"turned": "held"}), 1)
    assert not suits_first_pass(find_game("easy-pyramid", {"draw": "3"}), 1)
    assert not suits_first_pass(find_game("easy-pyramid", {"goal": "all"}), 1)


def test_a_card_leaves_at_once_with_the_last_partner_it_has() -> None:
    """Every win takes that pair, and nothing is made harder by taking it now."""
    game = find_game("easy-pyramid", {"rows": "3"})
    rows = tuple(tuple(Card.parse(code) for code in row.split()) for row in ("5S", "8S 3S", "4H 9D 7D"))
    lying = {*(card for row in rows for card in row), *map(Card.parse, ("8H", "10S", "6D", "5C"))}
    gone = tuple(card for card in game.options.deck if card not in lying)
    position = PyramidPosition(
        rows, stock_count=4, waste_cards=(), turned=GONE, foundation=gone[-1], gone_cards=gone, pass_number=1
    )
    answer = hints(position, game, rng=Random(1), budget=Budget(worlds=20))
    assert str(answer.hints[0].move) == "pair 4H 9D"
    turned = next(hint for hint in answer.hints if hint.move.kind == "turn")
    assert turned.win.estimate == answer.hints[0].win.estimate
