"""A kept game looked back on: its frames, what was settled and how, and the review of it against a solver's word."""

import html
import re
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Semaphore

import httpx
import pytest

from companion_app.desk.looking_back import LookingBack
from companion_app.hints.resting import Clock, Rest
from companion_app.hints.reviewing import Reviewer
from companion_app.languages import CODES, language
from companion_app.library.archive import Archive
from companion_app.library.frames import frames_of, settlements
from companion_app.library.store import Store
from companion_app.tables.table import Table
from companion_app.views.replay_view import hindsight
from rules.cards import Card
from rules.catalogue import find_game
from rules.families import family_of
from rules.looks import Position
from rules.record import Record, read_record, replay
from rules.review import Review
from tests.companion_app.fakes import picture_bytes, reading, spread
from tests.companion_app.played import ENGLISH, desk_of, play, seen_at
from tests.companion_app.test_store import AFTER, HAND
from vision.reading import TableReading

Open = Callable[..., httpx.Client]
SHORT = {"passes": "1", "rows": "3", "total": "6"}
KINGS = ("KS", "6D 6H", "5H 3D 5C", "8H 6S 4D 3C", "7H 5D 2C QS 2D", "2H 8S 4S QH JD 10D")
TWO, NONE = (reading((*KINGS, f"10H {king} 9C 10C 8D AS {other}")) for king, other in (("KC", "KD"), ("--", "--")))
"""Two kings lie free, and both are gone."""
ONE = reading((*KINGS, "10H KC 9C 10C 8D AS --"))


def settled(folder: Path, table: Table) -> list[tuple[int, str, str]]:
    """Look, rule broken or question, and how it was settled."""
    found = settlements(table, Archive(Store(folder)).trail(table.id))
    return [(one.look, one.violations[0]["breach"] if one.violations else "question", one.how) for one in found]


def test_each_move_of_a_look_is_a_frame(tmp_path: Path) -> None:
    frames = frames_of(play(desk_of(tmp_path, TWO, NONE), 2))
    assert [(frame.look_number, frame.number, frame.of, frame.made) for frame in frames] == [
        (1, 0, 0, 0),
        (2, 1, 2, 1),
        (2, 2, 2, 2),
    ]
    kings = [[frame.position.look(f"pyramid 7 {place}") for place in (2, 7)] for frame in frames]
    assert kings[0] == [Card.parse("KC"), Card.parse("KD")]
    assert [isinstance(king, Card) for king in kings[1]].count(True) == 1
    assert [isinstance(king, Card) for king in kings[2]] == [False, False]
    moved = [frame.move.cards[0] for frame in frames if frame.move]
    assert [king in kings[1] for king in moved] == [False, True]


def test_a_look_that_shows_nothing_new_is_a_frame_too(tmp_path: Path) -> None:
    frames = frames_of(play(desk_of(tmp_path, reading(), reading(), AFTER), 3))
    assert [(frame.look_number, frame.of) for frame in frames] == [(1, 0), (2, 0), (3, 1)]


def test_how_a_broken_rule_was_settled_is_told(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), HAND, HAND, reading())
    table = play(desk, 3)
    assert table.is_broken
    look = table.look
    assert settled(tmp_path, table)[-1] == (look, "card-vanished", "open")
    allowed = desk.allow(table)
    assert settled(tmp_path, allowed)[-1] == (look, "card-vanished", "allowed")
    desk.undo(table)
    misread = desk.answer(table, "misread")
    assert settled(tmp_path, misread)[-1] == (look, "card-vanished", "answered")
    desk.undo(table)
    back = desk.put_back(table)
    assert back.look != look
    assert settled(tmp_path, back)[-1][1:] == ("card-vanished", "back")
    again = desk.redo(desk.undo(table))
    assert settled(tmp_path, again)[-1][1:] == ("card-vanished", "back")


def test_a_broken_rule_that_the_next_picture_shows_put_back(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), HAND, HAND, reading())
    table = play(desk, 3)
    look = table.look
    later = desk.next_picture(table, picture_bytes(), "four.jpg", ENGLISH)
    assert not later.is_broken
    assert (look, "card-vanished", "picture") in settled(tmp_path, later)


def test_a_broken_rule_still_there_at_the_next_picture_is_not_settled(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), HAND, HAND, HAND)
    table = play(desk, 4)
    assert table.is_broken
    assert all(how == "open" for _, what, how in settled(tmp_path, table) if what == "card-vanished")


