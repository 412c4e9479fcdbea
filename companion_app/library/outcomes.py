"""How a kept game stands, by what was kept of it: whether it ended, how, and what it scores."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from companion_app.tables.kept_table import is_proposed
from rules.catalogue import Game, find_game
from rules.errors import RulesError
from rules.families import family_of
from rules.family import Outcome
from rules.looks import any_from_json
from rules.record import read_record
from rules.scoring import PAR_PASSES, Score, par_game, par_game_of, score_position, score_records

Ending = Literal["won", "lost", "left", "play", "proposed"]
"""`lost`: nothing more can be done. `left`: given up. `play`: still in play. `proposed`: photographed to be scored, and
not confirmed."""

MOST_REMEMBERED = 4096
OTHER_TABLE = "another-table"
_MOVE = re.compile(r"^\d+\. ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands. `way`: what it was opened for. `is_middle`: it did not begin with the deal. `left`: cards left
    in the pyramid, or off the foundations, None where that is not known. `is_proposed`: it was opened to be scored, and
    the player has not confirmed that; `unsettled`: how much of such a score was in doubt, or did not fit."""

    game: Game
    outcome: Outcome
    way: str
    is_middle: bool
    moves: int
    left: int | None
    record: str = ""
    position: Mapping[str, Any] = field(default_factory=dict, compare=False)
    is_proposed: bool = False
    unsettled: int = 0

    @property
    def scores(self) -> Mapping[str, int]:
        """By scheme, the scores that the record tells; of a game begun in the middle those of what was played."""
        return scores_of(self.record)

    @property
    def is_played(self) -> bool:
        """Whether it counts as a game that was played: with a move, ended, or photographed to be scored, if the player
        confirmed that; a layout that was only checked is none."""
        if self.way == "score":
            return not self.is_proposed
        return bool(self.moves) or (self.way == "play" and self.outcome != "open")


@lru_cache(maxsize=MOST_REMEMBERED)
def standing(state: str, told: str) -> Standing | None:
    """How the game of a state that was kept stands; None where this cannot be told, as of rules that are no more."""
    with suppress(RulesError, KeyError, IndexError, TypeError, ValueError):
        said, last = json.loads(state), json.loads(told)
        game = find_game(said["game"]).with_rules(said["rules"])
        position, record = any_from_json(last["position"]), str(last["record"])
        return Standing(
            game,
            family_of(game).outcome(position, game),
            said["looks"][0].get("way", "play"),
            "\ndeal:" not in record,
            len(_MOVE.findall(record)),
            _left(position, game),
            record,
            last["position"],
            is_proposed(said),
            int(last.get("unsettled", 0)),
        )
    return None


@lru_cache(maxsize=MOST_REMEMBERED)
def parts_of(record: str) -> Mapping[str, Score]:
    """The scores that rest on how a whole game went, with their parts, by scheme: it is played again, which takes its
    time."""
    found: dict[str, Score] = {}
    with suppress(RulesError):
        played = read_record(record)
        game = played.record.game
        if game.family == "rows":
            found["foundation"] = score_position("foundation", played.position, game)
        else:
            found["points"] = score_records("points", [played])
            if game.options.passes == PAR_PASSES:
                found["par"] = Score("par", par_game(par_game_of(played)), ())
    return found


def scores_of(record: str) -> Mapping[str, int]:
    """The scores that rest on how a whole game went, by scheme."""
    return {scheme: found.score for scheme, found in parts_of(record).items()}


def is_of_another_table(told: str) -> bool:
    """Whether the newest look showed a table that is not this game's."""
    with suppress(ValueError, AttributeError):
        return bool(json.loads(told).get("explanation") == OTHER_TABLE)
    return False


def _left(position: Any, game: Game) -> int | None:
    with suppress(RulesError):
        return score_position("cards-left", position, game).score
    return None
