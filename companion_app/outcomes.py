"""How a kept game stands, by what was kept of it: whether it ended, how, and what it scores."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from rules.catalogue import Game, find_game
from rules.errors import RulesError
from rules.families import family_of
from rules.family import Outcome
from rules.looks import any_from_json
from rules.record import read_record
from rules.scoring import PAR_PASSES, par_game, par_game_of, score_position, score_records

Ending = Literal["won", "lost", "left", "play"]
"""`lost`: nothing more can be done. `left`: given up. `play`: still in play."""

MOST_REMEMBERED = 4096
OTHER_TABLE = "another-table"
_MOVE = re.compile(r"^\d+\. ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands. `way`: what it was opened for. `is_middle`: it did not begin with the deal. `left`: cards left
    in the pyramid, or off the foundations, None where that is not known."""

    game: Game
    outcome: Outcome
    way: str
    is_middle: bool
    moves: int
    left: int | None
    record: str = ""
    position: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def scores(self) -> Mapping[str, int]:
        """By scheme, the scores that the record tells; of a game begun in the middle those of what was played."""
        return scores_of(self.record)

    @property
    def is_played(self) -> bool:
        """Whether it counts as a game that was played: with a move, ended, or photographed at its end to be scored;
        a layout that was only checked is none."""
        return bool(self.moves) or self.way == "score" or (self.way == "play" and self.outcome != "open")


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
        )
    return None


@lru_cache(maxsize=MOST_REMEMBERED)
def scores_of(record: str) -> Mapping[str, int]:
    """The scores that rest on how a whole game went: it is played again, which takes its time."""
    found: dict[str, int] = {}
    with suppress(RulesError):
        played = read_record(record)
        game = played.record.game
        if game.family == "rows":
            found["foundation"] = score_position("foundation", played.position, game).score
        else:
            found["points"] = score_records("points", [played]).score
            if game.options.passes == PAR_PASSES:
                found["par"] = par_game(par_game_of(played))
    return found


def is_of_another_table(told: str) -> bool:
    """Whether the newest look showed a table that is not this game's."""
    with suppress(ValueError, AttributeError):
        return bool(json.loads(told).get("explanation") == OTHER_TABLE)
    return False


def _left(position: Any, game: Game) -> int | None:
    with suppress(RulesError):
        return score_position("cards-left", position, game).score
    return None