def test_the_page_goes_by_plain_links(tmp_path: Path, kept_page: Open) -> None:
    doubtful = reading((*KINGS, "10H KC 9C 10C 8D AS KD"), doubts=("pyramid 7 3",))
    desk = desk_of(tmp_path, doubtful, NONE)
    table = play(desk, 2, step=2)
    desk.settle(table, "pyramid 1 1", "2S", str(table.look))
    client = kept_page()
    path = f"/tables/{table.id}/replay"
    page = client.get(path).text
    assert "Step 1 of 3" in page and "In doubt when it was read" in page and "row 7, place 3" in page
    assert "Known from a later picture" in page and "with help: 1 ×, at most Where?" in page
    assert "Help shown in this position" in page
    links = dict(re.findall(r'id="replay-(\w+)" data-step href="([^"]+)"', page))
    assert links == {
        "first": f"{path}?step=1",
        "back": f"{path}?step=1",
        "next": f"{path}?step=2",
        "last": f"{path}?step=3",
    }
    second = client.get(links["next"]).text
    assert "Move 1 of 2 that this picture showed." in second and "Alone: king of" in second
    last = client.get(links["last"]).text
    assert "Help shown in this position" not in last
    assert "You said" in last and "row 1, place 1: 2 of spades" in last and 'aria-disabled="true"' in last
    assert "is-a" in last and last.count('role="gridcell"') == 31
    pictures = re.findall(r'<img src="(/tables/[^"]+looks[^"]+)"', page + last)
    assert len(set(pictures)) == 2
    assert all(client.get(each).content[:2] == b"\xff\xd8" for each in pictures)


@pytest.mark.parametrize("step", ["0", "99", "x", "-1", "9" * 30, "%00"])
def test_a_strange_step_shows_the_nearest(tmp_path: Path, kept_page: Open, step: str) -> None:
    table = play(desk_of(tmp_path, reading(), AFTER), 2)
    assert re.search(r"Step [12] of 2", kept_page().get(f"/tables/{table.id}/replay?step={step}").text)


def test_what_is_no_game_has_no_replay(tmp_path: Path, kept_page: Open) -> None:
    client = kept_page(spread([Card.parse("KS")]))
    cards = client.post("/tables", data={"game": "none"}, files={"picture": ("a.jpg", picture_bytes())}).url.path
    assert client.get(f"{cards}/replay").status_code == 400
    assert client.get("/tables/abcdefghijkl/replay").status_code == 404
    table = play(desk_of(tmp_path, reading()), 1)
    for look in ("99", "x", "9" * 40, "-1"):
        assert client.get(f"/tables/{table.id}/looks/{look}.jpg").status_code == 404
        assert client.get(f"/games/{table.id}/{look}/small.jpg").status_code == 404


def test_looking_back_takes_no_table_from_the_desk(tmp_path: Path) -> None:
    old = play(desk_of(tmp_path, TWO, NONE), 2)
    desk = desk_of(tmp_path, spread([Card.parse("KS")]), max_tables=1)
    cards = desk.open_spread(picture_bytes(), "cards.jpg", ENGLISH)
    games = LookingBack(desk, Store(tmp_path))
    laid = games.table(old.id, ENGLISH)
    assert [frame.position for frame in frames_of(laid)] == [frame.position for frame in frames_of(old)]
    assert games.table(old.id, ENGLISH) is laid
    assert desk.find(cards.id, ENGLISH).id == cards.id
    assert games.picture(old.id, old.look, ENGLISH) == old.picture and games.picture(old.id, 99, ENGLISH) is None
    # What is changed meanwhile is seen.
    desk_of(tmp_path).settle(old, "pyramid 1 1", "2S")
    assert games.table(old.id, ENGLISH).position().look("pyramid 1 1") == Card.parse("2S")


@pytest.mark.parametrize("code", CODES)
def test_the_replay_speaks_every_language(tmp_path: Path, kept_page: Open, code: str) -> None:
    table = play(desk_of(tmp_path, reading(), AFTER), 2)
    client = kept_page()
    client.headers["accept-language"] = code
    page = html.unescape(client.get(f"/tables/{table.id}/replay?step=2").text)
    said = language(code).say
    assert all(said(f"replay.{key}") in page for key in ("first", "back", "next", "last", "keys", "review"))


def carelessly_played(seed: int) -> tuple[Record, list[TableReading]]:
    """A small game played at random to its end, every card of which comes to be seen, and what a reader sees of it."""
    game = find_game("easy-pyramid").with_rules(SHORT)
    family, rng = family_of(game), Random(seed)
    position = family.deal(game, rng)
    start, seen, moves = position, [seen_at(position)], []
    while family.outcome(position, game) == "open":
        turns = [move for move in family.legal_moves(position, game) if move.kind in ("turn", "redeal")]
        others = [move for move in family.legal_moves(position, game) if move not in turns]
        move = rng.choice(turns if turns and (not others or rng.random() < 0.5) else others)
        position = family.play(position, move, game)
        moves.append(move)
        seen.append(seen_at(position))
    return Record(game, start, tuple(moves)), seen


def winnable(position: Position, record: Record) -> bool:
    return bool(family_of(record.game).solve(position, record.game, 20.0).verdict == "winnable")


