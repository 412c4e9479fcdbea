"""What is known of a table, as worths: the states in which endings are proven, see ``endings``.

Cards that nobody has seen are not laid anywhere: a state says at which places they lie, which worths are left for them,
and what may turn up is decided when a card is first seen. So one state stands for every order of the unseen cards.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.pyramid.complete import complete
from rules.pyramid.full import unseen_cards
from rules.pyramid.position import PyramidPosition

NONE: Final = -1
HIDDEN: Final = -2
"""A card nobody has seen."""
MORE: Final = -3
"""Any number of cards nobody has seen, or none; of a held card: one or none."""
FACING: Final = -4
"""A card just turned up, still to be told."""

_NOT_READ: Final = (FACE_DOWN, UNREADABLE)


class Sight(NamedTuple):
    """``pyramid`` by rows from the apex, ``stock`` first one drawn first, ``waste`` bottom to top, ``held``: worths, or
    ``NONE``, ``HIDDEN``, ``MORE``. ``redeals``: how often the waste may be turned over before another card must leave
    (see ``Endings``). ``unseen``: how many cards of each worth nobody has seen."""

    pyramid: tuple[int, ...]
    stock: tuple[int, ...]
    waste: tuple[int, ...]
    held: int
    redeals: int
    unseen: tuple[int, ...]

    def hidden_places(self) -> tuple[int, bool]:
        """How many cards that nobody has seen lie there at least, and whether there may be more."""
        places = (*self.pyramid, *self.stock, *self.waste, self.held)
        return sum(token in (HIDDEN, FACING) for token in places), MORE in places

    def is_sure(self) -> bool:
        """Whether every card nobody has seen lies at one of the hidden places, none has gone."""
        places, more = self.hidden_places()
        return not more and sum(self.unseen) == places


def sight_of(position: PyramidPosition, game: Game, *, redeals: int) -> Sight:
    """What a position shows; raises PositionError where a card is seen that the deck does not have."""
    known, total = complete(position, game), game.options.total
    unseen = [0] * (total + 2)
    for card in unseen_cards(known, game):
        unseen[card.worth] += 1
    return Sight(
        pyramid=tuple(_token(card) for row in known.rows for card in row),
        stock=_stock_of(known),
        waste=_waste_of(known),
        held=_held_of(known, game),
        redeals=redeals,
        unseen=tuple(unseen),
    )


def _token(card: Seen) -> int:
    if isinstance(card, Card):
        return card.worth
    return NONE if card is GONE else HIDDEN


def _stock_of(known: PyramidPosition) -> tuple[int, ...]:
    if known.stock_cards is not None:
        return tuple(map(_token, known.stock_cards))
    if known.stock_count is not None:
        return (HIDDEN,) * known.stock_count
    return (HIDDEN, MORE) if known.stock else (MORE,)


def _waste_of(known: PyramidPosition) -> tuple[int, ...]:
    if known.waste_cards is not None:
        return tuple(map(_token, known.waste_cards))
    if known.waste is GONE:
        return ()
    return (MORE,) if known.waste is None else (MORE, _token(known.waste))


def _held_of(known: PyramidPosition, game: Game) -> int:
    if game.options.turned == "laid":
        return NONE
    return MORE if known.turned is None else _token(known.turned)


class Departed:
    """Which of the unseen cards may have left the game before: in pairs or alone, as the rules let them.

    Where the cards known to have gone cannot have left so (a table that lacks cards), any may have. ``all_lie``: none
    of the unseen cards has left."""

    def __init__(self, position: PyramidPosition, game: Game) -> None:
        known, options = complete(position, game), game.options
        self._total, self._laid = options.total, options.turned == "laid"
        self._gaps = sum(card is GONE for row in known.rows for card in row)
        listed, top = known.gone_cards, known.foundation
        # The last card that left may be seen, and not be told among those listed.
        apart = isinstance(top, Card) and (listed is None or top not in listed)
        self._count = None if listed is None else sum(card in _NOT_READ for card in listed) - apart
        self._known = [0] * (options.total + 2)
        for card in (*(listed or ()), *([top] if apart else ())):
            if isinstance(card, Card):
                self._known[card.worth] += 1
        self._sizes: dict[tuple[int, ...], frozenset[int]] = {}
        self._any = self.all_lie = False

    def allow(self, sight: Sight) -> bool:
        """To be called with the start: if no cards that may have left fit it, any may. Whether it can be at all."""
        self._any = not self.fits(sight)
        self._sizes.clear()
        can_be = self.fits(sight)
        self.all_lie = can_be and sight.is_sure()
        return can_be

    def fits(self, sight: Sight) -> bool:
        """Whether the unseen cards can lie at the hidden places, the others having left."""
        if self.all_lie:
            return True
        places, more = sight.hidden_places()
        seen = sum(sight.unseen)
        if seen < places:
            return False
        if self._count == 0:
            return seen == places or (more and seen > places)
        return any(seen - size == places or (more and seen - size > places) for size in self._sizes_of(sight.unseen))

    def _sizes_of(self, unseen: tuple[int, ...]) -> frozenset[int]:
        sizes = self._sizes.get(unseen)
        if sizes is None:
            sizes = frozenset(range(sum(unseen) + 1) if self._any else self._possible(unseen))
            if self._count is not None:
                sizes &= {self._count}
            self._sizes[unseen] = sizes
        return sizes

    def _possible(self, unseen: tuple[int, ...]) -> set[int]:
        """How many of these cards can have left, with those known to have."""
        total, known = self._total, self._known
        found: set[int] = set()
        plain = sum(known[1:total])
        for size, odd in self._unmatched(unseen):
            for more in range(unseen[0] + 1):
                jokers = known[0] + more
                if odd > jokers or (jokers - odd) % 2:
                    continue
                pairs = (plain + size + jokers) // 2
                if self._laid and pairs > self._gaps:
                    continue
                for kings in range(unseen[total] + 1):
                    if self._gaps <= 2 * pairs + known[total] + kings:
                        found.add(size + more + kings)
        return found

    def _unmatched(self, unseen: tuple[int, ...]) -> set[tuple[int, int]]:
        """How many plain cards may have left, and how many of all those have then left with a joker."""
        total, known = self._total, self._known
        most = known[0] + unseen[0]
        reached = {(0, 0)}
        for low in range(1, total // 2 + 1):
            high, ways = total - low, set[tuple[int, int]]()
            for a in range(unseen[low] + 1):
                if low == high:
                    ways.add((a, (known[low] + a) % 2))
                    continue
                for b in range(unseen[high] + 1):
                    ways.add((a + b, abs(known[low] + a - known[high] - b)))
            reached = {(size + more, odd + over) for size, odd in reached for more, over in ways if odd + over <= most}
        return reached
