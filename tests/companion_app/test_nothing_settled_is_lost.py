"""What a person settles stands, whatever else happens to the table meanwhile; words about an older look are merged or
refused. Two hundred corrections are sent at random moments while a picture is read."""

import re
import threading
from collections.abc import Callable
from random import Random

import httpx
import pytest

from companion_app.desk.desk import Desk
from companion_app.errors import ChangedTrouble
from companion_app.hints.preparing import Preparation
from companion_app.languages import language
from companion_app.settings import Settings
from companion_app.tables.spread_table import Spread
from companion_app.tables.table import Table
from rules.cards import Card
from tests.companion_app.fakes import ROWS, FakeEyes, picture_bytes, reading, spread
from vision.layout.in_place import Asked
from vision.reading import TableReading

Serve = Callable[..., httpx.Client]
ENGLISH = language("en")
GAME = "relaxed-pyramid"
CORRECTIONS = 200
KEPT_AT = ("pyramid 1 1", "pyramid 2 1", "pyramid 3 2", "pyramid 5 4")
PAIR_GONE = reading((*ROWS[:6], "10H JC 9C -- 8D AS JS"), {"waste": "4C", "foundation": "10C"})


class SlowEyes(FakeEyes):
    """Reads the first picture at once; every later one takes as long as it is told, and says when it has begun."""

    def __init__(self, *readings: TableReading) -> None:
        super().__init__(*readings)
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.slow = False

    def read(self, data: bytes, *, layout: Asked = "auto") -> TableReading:
        found = super().read(data, layout=layout)
        if self.slow:
            self.begun.set()
            assert self.go_on.wait(30)
        return found


def opened(*readings: TableReading) -> tuple[Desk, SlowEyes, Table]:
    eyes = SlowEyes(*readings)
    desk = Desk(eyes, Settings(), Preparation())
    table = desk.open_picture(picture_bytes(), "one.jpg", GAME, ENGLISH)
    eyes.slow = True
    return desk, eyes, table


def beside(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_200_corrections_sent_while_a_picture_is_read_are_all_kept() -> None:
    rng, picture, kept = Random(5), picture_bytes(), 0
    for _ in range(CORRECTIONS):
        desk, eyes, table = opened(reading(), rng.choice([reading(), PAIR_GONE]))
        read = rng.choice([desk.next_picture, desk.watched])
        thread = beside(lambda read=read, table=table: read(table, picture, "two.jpg", ENGLISH))
        assert eyes.begun.wait(30)
        place, code = rng.choice(KEPT_AT), rng.choice(["2C", "3S", "9D"])
        late = threading.Timer(rng.choice([0.0, 0.001, 0.003]), eyes.go_on.set)
        late.start()
        desk.settle(table, place, code, str(table.look))
        thread.join()
        found = desk.find(table.id, ENGLISH)
        assert isinstance(found, Table)
        earlier = found.before.settled if found.before else {}
        kept += {**earlier, **found.settled}.get(place) == Card.parse(code)
    assert kept == CORRECTIONS


def test_corrections_sent_at_the_same_time_are_all_kept() -> None:
    desk, _, table = opened(reading())
    said = [(f"pyramid {row} {column}", code) for row, column, code in ((1, 1, "2C"), (2, 2, "9S"), (7, 7, "QD"))]
    threads = [beside(lambda word=word: desk.settle(table, *word)) for word in said]
    for thread in threads:
        thread.join()
    found = desk.find(table.id, ENGLISH)
    assert isinstance(found, Table)
    assert found.settled == {place: Card.parse(code) for place, code in said}


def test_a_word_about_the_look_before_holds_for_both_looks() -> None:
    desk, eyes, table = opened(reading(), PAIR_GONE)
    eyes.go_on.set()
    later = desk.next_picture(table, picture_bytes(), "two.jpg", ENGLISH)
    found = desk.settle(table, "pyramid 2 1", "2C", str(table.look))
    assert found.look == later.look != table.look
    assert found.before is not None
    assert found.settled["pyramid 2 1"] == found.before.settled["pyramid 2 1"] == Card.parse("2C")


def test_a_word_about_a_look_that_is_gone_is_refused_and_changes_nothing() -> None:
    desk, eyes, table = opened(reading(), PAIR_GONE, reading(), PAIR_GONE)
    eyes.go_on.set()
    for name in ("two.jpg", "three.jpg"):
        desk.next_picture(table, picture_bytes(), name, ENGLISH)
    before = desk.find(table.id, ENGLISH)
    for change in (
        lambda look: desk.settle(table, "pyramid 2 1", "2C", look),
        lambda look: desk.tell_piles(table, "3", "1", look),
        lambda look: desk.allow(table, look),
        lambda look: desk.put_back(table, look),
        lambda look: desk.begin_anew(table, look),
    ):
        with pytest.raises(ChangedTrouble):
            change(str(table.look))
    assert desk.find(table.id, ENGLISH) == before


@pytest.mark.parametrize("code", ["en", "fi", "pl", "nb"])
def test_the_page_says_which_look_it_shows_and_refuses_an_old_one_with_a_word(serve: Serve, code: str) -> None:
    client = serve(FakeEyes(reading(), PAIR_GONE))
    client.headers["accept-language"] = code
    files = {"picture": ("one.jpg", picture_bytes())}
    page = client.post("/tables", data={"game": GAME}, files=files)
    (look,) = set(re.findall(r'name="look" value="(\d+)"', page.text))
    path = page.url.path
    client.post(f"{path}/next", files=files)
    refused = client.post(f"{path}/piles", data={"stock": "3", "pass": "1", "look": look})
    assert (refused.status_code, refused.json()["code"]) == (409, "table-changed")
    assert refused.json()["detail"] == language(code).say("error.table-changed")
    settled = client.post(f"{path}/settle", data={"place": "pyramid 2 1", "card": "2C", "look": look})
    assert settled.status_code == 200


def test_two_words_about_a_spread_at_the_same_time_are_both_kept() -> None:
    eyes = FakeEyes(spread([Card.parse(code) for code in ("KS", "7H", "3D")]))
    desk = Desk(eyes, Settings(), Preparation())
    table = desk.open_spread(picture_bytes(), "loose.jpg", ENGLISH)
    threads = [beside(lambda n=n: desk.change(table, lambda now: now.settled(f"table {n}", "2C"))) for n in (1, 2, 3)]
    for thread in threads:
        thread.join()
    found = desk.find(table.id, ENGLISH)
    assert isinstance(found, Spread) and set(found.pins) == {"table 1", "table 2", "table 3"}
