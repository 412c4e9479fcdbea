"""What a person settles on a table of a row game: cards misread, missed and too many."""

import json
import re
from dataclasses import replace

import pytest

from rules.cards import GONE, Card
from rules.catalogue import ROW_GAMES
from rules.rows.legality import legal_moves, play
from tests.companion_app.fakes import FakeEyes
from tests.companion_app.row_tables import Serve, codes, deal, opened, seen, shown


def test_a_misread_card_in_a_row_is_settled_and_taken_back(serve: Serve) -> None:
    dealt = deal("piwnica")
    client = serve(FakeEyes(seen(dealt, "piwnica", doubts=("left 2 3",))))
    path, page = opened(client)
    assert "left row 2, card 3:</strong> Which card is this?" in page
    right = [str(card) for card in dealt.left[1]]
    told = shown(client, path, "settle", place="left 2 3", card="JK")
    assert codes(told)["left"][1] == [*right[:2], "JK", *right[3:]]  # type: ignore[index]
    assert "Which card is this?" not in told and "settled by you" in told
    again = shown(client, path, "settle", place="left 2 3", card="")
    assert codes(again)["left"][1] == right and "Which card is this?" in again  # type: ignore[index]


def test_a_card_too_many_closes_the_row_up_with_its_doubts(serve: Serve) -> None:
    dealt = deal("piwnica")
    client = serve(FakeEyes(seen(dealt, "piwnica", doubts=("left 2 2", "left 2 4"))))
    path, _ = opened(client)
    page = shown(client, path, "settle", place="left 2 2", card="gone")
    row = [str(card) for card in dealt.left[1]]
    assert codes(page)["left"][1] == [row[0], *row[2:]]  # type: ignore[index]
    assert re.findall(r"<strong>([^<]*):</strong> Which", page) == ["left row 2, card 3"]
    assert page.count('class="inner"') == 51


@pytest.mark.parametrize("source", ["picture", "text"])
@pytest.mark.parametrize(
    ("place", "how", "at"), [("left 2 1", "before", 0), ("left 2 3", "after", 3), ("left 2 4", "after", 4)]
)
def test_a_card_that_was_missed_is_put_amid_a_row_or_at_its_end(
    serve: Serve, source: str, place: str, how: str, at: int
) -> None:
    dealt = deal("piwnica")
    row = [str(card) for card in dealt.left[1]]
    missed = replace(dealt, left=(dealt.left[0], (*dealt.left[1][:at], *dealt.left[1][at + 1 :]), *dealt.left[2:]))
    client = serve(FakeEyes(seen(missed, "piwnica")))
    if source == "text":
        page = client.post("/tables", data={"position": json.dumps(missed.to_json()), "game": "piwnica"})
        path = page.url.path
    else:
        path, _ = opened(client, game="piwnica")
    page_now = shown(client, path, "settle", place=place, card=row[at], how=how)
    assert codes(page_now)["left"][1] == row  # type: ignore[index]
    assert f"left row 2, card {at + 1}; " in page_now and "settled by you" in page_now
    closed = shown(client, path, "settle", place=f"left 2 {at + 1}", card="gone")
    assert codes(closed)["left"][1] == [*row[:at], *row[at + 1 :]]  # type: ignore[index]


def test_a_card_missed_at_the_end_of_a_row_twice_is_asked_about_once(serve: Serve) -> None:
    before = deal("wiezniowie-12")
    end = before.left[3][-1]
    move = next(move for move in legal_moves(before, ROW_GAMES["wiezniowie-12"]) if end not in move.cards)
    assert not any(place.startswith("left 4") for place in move.places)
    later = play(before, move, ROW_GAMES["wiezniowie-12"])
    looks = [look.with_seen({"left 4 6": GONE}) for look in (before, later)]
    client = serve(FakeEyes(*(seen(look, "wiezniowie-12") for look in looks)))
    path, _ = opened(client, game="wiezniowie-12")
    shown(client, path, "settle", place="left 4 5", card=str(end), how="after")
    page = shown(client, path, "next")
    assert "Moves made" in page and 'class="breach"' not in page
    assert codes(page)["left"][3][-1] == str(end)  # type: ignore[index]


def test_an_empty_looking_place_in_doubt_is_asked_about_and_settled_either_way(serve: Serve) -> None:
    for card, length in (("gone", 5), ("KS", 6)):
        client = serve(FakeEyes(seen(deal("piwnica"), "piwnica", doubts=("left 2 6",))))
        path, page = opened(client)
        assert "left row 2, card 6:</strong> Which card is this?" in page
        assert 'name="place" value="left 2 6"' in client.get(path, params={"place": "left 2 6"}).text
        page = shown(client, path, "settle", place="left 2 6", card=card)
        assert "Which card is this?" not in page
        assert len(codes(page)["left"][1]) == length  # type: ignore[index]


def test_an_empty_row_place_a_bare_base_and_the_cellar_take_a_card(serve: Serve) -> None:
    dealt = replace(deal("piwnica"), left=((), *deal("piwnica").left[1:]))
    client = serve(FakeEyes(seen(dealt, "piwnica")))
    path, _ = opened(client, game="piwnica")
    shown(client, path, "settle", place="left 1 1", card="10H")
    page = codes(shown(client, path, "settle", place="cellar", card="2C"))
    assert (page["left"][0], page["cellar"]) == (["10H"], "2C")  # type: ignore[index]
    for place in ("left 1 3", "left 6 1", "base 5", "pyramid 1 1", "left column 1"):
        refused = client.post(f"{path}/settle", data={"place": place, "card": "2C"})
        assert (refused.status_code, refused.json()["code"]) == (400, "place"), place


def test_a_misread_card_settled_later_holds_for_the_picture_before(serve: Serve) -> None:
    dealt = deal("arcydzielo")
    place, card = "left 2 2", dealt.left[1][1]
    misread = dealt.with_seen({place: Card.parse("2C") if card != Card.parse("2C") else Card.parse("3C")})
    client = serve(FakeEyes(seen(misread, "arcydzielo"), seen(dealt, "arcydzielo")))
    path, page = opened(client, game="arcydzielo")
    assert "The same card twice" in page
    told = shown(client, path, "next")
    # No card lies there twice: of the two looks the second one is right, and nobody need say so.
    assert 'class="breach"' not in told and "Which card is this?" not in told and "The same card twice" not in told
    settled = shown(client, path, "settle", place=place, card=str(card))
    assert 'class="breach"' not in settled and "Nothing has changed" in settled
