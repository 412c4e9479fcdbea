"""Many at once: who finds no room is told so, nothing is lost by it, and nobody waits for another's slow picture."""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random

import httpx
import pytest

from companion_app.desk.turns import MOST_PICTURES, Readings
from companion_app.errors import BusyTrouble
from tests.companion_app.fakes import FakeEyes, picture_bytes, reading
from tests.companion_app.flat import read, refused, sent
from tests.companion_app.load import BUSY, Trial, load
from tests.companion_app.serving import serving
from tests.companion_app.test_watching import frame, opened, sights
from tests.vision.bombs import bombs
from vision.layout.in_place import Asked
from vision.reading import TableReading

Serve = Callable[..., httpx.Client]
PATIENCE = 30.0
SHORT_SECONDS = 8.0


class SlowEyes(FakeEyes):
    """Eyes that read when they are allowed to; the first picture at once."""

    def __init__(self, *readings: TableReading) -> None:
        super().__init__(*readings)
        self.begun, self.allowed = threading.Semaphore(0), threading.Semaphore(1)

    def read(self, data: bytes, *, layout: Asked = "auto") -> TableReading:
        """The next reading, once it is allowed."""
        self.begun.release()
        assert self.allowed.acquire(timeout=PATIENCE)
        return super().read(data, layout=layout)


@contextmanager
def sending(client: httpx.Client, eyes: SlowEyes, path: str, number: int = 1) -> Iterator[list[httpx.Response]]:
    """So many pictures under way; what was answered once they have been read."""
    answers: list[httpx.Response] = []
    data, files = {"game": "relaxed-pyramid"}, {"picture": ("t.jpg", picture_bytes())}
    with ThreadPoolExecutor(number) as pool:
        asked = [pool.submit(client.post, path, data=data, files=files) for _ in range(number)]
        for _ in range(number):
            assert eyes.begun.acquire(timeout=PATIENCE)
        yield answers
        for _ in range(number):
            eyes.allowed.release()
        answers += [one.result() for one in asked]


def watched_table(serve: Serve) -> tuple[httpx.Client, str, SlowEyes]:
    """A table that a camera has seen change, and eyes that wait."""
    eyes = SlowEyes(reading())
    client = serve(eyes)
    page = client.post("/tables", data={"game": "relaxed-pyramid"}, files={"picture": ("t.jpg", frame(1, 2))})
    assert eyes.begun.acquire(timeout=PATIENCE)
    assert sights(client, page.url.path, *[frame(1)] * 3)[-1] == "changed"
    return client, page.url.path, eyes


def post_frame(client: httpx.Client, path: str) -> httpx.Response:
    """A whole frame of a camera."""
    return client.post(f"{path}/watched", files={"picture": ("camera.jpg", frame(1))})


@pytest.mark.parametrize("waiting", ["two others", "its own table"])
def test_a_frame_beyond_capacity_is_left_out_and_told_and_seen_again_later(serve: Serve, waiting: str) -> None:
    client, path, eyes = watched_table(serve)
    others = ("/tables", 2) if waiting == "two others" else (f"{path}/next", 1)
    with sending(client, eyes, *others) as answers:
        told = post_frame(client, path)
        assert (told.status_code, told.json()["code"]) == (BUSY, "busy")
        assert int(told.headers["retry-after"]) > 0
        assert "Send this one again" in told.json()["detail"]
        assert sights(client, path, frame(1)) == ["changed"], "not seen yet"
    assert [answer.status_code for answer in answers] == [200] * others[1]
    eyes.allowed.release()
    assert post_frame(client, path).status_code == 200
    assert sights(client, path, frame(1)) == ["unchanged"]


def test_a_frame_waits_for_one_other_picture(serve: Serve) -> None:
    client, path, eyes = watched_table(serve)
    with sending(client, eyes, "/tables"), ThreadPoolExecutor(1) as pool:
        answer = pool.submit(post_frame, client, path)
        assert eyes.begun.acquire(timeout=PATIENCE)
        eyes.allowed.release(2)
        assert answer.result().status_code == 200


def test_more_pictures_than_there_is_room_for_are_refused_and_the_page_is_served(serve: Serve) -> None:
    client, path, eyes = watched_table(serve)
    with sending(client, eyes, "/tables", MOST_PICTURES) as answers:
        files = {"picture": ("t.jpg", picture_bytes())}
        for busy_path in ("/tables", f"{path}/next", f"{path}/glance"):
            told = client.post(busy_path, files=files)
            assert (told.status_code, told.json()["code"]) == (BUSY, "busy")
        page = client.post("/tables", files=files, headers={"accept": "text/html"})
        assert page.status_code == BUSY and "retry-after" in page.headers and "Send this one again" in page.text
        assert client.get(path).status_code == 200
        assert client.post(f"{path}/stage", data={"stage": "deal"}).status_code == 200, "no picture, no wait"
    assert [answer.status_code for answer in answers] == [200] * MOST_PICTURES
    eyes.allowed.release()
    assert client.post("/tables", files=files).status_code == 200


def test_a_refused_picture_leaves_its_place_to_the_next(serve: Serve) -> None:
    client, _, _ = opened(serve)
    for _ in range(2 * MOST_PICTURES):
        assert client.post("/tables", files={"picture": ("t.jpg", b"rubbish")}).status_code == 415
    assert client.post("/tables", files={"picture": ("t.jpg", frame(1))}).status_code == 200


def test_readings_end_however_they_end() -> None:
    readings = Readings()
    for _ in range(3):
        with pytest.raises(ValueError, match="odd"), readings.frame("a"):
            raise ValueError("odd")
        with pytest.raises(ValueError, match="odd"), readings.picture("a"):
            raise ValueError("odd")
    with readings.frame("a"), pytest.raises(BusyTrouble), readings.frame("a"):
        pass


def checked(trial: Trial) -> None:
    """No error, and every frame sent came to something that was told."""
    assert trial.errors == []
    told = trial.told
    sights_told = sum(told[f"frames {sight}"] for sight in ("moving", "unchanged", "changed", "bumped"))
    assert told["frames sent"] == sights_told + told["glance busy"]
    assert told["frames changed"] + told["frames bumped"] == told["frames read"] + told["watched busy"]
    assert told["frames sent"] and trial.seconds["page"] and trial.seconds["upload"]


def test_load_of_viewers_cameras_uploads_and_hostile_pictures_gives_no_error() -> None:
    hostile = [data for name, data in bombs() if "scans" not in name]
    with serving() as served:
        trial = asyncio.run(load(served.address, SHORT_SECONDS, 1, hostile, cameras=4))
    checked(trial)
    assert trial.told["bomb other-format"]


def test_refusals_and_readings_one_after_the_other_end_in_a_word() -> None:
    told = Counter[str]()
    rng = Random(1)
    with serving() as served, httpx.Client(base_url=served.address, timeout=60, trust_env=False) as client:
        sent(client, refused(rng), 8, told)
        sent(client, read(rng), 8, told)
        assert served.look() > 0
    assert told["read"] >= 6 and told.total() == 16 and not told["internal"]
