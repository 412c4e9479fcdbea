"""What a player is told while a camera watches the table: the one thing that would help most, look by look."""

from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files

import cv2
import httpx
import numpy as np
import pytest

from companion_app.camera.cameras import Frame, jpeg_of
from companion_app.camera.watcher import RESTLESS, watch
from companion_app.desk.desk import Desk
from companion_app.desk.watched import most_useful, told_of
from companion_app.desk.watching import POOR_LOOKS, SOON, Watching, watched_on
from companion_app.hints.preparing import Preparation
from companion_app.languages import CODES, language
from companion_app.settings import Settings
from companion_app.tables.table import Table
from rules.cards import GONE
from tests.companion_app.fakes import ROWS, FakeEyes, reading
from tests.companion_app.test_watch import shown, table_frame
from tests.companion_app.test_watching import frame
from vision.errors import PictureError
from vision.layout.in_place import Asked
from vision.reader import Reader
from vision.reading import Advice, TableReading
from vision.video.frame_gate import Sight, Watch

Serve = Callable[..., httpx.Client]
GAME = "relaxed-pyramid"
ENGLISH = language("en")
ROW_5 = tuple(f"pyramid 5 {column}" for column in range(1, 6))
FINE = replace(reading(), advice=())
GONE_ROWS = tuple(" ".join(["--"] * number) for number in range(1, 8))


def advised(*advice: Advice) -> TableReading:
    return replace(reading(), advice=advice)


class Eyes(FakeEyes):
    """Gives readings, or refuses with an error where one is given instead."""

    def __init__(self, *looks: TableReading | PictureError) -> None:
        super().__init__(*looks)  # type: ignore[arg-type]

    def read(self, data: bytes, *, layout: Asked = "auto") -> TableReading:
        found = super().read(data, layout=layout)
        if isinstance(found, PictureError):
            raise found
        return found


class Watched:
    """A table that is watched through the page's own addresses."""

    def __init__(self, client: httpx.Client, code: str = "en") -> None:
        self.client, self.spoken = client, {"accept-language": code}
        page = client.post("/tables", data={"game": GAME}, files={"picture": ("t.jpg", frame(1, 2))})
        self.path = page.url.path

    def post(self, action: str, picture: bytes) -> httpx.Response:
        file = {"picture": ("f.jpg", picture)}
        return self.client.post(f"{self.path}/{action}", files=file, headers=self.spoken)

    def seen(self, *pictures: bytes) -> dict[str, str | bool]:
        """What the last of these looks comes to."""
        for picture in pictures:
            answer: dict[str, str | bool] = self.post("glance", picture).json()
        return answer

    def read(self, picture: bytes) -> httpx.Response:
        """The picture is looked at until it is read, and read."""
        assert self.seen(*[picture] * 3)["sight"] == "changed"
        return self.post("watched", picture)

    def says(self, picture: bytes) -> str:
        return str(self.seen(picture)["says"])


@pytest.mark.parametrize("code", CODES)
def test_a_look_that_was_read_is_told_with_what_would_help_most_and_where(serve: Serve, code: str) -> None:
    spoken = language(code)
    watched = Watched(serve(Eyes(FINE, advised(Advice("glare", ROW_5), Advice("cloth")), FINE)), code)
    watched.read(frame(1, 2))
    told, row = spoken.say("advice.glare"), spoken.say("area.row", row="5")
    stands = spoken.say("watch.unchanged")
    assert watched.says(frame(1, 2)) == f"{stands} {told[0].upper()}{told[1:]} ({row})."
    watched.read(frame(1))
    assert watched.says(frame(1)) == stands


def test_of_two_cards_the_places_are_told_of_a_few_rows_these_and_of_the_whole_table_none() -> None:
    row_7 = tuple(f"pyramid 7 {column}" for column in range(1, 8))
    every = tuple(f"pyramid {row} 1" for row in range(1, 8))
    lines = ("left 2 1", "left 2 2", "right column 1", "waste")
    assert most_useful([Advice("covered", ROW_5[:1])], ENGLISH).endswith("take it away (row 5, place 1).")
    assert most_useful([Advice("outside", row_7)], ENGLISH) == (
        "Outside the picture: row 7. Get the whole layout into the frame."
    )
    assert most_useful([Advice("glare", (*ROW_5, *row_7))], ENGLISH).endswith("(row 5, row 7).")
    assert most_useful([Advice("glare", lines)], ENGLISH).endswith("(left row 2, right column, waste).")
    assert "(" not in most_useful([Advice("glare", every)], ENGLISH)
    assert most_useful([Advice("mixed", ROW_5)], ENGLISH) == ""


