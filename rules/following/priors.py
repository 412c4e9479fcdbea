"""What following a game takes for likely, before any look is weighed, and how far it searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Priors:
    """How likely each change is before the look is weighed, as log-odds. Set by judgement, by what players do, and
    tried on generated games of other seeds than are reported.
    """

    nothing: float = -1.5  # who takes a picture mostly has moved; a camera that looks by itself sees mostly nothing new
    many: float = -4.0  # each move beyond the fourth: that many are not made between two looks
    unseen: float = -2.5  # each card that left without having been seen: one in thirteen is of the rank that fits
    unseen_move: float = -3.0  # a move while something is in the way: it must show, else nothing is known of it
    unread: float = 1.5  # the waste's card was read and cannot be any more: so much sooner another one lies there
    passed_over: float = -1.5  # the waste's card was turned upon, though it makes the same pair as that which came up
    undone: float = -4.0  # moves were taken back, and for each of them
    back: float = -0.7
    turned_back: float = -3.0  # for each turn among them: what was seen is not put back into the stock
    breach: float = -2.75  # a rule was broken, and for each one more
    broken: float = -4.0
    taken: float = -3.0  # each card more than one move takes that was taken against the rules: hands do one at a time
    vanished: float = -4.0  # of a row game, all of which stays on the table, a card lies nowhere: eyes miss it
    changed: float = -11.0  # a card became another one: hands do not do that, eyes do; or one came from nowhere
    blind: float = -4.0  # each card that left against the rules and lay face down: a player takes what he sees
    heap: float = -9.0  # the foundation of a pyramid game shows a card that was not taken last
    unshown: float = -2.0  # the first cards were taken, and the foundation in sight shows none: few lay them elsewhere
    won: float = -9.0  # each move after the one that won: who has won looks before he touches the cards again
    new_deal: float = -8.0
    another: float = -12.0
    other_way: float = -1.0  # other moves that explain the look as well as those told first


PRIORS: Final = Priors()
PACE: Final = (0.3, 0.01, 0.004, 0.002)
"""Looks by how many moves were made since the one before, one to four, as if so many had been seen already: mostly one;
but how often a player takes pictures shows after a few of them, and then holds for the others."""
WAITED: Final = 3
"""Of so many looks at most that showed no move it is weighed how many it hid."""
IDLE: Final = 0.8
"""So much less likely it is, for each of them, that none was made before it: who takes a picture mostly has moved, but
somebody else may have looked."""
SPOKEN: Final = ("direction", "base", "reverse")
"""Moves that are choices: no card is moved by them."""
LOOKS_TRIED: Final = 40
"""Looks by what is read at each place that are compared with each line."""
LOOKS_EXPLAINED: Final = 150
"""Looks, of all that may be right, that are explained."""
MOST_CHANGED: Final = 14
"""Places at which a look that is explained may differ: four moves change no more."""
DOUBTFUL: Final = 6.0
"""Where an earlier look was so much in doubt that it is less likely by no more than this that it was wrong, all that is
read now is weighed from there as well."""
LEAST_HIDDEN: Final = 2
"""So many places at which nothing is read any more make it worth a thought that a hand lies over them."""
BREACHES_EXPLAINED: Final = 6
"""And so many of those to which no legal moves lead: which rule was broken takes long to find."""
MOST_UNSEEN: Final = 5
"""Turns between two looks that nobody saw, beside those that were seen."""
MOST_LINES: Final = 16
PRUNED: Final = -12.0
"""A line that much less likely than the best one is dropped."""
CLEAR: Final = 3.0
"""A line is clearly ahead by so much: twenty to one."""
SURE: Final = 0.98
"""What all looks together say less surely is asked about, as of one picture."""
COUNTED: Final = 4.5
"""Ways less likely by no more than this count where a number is told as a range: ninety to one."""
YOUNG: Final = 3
"""A game is not forgotten before another table was seen at so many looks."""
AT_SIGHT: Final = 6.0
"""Nobody is accused by one look unless that is ahead by so much: four hundred to one."""
BACK: Final = 6
"""So many states back it is looked whether moves were taken back."""
OPTIONS: Final = 3
"""Cards that may lie at one place, the likeliest, which are tried."""
MOST_PASSES: Final = 99
"""Where the rules allow any number, and it is not known."""
STRANGE: Final = ("card-changed", "card-appeared")
UNLIKELY: Final = (*STRANGE, "card-vanished")
"""What eyes do more often than hands: nobody is accused of it before a second look shows it too."""
