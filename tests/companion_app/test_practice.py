"""Sums practised: asked before a pair is told, right or missed by adding up, counted, and kept with the game."""

import html
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import httpx
import pytest

from companion_app.library.store import Store
from companion_app.tables.practice import Practice, Question, question_of, sum_text, sums_now
from rules.cards import Card
from rules.catalogue import PYRAMID_GAMES
from tests.companion_app.fakes import ROWS, FakeEyes, reading
from tests.companion_app.row_tables import deal, opened, seen
from tests.companion_app.test_partners import open_cards
from tests.companion_app.test_server import table_path, upload
from tests.rules.tables import random_game

Serve = Callable[..., httpx.Client]
CHILDREN = ("math-pyramid", "math-pyramid-jokers", "math-pyramid-ten", "math-pyramid-nine")


@pytest.mark.parametrize("game_id", [game for game in PYRAMID_GAMES if game != "tuts-tomb"])
def test_a_card_is_asked_about_just_where_another_open_card_makes_the_total_with_it(game_id: str) -> None:
    game = PYRAMID_GAMES[game_id]
    for played in random_game(game, Random(3), most=20):
        cards = open_cards(played.position, game)
        for place, card in cards.items():
            fits = any(card.worth + other.worth == game.options.total for spot, other in cards.items() if spot != place)
            question = question_of(played.position, game, place, "here")
            assert (question is not None) == (fits and not card.is_joker and card.worth < game.options.total)
            if question is not None:
                assert question.wanted + card.worth == game.options.total


@pytest.mark.parametrize("total", range(5, 14))
def test_among_the_ranks_to_choose_from_is_the_right_one_and_none_that_no_card_has(total: int) -> None:
    at = set()
    for worth in range(1, total):
        card = Card.parse(f"{'A23456789TJQK'[worth - 1]}S")
        for table in map(str, range(20)):
            question = Question("waste", card, total, table)
            choices = question.choices()
            assert question.wanted in choices and len(choices) == min(4, total - 1)
            assert list(choices) == sorted(set(choices)) and choices[0] >= 1 and choices[-1] < total
            at.add(choices.index(question.wanted))
    assert at == {0, 1, 2, 3}


def test_an_answer_counts_once_and_a_sum_is_the_same_either_way_round() -> None:
    eight = Question("pyramid 7 1", Card.parse("8H"), 13, "a")
    five = Question("waste", Card.parse("5H"), 13, "a")
    missed = next(worth for worth in eight.choices() if worth != 5)
    practice = Practice(asks=True).answered(eight, missed).answered(eight, 5)
    assert practice.sums == {(8, 5): (0, 1)} and practice.said(eight) == missed
    practice = practice.answered(five, 8)
    assert practice.sums == {(8, 5): (1, 1)} and practice.said(eight) == missed and practice.said(five) == 8
    told = practice.answered(Question("waste", Card.parse("5H"), 13, "b"), 0)
    assert told.sums == practice.sums and told.said(eight) is None
    assert practice.answered(Question("waste", Card.parse("5H"), 13, "c"), 99) == practice
    assert Practice.from_json(practice.to_json()) == Practice(True, practice.sums)


def test_court_cards_and_aces_show_their_worth() -> None:
    assert sum_text(8, 5) == "8 + 5 = 13" and sum_text(12, 1) == "Q (12) + A (1) = 13"


def test_jokers_make_no_sum() -> None:
    game = PYRAMID_GAMES["math-pyramid-jokers"]
    table = next(random_game(game, Random(1))).position
    places = {f"pyramid 7 {column}": Card.parse("2S") for column in range(1, 8)} | {"pyramid 7 1": Card.parse("JK")}
    assert sums_now(table.with_seen(places), game) == []


def plain(page: str, part: str) -> str:
    """The text of a part of a page."""
    found = re.search(rf'data-part="{part}".*?(?=data-part=)', page, re.DOTALL)
    assert found
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>?", " ", found[0])))


