"""What one look says of a table: for every place the chances of what may lie there."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.layouts import FOUNDATION, TURNED, WASTE, parse_pyramid_place

FACES: Final = 52
_KINDS: Final = FACES + 3
"""A place shows one of the faces, a joker, a back, or nothing."""
WRONG: Final = 0.008
"""So often a reading is wrong in a way that its own chances do not tell: a hand, a card slid aside, one taken for
another. Set by judgement: a sure card counts as odds of 2700 to 1 against any other."""
EMPTY: Final = 0.98
"""The chance that nothing lies at a place of which a look says nothing."""
BARE: Final = 0.8
DOWN: Final = 0.1
"""What lies under a hand seems to be no card so often, and a back or something that cannot be read so often."""
SHOWS: Final = -0.1
HIDES: Final = -0.35
"""Log-odds that a place shows, and that it does not, where something lies over the table: places that lie beside each
other are hidden together, so these are no chances that come to one."""
HIDDEN: Final = -5.0
COVERED: Final = -0.5
"""Log-odds that something lies over the table, or the picture is too poor, and where the reader says so: of drawn
pictures with something over them it does of one in four, of others of three in a thousand."""
DOUBTED: Final = 0.9
MOST_DOUBTED: Final = 4
"""A look at which more places are less sure than that is a poor one."""
MOST_CHAINED: Final = 4
"""So many cards at most one misreading makes to be misread."""
NO_CARD: Final = 0.9
"""What seems a back at a place where only faces lie is no card so often: in good pictures of drawn games 65 times of
65, and under hands, which are weighed apart, hardly ever."""
LEAST: Final = 0.01
"""Less likely cards are no rivals."""


@dataclass(frozen=True)
class Evidence:
    """``chances``: for each place what may lie there, with its chance; what is missing to one is spread over all
    cards. A place with no chances at all was not to be seen; one that is not named shows nothing. ``log_laid``:
    the logarithm of how likely it is that cards were missed, or taken for some, so that the others lie at these places.
    ``is_covered``: whether something was seen to lie over the cards.
    """

    chances: Mapping[str, Mapping[Seen, float]]
    log_laid: float = 0.0
    is_covered: bool = False

    def as_told(self, said: Mapping[str, Seen]) -> Evidence:
        """The same, with what a person said of some places in the place of what is read there."""
        return replace(self, chances={**self.chances, **{place: {seen: 1.0} for place, seen in said.items()}})

    def laid_in(self, game: Game) -> Evidence:
        """The same with what a game can show. Where the stock is gone, the one pile beside it may be told as a card
        turned up and held; where none is held, that is the waste. What seems a back on the waste or the foundation is a
        card that cannot be read; in a pyramid whose cards lie face up it is that, or nothing."""
        if game.family != "pyramid":
            return self
        chances = dict(self.chances)
        one_pile = self.best(TURNED) not in (None, GONE) and self.best(WASTE) in (None, GONE, FACE_DOWN)
        if one_pile and game.options.turned == "laid":
            chances |= {WASTE: self.chances[TURNED], TURNED: {GONE: EMPTY}}
        for place, likely in list(chances.items()):
            open_card = game.options.face == "up" and parse_pyramid_place(place) is not None
            if FACE_DOWN in likely and (open_card or place in (WASTE, FOUNDATION)):
                chances[place] = rest = dict(likely)
                back = rest.pop(FACE_DOWN)
                share = NO_CARD if open_card else 0.0
                for seen, part in ((GONE, share), (UNREADABLE, 1 - share)):
                    rest[seen] = rest.get(seen, 0.0) + part * back
        return replace(self, chances=chances)

    def hides(self, place: str) -> bool:
        """Whether a place was not to be seen."""
        return place in self.chances and not self.chances[place]

    @property
    def shows_all(self) -> bool:
        """Whether every place was to be seen."""
        return all(self.chances.values())

    @cached_property
    def is_poor(self) -> bool:
        """Whether something lies over the cards, or many places are in doubt, as where a picture is blurred."""
        likely = (max(chances.values()) for chances in self.chances.values() if chances)
        return self.is_covered or sum(chance < DOUBTED for chance in likely) > MOST_DOUBTED

    def best(self, place: str) -> Seen | None:
        """What most likely lies there; None where nobody can tell."""
        chances = self.chances.get(place, _NOTHING)
        return max(chances, key=lambda seen: chances[seen], default=None)

    def rivals(self, place: str) -> list[Seen]:
        """What may lie there, the likeliest first."""
        chances = self.chances.get(place, _NOTHING)
        likely = [seen for seen, chance in chances.items() if chance >= LEAST]
        return sorted(likely, key=lambda seen: -chances[seen])

    def log(self, place: str, seen: Seen | None) -> float:
        """The logarithm of how likely the picture of a place is if this lies there; None: whatever may."""
        chances = self.chances.get(place, _NOTHING)
        if not chances or seen is None:
            return 0.0
        if seen is UNREADABLE:
            return math.log(max(chances.get(UNREADABLE, 0.0), 1 / _KINDS))
        # What cannot be read is as likely nothing, or a back, as any one card.
        chance = chances.get(seen, 0.0) + chances.get(UNREADABLE, 0.0) / FACES
        if isinstance(seen, Card):
            chance += max(0.0, 1 - sum(chances.values())) / FACES
        return math.log((1 - WRONG) * min(chance, 1.0) + WRONG / _KINDS)

    def log_others(self, place: str) -> float:
        """The same for any card of which the look does not speak."""
        chances = self.chances.get(place, _NOTHING)
        if not chances:
            return 0.0
        rest = max(0.0, 1 - sum(chances.values())) + chances.get(UNREADABLE, 0.0)
        return math.log((1 - WRONG) * rest / FACES + WRONG / _KINDS)

    def log_hidden(self, place: str, seen: Seen | None) -> float:
        """The same if something may lie in the way: then mostly no card is made out there."""
        chances = self.chances.get(place, _NOTHING)
        if not chances or seen is None:
            return 0.0
        dim = chances.get(FACE_DOWN, 0.0) + chances.get(UNREADABLE, 0.0)
        bare = BARE * chances.get(GONE, 0.0) + DOWN * dim
        # What is read there for a face is hardly ever read surely.
        unsure = 1 - max(chances.values())
        in_the_way = HIDES + math.log(max(bare, max((1 - BARE - DOWN) * unsure, WRONG) / FACES))
        return max(self.log(place, seen) + SHOWS, in_the_way)

    def total_hidden(self, look: Mapping[str, Seen]) -> float:
        """The same for a whole look, and how likely it is that something lies over it."""
        return self._total(look, self.log_hidden) + (COVERED if self.is_covered else HIDDEN)

    def total(self, look: Mapping[str, Seen]) -> float:
        """The logarithm of how likely the picture of a whole look is. Cards taken for each other are one misreading and
        not as many as there are cards: the reader knows that each lies there once, so that the one mistake brings the
        others with it."""
        return self._total(look, self.log)

    def _total(self, look: Mapping[str, Seen], log: Callable[[str, Seen | None], float]) -> float:
        return self.log_laid + sum(log(place, seen) for place, seen in look.items()) + self._once(look, log)

    def _once(self, look: Mapping[str, Seen], log: Callable[[str, Seen | None], float]) -> float:
        """What is counted too often where a card was read as one that was read as another itself, and so on: of each
        such chain only the worst misreading counts. Where all is otherwise it is another table."""
        otherwise = {
            seen: (place, read)
            for place, seen in look.items()
            if isinstance(seen, Card) and isinstance(read := self.best(place), Card) and seen != read
        }
        chains: dict[Card, set[Card]] = {seen: {seen} for seen in otherwise}
        for seen, (_, read) in otherwise.items():
            if read in chains and chains[read] is not chains[seen]:
                chains[read] |= chains[seen]
                for card in chains[seen]:
                    chains[card] = chains[read]
        again, count = 0.0, 0
        for chain in dict.fromkeys(map(frozenset, chains.values())):
            ways = ((seen, *way) for seen, way in otherwise.items() if seen in chain)
            lost = [log(place, read) - log(place, seen) for seen, place, read in ways]
            again, count = again + max(0.0, sum(lost) - max(lost)), count + (len(lost) if len(lost) > 1 else 0)
        return again if count <= MOST_CHAINED else 0.0

    @cached_property
    def look(self) -> dict[str, Seen]:
        """What most likely lies at each place, each for itself."""
        return {place: seen for place in self.chances if (seen := self.best(place)) is not None}


_NOTHING: Final[Mapping[Seen, float]] = {GONE: EMPTY}
