"""`cardtable watch`: a game followed by a camera, here a video of the sample pictures, and kept."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest

from companion_app.camera import cameras
from companion_app.camera.cameras import Frame, frames
from companion_app.camera.watcher import watch
from companion_app.desk.desk import Desk
from companion_app.errors import UnreadableTrouble
from companion_app.hints.preparing import Preparation
from companion_app.languages import CODES, language
from companion_app.library.store import Store
from companion_app.settings import Settings
from companion_app.tables.table import Table
from rules.record import read_records
from tests.companion_app.command_line import answers, run
from tests.companion_app.fakes import ROWS, FakeEyes, reading
from tests.companion_app.serving import serving
from vision.errors import PictureError
from vision.layout.in_place import Asked
from vision.reading import TableReading

ENGLISH = language("en")
GAME = "relaxed-pyramid"
SIZE = (960, 720)
AFTER = reading((*ROWS[:6], "10H JC -- 10C 8D AS JS"), {"waste": None, "foundation": "4C"})
HAND = reading((*ROWS[:6], "10H -- 9C 10C 8D AS JS"))


def filmed(path: Path, *names: str, seconds: float = 2) -> str:
    """A video of these sample pictures, five frames a second."""
    video = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 5, SIZE)
    for name in names:
        frame = cv2.resize(cv2.imread(str(files("sample_images") / f"{name}.jpg")), SIZE, interpolation=cv2.INTER_AREA)
        for _ in range(int(5 * seconds)):
            video.write(frame)
    video.release()
    return str(path)


def table_frame(*cards: int) -> Frame:
    """A cloth on which cards lie at these numbers."""
    pixels = np.full((240, 320, 3), (70, 90, 40), np.uint8)
    for number in cards:
        x, y = 20 + number % 6 * 45, 20 + number // 6 * 60
        pixels[y : y + 45, x : x + 32] = 235
    return pixels


def shown(*looks: Frame | None) -> Iterator[tuple[float, Frame | None]]:
    """Each of these for a second; None is a camera that has gone."""
    second = 0.0
    for look in looks:
        for _ in range(1 if look is None else 5):
            yield second, look
            second += 0.2


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which games are kept."""
    monkeypatch.setattr("companion_app.commands.watch.games_folder", lambda: tmp_path / "games")
    return tmp_path / "games"


def test_a_game_is_watched_told_and_kept(tmp_path: Path, kept: Path) -> None:
    done = run("watch", "--game", GAME, "--camera", filmed(tmp_path / "a.avi", "pair-before", "pair-after"), "--json")
    first, second, record = answers(done)
    assert done.exit_code == 0
    assert (first["explanation"], first["picture"]["second"]) == ("start", 0.4)
    assert (second["explanation"], [move["kind"] for move in second["moves"]]) == ("moves", ["pair"])
    (played,) = read_records(record["record"])
    assert [str(card) for card in played.record.moves[0].cards] == ["4H", "9S"]
    (game,) = Store(kept).games(9)
    assert game.id in done.stderr and (game.game, game.looks) == (GAME, 2)
    table = Desk(FakeEyes(), Settings(), Preparation(), store=Store(kept)).find(game.id, ENGLISH)
    assert isinstance(table, Table) and table.position().to_json() == second["position"]


def test_for_people_the_moves_are_told_and_the_record_follows(tmp_path: Path, kept: Path) -> None:
    said = run("watch", "--game", GAME, "--camera", filmed(tmp_path / "a.avi", "pair-before", "pair-after")).stdout
    assert "Pair: 4 of hearts + 9 of spades" in said and "1. pair 4H 9S" in said
    assert kept.exists()


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("camera", ["93", "no-camera-here"])
def test_a_camera_that_is_none_is_told(kept: Path, code: str, camera: str) -> None:
    done = run("watch", "--game", GAME, "--camera", camera, "--lang", code, "--json")
    assert done.exit_code == 3 and answers(done)[0]["error"]["code"] == "no-camera"
    assert language(code).say("error.no-camera", name=camera) in done.stderr
    assert not kept.exists() or Store(kept).games(9) == []


def test_a_file_that_is_no_video_is_told(tmp_path: Path, kept: Path) -> None:
    (tmp_path / "a.avi").write_bytes(b"no video")
    done = run("watch", "--game", GAME, "--camera", str(tmp_path / "a.avi"), "--json")
    assert done.exit_code == 3 and answers(done)[0]["error"]["code"] == "no-video"
    assert kept is not None


def watched(eyes: FakeEyes, *looks: Frame | None) -> tuple[list[Table], list[str]]:
    """The tables that were told of, and what was noticed beside them."""
    noticed: list[str] = []
    desk = Desk(eyes, Settings(), Preparation())
    seen = watch(desk, GAME, {}, shown(*looks), ENGLISH, lambda what, _: noticed.append(what))
    return [each.table for each in seen], noticed


