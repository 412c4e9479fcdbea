"""How well the hints play without seeing the stock: ``python -m companion_app.hints.policies --deals 400``.

Prints, for rule sets of ``math-pyramid`` on the same deals: the share of games won by hints with its 95 % interval, and
of what perfect information wins, greedy play beside it, and the cards left less those of greedy play, deal by deal,
with the 95 % interval of that mean.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.simulation import Played

RULE_SETS = (("held", "3"), ("laid", "2"), ("laid", "3"), ("held", "1"), ("laid", "1"))
GAME = "math-pyramid"
PERFECT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Duel:
    """The same deals played by hints, greedily and with perfect information."""

    name: str
    hint: Sequence["Played"]
    greedy: Sequence["Played"]
    perfect: Sequence["Played"]

    def line(self) -> str:
        """The figures in a line."""
        from rules.intervals import mean_interval, share_interval

        won, best, plain = (sum(one.won for one in played) for played in (self.hint, self.perfect, self.greedy))
        share = share_interval(won, len(self.hint))
        pairs = zip(self.hint, self.greedy, strict=True)
        less = mean_interval([float(mine.cards_left - theirs.cards_left) for mine, theirs in pairs])
        spent = 1000 * sum(played.seconds for played in self.hint) / len(self.hint)
        return (
            f"{self.name}  {len(self.hint)} deals: hint {100 * share.estimate:.1f} %"
            f" ({100 * share.low:.1f} to {100 * share.high:.1f}), {100 * won / max(1, best):.0f} % of perfect"
            f" ({100 * best / len(self.perfect):.1f} %), greedy {100 * plain / len(self.greedy):.1f} %;"
            f" cards left less greedy's {less.estimate:.2f} ({less.low:.2f} to {less.high:.2f}); {spent:.0f} ms a game"
        )


def duel(turned: str, passes: str, deals: int, seed: int, seconds: float) -> Duel:
    """One rule set; ``seconds`` of processor time for a hint."""
    from companion_app.hints.simulating import Plan, play_all

    rules = {"turned": turned, "passes": passes}
    hint = play_all(Plan(GAME, rules, "hint", seed, seconds), deals)
    greedy = play_all(Plan(GAME, rules, "greedy", seed, seconds), deals)
    perfect = play_all(Plan(GAME, rules, "perfect", seed, PERFECT_SECONDS), deals)
    return Duel(f"{turned} {passes}", hint, greedy, perfect)


def main(arguments: list[str] | None = None) -> None:
    """Prints a line for each rule set, as soon as it is known."""
    parser = argparse.ArgumentParser(
        prog="python -m companion_app.hints.policies", description="how well the hints play"
    )
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.05, help="processor time for a hint")
    parser.add_argument("--only", default="", help="rule sets whose name contains this")
    chosen = parser.parse_args(arguments)
    for turned, passes in RULE_SETS:
        if chosen.only in f"{turned} {passes}":
            found = duel(turned, passes, chosen.deals, chosen.seed, chosen.seconds)
            sys.stdout.write(found.line() + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
