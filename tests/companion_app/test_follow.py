"""`cardtable follow`: pictures in order and videos, by the real reader and by one that can be told what to see."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from companion_app import wiring
from companion_app.tables.following import Follower, evidence_of, record_of
from companion_app.tables.laying import prints_seen
from companion_app.tables.reading_json import reading_json, reading_of
from companion_app.tables.table import Table
from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen, deck
from rules.catalogue import GAMES, find_game
from rules.families import family_of
from rules.following.belief import Belief
from rules.following.line import Event, Line, State
from rules.looks import lying
from rules.record import read_record
from rules.rows.dealing import random_deal
from tests.companion_app.command_line import run as run_command
from tests.companion_app.fakes import FakeEyes, reading
from vision.deck_prints import RANKS, SUITS, DeckPrints
from vision.errors import PictureError
from vision.layout.in_place import Asked
from vision.posterior.known import NOTHING_KNOWN, Known
from vision.reading import Advice, SeenCard, TableReading

GAME = ("--game", "relaxed-pyramid")
SAMPLES = Path("sample_images")
BEFORE, AFTER = str(SAMPLES / "pair-before.jpg"), str(SAMPLES / "pair-after.jpg")


def run(*arguments: str) -> tuple[int, str, str]:
    """Status, answers and messages of a command."""
    result = run_command(*arguments)
    return result.exit_code, result.stdout, result.stderr


def test_two_pictures_tell_the_move_and_the_record_can_be_played() -> None:
    status, out, _ = run("follow", *GAME, "--json", BEFORE, AFTER)
    first, second, last = (json.loads(line) for line in out.splitlines())
    assert status == 0
    assert first["explanation"] == "start" and not first["moves"]
    assert second["explanation"] == "moves"
    assert second["moves"] == [{"kind": "pair", "cards": ["4H", "9S"], "places": ["pyramid 5 1", "pyramid 7 7"]}]
    assert second["question"] is None and second["provisional"] is False
    assert second["stock_count"][0] <= second["stock_count"][1]
    played = read_record(last["record"])
    assert played.stopped is None
    assert len(played.record.moves) == 1


def test_the_game_is_found_out_and_a_file_that_is_no_picture_costs_nothing(tmp_path: Path) -> None:
    broken = tmp_path / "note.jpg"
    broken.write_text("no picture")
    status, out, err = run("follow", "--json", BEFORE, str(broken), AFTER)
    told = [json.loads(line) for line in out.splitlines()]
    assert status == 3
    assert told[1]["error"]["code"] == "not-a-picture"
    assert "note.jpg" in err
    assert told[2]["explanation"] == "moves"
    assert "record" in told[3]


def test_a_picture_of_nothing_to_begin_with_is_refused_and_the_next_one_begins() -> None:
    status, out, _ = run("follow", *GAME, "--json", str(SAMPLES / "spread.jpg"), BEFORE)
    told = [json.loads(line) for line in out.splitlines()]
    assert status == 3
    assert told[0]["error"]["code"] == "no-layout"
    assert told[1]["explanation"] == "start"


def test_a_video_is_looked_at_where_it_lies_still_and_has_changed(tmp_path: Path) -> None:
    film = tmp_path / "game.avi"
    frames = [cv2.resize(cv2.imread(name), (1280, 960)) for name in (BEFORE, AFTER)]
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (1280, 960))
    hand = frames[0].copy()
    cv2.rectangle(hand, (400, 200), (1200, 900), (120, 150, 190), -1)
    for frame, count in ((frames[0], 12), (hand, 2), (frames[1], 12)):
        for _ in range(count):
            writer.write(frame)
    writer.release()
    status, out, _ = run("follow", *GAME, "--json", str(film))
    told = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [each.get("explanation") for each in told] == ["start", "moves", None]
    assert told[0]["picture"]["second"] < told[1]["picture"]["second"]


@pytest.mark.parametrize("name", ("none.mp4", "broken.mp4"))
def test_a_video_that_is_none_is_named(tmp_path: Path, name: str) -> None:
    film = tmp_path / name
    if name == "broken.mp4":
        film.write_bytes(b"no film at all")
    status, out, err = run("follow", *GAME, "--json", str(film))
    assert status == 3
    assert json.loads(out)["error"]["code"] == ("no-file" if name == "none.mp4" else "no-video")
    assert name in err


def test_a_rule_needs_a_game() -> None:
    status, _, err = run("follow", "--rule", "passes=3", BEFORE)
    assert status == 2
    assert "--game" in err


def table(**changes: object) -> TableReading:
    """A reading of the fake table."""
    return reading(**changes)  # type: ignore[arg-type]


def test_a_card_that_was_not_found_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    picture = tmp_path / "rows.jpg"
    picture.write_bytes(b"a picture")
    game = find_game("wiezniowie-12")
    deal = {place: seen for place, seen in lying(random_deal(game, Random(5))) if isinstance(seen, Card)}
    short = {place: seen for place, seen in deal.items() if place != "right 1 5"}
    missing = str(deal["right 1 5"])
    for places, told in ((deal, []), (short, [missing])):
        quad = table().cards[0].quad_xy
        seen = tuple(SeenCard(place, card, 0.99, False, ((card, 0.99),), quad) for place, card in places.items())
        eyes = Told(*[TableReading(1280, 960, "rows-6", seen, dict(places), (), (), {})] * 3)
        monkeypatch.setattr(wiring, "eyes", lambda eyes=eyes: eyes)
        status, out, _ = run("follow", "--game", "wiezniowie-12", "--json", str(picture))
        (start, _) = (json.loads(line) for line in out.splitlines())
        assert status == 0
        assert [card for fault in start["faults"] if fault["kind"] == "missing-card" for card in fault["cards"]] == told
        console = run("follow", "--game", "wiezniowie-12", str(picture), str(picture))[1]
        assert console.count("Missing from the deck") == 2 * len(told)


class Told(FakeEyes):
    """Eyes that see what they are told, picture by picture."""

    def __init__(self, *seen: TableReading | PictureError) -> None:
        super().__init__()
        self.seen = list(seen)

    def read(self, data: bytes, *, layout: Asked = "auto") -> TableReading:
        """The next of them; without a layout nothing is seen."""
        if layout is None:
            raise PictureError("no-cards")
        now = self.seen.pop(0)
        if isinstance(now, PictureError):
            raise now
        return now


def test_a_hand_over_the_table_and_a_broken_file_are_two_things(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    eyes = Told(table(), PictureError("no-layout"), PictureError("damaged"), table())
    monkeypatch.setattr(wiring, "eyes", lambda: eyes)
    pictures = [str(tmp_path / f"{n}.jpg") for n in range(4)]
    for name in pictures:
        Path(name).write_bytes(b"a picture")
    status, out, _ = run("follow", *GAME, "--json", *pictures)
    told = [json.loads(line) for line in out.splitlines()]
    assert status == 3
    assert [each.get("explanation") for each in told[:4]] == ["start", "hidden", None, "nothing"]
    assert told[2]["error"]["code"] == "damaged"


def test_evidence_takes_chances_for_what_they_are() -> None:
    evidence = evidence_of(table(doubts=("pyramid 7 1",)))
    sure, open_ = evidence.chances["pyramid 7 2"], evidence.chances["pyramid 7 1"]
    assert max(sure.values()) > 0.9 > max(open_.values())
    assert len(open_) == 3
    assert evidence.best("foundation") is GONE
    assert evidence.best("stock") is not GONE


def test_evidence_tells_that_something_lies_over_the_cards() -> None:
    covered = replace(table(), advice=(Advice("covered", ("pyramid 7 1",)),))
    assert evidence_of(covered).is_covered and evidence_of(covered).is_poor
    assert not evidence_of(table()).is_covered and not evidence_of(table()).is_poor


def test_what_cannot_be_read_says_nothing_of_which_card_it_is() -> None:
    evidence = evidence_of(table())
    blank = {**evidence.chances, "waste": {UNREADABLE: 1.0}}
    unread = type(evidence)(blank)
    assert unread.log("waste", Card.parse("4C")) == pytest.approx(unread.log("waste", Card.parse("2H")))


def test_a_follower_keeps_where_places_lie() -> None:
    follower = Follower(Told(table()))
    follower.look(b"")
    assert "pyramid 1 1" in follower.places
    assert np.array(follower.places["pyramid 1 1"]).shape == (4, 2)


def test_of_a_card_missed_amid_a_line_nothing_is_told() -> None:
    places: dict[str, Seen | bool] = {"left 1 1": Card.parse("10D"), "left 1 3": Card.parse("AD")}
    told = evidence_of(replace(reading(), layout="rows-5-4", cards=(), places=places))
    assert told.hides("left 1 2")
    assert not told.hides("left 1 1") and not told.hides("left 1 4")


def test_a_turned_card_that_is_not_told_is_none_but_where_nothing_is_known_of_the_waste_or_the_stock() -> None:
    plain = reading()
    assert not evidence_of(plain).hides("turned")
    assert evidence_of(reading(doubts=("stock",))).hides("turned")
    bare = {place: seen for place, seen in plain.places.items() if place.startswith("pyramid ")}
    cards = tuple(card for card in plain.cards if card.place in bare)
    told = evidence_of(replace(plain, places=bare, cards=cards))
    assert all(told.hides(pile) for pile in ("stock", "turned", "waste", "foundation"))


def test_what_seems_a_strange_card_on_the_stock_may_be_its_back() -> None:
    plain = reading()
    strange = SeenCard("turned", UNREADABLE, 0.99, True, (), plain.cards[0].quad_xy, foreign=True)
    told = evidence_of(replace(plain, cards=(*plain.cards, strange), places={**plain.places, "turned": UNREADABLE}))
    assert told.hides("turned")


def test_a_story_whose_unseen_cards_no_deal_has_gives_a_record_that_can_be_played() -> None:
    game = GAMES["tuts-tomb"]
    family = family_of(game)
    truth = family.deal(game, Random(4))
    start = family.show(truth, game)
    first, twice, *tops = [card for card in deck() if card not in dict(lying(start)).values()]
    # The same card is told at two places of the stock, of which no picture showed one.
    told = [(twice, FACE_DOWN, first), (FACE_DOWN, twice, tops[0]), *((FACE_DOWN, FACE_DOWN, top) for top in tops[1:7])]
    turn = next(move for move in family.legal_moves(start, game) if move.kind == "turn")
    moves = [replace(turn, cards=cards) for cards in told]
    redeal = replace(turn, kind="redeal", cards=(), places=("waste", "stock"))
    moves += [redeal, replace(turn, cards=(FACE_DOWN, FACE_DOWN, first))]
    position = start
    for move in moves:
        position = family.play(position, family.fill(move, position), game)
    line = Line(0.0, (State(start), State(position, tuple(moves))), Event("moves"))
    record = read_record(record_of(Belief(game, (line,))))
    assert record.stopped is None


class Remembering(Told):
    """Eyes that note what they knew of the deck."""

    def __init__(self, *seen: TableReading | PictureError) -> None:
        super().__init__(*seen)
        self.known = list[Known]()

    def read(self, data: bytes, *, layout: Asked = "auto", known: Known = NOTHING_KNOWN) -> TableReading:
        """The next of them."""
        self.known.append(known)
        return super().read(data, layout=layout)


def printed(*codes: str) -> DeckPrints:
    """How cards are printed, each as the other."""
    cards = [Card.parse(code) for code in codes]
    return DeckPrints.of(cards, np.ones((len(cards), RANKS)), np.ones((len(cards), SUITS)))


def test_what_a_picture_showed_of_the_deck_is_known_in_the_next_one() -> None:
    looks = [replace(table(), prints=printed("7S", "7H")), table(), replace(table(), prints=printed("2S"))]
    eyes = Remembering(*looks, table())
    follower = Follower(eyes)
    for _ in range(4):
        follower.look(b"")
    assert [[row[0] for row in known.prints.suits] for known in eyes.known] == [
        [0, 0, 0, 0],
        [1, 1, 0, 0],
        [1, 1, 0, 0],
        [2, 1, 0, 0],
    ]


def test_a_game_on_the_page_knows_its_deck_but_by_no_look_that_was_corrected() -> None:
    seen = table()
    place = next(place for place, card in seen.places.items() if isinstance(card, Card))
    first = Table("t", "", GAMES["relaxed-pyramid"], reading=replace(seen, prints=printed("7S", "7H")), picture=b"")
    assert [row[0] for row in prints_seen(first).suits] == [1, 1, 0, 0]
    right, wrong = seen.places[place], Card.parse("2C")
    assert right != wrong
    assert prints_seen(replace(first, pins={place: right})).some
    assert not prints_seen(replace(first, pins={place: wrong})).some
    assert reading_of(json.loads(json.dumps(reading_json(first.reading)))).prints.ranks[6][0] == 2
