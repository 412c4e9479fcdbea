"""Row games on the page: wherever a pyramid game can go, with readings prepared as a reader gives them."""

import html
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import httpx
import pytest

from companion_app import wiring
from companion_app.languages import CODES, language
from rules.cards import GONE, JOKER, Card
from rules.catalogue import ROW_GAMES
from rules.rows.dealing import random_deal
from rules.rows.in_play import playable
from rules.rows.legality import legal_moves, play
from rules.rows.moves import REVERSE, RowMove, direction
from rules.rows.position import RowPosition
from tests.companion_app.fakes import FakeEyes, picture_bytes, reading, row_reading
from tests.companion_app.test_cli import answers, run
from vision.errors import PictureError
from vision.reading import TableReading

Serve = Callable[..., httpx.Client]
GAMES = list(ROW_GAMES)
PICTURE = {"picture": ("table.jpg", picture_bytes(), "image/jpeg")}


def deal(game_id: str, seed: int = 9) -> RowPosition:
    """A fresh deal with everything known, going up."""
    game = ROW_GAMES[game_id]
    found = random_deal(game, Random(seed))
    return found if found.direction else play(found, direction("up"), game)


def a_move(position: RowPosition, game_id: str, *kinds: str) -> RowMove:
    """The first legal move of these kinds."""
    return next(move for move in legal_moves(position, ROW_GAMES[game_id]) if move.kind in kinds)


def after(position: RowPosition, game_id: str, *kinds: str) -> RowPosition:
    return play(position, a_move(position, game_id, *kinds), ROW_GAMES[game_id])


def seen(position: RowPosition, game_id: str, doubts: tuple[str, ...] = ()) -> TableReading:
    return row_reading(position, ROW_GAMES[game_id].layout, doubts)


def opened(client: httpx.Client, **fields: str) -> tuple[str, str]:
    """The path and the page of a picture just opened."""
    page = client.post("/tables", data=fields, files=PICTURE)
    assert page.status_code == 200, page.text
    return page.url.path, html.unescape(page.text)


def shown(client: httpx.Client, path: str, action: str, **fields: str) -> str:
    """The page after an action; a picture goes with those that need one."""
    files = PICTURE if action in ("next", "watched") else None
    page = client.post(f"{path}/{action}", data=fields, files=files)
    assert page.status_code == 200, page.text
    return html.unescape(page.text)


def codes(page: str) -> dict[str, object]:
    """The position text of a page."""
    return dict(json.loads(re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL).group(1)))  # type: ignore[union-attr]


def asked(page: str) -> list[str]:
    return re.findall(r'<button class="choice" id="which-[^"]*" name="game" value="([^"]*)"', page)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_picture_of_each_row_game_becomes_a_table_with_every_card(serve: Serve, game_id: str) -> None:
    dealt = deal(game_id)
    _, page = opened(serve(FakeEyes(seen(dealt, game_id))), game=game_id)
    cards = sum(1 for _ in dealt.lying())
    assert page.count('role="gridcell"') == cards + ROW_GAMES[game_id].row_options.cellar
    assert page.count('class="inner"') == cards
    assert f'<strong data-say="status">{ROW_GAMES[game_id].names["en"]}</strong>' in page
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
    assert asked(chosen) == [] and "Prisoners</strong>" in chosen and "cell-cellar" not in chosen
    options = re.search(r'<select id="game".*?</select>', chosen, re.DOTALL).group()  # type: ignore[union-attr]
    assert "piwnica" in options and "king-tut" not in options and "ulubiony" not in options


def test_four_bases_of_any_ranks_can_only_be_piwnica(serve: Serve) -> None:
    _, page = opened(serve(FakeEyes(seen(deal("piwnica"), "piwnica"))))
    assert asked(page) == [] and "The Cellar</strong>" in page


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
    assert "Say first which way the foundations go" in page
    told = shown(client, path, "direction", direction="down")
    assert "Say first which way" not in told and codes(told)["direction"] == "down"
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
    assert "Say first which way" not in page
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


def test_a_misread_card_in_a_row_is_settled_and_taken_back(serve: Serve) -> None:
    dealt = deal("piwnica")
    client = serve(FakeEyes(seen(dealt, "piwnica", doubts=("left 2 3",))))
    path, page = opened(client)
    assert "left row 2, card 3</strong> — Which card is this?" in page
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
    assert re.findall(r"<strong>([^<]*)</strong> — Which", page) == ["left row 2, card 3"]
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
        assert "left row 2, card 6</strong> — Which card is this?" in page
        assert 'name="place" value="left 2 6"' in client.get(path, params={"place": "left 2 6"}).text
        page = shown(client, path, "settle", place="left 2 6", card=card)
        assert "Which card is this?" not in page
        assert len(codes(page)["left"][1]) == length  # type: ignore[index]


