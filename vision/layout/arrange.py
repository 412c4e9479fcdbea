"""Which layout the cards lie in: each shape proposes its best placing, and one likelihood compares them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rules.layouts import Layout
from vision.layout import arrange_lines, arrange_pyramid, likelihood
from vision.layout.table import Arranged, Proposed, Table

# The chance that a layout is placed rightly, if the cards lie in it: less, and none is told. Of 1 046 layouts of drawn
# pictures five true ones have less.
STANDS = 0.8


def arrange(table: Table, layouts: Sequence[Layout]) -> Arranged | None:
    """The layout of these in which the cards of a table lie; None where none is told. One alone was named."""
    proposed = proposals(table, layouts)
    best = max(proposed, key=lambda one: one.odds, default=None)
    return best.arranged() if best is not None and _is_told(best, proposed, len(layouts) == 1) else None


def proposals(table: Table, layouts: Sequence[Layout]) -> list[Proposed]:
    """The best placing of each shape, but for those of lines where they cannot be the likelier one."""
    pyramid = arrange_pyramid.propose(table, [one for one in layouts if not one.lines])
    # The chances of all candidates that lines are laid of.
    present = table.cards.present[table.cards.present > 0.5]
    if pyramid is not None and pyramid.odds > likelihood.best(float(present.sum())):
        return [pyramid]
    return [one for one in (pyramid, arrange_lines.propose(table, [one for one in layouts if one.lines])) if one]


def _is_told(best: Proposed, proposed: Sequence[Proposed], named: bool) -> bool:
    # Of one that the player named all is asked about, where it may be told at all.
    if named and best.odds >= -likelihood.NEARLY and best.stands >= 0.5:
        return True
    others = [one.odds for one in proposed if one is not best]
    # Where backs may hide, only what is seen need speak of a layout that was named.
    seen = replace(best.explained, bare=np.zeros(0)) if named and best.may_hide else best.explained
    odds = likelihood.odds(seen) - float(np.logaddexp.reduce([0.0, *others]))
    return odds >= 0 and best.stands >= STANDS
