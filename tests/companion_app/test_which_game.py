"""Which game a table is of: what cannot be is left out, and where several fit the page asks, once."""

import html
import json
import re
from collections.abc import Callable
from dataclasses import replace

import httpx
import pytest

from companion_app.languages import CODES, language
from rules.cards import GONE, Card, Rank, Suit, deck
from tests.companion_app.fakes import ROWS, FakeEyes, picture_bytes, reading
from vision.reading import TableReading

Serve = Callable[..., httpx.Client]
NO_PILES: dict[str, str | None] = {"waste": None, "foundation": None}


def six_rows(highest: int, *others: str) -> tuple[str, ...]:
    """Six rows of cards up to a rank, the first of them replaced by others."""
    low = [str(card) for card in deck(highest)]
    codes = [*others, *(code for code in low if code not in others)][:21]
    return tuple(" ".join(codes[row * (row - 1) // 2 : row * (row + 1) // 2]) for row in range(1, 7))


def seven_rows_face_down() -> tuple[str, ...]:
    """Seven rows of which only the lowest lies face up."""
    return (*(" ".join(["??"] * row) for row in range(1, 7)), ROWS[6])


def opened(client: httpx.Client, **fields: str) -> httpx.Response:
    """The page of a picture just opened."""
    page = client.post("/tables", data=fields, files={"picture": ("t.jpg", picture_bytes(), "image/jpeg")})
    assert page.status_code == 200, page.text
    return page


def asked(page: httpx.Response) -> list[str]:
    """The games the page asks about."""
    return re.findall(r'<button class="choice" id="which-[^"]*" name="game" value="([^"]*)"', page.text)


def game_shown(page: httpx.Response) -> str:
    """The game named at the top of the page."""
    return re.search(r'data-part="now"[^>]*><h1[^>]*>([^<]*)<', page.text).group(1)  # type: ignore[union-attr]


def test_point_9_kings_and_queens_in_six_rows_exclude_the_games_to_ten_and_nine(serve: Serve) -> None:
    page = opened(serve(FakeEyes(reading(six_rows(10, "KS", "QD"), NO_PILES))))
    assert "math-pyramid-ten" not in asked(page) and "math-pyramid-nine" not in asked(page)
    assert game_shown(page) == "Relaxed Pyramid"
    assert "Does not belong to this deck" not in page.text


def test_point_9_a_doubtful_king_excludes_no_game(serve: Serve) -> None:
    rows = six_rows(10, "KS", "10D")
    page = opened(serve(FakeEyes(reading(rows, NO_PILES, doubts=("pyramid 1 1",)))))
    assert (game_shown(page), asked(page)) == ("Maths Pyramid to ten", [])


def test_point_9_a_king_settled_by_hand_excludes_the_game_to_ten(serve: Serve) -> None:
    rows = six_rows(9, "KS")
    client = serve(FakeEyes(reading(rows, NO_PILES, doubts=("pyramid 1 1",))))
    page = opened(client)
    assert asked(page) == ["math-pyramid-ten", "math-pyramid-nine"]
    settled = client.post(f"{page.url.path}/settle", data={"place": "pyramid 1 1", "card": "KS"})
    assert asked(settled) and not {"math-pyramid-ten", "math-pyramid-nine"} & set(asked(settled))


def rows_left_open(highest: int) -> TableReading:
    """Six rows of which the whole last one lies, that may as well be seven of which the last is gone."""
    six = reading(six_rows(highest), NO_PILES)
    gone = {f"pyramid 7 {column}": GONE for column in range(1, 8)}
    return replace(six, places={**six.places, **gone}, also=("pyramid-7",))


def test_where_six_or_seven_rows_may_lie_the_games_of_both_are_asked_about(serve: Serve) -> None:
    page = opened(serve(FakeEyes(rows_left_open(9))))
    assert {"math-pyramid-ten", "math-pyramid-nine", "relaxed-pyramid", "easy-pyramid"} <= set(asked(page))


@pytest.mark.parametrize(
    ("game", "named", "places"),
    [("math-pyramid-nine", "Maths Pyramid to nine", 21), ("relaxed-pyramid", "Relaxed Pyramid", 28)],
)
def test_the_game_chosen_of_both_says_in_how_many_rows_the_cards_lie(
    serve: Serve, game: str, named: str, places: int
) -> None:
    client = serve(FakeEyes(rows_left_open(9)))
    page = opened(client)
    answered = client.post(f"{page.url.path}/game", data={"game": game})
    assert (game_shown(answered), asked(answered)) == (named, [])
    assert answered.text.count('role="gridcell"') == places + 3
    assert client.post(f"{page.url.path}/hint", data={"step": "1"}).status_code == 200


def test_cards_that_no_game_of_six_rows_has_leave_the_games_of_seven(serve: Serve) -> None:
    page = opened(serve(FakeEyes(rows_left_open(13))))
    assert not {"math-pyramid-ten", "math-pyramid-nine"} & {*asked(page), game_shown(page)}


def test_point_9_where_several_games_fit_the_question_comes_first_and_one_tap_answers_it(serve: Serve) -> None:
    client = serve()
    page = opened(client)
    games = ["relaxed-pyramid", "king-tut", "tuts-tomb", "easy-pyramid", "math-pyramid-jokers", "math-pyramid-three"]
    assert sorted(asked(page)) == sorted(games)
    assert page.text.index("Which game is this?") < page.text.index("What the picture shows")
    assert page.text.count('role="gridcell"') == 28 + 3
    assert "This rests on the game assumed: Relaxed Pyramid / Maths Pyramid." in page.text
    answered = client.post(f"{page.url.path}/game", data={"game": "easy-pyramid"})
    assert (game_shown(answered), asked(answered)) == ("Easy Pyramid", [])
    assert "rests on the game assumed" not in answered.text


def test_point_9_the_answer_is_kept_through_later_pictures(serve: Serve) -> None:
    after = (*ROWS[:6], "10H JC -- 10C 8D AS JS")
    client = serve(FakeEyes(reading(), reading(after, {"waste": None, "foundation": "4C"}), reading()))
    path = opened(client).url.path
    client.post(f"{path}/game", data={"game": "easy-pyramid"})
    picture = {"picture": ("t.jpg", picture_bytes(), "image/jpeg")}
    for action in ("next", "watched"):
        later = client.post(f"{path}/{action}", files=picture)
        assert (game_shown(later), asked(later)) == ("Easy Pyramid", [])


def test_point_9_a_breach_says_that_it_rests_on_the_game_assumed(serve: Serve) -> None:
    client = serve(FakeEyes(reading(), reading((*ROWS[:6], "10H JC -- 10C 8D AS JS"))))
    path = opened(client).url.path
    for _ in range(2):
        later = client.post(f"{path}/next", files={"picture": ("t.jpg", picture_bytes(), "image/jpeg")})
    breach = re.search(r'class="breach".*?</div>', later.text, re.DOTALL)
    assert breach is not None and "rests on the game assumed" in breach.group()


def test_point_9_a_later_picture_may_answer_the_question(serve: Serve) -> None:
    ten = str(Card(Rank.TEN, Suit.SPADES))
    client = serve(FakeEyes(reading(six_rows(9), NO_PILES), reading(six_rows(9), {"waste": ten, "foundation": None})))
    page = opened(client)
    assert asked(page) == ["math-pyramid-ten", "math-pyramid-nine"]
    later = client.post(f"{page.url.path}/next", files={"picture": ("t.jpg", picture_bytes(), "image/jpeg")})
    assert (game_shown(later), asked(later)) == ("Maths Pyramid to ten", [])


def test_point_9_a_pyramid_face_down_is_asked_about_among_the_games_laid_so(serve: Serve) -> None:
    assert asked(opened(serve(FakeEyes(reading(seven_rows_face_down()))))) == ["pyramid", "king-tut"]


def test_point_9_a_game_named_at_the_start_is_not_asked_about(serve: Serve) -> None:
    assert asked(opened(serve(), game="math-pyramid")) == []
    client = serve()
    text = json.dumps({"pyramid": [["KS"], ["6D", "7H"], ["5H", "8S", None]], "stock": 3})
    assert asked(client.post("/tables", data={"position": text}))
    named = client.post("/tables", data={"position": text, "game": "easy-pyramid"})
    assert (game_shown(named), asked(named)) == ("Easy Pyramid", [])


def test_point_9_a_pass_told_excludes_the_games_without_it(serve: Serve) -> None:
    client = serve()
    text = json.dumps({"pyramid": [[None] * row for row in range(1, 7)] + [["KS", *[None] * 6]], "pass": 2})
    assert "relaxed-pyramid" not in asked(client.post("/tables", data={"position": text}))
    assert client.post("/tables", data={"position": text, "game": "math-pyramid"}).status_code == 422


@pytest.mark.parametrize("code", CODES)
def test_point_9_the_question_and_the_rules_that_tell_the_games_apart_in_each_language(serve: Serve, code: str) -> None:
    client = serve()
    client.headers["accept-language"] = code
    page = html.unescape(opened(client).text)
    spoken = language(code)
    assert spoken.say("which.title") in page
    shown = re.findall(r"<strong>[^<]*</strong><small>([^<]+)</small>", page)
    assert len(shown) == len(set(shown)) == 6
    assert f"{spoken.say('option.passes')}: 2" in shown
