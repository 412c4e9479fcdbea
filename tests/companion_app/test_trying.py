"""A line tried on screen: it follows the rules, is taken back whole, and never changes the table, whatever is tried."""

import html
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import httpx
import pytest

from companion_app.drawing.board import board_of
from companion_app.library.aids import Aids
from companion_app.library.store import Store
from companion_app.tables.table import move_key
from companion_app.tables.trying import MOST_MOVES, Asked, answered, choose, done_again, taken_back, tried
from rules.cards import FACE_DOWN, Card
from rules.catalogue import GAMES, Game
from rules.families import family_of
from rules.looks import Position, known
from tests.companion_app.fakes import ROWS, FakeEyes, picture_bytes, reading, spread
from tests.companion_app.row_tables import deal
from tests.companion_app.test_server import AFTER, table_path, upload
from tests.rules.tables import random_game

Serve = Callable[..., httpx.Client]


def dealt(game: Game, seed: int = 5) -> Position:
    """What is seen of a fresh deal."""
    if game.family == "rows":
        return deal(game.id, seed)
    family = family_of(game)
    return family.show(family.deal(game, Random(seed)), game)  # type: ignore[no-any-return]


@pytest.mark.parametrize("game_id", GAMES)
def test_a_line_leads_where_its_moves_lead_and_is_taken_back_and_done_again(game_id: str) -> None:
    game, rng = GAMES[game_id], Random(4)
    family, start = family_of(game), dealt(game)
    position, keys = known(start, game), []
    for _ in range(12):
        legal = family.legal_moves(position, game)
        if not legal:
            break
        move = rng.choice(legal)
        position = family.play(position, move, game)
        keys.append(move_key(move))
    whole = tried(start, game, keys)
    assert whole.position == position and list(whole.keys) == keys
    back = whole
    for _ in keys:
        back = taken_back(back)
    assert back.position == known(start, game) and list(back.undone) == keys and taken_back(back) == back
    for _ in keys:
        back = done_again(back)
    assert back == whole and done_again(back) == back


@pytest.mark.parametrize("game_id", GAMES)
def test_two_places_make_a_move_just_where_one_of_the_rules_joins_them(game_id: str) -> None:
    game = GAMES[game_id]
    trial = tried(dealt(game), game, ())
    places = [cell.place for cell in board_of(trial.position.to_json()).cells]
    moves = set()
    for place in places:
        first = choose(trial, place)
        if first.move is not None:
            assert first.move in trial.legal
            moves.add(first.move)
        for to in [*places, *(f"left {row} 1" for row in range(1, 6))] if first.chosen else ():
            second = choose(trial, place, to)
            if second.move is not None:
                assert second.move in trial.legal and place in second.move.places
                moves.add(second.move)
            else:
                assert second.broken or second.unsure or to == place
    reachable = [move for move in trial.legal if move.kind not in ("direction", "reverse")]
    assert moves == set(reachable)


def test_a_try_against_a_rule_is_answered_with_the_rule() -> None:
    game = GAMES["relaxed-pyramid"]
    table = next(random_game(game, Random(1))).position.with_seen(
        {"pyramid 7 1": Card.parse("8H"), "pyramid 7 2": Card.parse("4C"), "pyramid 7 3": Card.parse("5D")}
    )
    trial = tried(table, game, ())
    assert choose(trial, "pyramid 7 1").chosen == "pyramid 7 1"
    [wrong] = choose(trial, "pyramid 7 1", "pyramid 7 2").broken
    assert wrong.breach == "wrong-total"
    [covered] = choose(trial, "pyramid 6 1").broken
    assert covered.breach == "covered" and covered.places[1:] == ("pyramid 7 1", "pyramid 7 2")
    assert choose(trial, "pyramid 7 1", "pyramid 7 3").move is not None
    rows = tried(deal("arcydzielo"), GAMES["arcydzielo"], ())
    assert [each.breach for each in choose(rows, "left 1 1").broken] == ["covered"]
    [cannot] = choose(rows, "left 1 5", "base 1").broken
    assert cannot.breach in ("wrong-suit-or-rank", "wrong-direction")