def test_a_place_of_a_row_game_is_named_with_what_is_in_its_way(serve: Serve) -> None:
    dealt = deal("arcydzielo")
    locked = dealt.with_seen({"left 1 5": GONE, "cellar": dealt.left[0][4]})
    _, page = opened(serve(FakeEyes(seen(locked, "arcydzielo"))), game="arcydzielo")
    inner, outer, kept = (language("en").card(str(card)) for card in dealt.left[0][2:])
    assert f'aria-label="{inner}; left row 1, card 3; in the way: {outer}"' in page
    assert f'aria-label="{outer}; left row 1, card 4; free"' in page
    assert f'aria-label="{kept}; cellar; locked in"' in page


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


def test_a_misread_card_settled_later_holds_for_the_picture_before(serve: Serve) -> None:
    dealt = deal("arcydzielo")
    place, card = "left 2 2", dealt.left[1][1]
    misread = dealt.with_seen({place: Card.parse("2C") if card != Card.parse("2C") else Card.parse("3C")})
    client = serve(FakeEyes(seen(misread, "arcydzielo"), seen(dealt, "arcydzielo")))
    path, page = opened(client, game="arcydzielo")
    assert "The same card twice" in page
    assert 'class="breach"' in shown(client, path, "next")
    settled = shown(client, path, "settle", place=place, card=str(card))
    assert 'class="breach"' not in settled and "Nothing has changed" in settled


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
    asked_now = "Say first whether the columns have been reversed"
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


def test_a_hint_is_refused_with_the_reason_where_a_card_lies_there_twice(serve: Serve) -> None:
    dealt = deal("arcydzielo")
    twice = dealt.with_seen({"left 1 1": dealt.left[1][0]})
    client = serve(FakeEyes(seen(twice, "arcydzielo")))
    path, page = opened(client, game="arcydzielo")
    assert "The same card twice" in page
    refused = client.post(f"{path}/hint", data={"step": "1"})
    assert (refused.status_code, refused.json()["code"]) == (422, "impossible")
    assert "The same card twice" in refused.json()["detail"]


def test_a_card_of_another_deck_keeps_no_next_picture_out(serve: Serve) -> None:
    dealt = deal("wiezniowie")
    strange = dealt.with_seen({"left 1 2": JOKER})
    client = serve(FakeEyes(seen(strange, "wiezniowie"), seen(after(strange, "wiezniowie", "build"), "wiezniowie")))
    path, page = opened(client, game="wiezniowie")
    assert "Does not belong to this deck" in page
    story = shown(client, path, "next")
    assert "Moves made" in story and 'class="breach"' not in story


def test_a_base_that_is_not_seen_leaves_no_hint_but_a_word(serve: Serve) -> None:
    bare = deal("wiezniowie").with_seen({"base 2": GONE})
    path, _ = opened(client := serve(FakeEyes(seen(bare, "wiezniowie"))), game="wiezniowie")
    assert "No move is left." in shown(client, path, "hint", step="1")


def test_a_game_won_is_told(serve: Serve) -> None:
    kings = tuple(Card.parse(f"K{suit}") for suit in "SHDC")
    won = replace(deal("arcydzielo"), bases=kings, base_cards=(None,) * 4, left=((),) * 5, right=((),) * 5)
    _, page = opened(serve(FakeEyes(seen(won, "arcydzielo"))), game="arcydzielo")
    assert "All cards are on the foundations. Well played!" in page
    assert '<strong class="figure">0</strong>' in page


class Layouts(FakeEyes):
    """Reads what it was given where that is asked for or nothing is; else sees another layout."""

    def read(self, data: bytes, *, layout: str | None = "auto") -> TableReading:
        found = super().read(data, layout=layout)
        if layout not in ("auto", found.layout):
            raise PictureError("no-layout")
        return found


def test_a_row_layout_with_a_pyramid_game_asked_for_and_the_reverse_have_their_own_messages(serve: Serve) -> None:
    rows = serve(Layouts(seen(deal("piwnica"), "piwnica")))
    refused = rows.post("/tables", data={"game": "easy-pyramid"}, files=PICTURE)
    assert (refused.status_code, refused.json()["code"]) == (422, "rows-laid")
    assert "not as a pyramid" in refused.json()["detail"]
    pyramid = serve(Layouts(reading()))
    refused = pyramid.post("/tables", data={"game": "piwnica"}, files=PICTURE)
    assert (refused.status_code, refused.json()["code"]) == (422, "pyramid-laid")
    assert "lie as a pyramid" in refused.json()["detail"]
    other = rows.post("/tables", data={"game": "wiezniowie-12"}, files=PICTURE)
    assert (other.status_code, other.json()["code"]) == (422, "no-layout")