@pytest.mark.parametrize("code", CODES)
def test_a_look_that_was_refused_is_told_by_what_would_help(serve: Serve, code: str) -> None:
    spoken = language(code)
    far = PictureError("no-layout", advice=(Advice("closer"),))
    watched = Watched(serve(Eyes(FINE, FINE, far)), code)
    watched.read(frame(1, 2))
    assert watched.seen(frame(1, 2))["outlined"]
    answer, told = watched.read(frame(1)), spoken.say("advice.closer")
    assert (answer.status_code, answer.json()["code"]) == (422, "no-layout")
    assert answer.json()["detail"] == f"{told[0].upper()}{told[1:]}."
    seen = watched.seen(frame(1))
    assert seen["says"] == spoken.say("watch.failed", why=answer.json()["detail"])
    assert not seen["outlined"]


def test_a_refusal_of_which_nothing_more_is_known_keeps_its_own_words(serve: Serve) -> None:
    watched = Watched(serve(Eyes(FINE, PictureError("two-layouts"))))
    assert watched.read(frame(1)).json()["detail"] == ENGLISH.say("error.two-layouts")
    assert watched.says(frame(1)) == f"Not readable just now. {ENGLISH.say('error.two-layouts')}"


def test_a_look_of_which_nothing_was_taken_says_so_and_has_no_outlines(serve: Serve) -> None:
    hidden = replace(reading((*ROWS[:6], GONE_ROWS[6])), advice=(Advice("covered", ("pyramid 7 1",)),))
    watched = Watched(serve(Eyes(FINE, hidden)))
    assert "Moves made" not in watched.read(frame(1)).text
    seen = watched.seen(frame(1))
    assert seen["says"] == (
        "Too little of the table shows: this look is passed over. "
        "Something lies over a card: take it away (row 7, place 1)."
    )
    assert not seen["outlined"]


def test_a_table_that_never_lies_still_is_looked_into_for_what_would_help(serve: Serve) -> None:
    dark = advised(Advice("covered", ROW_5), Advice("dark"))
    watched = Watched(serve(Eyes(FINE, dark, FINE)))
    moving = [frame(number % 5 + 1) for number in range(10)]
    answers = [watched.seen(each) for each in moving]
    assert [answer["restless"] for answer in answers] == [False] * 9 + [True]
    assert {answer["says"] for answer in answers} == {"Something moves: waiting until it lies still."}
    told = watched.post("look-into", moving[-1]).json()["says"]
    assert told == "Something moves: waiting until it lies still. Give more light: the picture is too dark."
    assert watched.says(frame(9)) == told
    watched.read(frame(1))
    assert watched.says(frame(1)) == "Nothing has changed."


def texture(x: int, y: int) -> bytes:
    """A table full of things, seen by a camera that was moved so far."""
    rng = np.random.default_rng(1)
    pixels = cv2.resize(rng.integers(0, 255, (30, 40, 3), dtype=np.uint8), (360, 280), interpolation=cv2.INTER_CUBIC)
    _, encoded = cv2.imencode(".jpg", pixels[20 + y : 260 + y, 20 + x : 340 + x])
    return encoded.tobytes()


def test_a_camera_in_a_hand_is_told_to_be_put_down(serve: Serve) -> None:
    watched = Watched(serve(Eyes(FINE)))
    ways = [(0, 0), (6, 4), (-5, 7), (3, -6), (-7, -2)] * 2
    seen = watched.seen(*[texture(*way) for way in ways])
    assert seen["says"] == "The camera itself moves: put it where it stands firmly."
    assert not seen["restless"]


