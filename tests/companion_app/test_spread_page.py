"""The page of cards without a layout: what is listed, what is missing, corrections, the order, wrong requests."""

import re
from collections.abc import Callable

import httpx
import pytest

from companion_app.languages import CODES, language
from rules.cards import FACE_DOWN, JOKER, UNREADABLE, Card, Seen, deck, seen_code
from tests.companion_app.fakes import FakeEyes, picture_bytes, spread

Serve = Callable[..., httpx.Client]
ALL_BUT_ONE = [card for card in deck() if str(card) != "7C"]


def opened(serve: Serve, cards: list[Seen], **more: tuple[str, ...]) -> tuple[httpx.Client, httpx.Response, FakeEyes]:
    """A server, and the page of a picture on which these cards lie."""
    eyes = FakeEyes(spread(cards, **more))
    client = serve(eyes)
    page = client.post("/tables", data={"game": "none"}, files={"picture": ("deck.jpg", picture_bytes())})
    assert page.status_code == 200, page.text
    return client, page, eyes


def listed(page: httpx.Response) -> list[str]:
    """The names of the cards listed, in their order."""
    return re.findall(r'class="cell loose-card[^>]*aria-label="([^";]*)', page.text)


def test_a_deck_laid_out_is_listed_outlined_and_told_what_it_lacks(serve: Serve) -> None:
    _, page, eyes = opened(serve, list(reversed(ALL_BUT_ONE)))
    assert eyes.asked == [None]
    assert page.text.count('class="inner"') == 51
    assert "The 7 of clubs is missing." in page.text
    assert re.search(r"<details[^>]*data-part=.deck.[^>]* open>", page.text)
    assert page.text.count('class="lacks"') == 1
    assert listed(page) == [language("en").card(str(card)) for card in ALL_BUT_ONE]


def test_of_a_few_cards_what_the_deck_lacks_is_told_when_asked(serve: Serve) -> None:
    _, page, _ = opened(serve, list(deck()[:9]))
    assert re.search(r"<details[^>]*data-part=.deck. data-stamp=.\w+.>", page.text)
    assert page.text.count('class="lacks"') == 43


def test_cards_are_listed_by_suit_or_as_they_lie(serve: Serve) -> None:
    cards: list[Seen] = [FACE_DOWN, Card.parse("KD"), JOKER, Card.parse("3S"), Card.parse("2D"), UNREADABLE]
    client, page, _ = opened(serve, cards, doubts=("table 6",))
    assert listed(page) == [
        "3 of spades",
        "2 of diamonds",
        "king of diamonds",
        "face-down card",
        "joker",
        "unreadable card",
    ]
    lie = client.post(f"{page.url.path}/order", data={"order": "lie"})
    assert listed(lie) == [language("en").card(seen_code(card)) for card in cards]


def test_two_of_a_card_are_marked_on_the_list_and_told(serve: Serve) -> None:
    _, page, _ = opened(serve, [*ALL_BUT_ONE, Card.parse("KD")])
    assert page.text.count("<sup>2×</sup>") == 2
    assert "The same card twice: king of diamonds (card 39 on the table; card 52 on the table)" in (page.text)
    assert page.text.count('class="there twice"') == 1
    assert page.text.count('data-place="table 52"') == 2


def test_a_card_in_doubt_is_shown_asked_about_and_settled(serve: Serve) -> None:
    client, page, _ = opened(serve, list(ALL_BUT_ONE), doubts=("table 3",))
    assert page.text.count("question cut-out") == 1
    assert "One card is not to be seen: 7 of clubs." in page.text
    assert 'viewBox="228 3 124 174"' in page.text
    path = page.url.path
    assert client.get(path, params={"place": "table 3"}).text.count('class="pick') == 13 + 4
    settled = client.post(f"{path}/settle", data={"place": "table 3", "rank": "7", "suit": "C"})
    assert "The 3 of spades is missing." in settled.text
    assert "question cut-out" not in settled.text
    assert 'aria-label="7 of clubs; card 3 on the table; settled by you"' in settled.text
    gone = client.post(f"{path}/settle", data={"place": "table 3", "card": "gone"})
    assert "2 cards are missing: 3 of spades, 7 of clubs." in gone.text
    assert gone.text.count('class="inner"') == 50
    assert "question cut-out" in client.post(f"{path}/settle", data={"place": "table 3", "card": ""}).text


