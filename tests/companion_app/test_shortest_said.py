"""In how many moves a hint wins, and whether no line is shorter: on the page, in the commands, in every language."""

import html
import json
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from companion_app.hints.advise import advise
from companion_app.hints.resting import Clock
from companion_app.hints.thinking import Answer
from companion_app.languages import CODES, language
from companion_app.languages.phrases import hint_lines
from rules.catalogue import Game, find_game
from rules.families import family_of
from rules.pyramid.legality import legal_moves, outcome, play
from rules.pyramid.position import PyramidPosition
from rules.record import Record, record_text
from rules.rows.dealing import random_deal
from rules.rows.notation import deal_text
from tests.companion_app.command_line import answers, run
from tests.companion_app.test_server import table_path, upload
from tests.companion_app.test_thinking import finished
from tests.companion_app.test_trying import said

Serve = Callable[..., httpx.Client]
GAME = "relaxed-pyramid"
GONE: list[list[None]] = [[None] * size for size in range(3, 8)]
LATE: dict[str, Any] = {
    "pyramid": [["5S"], ["9D", "6C"], *GONE],
    "stock": 3,
    "stock_cards": ["7H", "2C", "8H"],
    "waste_cards": ["QD", "4H"],
    "waste": "4H",
    "turned": None,
    "foundation": "KS",
    "pass": 1,
}
UNSEEN = LATE | {"stock_cards": ["7H", "2C", "8H"], "waste_cards": ["??", "4H"]}
"""Under the four of hearts may lie an eight, with which the game would be won in fewer moves."""


def fewest(position: PyramidPosition, game: Game) -> int:
    """In how many moves the game is won at best, by the rules alone, breadth first."""
    now, moves = {position}, 0
    while not any(outcome(each, game) == "won" for each in now):
        now, moves = {play(each, move, game) for each in now for move in legal_moves(each, game)}, moves + 1
    return moves


def hinted(position: dict[str, Any], *more: str) -> dict[str, Any]:
    (answer,) = answers(run("hint", "--json", "--game", GAME, "--seconds", "5", *more, json.dumps(position)))
    return answer


def test_the_answer_of_hint_tells_the_shortest_line_and_that_it_is_proven() -> None:
    best, *others = hinted(LATE)["hints"]
    length = fewest(PyramidPosition.from_json(LATE), find_game(GAME))
    assert (best["moves_to_win"], best["shortest"]) == (length, True)
    assert all(other["shortest"] in (False, None) for other in others if other["moves_to_win"] != length)
    assert all((other["shortest"] is None) == (other["moves_to_win"] is None) for other in others)


def test_what_rests_on_cards_that_nobody_saw_is_not_called_the_shortest() -> None:
    found = hinted(UNSEEN)
    lines = [hint for hint in found["hints"] if hint["moves_to_win"]]
    assert lines and not any(hint["shortest"] for hint in lines)
    told = run("hint", "--game", GAME, "--seconds", "5", json.dumps(UNSEEN)).stdout
    assert "a shorter line may exist" in told and "no line is shorter" not in told


def test_people_are_told_in_words() -> None:
    length = fewest(PyramidPosition.from_json(LATE), find_game(GAME))
    told = run("hint", "--game", GAME, "--seconds", "5", json.dumps(LATE)).stdout
    assert f"Wins in {length} moves, and no line is shorter." in told


@pytest.mark.parametrize("code", CODES)
def test_every_language_tells_a_proven_line_from_one_that_is_not_and_from_a_longer_one(code: str) -> None:
    spoken = language(code)
    best = hinted(LATE, "--lang", code)["hints"][0] | {"moves_to_win": 14}
    proven, open_, longer = (
        hint_lines(spoken, best | {"shortest": shortest}, others)[-1]
        for shortest, others in ((True, ()), (False, ()), (False, ({"moves_to_win": 12}, {"moves_to_win": None})))
    )
    assert len({proven, open_, longer}) == 3
    assert all("14" in told for told in (proven, open_, longer))
    assert proven == spoken.count("hint.line-shortest", 14)
    if code == "en":
        assert proven == "Wins in 14 moves, and no line is shorter."
        assert open_ == "Wins in 14 moves; a shorter line may exist."


