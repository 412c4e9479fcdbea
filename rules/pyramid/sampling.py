"""What sampled worlds have shown of a move, and when they say more by the cards left than by the worlds won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

HOPELESS_AFTER: Final = {True: 16, False: 64}
"""Worlds after which a position may be called hopeless, in the last pass and before."""

HOPELESS_SHARE: Final = {True: 0.1, False: 0.01}
"""Below this share of worlds won by the best move, chance rules the order of the moves; the cards left do not. In the
last pass that is nearly always so; before it every win found counts."""


@dataclass(slots=True)
class Tally:
    """Worlds in which one move was judged: ``tried``, and of these ``won`` and left ``open``, with the cards ``left``;
    and worlds ``rolled`` out greedily after it, with the cards left then."""

    tried: int = 0
    won: float = 0.0
    open: float = 0.0
    left: float = 0.0
    rolled: int = 0
    rolled_left: float = 0.0

    def add(self, won: float, open_: float, left: float) -> None:
        """One more world: won, left undecided (shares of 1), cards left."""
        self.tried += 1
        self.won += won
        self.open += open_
        self.left += left

    def roll(self, left: float) -> None:
        """One more world played greedily, without asking whether it could be won."""
        self.rolled += 1
        self.rolled_left += left


def hopeless(tallies: Sequence[Tally], *, last_pass: bool) -> bool:
    """Whether so few worlds were won that the cards left say more about the moves."""
    return max(tally.won / max(1, tally.tried) for tally in tallies) < HOPELESS_SHARE[last_pass]
