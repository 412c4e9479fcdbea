"""Pictures that could not be read: kept in memory for a while, tried as another game or where a person points at."""

import re
import threading
import time
from collections.abc import Callable

import cv2
import httpx
import numpy as np
import pytest

from companion_app.desk import refused
from companion_app.desk.refused import Attempt, RefusedPictures, RefusedTrouble
from companion_app.errors import MissingTrouble, UsageTrouble
from companion_app.languages import CODES, language
from companion_app.tables.pointed_corners import corners_told
from tests.companion_app.fakes import FakeEyes, picture_bytes, reading, spread
from vision.errors import PictureError
from vision.layout.by_hand import ByHand
from vision.layout.in_place import Asked
from vision.reading import TableReading

Serve = Callable[..., httpx.Client]
FILE = {"picture": ("table.jpg", picture_bytes(1000, 500), "image/jpeg")}
POINTS = {
    f"pyramid-{n}-{way}": value
    for n, at in enumerate((("50", "10"), ("10", "60"), ("90", "60")), 1)
    for way, value in zip(("across", "down"), at, strict=True)
}

ROWS = {
    f"rows-{n}-{way}": value
    for n, at in enumerate((("50", "20"), ("50", "65"), ("12", "40"), ("88", "40")), 1)
    for way, value in zip(("across", "down"), at, strict=True)
}


class Unseeing(FakeEyes):
    """Eyes that see no layout, but cards, and a layout where a person points one out."""

    def __init__(self, code: str = "no-layout") -> None:
        super().__init__(reading())
        self.code = code
        self.pointed: list[ByHand] = []

    def read(self, data: bytes, *, layout: Asked = "auto") -> TableReading:
        if isinstance(layout, ByHand):
            self.pointed.append(layout)
            return reading()
        if layout is None:
            return spread([card.card for card in reading().cards[:3]])
        raise PictureError(self.code)


def refusal(client: httpx.Client, **fields: str) -> str:
    answer = client.post("/tables", data=fields, files=FILE)
    assert answer.status_code == 422
    return str(answer.json()["instance"])


def test_a_refused_picture_is_shown_and_tried_as_another_game(serve: Serve) -> None:
    client = serve(Unseeing())
    at = refusal(client, game="king-tut")
    page = client.get(at, headers={"accept": "text/html"})
    assert page.status_code == 200 and "no layout of a game" in page.text
    assert '<option value="king-tut" selected>' in page.text
    picture = client.get(f"{at}/picture.jpg")
    assert picture.headers["cache-control"] == "no-store"
    assert cv2.imdecode(np.frombuffer(picture.content, np.uint8), cv2.IMREAD_COLOR).shape == (500, 1000, 3)
    again = client.post(at, data={"game": "pyramid"})
    assert (again.status_code, again.json()["instance"]) == (422, at)
    assert '<option value="pyramid" selected>' in client.get(at).text
    opened = client.post(at, data={"game": "none"})
    assert opened.url.path.startswith("/tables/") and "data-table" in opened.text
    assert client.get(at).status_code == 404


def test_without_scripts_the_refusal_is_a_page_with_the_same_choices(serve: Serve) -> None:
    client = serve(Unseeing())
    page = client.post("/tables", files=FILE, headers={"accept": "text/html"})
    assert page.status_code == 422
    at = re.search(r'src="(/refused/[\w-]+)/picture.jpg"', page.text)
    assert at and client.post(at[1], data={"game": "none"}).url.path.startswith("/tables/")


def test_where_a_person_points_at_it_is_read_in_pixels_of_the_picture(serve: Serve) -> None:
    eyes = Unseeing("two-layouts")
    client = serve(eyes)
    at = refusal(client, game="king-tut", way="check")
    table = client.post(at, data={"layout": "pyramid-7", **POINTS})
    assert table.url.path.startswith("/tables/") and "King Tut" in table.text
    assert eyes.pointed[0].layout == "pyramid-7"
    assert eyes.pointed[0].points.tolist() == [[500, 50], [100, 300], [900, 300]]
    look = re.search(r'name="look" value="(\d+)"', table.text)
    assert look
    later = client.post(f"{table.url.path}/corners", data={"layout": "pyramid-7", "look": look[1], **POINTS})
    assert later.status_code == 200 and len(eyes.pointed) == 2
    assert 'id="undo"' in later.text
    for fields, code in (
        ({"layout": "pyramid-6", **POINTS}, "no-corners"),
        ({"layout": "pyramid-7", **POINTS, "look": "999"}, "table-changed"),
    ):
        wrong = client.post(f"{table.url.path}/corners", data=fields)
        assert wrong.json()["code"] == code