def test_the_review_says_of_every_frame_what_a_search_from_there_finds(tmp_path: Path, kept_page: Open) -> None:
    record, seen = carelessly_played(SEED)
    truths = [winnable(position, record) for position in replay(record).positions]
    assert truths[0] and not truths[-1]
    desk = desk_of(tmp_path, *seen)
    table = desk.open_picture(picture_bytes(), "deal.jpg", "", ENGLISH)
    desk.choose_game(table, record.game.id, SHORT)
    for _ in seen[1:]:
        table = desk.next_picture(table, picture_bytes(), "next.jpg", ENGLISH)
    text = Store(tmp_path).record(table.id) or ""
    assert read_record(text).record.moves == record.moves
    client = kept_page()
    path = f"/tables/{table.id}/replay"
    page = client.post(f"/tables/{table.id}/review", data={"step": "2"}).text
    until = time.monotonic() + 60
    while "data-wait" in page and time.monotonic() < until:
        time.sleep(0.1)
        page = client.get(path).text
    assert "This deal could be won." in page and "The win was lost with move" in page
    pages = [client.get(f"{path}?step={step}").text for step in range(1, len(truths) + 1)]
    assert ["could still be won" in each for each in pages] == truths
    assert ["With this move the win was lost" in each for each in pages].index(True) == truths.index(False)


SEED = 17
"""Of this game the win is lost with a move in its middle."""


def test_of_a_game_played_on_from_a_broken_rule_hindsight_says_nothing(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, reading(), HAND, HAND)
    table = play(desk, 3)
    desk.allow(table)
    open_still = Review("winnable", True, False, 0, (), 0, None)
    frames = frames_of(LookingBack(desk, None).table(table.id, ENGLISH))
    told = [hindsight(ENGLISH, open_still, frame) for frame in frames]
    assert told[0] == "Here it could still be won." and told[-1] == ""


def test_of_what_was_taken_back_hindsight_says_nothing(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, TWO, NONE, TWO, ONE)
    table = play(desk, 4)
    assert table.belief is not None and [move.kind for move in table.belief.best.moves] == ["single"]
    frames = frames_of(LookingBack(desk, None).table(table.id, ENGLISH))
    assert [(frame.look_number, frame.stands) for frame in frames] == [
        (1, True),
        (2, False),
        (2, False),
        (3, True),
        (4, True),
    ]
    lost_first = Review("winnable", True, False, 0, (), 0, 1)
    told = [hindsight(ENGLISH, lost_first, frame) for frame in frames]
    assert [bool(line) for line in told] == [True, False, False, True, True]
    assert told[-1] == "With this move the win was lost."


def reviewed() -> Review:
    return Review("lost", True, False, 0, (), 3, None)


def test_a_review_that_is_asked_for_ends_the_one_before_and_each_is_made_once() -> None:
    began: list[str] = []

    def work(record: Record, seconds: float, clock: Callable[[], float]) -> Review:
        began.append(str(record))
        until = clock() + seconds
        while record == "long" and clock() < until:
            time.sleep(0.01)
        return reviewed()

    reviewer = Reviewer(Rest(), 60.0, work)
    reviewer.begin("long", "long")  # type: ignore[arg-type]
    assert reviewer.is_under_way("long")
    reviewer.begin("long", "long")  # type: ignore[arg-type]
    reviewer.begin("short", "short")  # type: ignore[arg-type]
    until = time.monotonic() + 20
    while (reviewer.found("short") is None or reviewer.is_under_way("long")) and time.monotonic() < until:
        time.sleep(0.01)
    assert reviewer.found("long") is None and reviewer.found("short") == reviewed()
    reviewer.begin("short", "short")  # type: ignore[arg-type]
    assert sorted(began) == ["long", "short"]


def test_a_review_rests_while_it_is_asked_to() -> None:
    looks, rest = Semaphore(0), Rest()

    def work(record: Record, seconds: float, clock: Clock) -> Review:
        clock()
        looks.release()
        return reviewed()

    reviewer = Reviewer(rest, 60.0, work)
    with rest.asked():
        reviewer.begin("text", "text")  # type: ignore[arg-type]
        assert not looks.acquire(timeout=0.5) and reviewer.is_under_way("text")
    assert looks.acquire(timeout=20)


def test_a_review_that_fails_can_be_asked_for_again(caplog: pytest.LogCaptureFixture) -> None:
    def work(record: Record, seconds: float, clock: Callable[[], float]) -> Review:
        raise ValueError("on purpose")

    reviewer = Reviewer(Rest(), 1.0, work)
    reviewer.begin("text", "text")  # type: ignore[arg-type]
    until = time.monotonic() + 20
    while reviewer.is_under_way("text") and time.monotonic() < until:
        time.sleep(0.01)
    assert reviewer.found("text") is None and not reviewer.is_under_way("text")
    assert "a review failed" in caplog.text
