"""What a first trial of the page and the commands stumbled over: each said, shown or done rightly now."""

import asyncio
import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from companion_app.commands.serve import Addresses, listen_all
from companion_app.decks.deck_eyes import DeckEyes
from companion_app.decks.deck_files import DeckFiles
from companion_app.languages import CODES, language
from companion_app.languages.phrases import fault_phrase
from companion_app.library.frames import frames_of
from companion_app.serving.pairing import COOKIE, Pairing
from companion_app.serving.server import create_app
from companion_app.settings import Settings
from companion_app.views.replay_view import hindsight
from rules.cards import Card
from rules.review import Review
from tests.companion_app.fakes import ROWS, FakeEyes, picture_bytes, reading
from tests.companion_app.test_server import table_path, upload

Serve = Callable[..., httpx.Client]
ENGLISH = language("en")
LAID = json.dumps({"pyramid": [row.split() for row in ROWS], "stock": True, "waste": "4C"})
WON = '{"pyramid": [[null], [null, null], [null, null, null]], "stock": 3}'


def options_of(page: str) -> dict[str, list[str]]:
    """What each house rule of the form can be, the one chosen first."""
    form = page.partition('id="rules"')[2].partition("</fieldset>")[0]
    found = {}
    for name, inner in re.findall(r'<select id="option-\w+" name="(\w+)">(.*?)</select>', form):
        told = re.findall(r"<option[^>]*?( selected)?>([^<]*)</option>", inner)
        chosen = next((text for mark, text in told if mark), told[0][1])
        found[name] = [chosen, *(text for _, text in told if text != chosen)]
    return found


def laid(client: httpx.Client) -> str:
    """The path of a table that nothing need be decoded for."""
    return table_path(client.post("/tables", data={"position": LAID, "game": "relaxed-pyramid"}))


def test_another_game_shows_all_its_own_rules_before_it_is_used(serve: Serve) -> None:
    client = serve()
    path = laid(client)
    client.post(f"{path}/game", data={"game": "relaxed-pyramid", "passes": "3", "overlap": "yes"})
    own, other = options_of(client.get(path).text), options_of(client.get(path, params={"game": "tuts-tomb"}).text)
    assert set(own) == set(other) and len(own) == 10
    assert (own["passes"][0], own["draw"][0], own["overlap"][0]) == ("3", "1", "yes")
    assert (other["passes"][0], other["draw"][0], other["overlap"][0]) == ("unlimited", "3", "yes")
    looked_at = client.get(path, params={"game": "tuts-tomb"}).text
    assert "Relaxed Pyramid</h1>" in looked_at and 'value="tuts-tomb" selected' in looked_at
    assert re.search(r'<details class="sheet game"[^>]* open', looked_at)
    assert client.get(path, params={"game": "no-such-game"}).status_code == 200


def test_house_rules_that_differ_are_marked_at_the_head_and_in_the_form(serve: Serve) -> None:
    client = serve()
    path = laid(client)
    plain = client.get(path).text
    assert "usually" not in plain and "chip strong" not in plain.partition("</header>")[0]
    ruled = client.post(f"{path}/game", data={"game": "relaxed-pyramid", "overlap": "yes", "face": "down"}).text
    head = re.findall(r'<span class="chip( strong)?">([^<]*)</span>', ruled.partition("</header>")[0])
    assert [text for strong, text in head if strong] == ["Covered cards: face down", "Pair with the covering card: yes"]
    assert len(head) == 2 + 5
    assert "(usually face up)" in ruled and ruled.count("(usually") == 2


def test_faults_say_what_lies_where_and_what_is_wanted() -> None:
    gap = {"kind": "misplaced", "places": ["pyramid 5 3", "pyramid 6 3"], "cards": [None, "9H"]}
    told = "Lies where nothing holds it: 9 of hearts (row 6, place 3); empty place (row 5, place 3)"
    assert fault_phrase(ENGLISH, gap) == told
    apex = {"kind": "wrong-apex", "places": ["pyramid 1 1", "waste"], "cards": ["KD", "KS"]}
    assert fault_phrase(ENGLISH, apex) == (
        "Wrong card at the apex: king of diamonds (row 1, place 1); wanted: king of spades (waste)"
    )
    alone = {"kind": "wrong-apex", "places": ["pyramid 1 1"], "cards": ["KD"]}
    assert fault_phrase(ENGLISH, alone) == "Wrong card at the apex: king of diamonds (row 1, place 1)"
    unread = {"kind": "unreadable", "places": ["waste"], "cards": ["!!"]}
    assert fault_phrase(ENGLISH, unread) == "Cannot be read: waste"


def test_of_a_card_in_doubt_two_are_offered(serve: Serve) -> None:
    seen = reading(doubts=("pyramid 7 3",))
    cards = tuple(
        card if not card.doubtful else type(card)(**{**_fields(card), "alternatives": _sure(card)})
        for card in seen.cards
    )
    page = upload(serve(FakeEyes(type(seen)(**{**_fields(seen), "cards": cards})))).text
    asked = page.partition('class="question')[2].partition("</form>")[0]
    assert re.findall(r'name="card" value="(\w+)"', asked) == ["9C", "8C"]


def _fields(record: object) -> dict[str, object]:
    return {name: getattr(record, name) for name in record.__slots__}  # type: ignore[attr-defined]


def _sure(card: object) -> tuple[tuple[object, float], ...]:
    return ((card.card, 0.98), (Card.parse("8C"), 0.004))  # type: ignore[attr-defined]