def test_a_next_picture_that_is_refused_goes_on_with_its_game_once_it_is_pointed_out(serve: Serve) -> None:
    eyes = Unseeing()
    client = serve(eyes)
    table = client.post(refusal(client), data={"layout": "pyramid-7", **POINTS}).url.path
    answer = client.post(f"{table}/next", files=FILE)
    at = answer.json()["instance"]
    page = client.get(at).text
    assert f'href="{table}"' in page and f'action="{table}/next"' in page
    assert client.post(at, data={"layout": "pyramid-6", **POINTS}).json()["code"] == "no-corners"
    later = client.post(at, data={"layout": "pyramid-7", **POINTS})
    assert later.url.path == table and "Nothing has changed" in later.text


def test_what_is_no_picture_is_not_kept(serve: Serve) -> None:
    answer = serve(Unseeing()).post("/tables", files={"picture": ("a.jpg", b"no picture", "image/jpeg")})
    assert answer.status_code == 415 or answer.json()["code"] != "no-layout"
    assert "instance" not in answer.json()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"layout": "piwnica"}, "no-corners"),
        ({"layout": "rows-6", **ROWS, "rows-3-across": "70"}, "rows-in-line"),
        ({"layout": "rows-6", **ROWS, "rows-2-down": "20", "rows-2-across": "50"}, "rows-in-line"),
        ({"layout": "rows-6", **ROWS, "rows-4-down": ""}, "number"),
        ({"layout": ""}, "no-corners"),
        ({"pyramid-1-down": "60"}, "pyramid-in-line"),
        ({"pyramid-1-down": "nan"}, "number"),
        ({"pyramid-3-across": "101"}, "number"),
        ({"pyramid-2-across": ""}, "number"),
    ],
)
def test_points_that_tell_nothing_are_named(change: dict[str, str], code: str) -> None:
    assert corners_told({"layout": "rows-6", **ROWS}).at[3] == (0.88, 0.4)
    with pytest.raises(UsageTrouble) as wrong:
        corners_told({"layout": "pyramid-7", **POINTS, **change})
    assert wrong.value.code == code
    assert f"error.{code}" in language("en")


def kept(store: RefusedPictures, picture: bytes = FILE["picture"][1], code: str = "no-cards") -> str:
    with pytest.raises(RefusedTrouble) as told, store.keeping(Attempt(picture, "a.jpg"), language("en")):
        raise PictureError(code)
    return told.value.refused.id


def test_only_the_last_few_are_kept_as_long_as_they_are_young_and_small(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    store = RefusedPictures(lambda: now[0])
    ids = [kept(store) for _ in range(refused.MOST + 2)]
    assert len(set(ids)) == len(ids) and all(len(each) > 20 for each in ids)
    for gone in ids[:2]:
        with pytest.raises(MissingTrouble):
            store.find(gone)
    assert [store.find(each).id for each in ids[2:]] == ids[2:]
    size = store.find(ids[-1]).bytes
    monkeypatch.setattr(refused, "MOST_BYTES", 2 * size)
    newest = kept(store)
    assert store.find(newest) and store.find(ids[-1])
    with pytest.raises(MissingTrouble):
        store.find(ids[-2])
    now[0] = refused.SECONDS + 1
    with pytest.raises(MissingTrouble):
        store.find(newest)


def timers(store: RefusedPictures) -> int:
    """How many timers wait for what this store keeps; the decoder of pictures has some of its own."""
    running = (thread for thread in threading.enumerate() if isinstance(thread, threading.Timer))
    return sum(thread.function == store._expire for thread in running)


def test_what_is_kept_goes_in_time_though_nobody_comes_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refused, "SECONDS", 0.5)
    store = RefusedPictures()
    for _ in range(3):
        kept(store)
    assert store._kept and timers(store) == 1
    until = time.monotonic() + 20
    while store._kept and time.monotonic() < until:
        time.sleep(0.05)
    assert store._kept == {}


def test_every_refusal_that_keeps_a_picture_is_told_in_every_language() -> None:
    for code in CODES:
        spoken = language(code)
        assert all(f"error.{why}" in spoken for why in refused.TRIED_AGAIN)
