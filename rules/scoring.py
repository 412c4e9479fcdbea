"""Scoring schemes. A single picture gives only ``cards-left``; ``points`` needs the moves, ``par`` the match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from rules.cards import GONE
from rules.catalogue import Game
from rules.errors import NotNotedError, RuleError
from rules.layouts import parse_pyramid_place
from rules.pyramid.complete import complete
from rules.pyramid.moves import Move
from rules.pyramid.position import PyramidPosition

SCHEMES: Final = ("cards-left", "points", "par")
FROM_ONE_POSITION: Final = ("cards-left",)

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


def score_position(scheme: str, position: PyramidPosition, game: Game) -> Score:
    """The score one position gives; raises RuleError, or NotNotedError where a record is needed."""
    if scheme not in SCHEMES:
        raise RuleError(f"there is no scoring scheme {scheme!r}; the schemes are {', '.join(SCHEMES)}")
    if scheme not in FROM_ONE_POSITION:
        raise NotNotedError(f"{scheme} needs the record of a game: one position gives only {FROM_ONE_POSITION[0]}")
    return cards_left(position, game)


def cards_left(position: PyramidPosition, game: Game) -> Score:
    """Cards left in the pyramid, read or not; where the goal is all cards, those in stock, waste and hand
    too. 0 is perfect. Raises NotNotedError where the goal is all cards and a pile's count is not known."""
    pyramid = position.left_in_pyramid()
    if game.options.goal == "pyramid":
        return Score("cards-left", pyramid, (("pyramid", pyramid),))
    known = complete(position, game)
    if known.stock_count is None or known.waste_cards is None or known.turned is None:
        raise NotNotedError("the goal is all cards: say how many lie in the stock and on the waste")
    held = int(known.turned is not GONE)
    parts = (("pyramid", pyramid), ("stock", known.stock_count), ("waste", len(known.waste_cards)), ("turned", held))
    return Score("cards-left", sum(count for _, count in parts), parts)


def points(moves: Sequence[Move], game: Game) -> Score:
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


def par(match: Sequence[ParGame], game: Game) -> Score:
    """A match of six games; a net 0 is par. Raises RuleError where passes are not three or games not six."""
    if game.options.passes != PAR_PASSES:
        raise RuleError(f"par needs passes {PAR_PASSES}")
    if len(match) != PAR_GAMES:
        raise RuleError(f"a par match has {PAR_GAMES} games, not {len(match)}")
    parts = tuple((f"game {number}", par_game(played)) for number, played in enumerate(match, start=1))
    return Score("par", sum(part for _, part in parts), parts)
