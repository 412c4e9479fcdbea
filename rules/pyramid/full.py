"""Positions of which every card is known, and how to sample them from what a table shows.

What a lone picture cannot show (stock count, order of the waste, pass, what has gone) is sampled over every split of
the unseen cards that fits, never assumed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.errors import PositionError
from rules.pyramid.complete import complete
from rules.pyramid.gone import GoneBounds, sample_gone
from rules.pyramid.idle import stock_played
from rules.pyramid.position import PyramidPosition, known_cards
from rules.refusals import wrong_deal

_HIDDEN = (FACE_DOWN, UNREADABLE)


@dataclass(frozen=True, slots=True)
class FullPosition:
    """Every card known. ``stock``: first one drawn first; ``waste``: bottom to top; None where a place is empty.

    ``stock_played``: whether a card of the stock has been played in this pass, None where that does not matter because
    an idle pass does not end the game."""

    rows: tuple[tuple[Card | None, ...], ...]
    stock: tuple[Card, ...] = ()
    waste: tuple[Card, ...] = ()
    turned: Card | None = None
    pass_number: int = 1
    stock_played: bool | None = None

    @classmethod
    def of_deal(cls, cards: Sequence[Card], game: Game) -> FullPosition:
        """The deal of those cards: the pyramid row by row from the apex, then the stock; raises PositionError."""
        options = game.options
        if Counter(cards) != Counter(options.deck):
            raise wrong_deal(game)
        if options.apex not in (None, cards[0]):
            said = f"a deal of {game.id} has {options.apex} at the apex, not {cards[0]}"
            raise PositionError(said, "deal-apex", game=game.id, apex=options.apex, card=cards[0])
        starts = [row * (row + 1) // 2 for row in range(options.rows)]
        rows = tuple(tuple(cards[start : start + row + 1]) for row, start in enumerate(starts))
        played = False if game.ends_after_idle_pass else None
        return cls(rows, tuple(cards[options.pyramid_size :]), stock_played=played)

    def to_position(self) -> PyramidPosition:
        """The same as a position; what has gone before is not known to it."""
        return PyramidPosition(
            rows=tuple(tuple(GONE if card is None else card for card in row) for row in self.rows),
            stock_cards=self.stock,
            waste_cards=self.waste,
            turned=GONE if self.turned is None else self.turned,
            pass_number=self.pass_number,
            stock_played=self.stock_played,
        )


def random_deal(game: Game, rng: Random) -> FullPosition:
    """A deal shuffled by ``rng``; a card the game always deals to the apex lies there."""
    cards = list(game.options.deck)
    rng.shuffle(cards)
    apex = game.options.apex
    if apex is not None:
        cards.remove(apex)
        cards.insert(0, apex)
    return FullPosition.of_deal(cards, game)


def unseen_cards(position: PyramidPosition, game: Game) -> tuple[Card, ...]:
    """The cards of the deck that the position nowhere names, in the deck's order.

    Raises PositionError where a card is seen that the deck does not have, or more often than it has it."""
    left = Counter(game.options.deck)
    left.subtract(named_cards(position))
    surplus = [str(card) for card, count in left.items() if count < 0]
    if surplus:
        said = f"seen more often than the deck of {game.id} has them: {', '.join(surplus)}"
        raise PositionError(said, "seen-too-often", game=game.id, cards=", ".join(surplus))
    return tuple(left.elements())


def named_cards(position: PyramidPosition) -> tuple[Card, ...]:
    """Every face the position names, each lying card once: a pile's top is one with the last of its list."""
    seen: list[Seen | None] = [card for row in position.rows for card in row]
    seen += [position.turned, *(position.stock_cards or ())]
    seen += [position.waste] if position.waste_cards is None else position.waste_cards
    gone = position.gone_cards or ()
    if position.foundation not in gone:
        seen.append(position.foundation)
    return tuple(known_cards([*seen, *gone]))


