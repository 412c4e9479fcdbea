"""What the measure of shortest lines looks at and tells."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from rules import measure_shortest
from rules.catalogue import find_game
from rules.families import family_of


@pytest.mark.parametrize("game_id", ["king-tut", "wiezniowie"])
def test_positions_are_so_many_moves_into_a_deal_with_every_card_known(game_id: str) -> None:
    game = find_game(game_id)
    for number in (0, 5):
        for position in islice(measure_shortest.positions(game, number, Random(1)), 6):
            assert position is None or family_of(game).unseen(position) == 0
    dealt, moved = (next(measure_shortest.positions(game, number, Random(1))) for number in (0, 5))
    assert dealt != moved


def test_proofs_are_counted_by_the_time_that_they_took() -> None:
    told = measure_shortest.Proofs(90, (0.5, None, 1.0, 4.0, 10.5), (40, 41, 42, 43, 44)).line("x")
    assert " ".join(told.split()) == (
        "x 5 of 90 deals can be won then; proven within 1 s 2, 10 s 3; median 2500 ms, most 10500;"
        " 42.0 moves on average"
    )


def test_a_game_has_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert measure_shortest.main(["--positions", "2", "--game", "tuts-tomb"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.split()[:3] == ["tuts-tomb", "2", "of"]
