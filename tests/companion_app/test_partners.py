"""What a card goes with, against every two cards tried one by one; and what the page says of it."""

import html
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random

import httpx
import pytest

from companion_app.languages import language
from companion_app.views.partners import Ground, move_places, moves_view, partners_of, partners_view
from rules.cards import GONE, UNREADABLE, Card
from rules.catalogue import GAMES, PYRAMID_GAMES, ROW_GAMES, Game
from rules.families import family_of
from rules.layouts import pyramid_place
from rules.looks import Position, known
from rules.pyramid.position import PyramidPosition
from rules.rows import moves as row_moves
from rules.rows.legality import legal_moves as row_legal_moves
from rules.rows.legality import violations
from rules.rows.position import RowPosition
from tests.companion_app.fakes import ROWS, FakeEyes, reading
from tests.companion_app.row_tables import deal, opened, seen
from tests.companion_app.test_server import table_path, upload
from tests.rules.tables import random_game

Serve = Callable[..., httpx.Client]
SEEDS = range(2)
ENGLISH = language("en")


def open_cards(position: PyramidPosition, game: Game) -> dict[str, Card]:
    """The faces on which no card lies, by the geometry of a pyramid alone, and the tops of the piles in play."""
    found: dict[str, Card] = {}
    for row, cards in enumerate(position.rows, start=1):
        for column, card in enumerate(cards, start=1):
            below = position.rows[row][column - 1 : column + 1] if row < len(position.rows) else ()
            if isinstance(card, Card) and all(other is GONE for other in below):
                found[pyramid_place(row, column)] = card
    if isinstance(position.waste, Card):
        found["waste"] = position.waste
    if game.options.turned == "held" and isinstance(position.turned, Card):
        found["turned"] = position.turned
    return found


def partners_by_hand(cards: dict[str, Card], total: int) -> dict[str, set[str]]:
    """Who goes with whom by adding up; a joker goes with whatever does not make the total by itself."""
    found: dict[str, set[str]] = {place: set() for place in cards}
    for (one, first), (other, second) in combinations(cards.items(), 2):
        joker = first.is_joker or second.is_joker
        if first.worth + second.worth == total if not joker else total not in (first.worth, second.worth):
            found[one].add(other)
            found[other].add(one)
    return found


