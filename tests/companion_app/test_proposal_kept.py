"""What is kept of proposed scores elsewhere: those not confirmed are in no match; those of the former version count."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from companion_app.library.archive import Archive
from companion_app.library.store import Store
from rules.record import read_records
from tests.companion_app.test_matches import RECORDS, begun, enter, keep
from tests.companion_app.test_matches import table as match_table
from tests.companion_app.test_proposal import answer_of, standing_of

Open = Callable[..., httpx.Client]
FORMER = Path(__file__).parent / "former_games.sql"
"""The file of games as the version before confirmations wrote it: one game, photographed to be scored."""


@pytest.fixture
def six(tmp_path: Path) -> list[str]:
    """The ids of kept games of a match, photographed to be scored; the first one is confirmed."""
    games = read_records(RECORDS.read_text(encoding="utf-8"))
    ids = [keep(tmp_path, played, number) for number, played in enumerate(games[:2])]
    for number, game in enumerate(ids):
        said_again(tmp_path, game, is_confirmed=number == 0)
    return ids


def said_again(folder: Path, game: str, *, is_confirmed: bool) -> None:
    """Keep that a game is or is not confirmed."""
    store = Store(folder)
    ((_, state, told),) = Archive(store).trail(game)[-1:]
    said = json.loads(state)
    said["looks"] = [{**said["looks"][0], "way": "score", "confirmed": is_confirmed}]
    store.add(game, (), "changed", json.dumps(said), told)


def test_a_score_that_is_not_confirmed_is_in_no_match(tmp_path: Path, six: list[str], kept_page: Open) -> None:
    client = kept_page()
    match = begun(client, "Aino")
    assert re.findall(r'<option value="(par-game-\d+)">', client.get(match).text) == six[:1]
    refused = enter(client, match, six[1], 0, 1)
    assert refused.status_code == 400 and "its score is not confirmed" in refused.json()["detail"]
    assert enter(client, match, six[0], 0, 1).status_code == 200
    assert match_table(client, match)[1][1:3] == ["23", ""]
    said_again(tmp_path, six[0], is_confirmed=False)
    assert match_table(client, match)[1][1:] == [""] * 6 + ["0"] and "In the lead" not in client.get(match).text
    said_again(tmp_path, six[0], is_confirmed=True)
    assert match_table(client, match)[1][1:3] == ["23", ""]


def former(folder: Path) -> str:
    """Lay down the file of the former version; the id of its game."""
    with closing(sqlite3.connect(folder / "games.sqlite3")) as connection:
        connection.executescript(FORMER.read_text(encoding="utf-8"))
        return str(connection.execute("SELECT game FROM events").fetchone()[0])


def test_a_file_of_the_former_version_opens_and_its_scores_count_as_they_did(tmp_path: Path, kept_page: Open) -> None:
    game = former(tmp_path)
    assert standing_of(tmp_path) == ("left", True, 0)
    client = kept_page()
    page = client.get(f"/tables/{game}")
    assert "✓ Kept" in answer_of(page) and "3 cards left in the pyramid" in answer_of(page)
    changed = client.post(f"/tables/{game}/settle", data={"place": "pyramid 2 2", "card": "gone"})
    assert "Not confirmed" in answer_of(changed) and standing_of(tmp_path)[:2] == ("proposed", False)
    assert "✓ Kept" in answer_of(client.post(f"/tables/{game}/undo"))
