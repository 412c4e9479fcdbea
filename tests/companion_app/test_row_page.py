"""Row games on the page: wherever a pyramid game can go, with readings prepared as a reader gives them."""

import html
import json
import re
from dataclasses import replace

import pytest

from companion_app.languages import CODES, language
from rules.cards import GONE, Card
from rules.catalogue import ROW_GAMES
from rules.rows.in_play import playable
from rules.rows.legality import legal_moves, play
from rules.rows.moves import REVERSE
from rules.rows.position import RowPosition
from tests.companion_app.fakes import FakeEyes
from tests.companion_app.row_tables import GAMES, Serve, a_move, after, asked, codes, deal, opened, seen, shown


@pytest.mark.parametrize("game_id", GAMES)
def test_a_picture_of_each_row_game_becomes_a_table_with_every_card(serve: Serve, game_id: str) -> None:
    dealt = deal(game_id)
    _, page = opened(serve(FakeEyes(seen(dealt, game_id))), game=game_id)
    cards = sum(1 for _ in dealt.lying())
    assert page.count('role="gridcell"') == cards + ROW_GAMES[game_id].row_options.cellar
    assert page.count('class="inner"') == cards
    assert f'<h1 data-say="status">{ROW_GAMES[game_id].names["en"]}</h1>' in page
    assert "Nothing wrong with this layout." in page and "cards off the foundations" in page


@pytest.mark.parametrize("game_id", GAMES)
def test_a_position_text_of_each_row_game_becomes_a_table_and_its_text_is_the_same(serve: Serve, game_id: str) -> None:
    text = json.dumps(deal(game_id).to_json())
    page = serve().post("/tables", data={"position": text, "game": game_id})
    assert codes(html.unescape(page.text)) == json.loads(text)
    drawing = serve().get("/")
    assert f'value="{game_id}"' in drawing.text


def test_which_of_the_row_games_it_is_is_asked_where_several_fit(serve: Serve) -> None:
    path, page = opened(client := serve(FakeEyes(seen(deal("arcydzielo"), "arcydzielo"))))
    assert asked(page) == ["arcydzielo", "nowy-domator", "piwnica"] and "New Stay-at-Home / Prisoners" in page
    assert "bases: the aces, with a cellar" in page and "bases: four of one rank, no cellar" in page
    chosen = shown(client, path, "game", game="wiezniowie")
    assert asked(chosen) == [] and "Prisoners</h1>" in chosen and "cell-cellar" not in chosen
    options = re.search(r'<select id="game".*?</select>', chosen, re.DOTALL).group()  # type: ignore[union-attr]
    assert "piwnica" in options and "king-tut" not in options and "ulubiony" not in options


def test_four_bases_of_any_ranks_can_only_be_piwnica(serve: Serve) -> None:
    _, page = opened(serve(FakeEyes(seen(deal("piwnica"), "piwnica"))))
    assert asked(page) == [] and "The Cellar</h1>" in page


@pytest.mark.parametrize("code", CODES)
def test_the_page_of_a_row_game_is_in_each_language(serve: Serve, code: str) -> None:
    dealt = deal("arcydzielo")
    later = after(dealt, "arcydzielo", "build")
    client = serve(FakeEyes(seen(dealt, "arcydzielo"), seen(later, "arcydzielo")))
    client.headers["accept-language"] = code
    spoken = language(code)
    path, page = opened(client)
    for key in ("which.title", "choices.direction", "choices.open", "hint.ask-direction", "rows.cellar"):
        assert spoken.say(key) in page
    assert spoken.say("rows.up") in shown(client, path, "hint", step="4")
    assert spoken.say("next.moves") in shown(client, path, "next")
    chooser = html.unescape(client.get(path, params={"place": "left 1 2"}).text)
    assert spoken.say("card.missed-after") in chooser and spoken.place("left 1 2") in chooser


def test_the_direction_is_asked_and_what_is_told_is_kept(serve: Serve) -> None:
    dealt = deal("wiezniowie-12")
    later = after(dealt, "wiezniowie-12", "build")
    client = serve(FakeEyes(seen(dealt, "wiezniowie-12"), seen(later, "wiezniowie-12")))
    path, page = opened(client, game="wiezniowie-12")
    assert "Which way do the foundations go" in page
    told = shown(client, path, "direction", direction="down")
    assert "Which way do the foundations go" not in told and codes(told)["direction"] == "down"
    assert codes(shown(client, path, "next"))["direction"] == "down"
    other = shown(client, path, "direction", direction="up")
    assert codes(other)["direction"] == "up" and 'class="breach"' not in other
    assert "direction" not in codes(shown(client, path, "direction", direction="sideways"))


