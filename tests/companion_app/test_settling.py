"""Settling what happened: corrections that concern earlier looks, what to put back, house rules, and other tables."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest

from companion_app.tables.table import Table
from rules.cards import FACE_DOWN, Card
from rules.catalogue import GAMES
from rules.pyramid.position import PyramidPosition
from rules.story import Explanation, TableChange
from rules.violation import Violation
from tests.companion_app.command_line import answers, run
from tests.companion_app.fakes import ROWS, FakeEyes, picture_bytes, reading
from vision.reading import TableReading

Serve = Callable[..., httpx.Client]
GAME = "relaxed-pyramid"
BREACH = "A look at the rules"
IN_DOUBT = "1 more card is in doubt"
PLAYED = {"waste": None, "foundation": "4C"}
AFTER = reading((*ROWS[:6], "10H JC -- 10C 8D AS JS"), PLAYED)
# The card in the third row that was read as 3D before is read as 3H.
READ_OTHERWISE = reading((*ROWS[:2], "5H 3H 5C", *ROWS[3:6], "10H JC -- 10C 8D AS JS"), PLAYED)
HAND = reading((*ROWS[:6], "10H -- 9C 10C 8D AS JS"))


def opened(serve: Serve, *later: TableReading, **fields: str) -> tuple[httpx.Client, str]:
    """A client with a table open whose later pictures show `later`."""
    client = serve(FakeEyes(reading(), *later))
    page = client.post("/tables", data={"game": GAME, **fields}, files=picture())
    return client, page.url.path


def picture() -> dict[str, Any]:
    """A picture to send."""
    return {"picture": ("t.jpg", picture_bytes(), "image/jpeg")}


def shown(client: httpx.Client, path: str, action: str, **data: str) -> str:
    """The page after an action; a picture is sent with those that take one."""
    sent = {"files": picture()} if action in ("next", "watched") else {}
    answer = client.post(f"{path}/{action}", data=data, **sent)
    assert answer.status_code == 200, answer.text
    return answer.text


@pytest.mark.parametrize("true", ["3H", "3D"])
def test_point_10_a_card_read_in_two_ways_is_asked_about_and_no_breach(serve: Serve, true: str) -> None:
    client, path = opened(serve, READ_OTHERWISE)
    told = shown(client, path, "next")
    assert BREACH not in told and IN_DOUBT in told
    asked = client.get(path, params={"place": "pyramid 3 2"}).text
    assert {"3H", "3D"} <= set(re.findall(r'name="card" value="(\w+)"[^>]*>3 of \w+ <small>', asked))
    settled = shown(client, path, "settle", place="pyramid 3 2", card=true)
    assert BREACH not in settled and IN_DOUBT not in settled
    assert "Pair: 9 of clubs + 4 of clubs" in settled or "Pair: 4 of clubs + 9 of clubs" in settled
    assert f"3 of {'hearts' if true == '3H' else 'diamonds'}; row 3, place 2" in settled
    assert IN_DOUBT in shown(client, path, "settle", place="pyramid 3 2", card="")


def test_point_10_a_persons_later_word_goes_before_the_earlier_one(serve: Serve) -> None:
    client, path = opened(serve, READ_OTHERWISE)
    shown(client, path, "settle", place="pyramid 3 2", card="3D")
    assert "3 of diamonds; row 3, place 2" in shown(client, path, "next")
    told = shown(client, path, "settle", place="pyramid 3 2", card="3H")
    assert BREACH not in told and "3 of hearts; row 3, place 2" in told


def test_point_10_a_correction_lasts_when_the_later_look_is_put_back(serve: Serve) -> None:
    client, path = opened(serve, READ_OTHERWISE)
    shown(client, path, "next")
    shown(client, path, "settle", place="pyramid 3 2", card="3H")
    assert "3 of hearts; row 3, place 2; under: 6 of spades, 4 of diamonds; settled by you" in shown(
        client, path, "back"
    )


def test_point_10_a_waste_read_alike_twice_is_corrected_on_both_looks(serve: Serve) -> None:
    client, path = opened(serve, reading())
    assert "Nothing has changed between" in shown(client, path, "next")
    assert "Nothing has changed between" in shown(client, path, "settle", place="waste", card="4H")


def test_point_10_a_card_that_lay_face_down_before_is_not_known_in_hindsight() -> None:
    before = Table("t", "", GAMES["pyramid"], reading=reading((*ROWS[:2], "5H ?? 5C", *ROWS[3:])))
    later = replace(before, reading=READ_OTHERWISE, before=before, pins={"pyramid 3 2": Card.parse("3H")}).refereed()
    assert later.before is not None
    assert later.before.seen().at(3, 2) is FACE_DOWN


def test_point_10_a_correction_reaches_the_look_before_the_look_before(serve: Serve) -> None:
    again = reading((*ROWS[:2], "5H 3H 5C", *ROWS[3:6], "10H JC -- 10C 8D AS JS"), {"waste": "2C", "foundation": "4C"})
    client, path = opened(serve, AFTER, again)
    shown(client, path, "next")
    shown(client, path, "next")
    told = shown(client, path, "settle", place="pyramid 3 2", card="3H")
    assert BREACH not in told
    assert "Turn a card from the stock" in told
    back = shown(client, path, "back")
    assert BREACH not in back
    assert "Pair: 9 of clubs + 4 of clubs" in back or "Pair: 4 of clubs + 9 of clubs" in back


def test_point_10_the_look_before_is_explained_anew_in_hindsight() -> None:
    first = Table("t", "", GAMES[GAME], reading=reading())
    second = replace(first, reading=READ_OTHERWISE, before=first).refereed()
    third = replace(second, before=second, pins={"pyramid 3 2": Card.parse("3H")}).refereed()
    assert third.before is not None and third.before.story is not None and third.before.before is not None
    assert (third.before.story.violations, len(third.before.story.moves)) == ((), 1)
    assert third.before.position().look("pyramid 3 2") == Card.parse("3H")
    assert third.before.before.position().look("pyramid 3 2") == Card.parse("3H")
    assert replace(third, pins={}).refereed().before == second


def put_back(page: str) -> str:
    """The cards the page asks to put back."""
    found = re.search(r"put back: ([^<]*)<", page)
    return found.group(1) if found else ""


def test_point_10_only_cards_that_left_are_to_be_put_back(serve: Serve) -> None:
    client, path = opened(serve, HAND, HAND)
    first = shown(client, path, "next")
    assert "What happened?" in first and BREACH not in first
    assert put_back(shown(client, path, "next")) == "jack of clubs"


def test_point_10_a_person_says_what_happened(serve: Serve) -> None:
    client, path = opened(serve, HAND)
    asked = shown(client, path, "next")
    ways = dict(re.findall(r'name="option" value="(\w+)">([^<]*)<', asked))
    (misread,) = (value for value, name in ways.items() if "Misread" in name)
    told = shown(client, path, "answer", option=misread)
    assert BREACH not in told and "What happened?" not in told and "jack of clubs; row 7, place 2" in told
    (left,) = (value for value, name in ways.items() if name.startswith("Left without a partner: jack of clubs"))
    (lawful,) = (value for value, name in ways.items() if name.startswith("Turn a card") and "jack of clubs" in name)
    client, path = opened(serve, HAND)
    shown(client, path, "next")
    assert put_back(shown(client, path, "answer", option=left)) == "jack of clubs"
    client, path = opened(serve, HAND)
    shown(client, path, "next")
    told = shown(client, path, "answer", option=lawful)
    assert BREACH not in told and "What happened?" not in told
    assert client.post(f"{path}/answer", data={"option": "7"}).status_code == 400


def test_where_none_of_the_ways_is_right_the_game_goes_on_and_the_page_says_how_far_it_is_recorded(
    serve: Serve,
) -> None:
    client, path = opened(serve, HAND, HAND)
    assert client.post(f"{path}/answer", data={"option": "none"}).status_code == 400
    asked = shown(client, path, "next")
    assert 'value="none">None of these<' in asked
    told = shown(client, path, "answer", option="none")
    assert "What happened?" not in told and BREACH not in told and "Nothing has changed" not in told
    assert "The game is recorded up to move 0" in told
    assert BREACH not in shown(client, path, "next")


def test_point_10_a_breach_that_was_misread_goes_away_everywhere(serve: Serve) -> None:
    client, path = opened(serve, HAND, HAND)
    shown(client, path, "next")
    assert 'class="breach"' in shown(client, path, "next")
    told = shown(client, path, "answer", option="misread")
    assert 'class="breach"' not in told and "is-illegal" not in told and "jack of clubs; row 7, place 2" in told


def test_point_10_a_breach_stays_on_show_until_it_is_settled(serve: Serve) -> None:
    client, path = opened(serve, HAND, HAND, HAND, reading())
    for _ in range(2):
        shown(client, path, "next")
    assert 'class="breach"' in shown(client, path, "next")
    assert 'class="breach"' not in shown(client, path, "next")


def test_point_10_a_pair_that_still_lies_there_is_not_to_be_put_back(serve: Serve) -> None:
    client, path = opened(serve, reading(piles={"waste": "2C", "foundation": None}))
    shown(client, path, "game", game=GAME, turn_when="stuck")
    page = shown(client, path, "next")
    assert "A pair was still to be removed" in page
    assert put_back(page) == ""


def test_point_10_house_rules_sent_together_with_another_game_are_kept(serve: Serve) -> None:
    client, path = opened(serve)
    page = shown(client, path, "game", game="easy-pyramid", passes="3", goal="all")
    assert '<span class="chip strong">Passes: 3</span>' in page
    assert '<span class="chip strong">Goal: all cards</span>' in page
    other = shown(client, path, "game", game="math-pyramid", passes="3", goal="")
    assert "Maths Pyramid</h1>" in other
    assert '<span class="chip strong">Passes: 3</span>' in other
    assert "Goal: all cards</span>" not in other.split('data-part="game"')[1].split("<form")[0]


def test_point_10_house_rules_are_checked_against_the_new_game(serve: Serve) -> None:
    client, path = opened(serve)
    answer = client.post(f"{path}/game", data={"game": "pyramid", "draw": "3"}, headers={"accept-language": "nb"})
    assert answer.status_code == 400
    assert "Tre kort som snus på én gang, legges på avfallet" in answer.json()["detail"]


def test_point_10_a_game_without_house_rules_sends_none(serve: Serve) -> None:
    client, path = opened(serve)
    page = client.get(path).text
    assert page.count('<option value="">1</option>') == 2
    assert 'value="" selected' not in page
    assert 'value="3" selected' in shown(client, path, "game", game=GAME, passes="3")


def test_point_10_a_breach_is_judged_anew_when_the_game_is_told(serve: Serve) -> None:
    down = reading(piles={"waste": None, "foundation": None})
    client, path = opened(serve, down)
    shown(client, path, "piles", stock="0", **{"pass": "1"})
    shown(client, path, "next")
    assert "Easy Pyramid" in shown(client, path, "game", game="easy-pyramid")


SAID = {"new-deal": "This is a new deal.", "another-table": "This is another table."}
DEALT = ("QS", "3H 9D", "4S KC 2H", "JS 8C 5D 10S", "AH 7C 6H QD 3C", "9H 2S KD 4H 10C 8D", "6S JD AC 5S 7D QC 3S")
OTHER = {
    "new-deal": reading(DEALT, {"waste": None, "foundation": None}),
    "another-table": reading((*DEALT[:6], "-- -- -- 5S 7D QC 3S"), {"waste": "9S", "foundation": "6C"}),
}


@pytest.mark.parametrize("change", SAID)
def test_point_10_a_new_deal_and_another_table_are_told_as_such(serve: Serve, change: str) -> None:
    client, path = opened(serve, OTHER[change], OTHER[change])
    page = shown(client, path, "next")
    assert SAID[change] in page
    assert BREACH not in page and "Nothing has changed between" not in page
    assert "queen of spades; row 1, place 1" in page
    went_on = shown(client, path, "anew")
    assert SAID[change] not in went_on and "queen of spades; row 1, place 1" in went_on
    assert "Nothing has changed between" in shown(client, path, "next")


@pytest.mark.parametrize("change", SAID)
def test_point_10_one_can_go_back_to_the_table_before(serve: Serve, change: str) -> None:
    client, path = opened(serve, OTHER[change], AFTER)
    shown(client, path, "next")
    back = shown(client, path, "back")
    assert SAID[change] not in back and "jack of clubs; row 7, place 2" in back
    assert "Moves made" in shown(client, path, "next")


@pytest.mark.parametrize("action", ["next", "watched"])
def test_point_10_after_a_new_deal_the_next_look_is_compared_with_that(serve: Serve, action: str) -> None:
    client, path = opened(serve, OTHER["new-deal"], reading((*DEALT[:6], "6S JD AC 5S 7D QC --"), {"waste": None}))
    assert SAID["new-deal"] in shown(client, path, action)
    assert "3 of spades (row 7, place 7)" in shown(client, path, action)


def test_point_10_the_watched_table_comes_back_after_another_one(serve: Serve) -> None:
    client, path = opened(serve, OTHER["another-table"], AFTER)
    assert SAID["another-table"] in shown(client, path, "watched")
    told = shown(client, path, "watched")
    assert SAID["another-table"] not in told and "Moves made" in told


def test_point_10_what_was_settled_before_does_not_hold_for_a_new_deal(serve: Serve) -> None:
    client, path = opened(serve, OTHER["new-deal"])
    shown(client, path, "settle", place="pyramid 1 1", card="KD")
    assert "queen of spades; row 1, place 1" in shown(client, path, "next")


@pytest.mark.parametrize(("change", "status"), [("new-deal", 0), ("another-table", 1)])
def test_point_10_the_command_tells_a_new_deal_and_another_table(
    monkeypatch: pytest.MonkeyPatch, change: TableChange, status: int
) -> None:
    def explain_game(positions: Any, game: Any) -> Any:
        return Explanation((), (), (), positions[-1], table=change)

    monkeypatch.setattr("rules.looks.explain_game", explain_game)
    small = '{"pyramid": [["KS"], [null, null], [null, null, null]], "stock": 0}'
    command = ("referee", "--game", GAME, "--rule", "rows=3", small, small)
    people, programs = run(*command), run(*command, "--json")
    assert (people.exit_code, programs.exit_code) == (status, status)
    assert people.stdout.splitlines()[0] == SAID[change]
    assert "Nothing has changed between" not in people.stdout
    assert answers(programs)[0]["table"] == change


def test_a_won_table_is_told_as_won_on_the_page_and_by_the_command(serve: Serve) -> None:
    won = '{"pyramid": [[null], [null, null], [null, null, null]], "stock": 3, "waste": "5C"}'
    client = serve()
    page = client.post("/tables", data={"position": won, "game": GAME})
    for text in (page.text, shown(client, page.url.path, "hint", step="4")):
        assert "The pyramid is cleared. Well played!" in text
        assert "This game is won." in text
        assert "can still be won" not in text and "No move is left" not in text
        assert "How many cards does the stock hold" not in text
    said = run("hint", "--game", GAME, "--rule", "rows=3", won).stdout
    assert said.strip() == "This game is won."


def test_a_table_with_cards_still_to_go_is_not_won(serve: Serve) -> None:
    cleared = '{"pyramid": [[null], [null, null], [null, null, null]], "stock": 0, "waste": "5C"}'
    client = serve()
    page = client.post("/tables", data={"position": cleared, "game": GAME})
    all_cards = shown(client, page.url.path, "game", game=GAME, goal="all")
    assert "Well played" not in all_cards


def test_a_violation_of_the_table_before_is_no_card_to_put_back() -> None:
    """Told from values alone: a card that lies there still is not named, whatever the breach says."""
    from companion_app.views.story_view import cards_that_left

    before = Table("t", "", GAMES[GAME], reading=reading())
    cards = (Card.parse("JC"), Card.parse("KS"), FACE_DOWN)
    story = Explanation((), (), (Violation("covered", (), cards),), HAND_POSITION)
    later = replace(before, reading=HAND, before=before, story=story)
    assert cards_that_left(later) == [Card.parse("JC")]


HAND_POSITION = PyramidPosition.from_places(GAMES[GAME], HAND.places)