def known_position(position: PyramidPosition, game: Game) -> FullPosition | None:
    """The position as a full one where everything that matters for play is known, else None.

    What has gone does not matter; neither does the pass where passes are unlimited or one. Where an idle pass ends the
    game it matters whether a card of the stock was played."""
    position = complete(position, game)
    number = position.pass_number
    if number is None and game.options.passes is None:
        number = 1
    turned = GONE if game.options.turned == "laid" else position.turned
    stock, waste = position.stock_cards, position.waste_cards
    if stock is None or waste is None or turned is None or number is None:
        return None
    played = stock_played(position, game)
    if game.ends_after_idle_pass and played is None:
        return None
    if any(card in _HIDDEN for row in (*position.rows, stock, waste, (turned,)) for card in row):
        return None
    full = _fill(position.rows, (stock, waste, turned), number, iter(()))
    return replace(full, stock_played=played)


def sample_full(position: PyramidPosition, game: Game, rng: Random) -> FullPosition:
    """One full position that fits what is known, the unseen cards split and shuffled by ``rng``.

    Raises PositionError where none can fit: a card is seen twice or is foreign, or more lie there than the deck has."""
    position = complete(position, game)
    unseen = list(unseen_cards(position, game))
    rng.shuffle(unseen)
    turned = _sample_turned(position, game, unseen, rng)
    spare = len(unseen) - sum(card in _HIDDEN for row in (*position.rows, (turned,)) for card in row)
    gone, stock, waste = _sample_piles(position, game, _Unseen(unseen, spare), rng)
    rest = list((Counter(unseen) - Counter(gone)).elements())
    rng.shuffle(rest)
    number, passes = position.pass_number, game.options.passes
    if number is None:
        number = 1 if passes is None else rng.randint(1, passes)
    full = _fill(position.rows, (stock, waste, turned), number, iter(rest))
    played = stock_played(position, game)
    if game.ends_after_idle_pass and played is None:
        played = rng.random() < 0.5
    return replace(full, stock_played=played)


@dataclass(frozen=True, slots=True)
class _Unseen:
    """The unseen cards, and how many of them no place is known to hold."""

    cards: list[Card]
    spare: int


def _sample_turned(position: PyramidPosition, game: Game, unseen: list[Card], rng: Random) -> Seen:
    """A held card not known to be there or not is there in half the samples, if there can be one."""
    if game.options.turned == "laid":
        return GONE
    if position.turned is not None:
        return position.turned
    hidden = sum(card in _HIDDEN for row in position.rows for card in row) + (position.stock_count or 0)
    return FACE_DOWN if len(unseen) > hidden and rng.random() < 0.5 else GONE


def _sample_piles(
    position: PyramidPosition, game: Game, unseen: _Unseen, rng: Random
) -> tuple[list[Card], list[Seen], list[Seen]]:
    """Which unseen cards have gone, and stock and waste, with ``FACE_DOWN`` for each card to be filled in."""
    stock = None if position.stock_cards is None else list(position.stock_cards)
    if stock is None and position.stock_count is not None:
        stock = [FACE_DOWN] * position.stock_count
    waste = None if position.waste_cards is None else list(position.waste_cards)
    top = [] if waste is not None or position.waste is None else [position.waste]
    spare = unseen.spare - sum(card in _HIDDEN for card in (*(stock or ()), *(waste or ()), *top))
    at_least = int(stock is None and bool(position.stock))
    if spare < at_least:
        most = len(game.options.deck)
        raise PositionError(f"more cards lie there than the deck of {game.id} has ({most})", "too-many-lie", most=most)
    exact = spare if stock is not None and waste is not None else None
    bounds = GoneBounds(exact, spare - at_least)
    gone = sample_gone(position, game.options, unseen.cards, bounds, rng)
    spare -= len(gone)
    filled: list[Seen] = [FACE_DOWN] * spare
    if stock is None:
        count = spare if waste is not None else rng.randint(at_least, spare)
        stock, filled = filled[:count], filled[count:]
    return gone, stock, filled + top if waste is None else waste


def _fill(
    rows: tuple[tuple[Seen, ...], ...],
    piles: tuple[Sequence[Seen], Sequence[Seen], Seen],
    number: int,
    rest: Iterator[Card],
) -> FullPosition:
    """The full position with the next card of ``rest`` wherever one is hidden."""

    def face(seen: Seen) -> Card | None:
        if seen is GONE:
            return None
        return seen if isinstance(seen, Card) else next(rest)

    stock, waste, turned = piles
    filled = tuple(tuple(face(card) for card in row) for row in rows)
    held = face(turned)
    lying = [tuple(card for card in map(face, pile) if card is not None) for pile in (stock, waste)]
    return FullPosition(filled, lying[0], lying[1], held, number)
