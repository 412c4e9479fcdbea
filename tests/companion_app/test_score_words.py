"""What a score is made of, in words of each language: the same at the commands and on the page; JSON has its keys."""

import json
import re
from collections.abc import Callable
from random import Random

import httpx
import pytest

from companion_app.languages import CODES, language
from companion_app.languages.phrases import score_parts, score_phrase
from rules.catalogue import GAMES
from rules.families import family_of
from rules.rows.legality import is_being_dealt
from rules.rows.position import RowPosition
from rules.scoring import score_position
from tests.companion_app.command_line import answers, run
from tests.companion_app.keys import LEFT
from tests.companion_app.test_features_shown import plain
from tests.companion_app.test_matches import RECORDS, SCORES

GAME = "relaxed-pyramid"
RULES = ("--rule", "rows=3", "--rule", "total=6", "--rule", "goal=all")
RECORD = """game: relaxed-pyramid
rules: rows=3 total=6 goal=all
deal: 6D 4H 5D AC 6S 5C 3D 2D 4D AS 5H 2C 4S 3H 4C 6C 3C 3S 2S AH 5S AD 6H 2H
1. single 6S @ pyramid 3 2
2. pair AC 5C @ pyramid 3 1, pyramid 3 3
3. turn 3D @ stock, waste
"""
SAID = {
    "en": ("5 points for pairs, 5 points for cards that left alone, 150 points for cleared rows", "21 cards left"),
    "fi": ("5 pistettä pareista, 5 pistettä yksin poistuneista", "3 korttia pyramidissa, 17 korttia varapakassa"),
    "pl": ("5 punktów za pary", "3 karty w piramidzie, 17 kart w stosie, 1 karta na zrzucie"),
    "nb": ("5 poeng for par", "3 kort i pyramiden, 17 kort i kortstokken, 1 kort i avfallet"),
}


def figures(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"\d+", text)]


@pytest.mark.parametrize("code", CODES)
def test_the_commands_name_the_parts_in_the_language_asked(code: str) -> None:
    points, left = SAID[code]
    told = run("score", "--game", GAME, *RULES, "--scheme", "points", "--lang", code, RECORD).stdout
    assert points in told and "singles" not in told
    assert left in run("score", "--game", GAME, *RULES, "--lang", code, RECORD).stdout
    ended = run("play", "--lang", code, RECORD, stdin="").stdout
    assert points in ended and left in ended and "singles" not in ended
    match = run("score", "--scheme", "par", "--game", "math-pyramid", "--lang", code, str(RECORDS)).stdout
    of_a_game = language(code).say("score.part.game", n=3, score="")
    assert of_a_game in match and figures(match.splitlines()[-1])[1::2] == [abs(score) for score in SCORES]


def test_the_parts_of_the_json_answer_keep_their_keys() -> None:
    (points,) = answers(run("score", "--game", GAME, *RULES, "--scheme", "points", "--json", "--lang", "fi", RECORD))
    assert (points["score"], points["parts"]) == (160, {"pairs": 5, "singles": 5, "rows": 150})
    (left,) = answers(run("score", "--game", GAME, *RULES, "--json", RECORD))
    assert (left["score"], left["parts"]) == (21, {"pyramid": 3, "stock": 17, "waste": 1, "turned": 0})


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_has_words_for_all_its_parts(game_id: str) -> None:
    found = set()
    for goal in ({}, {"goal": "all"}) if GAMES[game_id].family == "pyramid" else ({},):
        game = GAMES[game_id].with_rules(goal) if goal else GAMES[game_id]
        family, rng = family_of(game), Random(4)
        position = family.deal(game, rng)
        for _ in range(30):
            if not (isinstance(position, RowPosition) and is_being_dealt(position, game)):
                score = score_position("cards-left", position, game).to_json()
                found |= {f"left.{part}" for part in score["parts"]}
                for spoken in map(language, CODES):
                    said = score_parts(spoken, score)
                    counted = [count for count in score["parts"].values() if count]
                    assert figures(", ".join(said)) == (counted if len(score["parts"]) > 1 else [])
                    assert score_phrase(spoken, score)
            moves = family.legal_moves(position, game)
            if not moves:
                break
            position = family.play(position, rng.choice(moves), game)
    assert found <= LEFT


def test_the_page_uses_the_same_words(serve: Callable[..., httpx.Client]) -> None:
    client = serve()
    position = {
        "pyramid": [["6D"], ["4H", "5D"], [None, None, None]],
        "stock": 17,
        "waste": "3D",
        "waste_cards": ["3D"],
    }
    data = {"position": json.dumps(position), "game": GAME, "rows": "3", "total": "6", "goal": "all"}
    for code in CODES:
        client.headers["accept-language"] = code
        page = plain(client.post("/tables", data=data)).partition('data-part="score"')[2].partition("</details>")[0]
        told = run("score", "--game", GAME, *RULES, "--lang", code, json.dumps(position)).stdout.splitlines()
        assert told[0].split(" ", 1)[0] == "21" and told[0].split(" ", 1)[1] in page and told[1] in page
