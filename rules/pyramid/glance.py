"""Compiled: the verdict of a full position if few states are enough for it, in room that is used again and again."""

from __future__ import annotations

from typing import NamedTuple

from rules.compiled import compiled
from rules.pyramid.core import (
    AIM,
    BEST,
    CUT_SHORT,
    EXHAUSTED,
    LONGEST,
    LONGEST_LINE,
    PAUSED,
    TOP,
    USED,
    explore,
)
from rules.pyramid.relaxed import Array, find_slot


class Cards(NamedTuple):
    """The arrays of a task: what the cards are and how they lie. ``stock``: their worths in the order drawn."""

    rules: Array
    ranks: Array
    worths: Array
    stock: Array
    free: Array
    after: Array
    left: Array


class Room(NamedTuple):
    """The table of the open game (``keys``, ``values``, ``tally``) and the scratch arrays of a search."""

    keys: Array
    values: Array
    tally: Array
    kids: Array
    frames: Array
    visited: Array
    stack: Array
    path: Array
    line: Array
    moves: Array
    progress: Array


@compiled
def quick_search(key: int, counts: int, states: int, cards: Cards, stock: Array, room: Room) -> int:
    """How a search for a win ends that looks at so many states: FOUND, EXHAUSTED where there is none, GROW_OPEN where
    the table of the open game is too small, else a code for giving up. ``stock`` is taken in place of the cards'."""
    progress = room.progress
    progress[:] = 0
    progress[TOP], progress[USED], progress[BEST], progress[AIM] = 1, 1, 1, 0
    progress[LONGEST] = LONGEST_LINE - 1
    room.stack[0, 0], room.stack[0, 1], room.stack[0, 2] = key, counts, 0
    room.visited[:] = 0
    room.visited[~find_slot(room.visited, key)] = key + 1
    code: int = explore(
        cards.rules, cards.ranks, cards.worths, stock, cards.free, cards.after, cards.left, room.visited,
        room.keys, room.values, room.kids, room.frames, room.tally,
        room.stack, room.path, room.line, room.moves, progress, states,
    )  # fmt: skip
    return PAUSED if code == EXHAUSTED and progress[CUT_SHORT] == 1 else code