def grows(position: RowPosition) -> bool:
    return any(move.kind == "foundation" for move in legal_moves(position, ROW_GAMES["arcydzielo"]))


def test_where_only_one_direction_explains_the_foundations_it_is_not_asked(serve: Serve) -> None:
    game = ROW_GAMES["arcydzielo"]
    first = next(dealt for seed in range(99) if grows(dealt := deal("arcydzielo", seed)))
    later = play(first, a_move(first, "arcydzielo", "foundation"), game)
    _, page = opened(serve(FakeEyes(seen(later, "arcydzielo"))), game="arcydzielo")
    assert "Which way do the foundations go" not in page
    assert re.search(r'<option value="up" selected>', page)


@pytest.mark.parametrize("game_id", GAMES)
def test_hints_of_row_games_come_in_steps_with_the_familys_own_moves(serve: Serve, game_id: str) -> None:
    game, dealt = ROW_GAMES[game_id], deal(game_id, 11)
    assert not any(move.kind == "base" for move in legal_moves(dealt, game))
    client = serve(FakeEyes(seen(dealt, game_id)))
    path, _ = opened(client, game=game_id)
    if game_id != "ulubiony":
        assert "something to choose first" in shown(client, path, "hint", step="1")
    shown(client, path, "direction", direction="up")
    first = shown(client, path, "hint", step="1")
    assert re.search("a card can move|go to its foundation", first) and "is-a" not in first
    second = shown(client, path, "hint", step="2")
    assert re.search(r"Look here: (left|right) (row \d|column)", second) and "is-area" in second
    third = shown(client, path, "hint", step="3")
    (source,) = re.findall(r'class="cell[^"]* is-a[ "][^>]*data-place="([^"]*)"', third)
    assert source in {card.place for card in playable(replace(dealt, reversed=None), game)}
    assert len(re.findall(r'class="cell[^"]* is-b[ "]', third)) == 1
    assert 'class="why"' in shown(client, path, "hint", step="4")


def test_a_place_of_a_row_game_is_named_with_what_is_in_its_way(serve: Serve) -> None:
    dealt = deal("arcydzielo")
    locked = dealt.with_seen({"left 1 5": GONE, "cellar": dealt.left[0][4]})
    _, page = opened(serve(FakeEyes(seen(locked, "arcydzielo"))), game="arcydzielo")
    inner, outer, kept = (language("en").card(str(card)) for card in dealt.left[0][2:])
    assert f'aria-label="{inner}; left row 1, card 3; in the way: {outer}"' in page
    assert f'aria-label="{outer}; left row 1, card 4; free"' in page
    assert f'aria-label="{kept}; cellar; locked in"' in page


@pytest.mark.parametrize("game_id", GAMES)
def test_the_next_picture_tells_the_moves_and_can_be_put_back(serve: Serve, game_id: str) -> None:
    looks = [deal(game_id)]
    looks.append(after(looks[0], game_id, "build", "foundation"))
    client = serve(FakeEyes(*(seen(look, game_id) for look in looks)))
    path, page = opened(client, game=game_id)
    move = a_move(looks[0], game_id, "build", "foundation")
    story = shown(client, path, "next")
    assert "Moves made" in story and language("en").card(str(move.cards[0])) in story
    assert codes(shown(client, path, "back"))["left"] == codes(page)["left"]


def test_a_breach_is_named_the_card_is_to_be_put_back_and_a_house_rule_allows_it(serve: Serve) -> None:
    dealt = deal("arcydzielo")
    card, end = dealt.left[0][-1], dealt.right[3][-1]
    assert isinstance(card, Card) and isinstance(end, Card) and card.suit != end.suit
    right = (*dealt.right[:3], (*dealt.right[3], card), dealt.right[4])
    odd = replace(dealt, left=(dealt.left[0][:-1], *dealt.left[1:]), right=right)
    client = serve(FakeEyes(seen(dealt, "arcydzielo"), seen(odd, "arcydzielo")))
    path, _ = opened(client, game="arcydzielo")
    page = shown(client, path, "next")
    assert "Wrong suit or rank" in page and f"put back: {language('en').card(str(card))}<" in page
    assert "is-illegal" in page
    allowed = shown(client, path, "allow")
    assert "Allowed by your house rule." in allowed