class OneByOne:
    """Gives the best hint of the table twice: first its line is not proven to be the shortest."""

    def think(
        self, position: PyramidPosition, game: Game, seconds: float, doubtful: Collection[str], clock: Clock
    ) -> Iterator[Answer]:
        """As `companion_app.hints.advise.improve`, by a fixed amount of work."""
        found = advise(position, game, 5.0, doubtful)
        open_ = [replace(hint, shortest=False) for hint in found.hints]
        yield Answer(replace(found, hints=tuple(open_), settled=False), thinking=True)
        yield Answer(found, thinking=False)


def text_of(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", page))


def late_table(client: httpx.Client) -> str:
    path = table_path(upload(client, game=GAME))
    assert client.post(f"{path}/text", data={"position": json.dumps(LATE)}).status_code == 200
    return path


def test_the_page_says_it_once_it_is_proven_and_sends_little(serve: Serve) -> None:
    client = serve(think=OneByOne().think)
    path = late_table(client)
    shown = dict(re.findall(r'data-part="([\w-]+)" data-stamp="(\w+)"', client.get(path).text))
    client.post(f"{path}/hint", data={"step": "4"})
    page = finished(client, path)
    length = fewest(PyramidPosition.from_json(LATE), find_game(GAME))
    assert f"Wins in {length} moves, and no line is shorter." in text_of(page)
    header = ",".join(f"{name}={stamp}" for name, stamp in shown.items())
    sent = client.get(path, headers={"x-parts": header})
    assert "no line is shorter" in sent.text
    assert sent.num_bytes_downloaded <= 15 * 1024


def test_a_line_that_is_tried_is_told_its_length_from_where_it_leads(serve: Serve) -> None:
    client = serve(think=OneByOne().think)
    path = late_table(client)
    game = find_game(GAME)
    start = PyramidPosition.from_json(LATE)
    made = next(move for move in legal_moves(start, game) if move.kind == "pair")
    key = " ".join((made.kind, *made.places))
    page = client.get(f"{path}/try", params={"m": key, "hint": "1"}).text
    assert f"Wins in {fewest(play(start, made, game), game)} moves, and no line is shorter." in said(page)


def test_a_hint_at_the_terminal_says_it_as_a_reason() -> None:
    lines = "turn\n" * 18 + "redeal\nhint 4\n"
    small = ("--game", "easy-pyramid", "--rule", "rows=3", "--rule", "total=6", "--seed", "4")
    *_, hint, _ = answers(run("play", "--json", "--seconds", "5", *small, stdin=lines))
    why = hint["hint"]["why"]
    assert why["shortest"] is True
    assert f"Wins in {why['moves_to_win']} moves, and no line is shorter." in run("play", *small, stdin=lines).stdout


def test_a_review_says_of_the_best_line_that_none_is_shorter(tmp_path: Path) -> None:
    game = find_game(GAME, {"rows": "3", "total": "6"})
    family, rng = family_of(game), Random(1)
    while family.solve(start := family.deal(game, rng), game, None).verdict != "winnable":
        continue
    path = tmp_path / "game.txt"
    path.write_text(record_text(Record(game, start, ())), encoding="utf-8")
    (answer,) = answers(run("review", "--json", str(path)))
    assert (len(answer["line"]), answer["shortest"]) == (fewest(start, game), True)
    assert f"Wins in {len(answer['line'])} moves, and no line is shorter." in run("review", str(path)).stdout


def test_solve_proves_the_shortest_line_of_a_row_game_too() -> None:
    game = find_game("arcydzielo")
    deal = deal_text(random_deal(game, Random(1)), game)
    plain, shortest = (
        answers(run("solve", "--json", "--game", game.id, *more, "-", stdin=deal))[0] for more in ((), ("--shortest",))
    )
    assert (plain["verdict"], shortest["verdict"]) == ("winnable", "winnable")
    assert shortest["shortest"] is True
    assert len(shortest["moves"]) <= len(plain["moves"])
