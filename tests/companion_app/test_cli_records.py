"""`score` and `review`: finished games and games under way, written down move by move."""

import json
from pathlib import Path

from tests.companion_app.command_line import answers, run

POSITION = {"pyramid": [["KS"], ["6D", "7H"], ["5H", "8S", None]], "stock": 0, "waste": None, "turned": None}
RECORD = """game: relaxed-pyramid
rules: rows=3 total=6
deal: 6D 4H 5D AC 6S 5C 3D 2D 4D AS 5H 2C 4S 3H 4C 6C 3C 3S 2S AH 5S AD 6H 2H
1. single 6S @ pyramid 3 2
2. pair AC 5C @ pyramid 3 1, pyramid 3 3
3. turn 3D @ stock, waste
4. turn 2D @ stock, waste
5. turn 4D @ stock, waste
6. turn AS @ stock, waste
"""


def test_score_takes_the_record_of_a_game(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(RECORD)
    arguments = ("score", "--json", "--game", "relaxed-pyramid")
    (left,) = answers(run(*arguments, str(path)))
    (points,) = answers(run(*arguments, "--scheme", "points", "-", stdin=RECORD))
    assert left == {"schema": 1, "scheme": "cards-left", "score": 3, "parts": {"pyramid": 3}}
    assert points["parts"] == {"pairs": 5, "singles": 5, "rows": 150}


def test_a_par_match_is_six_records_with_three_passes(tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    path.write_text(RECORD.replace("rows=3", "rows=3 passes=3") * 6)
    arguments = ("score", "--json", "--game", "relaxed-pyramid", "--scheme", "par")
    (answer,) = answers(run(*arguments, str(path)))
    assert answer["score"] == -6 * (3 + 18)
    assert list(answer["parts"].values()) == [-21] * 6
    assert run(*arguments, RECORD).exit_code == 2
    assert run("score", "--game", "easy-pyramid", str(path)).exit_code == 2


def test_a_record_with_a_wrong_line_is_scored_as_far_as_it_goes() -> None:
    result = run("score", "--json", "--game", "relaxed-pyramid", RECORD + "7. pair 4H 5D @ pyramid 2 1, pyramid 2 2")
    (answer,) = answers(result)
    assert answer["score"] == 3
    assert answer["stopped"]["violations"][0]["breach"] == "wrong-total"
    assert result.exit_code == 1


def test_review_tells_what_was_lost_and_where() -> None:
    (answer,) = answers(run("review", "--json", "sample_images/games/easy-lost.txt"))
    assert (answer["verdict"], answer["exact"], answer["won"], answer["lost_at"]) == ("winnable", True, False, 2)
    assert answer["moves"][1] == {"kind": "pair", "cards": ["JC", "2H"], "places": ["pyramid 6 6", "pyramid 7 5"]}
    text = run("review", "--lang", "fi", "sample_images/games/easy-lost.txt").stdout
    assert "Tämän jaon olisi voinut voittaa." in text
    assert "siirrolla 2" in text


def test_review_of_a_game_under_way_finds_the_win_still_there() -> None:
    (answer,) = answers(run("review", "--json", RECORD))
    assert (answer["verdict"], answer["exact"], answer["won"], answer["lost_at"]) == ("winnable", True, False, None)
    assert answer["line"][0] == {"kind": "single", "cards": ["6S"], "places": ["pyramid 3 2"]}


def test_review_says_honestly_what_rests_on_cards_never_seen() -> None:
    hidden = RECORD.split("4. turn")[0].replace(RECORD.split("3D 2D", 1)[1].split("\n")[0], " ??" * 16)
    (answer,) = answers(run("review", "--json", hidden))
    assert (answer["verdict"], answer["exact"], answer["unseen"], answer["line"]) == ("depends", False, 16, [])
    assert answer["share"]["low"] < answer["share"]["high"]
    assert "16 cards were never seen" in run("review", hidden).stdout


def test_review_wants_a_record() -> None:
    assert run("review", json.dumps(POSITION)).exit_code == 2
    assert run("review", "none.txt").exit_code == 3