def test_a_pyramid_put_upon_half_rows_is_refused_though_the_reader_found_one(serve: Serve) -> None:
    class Obliging(FakeEyes):
        def read(self, data: bytes, *, layout: str | None = "auto") -> TableReading:
            doubts = tuple(f"pyramid 7 {n}" for n in range(1, 8)) + tuple(f"pyramid 6 {n}" for n in range(1, 7))
            found = seen(deal("piwnica"), "piwnica") if layout == "auto" else reading(doubts=(*doubts, *more))
            self.asked.append(layout)
            return found

    more: tuple[str, ...] = ("pyramid 5 1",)
    eyes = Obliging()
    client = serve(eyes)
    assert client.post("/tables", data={"game": "easy-pyramid"}, files=PICTURE).status_code == 200
    more = ("pyramid 5 1", "pyramid 5 2")
    refused = client.post("/tables", data={"game": "easy-pyramid"}, files=PICTURE)
    assert refused.json()["code"] == "rows-laid"
    assert eyes.asked == ["pyramid-7", "pyramid-7", "auto"]


@pytest.mark.parametrize("command", ["read", "check", "hint"])
def test_the_commands_refuse_the_other_family_with_the_same_message(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(wiring, "eyes", lambda: Layouts(seen(deal("piwnica"), "piwnica")))
    picture = tmp_path / "table.jpg"
    picture.write_bytes(picture_bytes())
    told = run(command, "--json", "--game", "easy-pyramid", str(picture))
    assert (told.exit_code, answers(told)[0]["error"]["code"]) == (3, "rows-laid")
    assert "not as a pyramid" in told.stderr
    fine = run(command, "--json", "--game", "piwnica", str(picture))
    assert fine.exit_code == 0, fine.stderr


def test_a_game_laid_in_another_way_cannot_be_chosen(serve: Serve) -> None:
    client = serve(FakeEyes(seen(deal("piwnica"), "piwnica")))
    path, _ = opened(client)
    for game_id in ("king-tut", "ulubiony", "wiezniowie-12"):
        refused = client.post(f"{path}/game", data={"game": game_id})
        assert (refused.status_code, refused.json()["code"]) == (400, "other-layout")
        assert game_id in refused.json()["detail"]
    text = json.dumps(deal("ulubiony").to_json())
    assert client.post("/tables", data={"position": text, "game": "piwnica"}).json()["code"] == "other-layout"
    pyramid, _ = opened(other := serve())
    assert other.post(f"{pyramid}/game", data={"game": "piwnica"}).json()["code"] == "other-layout"


@pytest.mark.parametrize("code", ["outside", "no-layout"])
def test_half_a_layout_and_two_of_them_stay_the_readers_own_messages(serve: Serve, code: str) -> None:
    class Refusing(FakeEyes):
        def read(self, data: bytes, *, layout: str | None = "auto") -> TableReading:
            raise PictureError(code)

    refused = serve(Refusing()).post("/tables", data={"game": "piwnica"}, files=PICTURE)
    assert refused.json()["code"] == code
    assert "pyramid" not in refused.json()["detail"]


def test_columns_and_cellar_that_a_text_leaves_out_are_not_known(serve: Serve) -> None:
    told = deal("ulubiony").to_json()
    text = json.dumps({key: told[key] for key in ("base", "left", "right")})
    client = serve()
    page = client.post("/tables", data={"position": text, "game": "ulubiony"})
    assert page.status_code == 200 and "The Favourite</strong>" in page.text
    assert "Not all parts of this table are told" in page.text and "cell-left-column" not in page.text
    plain = client.post("/tables", data={"position": text})
    assert "Prisoners, rows of twelve</strong>" in plain.text
    other = client.post(f"{plain.url.path}/game", data={"game": "ulubiony"})
    assert "The Favourite</strong>" in other.text
    path, _ = opened(photographed := serve(FakeEyes(seen(deal("wiezniowie-12"), "wiezniowie-12"))))
    refused = photographed.post(f"{path}/game", data={"game": "ulubiony"})
    assert refused.json()["code"] == "other-layout"


def test_a_position_of_a_shape_that_no_row_game_has_is_refused(serve: Serve) -> None:
    text = json.dumps({"base": [None] * 4, "left": [[]] * 3, "right": [[]] * 3})
    refused = serve().post("/tables", data={"position": text})
    assert (refused.status_code, refused.json()["code"]) == (422, "position")
