"""Features that a player looks for, each as it shows on the page, or in the answer of a command."""

import html
import json
import re
from collections.abc import Callable
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest

from companion_app.views.samples import sample_bytes
from rules.cards import deck
from rules.catalogue import GAMES
from tests.companion_app.command_line import answers, run
from tests.companion_app.fakes import ROWS, FakeEyes, reading
from tests.companion_app.test_server import table_path, upload
from tests.companion_app.test_store import AFTER

Serve = Callable[..., httpx.Client]
LEFT = {"pyramid": [["8C"], [None, None], [None] * 3], "waste": "2H", "stock": True}
FIVES_GONE = ["5S", "8S", "5H", "8H", "5C", "8D", "5D"]
HOLE = (*ROWS[:5], "2H 8S -- QH JD 10D", ROWS[6])
SUITS = ("spades", "hearts", "diamonds", "clubs")
NAMES = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
SMALL = ("--game", "relaxed-pyramid", "--rule", "rows=3")


def plain(page: httpx.Response) -> str:
    assert page.status_code == 200, page.text
    return html.unescape(page.text)


def laid(client: httpx.Client, game: str, **position: object) -> str:
    """The address of a table with a position in a game."""
    return table_path(client.post("/tables", data={"position": json.dumps(position), "game": game}))


def best_hint(client: httpx.Client, path: str) -> str:
    """The best move, as the page says it."""
    page = plain(client.post(f"{path}/hint", data={"step": "3"}))
    found = re.search(r'class="move"[^>]*>(.*?)</p>', page, re.DOTALL)
    assert found
    return re.sub(r"<[^>]*>", "", found[1])


def counted(page: str) -> str:
    """What the page says of the cards not seen."""
    return re.sub(r"<[^>]*>", " ", page.partition('data-part="counting"')[2].partition("<table")[0])


def test_a_game_proven_lost_is_told_apart_from_one_in_which_no_win_was_found() -> None:
    lost = json.dumps({**LEFT, "gone_cards": FIVES_GONE})
    (proven,) = answers(run("hint", "--json", *SMALL, "--seconds", "0.3", lost))
    (open_,) = answers(run("hint", "--json", *SMALL, "--seconds", "0.3", json.dumps(LEFT)))
    assert (proven["verdict"], open_["verdict"]) == ("lost", "undecided")
    assert "Proven: this game can no longer be won." in run("hint", *SMALL, "--seconds", "0.3", lost).stdout
    assert "Proven" not in run("hint", *SMALL, "--seconds", "0.3", json.dumps(LEFT)).stdout


def test_the_page_counts_what_the_stock_still_holds(serve: Serve) -> None:
    client = serve()
    path = table_path(upload(client, game="relaxed-pyramid"))
    told = client.post(f"{path}/piles", data={"stock": "23", "pass": "1"})
    seen = {code for row in ROWS for code in row.split()} | {"4C"}
    unseen = [str(card) for card in deck() if str(card) not in seen]
    words = counted(plain(told))
    assert "In the stock, not seen: 23" in words and len(unseen) == 23
    cells = re.findall(r'<td class="is-(\w+)">', told.text.partition("deck-count")[2])
    assert cells.count("unseen") == len(unseen)
    for suit in SUITS:
        said = re.search(rf"{suit}: ([\w, ]+?)  ", words)
        assert said and said[1].split(", ") == [
            NAMES.get(code[:-1], code[:-1]) for code in unseen if code[-1] == suit[0].upper()
        ]


def test_draw_recycle_and_pass_are_followed_from_picture_to_picture(serve: Serve) -> None:
    drawn = reading(ROWS, {"waste": "9H", "foundation": None})
    last = reading(ROWS, {"waste": "4H", "foundation": None, "stock": "--"})
    turned_over = reading(ROWS, {"waste": None, "foundation": None})
    client = serve(FakeEyes(reading(), drawn, last, turned_over))
    path = table_path(upload(client, game="easy-pyramid"))
    client.post(f"{path}/piles", data={"stock": "2", "pass": "1"})
    first = plain(upload(client, path=f"{path}/next"))
    assert "Turn a card from the stock" in first and '"stock": 1' in first and '"pass": 1' in first
    second = plain(upload(client, path=f"{path}/next"))
    assert '"stock": false' in second and '"pass": 1' in second
    third = plain(upload(client, path=f"{path}/next"))
    assert "Turn the waste over" in third and '"pass": 2' in third