def test_the_reversal_of_ulubiony_is_known_from_the_story(serve: Serve) -> None:
    dealt = replace(deal("ulubiony"), reversed=False)
    turned = play(dealt, REVERSE, ROW_GAMES["ulubiony"])
    upper = turned.left_column[0] if turned.left_column else None
    taken = next(
        play(turned, move, ROW_GAMES["ulubiony"])
        for move in legal_moves(turned, ROW_GAMES["ulubiony"])
        if move.places and "column" in move.places[0]
    )
    client = serve(FakeEyes(seen(taken, "ulubiony")))
    path = client.post("/tables", data={"position": json.dumps(dealt.to_json()), "game": "ulubiony"}).url.path
    page = shown(client, path, "next")
    assert upper is not None and "Reverse both columns" in page
    assert codes(page)["reversed"] is True and '<option value="yes" selected>' in page


def test_whether_the_columns_of_ulubiony_were_reversed_is_asked_and_no_hint_takes_the_other_end(serve: Serve) -> None:
    dealt = deal("ulubiony")
    later = after(dealt, "ulubiony", "build", "foundation")
    client = serve(FakeEyes(seen(dealt, "ulubiony"), seen(later, "ulubiony")))
    path, _ = opened(client)
    asked_now = "Have the columns been reversed?"
    assert asked_now in shown(client, path, "direction", direction="up", reversed="")
    told = shown(client, path, "direction", direction="up", reversed="no")
    assert asked_now not in told and codes(told)["reversed"] is False
    moves = re.findall(r'id="move-[^"]*" name="move" value="([^"]*)"', shown(client, path, "hint", step="4"))
    assert moves and not any(re.search(r"column 1\b", move) for move in moves)
    assert codes(shown(client, path, "next"))["reversed"] is False


def test_a_free_card_in_the_middle_is_known_from_the_story(serve: Serve) -> None:
    game = ROW_GAMES["piwnica"]
    seed = next(seed for seed in range(50) if any(m.kind == "base" for m in legal_moves(deal("piwnica", seed), game)))
    dealt = deal("piwnica", seed)
    chosen = after(dealt, "piwnica", "base")
    path = (
        (client := serve()).post("/tables", data={"position": json.dumps(chosen.to_json()), "game": "piwnica"}).url.path
    )
    page = html.unescape(client.get(path).text)
    assert chosen.free_centre and f"Free cards: base {chosen.free_centre[0]}" in page


def test_house_rules_of_row_games_are_those_that_go_with_the_game(serve: Serve) -> None:
    client = serve(FakeEyes(seen(deal("ulubiony"), "ulubiony")))
    path, page = opened(client, game="ulubiony")
    assert 'id="option-build_on_columns"' in page and 'id="option-build_on_auxiliary"' not in page
    changed = shown(client, path, "game", game="ulubiony", build_on_columns="yes", passes="3")
    assert '<span class="chip strong">Build on columns: yes</span>' in changed


def test_a_fresh_deal_with_a_card_missing_is_a_fault_at_the_stage_deal(serve: Serve) -> None:
    dealt = deal("wiezniowie")
    short = replace(dealt, right=(dealt.right[0][:-1], *dealt.right[1:]))
    client = serve(FakeEyes(seen(short, "wiezniowie")))
    path, _ = opened(client, game="wiezniowie")
    page = shown(client, path, "stage", stage="deal")
    assert "Missing from the deck" in page and language("en").card(str(dealt.right[0][-1])) in page


def test_a_game_won_is_told(serve: Serve) -> None:
    kings = tuple(Card.parse(f"K{suit}") for suit in "SHDC")
    won = replace(deal("arcydzielo"), bases=kings, base_cards=(None,) * 4, left=((),) * 5, right=((),) * 5)
    _, page = opened(serve(FakeEyes(seen(won, "arcydzielo"))), game="arcydzielo")
    assert "All cards are on the foundations. Well played!" in page
    assert '<strong class="figure">0</strong>' in page