def test_what_nobody_has_seen_stays_unseen() -> None:
    game = GAMES["relaxed-pyramid"]
    start = next(random_game(game, Random(1))).position.with_seen({"pyramid 7 1": Card.parse("8H")})
    start = replace(start, stock_cards=None, stock_count=game.options.stock_size)
    trial = tried(start, game, ("turn stock waste",))
    assert trial.position.look("waste") is FACE_DOWN
    assert choose(trial, "waste").unsure == "unseen"
    assert choose(trial, "pyramid 7 1", "waste").unsure == "unseen"
    assert all("waste" not in move.places for move in trial.legal if move.kind != "turn")


def test_a_king_and_the_stock_take_one_tap_and_an_empty_stock_is_turned_over_where_that_goes() -> None:
    game = GAMES["easy-pyramid"]
    table = next(random_game(game, Random(1))).position.with_seen({"pyramid 7 1": Card.parse("KH")})
    alone = choose(tried(table, game, ()), "pyramid 7 1").move
    assert alone is not None and alone.kind == "single"
    trial = tried(table, game, ("turn stock waste",) * game.options.stock_size)
    assert trial.position.look("stock") and choose(trial, "stock").move == choose(trial, "waste", "stock").move
    again = tried(table, game, (*trial.keys, "redeal waste stock", *trial.keys))
    assert not again.stopped and [each.breach for each in choose(again, "stock").broken] == ["no-pass-left"]


def test_a_line_is_cut_where_a_move_does_not_go_and_where_it_is_too_long() -> None:
    game = GAMES["tuts-tomb"]
    start = dealt(game)
    trial = tried(start, game, ("turn stock waste", "pair nowhere at all", "turn stock waste"))
    assert len(trial.moves) == 1 and trial.stopped == ("pair nowhere at all", "turn stock waste")
    turns = game.options.stock_size // 3
    long = tried(start, game, (*("turn stock waste",) * turns, "redeal waste stock") * 99)
    assert len(long.moves) == MOST_MOVES and not long.legal
    later, choice = answered(start, game, Asked(("no",), place="stock"))
    assert not later.moves and choice.move is None


def said(page: str) -> str:
    """What the page of a line says, as plain text."""
    found = re.search(r"<form[^>]*data-try.*?</form>", page, re.DOTALL)
    assert found
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", found[0])))


def keys(page: str, name: str = "m") -> list[str]:
    return [html.unescape(key) for key in re.findall(rf'type="hidden" name="{name}" value="([^"]*)"', page)]


def test_a_line_is_made_and_taken_back_over_its_address_alone(serve: Serve) -> None:
    client = serve()
    path = table_path(upload(client))
    first = client.get(f"{path}/try", params={"card": "pyramid 7 3"}).text
    assert 'data-chosen="pyramid 7 3"' in first and "Goes with: 4 of clubs (waste)" in said(first)
    made = client.get(f"{path}/try", params={"card": "pyramid 7 3", "to": "waste"}).text
    assert keys(made) == ["pair pyramid 7 3 waste"] and "Pair: 9 of clubs + 4 of clubs" in said(made)
    back = client.get(f"{path}/try", params={"m": keys(made), "back": "1"}).text
    assert keys(back) == [] and keys(back, "u") == ["pair pyramid 7 3 waste"]
    again = client.get(f"{path}/try", params={"u": keys(back, "u"), "again": "1"}).text
    assert keys(again) == keys(made)
    by_list = client.get(f"{path}/try", params={"m": keys(made), "do": "turn stock waste"}).text
    assert keys(by_list) == ["pair pyramid 7 3 waste", "turn stock waste"]
    assert "unseen card; waste; free" in html.unescape(by_list)
    hint = client.get(f"{path}/try", params={"m": keys(made), "hint": "1"}).text
    assert "Not decided" in said(hint)
    wrong = client.get(f"{path}/try", params={"card": "pyramid 7 3", "to": "pyramid 7 4"}).text
    assert "Does not add up to the total: 9 of clubs, 10 of clubs" in said(wrong)