def with_arm() -> bytes:
    """The table of two cards with an arm over it, or with whatever else came into view."""
    plain = cv2.imdecode(np.frombuffer(frame(1, 2), np.uint8), cv2.IMREAD_COLOR)
    _, content = cv2.imencode(".jpg", cv2.line(plain, (0, 230), (200, 120), (110, 140, 200), 40))
    return content.tobytes()


def test_what_reaches_over_the_table_is_told_and_waited_out(serve: Serve) -> None:
    covered = advised(Advice("covered", ROW_5))
    covered = replace(covered, places={**covered.places, "pyramid 7 1": GONE})
    watched, arm = Watched(serve(Eyes(FINE, FINE, covered))), with_arm()
    watched.read(frame(1, 2))
    seen = watched.seen(*[arm] * 5)
    over = "Something reaches over the table, or the camera was turned: waiting."
    assert seen == {"sight": "moving", "says": over, "outlined": False, "restless": True}
    assert watched.post("look-into", arm).json()["says"] == over
    assert watched.seen(*[arm] * 5)["sight"] == "moving"


def test_a_hand_beside_whose_fingers_every_card_can_be_read_is_waited_out_as_well(serve: Serve) -> None:
    watched, hand = Watched(serve(Eyes(FINE, FINE, advised(Advice("covered", ROW_5)), FINE))), with_arm()
    watched.read(frame(1, 2))
    watched.seen(*[hand] * 5)
    watched.post("look-into", hand)
    assert watched.seen(*[hand] * 5)["sight"] == "moving"
    assert watched.seen(*[frame(1, 2)] * 3)["sight"] == "unchanged"


def test_a_frame_with_something_over_a_card_does_not_show_how_the_table_lies_without_it() -> None:
    watch = Watch()
    for _ in range(3):
        watch, _ = watch.look(table_frame())
    assert watched_on(watch.having_read(), (), again=False).plain is not None
    assert watched_on(watch.having_read(), (Advice("covered", ROW_5),), again=False).plain is None


def test_a_view_in_which_every_card_shows_is_read_though_it_is_another(serve: Serve) -> None:
    watched, other = Watched(serve(Eyes(FINE))), with_arm()
    watched.read(frame(1, 2))
    assert watched.seen(*[other] * 5)["restless"]
    watched.post("look-into", other)
    assert watched.seen(other)["sight"] == "changed"
    watched.post("watched", other)
    assert watched.seen(other) == {
        "sight": "unchanged", "says": "Nothing has changed.", "outlined": True, "restless": False,
    }  # fmt: skip


def test_a_view_too_dark_to_tell_is_told_as_that_and_not_as_an_arm(serve: Serve) -> None:
    watched, arm = Watched(serve(Eyes(FINE, FINE, PictureError("no-cards", advice=(Advice("dark"),))))), with_arm()
    watched.read(frame(1, 2))
    watched.seen(*[arm] * 5)
    assert watched.post("look-into", arm).json()["says"] == "Give more light: the picture is too dark."
    assert watched.says(arm) == "Give more light: the picture is too dark."
    assert watched.says(frame(9)) == "Something moves: waiting until it lies still."


def test_a_poor_look_is_taken_again_without_a_word_until_it_is_a_better_one() -> None:
    watching, words = Watching(), []

    def sights(looks: int) -> list[Sight]:
        views = [watching.glance("t", frame(1)) for _ in range(looks)]
        words.extend(told_of(view, ENGLISH) for view in views[1:])
        return [view.glance.sight for view in views]

    sights(3)
    watching.taken("t")
    words.clear()
    # Of what cannot be read soon another look is taken, then more and more seldom.
    for looks in (SOON, 2 * SOON, 4 * SOON, POOR_LOOKS, POOR_LOOKS):
        watching.refused("t", PictureError("too-blurred", advice=(Advice("sharper"),)))
        assert sights(looks) == [Sight.UNCHANGED] * (looks - 1) + [Sight.CHANGED]
        watching.taken("t")
    again = [Sight.UNCHANGED] * (POOR_LOOKS - 1) + [Sight.CHANGED]
    watching.read("t", advised(Advice("dark")), hidden=False, again=False)
    assert sights(POOR_LOOKS) == again
    assert set(words) == {
        "Not readable just now. Hold still and let the camera focus: the picture is blurred.",
        "Nothing has changed. Give more light: the picture is too dark.",
    }
    watching.taken("t")
    watching.read("t", FINE, hidden=False, again=False)
    assert set(sights(2 * POOR_LOOKS)) == {Sight.UNCHANGED}


