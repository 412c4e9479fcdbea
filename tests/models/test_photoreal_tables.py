"""Tables before they are rendered: cards where the one geometry says, and the sample pictures' truths."""

from __future__ import annotations

import importlib.resources
import itertools
import json
import random
from dataclasses import replace
from typing import Any

import pytest

from models.training.photoreal import row_tables, tables
from rules.catalogue import GAMES, ROW_GAMES
from rules.families import family_of
from rules.layouts import LAYOUTS
from rules.rows.faults import layout_faults
from rules.rows.moves import RowMove
from rules.rows.position import RowPosition

SAMPLES = importlib.resources.files("sample_images")
HEIGHT = 1.4


def truths() -> dict[str, dict[str, Any]]:
    found = {p.name: json.loads(p.read_text("utf-8")) for p in SAMPLES.iterdir() if p.name.endswith(".json")}
    return {name: truth for name, truth in found.items() if truth["game"] in ROW_GAMES}


def neat(habits: tables.Habits) -> tables.Habits:
    return replace(habits, jitter=0.0, turn_degrees=0.0, uneven=0.0)


def laid(game_id: str, seed: int, steps: int) -> tuple[row_tables.RowState, tables.Habits, tables.Table]:
    game, rng = GAMES[game_id], random.Random(seed)
    state = row_tables.play(row_tables.deal(game, rng), game, steps)
    habits = row_tables.habits_drawn(rng, LAYOUTS[game.layout], HEIGHT)
    return state, habits, row_tables.lay(state, game, habits, seed)


@pytest.mark.parametrize("kind", ["pyramid_up", "ten"])
def test_a_photoreal_pyramid_lies_in_rows_each_half_over_the_one_above(kind: str) -> None:
    rng = random.Random(3)
    habits = neat(tables.Habits.drawn(rng, HEIGHT))
    table = tables.lay(tables.deal(tables.KINDS[kind], rng), tables.KINDS[kind], habits, 3)
    column, row = habits.pitches["column"], habits.pitches["row"] * HEIGHT
    cards = [card for card in table.cards if card.slot[0] == "tableau"]
    assert len(cards) == sum(range(1, tables.KINDS[kind].rows + 1))
    for card in cards:
        _, r, c = (int(part) if isinstance(part, int) else 0 for part in card.slot)
        assert (card.x, card.y) == pytest.approx(((c - r / 2) * column, -r * row))
    stock = next(card for card in table.cards if card.slot[0] == "stock")
    assert stock.y == pytest.approx(min(card.y for card in cards) - HEIGHT - habits.gap)


@pytest.mark.parametrize("game_id", ROW_GAMES)
@pytest.mark.parametrize("steps", [0, 25])
def test_a_photoreal_row_table_holds_the_deck_and_its_truth_is_what_lies_on_top(game_id: str, steps: int) -> None:
    state, _, table = laid(game_id, 5, steps)
    assert sorted(card.code for card in table.cards) == sorted(map(str, GAMES[game_id].row_options.deck))
    assert RowPosition.from_json(table.truth["position"]) == state.position  # type: ignore[arg-type]
    on_top = {card.slot[:-1]: card.code for card in table.cards}
    assert [on_top.get(("base", row)) for row in range(4)] == state.position.to_json()["base"]
    told = state.position.to_json()
    for side in ("left", "right"):
        for row, codes in enumerate(told[side]):
            assert [card.code for card in table.cards if card.slot[:2] == (side, row)] == codes
        column = [card.code for card in table.cards if card.slot[0] == f"{side} column"]
        assert column == told.get(f"{side}_column", [])


@pytest.mark.parametrize("game_id", ROW_GAMES)
def test_photoreal_half_rows_grow_outward_over_their_inner_cards_and_columns_stand_clear(game_id: str) -> None:
    state, habits, _ = laid(game_id, 300, 25)
    cards = row_tables.lay(state, GAMES[game_id], neat(habits), 300).cards
    for side, way in (("left", -1), ("right", 1)):
        for row in range(len(state.position.left)):
            line = [card for card in cards if card.slot[:2] == (side, row)]
            assert all((b.x - a.x) * way > 0.3 and b.y == a.y for a, b in itertools.pairwise(line))
            assert all(card.x * way >= 1 for card in line)
        column = [card for card in cards if card.slot[0] == f"{side} column"]
        assert all(b.y < a.y and b.x == a.x for a, b in itertools.pairwise(column))
        reach = max(card.x * way for card in cards if card.slot[0] == side)
        assert all(card.x * way > reach + 1 for card in column)
    assert {card.x for card in cards if card.slot[0] in ("base", "cellar")} == {0.0}


def test_cards_that_have_not_moved_lie_where_they_lay() -> None:
    _, _, before = laid("piwnica", 323, 23)
    _, _, after = laid("piwnica", 323, 24)
    moved = {card.code for card in set(before.cards) ^ set(after.cards)}
    assert len(moved) == 1


def test_row_samples_show_tables_without_a_fault() -> None:
    assert len(truths()) == 5
    for name, truth in truths().items():
        game, position = GAMES[truth["game"]], RowPosition.from_json(truth["position"])
        assert not layout_faults(position, game, truth["stage"]), name


def test_one_legal_move_leads_from_the_row_sample_before_to_the_one_after() -> None:
    before, after = truths()["piwnica-before.json"], truths()["piwnica-after.json"]
    assert before["move"] == after["move"]
    game = GAMES["piwnica"]
    position = RowPosition.from_json(before["position"])
    then = family_of(game).play(position, RowMove.from_json(before["move"]), game)
    assert then == RowPosition.from_json(after["position"])