def test_nothing_tried_changes_the_table_its_game_or_what_is_kept(serve: Serve, tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite")
    client = serve(FakeEyes(), store=store)
    path = table_path(upload(client))
    game = path.rsplit("/", 1)[-1]
    client.post(f"{path}/hint", data={"step": "3"})
    before = [client.get(f"{path}/{name}").content for name in ("record.txt", "game.json", "position.svg")]
    table, kept = client.get(path).text, store.changes(game, 99)
    rng, places = Random(2), [f"pyramid {row} {column}" for row in range(1, 8) for column in range(1, row + 1)]
    line: list[str] = []
    for _ in range(25):
        more = rng.choice([{"card": rng.choice(places), "to": rng.choice(places)}, {"back": "1"}, {"card": "stock"}])
        page = client.get(f"{path}/try", params={"m": line, **more})
        assert page.status_code == 200
        line = keys(page.text)
    assert [client.get(f"{path}/{name}").content for name in ("record.txt", "game.json", "position.svg")] == before
    assert steady(client.get(path).text) == steady(table) and store.changes(game, 99) == kept


def test_a_hint_of_a_line_counts_as_help_and_the_line_alone_does_not(serve: Serve, tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite")
    client = serve(FakeEyes(), store=store)
    path = table_path(upload(client))
    game = path.rsplit("/", 1)[-1]
    client.get(f"{path}/try", params={"card": "stock"})
    assert Aids(store).of(game) == ()
    client.get(f"{path}/try", params={"card": "stock", "hint": "1"})
    assert [(aid.kind, aid.step) for aid in Aids(store).of(game)] == [("hint", 4)]


def steady(page: str) -> str:
    """A page without what is still thought about, which gets better by itself."""
    parts = re.findall(r'data-part="(board|story|text|every|counting|again|piles)" data-stamp="(\w+)"', page)
    return json.dumps(parts[1:] if parts[0][0] == "board" else parts)


def test_a_new_picture_takes_the_line_along_as_far_as_it_goes_and_says_so(serve: Serve) -> None:
    client = serve(FakeEyes(reading(), reading(AFTER, {"waste": None, "foundation": "9C"})))
    path = table_path(upload(client))
    made = client.get(f"{path}/try", params={"card": "stock"}).text
    base = re.search(r'name="base" value="(\w+)"', made)
    assert base
    line = {"m": ["pair pyramid 7 3 waste", "turn stock waste"], "base": base[1]}
    assert "changed meanwhile" not in said(client.get(f"{path}/try", params=line).text)
    upload(client, picture_bytes(), f"{path}/next")
    page = client.get(f"{path}/try", params=line).text
    assert "The table has changed meanwhile" in said(page) and "0 of 2" in said(page) and keys(page) == []
    turned = client.get(f"{path}/try", params={"m": ["turn stock waste"], "base": base[1]}).text
    assert "1 of 1" in said(turned) and keys(turned) == ["turn stock waste"]


@pytest.mark.parametrize(
    "asked",
    [
        {"card": "nowhere"},
        {"card": "pyramid 99 99"},
        {"card": " ", "to": "base 1"},
        {"card": "pyramid 7 1", "to": "left 1 1"},
        {"m": ["<script>alert(1)</script>"]},
        {"u": ["x" * 3000], "again": "1"},
        {"do": "turn stock waste now"},
        {"m": ["turn stock waste"] * 200},
    ],
)
def test_a_strange_address_is_no_trouble(serve: Serve, asked: dict[str, str]) -> None:
    client = serve(FakeEyes(reading(ROWS)))
    path = table_path(upload(client))
    page = client.get(f"{path}/try", params=asked)
    assert page.status_code == 200 and "<script>alert" not in page.text


def test_cards_without_a_layout_have_no_line(serve: Serve) -> None:
    client = serve(FakeEyes(spread([Card.parse("5H"), Card.parse("6H")])))
    path = table_path(upload(client, game="none"))
    assert client.get(f"{path}/try").status_code == 400