def test_nothing_is_to_be_settled_where_no_move_depends_on_a_doubt(serve: Serve) -> None:
    page = upload(serve(FakeEyes(reading(doubts=("pyramid 4 2",))))).text
    assert "1 more card is in doubt" in page and "Please settle" not in page
    assert "Please settle" in upload(serve(FakeEyes(reading(doubts=("pyramid 7 3",))))).text


def test_a_game_that_is_won_can_not_still_be_won(serve: Serve) -> None:
    client = serve()
    page = client.post("/tables", data={"position": WON, "game": "relaxed-pyramid", "rows": "3"})
    assert "This game is won." in page.text and "still be won" not in page.text


def test_the_replay_says_of_its_last_frame_that_the_game_is_won(tmp_path: Path) -> None:
    from companion_app.tables.changes import Look, followed
    from companion_app.tables.table import Table
    from rules.catalogue import find_game

    game = find_game("relaxed-pyramid", {"rows": "3", "total": "5"})
    first = reading(("--", "-- --", "-- 2H 3S"), {"waste": None, "foundation": "4C"})
    last = reading(("--", "-- --", "-- -- --"), {"waste": None, "foundation": "3S"})
    table = Table("t", "a", game, reading=first, look=1)
    frames = frames_of(followed(table, Look(2, "b", last, b"")))
    review = Review("winnable", True, True, 0, (), 0, None)
    told = [hindsight(ENGLISH, review, frame) for frame in frames]
    assert (told[0], told[-1]) == ("Here it could still be won.", "This game is won.")


def test_a_device_that_was_ended_is_told_so_once_and_then_nothing() -> None:
    pairing = Pairing("http://192.168.1.7:8000")
    app = create_app(Settings(host="0.0.0.0"), reader=FakeEyes(), pairing=pairing)
    secret = pairing.let_in(pairing.invitation().split("#pair=")[1], "iPhone", "192.168.1.20") or ""

    async def listen() -> httpx.Response:
        transport = httpx.ASGITransport(app, client=("192.168.1.20", 40000))
        async with httpx.AsyncClient(
            transport=transport, base_url=pairing.address, cookies={COOKIE: secret}, headers={"host": "192.168.1.7"}
        ) as session:
            stream = asyncio.create_task(session.get("/tables/some/events"))
            await asyncio.sleep(0.3)
            assert not stream.done()
            pairing.end(1)
            return await asyncio.wait_for(stream, 20)

    assert asyncio.run(listen()).text.count("data: changed") == 2


def test_a_page_for_the_network_tells_where_phones_find_it_and_is_found_here_too() -> None:
    told = Addresses.of(Settings(host="192.168.1.7"), 8000)
    assert (told.here, told.guests) == ("http://127.0.0.1:8000/", "http://192.168.1.7:8000")
    assert Addresses.of(Settings(host="fd00::7"), 8000).guests == "http://[fd00::7]:8000"
    sockets = listen_all("127.0.0.2", 0)
    assert [one.getsockname()[0] for one in sockets] == ["127.0.0.2", "127.0.0.1"]
    assert len({one.getsockname()[1] for one in sockets}) == 1
    alone = listen_all("127.0.0.1", 0)
    for one in (*sockets, *alone):
        one.close()
    assert len(alone) == 1


def test_how_a_deck_is_laid_is_drawn(tmp_path: Path, serve: Serve) -> None:
    eyes = DeckEyes(SimpleNamespace(patch=None), DeckFiles(tmp_path))  # type: ignore[arg-type]
    page = serve(eyes).get("/decks").text
    drawing = page.partition('class="lay-out"')[2].partition("<p>")[0]
    cards = re.findall(r"<span>(\w+)<br>(.)</span>", drawing)
    assert len(cards) == 52 and cards[0] == ("A", "♠") and cards[13] == ("A", "♥") and cards[-1] == ("K", "♣")
    assert "up to half a minute" in page


def test_boards_that_are_looked_at_name_their_places_in_the_language_of_the_page(kept_page: Serve) -> None:
    client = kept_page()
    path = laid(client)
    finnish = {"accept-language": "fi"}
    link = unescape(re.search(r'id="link" href="([^"]*)"', client.get(path).text)[1])  # type: ignore[index]
    for address in (f"{path}/game.html", link, f"{path}/position.svg"):
        drawn = client.get(address, headers=finnish).text
        assert 'aria-label="patakuningas; rivi 1, paikka 1"' in drawn, address
        assert 'aria-label="pyramid 1 1' not in drawn


@pytest.mark.parametrize("code", CODES)
def test_without_scripts_the_ways_in_are_chosen_in_a_list(serve: Serve, code: str) -> None:
    page = serve().get("/", headers={"accept-language": code}).text
    plain = re.findall(r"<noscript>(.*?)</noscript>", page, re.DOTALL)
    ways = [re.findall(r'<option value="(\w+)"', text) for text in plain if 'name="way"' in text]
    assert ways == [["play", "check", "score"]]
    assert page.index("data-chosen-way") < page.index('<select id="way"')
    name = language(code).say("page.language-use")
    assert f"<noscript><button>{name}</button></noscript>" in page


def test_a_way_in_chosen_without_scripts_opens_the_table_for_it(serve: Serve) -> None:

    client = serve()
    fields = [("way", (None, "play")), ("picture", ("table.jpg", picture_bytes())), ("way", (None, "score"))]
    page = client.post("/tables", files=fields)
    assert '<section class="score"' in page.text