@pytest.mark.parametrize(
    ("game", "pair", "said"),
    [
        ("math-pyramid-ten", ["6D", "4S"], ("6 of diamonds", "4 of spades")),
        ("math-pyramid-nine", ["6D", "3S"], ("6 of diamonds", "3 of spades")),
        ("math-pyramid-jokers", ["6D", "JK"], ("6 of diamonds", "Joker")),
    ],
)
def test_the_games_of_children_are_hinted_by_their_own_totals_and_jokers(
    game: str, pair: list[str], said: tuple[str, str], serve: Serve
) -> None:
    rows = [[None] * n for n in range(1, GAMES[game].options.rows)]
    last = [None] * GAMES[game].options.rows
    last[:2] = pair  # type: ignore[assignment]
    client = serve()
    told = best_hint(client, laid(client, game, pyramid=[*rows, last], stock=None, waste=None))
    assert told.startswith("Pair") and all(card.lower() in told.lower() for card in said)


def test_every_fault_of_a_deal_is_listed_at_once_each_with_its_place(serve: Serve) -> None:
    rows = [row.split() for row in ROWS]
    rows[2][1], rows[3][0], rows[6][0] = "KS", "??", None  # type: ignore[call-overload]
    client = serve()
    path = laid(client, "relaxed-pyramid", pyramid=rows, stock=20, waste=None)
    page = plain(client.post(f"{path}/stage", data={"stage": "deal"}))
    faults = page.partition('class="faults"')[2].partition("</ul>")[0]
    assert "The same card twice: king of spades (row 1, place 1; row 3, place 2)" in faults
    assert "A card is missing here: row 7, place 1" in faults and "Wrong number of cards: stock" in faults
    assert "Should lie face up: face-down card (row 4, place 1)" in faults
    assert page.count("is-faulty") >= 4


def test_the_likeliest_cards_are_offered_in_their_order_and_one_tap_settles(serve: Serve) -> None:
    client = serve(FakeEyes(reading(doubts=("pyramid 7 3",))))
    page = upload(client)
    form = page.text.partition('class="question')[2].partition("</form>")[0]
    offered = re.findall(r'name="card" value="(\w+)"[^>]*>[^<]*<small>(\d+)', form)
    assert [code for code, _ in offered] == ["9C", "8C", "3D"]
    shares = [int(share) for _, share in offered]
    assert shares == sorted(shares, reverse=True)
    settled = client.post(f"{table_path(page)}/settle", data={"place": "pyramid 7 3", "card": offered[1][0]})
    assert "8 of clubs; row 7, place 3; free; settled by you" in settled.text


def test_what_a_person_said_of_a_card_stays_though_later_pictures_read_it_otherwise(serve: Serve) -> None:
    client = serve(FakeEyes(reading(doubts=("pyramid 1 1",)), reading(), reading(), reading()))
    path = table_path(upload(client, game="relaxed-pyramid"))
    client.post(f"{path}/settle", data={"place": "pyramid 1 1", "card": "4H"})
    for _ in range(3):
        page = upload(client, path=f"{path}/next")
        assert "4 of hearts; row 1, place 1; " in page.text and "king of spades; row 1" not in page.text


def test_how_a_picture_could_be_better_is_told_beside_it(serve: Serve) -> None:
    page = plain(upload(serve()))
    advice = page.partition('data-part="advice"')[2].partition("</p>")[0]
    assert "hidden" not in advice and "lamp" in advice.lower()


def test_a_knocked_camera_is_noticed_told_and_the_table_read_again(serve: Serve) -> None:
    client = serve()
    page = upload(client, game="relaxed-pyramid")
    path = table_path(page)
    content = sample_bytes("pair-before.jpg")
    assert content
    still = cv2.resize(cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR), (320, 240))
    moved = cv2.warpAffine(still, np.array([[1, 0, 7], [0, 1, -5]], np.float32), (320, 240), borderMode=2)

    def seen(pixels: np.ndarray) -> tuple[str, str]:
        picture = cv2.imencode(".png", pixels)[1].tobytes()
        answer = client.post(f"{path}/glance", files={"picture": ("f.png", picture)}).json()
        return answer["sight"], answer["says"]

    assert [seen(still) for _ in range(3)][-1][0] == "changed"
    upload(client, path=f"{path}/watched")
    assert seen(still)[0] == "unchanged"
    assert ("bumped", "The camera was moved; finding the table again.") in [seen(moved) for _ in range(4)]


