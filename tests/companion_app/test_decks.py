"""The commands and the page of taught decks, with a profile that was learnt from nothing but noise."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest
from typer.testing import CliRunner

from companion_app import wiring
from companion_app.cli import app
from companion_app.decks.deck_drafts import Draft
from companion_app.decks.deck_eyes import DeckEyes
from companion_app.decks.deck_files import DeckFiles, from_bytes
from models.measure.runes import strange_deck
from tests.companion_app.fakes import FakeEyes
from vision.decks.contact_sheet import SIZE
from vision.decks.profile import Lesson, Profile
from vision.decks.training import learn
from vision.reader import Reader
from vision.recognize.index_reader import CARDS

SAMPLE = Path(__file__).resolve().parents[2] / "sample_images" / "spread.jpg"


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


@pytest.fixture(scope="module")
def noise(reader: Reader) -> Profile:
    """A deck of grey noise: enough to be kept, listed and chosen."""
    rng = np.random.default_rng(2)
    windows, others = (rng.integers(0, 256, (n, 64, 64, 3)).astype(np.uint8) for n in (52, 40))
    place = np.array([[0.3, 0.0, -0.82], [0.0, 0.21, -0.8]])
    return learn(
        "noise", Lesson(windows, CARDS, others, place, np.array([0.5, 1.1]), np.zeros(6)), reader.patch, ["noise.jpg"]
    )[0]


@pytest.fixture
def files(tmp_path: Path, noise: Profile, monkeypatch: pytest.MonkeyPatch) -> DeckFiles:
    kept = DeckFiles(tmp_path / "decks")
    kept.save(noise)
    monkeypatch.setattr(wiring, "decks_folder", lambda: kept.folder)
    wiring.deck_eyes.cache_clear()
    return kept


def run(*arguments: str) -> tuple[int, list[dict[str, object]]]:
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, [json.loads(line) for line in done.stdout.splitlines()]


def test_decks_are_listed_with_their_figures_and_forgotten(files: DeckFiles) -> None:
    status, (deck,) = run("decks", "--json")
    assert status == 0
    assert (deck["deck"], deck["cards"], deck["pictures"]) == ("noise", 52, ["noise.jpg"])
    assert set(deck["left_out"]) == {"rank", "suit"}  # type: ignore[call-overload]
    assert run("decks", "forget", "noise", "--json") == (0, [{"schema": 1, "deck": "noise", "forgotten": True}])
    assert run("decks", "--json") == (0, [])
    status, (answer,) = run("decks", "forget", "noise", "--json")
    assert (status, answer["error"]["code"]) == (3, "no-deck")  # type: ignore[index]


def test_a_photograph_that_shows_other_cards_than_told_teaches_nothing(files: DeckFiles) -> None:
    status, (answer,) = run("decks", "teach", "mine", "--json", str(SAMPLE))
    assert (status, answer["error"]["code"]) == (3, "other-order")  # type: ignore[index]
    assert files.names() == ["noise"]


def test_a_picture_is_read_with_the_deck_asked_for_and_says_so(files: DeckFiles) -> None:
    status, (plain,) = run("read", "--json", "--game", "none", str(SAMPLE))
    assert (status, plain.get("deck")) == (0, None)
    status, (answer,) = run("read", "--json", "--game", "none", "--deck", "nobody", str(SAMPLE))
    assert (status, answer["error"]["code"]) == (3, "no-deck")  # type: ignore[index]
    status, (none,) = run("read", "--json", "--game", "none", "--deck", "none", str(SAMPLE))
    assert none["cards"] == plain["cards"]


def test_a_deck_of_other_nets_is_learnt_anew_from_its_own_windows(
    files: DeckFiles, noise: Profile, reader: Reader
) -> None:
    files.save(replace(noise, net="0" * 64))
    anew = files.load("noise", reader.patch)
    assert anew.net == noise.net
    assert from_bytes((files.folder / "noise.npz").read_bytes()).net == noise.net


def cards(n: int, turned: float = 0.1) -> bytes:
    """A photograph of n cards of a deck drawn here, side by side on green cloth, as JPEG."""
    deck = strange_deck(np.random.default_rng(4))
    image = np.full((600, 1000, 3), (30, 90, 60), np.uint8)
    for k, face in enumerate(list(deck.faces.values())[:n]):
        turn = cv2.getRotationMatrix2D((120, 168), np.degrees(turned), 0.75)
        turn[:, 2] += [20 + 200 * k, 100]
        cv2.warpAffine(face, turn, (1000, 600), image, borderMode=cv2.BORDER_TRANSPARENT)
    return cv2.imencode(".jpg", cv2.GaussianBlur(image, (0, 0), 0.6)[..., ::-1])[1].tobytes()


def test_a_deck_is_shown_a_few_cards_at_a_time_and_what_is_missing_is_told(files: DeckFiles, tmp_path: Path) -> None:
    pictures = [tmp_path / "first.jpg", tmp_path / "second.jpg"]
    for path, n in zip(pictures, (3, 2), strict=True):
        path.write_bytes(cards(n))
    status, (first,) = run("decks", "teach", "mine", "--json", str(pictures[0]))
    assert (status, first["seen"]) == (0, ["AS", "2S", "3S"])
    status, (second,) = run("decks", "teach", "mine", "--json", str(pictures[1]))
    assert (status, second["seen"]) == (0, ["AS", "2S", "3S", "4S", "5S"])
    assert second["missing"] == [str(card) for card in CARDS[5:]]
    assert second["pictures"] == ["first.jpg", "second.jpg"]
    assert run("decks", "--json")[1][1] == second
    # Cards told by name are shown once more; the deck goes on where it was.
    status, (again,) = run("decks", "teach", "mine", "--json", "--order", "2S 3S", str(pictures[1]))
    assert again["missing"] == second["missing"]
    assert run("decks", "forget", "mine", "--json")[0] == 0
    assert files.names() == ["noise"]


def test_the_page_asks_for_the_cards_still_missing(
    files: DeckFiles, reader: Reader, serve: Callable[..., httpx.Client]
) -> None:
    client = serve(DeckEyes(reader, files))
    shown = client.post("/decks", data={"name": "mine"}, files={"picture": ("a.jpg", cards(3))})
    assert "3 of 52 cards shown." in shown.text
    assert "4 of spades" in shown.text
    assert "3 of spades" not in shown.text
    once_more = client.post("/decks/again", data={"name": "mine"})
    assert "of 52 cards shown." not in once_more.text


def test_a_broken_draft_is_left_out(files: DeckFiles) -> None:
    (files.folder / "half.draft").write_bytes(b"nothing")
    assert run("decks", "--json")[0] == 0


def test_the_page_lists_chooses_and_forgets_decks(
    files: DeckFiles, reader: Reader, serve: Callable[..., httpx.Client]
) -> None:
    eyes = DeckEyes(reader, files)
    client = serve(eyes)
    assert "/decks" in client.get("/").text
    assert "noise" in client.get("/decks").text
    assert client.post("/decks/choose", data={"name": "noise"}).status_code == 200
    assert eyes.deck == "noise"
    assert client.post("/decks/choose", data={"name": "nobody"}).status_code == 422
    nothing = client.post("/decks", data={"name": "mine"}, files={"picture": ("a.jpg", cards(0))})
    assert (nothing.status_code, nothing.json()["code"]) == (422, "no-rows")
    assert client.post("/decks", data={"name": "mine"}).status_code == 400
    assert client.post("/decks/forget", data={"name": "noise"}).status_code == 200
    assert (files.names(), eyes.deck) == ([], "auto")


def test_eyes_without_decks_have_no_list(serve: Callable[..., httpx.Client]) -> None:
    client = serve(FakeEyes())
    assert "/decks" not in client.get("/").text
    assert client.get("/decks").status_code == 404


@pytest.mark.parametrize("first", ["forget", "teach", "list"])
def test_a_damaged_draft_can_be_forgotten_and_taught_again(files: DeckFiles, tmp_path: Path, first: str) -> None:
    picture = tmp_path / "first.jpg"
    picture.write_bytes(cards(3))
    run("decks", "teach", "mine", "--json", str(picture))
    draft = files.folder / "mine.draft"
    draft.write_bytes(draft.read_bytes()[:500])
    if first == "list":
        assert [deck["deck"] for deck in run("decks", "--json")[1]] == ["noise"]
    if first != "teach":
        assert run("decks", "forget", "mine", "--json")[0] == 0
    status, (taught,) = run("decks", "teach", "mine", "--json", str(picture))
    assert (status, taught["seen"]) == (0, ["AS", "2S", "3S"])
    assert run("decks", "forget", "mine", "--json")[0] == 0
    assert sorted(path.name for path in files.folder.iterdir()) == ["noise.npz"]


def test_a_data_folder_that_cannot_be_written_is_said_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: DeckFiles
) -> None:
    picture = tmp_path / "first.jpg"
    picture.write_bytes(cards(3))
    (tmp_path / "file").write_text("no folder")
    folder = tmp_path / "file" / "decks"
    monkeypatch.setattr(wiring, "decks_folder", lambda: folder)
    wiring.deck_eyes.cache_clear()
    status, (answer,) = run("decks", "teach", "mine", "--json", str(picture))
    assert (status, answer["error"]["code"]) == (3, "not-kept")  # type: ignore[index]
    assert answer["error"]["message"] == f"{folder} cannot be written (Not a directory)."  # type: ignore[index]
    assert run("decks", "--json") == (0, [])


def test_a_deck_shown_in_part_is_begun_anew_only_when_asked_twice_and_one_taught_stays(
    files: DeckFiles, reader: Reader, serve: Callable[..., httpx.Client]
) -> None:
    eyes = DeckEyes(reader, files)
    eyes.drafts.save(Draft("noise", {CARDS[0]: np.zeros((SIZE[1], SIZE[0], 3), np.uint8)}, last=(CARDS[0],)))
    client = serve(eyes)
    page = client.get("/decks").text
    assert re.search(r'<summary>Begin anew</summary>\s*<form[^>]*action="/decks/anew"', page)
    anew = client.post("/decks/anew", data={"name": "noise"})
    assert anew.status_code == 200 and "of 52 cards shown" not in anew.text
    assert files.names() == ["noise"]
