"""Scoring schemes. A single picture gives only ``cards-left`` or ``foundation``; ``points`` needs the record of a
game, ``par`` those of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from rules.catalogue import Game
from rules.errors import NotNotedError, RuleError
from rules.families import family_of
from rules.family import AnyMove
from rules.layouts import parse_pyramid_place
from rules.pyramid.left import hand_parts
from rules.record import Replayed

Scheme = Literal["cards-left", "foundation", "points", "par"]
SCHEMES: Final[tuple[Scheme, ...]] = ("cards-left", "foundation", "points", "par")
FROM_ONE_POSITION: Final[tuple[Scheme, ...]] = ("cards-left", "foundation")

REMOVAL_POINTS: Final = 5
ROW_POINTS: Final = (25, 50, 75, 100, 150, 250, 500)
"""For clearing rows from the bottom row to the apex; with fewer rows the last of these."""

PAR_PASSES: Final = 3
PAR_GAMES: Final = 6
_PAR_CLEARED: Final = {1: 50, 2: 35, 3: 20}


@dataclass(frozen=True, slots=True)
class Score:
    """A score and what it is made of."""

    scheme: str
    score: int
    parts: tuple[tuple[str, int], ...]

    def to_json(self) -> dict[str, Any]:
        """As the contract prints it."""
        return {"scheme": self.scheme, "score": self.score, "parts": dict(self.parts)}


@dataclass(frozen=True, slots=True)
class ParGame:
    """One game of a par match: the deal (pass) in which the pyramid was cleared, if it was, and the cards left at the
    end in the pyramid and in hand (stock, waste and the card held)."""

    cleared_in: int | None
    pyramid_left: int
    hand_left: int


def score_position(scheme: str, position: Any, game: Game) -> Score:
    """The score one position gives; raises RuleError, or NotNotedError where a record is needed."""
    _check(scheme, game)
    if scheme not in FROM_ONE_POSITION:
        said = f"{scheme} needs the record of a game: one position gives {' or '.join(FROM_ONE_POSITION)}"
        raise NotNotedError(said, "needs-record", scheme=scheme)
    return cards_left(position, game) if scheme == "cards-left" else foundation(position, game)


def score_records(scheme: str, games: Sequence[Replayed]) -> Score:
    """The score of a game as far as its record can be played; of six for ``par``. Raises RuleError, NotNotedError."""
    for played in games:
        _check(scheme, played.record.game)
    if scheme == "par":
        if len({played.record.game.rules for played in games}) > 1:
            raise RuleError("the games of a match have the same rules", "par-rules")
        return par([par_game_of(played) for played in games], games[0].record.game if games else None)
    if len(games) != 1:
        said = f"{scheme} is the score of one game, not of {len(games)}"
        raise RuleError(said, "one-game-score", scheme=scheme, given=len(games))
    if scheme == "points":
        return points(games[0].record.moves, games[0].record.game)
    return score_position(scheme, games[0].position, games[0].record.game)


def _check(scheme: str, game: Game) -> None:
    if scheme not in SCHEMES:
        raise RuleError(f"there is no scoring scheme {scheme!r}; the schemes are {', '.join(SCHEMES)}")
    wanted = {"foundation": "rows", "points": "pyramid", "par": "pyramid"}.get(scheme, game.family)
    if game.family != wanted:
        said = f"{scheme} is a score of the {wanted} family, which {game.id} is not of"
        raise RuleError(said, "no-such-score", scheme=scheme, game=game.id)


def cards_left(position: Any, game: Game) -> Score:
    """Cards left in the pyramid, read or not, or off the foundations; where the goal is all cards, those in stock,
    waste and hand too. 0 is perfect. Raises NotNotedError where the goal is all cards and a pile's count is unknown."""
    parts = family_of(game).left_parts(position, game)
    return Score("cards-left", sum(count for _, count in parts), parts)


def foundation(position: Any, game: Game) -> Score:
    """Cards on the foundations; the whole deck is perfect. Raises NotNotedError where the position does not tell."""
    done = len(game.rules.deck) - cards_left(position, game).score
    return Score("foundation", done, (("foundation", done),))


def points(moves: Sequence[AnyMove], game: Game) -> Score:
    """5 for each pair and each card that leaves alone, more for each row cleared; at most 1290 for 52 cards."""
    pairs = sum(move.kind == "pair" for move in moves)
    singles = sum(move.kind == "single" for move in moves)
    removed = {
        spot for move in moves for place in move.places if (spot := parse_pyramid_place(place)) and move.kind != "turn"
    }
    rows = game.options.rows
    by_row = dict(zip(range(rows, 0, -1), ROW_POINTS[-rows:], strict=True))
    cleared = sum(
        worth for row, worth in by_row.items() if all((row, column) in removed for column in range(1, row + 1))
    )
    parts = (("pairs", pairs * REMOVAL_POINTS), ("singles", singles * REMOVAL_POINTS), ("rows", cleared))
    return Score("points", sum(part for _, part in parts), parts)


def par_game(played: ParGame) -> int:
    """The score of one game with three passes: 50, 35 or 20 minus the cards in hand where the pyramid was cleared in
    the first, second or third deal; else minus all cards left. Raises RuleError for a deal that there is not."""
    if played.cleared_in is None:
        return -(played.pyramid_left + played.hand_left)
    if played.cleared_in not in _PAR_CLEARED:
        raise RuleError(f"a par game has deals 1 to {PAR_PASSES}, not {played.cleared_in}")
    return _PAR_CLEARED[played.cleared_in] - played.hand_left


def par_game_of(played: Replayed) -> ParGame:
    """What a match counts of a record; raises NotNotedError where it does not tell the pass or a pile's count."""
    game, final = played.record.game, played.position
    cleared = next((position for position in played.positions if not position.left_in_pyramid()), None)
    if cleared is not None and cleared.pass_number is None:
        raise NotNotedError("par needs a record that tells the pass: let it begin with the deal", "par-deal")
    hand = sum(count for _, count in hand_parts(final, game))
    return ParGame(None if cleared is None else cleared.pass_number, final.left_in_pyramid(), hand)


def par(match: Sequence[ParGame], game: Game | None) -> Score:
    """A match of six games; a net 0 is par. Raises RuleError where passes are not three or games not six."""
    if game is not None and game.options.passes != PAR_PASSES:
        raise RuleError(f"par needs passes {PAR_PASSES}", "par-passes", passes=PAR_PASSES)
    if len(match) != PAR_GAMES:
        said = f"a par match has {PAR_GAMES} games, not {len(match)}"
        raise RuleError(said, "par-games", wanted=PAR_GAMES, given=len(match))
    parts = tuple((f"game {number}", par_game(played)) for number, played in enumerate(match, start=1))
    return Score("par", sum(part for _, part in parts), parts)
