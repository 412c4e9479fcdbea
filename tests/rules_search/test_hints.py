"""Hints: exact where all is known, honest where it is not, and never using what a player cannot know."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card
from rules.catalogue import PYRAMID_GAMES, find_game
from rules.errors import PositionError
from rules.hint_parts import CERTAIN_LOSS, Win
from rules.pyramid.findings import Budget
from rules.pyramid.full import FullPosition, random_deal
from rules.pyramid.hint_records import REASONS
from rules.pyramid.hints import hints, improving_hints, partners_of
from rules.pyramid.legality import legal_moves, outcome, play
from rules.pyramid.position import PyramidPosition
from tests.rules_search.brute import TooManyStates, fewest_left
from tests.rules_search.cases import as_brute, random_game, random_start

SMALL = Budget(worlds=6, states=500)


def cards(text: str) -> tuple[Card | None, ...]:
    """Cards of a text; ``--`` is an empty place."""
    return tuple(None if code == "--" else Card.parse(code) for code in text.split())


def shown(deal: FullPosition) -> PyramidPosition:
    """A fresh face-up deal as a picture shows it: the stock is there, its order is not known."""
    return PyramidPosition(
        deal.to_position().rows, stock_count=len(deal.stock), waste=GONE, turned=GONE, foundation=GONE
    )


def test_known_positions_agree_with_the_brute_force() -> None:
    rng = Random(31)
    checked = 0
    while checked < 60:
        game = random_game(rng)
        start = random_start(game, rng)
        try:
            fewest = fewest_left(*as_brute(start, game), 3000)
        except TooManyStates:
            continue
        position = start.to_position()
        found = hints(position, game, rng=Random(0), budget=Budget(states=100_000))
        if outcome(position, game) == "open":
            assert found.verdict == ("lost" if fewest else "winnable"), (game.options, start)
        if found.hints and found.verdict == "lost":
            assert found.hints[0].cards_left == fewest
        if found.hints and found.verdict == "winnable":
            line = found.hints[0].line
            for move in line:
                position = play(position, move, game)
            assert outcome(position, game) == "won"
            lengths = [len(hint.line) for hint in found.hints if hint.line]
            assert lengths == sorted(lengths)
        checked += 1


@pytest.mark.parametrize("game_id", sorted(PYRAMID_GAMES))
def test_every_legal_move_is_listed_once_with_a_known_reason(game_id: str) -> None:
    game = find_game(game_id)
    deal = random_deal(game, Random(2))
    for position in (deal.to_position(), shown(deal), PyramidPosition(deal.to_position().rows)):
        found = hints(position, game, rng=Random(1), budget=SMALL)
        assert sorted(map(str, legal_moves(position, game))) == sorted(str(hint.move) for hint in found.hints)
        assert all(hint.reason.code in REASONS for hint in found.hints)
        assert all(hint.win.low <= hint.win.estimate <= hint.win.high for hint in found.hints)


def test_unknown_order_of_the_stock_is_never_looked_at() -> None:
    game = find_game("easy-pyramid")
    deal = random_deal(game, Random(9))
    again = replace(deal, stock=tuple(reversed(deal.stock)))
    answers = [hints(shown(each), game, rng=Random(4), budget=SMALL) for each in (deal, again)]
    assert answers[0].hints == answers[1].hints
    assert answers[0].worlds == 6


def test_nothing_that_rests_on_a_guess_is_called_proven() -> None:
    game = find_game("math-pyramid")
    rng, guessed = Random(12), 0
    for _ in range(5):
        found = hints(shown(random_deal(game, rng)), game, rng=Random(1), budget=SMALL)
        proven = [hint for hint in found.hints if hint.certainty == "proven"]
        assert all(hint.win == CERTAIN_LOSS for hint in proven)
        guessed += len(found.hints) - len(proven)
    assert guessed > 0


def test_unlimited_passes_are_proven_without_knowing_the_order_of_the_stock() -> None:
    game = find_game("math-pyramid", {"passes": "unlimited"})
    rng = Random(6)
    verdicts = set()
    for _ in range(8):
        deal = random_deal(game, rng)
        open_cards = hints(deal.to_position(), game, rng=Random(1))
        hidden = hints(shown(deal), game, rng=Random(1), budget=SMALL)
        assert hidden.verdict == open_cards.verdict
        if hidden.verdict == "winnable":
            assert hidden.hints[0].certainty == "proven"
            assert hidden.hints[0].win == Win(1.0, 1.0, 1.0)
        verdicts.add(hidden.verdict)
    assert verdicts == {"winnable", "lost"}


def test_a_free_king_comes_first_when_turning_one_card_at_a_time() -> None:
    game = find_game("math-pyramid", {"rows": "3"})
    deal = FullPosition(
        (cards("5S"), cards("2S 3S"), cards("KH 6D 7D")),
        tuple(card for card in game.options.deck if str(card) not in {"5S", "2S", "3S", "KH", "6D", "7D"}),
    )
    found = hints(shown(deal), game, rng=Random(1), budget=SMALL)
    assert str(found.hints[0].move) == "single KH"
    assert found.hints[0].reason.code == "king-alone"


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


def test_turning_or_redealing_is_the_hint_when_nothing_can_be_removed() -> None:
    game = find_game("math-pyramid", {"rows": "3", "passes": "2"})
    rows = (cards("5S"), cards("2S 3S"), cards("4H 5D 7D"))
    turn = hints(FullPosition(rows, cards("6C KC 8S")).to_position(), game, rng=Random(1))
    assert [hint.move.kind for hint in turn.hints] == ["turn"]
    assert turn.hints[0].reason.code == "nothing-else"
    redeal = hints(FullPosition(rows, (), cards("8S KC 5C")).to_position(), game, rng=Random(1))
    assert [hint.move.kind for hint in redeal.hints] == ["redeal"]
    over = hints(FullPosition(rows, (), cards("8S KC 5C"), None, 2).to_position(), game, rng=Random(1))
    assert (over.hints, over.verdict) == ((), "lost")


def test_norwegian_rules_win_with_cards_left_in_stock_and_need_no_hint() -> None:
    rows = tuple((None,) * size for size in range(1, 8))
    found = hints(FullPosition(rows, cards("6C KC")).to_position(), find_game("relaxed-pyramid"), rng=Random(1))
    assert (found.hints, found.verdict) == ((), "winnable")


def test_reasons_name_the_cards() -> None:
    game = find_game("math-pyramid", {"rows": "3"})
    full = FullPosition((cards("5S"), cards("8S 3S"), cards("4H 9D 7D")), cards("6C"), cards("6H"))
    found = {str(hint.move): hint for hint in hints(full.to_position(), game, rng=Random(1)).hints}
    tied = replace(full.to_position(), gone_cards=tuple(c for c in game.options.deck if str(c) in {"9S", "9H", "9C"}))
    only = {str(hint.move): hint.reason for hint in hints(tied, game, rng=Random(1)).hints}
    assert found["pair 4H 9D"].reason.code == "frees"
    assert found["pair 4H 9D"].reason.cards == cards("8S")
    assert only["pair 4H 9D"].code == "only-partner-left"
    assert only["pair 4H 9D"].cards == cards("4H")


def test_doubtful_places_a_hint_rests_on_are_named() -> None:
    game = find_game("math-pyramid", {"rows": "3"})
    full = FullPosition((cards("5S"), cards("8S 3S"), cards("4H 9D 7D")), cards("6C"), cards("6H"))
    found = hints(full.to_position(), game, rng=Random(1), doubtful=("pyramid 3 1", "pyramid 1 1"))
    for hint in found.hints:
        needed = {"pyramid 3 1", "pyramid 1 1"} if hint.certainty == "proven" else set(hint.move.places)
        assert set(hint.depends_on) == needed & {"pyramid 3 1", "pyramid 1 1"}


def test_face_down_and_unread_cards_are_sampled() -> None:
    game = find_game("pyramid")
    deal = random_deal(game, Random(3)).to_position()
    rows = tuple(tuple(FACE_DOWN for _ in row) for row in deal.rows[:-1])
    found = hints(PyramidPosition((*rows, deal.rows[-1])), game, rng=Random(1), budget=SMALL)
    assert found.verdict == "undecided"
    assert "proven" not in {hint.certainty for hint in found.hints}
    bottom = (UNREADABLE, *deal.rows[-1][1:])
    unread = hints(PyramidPosition((*rows, bottom)), game, rng=Random(1), budget=SMALL)
    assert all("pyramid 7 1" not in hint.move.places for hint in unread.hints)


def test_a_position_that_cannot_be_is_told_by_its_cards_and_places() -> None:
    game = find_game("math-pyramid-ten", {"rows": "3"})
    rows = FullPosition((cards("5S"), cards("8S 3S"), cards("4H 9D 4H"))).to_position().rows
    with pytest.raises(PositionError, match=r"4H lies there 2 times \(pyramid 3 1 and pyramid 3 3\)"):
        hints(PyramidPosition(rows), game, rng=Random(1), budget=SMALL)
    foreign = ((GONE,), *rows[1:2], (*rows[2][:2], Card.parse("KC")))
    with pytest.raises(PositionError, match=r"KC \(pyramid 3 3\) is no card of the deck of math-pyramid-ten"):
        hints(PyramidPosition(foreign), game, rng=Random(1), budget=SMALL)
    full = (*rows[:2], (*rows[2][:2], Card.parse("2C")))
    with pytest.raises(PositionError, match="41 cards are told of, the deck of math-pyramid-ten has 40"):
        hints(PyramidPosition(full, stock_count=35), game, rng=Random(1), budget=SMALL)
    with pytest.raises(PositionError, match="math-pyramid-ten has 6 rows, the position has 3"):
        hints(PyramidPosition(full), find_game("math-pyramid-ten"), rng=Random(1), budget=SMALL)


def test_better_answers_follow_the_first() -> None:
    game = find_game("easy-pyramid")
    ticks = iter(range(10**9))
    answers = list(
        improving_hints(
            shown(random_deal(game, Random(11))), game, rng=Random(1), seconds=2.0, clock=lambda: next(ticks) * 0.05
        )
    )
    assert len(answers) >= 2
    assert answers[-1].worlds > answers[0].worlds


def test_answers_end_when_more_samples_would_tell_nothing_new() -> None:
    game = find_game("math-pyramid", {"rows": "3"})
    deal = shown(random_deal(game, Random(5)))
    enough = list(improving_hints(deal, game, rng=Random(1), seconds=1e9))
    assert enough[-1].worlds == 1600


def test_partners_of_a_card() -> None:
    game = find_game("math-pyramid", {"rows": "3"})
    position = FullPosition((cards("5S"), cards("8S 3S"), cards("4H 9D 9C")), cards("6C"), cards("9H")).to_position()
    found = {move.places[1] for move in partners_of(position, game, "pyramid 3 1")}
    assert found == {"pyramid 3 2", "pyramid 3 3", "waste"}


def test_wilson_interval_of_no_and_of_all_wins() -> None:
    none, every = Win.of_counts(0, 0, 8), Win.of_counts(8, 0, 8)
    assert none.low == 0.0
    assert none.high == pytest.approx(0.3244, abs=1e-3)
    assert every.high == 1.0
    assert every.low == pytest.approx(1 - 0.3244, abs=1e-3)
