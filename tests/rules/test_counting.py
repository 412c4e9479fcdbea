"""Card counting against the deck: who sees a game played knows just what the count says, and no range leaves out what
is so."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from rules.cards import FACE_DOWN, UNREADABLE, Card, seen_code
from rules.catalogue import GAMES, PYRAMID_GAMES, ROW_GAMES
from rules.counting import Counted, count_cards
from rules.families import family_of
from rules.pyramid.position import PyramidPosition
from rules.rows.dealing import random_deal
from rules.rows.legality import legal_moves, play
from rules.rows.moves import RowMove
from rules.rows.position import RowPosition
from tests.rules.tables import Played, camera_view, random_game

SEEDS = range(4)
MOST_MOVES = 60


def groups(counted: Counted) -> list[tuple[Card, ...]]:
    return [counted.lying, counted.piled, counted.gone, counted.unseen]


def codes(cards: tuple[Card, ...]) -> list[str]:
    return sorted(str(card) for card in cards)


class Witness:
    """Who sits at the table: notes every face that can be seen, and every card that leaves."""

    def __init__(self, view: PyramidPosition) -> None:
        self.met: Counter[Card] = Counter()
        self.gone: Counter[Card] = Counter()
        self.look(view)

    def look(self, view: PyramidPosition) -> None:
        """Note what lies there to be seen now."""
        here = [card for row in view.rows for card in row] + [view.turned, view.waste]
        self.met |= Counter(card for card in here if isinstance(card, Card)) + self.gone


@pytest.mark.parametrize("game_id", PYRAMID_GAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_who_sees_every_move_has_seen_just_the_cards_that_count_as_seen(game_id: str, seed: int) -> None:
    game, rng = GAMES[game_id], Random(seed)
    family = family_of(game)
    truth = family.deal(game, rng)
    view = family.show(truth, game)
    witness = Witness(view)
    for _ in range(MOST_MOVES):
        counted = count_cards(view, game)
        assert sum(map(Counter, groups(counted)), Counter()) == Counter(game.options.deck)
        if game.options.jokers == 0:
            assert set(counted.unseen) == set(game.options.deck) - set(witness.met)
        assert Counter(counted.gone) == witness.gone
        assert counted.stock == (len(truth.stock_cards or ()),) * 2
        unknown = [card for card in truth.stock_cards or () if card in counted.unseen]
        if game.options.jokers == 0:
            assert counted.in_stock == (len(unknown), len(unknown))
        moves = family.legal_moves(view, game)
        if not moves:
            break
        move = rng.choice(moves)
        known = family.fill(move, truth)
        view, truth = family.play(view, move, game), family.play(truth, known, game)
        if move.kind == "turn":
            view = _with_turned(view, known.cards)
            witness.met |= Counter(card for card in known.cards if isinstance(card, Card)) + witness.gone
        elif move.kind != "redeal":
            witness.gone += Counter(card for card in known.cards if isinstance(card, Card))
        view = family.look(view, truth, game)
        witness.look(view)


def _with_turned(view: PyramidPosition, cards: tuple[object, ...]) -> PyramidPosition:
    """The view once the cards turned have been seen: nobody knew them before."""
    faces = tuple(card for card in cards if isinstance(card, Card))
    if view.turned is FACE_DOWN:
        return replace(view, turned=faces[-1])
    if view.waste_cards is None:
        return replace(view, waste=faces[-1])
    listed = (*view.waste_cards[: -len(faces)], *faces)
    return replace(view, waste=faces[-1], waste_cards=listed)


@pytest.mark.parametrize("game_id", PYRAMID_GAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_of_one_picture_no_range_leaves_out_what_is_so(game_id: str, seed: int) -> None:
    game = GAMES[game_id]
    for played in random_game(game, Random(seed)):
        counted, truth = count_cards(camera_view(played, game), game), played.position
        stock = len(truth.stock_cards or ())
        assert counted.stock and counted.stock[0] <= stock <= counted.stock[1]
        assert counted.in_stock and counted.in_stock[0] <= stock <= counted.in_stock[1]
        elsewhere = len(counted.unseen) - counted.face_down - counted.unread - stock
        assert counted.elsewhere[0] <= elsewhere <= counted.elsewhere[1]


def test_a_redeal_keeps_the_order_in_which_the_cards_were_seen() -> None:
    game = GAMES["easy-pyramid"]
    table = next(random_game(game, Random(1))).position
    family = family_of(game)
    while (table.stock_count or 0) > 0:
        table = family.play(table, next(m for m in family.legal_moves(table, game) if m.kind == "turn"), game)
    laid = table.waste_cards or ()
    again = family.play(table, next(m for m in family.legal_moves(table, game) if m.kind == "redeal"), game)
    counted = count_cards(again, game)
    assert counted.stock_order == laid and len(laid) == game.options.stock_size
    assert counted.piled == tuple(card for card in game.options.deck if card in laid) and not counted.unseen


def test_of_a_stock_known_in_part_only_the_rest_counts_as_unseen_there() -> None:
    game = GAMES["easy-pyramid"]
    table = next(random_game(game, Random(2))).position
    known = (table.stock_cards or ())[:3]
    listed = (*known, *(FACE_DOWN,) * (game.options.stock_size - 3))
    counted = count_cards(replace(table, stock_cards=listed), game)
    assert counted.in_stock == (21, 21) and counted.stock == (24, 24) and counted.elsewhere == (0, 0)
    assert codes(counted.piled) == codes(known)  # type: ignore[arg-type]


def test_a_card_that_lies_there_twice_or_is_of_another_deck_is_named_and_counts_once() -> None:
    game = GAMES["math-pyramid-ten"]
    table = next(random_game(game, Random(3))).position
    first = table.at(6, 1)
    wrong = table.with_seen({"pyramid 6 2": first, "pyramid 6 3": Card.parse("KS")})
    counted = count_cards(replace(wrong, stock_cards=None, stock_count=19), game)
    assert set(counted.surplus) == {first, Card.parse("KS")}
    assert sum(map(Counter, groups(counted)), Counter()) == Counter(game.options.deck)


def test_face_down_and_unreadable_cards_are_counted_apart() -> None:
    game = GAMES["pyramid"]
    played = next(random_game(game, Random(4)))
    view = camera_view(played, game).with_seen({"pyramid 7 1": UNREADABLE})
    counted = count_cards(view, game)
    assert (counted.face_down, counted.unread, counted.in_stock) == (21, 1, (24, 24))
    assert len(counted.unseen) == 21 + 1 + 24 and counted.elsewhere == (0, 0)


def test_what_is_known_of_the_stock_otherwise_narrows_its_range() -> None:
    game = GAMES["easy-pyramid"]
    view = camera_view(Played(next(random_game(game, Random(5))).position, None, UNREADABLE), game)
    view = replace(view, foundation=None, waste=None, stock=True)
    assert count_cards(view, game).stock == (1, 24)
    assert count_cards(view, game, (3, 7)).stock == (3, 7)


@pytest.mark.parametrize("game_id", ROW_GAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_card_of_a_row_game_lies_open_or_under_the_top_of_a_foundation(game_id: str, seed: int) -> None:
    game, rng = GAMES[game_id], Random(seed)
    position: RowPosition = random_deal(game, rng)
    built: list[Card] = []
    for _ in range(MOST_MOVES):
        counted = count_cards(position, game)
        assert sum(map(Counter, groups(counted)), Counter()) == Counter(game.rules.deck)
        assert codes(counted.gone) == codes(tuple(built)) and not counted.unseen
        moves = legal_moves(position, game)
        if not moves:
            break
        move = rng.choice([move for move in moves if move.kind == "foundation"] or moves)
        built += _covered_by(position, move)
        position = play(position, move, game)


def _covered_by(position: RowPosition, move: RowMove) -> list[Card]:
    """The card that a move to a foundation covers."""
    top = position.look(move.places[1]) if move.kind == "foundation" else None
    return [top] if isinstance(top, Card) else []


def test_a_card_of_a_row_game_that_is_not_read_is_among_the_unseen() -> None:
    game = GAMES["wiezniowie-12"]
    position = random_deal(game, Random(7))
    hidden = position.look("left 1 1")
    counted = count_cards(position.with_seen({"left 1 1": UNREADABLE}), game)
    assert [seen_code(card) for card in counted.unseen] == [seen_code(hidden)]  # type: ignore[arg-type]
    assert counted.unread == 1 and counted.elsewhere == (0, 0)
