"""Par matches: six games for each of some named players, kept in the file of games; a score is that of a kept game."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from companion_app.errors import MissingTrouble, UsageTrouble
from companion_app.library.archive import PlayedGame
from companion_app.library.store import Store, time_now
from companion_app.stamps import new_id
from rules.catalogue import GAMES, Game, find_game
from rules.errors import RulesError
from rules.scoring import PAR_GAMES, PAR_PASSES

MOST_PLAYERS, LONGEST_NAME = 8, 40
PAR = "par"
RULES = {"passes": str(PAR_PASSES)}
"""What par changes of the rules of a game."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match: its game with the rules of par, its players, and the kept game entered for a player's place in
    `players` and the number of the game, from 1."""

    id: str
    at: datetime
    game: Game
    players: tuple[str, ...]
    entries: Mapping[tuple[int, int], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """The games of one player: a score for each number, None where none is entered or can be told; and their sum."""

    player: str
    scores: tuple[int | None, ...]

    @property
    def sum(self) -> int:
        """The sum of the scores; 0 is par."""
        return sum(score for score in self.scores if score is not None)

    @property
    def played(self) -> int:
        """How many games count."""
        return sum(score is not None for score in self.scores)


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of a match. `leaders`: who has the highest sum; none before a game is entered. `is_over`: every player
    has played six games."""

    lines: tuple[Line, ...]
    leaders: tuple[str, ...]
    is_over: bool


def par_games() -> list[Game]:
    """The games that a match can be played with, each with three passes."""
    found: list[Game] = []
    for game in GAMES.values():
        with suppress(RulesError):
            if game.family == "pyramid":
                found.append(game if game.options.passes == PAR_PASSES else game.with_rules(RULES))
    return found


def standings(match: Match, games: Iterable[PlayedGame]) -> Standings:
    """The table of a match, by the games that are kept."""
    entered = set(match.entries.values())
    score = {
        game.id: game.stands.scores.get(PAR)
        for game in games
        if game.id in entered and game.is_newest and game.stands is not None and not game.stands.is_proposed
    }
    lines = tuple(
        Line(
            player,
            tuple(score.get(match.entries.get((place, number), "")) for number in range(1, PAR_GAMES + 1)),
        )
        for place, player in enumerate(match.players)
    )
    begun = [line for line in lines if line.played]
    best = max((line.sum for line in begun), default=0)
    leaders = tuple(line.player for line in begun if line.sum == best)
    return Standings(lines, leaders, all(line.played == PAR_GAMES for line in lines))


def why_not(match: Match, game: PlayedGame) -> str:
    """Why a game cannot be entered in a match: `rules`, `proposed` where it was photographed to be scored and that is
    not confirmed, or `par-deal` where its record does not tell enough; "" where it can."""
    stands = game.stands
    if stands is None or stands.game.id != match.game.id or stands.game.rules != match.game.rules:
        return "rules"
    if stands.is_proposed:
        return "proposed"
    return "" if PAR in stands.scores else "par-deal"


def enterable(match: Match, games: Iterable[PlayedGame], entered: Iterable[str]) -> list[PlayedGame]:
    """The games that are over and can be entered, those entered anywhere left out."""
    taken = set(entered)
    return [
        game
        for game in games
        if game.is_newest and game.is_counted and game.id not in taken and not why_not(match, game)
    ]


class Matches:
    """The matches of a store. Every method raises StoreTrouble where the file cannot be used."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self, match_id: str = "") -> list[Match]:
        """Every match, or the one of an id; the one begun last first."""
        with self._store.transaction() as connection:
            rows = connection.execute(
                "SELECT id, at, game, rules, players FROM matches WHERE ? = '' OR id = ? ORDER BY rowid DESC",
                (match_id, match_id),
            ).fetchall()
            entries = connection.execute("SELECT match, player, number, game FROM match_games").fetchall()
        return [
            Match(
                match,
                datetime.fromisoformat(at),
                find_game(game, json.loads(rules)),
                tuple(json.loads(players)),
                {(player, number): kept for of, player, number, kept in entries if of == match},
            )
            for match, at, game, rules, players in rows
        ]

    def find(self, match_id: str) -> Match:
        """The match of an id; raises MissingTrouble."""
        found = self.all(match_id) if match_id else []
        if not found:
            raise MissingTrouble("no-match")
        return found[0]

    def entered(self) -> set[str]:
        """The kept games that are entered in any match."""
        with self._store.transaction() as connection:
            return {game for (game,) in connection.execute("SELECT game FROM match_games")}

    def begin(self, game_id: str, players: Sequence[str]) -> str:
        """Begin a match; its id. Raises UsageTrouble where the game or the names do not do."""
        names = [" ".join(name.split()) for name in players if name.strip()]
        is_wrong = len({name.casefold() for name in names}) != len(names) or any(len(n) > LONGEST_NAME for n in names)
        if is_wrong or not 1 <= len(names) <= MOST_PLAYERS:
            raise UsageTrouble("match-players", most=MOST_PLAYERS, long=LONGEST_NAME)
        game = next((game for game in par_games() if game.id == game_id), None)
        if game is None:
            raise UsageTrouble("match-game")
        options = game.rules.to_json()
        rules = json.dumps({name: str(options[name]) for name in game.changed})
        match = new_id()
        with self._store.transaction("IMMEDIATE") as connection:
            key = match, time_now(), game.id, rules, json.dumps(names, ensure_ascii=False)
            connection.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?)", key)
        return match

    def enter(self, match: Match, player: int, number: int, game: str) -> str:
        """Enter a kept game as a player's game of this number; "" where that was done, else why it cannot be: `place`,
        `taken` or `elsewhere`."""
        if not 0 <= player < len(match.players) or not 1 <= number <= PAR_GAMES:
            return "place"
        with self._store.transaction("IMMEDIATE") as connection:
            key = match.id, player, number
            here = "SELECT 1 FROM match_games WHERE match = ? AND player = ? AND number = ?"
            if connection.execute(here, key).fetchone():
                return "taken"
            if connection.execute("SELECT 1 FROM match_games WHERE game = ?", (game,)).fetchone():
                return "elsewhere"
            connection.execute(
                "INSERT INTO match_games SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM events WHERE game = ?)"
                " AND EXISTS (SELECT 1 FROM matches WHERE id = ?)",
                (*key, game, game, match.id),
            )
        return ""

    def take_out(self, match: Match, player: int, number: int) -> None:
        """Take a game out of a match; the game itself stays."""
        with self._store.transaction("IMMEDIATE") as connection:
            connection.execute(
                "DELETE FROM match_games WHERE match = ? AND player = ? AND number = ?", (match.id, player, number)
            )

    def delete(self, match_id: str) -> None:
        """Delete a match, so that nothing of it is left on the disk; its games stay."""
        with self._store.transaction("IMMEDIATE") as connection:
            connection.execute("DELETE FROM match_games WHERE match = ?", (match_id,))
            connection.execute("DELETE FROM matches WHERE id = ?", (match_id,))
        self._store.emptied()