@pytest.mark.parametrize("game_id", [game for game in PYRAMID_GAMES if game != "tuts-tomb"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_partners_of_every_open_card_are_those_that_add_up(game_id: str, seed: int) -> None:
    game = GAMES[game_id]
    for played in random_game(game, Random(seed), most=25):
        position = played.position
        wanted = partners_by_hand(open_cards(position, game), game.options.total)
        for place, others in wanted.items():
            found = partners_of(position, game, place)
            assert found and set(found.places(position)) == others
            assert not found.covers and not found.unread
            alone = [move for move in found.moves if move.kind == "single"]
            assert bool(alone) == (position.look(place).worth == game.options.total)  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", SEEDS)
def test_where_a_card_may_leave_with_the_one_on_it_that_is_a_partner_too(seed: int) -> None:
    game = GAMES["tuts-tomb"]
    met = 0
    for played in random_game(game, Random(seed), most=25):
        position = played.position
        for row in range(1, 7):
            for column in range(1, row + 1):
                card, place = position.at(row, column), pyramid_place(row, column)
                over = [pyramid_place(row + 1, near) for near in (column, column + 1)]
                over = [spot for spot in over if position.look(spot) is not GONE]
                if not isinstance(card, Card) or len(over) != 1 or over[0] not in open_cards(position, game):
                    continue
                top = position.look(over[0])
                adds_up = isinstance(top, Card) and card.worth + top.worth == 13
                found = partners_of(position, game, place)
                assert found and found.covers == (over[0],) and set(found.places(position)) == set(over * adds_up)
                met += 1
    assert met > 3


def every_try(position: RowPosition, place: str, card: Card) -> Iterator[row_moves.RowMove]:
    """Every move with a card that anybody could think of."""
    for stack in position.stacks():
        count = len(position.cards_in(stack) or ())
        for index in range(1, count + 2):
            yield row_moves.build(card, place, stack.place(index))
            yield row_moves.fill(card, place, stack.place(index))
    for row in range(1, 5):
        yield row_moves.foundation(card, place, row)
        yield row_moves.new_base(card, place, row)
    yield row_moves.to_cellar(card, place)


@pytest.mark.parametrize("game_id", ROW_GAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_where_a_card_of_a_row_game_goes_is_what_no_rule_forbids(game_id: str, seed: int) -> None:
    game, rng, position = GAMES[game_id], Random(seed), deal(game_id, seed)
    for _ in range(4):
        told = known(position, game)
        assert isinstance(told, RowPosition)
        for place, card in told.lying():
            assert isinstance(card, Card)
            tries = every_try(told, place, card)
            wanted = {str((move.kind, move.places)) for move in tries if not violations(told, move, game)}
            found = partners_of(position, game, place)
            assert found is not None
            moves = {str((move.kind, move.places)) for move in found.moves if len(move.places) == 2}
            assert moves == wanted, place
        legal = row_legal_moves(told, game)
        if not legal:
            break
        position = family_of(game).play(told, rng.choice(legal), game)


@pytest.mark.parametrize("game_id", ROW_GAMES)
def test_what_a_card_takes_is_what_goes_to_it(game_id: str) -> None:
    game, position = GAMES[game_id], known(deal(game_id), GAMES[game_id])
    assert isinstance(position, RowPosition)
    for place, _ in position.lying():
        found = partners_of(position, game, place)
        assert found is not None
        for other in found.takes:
            goes = partners_of(position, game, other.places[0])
            assert goes and place in goes.places(position)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_list_of_all_moves_has_every_legal_move_once(game_id: str) -> None:
    game = GAMES[game_id]
    family, rng = family_of(game), Random(11)
    position: Position = family.show(family.deal(game, rng), game)
    for _ in range(8):
        ground = Ground(known(position, game), game)
        legal = family.legal_moves(ground.position, game)
        listed = moves_view(ENGLISH, ground)["all"]
        assert len({each["key"] for each in listed}) == len(listed) == len(legal)
        for each, move in zip(listed, legal, strict=True):
            shown = moves_view(ENGLISH, ground, each["key"])
            assert shown["places"] == move_places(ground.position, move)
            assert [one["key"] for one in shown["all"] if one["shown"]] == [each["key"]]
        if not legal:
            break
        position = family.play(position, rng.choice(legal), game)


def test_a_covered_card_says_by_what_and_a_free_place_not_read_may_be_a_partner() -> None:
    game = GAMES["relaxed-pyramid"]
    table = next(random_game(game, Random(1))).position
    ground = Ground(table, game)
    covered = partners_view(ENGLISH, ground, "pyramid 6 2")
    over = [ENGLISH.card(str(table.at(7, column))) for column in (2, 3)]
    assert covered and covered["lines"] == [
        f"Covered by: {over[0]} (row 7, place 2); {over[1]} (row 7, place 3)",
    ]
    hidden = Ground(table.with_seen({"pyramid 7 2": UNREADABLE, "pyramid 7 1": Card.parse("8H")}), game)
    lines = (partners_view(ENGLISH, hidden, "pyramid 7 1") or {})["lines"]
    assert any(line == "Perhaps also with a card that is not known: row 7, place 2" for line in lines)
    unread = partners_view(ENGLISH, hidden, "pyramid 7 2")
    assert unread and unread["lines"] == ["Nobody has seen this card yet."] and not unread["places"]


def test_all_cards_in_the_way_in_a_row_are_named_the_nearest_first() -> None:
    position = deal("wiezniowie-12")
    found = partners_of(position, GAMES["wiezniowie-12"], "left 1 3")
    assert found and found.covers == ("left 1 4", "left 1 5", "left 1 6") and not found.moves


def test_nothing_is_said_of_empty_places() -> None:
    game = GAMES["easy-pyramid"]
    table = next(random_game(game, Random(2))).position.with_seen({"pyramid 7 1": GONE})
    assert partners_of(table, game, "pyramid 7 1") is None and partners_of(table, game, "foundation") is None


def marked(page: str, name: str) -> list[str]:
    """The places of the drawn board that have a mark."""
    return re.findall(rf'class="cell [^"]*\b{name}\b[^"]*" id="[^"]*" data-place="([^"]*)"', page)


def test_the_chooser_of_a_free_card_tells_and_marks_its_partners(serve: Serve) -> None:
    client = serve()
    path = table_path(upload(client))
    page = html.unescape(client.get(path, params={"place": "pyramid 7 3"}).text)
    assert "Goes with: 4 of clubs (waste)" in page
    assert marked(page, "is-partner") == ["waste"] and marked(page, "is-chosen") == ["pyramid 7 3"]
    assert re.search(r'class="seen is-partner" data-place="waste"', page)
    assert "4 of clubs; waste; free; goes with the card chosen" in page
    covered = html.unescape(client.get(path, params={"place": "pyramid 6 1"}).text)
    assert "Covered by: 10 of hearts (row 7, place 1); jack of clubs (row 7, place 2)" in covered
    assert not marked(covered, "is-partner")


def test_a_partner_in_doubt_is_said_to_be_in_doubt(serve: Serve) -> None:
    client = serve(FakeEyes(reading(ROWS, doubts=("waste", "pyramid 7 3"))))
    path = table_path(upload(client))
    page = html.unescape(client.get(path, params={"place": "pyramid 7 3"}).text)
    assert "Goes with: 4 of clubs (waste, in doubt)" in page and "This card is in doubt" in page
    every = page[page.index('data-part="every"') :]
    assert "in doubt: row 7, place 3; waste" in every


def test_a_move_of_the_list_is_shown_on_the_board_and_changes_nothing(serve: Serve) -> None:
    client = serve()
    path = table_path(upload(client))
    before = client.get(path).text
    page = client.get(path, params={"move": "pair pyramid 7 3 waste"}).text
    assert marked(page, "is-a") == ["pyramid 7 3"] and marked(page, "is-b") == ["waste"]
    assert 'aria-current="true">Pair: 9 of clubs + 4 of clubs' in page
    assert client.get(path).text == before
    assert not marked(client.get(path, params={"move": "pair pyramid 1 1 waste"}).text, "is-a")


def test_a_row_game_says_where_a_card_goes(serve: Serve) -> None:
    client = serve(FakeEyes(seen(deal("piwnica"), "piwnica")))
    path, page = opened(client, game="piwnica")
    first = re.search(r'data-show href="[^"]*move=([^"]*)"', page)
    assert first and "All moves" in page
    shown = html.unescape(client.get(f"{path}?move={first[1]}").text)
    assert 'data-shown="' in shown
