"""Par matches of kept games: the table against the command that scores records, what is refused, saved and deleted."""

import csv
import html
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from companion_app.languages import CODES, language
from companion_app.library.matches import par_games
from companion_app.library.store import Store
from rules.record import Replayed, read_records, record_text
from tests.companion_app.command_line import answers, run
from tests.companion_app.conftest import served
from tests.companion_app.fakes import FakeEyes
from tests.companion_app.played import WON, desk_of, play

RECORDS = Path(__file__).parent.parent.parent / "sample_images" / "games" / "match.txt"
SCORES = (23, 10, -10, -6, -16, 14)
"""As `cardtable score --scheme par` has them for these records; see the README."""
Open = Callable[[], httpx.Client]


def keep(folder: Path, played: Replayed, number: int) -> str:
    """Keep a game as if it had been played by its record; its id."""
    record, game = played.record, f"par-game-{number:03}"
    rules = {name: str(record.game.rules.to_json()[name]) for name in record.game.changed}
    state = {"game": record.game.id, "rules": rules, "looks": [{"look": number, "way": "play"}]}
    told = {"explanation": "moves", "position": played.position.to_json(), "record": record_text(record)}
    Store(folder).add(game, (), "opened", json.dumps(state), json.dumps(told))
    return game


@pytest.fixture
def six(tmp_path: Path) -> list[str]:
    """The ids of six kept games."""
    games = read_records(RECORDS.read_text(encoding="utf-8"))
    return [keep(tmp_path, played, number) for number, played in enumerate(games, start=1)]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    """The page with the games of a folder."""
    with served(FakeEyes(), store=Store(tmp_path)) as found:
        yield found


def begun(client: httpx.Client, players: str = "Aino\nŁucja", game: str = "math-pyramid") -> str:
    answer = client.post("/matches", data={"game": game, "players": players})
    assert answer.status_code == 200, answer.text
    return str(answer.url.path)


def enter(client: httpx.Client, match: str, game: str, player: int, number: int) -> httpx.Response:
    return client.post(f"{match}/enter", data={"game": game, "player": str(player), "number": str(number)})


def table(client: httpx.Client, match: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(client.get(f"{match}/match.csv").text)))


def test_the_scores_are_those_of_the_command(six: list[str], client: httpx.Client) -> None:
    (scored,) = answers(run("score", "--scheme", "par", "--game", "math-pyramid", "--json", str(RECORDS)))
    assert tuple(scored["parts"].values()) == SCORES
    match = begun(client, "Aino")
    page = client.get(match).text
    assert len(re.findall(r'<option value="par-game-\d+">', page)) == 6
    for number, game in enumerate(six, start=1):
        assert enter(client, match, game, 0, number).status_code == 200
    assert table(client, match)[1] == ["Aino", *map(str, SCORES), str(scored["score"])]
    page = client.get(match).text
    assert "Best after six games: Aino" in page and "Enter a kept game" not in page and "−16" in page
    text = client.get(f"{match}/match.txt").text
    assert re.search(r"^Aino +23 +10 +-10 +-6 +-16 +14 +15$", text, re.MULTILINE)


def test_who_leads(six: list[str], client: httpx.Client) -> None:
    match = begun(client)
    assert "In the lead" not in client.get(match).text
    enter(client, match, six[2], 0, 1)
    assert "In the lead: Aino" in client.get(match).text
    enter(client, match, six[3], 1, 1)
    assert "In the lead: Łucja" in client.get(match).text
    assert [row[-1] for row in table(client, match)] == ["Sum", "-10", "-6"]
    client.post(f"{match}/out", data={"player": "1", "number": "1"})
    assert "In the lead: Aino" in client.get(match).text
    assert "In the lead: Aino" in client.get("/matches").text


