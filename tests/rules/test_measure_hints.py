"""What the measure of first hints looks at: tables as a player may see them, the order of the stock hidden."""

from __future__ import annotations

import pytest

from rules import measure_hints
from rules.catalogue import GAMES, PYRAMID_GAMES, ROW_GAMES, Game


@pytest.mark.parametrize("game", PYRAMID_GAMES.values(), ids=list(PYRAMID_GAMES))
def test_the_order_of_the_stock_is_hidden_and_a_lone_picture_shows_no_count(game: Game) -> None:
    deal, laid, picture = measure_hints.positions(game, 3, seed=1)
    assert all(not position.stock_cards for position in (deal, laid, picture))
    assert deal.stock_count == game.options.stock_size
    assert deal.stock_count > laid.stock_count
    assert picture.stock_count in (None, 0)
    assert (picture.pass_number, picture.gone_cards) == (None, None)


@pytest.mark.parametrize("game", ROW_GAMES.values(), ids=list(ROW_GAMES))
def test_row_games_are_looked_at_as_dealt_and_later(game: Game) -> None:
    deal, laid, picture = measure_hints.positions(game, 3, seed=1)
    assert deal != laid
    assert (picture.direction, picture.reversed) == (None, None)


def test_waits_are_told_in_milliseconds() -> None:
    waits = measure_hints.Waits((0.1, 0.3, 0.2), (0.5, 0.25, 0.125))
    assert " ".join(waits.line("x").split()) == "x processor 200 ms, most 300; clock 250 ms, most 500"


def test_every_game_has_a_line_and_a_late_answer_the_status_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure_hints, "first_answer", lambda position, game, seed, clock: None)
    assert measure_hints.main(["--positions", "3"]) == 0
    told = capsys.readouterr().out
    assert all(f"\n{name} " in told for name in GAMES)
    monkeypatch.setattr(measure_hints, "PROMISED", -1.0)
    assert measure_hints.main(["--positions", "1", "--game", "piwnica"]) == 1