def test_before_a_pair_is_told_the_sum_is_asked_and_the_answer_counted(serve: Serve) -> None:
    client = serve()
    path = table_path(upload(client))
    assert "Ask me first" in client.get(path).text
    client.post(f"{path}/asking", data={"asks": "yes"})
    asked = client.post(f"{path}/hint", data={"step": "3"}).text
    question = plain(asked, "sum")
    assert "What goes with the" in question and "Together they make 13." in question
    assert 'class="move"' not in asked and not re.search(r'class="cell is-[ab] ', asked)
    place = re.search(r'class="sum".*?name="place" value="([^"]*)"', asked, re.DOTALL)
    worths = [int(worth) for worth in re.findall(r'name="worth" value="([1-9]\d*)"', asked)]
    name = re.search(r"What goes with the (\w+) of", question)
    assert place and name and len(worths) == 4
    worth = {"ace": 1, "jack": 11, "queen": 12}.get(name[1]) or int(name[1])
    right = client.post(f"{path}/practise", data={"place": place[1], "worth": str(13 - worth)}).text
    assert "Right:" in plain(right, "sum") and "= 13" in plain(right, "sum")
    assert 'class="move"' in right and re.search(r"</th><td>1</td><td>0</td>", right)


def test_a_missed_sum_is_told_calmly_and_tell_me_counts_as_nothing(serve: Serve) -> None:
    client = serve()
    path = table_path(upload(client))
    client.post(f"{path}/asking", data={"asks": "yes"})
    page = html.unescape(client.get(path, params={"place": "pyramid 7 3"}).text)
    assert "What goes with the 9 of clubs?" in page and "Goes with:" not in page and "is-partner" not in page
    wrong = next(n for n in re.findall(r'id="own-worth-([1-9]\d*)"', page) if n != "4")
    said = {"place": "pyramid 7 3", "worth": wrong, "chooser": "yes"}
    missed = html.unescape(client.post(f"{path}/practise", data=said).text)
    assert f"Not this time: 9 + {wrong} = {9 + int(wrong)}" in missed.replace("A (1)", "1")
    assert "These go together: 9 + 4 = 13" in missed and "Goes with: 4 of clubs (waste)" in missed
    assert re.search(r"9 \+ 4</th><td>0</td><td>1</td>", missed)
    told = client.post(f"{path}/practise", data={"place": "waste", "worth": "0", "chooser": "yes"}).text
    assert "These go together: 4 + 9 = 13" in told and re.search(r"9 \+ 4</th><td>0</td><td>1</td>", told)


def test_a_card_in_doubt_is_not_asked_about_and_row_games_have_no_sums(serve: Serve) -> None:
    client = serve(FakeEyes(reading(ROWS, doubts=("pyramid 7 3",))))
    path = table_path(upload(client))
    client.post(f"{path}/asking", data={"asks": "yes"})
    assert "What goes with" not in client.get(path, params={"place": "pyramid 7 3"}).text
    rows = serve(FakeEyes(seen(deal("piwnica"), "piwnica")))
    _, page = opened(rows, game="piwnica")
    assert 'id="asking"' not in page


def test_sums_are_kept_with_the_game_and_undo_leaves_them(serve: Serve, tmp_path: Path) -> None:
    client = serve(store=Store(tmp_path / "games.sqlite"))
    path = table_path(upload(client))
    client.post(f"{path}/settle", data={"place": "pyramid 1 1", "card": "KH"})
    client.post(f"{path}/asking", data={"asks": "yes"})
    client.post(f"{path}/practise", data={"place": "waste", "worth": "9"})
    counted = r"9 \+ 4</th><td>1</td><td>0</td>"
    undone = client.post(f"{path}/undo").text
    assert re.search(counted, undone) and 'aria-label="king of spades; row 1, place 1' in undone
    again = serve(store=Store(tmp_path / "games.sqlite"))
    page = again.get(path).text
    assert re.search(counted, page) and "Ask me no more" in page
    redone = again.post(f"{path}/redo").text
    assert re.search(counted, redone) and 'aria-label="king of hearts; row 1, place 1' in redone


def test_the_games_of_children_ask_for_their_own_totals() -> None:
    for game_id in CHILDREN:
        game = PYRAMID_GAMES[game_id]
        for played in random_game(game, Random(5), most=10):
            for pair in sums_now(played.position, game):
                cards = [played.position.look(place) for place in pair]
                assert sum(card.worth for card in cards if isinstance(card, Card)) == game.options.total
