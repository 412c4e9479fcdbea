"""Which games fit what was seen."""

from collections.abc import Iterable

from rules.cards import Card, Seen
from rules.catalogue import GAMES, Game


def games_of_layout(layout: str | None) -> tuple[Game, ...]:
    """The games laid as this layout, in the order of the catalogue."""
    return tuple(game for game in GAMES.values() if game.layout == layout)


def fitting_games(layout: str | None, seen: Iterable[Seen]) -> tuple[Game, ...]:
    """The games of a layout whose deck holds every card that was surely seen."""
    faces = [card for card in seen if isinstance(card, Card)]
    return tuple(game for game in games_of_layout(layout) if all(card in game.options.deck for card in faces))


def plain_game(layout: str) -> Game:
    """The plainest game of a layout, also for the small pyramids that no game of the catalogue has by default."""
    found = next((game for game in games_of_layout(layout) if game.options == PLAIN.options), None)
    if found:
        return found
    return next(iter(games_of_layout(layout)), None) or PLAIN.with_rules({"rows": layout.removeprefix("pyramid-")})


PLAIN = GAMES["relaxed-pyramid"]
