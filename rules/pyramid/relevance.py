"""Which differences between states of knowledge matter for winning, and which states are lost at first sight."""

from __future__ import annotations

from collections.abc import Callable

from rules.cards import GONE, Unseen
from rules.catalogue import Game
from rules.pyramid.position import PyramidPosition
from rules.pyramid.search import Searcher
from rules.pyramid.sight import HIDDEN, NONE, Departed, Sight


class Relevance:
    """Makes states alike that differ only in cards which can never leave (goal ``pyramid``).

    A card outside the pyramid is of no use if nothing that is left pairs with it, and it is not the total. In the last
    pass such a card on the waste stays, and so does all that lies under it. With draw 1 one after another covers no
    more than one alone."""

    def __init__(self, position: PyramidPosition, game: Game, searcher: Searcher, departed: Departed) -> None:
        options = game.options
        self._total, self._laid, self._draw = options.total, options.turned == "laid", options.draw
        self._goal_all, self._limited = options.goal == "all", options.passes is not None
        self._jokers = options.jokers > 0
        self._departed = departed
        self._useless = options.total + 1
        self._bound = _bound_of(position, searcher)

    def less(self, sight: Sight) -> Sight:
        """The state without what does not matter; the same for states that can be won alike."""
        if self._goal_all or self._jokers or not self._departed.all_lie or HIDDEN in sight.pyramid:
            return sight
        wanted = {self._total - worth for worth in sight.pyramid if worth != NONE} | {self._total, HIDDEN, NONE}
        if not self._laid:
            outside = {worth for worth, count in enumerate(sight.unseen) if count}
            outside.update(sight.stock, sight.waste, (sight.held,))
            wanted |= {self._total - worth for worth in outside if 0 < worth < self._total}
        useless, unseen = self._useless, sight.unseen
        of_no_use = [worth for worth in range(self._total) if unseen[worth] and worth not in wanted]
        if of_no_use:
            counts = list(unseen)
            for worth in of_no_use:
                counts[useless] += counts[worth]
                counts[worth] = 0
            unseen = tuple(counts)
        stock = self._plain(sight.stock, wanted)
        waste = self._plain(sight.waste, wanted)
        if self._limited and not sight.redeals and useless in waste:
            waste = waste[len(waste) - waste[::-1].index(useless) :]
        held = sight.held if sight.held in wanted else useless
        return Sight(sight.pyramid, stock, waste, held, sight.redeals, unseen)

    def _plain(self, pile: tuple[int, ...], wanted: set[int]) -> tuple[int, ...]:
        """A pile with one mark for each card of no use, or with draw 1 for each run of them."""
        if all(token in wanted for token in pile):
            return pile
        marked: list[int] = []
        for token in pile:
            mark = token if token in wanted else self._useless
            if not (mark == self._useless and self._draw == 1 and marked and marked[-1] == mark):
                marked.append(mark)
        return tuple(marked)

    def hopeless(self, sight: Sight) -> bool:
        """Whether the state is lost even if every card that nobody has seen lay open beside the pyramid."""
        if HIDDEN in sight.pyramid or (self._goal_all and not self._departed.all_lie):
            return False
        worths = [0] * self._total
        for worth in range(self._total):
            worths[worth] = sight.unseen[worth]
        for token in (*sight.stock, *sight.waste, sight.held):
            if 0 <= token < self._total:
                worths[token] += 1
        if self._bound is None:
            return self._lacks_partners(sight, worths)
        counts = sum(count << 3 * worth for worth, count in enumerate(worths))
        cells = sum(1 << cell for cell, token in enumerate(sight.pyramid) if token != NONE)
        return self._bound(cells, counts) > 0

    def _lacks_partners(self, sight: Sight, outside: list[int]) -> bool:
        """Whether the pyramid holds more cards of a worth than there are partners for."""
        lying = [sight.pyramid.count(worth) for worth in range(self._total)]
        jokers = lying[0] + outside[0]
        for worth in range(1, self._total):
            partner = self._total - worth
            needed, there = lying[worth], lying[partner] + outside[partner]
            if worth == partner:
                needed, there = needed % 2, outside[partner]
            if needed > there + jokers:
                return True
        return False


def _bound_of(position: PyramidPosition, searcher: Searcher) -> Callable[[int, int], int] | None:
    """The open game's bound for the pyramid; None where some card of it is not known."""
    rows = tuple(tuple(None if card is GONE else card for card in row) for row in position.rows)
    known = tuple(tuple(card for card in row if not isinstance(card, Unseen)) for row in rows)
    return searcher.open_bound(known) if known == rows else None