def told(table: Table) -> str:
    assert table.belief is not None
    return table.belief.best.event.kind


def test_a_table_is_read_when_it_has_changed_and_lies_still() -> None:
    eyes = FakeEyes(reading(), AFTER)
    tables, noticed = watched(eyes, table_frame(1, 2), table_frame(1), table_frame(1))
    assert [table.belief is None or told(table) for table in tables] == [True, "moves"]
    assert (len(eyes.asked), noticed) == (2, ["advice"])


def test_what_seems_to_break_a_rule_is_looked_at_again_before_anybody_is_accused() -> None:
    eyes = FakeEyes(reading(), HAND, HAND, reading())
    tables, _ = watched(eyes, table_frame(1, 2), table_frame(1), table_frame(1, 2))
    assert [table.story.violations != () for table in tables[1:] if table.story] == [False, True, False]


class Blind(FakeEyes):
    """Cannot read the second picture."""

    def read(self, data: bytes, *, layout: Asked = "auto") -> TableReading:
        found = super().read(data, layout=layout)
        if len(self.asked) in (2, 3):
            raise PictureError("too-blurred")
        return found


def test_a_view_that_cannot_be_read_is_told_and_the_game_goes_on() -> None:
    tables, noticed = watched(
        Blind(reading(), reading(), reading(), AFTER), table_frame(1, 2), table_frame(1), table_frame(3, 4, 5)
    )
    assert noticed.count("unread") == 1
    assert told(tables[-1]) == "moves"


def test_a_camera_that_lost_its_focus_is_looked_at_again_soon() -> None:
    tables, noticed = watched(Blind(reading(), reading(), reading(), AFTER), table_frame(1, 2), *[table_frame(1)] * 4)
    assert noticed.count("unread") == 1
    assert told(tables[-1]) == "moves"


def test_a_camera_that_goes_away_and_comes_back_loses_nothing() -> None:
    tables, noticed = watched(FakeEyes(reading(), AFTER), table_frame(1, 2), None, table_frame(1))
    assert (len(tables), noticed) == (2, ["advice", "gone"])
    assert told(tables[-1]) == "moves"


class FakeVideo:
    """A camera that gives so many frames and is gone then; the next ones opened are as told."""

    made: list["FakeVideo"]
    lengths: list[int]

    def __init__(self, source: object) -> None:
        self.left = self.lengths.pop(0) if self.lengths else 0
        self.there = self.left > 0
        self.made.append(self)

    def isOpened(self) -> bool:  # noqa: N802 - as OpenCV has it
        return self.there

    def read(self) -> tuple[bool, Frame]:
        self.left -= 1
        time.sleep(0.01)
        return self.left >= 0, table_frame(1)

    def release(self) -> None:
        self.there = False


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def of(*lengths: int) -> None:
        FakeVideo.made, FakeVideo.lengths = [], list(lengths)
        monkeypatch.setattr(cameras.cv2, "VideoCapture", FakeVideo)
        monkeypatch.setattr(cameras, "RETRY_SECONDS", 0.02)
        monkeypatch.setattr(cameras, "BACK_SECONDS", 0.2)
        monkeypatch.setattr(cameras, "RATE", 50.0)

    return of


def test_a_camera_gives_its_newest_frame_is_waited_for_and_missed_in_the_end(camera: Callable[..., None]) -> None:
    camera(20, 0, 20)
    seen: list[bool] = []
    with pytest.raises(UnreadableTrouble) as raised:
        for _, frame in frames("0"):
            seen.append(frame is not None)
    assert raised.value.code == "camera-gone"
    assert seen.count(False) == 2 and 4 <= seen.count(True) <= 40 and seen[0]
    assert not any(video.there for video in FakeVideo.made)


def test_a_camera_nobody_watches_any_more_is_let_go(camera: Callable[..., None]) -> None:
    camera(10_000)
    looking = frames("0")
    next(looking)
    looking.close()  # type: ignore[attr-defined]
    until = time.monotonic() + 5
    while FakeVideo.made[0].there and time.monotonic() < until:
        time.sleep(0.01)
    assert not FakeVideo.made[0].there
    assert threading.active_count() < 50


def test_the_server_watches_through_a_camera_of_its_own(tmp_path: Path) -> None:
    video = filmed(tmp_path / "a.avi", "pair-before", "pair-after")
    with serving(camera=video, XDG_DATA_HOME=str(tmp_path / "data"), CARDTABLE_KEEP="true") as server:
        until, page = time.monotonic() + 60, ""
        while "Pair: 4 of hearts + 9 of spades" not in page and time.monotonic() < until:
            time.sleep(0.5)
            start = httpx.get(server.address, trust_env=False).text
            if found := re.search(r'id="go-on" href="/(tables/[^"]+)"', start):
                page = httpx.get(server.address + found.group(1), trust_env=False).text
        assert "Pair: 4 of hearts + 9 of spades" in page
