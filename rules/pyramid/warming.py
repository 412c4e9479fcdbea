"""Loading the compiled search before it is needed."""

from __future__ import annotations

from random import Random

import numpy as np

from rules.cards import JOKER
from rules.catalogue import Game
from rules.pyramid import core
from rules.pyramid.first_pass import FirstPass
from rules.pyramid.full import FullPosition
from rules.pyramid.moves import turn
from rules.pyramid.search import Searcher
from rules.pyramid.tables import task_of


def warm_up(game: Game) -> None:
    """Loads the compiled search (or compiles it, the first time on a machine) so that the first hint does not wait."""
    size = game.options.rows
    rows = (*((None,) * row for row in range(1, size)), (JOKER,) * size)
    searcher, start = Searcher(game), FullPosition(rows, stock=(JOKER,))
    searcher.solve(start, fewest=True)
    searcher.glance(task_of(start, game.options), 1)
    searcher.greedy_left(FullPosition(rows))
    FirstPass(start, [turn((JOKER,), held=False)], [True], game, searcher).race(1, 1, Random(1))
    core.rehash(np.zeros(1, np.int64), np.zeros(2, np.int64))
    core.rehash_values(np.zeros(1, np.int64), np.zeros(1, np.int8), np.zeros(2, np.int64), np.zeros(2, np.int8))