def test_a_score_is_looked_through_before_it_counts(kept_page: Serve) -> None:
    twice = (*ROWS[:6], "10H JC -- 10C 8D AS 10H")
    client = kept_page(reading(twice, doubts=("pyramid 7 3",)))
    page = upload(client, way="score", game="relaxed-pyramid")
    path = table_path(page)
    assert 'class="question' in page.text and "The same card twice: 10 of hearts" in page.text
    assert '<strong class="figure">27</strong>' in page.text and "2 things are not settled." in page.text
    there = client.post(f"{path}/settle", data={"place": "pyramid 7 3", "card": "9C"})
    assert '<strong class="figure">28</strong>' in there.text and "1 thing is not settled." in there.text
    fine = client.post(f"{path}/settle", data={"place": "pyramid 7 7", "card": "JS"})
    assert "not settled" not in fine.text and "Nothing that counts is in doubt" in fine.text
    assert "Not confirmed" in fine.text and "No games that were played" in client.get("/statistics").text
    seen = re.search(r'name="seen" value="(\w+)"', fine.text)
    assert seen and "✓ Kept" in client.post(f"{path}/keep", data={"seen": seen[1]}).text
    assert "Relaxed Pyramid" in client.get("/statistics").text


def test_a_text_that_was_copied_opens_the_same_position(serve: Serve, tmp_path: Path) -> None:
    client = serve()
    page = plain(upload(client, game="relaxed-pyramid"))
    found = re.search(r'<textarea id="text"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    assert found
    again = client.post("/tables", data={"position": found[1], "game": "relaxed-pyramid"})
    assert found[1] in plain(again)
    file = tmp_path / "position.json"
    file.write_text(found[1])
    assert run("check", "--game", "relaxed-pyramid", str(file)).exit_code == 0


def test_the_shape_of_the_layout_is_checked_by_its_rows_and_by_what_lies_under_what(serve: Serve) -> None:
    six = {"pyramid": [row.split() for row in ROWS[:6]]}
    too_few = run("check", "--game", "math-pyramid", json.dumps(six))
    assert too_few.exit_code != 0 and "math-pyramid has 7 rows, but this position has 6." in too_few.output
    client = serve()
    rows = [[None if code == "--" else code for code in row.split()] for row in HOLE]
    path = laid(client, "relaxed-pyramid", pyramid=rows)
    faults = plain(client.get(path)).partition('class="faults"')[2].partition("</ul>")[0]
    lying = "9 of clubs (row 7, place 3), 10 of clubs (row 7, place 4)"
    assert f"Lies where nothing holds it: {lying}; empty place (row 6, place 3)" in faults


def test_a_move_against_the_rules_is_told_with_the_rule_the_cards_and_their_places() -> None:
    before = {"pyramid": [["KS"], ["6D", "7H"], ["5H", "9S", "2C"]], "foundation": None, "waste": None, "stock": True}
    after = {**before, "pyramid": [["KS"], ["6D", "7H"], [None, None, "2C"]], "foundation": "5H"}
    told = run("referee", *SMALL, json.dumps(before), json.dumps(after))
    assert told.exit_code == 1
    assert "Does not add up to the total: 5 of hearts, 9 of spades (row 3, place 1; row 3, place 2)" in told.stdout


def test_a_game_under_way_is_scored_by_all_its_schemes(serve: Serve) -> None:
    client = serve(FakeEyes(reading(), AFTER))
    path = table_path(upload(client, game="relaxed-pyramid"))
    assert "Points" not in client.get(path).text.partition('data-part="score"')[2].partition("</details>")[0]
    page = plain(upload(client, path=f"{path}/next"))
    score = page.partition('data-part="score"')[2].partition("</details>")[0]
    record = client.get(f"{path}/record.txt").text
    removals = len(re.findall(r"^\d+\. (?:pair|single) ", record, re.MULTILINE))
    assert removals and f"Points: {5 * removals}" in score and "Par" not in score
