"""Games played by policies: the same deals for each, legal moves only, and nothing that a player could not know."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import FACE_DOWN, Card
from rules.catalogue import PYRAMID_GAMES, Game, find_game
from rules.families import family_of
from rules.family import Thought
from rules.intervals import mean_interval, share_interval
from rules.pyramid.moves import Move
from rules.pyramid.position import PyramidPosition
from rules.simulation import POLICIES, Policy, choose, play_deal

QUICK = Thought(samples=4)


def permuted(truth: PyramidPosition, unseen: list[Card], rng: Random) -> PyramidPosition:
    """A fresh deal with those of its cards laid in another order."""
    order = dict(zip(unseen, rng.sample(unseen, len(unseen)), strict=True))
    rows = tuple(tuple(order.get(card, card) for card in row) for row in truth.rows)
    return replace(truth, rows=rows, stock_cards=tuple(order.get(card, card) for card in truth.stock_cards or ()))


def unseen_in(truth: PyramidPosition, view: PyramidPosition) -> list[Card]:
    """The cards that lie face down in the view."""
    lying = [card for row in truth.rows for card in row]
    shown = [card for row in view.rows for card in row]
    hidden = [card for card, seen in zip(lying, shown, strict=True) if seen is FACE_DOWN]
    return hidden + (list(truth.stock_cards or ()) if view.stock_cards is None else [])


def followed(game: Game, start: PyramidPosition, moves: list[Move]) -> tuple[PyramidPosition, PyramidPosition]:
    """The truth and the view after those moves."""
    family = family_of(game)
    truth, view = start, family.show(start, game)
    for move in moves:
        truth, view = family.play(truth, move, game), family.play(view, move, game)
        view = family.look(view, truth, game)
    return truth, view


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["pyramid", "easy-pyramid", "relaxed-pyramid", "king-tut", "math-pyramid-three"]),
    st.integers(0, 10**6),
    st.integers(0, 40),
)
def test_a_choice_is_the_same_however_the_cards_lie_that_nobody_has_seen(game_id: str, seed: int, steps: int) -> None:
    game, rng = find_game(game_id, {"passes": "2"}), Random(seed)
    family = family_of(game)
    start = family.deal(game, rng)
    moves: list[Move] = []
    truth, view = followed(game, start, moves)
    for _ in range(steps):
        if family.outcome(view, game) == "open":
            moves.append(family.fill(rng.choice(family.legal_moves(view, game)), truth))
            truth, view = followed(game, start, moves)
    _, other = followed(game, permuted(start, unseen_in(truth, view), rng), moves)
    assert other == view
    if family.outcome(view, game) != "open":
        return
    for policy in ("hint", "greedy", "random"):
        chosen = [choose(game, policy, each, Random(seed), QUICK)[0] for each in (view, other)]
        assert chosen[0] == chosen[1]
        assert chosen[0] in family.legal_moves(view, game)


@pytest.mark.parametrize("policy", ["hint", "greedy"])
@pytest.mark.parametrize("game_id", ["pyramid", "easy-pyramid"])
def test_the_first_moves_do_not_depend_on_cards_that_nobody_has_seen(policy: Policy, game_id: str) -> None:
    game = PYRAMID_GAMES[game_id]
    family = family_of(game)
    for seed in range(6):
        truth = family.deal(game, Random(seed))
        other = permuted(truth, unseen_in(truth, family.show(truth, game)), Random(seed + 1))
        assert other != truth
        views = [family.show(each, game) for each in (truth, other)]
        assert views[0] == views[1]
        choices = [choose(game, policy, view, Random(seed), QUICK) for view in views]
        assert choices[0] == choices[1]


def test_a_view_shows_what_has_been_turned_and_nothing_else() -> None:
    game = PYRAMID_GAMES["pyramid"]
    family = family_of(game)
    truth = family.deal(game, Random(3))
    view = family.show(truth, game)
    assert view.stock_cards is None
    assert all(card is FACE_DOWN for row in view.rows[:-1] for card in row)
    assert all(isinstance(card, Card) for card in view.rows[-1])
    turn = family.fill(family.legal_moves(view, game)[-1], truth)
    assert turn.cards == truth.stock_cards[:1]
    assert family.play(view, turn, game).turned == truth.stock_cards[0]


def test_after_a_redeal_the_order_of_the_stock_is_known() -> None:
    game = find_game("easy-pyramid", {"rows": "3", "total": "5"})
    family = family_of(game)
    truth = family.deal(game, Random(4))
    view = family.show(truth, game)
    while view.pass_number == 1:
        move = family.fill(family.legal_moves(view, game)[-1], truth)
        view, truth = family.play(view, move, game), family.play(truth, move, game)
    assert view.stock_cards == truth.stock_cards


@pytest.mark.parametrize("game_id", sorted(PYRAMID_GAMES))
def test_every_policy_plays_every_game_to_its_end(game_id: str) -> None:
    game = find_game(game_id, {"rows": "3"})
    for policy in POLICIES:
        found = play_deal(game, policy, 1, 7, Thought(seconds=5.0, samples=None if policy == "perfect" else 2))
        assert found.won == (found.cards_left == 0)
        assert found.decided


@pytest.mark.parametrize("policy", ["greedy", "random", "hint"])
def test_nobody_wins_a_deal_that_perfect_play_cannot_win_or_leaves_fewer_cards(policy: Policy) -> None:
    game = find_game("easy-pyramid", {"rows": "4", "total": "9"})
    won: dict[Policy, int] = {policy: 0, "perfect": 0}
    for number in range(12):
        perfect = play_deal(game, "perfect", number, 3, Thought(seconds=20.0))
        found = play_deal(game, policy, number, 3, QUICK)
        assert perfect.decided
        assert perfect.cards_left <= found.cards_left
        won[policy] += found.won
        won["perfect"] += perfect.won
    assert won["perfect"] > 0


@pytest.mark.parametrize("game_id", ["relaxed-pyramid", "wiezniowie"])
def test_perfect_play_is_timed_by_the_clock_given(game_id: str) -> None:
    hours = iter(range(0, 10**9, 3600)).__next__
    late = play_deal(find_game(game_id), "perfect", 1, 1, Thought(60.0, clock=lambda: float(hours())))
    still = play_deal(find_game(game_id), "perfect", 1, 1, Thought(60.0, clock=lambda: 0.0))
    assert (late.decided, still.decided) == (False, True)


def test_the_same_seed_gives_the_same_game() -> None:
    game: Game = PYRAMID_GAMES["easy-pyramid"]
    first, again = (play_deal(game, "hint", 2, 5, replace(QUICK, clock=iter(range(99)).__next__)) for _ in range(2))
    assert (first.won, first.cards_left, first.moves) == (again.won, again.cards_left, again.moves)


def test_intervals() -> None:
    half = share_interval(50, 100)
    assert (round(half.low, 3), half.estimate, round(half.high, 3)) == (0.404, 0.5, 0.596)
    assert share_interval(0, 0) == share_interval(0, 0)
    assert share_interval(0, 20).low == 0.0
    assert share_interval(20, 20).high == 1.0
    mean = mean_interval([1.0, 2.0, 3.0, 4.0])
    assert mean.estimate == 2.5
    assert mean.high - mean.estimate == pytest.approx(1.96 * (5 / 3) ** 0.5 / 2, abs=1e-3)


def test_english_game_with_three_cards_ends_after_a_full_pass_in_which_no_stock_card_was_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """English text, three cards turned at a time: nobody goes round the stock just to look."""

    kinds: list[str] = []

    def turning(self: object, view: PyramidPosition, game: Game, rng: Random, thought: Thought) -> tuple[Move, ...]:
        move = family_of(game).legal_moves(view, game)[-1]
        kinds.append(move.kind)
        return (move,)

    monkeypatch.setattr("rules.pyramid.family.PyramidFamily.hint", turning)
    ended = play_deal(PYRAMID_GAMES["math-pyramid-three"], "hint", 1, 1, QUICK)
    assert not ended.won
    assert kinds[: 24 // 3] == ["turn"] * (24 // 3)
    assert kinds[24 // 3 :][:1] != ["redeal"]
    assert play_deal(PYRAMID_GAMES["easy-pyramid"], "hint", 1, 1, QUICK).moves >= 24 + 1 + 24