def sample() -> np.ndarray:
    data = np.frombuffer((files("sample_images") / "pair-before.jpg").read_bytes(), np.uint8)
    return np.asarray(cv2.cvtColor(cv2.imdecode(data, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB))


def lit_along(pixels: np.ndarray, quads: list[np.ndarray]) -> np.ndarray:
    """The picture with a lamp mirrored along these cards."""
    width = float(np.linalg.norm(quads[0][1] - quads[0][0]))
    spot = np.zeros(pixels.shape[:2], np.float32)
    middles = np.array([quad.mean(0) for quad in quads])
    cv2.polylines(spot, [np.round(middles).astype(np.int32)], isClosed=False, color=1.0, thickness=int(width * 0.7))
    light = cv2.GaussianBlur(spot, (0, 0), width * 0.1)[..., None]
    return np.clip(pixels + (255 - pixels.astype(np.float32)) * light, 0, 255).astype(np.uint8)


def test_the_real_eyes_tell_a_player_of_glare_and_of_what_is_cut_off() -> None:
    desk, pixels = Desk(Reader.load(), Settings(keep=False), Preparation()), sample()
    table = desk.open_picture(jpeg_of(pixels), "", GAME, ENGLISH)
    assert table.reading is not None
    quads = {card.place: np.array(card.quad_xy) for card in table.reading.cards}

    def told(image: np.ndarray) -> str:
        picture = jpeg_of(np.ascontiguousarray(image))
        for _ in range(3):
            desk.watching.glance(table.id, picture)
        desk.watched(table, picture, "", ENGLISH)
        return told_of(desk.watching.glance(table.id, picture), ENGLISH)

    glare = told(lit_along(pixels, [quads[place] for place in ROW_5]))
    assert "A lamp is mirrored in the cards" in glare and "row 5" in glare
    cut = told(pixels[: int(quads["pyramid 6 3"][:, 1].mean())])
    assert "Outside the picture: " in cut and "row 7" in cut and "Get the whole layout into the frame." in cut


def noticed(eyes: FakeEyes, *looks: Frame | None) -> tuple[list[Table], list[tuple[str, str]]]:
    """The tables that the terminal tells of, and what it says beside them."""
    said: list[tuple[str, str]] = []
    desk = Desk(eyes, Settings(keep=False), Preparation())
    seen = watch(desk, GAME, {}, shown(*looks), ENGLISH, lambda what, why: said.append((what, why)))
    return [each.table for each in seen], said


def test_the_terminal_tells_once_what_would_help_until_something_else_would() -> None:
    dark, far = advised(Advice("dark")), PictureError("no-cards", advice=(Advice("closer"),))
    looks = [table_frame(*cards) for cards in ((1, 2), (1,), (1, 3), (1, 2, 3), (2, 3))]
    _, said = noticed(Eyes(dark, dark, far, far, FINE, dark), *looks)
    light = ("advice", "Give more light: the picture is too dark.")
    assert said == [light, ("unread", "Move closer: the cards are too small."), light]


def test_the_terminal_tells_why_no_look_can_be_read_before_the_first_table_and_while_nothing_lies_still() -> None:
    first = PictureError("no-layout", advice=(Advice("outside", ROW_5),))
    tables, said = noticed(Eyes(first), table_frame(1, 2))
    assert tables == []
    assert said == [("unread", "Outside the picture: row 5. Get the whole layout into the frame.")]
    moving = (table_frame(number % 7 + 1) for number in range(RESTLESS))
    desk, told = Desk(Eyes(advised(Advice("dark"))), Settings(keep=False), Preparation()), []
    frames = ((number / 5, each) for number, each in enumerate(moving))
    assert not list(watch(desk, GAME, {}, frames, ENGLISH, lambda what, why: told.append((what, why))))
    assert told == [("restless", "Give more light: the picture is too dark.")]
