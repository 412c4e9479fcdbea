"""Cards not known when a game began: what its moves told of them later, and every deal that still fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from math import factorial
from random import Random

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.errors import PositionError
from rules.layouts import TURNED, WASTE, parse_pyramid_place
from rules.pyramid.complete import complete
from rules.pyramid.full import unseen_cards
from rules.pyramid.moves import Move
from rules.pyramid.position import PyramidPosition

_HIDDEN = (FACE_DOWN, UNREADABLE)


def learn(start: PyramidPosition, moves: Sequence[Move], game: Game) -> PyramidPosition:
    """The start with every card that its moves name; where one card alone is left to be known, with that one too.

    Raises PositionError where more cards are turned than the stock has."""
    start = _listed(start, game)
    table = _Numbered(start)
    for move in moves:
        table.follow(move)
    learnt = table.start()
    rest = unseen_cards(learnt, game)
    hidden = _hidden(learnt)
    return _fill(learnt, rest) if hidden == len(rest) == 1 else learnt


def truths(start: PyramidPosition, game: Game, rng: Random, most: int) -> Iterator[PyramidPosition]:
    """Every way to lay the unseen cards on the places not known; where there are more than ``most``, that many drawn.

    A place cannot be told from the gone cards in a position that does not list these: then nothing is yielded."""
    start = _listed(start, game)
    rest, hidden = unseen_cards(start, game), _hidden(start)
    if hidden != len(rest) or start.stock_cards is None or start.waste_cards is None or start.turned is None:
        return
    if hidden < 13 and factorial(hidden) <= most:
        yield from (_fill(start, order) for order in permutations(rest))
        return
    for _ in range(most):
        yield _fill(start, rng.sample(rest, hidden))


def _listed(start: PyramidPosition, game: Game) -> PyramidPosition:
    """The start with its piles listed, ``??`` for a card not known, where their counts are known."""
    start = complete(start, game)
    if start.stock_cards is None and start.stock_count is not None:
        start = replace(start, stock_cards=(FACE_DOWN,) * start.stock_count)
    return start


def _places(position: PyramidPosition) -> list[Seen]:
    """Every card that can be unknown: the pyramid, the stock, the waste, the hand, and those gone."""
    turned = [] if position.turned is None else [position.turned]
    piles = (position.stock_cards or (), position.waste_cards or (), turned, position.gone_cards or ())
    return [card for row in (*position.rows, *piles) for card in row]


def _hidden(position: PyramidPosition) -> int:
    return sum(card in _HIDDEN for card in _places(position))


def _fill(position: PyramidPosition, cards: Sequence[Card]) -> PyramidPosition:
    """The position with the next card wherever one is not known."""
    rest = iter(cards)
    return _with_faces(position, [next(rest) if card in _HIDDEN else card for card in _places(position)])


def _with_faces(position: PyramidPosition, faces: Sequence[Seen]) -> PyramidPosition:
    """The position with the cards of ``_places`` replaced, in their order."""
    following = iter(faces)

    def same(cards: Sequence[Seen] | None) -> tuple[Seen, ...] | None:
        return None if cards is None else tuple(next(following) for _ in cards)

    rows = tuple(same(row) or () for row in position.rows)
    stock, waste = same(position.stock_cards), same(position.waste_cards)
    turned = None if position.turned is None else next(following)
    top = position.waste if waste is None else None
    return replace(
        position,
        rows=rows,
        stock_cards=stock,
        waste_cards=waste,
        waste=top,
        turned=turned,
        gone_cards=same(position.gone_cards),
    )


class _Numbered:
    """The start as numbers of ``_places``, played along with the moves, each of which may name cards."""

    def __init__(self, start: PyramidPosition) -> None:
        self._position, self._faces = start, _places(start)
        numbers = iter(range(len(self._faces)))
        self._pyramid = {(r, c): next(numbers) for r, row in enumerate(start.rows, 1) for c in range(1, len(row) + 1)}
        self._stock = None if start.stock_cards is None else [next(numbers) for _ in start.stock_cards]
        self._waste = None if start.waste_cards is None else [next(numbers) for _ in start.waste_cards]
        held = None if start.turned is None else next(numbers)
        self._held = held if start.turned not in (None, GONE) else None

    def start(self) -> PyramidPosition:
        """The start with all that was learnt."""
        return _with_faces(self._position, self._faces)

    def follow(self, move: Move) -> None:
        """Play a legal move; piles that are not listed teach nothing."""
        if move.kind == "redeal":
            self._lay_down()
            self._stock, self._waste = self._waste, []
        elif move.kind == "turn":
            self._turn(move)
        else:
            for card, place in zip(move.cards, move.places, strict=True):
                self._name(self._taken(place), card)

    def _turn(self, move: Move) -> None:
        if self._stock is None:
            self._waste = self._held = None
            return
        self._lay_down()
        if len(self._stock) < len(move.cards):
            raise PositionError(f"{len(move.cards)} cards are turned, but the stock has {len(self._stock)}")
        numbers = self._stock[: len(move.cards)]
        self._stock = self._stock[len(move.cards) :]
        for number, card in zip(numbers, move.cards, strict=True):
            self._name(number, card)
        if move.places[-1] == TURNED:
            self._held = numbers[-1]
        elif self._waste is not None:
            self._waste += numbers

    def _lay_down(self) -> None:
        if self._held is not None and self._waste is not None:
            self._waste.append(self._held)
        self._held = None

    def _taken(self, place: str) -> int | None:
        spot = parse_pyramid_place(place)
        if spot is not None:
            return self._pyramid[spot]
        if place == WASTE:
            return self._waste.pop() if self._waste else None
        number, self._held = self._held, None
        return number

    def _name(self, number: int | None, card: Seen) -> None:
        if number is not None and isinstance(card, Card) and self._faces[number] in _HIDDEN:
            self._faces[number] = card
