"""Looks at another table in between, and moves that looks in between did not show, lose nothing of a game."""

from random import Random

import pytest

from rules.catalogue import GAMES
from rules.families import family_of
from rules.following import belief as following
from rules.looks import explain_by_moves, lying
from tests.rules.test_following import EASY, Played, begun, seen

PASSING = GAMES["relaxed-pyramid"]


def another(seed: int) -> Played:
    other = Played(PASSING, seed)
    for _ in range(6):
        other.move()
    return other


def test_two_looks_at_a_neighbours_game_do_not_lose_ones_own() -> None:
    played, belief = begun(PASSING, 6)
    assert played.move()
    belief = following.followed(belief, seen(played.look()))
    made = belief.best.moves
    other = another(77)
    belief = following.followed(belief, seen(other.look()))
    assert belief.best.event.kind == "another-table"
    assert other.move()
    belief = following.followed(belief, seen(other.look()))
    assert [move.kind for move in belief.best.event.moves] == [other.moves[-1].kind]
    belief = following.followed(belief, seen(played.look()))
    assert (belief.best.moves, belief.best.event.kind) == (made, "nothing")
    assert dict(lying(belief.best.position))["pyramid 1 1"] == played.look()["pyramid 1 1"]


def test_a_table_seen_often_enough_is_the_game_then() -> None:
    played, belief = begun(PASSING, 6)
    other = another(77)
    for _ in range(4):
        belief = following.followed(belief, seen(other.look()))
        assert other.move()
    belief = following.followed(belief, seen(played.look()))
    assert belief.best.event.kind == "another-table"


@pytest.mark.parametrize("name", ["arcydzielo", "piwnica", "ulubiony"])
def test_as_many_more_moves_are_looked_for_in_half_rows_as_looks_showed_nothing(name: str) -> None:
    game, far = GAMES[name], 0
    family = family_of(game)
    for seed in range(8):
        rng = Random(seed)
        before = after = family.deal(game, rng)
        for _ in range(6):
            legal = family.legal_moves(after, game)
            after = family.play(after, rng.choice(legal), game) if legal else after
        if explain_by_moves(before, after, game) is not None:
            continue
        far += 1
        told = explain_by_moves(before, after, game, hidden=2)
        assert told is not None and 4 < len(told.moves) <= 6
        reached = before
        for move in told.moves:
            reached = family.play(reached, move, game)
        assert dict(lying(reached)) == dict(lying(after))
    assert far > 1


@pytest.mark.parametrize("name", EASY)
def test_two_looks_at_tables_that_differ_from_each_other_as_well_do_not_end_a_game(name: str) -> None:
    played, belief = begun(GAMES[name], 3)
    assert played.move()
    belief = following.followed(belief, seen(played.look()))
    made = belief.best.moves
    for seed in (71, 72):
        other, _ = begun(GAMES[name], seed)
        for _ in range(6):
            other.move()
        belief = following.followed(belief, seen(other.look()))
    belief = following.followed(belief, seen(played.look()))
    assert belief.best.event.kind in ("nothing", "misread") and belief.best.moves == made
