"""The one source of legality: what is in play, which rules a move breaks, what follows a move, how a game ends."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Literal

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.errors import IllegalMove
from rules.layouts import STOCK, TURNED, WASTE, parse_pyramid_place, pyramid_place
from rules.options import Options
from rules.pyramid.idle import is_idle, stock_played
from rules.pyramid.moves import REDEAL, Move, pair, single, turn
from rules.pyramid.pairing import leaves_alone, pairs_up
from rules.pyramid.position import Cards, PyramidPosition
from rules.violation import Violation

Outcome = Literal["won", "lost", "open"]
_NOT_READ = (FACE_DOWN, UNREADABLE, None)


def covering(position: PyramidPosition, place: str) -> tuple[str, ...]:
    """The places of the cards that still lie on a card of the pyramid; empty for a pile."""
    spot = parse_pyramid_place(place)
    if spot is None or spot[0] >= position.row_count:
        return ()
    row, column = spot
    below = ((row + 1, column), (row + 1, column + 1))
    return tuple(pyramid_place(*near) for near in below if position.at(*near) is not GONE)


def free_places(position: PyramidPosition, game: Game) -> tuple[str, ...]:
    """Places whose card is in play: free cards of the pyramid from the apex, a turned card that is held, the waste."""
    places = [
        pyramid_place(row, column)
        for row in range(1, position.row_count + 1)
        for column in range(1, row + 1)
        if position.at(row, column) is not GONE and not covering(position, pyramid_place(row, column))
    ]
    if game.options.turned == "held" and position.turned not in (None, GONE):
        places.append(TURNED)
    if position.waste not in (None, GONE):
        places.append(WASTE)
    return tuple(places)


def violations(position: PyramidPosition, move: Move, game: Game) -> tuple[Violation, ...]:
    """Every rule the move breaks in this position; empty if it is legal.

    A card that is not known may be named as ``??``; what cannot be known is not held against the move."""
    if move.kind == "turn":
        return _turn_violations(position, move, game)
    if move.kind == "redeal":
        return _redeal_violations(position, game)
    wanted = 2 if move.kind == "pair" else 1
    if len(move.cards) != wanted or len(set(move.places)) != wanted or len(move.places) != wanted:
        return (Violation("wrong-count", move.places, move.cards),)
    found: list[Violation] = []
    for card, place in zip(move.cards, move.places, strict=True):
        found += _reach_violations(position, card, place, move, game.options)
    if not _total_fits(move.cards, game.options):
        found.append(Violation("wrong-total", move.places, move.cards))
    return tuple(found)


def is_legal(position: PyramidPosition, move: Move, game: Game) -> bool:
    """No rule is broken."""
    return not violations(position, move, game)


def removals(position: PyramidPosition, game: Game) -> tuple[Move, ...]:
    """Every legal removal among the cards known: single cards first, then pairs from the apex downwards."""
    options, free = game.options, free_places(position, game)
    faces = {place: card for place in free if isinstance(card := position.look(place), Card)}
    moves = [single(card, place) for place, card in faces.items() if leaves_alone(card, options)]
    for (first, one), (second, other) in combinations(faces.items(), 2):
        if pairs_up(one, other, options):
            moves.append(pair(one, first, other, second))
    if options.overlap:
        moves += _overlap_pairs(position, faces, options)
    return tuple(moves)


def legal_moves(position: PyramidPosition, game: Game) -> tuple[Move, ...]:
    """Every legal move on what is known: removals, then a turn or a redeal."""
    moves = list(removals(position, game))
    drawn = next_cards(position, game)
    for move in ([turn(drawn, held=game.options.turned == "held")] if drawn else []) + [REDEAL]:
        if is_legal(position, move, game):
            moves.append(move)
    return tuple(moves)


def next_cards(position: PyramidPosition, game: Game) -> Cards:
    """What a turn would turn, first one first, ``??`` for a card not known; none if the stock is known to be empty."""
    draw = game.options.draw
    if position.stock_cards is not None:
        return position.stock_cards[:draw]
    count = position.stock_count
    return (FACE_DOWN,) * (draw if count is None else min(draw, count))


def play(position: PyramidPosition, move: Move, game: Game) -> PyramidPosition:
    """The position after a legal move; raises IllegalMove. A face-down card freed stays ``??`` until it is seen."""
    broken = violations(position, move, game)
    if broken:
        raise IllegalMove(broken)
    if move.kind == "turn":
        return _after_turn(position, move.cards, game)
    if move.kind == "redeal":
        return _after_redeal(position, game)
    return _after_removal(position, move, game)


def outcome(position: PyramidPosition, game: Game) -> Outcome:
    """``won``, ``lost``, or ``open`` where a move is left or what is not known could still allow one."""
    piles = (position.stock is False, position.waste is GONE, position.turned in (GONE, None))
    if position.left_in_pyramid() == 0 and (game.options.goal == "pyramid" or all(piles)):
        return "won"
    free = free_places(position, game)
    unread = [place for place in free if not isinstance(position.look(place), Card)]
    if game.options.overlap:
        unread += _unread_under_one(position, free)
    if unread or position.stock is None or position.waste is None:
        return "open"
    if not legal_moves(position, game):
        return "lost"
    return "lost" if _goes_round_in_vain(position, game) else "open"


def _unread_under_one(position: PyramidPosition, free: tuple[str, ...]) -> list[str]:
    """Places of cards not known on which a single free card lies: where such may leave together, nobody can tell."""
    places = [pyramid_place(row, column) for row in range(1, position.row_count) for column in range(1, row + 1)]
    return [
        place
        for place in places
        if position.look(place) in _NOT_READ and len(covers := covering(position, place)) == 1 and covers[0] in free
    ]


def _goes_round_in_vain(position: PyramidPosition, game: Game) -> bool:
    """With unlimited passes: whether every card can be turned, twice round, without anything to remove."""
    if game.options.passes is not None:
        return False
    redeals = 0
    while redeals < 3:
        if removals(position, game) or any(card in _NOT_READ for card in next_cards(position, game)):
            return False
        moves = legal_moves(position, game)
        if not moves:
            return True
        redeals += moves[0].kind == "redeal"
        position = play(position, moves[0], game)
    return True


def _reach_violations(
    position: PyramidPosition, card: Seen, place: str, move: Move, options: Options
) -> list[Violation]:
    """Whether the card lies at the place and can be taken from there."""
    lying = position.look(place)
    is_pyramid = parse_pyramid_place(place) is not None
    reachable = is_pyramid or place == WASTE or (place == TURNED and options.turned == "held")
    known_other = isinstance(lying, Card) and lying != card
    unknown_pile = lying is None and not is_pyramid
    if not reachable or lying is GONE or known_other or (lying is None and not unknown_pile) or card is GONE:
        return [Violation("not-in-play", (place,), (card,))]
    covers = covering(position, place)
    if not covers or (options.overlap and len(covers) == 1 and covers[0] in move.places):
        return []
    seen = tuple(position.look(cover) or FACE_DOWN for cover in covers)
    return [Violation("covered", (place, *covers), (card, *seen))]


def _total_fits(cards: Cards, options: Options) -> bool:
    known = [card for card in cards if isinstance(card, Card)]
    if len(cards) == 1:
        return not known or leaves_alone(known[0], options)
    if len(known) == 2:
        return pairs_up(known[0], known[1], options)
    return not known or not leaves_alone(known[0], options)


def _overlap_pairs(position: PyramidPosition, faces: dict[str, Card], options: Options) -> list[Move]:
    """Pairs of a card and the single card that still lies on it."""
    moves: list[Move] = []
    for row in range(1, position.row_count):
        for column in range(1, row + 1):
            place, card = pyramid_place(row, column), position.at(row, column)
            covers = covering(position, place)
            if not isinstance(card, Card) or len(covers) != 1 or covers[0] not in faces:
                continue
            if pairs_up(card, faces[covers[0]], options):
                moves.append(pair(card, place, faces[covers[0]], covers[0]))
    return moves


def _turn_violations(position: PyramidPosition, move: Move, game: Game) -> tuple[Violation, ...]:
    if position.stock is False:
        return (Violation("stock-empty", (STOCK,)),)
    expected = next_cards(position, game)
    fewer_possible = position.stock_count is None and 0 < len(move.cards) < len(expected)
    if len(move.cards) != len(expected) and not fewer_possible:
        return (Violation("wrong-count", (STOCK,), move.cards),)
    for card, lying in zip(move.cards, expected, strict=False):
        if isinstance(lying, Card) and card != lying:
            return (Violation("not-in-play", (STOCK,), (card,)),)
    return _pair_available(position, game)


def _redeal_violations(position: PyramidPosition, game: Game) -> tuple[Violation, ...]:
    passes, number = game.options.passes, position.pass_number
    found: list[Violation] = []
    if position.stock:
        found.append(Violation("stock-not-empty", (STOCK,)))
    if position.waste is GONE and (game.options.turned == "laid" or position.turned is GONE):
        found.append(Violation("waste-empty", (WASTE,)))
    if passes is not None and (passes == 1 or (number is not None and number >= passes)):
        found.append(Violation("no-pass-left", (WASTE, STOCK)))
    if not position.stock and is_idle(position, game):
        found.append(Violation("no-pass-left", (WASTE, STOCK)))
    return (*found, *_pair_available(position, game))


def _pair_available(position: PyramidPosition, game: Game) -> tuple[Violation, ...]:
    """The Finnish and English texts can be read so that a card is turned only when nothing can be removed."""
    if game.options.turn_when == "always":
        return ()
    return tuple(Violation("pair-available", move.places, move.cards) for move in removals(position, game)[:1])


def _after_removal(position: PyramidPosition, move: Move, game: Game) -> PyramidPosition:
    gone = {spot for place in move.places if (spot := parse_pyramid_place(place)) is not None}
    rows = tuple(
        tuple(GONE if (r, c) in gone else card for c, card in enumerate(row, start=1))
        for r, row in enumerate(position.rows, start=1)
    )
    listed = tuple(FACE_DOWN if card is UNREADABLE else card for card in move.cards)
    after = replace(
        position,
        rows=rows,
        foundation=move.cards[0] if len(move.cards) == 1 else None,
        gone_cards=None if position.gone_cards is None else position.gone_cards + listed,
    )
    if {TURNED, WASTE} & set(move.places) and game.ends_after_idle_pass:
        after = replace(after, stock_played=True)
    if TURNED in move.places:
        after = replace(after, turned=GONE)
    if WASTE in move.places:
        below = None if after.waste_cards is None else after.waste_cards[:-1]
        after = replace(after, waste=None, waste_cards=below)
    return after


def _after_turn(position: PyramidPosition, drawn: Cards, game: Game) -> PyramidPosition:
    stock_cards = None if position.stock_cards is None else position.stock_cards[len(drawn) :]
    count = None if position.stock_count is None else position.stock_count - len(drawn)
    played = stock_played(position, game)
    after = replace(position, stock=None, stock_count=count, stock_cards=stock_cards, stock_played=played)
    if game.options.turned == "held":
        return replace(_with_turned_on_waste(after), turned=drawn[-1])
    return _with_on_waste(after, drawn)


def _with_on_waste(position: PyramidPosition, cards: Cards) -> PyramidPosition:
    listed = None if position.waste_cards is None else position.waste_cards + cards
    return replace(position, waste=cards[-1], waste_cards=listed)


def _with_turned_on_waste(position: PyramidPosition) -> PyramidPosition:
    """The held card laid on the waste; if it is not known whether one is held, neither is the waste any more."""
    if position.turned is GONE:
        return position
    if position.turned is None:
        return replace(position, waste=None, waste_cards=None)
    listed = FACE_DOWN if position.turned is UNREADABLE else position.turned
    return replace(_with_on_waste(position, (listed,)), turned=GONE)


def _after_redeal(position: PyramidPosition, game: Game) -> PyramidPosition:
    if game.options.turned == "held":
        position = _with_turned_on_waste(position)
    number = None if position.pass_number is None else position.pass_number + 1
    return replace(
        position,
        stock=True,
        stock_count=None,
        stock_cards=position.waste_cards,
        waste=GONE,
        waste_cards=(),
        turned=GONE,
        pass_number=number,
        stock_played=False if game.ends_after_idle_pass else None,
    )