def test_what_cannot_be_entered_is_said_and_changes_nothing(
    tmp_path: Path, six: list[str], client: httpx.Client
) -> None:
    other = play(desk_of(tmp_path, *WON), 2).id
    match = begun(client)
    enter(client, match, six[0], 0, 1)
    before = table(client, match)
    for game, player, number, why in (
        (six[1], 0, 1, "another game is entered there"),
        (six[0], 1, 1, "it is entered in a match already"),
        (other, 0, 2, "played as another game or with other rules"),
        (six[1], 2, 1, "there is no such player or number"),
        (six[1], 0, 7, "there is no such player or number"),
    ):
        answer = enter(client, match, game, player, number)
        assert answer.status_code == 400 and why in answer.json()["detail"]
    assert enter(client, match, "abcdefghijkl", 0, 2).status_code == 404
    assert enter(client, "/matches/none", six[1], 0, 2).status_code == 404
    assert client.post(f"{match}/enter", data={"game": six[1], "player": "x", "number": "1"}).status_code == 400
    assert table(client, match) == before


@pytest.mark.parametrize("players", ["", " \n ", "Aino\naino", "x" * 41, "\n".join("abcdefghi")])
def test_players_are_named_each_once(client: httpx.Client, players: str) -> None:
    answer = client.post("/matches", data={"game": "math-pyramid", "players": players})
    assert (answer.status_code, answer.json()["code"]) == (400, "match-players")
    assert client.post("/matches", data={"game": "piwnica", "players": "Aino"}).json()["code"] == "match-game"
    assert "No match has been begun yet." in client.get("/matches").text


def test_names_are_no_markup_and_no_formula(six: list[str], client: httpx.Client) -> None:
    match = begun(client, "<i>Aino</i>\n=1+1")
    assert "<i>" not in client.get(match).text and "<i>" not in client.get("/matches").text
    assert [row[0] for row in table(client, match)[1:]] == ["<i>Aino</i>", "'=1+1"]


def test_a_deleted_game_leaves_the_match_and_a_deleted_match_leaves_its_games(
    tmp_path: Path, six: list[str], client: httpx.Client
) -> None:
    match = begun(client)
    enter(client, match, six[0], 0, 1)
    enter(client, match, six[1], 0, 2)
    client.post(f"/games/{six[0]}/delete")
    assert table(client, match)[1][1:3] == ["", "10"]
    client.post(f"{match}/delete")
    assert client.get(match).status_code == 404
    assert f'id="game-{six[1]}"' in client.get("/games").text
    words = (six[0].encode(), match.rpartition("/")[2].encode(), "Łucja".encode())
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or not any(word in path.read_bytes() for word in words)


def test_a_match_is_there_again_after_a_restart(tmp_path: Path, six: list[str], client: httpx.Client) -> None:
    match = begun(client)
    enter(client, match, six[4], 1, 3)
    with served(FakeEyes(), store=Store(tmp_path)) as again:
        assert table(again, match)[2] == ["Łucja", "", "", "-16", "", "", "", "-16"]


@pytest.mark.parametrize("code", CODES)
def test_the_pages_of_matches_speak_every_language(six: list[str], client: httpx.Client, code: str) -> None:
    match = begun(client)
    enter(client, match, six[0], 0, 1)
    client.headers["accept-language"] = code
    said = language(code).say
    page = html.unescape(client.get(match).text)
    assert all(said(f"match.{key}") in page for key in ("one", "sum", "leads", "put", "take-out", "delete-sure"))
    assert said("match.how") in html.unescape(client.get("/matches").text)
    assert client.get(f"{match}/match.csv").text.startswith(said("match.player"))


def test_a_match_is_played_with_three_passes() -> None:
    games = par_games()
    assert len(games) == 10
    assert {game.options.passes for game in games} == {3}


def test_where_nothing_is_kept_there_are_no_matches() -> None:
    with served(FakeEyes()) as client:
        assert "No match has been begun yet." in client.get("/matches").text
        assert client.post("/matches", data={"game": "math-pyramid", "players": "Aino"}).status_code == 404
