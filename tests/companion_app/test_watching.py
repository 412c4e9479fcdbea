"""A camera above the table: which frames are read, what is told of them, and what a bad frame does."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import httpx
import numpy as np
import pytest

from companion_app.desk.watching import MOST_WATCHED, Watching
from tests.companion_app.fakes import ROWS, FakeEyes, reading
from vision.video.frame_gate import Sight

Serve = Callable[..., httpx.Client]
GAME = "relaxed-pyramid"
AFTER = reading((*ROWS[:6], "10H JC -- 10C 8D AS JS"), {"waste": None, "foundation": "4C"})
HAND = reading((*ROWS[:6], "10H -- 9C 10C 8D AS JS"))


def frame(*cards: int, size: tuple[int, int] = (320, 240)) -> bytes:
    """A JPEG of a cloth on which cards lie at these numbers."""
    pixels = np.full((size[1], size[0], 3), (70, 90, 40), np.uint8)
    for number in cards:
        x, y = 20 + number % 6 * 45, 20 + number // 6 * 60
        pixels[y : y + 45, x : x + 32] = 235
    _, encoded = cv2.imencode(".jpg", pixels)
    return encoded.tobytes()


def sights(client: httpx.Client, path: str, *frames: bytes) -> list[str]:
    """What each frame shows."""
    answers = [client.post(f"{path}/glance", files={"picture": ("f.jpg", content)}) for content in frames]
    assert [answer.status_code for answer in answers] == [200] * len(frames)
    return [answer.json()["sight"] for answer in answers]


def opened(serve: Serve, *later: object) -> tuple[httpx.Client, str, FakeEyes]:
    """A server with a table open, the eyes of which see `later` after it."""
    eyes = FakeEyes(reading(), *later)  # type: ignore[arg-type]
    client = serve(eyes)
    page = client.post("/tables", data={"game": GAME}, files={"picture": ("t.jpg", frame(1, 2))})
    return client, page.url.path, eyes


def watched(client: httpx.Client, path: str, content: bytes) -> str:
    """The page after a whole frame was read."""
    answer = client.post(f"{path}/watched", files={"picture": ("camera.jpg", content)})
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_table_is_read_once_it_lies_still_and_again_only_when_it_changed(serve: Serve) -> None:
    client, path, eyes = opened(serve, reading(), AFTER)
    assert sights(client, path, frame(1, 2), frame(1, 2), frame(1, 2)) == ["moving", "moving", "changed"]
    assert "Moves made" not in watched(client, path, frame(1, 2))
    assert sights(client, path, frame(1, 2), frame(1, 2)) == ["unchanged", "unchanged"]
    assert sights(client, path, frame(1), frame(1), frame(1)) == ["moving", "moving", "changed"]
    told = watched(client, path, frame(1))
    assert "Moves made" in told
    assert "9 of clubs + 4 of clubs" in told or "4 of clubs + 9 of clubs" in told
    assert sights(client, path, frame(1)) == ["unchanged"]
    assert len(eyes.asked) == 3


def test_moves_told_stay_when_a_later_look_shows_the_same_cards(serve: Serve) -> None:
    client, path, _ = opened(serve, AFTER, AFTER)
    assert "Moves made" in watched(client, path, frame(1))
    assert "Pair: " in watched(client, path, frame(1, 3))


def test_a_look_that_no_move_explains_does_not_lose_the_game(serve: Serve) -> None:
    client, path, _ = opened(serve, HAND, AFTER)
    assert "What happened?" in watched(client, path, frame(5))
    told = watched(client, path, frame(1))
    assert "A look at the rules" not in told
    assert "Moves made" in told


def test_what_was_put_back_is_no_breach_any_more(serve: Serve) -> None:
    client, path, _ = opened(serve, HAND, HAND, reading())
    assert "A look at the rules" not in watched(client, path, frame(5))
    assert "A look at the rules" in watched(client, path, frame(5))
    assert "A look at the rules" not in watched(client, path, frame(1, 2))


def test_while_it_is_open_what_happened_the_next_still_frame_is_read_as_well(serve: Serve) -> None:
    client, path, eyes = opened(serve, HAND, HAND)
    assert sights(client, path, *[frame(5)] * 3)[-1] == "changed"
    assert "What happened?" in watched(client, path, frame(5))
    assert sights(client, path, frame(5)) == ["changed"]
    assert "A look at the rules" in watched(client, path, frame(5))
    assert sights(client, path, frame(5)) == ["unchanged"]
    assert len(eyes.asked) == 3


def test_a_frame_that_cannot_be_read_is_not_tried_again_at_once(serve: Serve) -> None:
    other = reading(beside=("2S",)).cards[-1:]
    client, path, _ = opened(serve, replace(reading(), layout=None, places={}, cards=other))
    assert sights(client, path, *[frame(1)] * 3)[-1] == "changed"
    answer = client.post(f"{path}/watched", files={"picture": ("camera.jpg", frame(1))})
    assert (answer.status_code, answer.json()["code"]) == (422, "no-layout")
    assert sights(client, path, frame(1), frame(1)) == ["unchanged", "unchanged"]
    assert "king of spades; row 1, place 1" in client.get(path).text


def test_cards_that_lie_as_they_lay_are_the_table_though_no_layout_is_told(serve: Serve) -> None:
    client, path, _ = opened(serve, replace(AFTER, layout=None, places={}))
    assert "Moves made" in watched(client, path, frame(1))


@pytest.mark.parametrize("content", [b"", b"rubbish"], ids=["empty", "rubbish"])
def test_a_frame_that_is_no_picture_is_refused_and_the_watch_goes_on(serve: Serve, content: bytes) -> None:
    client, path, _ = opened(serve)
    assert sights(client, path, frame(1), frame(1)) == ["moving", "moving"]
    assert client.post(f"{path}/glance", files={"picture": ("f.jpg", content)}).status_code in (415, 422)
    assert sights(client, path, frame(1)) == ["changed"]


def test_cards_without_a_layout_and_tables_that_are_not_there_are_not_watched(serve: Serve) -> None:
    client, _, _ = opened(serve)
    assert client.post("/tables/nowhere/glance", files={"picture": ("f.jpg", frame())}).status_code == 404
    spread = client.post("/tables", data={"game": "none"}, files={"picture": ("t.jpg", frame(1))})
    assert client.post(f"{spread.url.path}/glance", files={"picture": ("f.jpg", frame())}).status_code == 400


def seen(watching: Watching, table: str, content: bytes) -> Sight:
    return watching.glance(table, content).glance.sight


def test_a_camera_that_was_turned_begins_anew() -> None:
    watching = Watching()
    upright = frame(1, size=(240, 320))
    assert [seen(watching, "t", content) for content in (frame(1), frame(1), upright)] == [Sight.MOVING] * 3
    assert [seen(watching, "t", upright) for _ in range(2)] == [Sight.MOVING, Sight.CHANGED]


def test_the_table_looked_at_longest_ago_is_forgotten() -> None:
    watching = Watching()
    for number in range(MOST_WATCHED + 1):
        for _ in range(3):
            sight = seen(watching, f"table {number}", frame(1))
        assert sight is Sight.CHANGED
        watching.taken(f"table {number}")
    assert seen(watching, "table 1", frame(1)) is Sight.UNCHANGED
    assert seen(watching, "table 0", frame(1)) is Sight.MOVING


def test_every_picture_has_an_address_of_its_own_whatever_its_name(serve: Serve) -> None:
    client, path, _ = opened(serve, AFTER)
    first = client.get(path).text.partition("picture.jpg?")[2][:8]
    later = client.post(f"{path}/next", files={"picture": ("t.jpg", frame(4))}).text
    assert later.partition("picture.jpg?")[2][:8] != first