def test_a_card_that_the_reader_did_not_see_is_added_and_taken_back(serve: Serve) -> None:
    client, page, _ = opened(serve, list(ALL_BUT_ONE[:-1]))
    path = page.url.path
    assert page.text.count('id="absent-') == 2 + 1
    added = client.post(f"{path}/add", data={"card": "7C"})
    assert "The king of clubs is missing." in added.text
    assert 'aria-label="7 of clubs; card 51 on the table; settled by you"' in added.text
    both = client.post(f"{path}/add", data={"card": "KC"})
    assert "All 52 cards of the deck are there." in both.text
    assert 'id="absent-' not in both.text
    assert 'class="pick' in client.get(path, params={"place": "table 51"}).text
    back = client.post(f"{path}/settle", data={"place": "table 51", "card": ""})
    assert "The 7 of clubs is missing." in back.text
    assert client.post(f"{path}/add", data={"card": "??"}).status_code == 400
    assert client.post(f"{path}/add", data={"card": "ZZ"}).status_code == 422


def test_a_card_face_down_may_be_the_one_that_is_not_to_be_seen(serve: Serve) -> None:
    _, page, _ = opened(serve, [*ALL_BUT_ONE, FACE_DOWN])
    assert "One card is not to be seen: 7 of clubs." in page.text
    assert "One card lies face down or cannot be read" in page.text


@pytest.mark.parametrize("code", CODES)
def test_what_is_missing_is_told_in_every_language(serve: Serve, code: str) -> None:
    client, page, _ = opened(serve, list(ALL_BUT_ONE))
    told = client.get(page.url.path, headers={"accept-language": code}).text
    spoken = language(code)
    assert spoken.count("missing.cards", 1, cards=spoken.card("7C")) in told


def test_what_a_spread_does_not_know_is_refused(serve: Serve) -> None:
    client, page, _ = opened(serve, list(ALL_BUT_ONE))
    path = page.url.path
    assert client.post(f"{path}/settle", data={"place": "table 52", "card": "7C"}).status_code == 400
    assert client.post(f"{path}/settle", data={"place": "table 3", "card": "ZZ"}).status_code == 422
    assert client.post(f"{path}/hint", data={"step": "1"}).status_code == 404
    assert client.get(f"{path}/position.svg").status_code == 400
    assert client.get(f"{path}/picture.jpg").content[:2] == b"\xff\xd8"


def test_cards_in_which_no_pyramid_was_found_may_be_opened_without_a_layout(serve: Serve) -> None:
    client = serve(FakeEyes(spread(deck()[:9])))
    answer = client.post("/tables", data={"game": ""}, files={"picture": ("x.jpg", picture_bytes())})
    assert (answer.status_code, answer.json()["code"]) == (422, "no-layout")
    assert answer.json()["detail"].endswith("Choose “No layout: just cards” as the game.")
    chosen = client.post("/tables", data={"game": "king-tut"}, files={"picture": ("x.jpg", picture_bytes())})
    assert "No layout" not in chosen.json()["detail"]


def test_a_picture_without_a_card_is_refused(serve: Serve) -> None:
    client = serve(FakeEyes(spread([])))
    answer = client.post("/tables", data={"game": "none"}, files={"picture": ("x.jpg", picture_bytes())})
    assert (answer.status_code, answer.json()["code"]) == (422, "no-cards")


def test_the_sample_without_a_layout_opens_as_one(serve: Serve) -> None:
    eyes = FakeEyes(spread(deck()[:9]))
    client = serve(eyes)
    assert 'value="spread.jpg"' in client.get("/").text
    assert len(listed(client.post("/tables", data={"sample": "spread.jpg"}))) == 9
    assert eyes.asked == [None]
