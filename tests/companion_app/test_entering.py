"""Cards entered by a person, without a picture: one place after the other, two keys each."""

import re
from collections.abc import Callable
from random import Random

import httpx
import pytest
from playwright.sync_api import Page, expect

from rules.cards import Card
from rules.catalogue import GAMES
from rules.families import family_of
from rules.looks import lying
from tests.companion_app.test_browser import address, browser, open_page, table_shown

__all__ = ["address", "browser", "open_page"]

Serve = Callable[..., httpx.Client]


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_game_is_entered_card_by_card(serve: Serve, game_id: str) -> None:
    client = serve()
    family, game = family_of(GAMES[game_id]), GAMES[game_id]
    dealt = dict(lying(family.show(family.deal(game, Random(7)), game)))
    page = client.post("/tables", data={"enter": "yes", "game": game_id})
    path, asked = page.url.path, []
    while place := page.url.params.get("place"):
        asked.append(place)
        card = str(dealt[place])
        rank, suit = ("", "") if card == "JK" else (card[:-1], card[-1])
        said = {"place": place, "rank": rank, "suit": suit} if suit else {"place": place, "card": card}
        page = client.post(f"{path}/settle", data=said)
        assert page.status_code == 200, page.text
        assert len(asked) <= len(dealt)
    assert sorted(asked) == sorted(place for place, seen in dealt.items() if isinstance(seen, Card))
    shown = client.get(path).text
    assert "!!" not in re.sub(r"<script.*?</script>", "", shown) and 'class="chooser"' not in shown
    assert client.post(f"{path}/hint", data={"step": "3"}).status_code == 200


def test_without_a_game_a_plain_pyramid_is_entered(serve: Serve) -> None:
    page = serve().post("/tables", data={"enter": "yes", "game": ""})
    assert page.status_code == 200 and page.url.params["place"] == "pyramid 1 1"
    assert page.text.count('class="paper smudged"') == 28


def test_cards_are_entered_with_two_keys_each(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.wait_for_load_state()
    page.select_option("#game", "math-pyramid")
    page.get_by_role("button", name="Enter the cards").click()
    table_shown(page)
    for keys, place, name in (
        ("ks", "pyramid 1 1", "king of spades"),
        ("0h", "pyramid 2 1", "10 of hearts"),
        ("7d", "pyramid 2 2", "7 of diamonds"),
    ):
        expect(page.locator(f".chooser[data-place='{place}']")).to_be_visible()
        expect(page.locator(".chooser :focus")).to_have_count(1)
        for key in keys:
            page.keyboard.press(key)
        expect(page.locator(f"#cell-{place.replace(' ', '-')}[aria-label^='{name}']")).to_have_count(1)
    expect(page.locator(".chooser[data-place='pyramid 3 1']")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".chooser")).to_have_count(0)
