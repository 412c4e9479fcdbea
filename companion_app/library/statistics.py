"""Figures of the games that were played: of each game under its rules, with help and without apart."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from companion_app.library.archive import PlayedGame
from rules.catalogue import Game
from rules.intervals import Interval, share_interval

SHARE_DIGITS: Final = 4
COUNT_DIGITS: Final = 2
LEAST = frozenset({"cards-left"})
"""Schemes by which the least is best."""


@dataclass(frozen=True, slots=True)
class Streak:
    """Games won one after the other: up to the last one played, and at most."""

    current: int
    longest: int


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of some games that are over. `win`: the share won, with its 95 % interval. `mean_left`: of
    the cards left, where those are known. `best`: by scheme, the best score of a game begun with the deal; `cards-left`
    of any game. `in_doubt`: scores that the player kept although something of them was in doubt."""

    games: int
    won: int
    lost: int
    given_up: int
    win: Interval
    streak: Streak
    mean_left: float | None
    best: dict[str, int]
    begun_in_the_middle: int
    in_doubt: int
    last_played: datetime | None

    def to_json(self) -> dict[str, Any]:
        """Every figure, as `cardtable stats --json` prints it."""
        return {
            "games": self.games,
            "won": self.won,
            "lost": self.lost,
            "left": self.given_up,
            "win": {end: round(getattr(self.win, end), SHARE_DIGITS) for end in ("estimate", "low", "high")},
            "streak": {"current": self.streak.current, "longest": self.streak.longest},
            "cards_left": self.mean_left,
            "best": self.best,
            "begun_in_the_middle": self.begun_in_the_middle,
            "in_doubt": self.in_doubt,
            "last_played": None if self.last_played is None else self.last_played.isoformat(),
        }


@dataclass(frozen=True, slots=True)
class GameFigures:
    """The figures of one game under its rules; `in_play`: games of it that are not over."""

    game: Game
    all: Figures
    unassisted: Figures
    assisted: Figures
    in_play: int

    def to_json(self) -> dict[str, Any]:
        """As `cardtable stats --json` prints it."""
        rules = self.game.rules.to_json()
        return {
            "game": self.game.id,
            "rules": {name: rules[name] for name in self.game.changed},
            **self.all.to_json(),
            "in_play": self.in_play,
            "unassisted": self.unassisted.to_json(),
            "assisted": self.assisted.to_json(),
        }


def statistics(games: Iterable[PlayedGame]) -> list[GameFigures]:
    """The figures of each game under its rules, the one played last first."""
    groups: dict[tuple[str, str], list[PlayedGame]] = {}
    for game in sorted(games, key=lambda each: each.at, reverse=True):
        if game.stands is not None and game.stands.is_played:
            groups.setdefault((game.stands.game.id, str(game.stands.game.rules.to_json())), []).append(game)
    return [_of(group) for group in groups.values()]


def _of(group: Sequence[PlayedGame]) -> GameFigures:
    over = [game for game in reversed(group) if game.is_counted]
    first = group[0].stands
    assert first is not None
    return GameFigures(
        first.game,
        figures(over),
        figures([game for game in over if not game.is_assisted]),
        figures([game for game in over if game.is_assisted]),
        len(group) - len(over),
    )


def figures(games: Sequence[PlayedGame]) -> Figures:
    """The figures of games that are over, in the order in which they were played."""
    won = [game.ending == "won" for game in games]
    left = [game.stands.left for game in games if game.stands and game.stands.left is not None]
    return Figures(
        len(games),
        sum(won),
        sum(game.ending == "lost" for game in games),
        sum(game.ending == "left" for game in games),
        share_interval(sum(won), len(games)),
        streak(won),
        round(sum(left) / len(left), COUNT_DIGITS) if left else None,
        _best(games),
        sum(bool(game.stands and game.stands.is_middle) for game in games),
        sum(bool(game.in_doubt) for game in games),
        max((game.at for game in games), default=None),
    )


def streak(won: Iterable[bool]) -> Streak:
    """The streaks of wins among games in the order in which they were played."""
    current = longest = 0
    for is_won in won:
        current = current + 1 if is_won else 0
        longest = max(longest, current)
    return Streak(current, longest)


def _best(games: Sequence[PlayedGame]) -> dict[str, int]:
    found: dict[str, list[int]] = {}
    for stands in (game.stands for game in games if game.stands):
        if stands.left is not None:
            found.setdefault("cards-left", []).append(stands.left)
        for scheme, score in () if stands.is_middle else stands.scores.items():
            found.setdefault(scheme, []).append(score)
    return {scheme: min(scores) if scheme in LEAST else max(scores) for scheme, scores in found.items()}
