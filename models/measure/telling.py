"""Whether the moves that a followed game tells are those that were made: what no picture showed need not be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.measure import played
from rules.cards import FACE_DOWN
from rules.family import AnyMove
from rules.following.line import Line

TAKEN = ("pair", "single")


def that_show(moves: Sequence[AnyMove]) -> list[AnyMove]:
    """The moves between two pictures, as far as they show: nothing of a card that was turned up and taken alone, where
    another was laid upon it."""
    shown: list[AnyMove] = []
    for number, move in enumerate(moves):
        covered = any(other.kind in TAKEN for other in moves[number + 1 :])
        turned = next((other for other in shown if other.kind == "turn" and move.cards[:1] == other.cards[-1:]), None)
        if move.kind != "single" or turned is None or not covered:
            shown.append(move)
    return _moved_once(shown)


def _moved_once(moves: Sequence[AnyMove]) -> list[AnyMove]:
    """The moves between two pictures, of a card of a row game that was moved twice only where it came to lie, and
    nothing where that is where it lay."""
    shown: list[AnyMove] = []
    for move in moves:
        before = next(
            (other for other in shown if len(other.places) == 2 and other.places[1:] == move.places[:1]), None
        )
        if before is None or before.cards != move.cards or before.kind in ("pair", "turn"):
            shown.append(move)
            continue
        shown.remove(before)
        if before.places[0] != move.places[1]:
            shown.append(replace(move, places=(before.places[0], move.places[1])))
    return shown


def told_by(line: Line) -> list[AnyMove]:
    """The moves that a line tells, of each look as far as the truth of it goes."""
    return [move for state in line.states for move in _moved_once(state.moves)]


def same(told: Sequence[AnyMove], made: Sequence[AnyMove]) -> bool:
    """Whether these are the moves made, whatever their order between two looks; a card that nobody saw may be any."""
    return _untold(told, made) == []


def is_right(line: Line, made: Sequence[AnyMove]) -> bool:
    """Whether who made these moves takes the way that a line tells for the right one. How many cards were turned up or
    left alone unseen need not be right: the question is not about that."""
    turned, up = (
        {card for move in moves if move.kind == "turn" for card in move.cards} for moves in (line.moves, made)
    )
    untold = _left_out(line, made)
    alone = untold is not None and all(move.kind == "single" for move in untold)
    return line.odd is None and alone and turned - {FACE_DOWN} <= up


def _left_out(line: Line, made: Sequence[AnyMove]) -> list[AnyMove] | None:
    """The moves made, but for turns, that a line does not tell; None where it tells one that was not made."""
    seen = [move for move in told_by(line) if (move.kind, move.cards) != ("single", (FACE_DOWN,))]
    return _untold(*([move for move in moves if move.kind != "turn"] for moves in (seen, made)))


def tells(line: Line, made: Sequence[AnyMove]) -> tuple[float, int]:
    """How much a line tells of what was made: of several ways that are right a person takes the one that leaves out the
    fewest moves, and names most cards."""
    left_out = _left_out(line, made)
    named = sum(card is not FACE_DOWN for move in line.moves for card in move.cards)
    return -np.inf if left_out is None else -len(left_out), named


def _untold(told: Sequence[AnyMove], made: Sequence[AnyMove]) -> list[AnyMove] | None:
    """The moves made that are not told, each telling one at most; None where one is told that was not made."""
    made = [move for move in made if played.is_shown(move)]
    seen = [move for move in told if played.is_shown(move)]
    tellers: dict[int, int] = {}

    def tells_another(number: int, tried: set[int]) -> bool:
        """Whether a move told is one made that no other tells, or whose teller may tell another one."""
        for at, move in enumerate(made):
            if at not in tried and _may_be(seen[number], move):
                tried.add(at)
                if at not in tellers or tells_another(tellers[at], tried):
                    tellers[at] = number
                    return True
        return False

    if not all(tells_another(number, set()) for number in range(len(seen))):
        return None
    return [move for at, move in enumerate(made) if at not in tellers]


def all_made(told: Sequence[AnyMove], made: Sequence[AnyMove]) -> bool:
    """Whether all that is told was made, so that a record which says where it ends tells nothing wrong."""
    return all(any(_may_be(move, other) for other in made) for move in told if played.is_shown(move))


def _may_be(told: AnyMove, made: AnyMove) -> bool:
    if told.kind != made.kind or len(told.cards) != len(made.cards):
        return False
    if told.kind == "turn":
        return all(card in (FACE_DOWN, other) for card, other in zip(told.cards, made.cards, strict=True))
    return all(card in made.cards for card in told.cards if card is not FACE_DOWN)
